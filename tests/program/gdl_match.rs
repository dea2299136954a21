//! Tests of `tengen gdl match` with the game manager: processes as players, records, resuming, and the end of all
//! processes.

use crate::common::{Listener, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Two roles take 1 or 2 at once, three times; the one who takes more at last wins.
const RULES: &str = "(role left) (role right) (init (step 3)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?r (take 1)) (role ?r)) (<= (legal ?r (take 2)) (role ?r))
    (<= (next (step ?m)) (true (step ?n)) (succ ?m ?n)) (<= (next (took ?r ?x)) (does ?r (take ?x)))
    (<= terminal (true (step 0)))
    (<= (goal left 100) (true (took left 2)) (true (took right 1)))
    (<= (goal right 100) (true (took right 2)) (true (took left 1)))
    (<= (goal left 0) (true (took left 1)) (true (took right 2)))
    (<= (goal right 0) (true (took right 1)) (true (took left 2)))
    (<= (goal ?r 50) (role ?r) (true (took left ?x)) (true (took right ?x)))";

fn folder(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    write(&folder, "a.kif", RULES);
    write(&folder, "b.kif", &RULES.replace("took", "taken"));
    folder
}

fn records(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("out/matches.jsonl")).expect("records");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn a_run_goes_on_where_it_was_and_has_the_bytes_of_one_that_was_not_broken_off() {
    let folder = folder("match_resume");
    let run = |more: &[&str]| {
        let command =
            ["gdl", "match", "a.kif", "b.kif", "--players", "random,legal", "--swap", "--out", "out"];
        tengen(&folder, &[&command[..], more].concat())
    };
    let whole = run(&["--games", "3"]);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    let file = folder.join("out/matches.jsonl");
    let (text, summary) =
        (fs::read_to_string(&file).unwrap(), fs::read(folder.join("out/summary.json")).unwrap());
    assert_eq!(text.lines().count(), 6);
    assert_eq!(run(&["--games", "3"]).status.code(), Some(2), "it holds a run");
    assert_eq!(run(&["--games", "3", "--resume", "--seed", "5"]).status.code(), Some(2), "another run");
    // The last line is torn, and one before it is altered.
    let torn = text[..text.len() - 40].replacen("\"number\":1", "\"number\":7", 1);
    fs::write(&file, &torn).unwrap();
    let resumed = run(&["--games", "3", "--resume"]);
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert!(String::from_utf8_lossy(&resumed.stderr).contains("played again"), "{resumed:?}");
    let mut lines: Vec<String> = fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    wanted.sort();
    assert_eq!(lines, wanted);
    assert_eq!(fs::read(folder.join("out/summary.json")).unwrap(), summary);
    // More matches of the same run.
    assert_eq!(run(&["--games", "4", "--resume"]).status.code(), Some(0));
    assert_eq!(records(&folder).len(), 8);
    let sides: Vec<Value> = records(&folder).iter().map(|record| record["seats"].clone()).collect();
    assert!(sides.contains(&serde_json::json!([0, 1])) && sides.contains(&serde_json::json!([1, 0])));
}

#[test]
fn players_of_every_kind_play_in_one_command_in_time_and_legally() {
    let folder = folder("match_kinds");
    let listener = Listener::new();
    let program = env!("CARGO_BIN_EXE_tengen");
    let command = format!("'{program}' ggp --port {{port}} --seed {{seed}} --player alphabeta");
    for (players, more) in
        [(format!("auto,ggp:{}", listener.address), &[][..]), (format!("{command},uct"), &["--scramble"][..])]
    {
        let mut arguments = vec!["gdl", "match", "a.kif", "--games", "1", "--players", &players];
        arguments.extend(["--out", "out", "--force"]);
        arguments.extend(more);
        let output = tengen(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let records = records(&folder);
        assert_eq!(records[0]["faults"], serde_json::json!([]), "{}", records[0]);
        assert_eq!(records[0]["scrambled"], !more.is_empty());
        // Both take 2 at last: any other move loses against it.
        assert_eq!(records[0]["goals"], serde_json::json!([50, 50]), "{}", records[0]);
        assert!(stdout(&output).contains("95 % interval"), "{output:?}");
    }
}

#[test]
fn a_player_that_is_not_there_ends_the_command_before_the_first_match() {
    let folder = folder("match_absent");
    for (players, told) in [
        ("auto,/none/engine {port}", "no such program"),
        (
            "auto,sh -c 'echo no licence >&2; exit 3' {port}",
            "exit code 3; its last words on stderr: `no licence`",
        ),
        ("auto,ggp:127.0.0.1:1", "broke off"),
        ("auto,ggp:127.0.0.1", "no address"),
        ("auto,some engine", "{port}"),
        ("auto,nobody", "there is no player"),
        ("auto,random,random", "names 3 players"),
    ] {
        let output = tengen(
            &folder,
            &["gdl", "match", "a.kif", "--games", "1", "--players", players, "--out", "out", "--force"],
        );
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{players}: {error}");
        assert!(error.contains(told), "{players}: {error}");
    }
}

#[cfg(unix)]
mod processes {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// A player with a child of its own that outlives it; the numbers of both go to files.
    fn command(more: &str) -> String {
        let program = env!("CARGO_BIN_EXE_tengen");
        format!(
            "sh -c 'trap \"\" HUP INT TERM; sleep 600 & echo $! > child; echo $$ > parent; \
             {more} {program} ggp --port {{port}} --player legal'"
        )
    }

    /// The processes of these files that are alive.
    fn alive(folder: &Path) -> Vec<String> {
        let numbers =
            ["child", "parent"].map(|name| fs::read_to_string(folder.join(name)).unwrap_or_default());
        let is_alive = |number: &String| {
            let stat = fs::read_to_string(format!("/proc/{}/stat", number.trim())).unwrap_or_default();
            let state = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
            state.is_some_and(|state| state != "Z")
        };
        numbers.into_iter().filter(is_alive).collect()
    }

    fn ended(folder: &Path) -> bool {
        let until = Instant::now() + Duration::from_secs(30);
        while !alive(folder).is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        alive(folder).is_empty()
    }

    fn start(folder: &Path, players: &str, games: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(folder)
            .args(["gdl", "match", "a.kif", "--games", games, "--players", players, "--out", "out"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    #[test]
    fn a_player_that_ends_within_a_match_is_played_for_at_random_and_no_process_is_left() {
        let folder = folder("match_crash");
        // It ends after one match; the next one finds a new process. `kill` ends it within the match.
        for (name, more) in [("whole", ""), ("killed", "(sleep 1; kill -9 $$) & exec")] {
            let _ = fs::remove_dir_all(folder.join("out"));
            let players = format!("{},random", command(more));
            let status = start(&folder, &players, "2").wait().expect("it ends");
            assert_eq!(status.code(), Some(0), "{name}");
            let records = records(&folder);
            assert_eq!(records.len(), 2, "{name}");
            assert!(records.iter().all(|record| record["end"] == "terminal"), "{name}");
            assert!(ended(&folder), "{name}: {:?}", alive(&folder));
        }
    }

    #[test]
    fn an_interrupted_run_and_a_killed_one_leave_no_process_and_keep_what_is_whole() {
        for (signal, code) in [("INT", Some(2)), ("TERM", Some(2)), ("KILL", None)] {
            let folder = folder(&format!("match_{signal}"));
            let mut child = start(&folder, &format!("{},random", command("")), "100000");
            let file = folder.join("out/matches.jsonl");
            let until = Instant::now() + Duration::from_secs(60);
            let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
            while lines() < 2 && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(10));
            }
            let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
            assert!(sent.is_ok_and(|status| status.success()));
            assert_eq!(child.wait().expect("it ends").code(), code, "{signal}");
            assert!(ended(&folder), "{signal}: {:?}", alive(&folder));
            let whole = fs::read_to_string(&file).expect("records");
            let good = whole.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
            assert!(good >= 2, "{signal}: {whole}");
            let games = (good + 1).to_string();
            let players = format!("{},random", command(""));
            let resume = [
                "gdl",
                "match",
                "a.kif",
                "--games",
                &games,
                "--players",
                &players,
                "--out",
                "out",
                "--resume",
            ];
            let output = tengen(&folder, &resume);
            assert_eq!(output.status.code(), Some(0), "{signal}: {output:?}");
            assert_eq!(records(&folder).len(), good + 1, "{signal}");
        }
    }
}

#[test]
fn the_page_on_matches_names_the_options_that_there_are() {
    let page = fs::read_to_string(repository().join("docs/ggp.md")).expect("the page");
    let help = stdout(&tengen(&repository(), &["gdl", "match", "--help"]));
    let (_, part) = page.split_once("## A game manager").expect("the section");
    let options = part
        .split(|c: char| c.is_whitespace() || "`|,.".contains(c))
        .filter(|word| word.starts_with("--") && !word.ends_with('-'));
    let unknown: Vec<&str> =
        options.filter(|option| !help.contains(*option) && *option != "--port").collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
