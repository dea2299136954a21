//! Tests another program as the judge: a scripted KataGo that follows the analysis protocol, or violates it in one way.
//! The records of the affected cases must name each violation. The other cases go on, and no process remains. Without
//! Python, the tests print a message and pass. If `TENGEN_KATAGO` has the command line of a real KataGo, the tests also
//! ask that program.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{repository, scratch, stdout, tengen, write};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: python3 is not installed");
    }
    found
}

/// The command line of the scripted KataGo. Its log lies in the folder.
fn fake(folder: &Path, mode: &str) -> String {
    let script = repository().join("tests/drivers/fake_katago.py");
    format!("python3 '{}' analysis {mode} '{}'", script.display(), folder.join("log").display())
}

/// Scenes of 9x9 positions, the Go part up to the judge, and one of chess.
fn scenes(folder: &Path, positions: usize) {
    let mut text = String::from("(version: 1, scenes: [\n");
    for i in 0..positions {
        let (first, second) = (format!("{}{}", ["C", "D", "E", "F", "G"][i % 5], 3 + i / 5 % 5), i / 25 % 4);
        let _ = writeln!(
            text,
            "(name: \"{i}\", game: Go(size: 9, komi: 7.5, moves: [\"{first}\", \"{}\"]), task: Analyse(last: Judge, columns: [Judge])),",
            ["A1", "J9", "A9", "J1"][second]
        );
    }
    text.push_str("(name: \"chess\", game: Chess(), task: Search(depth: 1)),\n])\n");
    write(folder, "all.ron", &text);
}

/// The records of a run with this judge, and its exit code.
fn run(folder: &Path, judge: &str, more: &[&str]) -> (Vec<Value>, Option<i32>, String) {
    let mut arguments = vec!["run", "all.ron", "--format", "json", "--no-progress", "--judge", judge];
    arguments.extend(["--judge-answers", "kept/answers.jsonl"]);
    arguments.extend(more);
    let output = tengen(folder, &arguments);
    let text = stdout(&output);
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    (records, output.status.code(), text)
}

fn asked(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("log")).map_or(0, |log| log.lines().count())
}

/// Whether the scripted program of this folder has ended, soon.
fn has_ended(folder: &Path) -> bool {
    let Ok(id) = std::fs::read_to_string(folder.join("log.pid")) else { return true };
    let until = Instant::now() + Duration::from_secs(10);
    while Instant::now() < until {
        if !Path::new("/proc").is_dir() || !Path::new("/proc").join(id.trim()).join("exe").exists() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn a_second_run_over_100_positions_asks_nothing_and_writes_the_same_bytes() {
    if !has_python() {
        return;
    }
    let folder = scratch("katago_twice");
    scenes(&folder, 100);
    let judge = fake(&folder, "good");
    let (records, code, first) = run(&folder, &judge, &["--jobs", "1"]);
    assert_eq!((code, records.len()), (Some(0), 101), "{first}");
    assert_eq!(asked(&folder), 200, "either side to move of each position");
    let result = &records[7]["result"];
    assert_eq!(result["judge"]["name"].as_str(), Some(judge.as_str()));
    assert_eq!(result["judge"]["lead"].as_f64(), Some(-7.5), "one stone each, and the komi");
    for jobs in ["1", "2"] {
        let (_, code, again) = run(&folder, &judge, &["--jobs", jobs]);
        assert_eq!((code, asked(&folder)), (Some(0), 200));
        assert_eq!(again, first);
    }
    assert!(has_ended(&folder));
}

/// Each misdeed, what the errors say, and how many of the twelve positions have an answer all the same.
const MISDEEDS: &[(&str, &str, std::ops::RangeInclusive<usize>)] = &[
    ("backwards", "", 12..=12),
    ("twice", "", 12..=12),
    ("crash", "broke off: end of its output", 1..=11),
    ("hang", "did not answer in time", 0..=11),
    ("mute", "did not answer in time", 0..=0),
    ("old", "is version 1.2.0; 1.8 or later is needed", 0..=0),
    ("flood", "lines that answer nothing", 0..=0),
    ("refuse", "refused the query: Could not find rules (field `rules`)", 0..=0),
    ("other_rules", "does not take the rules", 0..=0),
    ("other_position", "answered for another position", 0..=0),
    ("other_side", "to move where", 0..=0),
    ("other_turn", "answered for turn", 0..=0),
    ("other_size", "gave `ownership` of 100 numbers for a board that has 81", 0..=0),
    ("without_scoreLead", "left `rootInfo.scoreLead` out", 0..=0),
    ("without_winrate", "left `rootInfo.winrate` out", 0..=0),
    ("without_ownership", "left `ownership` out", 0..=0),
    ("without_policy", "left `policy` out", 0..=0),
    ("nonsense", "no number from -1 to 1", 0..=0),
];

#[test]
fn every_misdeed_is_named_costs_no_other_case_and_leaves_no_process() {
    if !has_python() {
        return;
    }
    for (mode, expected, answered) in MISDEEDS {
        let folder = scratch(&format!("katago_{mode}"));
        scenes(&folder, 12);
        let judge = fake(&folder, mode);
        let patience = ["--judge-patience", "1.5", "--boards-per-world", "4", "--jobs", "1"];
        let (records, code, text) = run(&folder, &judge, &patience);
        let positions = &records[..12];
        let ok = positions.iter().filter(|record| record["status"] == "ok").count();
        assert!(answered.contains(&ok), "{mode}: {ok} answered: {text}");
        assert_eq!(code, Some(i32::from(ok < 12)), "{mode}");
        assert_eq!(records[12]["status"], "ok", "{mode}: the other domain goes on");
        for record in positions.iter().filter(|record| record["status"] != "ok") {
            let error = record["result"]["error"].to_string();
            let is_given_up = error.contains("is not started again");
            assert!(error.contains(expected) || is_given_up, "{mode}: {error}");
            assert!(error.contains("fake_katago.py"), "{mode}: the judge is named: {error}");
        }
        let named = positions.iter().any(|record| record["result"]["error"].to_string().contains(expected));
        assert!(named || expected.is_empty(), "{mode}: {text}");
        assert!(has_ended(&folder), "{mode}: a process stays");
    }
}

#[test]
fn a_scene_may_name_a_program_only_where_commands_are_allowed() {
    if !has_python() {
        return;
    }
    let folder = scratch("katago_scene");
    let judge = fake(&folder, "good");
    let scene = format!(
        "(version: 1, name: \"one\", game: Go(size: 9), judge: Some({judge:?}), task: Analyse(last: Judge))\n"
    );
    write(&folder, "one.ron", &scene);
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.current_dir(&folder).args(["run", "one.ron", "--format", "json", "--no-progress"]).args(more);
        let output = command.env("TENGEN_CACHE", folder.join("cache")).output().expect("the program starts");
        (output.status.code(), stdout(&output))
    };
    let (code, text) = run(&[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("allow it by --allow-commands"), "{text}");
    assert_eq!(asked(&folder), 0);
    let (code, text) = run(&["--allow-commands"]);
    assert_eq!((code, asked(&folder)), (Some(0), 2), "{text}");
    let (code, text) = run(&["--judge", "embedded"]);
    assert_eq!((code, asked(&folder)), (Some(0), 2), "{text}");
}

#[test]
fn a_missing_program_and_answers_of_another_judge_are_named() {
    let folder = scratch("katago_missing");
    scenes(&folder, 2);
    let (records, code, _) = run(&folder, "no-such-katago analysis", &["--jobs", "1"]);
    assert_eq!(code, Some(1));
    let error = records[0]["result"]["error"].to_string();
    assert!(error.contains("no-such-katago") && error.contains("there is no such program"), "{error}");
    let (records, ..) = run(&folder, "another-katago analysis", &["--jobs", "1"]);
    let error = records[0]["result"]["error"].to_string();
    assert!(error.contains("these are answers of `no-such-katago analysis`"), "{error}");
}

/// What a command says on both outputs, and its exit code.
fn told(folder: &Path, arguments: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(arguments)
        .args(["--judge", "no-such-katago analysis", "--judge-answers", "none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = stdout(&output) + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

#[test]
fn every_front_end_names_a_judge_that_cannot_be_asked() {
    let folder = scratch("katago_front_ends");
    write(&folder, "game.sgf", "(;GM[1]SZ[9];B[ee];W[cc])");
    let query = "{\"id\":\"a\",\"moves\":[],\"rules\":\"chinese\",\"boardXSize\":9,\"boardYSize\":9}\n";
    let gtp = "boardsize 9\nestimate_score\nkata-raw-nn\ngenmove b\nreg_genmove b\n";
    for (arguments, input, code, times) in [
        (&["show", "game.sgf", "--layer", "judge"][..], "", None, 1),
        (&["report", "game.sgf", "--out", "pages"][..], "", Some(1), 1),
        (&["run", "game.sgf", "--no-progress"][..], "", Some(1), 1),
        (&["analyse"][..], query, Some(0), 1),
        (&["gtp"][..], gtp, Some(0), 4),
    ] {
        let (text, found) = told(&folder, arguments, input);
        let named = text.matches("`no-such-katago analysis` broke off: there is no such program").count();
        assert_eq!(named, times, "{arguments:?}: {text}");
        match code {
            Some(code) => assert_eq!(found, Some(code), "{arguments:?}"),
            None => assert!(found.is_some_and(|code| code != 0), "{arguments:?}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_record_of_a_case_that_waits_for_the_judge() {
    use std::os::unix::process::CommandExt as _;
    if !has_python() {
        return;
    }
    let folder = scratch("katago_interrupted");
    scenes(&folder, 2);
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(&folder)
        .args(["run", "all.ron", "--no-progress", "--out", "kept", "--judge", &fake(&folder, "mute")])
        .args(["--judge-answers", "none", "--jobs", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // As in a terminal, the signal goes to a whole group.
        .process_group(0)
        .spawn()
        .expect("the program starts");
    let until = Instant::now() + Duration::from_secs(20);
    while !folder.join("log.pid").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status().expect("kill");
    assert!(sent.success());
    let output = child.wait_with_output().expect("the program ends");
    assert_ne!(output.status.code(), Some(0));
    let records = std::fs::read_to_string(folder.join("kept/records.jsonl")).unwrap_or_default();
    assert!(!records.contains("\"error\""), "{records}");
    assert!(has_ended(&folder));
}

#[test]
fn a_real_katago_judges_where_one_is_installed() {
    let Ok(judge) = std::env::var("TENGEN_KATAGO") else {
        eprintln!("skipped: TENGEN_KATAGO names no KataGo");
        return;
    };
    let folder = scratch("katago_real");
    scenes(&folder, 10);
    let (records, code, first) = run(&folder, &judge, &[]);
    assert_eq!(code, Some(0), "{first}");
    for record in &records[..10] {
        let lead = record["result"]["judge"]["lead"].as_f64().expect("a lead");
        assert!(lead.abs() < 40.0, "{record}");
    }
    let (_, _, again) = run(&folder, &judge, &[]);
    assert_eq!(again, first);
}
