//! Tests that `tengen selfplay` plays the same games at any number of threads, and after a killed run is resumed.

use crate::common::{Listener, repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

const PLAY_TWO: [&str; 7] = ["selfplay", "a.ron", "--games", "2", "--no-progress", "--out", "out"];

const SCENE: &str = r#"(version: 1, name: "small", game: Go(size: 7, komi: 6.5),
    task: SelfPlay(max_moves: 10, random_moves: 4))"#;

#[test]
fn games_are_the_same_at_any_number_of_threads_and_after_a_kill() {
    let folder = scratch("selfplay");
    write(&folder, "small.ron", SCENE);
    let play = |out: &str, extra: &[&str]| {
        let arguments = ["selfplay", "small.ron", "--games", "4", "--no-progress", "--out", out];
        let output = tengen(&folder, &[&arguments[..], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let games = fs::read_to_string(folder.join(out).join("games.jsonl")).expect("games");
        (games, stdout(&output))
    };
    let (one, table) = play("one", &["--jobs", "1"]);
    assert_eq!(one.lines().count(), 4);
    assert!(table.contains("4 games"), "{table}");
    let games: Vec<serde_json::Value> =
        one.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(games.iter().all(|g| g["moves"].as_u64() > Some(4)), "moves are played: {one}");
    assert_ne!(games[0]["signature"], games[1]["signature"], "games differ");
    assert_eq!(play("two", &["--jobs", "2"]), (one.clone(), table.clone()));

    // A kill leaves some games out, and no list.
    let record = folder.join("two/game-00002.sgf");
    let whole = fs::read(&record).expect("a game record");
    fs::remove_file(&record).expect("removed");
    fs::remove_file(folder.join("two/games.jsonl")).expect("removed");
    // A record that is torn is played again too.
    fs::write(folder.join("two/game-00003.sgf"), &whole[..whole.len() / 4]).expect("torn");
    assert_eq!(play("two", &["--jobs", "2", "--resume"]), (one, table));
    assert!(fs::read(&record).expect("a game record") == whole);

    let arguments = ["selfplay", "small.ron", "--games", "4", "--out", "two", "--resume", "--seed", "2"];
    assert_eq!(tengen(&folder, &arguments).status.code(), Some(2), "another run's folder is refused");
}

/// Plays the same games of a scene with one thread and with two; the lines of `games.jsonl`.
fn play_twice(name: &str, scene: &str, games: &str) -> (std::path::PathBuf, Vec<serde_json::Value>) {
    let folder = scratch(name);
    write(&folder, "a.ron", scene);
    let play = |jobs: &str| {
        let arguments =
            ["selfplay", "a.ron", "--games", games, "--no-progress", "--jobs", jobs, "--out", jobs];
        let output = tengen(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let read = |file: &str| fs::read_to_string(folder.join(jobs).join(file)).expect("a file");
        (read("games.jsonl"), read("summary.json"))
    };
    let one = play("1");
    assert_eq!(one, play("2"), "the same games at any number of threads");
    let games = one.0.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (folder, games)
}

#[test]
fn games_of_chess_are_pgn_and_players_change_sides() {
    let scene = r#"(version: 1, name: "short", game: Chess(),
        task: SelfPlay(players: [Search(nodes: 400), Search(nodes: 40)], max_moves: 60, sprt: (low: 0, high: 50)))"#;
    let (folder, games) = play_twice("selfplay_chess", scene, "4");
    assert_eq!(games.len(), 4);
    let sides: Vec<_> = games.iter().map(|g| g["players"].to_string()).collect();
    assert_eq!(sides, ["[0,1]", "[1,0]", "[0,1]", "[1,0]"]);
    let pgn = |n: u32| fs::read_to_string(folder.join(format!("1/game-{n:05}.pgn"))).expect("a record");
    assert!(
        pgn(1).contains("[White \"search nodes 400\"]") && pgn(2).contains("[Black \"search nodes 400\"]")
    );
    let opening = |n: u32| pgn(n).split("\n\n").nth(1).map(|t| t[..20].to_owned()).expect("moves");
    assert_eq!(opening(1), opening(2), "both sides of an opening are played");
    assert_ne!(opening(1), opening(3), "openings differ");
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("1/summary.json")).expect("it")).expect("JSON");
    assert_eq!(summary["players"][0]["games"], 4);
    assert!(summary["first_against_second"]["elo"].is_number() && summary["sprt"]["low"] == 0.0);
}

#[test]
fn games_begin_at_the_openings_of_an_epd_file_in_turn() {
    let folder = scratch("selfplay_openings");
    write(&folder, "o.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";\n8/8/4k3/8/8/4K3/4P3/8 b - - id \"b\";\n");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "a", game: Chess(),
            task: SelfPlay(players: [Search(depth: 2)], openings: "o.epd", max_moves: 4))"#,
    );
    let arguments = ["selfplay", "a.ron", "--games", "3", "--no-progress", "--out", "out"];
    assert_eq!(tengen(&folder, &arguments).status.code(), Some(0));
    let starts = |n: u32| {
        let text = fs::read_to_string(folder.join(format!("out/game-{n:05}.pgn"))).expect("a record");
        text.lines().find(|l| l.starts_with("[FEN")).map(str::to_owned).expect("a position")
    };
    assert!(starts(1).contains("4k3/8/8/8/8/8/4P3/4K3") && starts(2).contains("8/8/4k3/8"));
    assert_eq!(starts(1), starts(3));
}

#[test]
fn games_of_a_pgn_file_are_openings_that_are_played_on_from_their_ends() {
    let folder = scratch("selfplay_pgn_openings");
    write(&folder, "o.pgn", "[White \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"b\"]\n\n1. d4 d5 *\n");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "a", game: Chess(),
            task: SelfPlay(players: [Search(depth: 1)], openings: "o.pgn", max_moves: 4))"#,
    );
    let arguments =
        ["selfplay", "a.ron", "--games", "2", "--no-progress", "--out", "out", "--date", "2026-11-25"];
    let output = tengen(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for (n, moves) in [(1, "1. e4 e5 2. Nf3 "), (2, "1. d4 d5 2. ")] {
        let text = fs::read_to_string(folder.join(format!("out/game-{n:05}.pgn"))).expect("a record");
        for tag in ["[Event \"a\"]", "[Date \"2026.11.25\"]", "[PlyCount \"4\"]"] {
            assert!(text.contains(tag), "{tag} in {text}");
        }
        assert!(text.contains(moves), "{moves} in {text}");
    }
    write(&folder, "o.pgn", "\n1. e4 e5 2. Ke3 *\n");
    let output = tengen(&folder, &["selfplay", "a.ron", "--games", "1", "--out", "other"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("o.pgn:2:13: error:"), "{}", stdout(&output));
}

#[test]
fn a_program_that_is_not_there_is_told_once_and_nothing_is_written() {
    let folder = scratch("selfplay_no_program");
    for (game, player) in [("Chess()", "Uci"), ("Go(size: 9)", "Gtp")] {
        let players = format!("players: [{player}(\"no-such-engine\"), {player}(\"no-such-engine\")]");
        write(
            &folder,
            "a.ron",
            &format!("(version: 1, name: \"a\", game: {game}, task: SelfPlay({players}))"),
        );
        let arguments = ["selfplay", "a.ron", "--games", "4", "--out", "out"];
        let refused = tengen(&folder, &arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("--allow-commands"));
        let output = tengen(&folder, &[&arguments[..], &["--allow-commands"]].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert_eq!(told.matches("no-such-engine").count(), 1, "{told}");
        assert!(!folder.join("out").exists() && stdout(&output).is_empty());
    }
}

/// Take one or two of five sticks; who takes the last wins.
const STICKS: &str = "(role a) (role b) (init (left 5)) (init (turn a))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal ?r (take 1)) (true (turn ?r)) (true (left ?n)) (succ ?m ?n))
    (<= (legal ?r (take 2)) (true (turn ?r)) (true (left ?n)) (succ ?m ?n) (succ ?l ?m))
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (next (left ?m)) (does ?r (take 1)) (true (left ?n)) (succ ?m ?n))
    (<= (next (left ?l)) (does ?r (take 2)) (true (left ?n)) (succ ?m ?n) (succ ?l ?m))
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= terminal (true (left 0)))
    (<= (goal a 100) (true (turn b))) (<= (goal a 0) (true (turn a)))
    (<= (goal b 100) (true (turn a))) (<= (goal b 0) (true (turn b)))";

#[test]
fn games_of_a_rulesheet_are_match_records() {
    let rules = scratch("selfplay_gdl_rules");
    write(&rules, "sticks.kif", STICKS);
    let scene = format!(
        r#"(version: 1, name: "sticks", game: Gdl(rules: "{}"), task: SelfPlay(players: [Uct(200), Uct(200)]))"#,
        rules.join("sticks.kif").display()
    );
    let (folder, games) = play_twice("selfplay_gdl", &scene, "6");
    assert!(
        games.iter().all(|g| g["points"] == serde_json::json!([1.0, 0.0])),
        "five sticks are won by who begins"
    );
    let text = fs::read_to_string(folder.join("1/game-00001.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(record["moves"][0][0], "(take 2)");
    assert_eq!(record["end"], "terminal");
}

#[test]
fn run_plays_a_few_games_of_a_self_play_scene() {
    let folder = scratch("selfplay_run");
    write(&folder, "sticks.kif", STICKS);
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "a", game: Gdl(rules: "sticks.kif"),
            task: SelfPlay(games: 4, players: [AlphaBeta(1000)]), expect: [Goals(are: [100, 0])])"#,
    );
    let output = tengen(&folder, &["run", "a.ron", "--no-progress"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("4 games"), "{}", stdout(&output));
}

#[test]
fn an_engine_of_ours_plays_itself_over_gtp_as_a_program() {
    let folder = scratch("selfplay_referee");
    let program = format!("{} gtp --level 0", env!("CARGO_BIN_EXE_tengen"));
    let scene = format!(
        r#"(version: 1, name: "a", game: Go(size: 5, komi: 2.5),
            task: SelfPlay(players: [Pipeline, Gtp("{program}")], random_moves: 2, max_moves: 40))"#
    );
    write(&folder, "a.ron", &scene);
    let output = tengen(&folder, &[&PLAY_TWO[..], &["--allow-commands"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let games = fs::read_to_string(folder.join("out/games.jsonl")).expect("games");
    assert!(
        ["illegal move", "broken off", "protocol error"].iter().all(|fault| !games.contains(fault)),
        "{games}"
    );
    let record = fs::read_to_string(folder.join("out/game-00001.sgf")).expect("a record");
    assert!(record.contains("value "), "moves carry their reasons: {record}");
}

#[test]
fn scenes_of_other_games_and_tasks_are_refused_with_a_reason() {
    let folder = scratch("selfplay_refused");
    for (game, task, reason) in [
        ("Chess()", "SelfPlay(players: [Pipeline])", "the player `pipeline` does not play this game"),
        ("Chess()", "SelfPlay(players: [Search()])", "a player has no limit"),
        ("Chess()", "SelfPlay(games: 0)", "no move would be played"),
        ("Chess()", "SelfPlay(max_moves: 0)", "no move would be played"),
        ("Chess()", "SelfPlay(openings: \"none.epd\")", "can't read none.epd"),
        ("Go(size: 9)", "SelfPlay(openings: \"none.epd\")", "openings are for chess"),
        ("Go(size: 9)", "SelfPlay(players: [Level(1), Level(2), Level(3)])", "3 players for 2 sides"),
        ("Go(size: 9)", "SelfPlay(players: [Level(-1)])", "there is no level -1"),
        ("Go(size: 9)", "Analyse()", "`analyse` is no task of self-play"),
        ("Go(size: 99)", "SelfPlay()", "a board of size 99 is not known"),
    ] {
        write(&folder, "a.ron", &format!("(version: 1, name: \"a\", game: {game}, task: {task})"));
        let output = tengen(&folder, &["selfplay", "a.ron", "--games", "1", "--out", "out"]);
        assert_eq!(output.status.code(), Some(1), "{game} {task}");
        assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    }
}

#[test]
fn a_level_above_a_hundred_is_refused_at_its_place() {
    let folder = scratch("selfplay_level");
    let scene = "(version: 1, name: \"a\", game: Go(size: 9),
 task: SelfPlay(players: [Level(1), Level(101)]))";
    write(&folder, "a.ron", scene);
    let check = tengen(&folder, &["check", "a.ron"]);
    let told = stdout(&check) + &String::from_utf8_lossy(&check.stderr);
    assert_eq!(check.status.code(), Some(1), "{told}");
    assert!(told.contains("a.ron:2:37"), "{told}");
    assert!(told.contains("there is no level 101") && told.contains("levels are from 0 to 100"), "{told}");
    let gtp = tengen(&folder, &["gtp", "--level", "101"]);
    assert_eq!(gtp.status.code(), Some(2), "{gtp:?}");
    assert!(String::from_utf8_lossy(&gtp.stderr).contains("0..=100"), "{gtp:?}");
}

/// The lines of `games.jsonl` and the summary of a run with a number of games of the scene `a.ron`.
fn played(
    folder: &std::path::Path,
    games: &str,
    extra: &[&str],
) -> (Vec<serde_json::Value>, serde_json::Value, String) {
    let arguments = ["selfplay", "a.ron", "--games", games, "--no-progress", "--out", "out"];
    let output = tengen(folder, &[&arguments[..], extra].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |file: &str| fs::read_to_string(folder.join("out").join(file)).expect("a file");
    let lines = read("games.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (lines, serde_json::from_str(&read("summary.json")).expect("JSON"), stdout(&output))
}

fn sticks(name: &str, players: &str, more: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    write(&folder, "sticks.kif", STICKS);
    let task = format!("SelfPlay(players: [{players}]{more})");
    let scene = format!(r#"(version: 1, name: "a", game: Gdl(rules: "sticks.kif"), task: {task})"#);
    write(&folder, "a.ron", &scene);
    folder
}

#[test]
fn partners_of_a_pair_draw_other_moves_and_repeated_games_are_told() {
    let noughts = crate::common::repository().join("resources/gdl/noughts.kif");
    let folder = scratch("selfplay_seeds");
    let scene = format!(
        r#"(version: 1, name: "a", game: Gdl(rules: "{}"), task: SelfPlay(players: [Random, Random]))"#,
        noughts.display()
    );
    write(&folder, "a.ron", &scene);
    let (games, summary, _) = played(&folder, "40", &[]);
    let pairs = games.chunks(2).filter(|pair| pair[0]["game_hash"] == pair[1]["game_hash"]).count();
    assert!(pairs <= 1, "{pairs} of 20 pairs are one game twice");
    assert_eq!(games[0]["opening_seed"], games[1]["opening_seed"]);
    assert_ne!(games[0]["seed"], games[1]["seed"]);
    assert_eq!(summary["repeated_counted"], true);

    // Two players that play by the position alone have two games to play, one with each beginning.
    let (games, summary, table) =
        played(&sticks("selfplay_repeats", "AlphaBeta(1000), Legal", ""), "10", &[]);
    assert_eq!((games.len(), summary["games"].as_u64()), (10, Some(10)));
    let versus = &summary["first_against_second"];
    assert_eq!(versus["pairs"], serde_json::json!([0, 0, 0, 0, 1]), "{table}");
    assert!(summary["repeated"].as_u64() >= Some(8) && summary["repeated_counted"] == false);
    assert!(table.contains("repeat an earlier one move for move"), "{table}");
}

#[test]
fn a_sequential_test_stops_the_run_when_it_is_decided_and_says_for_which_hypothesis() {
    for (name, players, accepted, words) in [
        (
            "selfplay_h1",
            "AlphaBeta(1000), Random",
            "H1",
            "H1 is accepted: alphabeta 1000 is at least 300 Elo better",
        ),
        ("selfplay_h0", "Random, AlphaBeta(1000)", "H0", "H0 is accepted: random is at most 0 Elo better"),
    ] {
        let folder = sticks(name, players, ", sprt: (low: 0, high: 300)");
        let (games, summary, table) = played(&folder, "400", &["--jobs", "2"]);
        assert!(games.len() < 100 && games.len() % 2 == 0, "{} games", games.len());
        assert_eq!(summary["sprt"]["accepted"], accepted);
        assert!(table.contains(words), "{table}");
        let elo = &summary["first_against_second"];
        assert!(elo["interval95"][0].as_f64() < elo["interval95"][1].as_f64(), "{elo}");
        // The same at one thread, and again for whoever resumes.
        let list = fs::read(folder.join("out/games.jsonl")).expect("games");
        played(&folder, "400", &["--jobs", "1", "--force"]);
        assert_eq!(fs::read(folder.join("out/games.jsonl")).expect("games"), list);
        let records = || fs::read_dir(folder.join("out")).expect("a folder").count();
        let before = records();
        played(&folder, "400", &["--resume"]);
        assert_eq!((fs::read(folder.join("out/games.jsonl")).expect("games"), records()), (list, before));
    }
}

#[test]
fn a_folder_with_games_is_left_alone_and_altered_records_are_played_again() {
    let folder = sticks("selfplay_guard", "Random", "");
    played(&folder, "4", &[]);
    let record = folder.join("out/game-00002.json");
    let text = fs::read_to_string(&record).expect("a record");
    let again = ["selfplay", "a.ron", "--games", "4", "--no-progress", "--out", "out"];
    let refused = tengen(&folder, &again);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(fs::read_to_string(&record).expect("a record"), text);
    fs::write(&record, text.replace("\"0\"", "\"7\"")).expect("altered");
    played(&folder, "4", &["--resume"]);
    assert_eq!(fs::read_to_string(&record).expect("a record"), text);
}

#[cfg(unix)]
fn script(folder: &std::path::Path, name: &str, bestmove: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let text = format!(
        "#!/bin/sh\nwhile read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {bestmove};; \
         quit) exit;; esac; done\n"
    );
    write(folder, name, &text);
    let path = folder.join(name);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn programs_play_chess_over_uci_and_their_faults_are_counted_by_name() {
    let ours = format!("{} uci", env!("CARGO_BIN_EXE_tengen"));
    for (name, bestmove, limits, end) in [
        ("illegal", "echo bestmove a1a1", "nodes: 5", "illegal move"),
        ("late", ":", "main: 0.2", "time loss"),
        ("gone", "echo no net >&2; exit 7", "nodes: 5", "broken off"),
    ] {
        let folder = scratch(&format!("selfplay_uci_{name}"));
        let program = script(&folder, "engine", bestmove);
        let scene = format!(
            r#"(version: 1, name: "a", game: Chess(),
                task: SelfPlay(players: [Uci("{ours}", (nodes: 100)), Uci("{program}", ({limits}))], random_moves: 0, max_moves: 6))"#
        );
        write(&folder, "a.ron", &scene);
        let (games, summary, table) = played(&folder, "2", &["--allow-commands"]);
        assert!(games.iter().all(|game| game["end"] == end), "{name}: {games:?}");
        assert_eq!(summary["players"][1]["faults"][end], 2, "{summary}");
        assert!(table.contains(&format!("lost by {end}: 2")), "{table}");
        let record = fs::read_to_string(folder.join("out/game-00001.pgn")).expect("a record");
        let told = "exit code 7; its last words on stderr: `no net`";
        assert_eq!(record.contains(told), name == "gone", "{record}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_ends_with_us_even_if_we_are_killed() {
    let folder = scratch("selfplay_orphan");
    // It ignores the end of its input.
    let program = script(&folder, "engine", "echo $$ > pid; trap '' HUP TERM; sleep 60; sleep 60");
    let scene = format!(
        r#"(version: 1, name: "a", game: Chess(), task: SelfPlay(players: [Uci("{program}"), Search(nodes: 9)]))"#
    );
    write(&folder, "a.ron", &scene);
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(&folder)
        .args(PLAY_TWO)
        .arg("--allow-commands")
        .spawn()
        .expect("it starts");
    let pid = loop {
        if let Some(pid) = fs::read_to_string(folder.join("pid")).ok().filter(|text| text.ends_with('\n')) {
            break pid.trim().to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    run.kill().expect("killed");
    run.wait().expect("ended");
    let alive = || std::path::Path::new("/proc").join(&pid).join("exe").exists();
    while alive() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A run of sticks between a player at an address and the first legal move; its games.
fn against_listener(folder: &Path, address: &str, games: &str) -> Vec<Value> {
    write(folder, "a.kif", STICKS);
    write(
        folder,
        "a.ron",
        &format!(
            r#"(version: 1, name: "a", game: Gdl(rules: "a.kif"),
                task: SelfPlay(players: [Ggp("{address}", (start: 1, play: 1)), Legal]))"#
        ),
    );
    let arguments = ["selfplay", "a.ron", "--games", games, "--out", "out", "--no-progress", "--force"];
    let refused = tengen(folder, &arguments);
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("--allow-commands"),
        "a scene asks nobody unasked"
    );
    let output = tengen(folder, &[&arguments[..], &["--allow-commands"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = fs::read_to_string(folder.join("out/games.jsonl")).expect("games");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_player_over_ggp_plays_games_of_a_rulesheet_on_both_sides() {
    let (folder, listener) = (scratch("selfplay_ggp"), Listener::new());
    let games = against_listener(&folder, &listener.address, "2");
    // Five sticks are won by who moves first, and the first legal move is no match for a search on either side.
    let ends: Vec<_> = games.iter().map(|g| (g["end"].as_str(), g["result"].as_str())).collect();
    assert_eq!(ends, [(Some("terminal"), Some("100 0")), (Some("terminal"), Some("0 100"))], "{games:?}");
}

#[test]
fn a_player_over_ggp_that_is_silent_or_plays_what_is_not_legal_loses_by_that_name() {
    use std::io::{Read as _, Write as _};
    for (answer, end) in [("(take 9)", "illegal move"), ("", "time loss"), ("garbage", "protocol error")] {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = socket.local_addr().expect("its address").to_string();
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in socket.incoming() {
                let mut stream = stream.expect("a question");
                let mut part = [0; 8192];
                let n = stream.read(&mut part).expect("its text");
                let asked = String::from_utf8_lossy(&part[..n]).contains("PLAY");
                let _ = match answer {
                    "" if asked => {
                        silent.push(stream);
                        continue;
                    }
                    "garbage" if asked => stream.write_all(b"what?"),
                    _ if asked => write!(stream, "HTTP/1.0 200 OK\r\n\r\n{answer}"),
                    _ => stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nready"),
                };
            }
        });
        let games =
            against_listener(&scratch(&format!("selfplay_ggp_{}", end.replace(' ', "_"))), &address, "1");
        assert_eq!(
            (games[0]["end"].as_str(), games[0]["result"].as_str()),
            (Some(end), Some("0 100")),
            "{games:?}"
        );
    }
}

#[test]
fn games_in_one_file_are_the_records_of_one_each_and_what_is_altered_is_played_again() {
    let folder = sticks("selfplay_one_file", "Random", "");
    let play = |extra: &[&str]| {
        let arguments = ["selfplay", "a.ron", "--games", "4", "--no-progress"];
        let output = tengen(&folder, &[&arguments[..], extra].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    play(&["--out", "many"]);
    play(&["--out", "one", "--one-file"]);
    let each: String = (1..=4).map(|n| read(&format!("many/game-{n:05}.json")) + "\n").collect();
    assert_eq!(read("one/all-games.json"), each);
    let list = read("one/checksums.txt");
    let altered = |text: &str| text.replacen("  0 ", "  18446744073709551615 ", 1);
    for (file, text) in [
        ("one/all-games.json", each.replacen(':', ";", 1)),
        ("one/all-games.json", each[..each.len() / 2].to_owned()),
        ("one/checksums.txt", altered(&list)),
        ("one/checksums.txt", list.replace("  0 ", "  0 1844674407370955161")),
        ("one/checksums.txt", String::new()),
    ] {
        write(&folder, file, &text);
        play(&["--out", "one", "--one-file", "--resume"]);
        assert_eq!(
            (read("one/all-games.json"), read("one/checksums.txt")),
            (each.clone(), list.clone()),
            "{file}"
        );
    }
}

#[test]
fn a_game_with_the_role_random_is_played_over_ggp_with_turns_and_percepts() {
    let (folder, listener) = (scratch("selfplay_ggp_hidden"), Listener::new());
    fs::copy(repository().join("scenes/gdl2/kuhnPoker.kif"), folder.join("a.kif")).expect("a rulesheet");
    let address = &listener.address;
    let task = format!(r#"SelfPlay(players: [Ggp("{address}", (start: 2, play: 1)), Legal])"#);
    write(&folder, "a.ron", &format!(r#"(version: 1, name: "a", game: Gdl(rules: "a.kif"), task: {task})"#));
    let output = tengen(
        &folder,
        &["selfplay", "a.ron", "--games", "2", "--out", "out", "--no-progress", "--allow-commands"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = fs::read_to_string(folder.join("out/games.jsonl")).expect("games");
    let games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(games.len() == 2 && games.iter().all(|game| game["end"] == "terminal"), "{games:?}");
    let summary: Value =
        serde_json::from_slice(&fs::read(folder.join("out/summary.json")).expect("a summary")).expect("JSON");
    let names = |field: &str| -> Vec<String> {
        let of = summary[field].as_array().expect("a list").iter();
        of.map(|score| score["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("sides"), ["alice", "bob"], "random has no score");
    let file = folder.join("out").join(games[0]["file"].as_str().expect("a file"));
    let record: Value = serde_json::from_slice(&fs::read(file).expect("a record")).expect("JSON");
    let (moves, sees) =
        (record["moves"].as_array().expect("moves"), record["sees"].as_array().expect("percepts"));
    assert_eq!((moves.len(), &record["players"][2]), (sees.len(), &Value::from("random")));
    assert!(sees[0][0][0].as_str().is_some_and(|seen| seen.starts_with("(dealt ")), "{sees:?}");
}
