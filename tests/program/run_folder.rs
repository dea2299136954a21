//! Tests the folder of a run: no finished record is lost, and no altered record is kept.

use crate::common::{game, scratch, stdout, tengen, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder with games and a scene over their positions, twelve in all.
fn positions(name: &str) -> PathBuf {
    let folder = scratch(name);
    for (file, moves) in [("a", 60), ("b", 31), ("c", 8)] {
        write(&folder, &format!("games/{file}.sgf"), &game(moves));
    }
    let scene = r#"(version: 1, name: "all", for_each: Sgf(glob: "games/*.sgf", every: 10), task: Analyse(last: Worms))"#;
    write(&folder, "all.ron", scene);
    folder
}

fn run(folder: &Path, extra: &[&str]) -> Output {
    tengen(folder, &[&["run", "all.ron", "--out", "out", "--no-progress"], extra].concat())
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn records(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/records.jsonl")).expect("records")
}

#[test]
fn a_folder_that_holds_a_run_is_refused_with_what_to_do_and_left_as_it_is() {
    let folder = positions("refused");
    assert_eq!(run(&folder, &[]).status.code(), Some(0));
    let whole = records(&folder);
    assert_eq!(whole.lines().count(), 12);
    let again = run(&folder, &[]);
    assert_eq!(again.status.code(), Some(2));
    for word in ["out holds a run", "--resume", "--force", "another folder"] {
        assert!(told(&again).contains(word), "{}", told(&again));
    }
    assert!(records(&folder) == whole);
    assert_eq!(run(&folder, &["--force", "--seed", "2"]).status.code(), Some(0));
    let manifest = fs::read_to_string(folder.join("out/run.json")).expect("run.json");
    assert!(manifest.contains("\"seed\": 2"), "{manifest}");
}

#[test]
fn a_scene_that_cannot_be_read_replaces_nothing() {
    let folder = positions("unread_scene");
    run(&folder, &[]);
    let whole = records(&folder);
    write(&folder, "all.ron", "(version: 1, name: \"all\"");
    let output = run(&folder, &["--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told(&output).contains("all.ron:1:") && told(&output).contains("left as it is"),
        "{}",
        told(&output)
    );
    assert!(records(&folder) == whole);
}

#[test]
fn a_folder_with_files_of_nobody_s_run_is_refused() {
    let folder = positions("foreign");
    write(&folder, "out/records.jsonl", "mine\n");
    let output = run(&folder, &["--force"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert_eq!(records(&folder), "mine\n");
}

#[test]
fn a_resumed_run_notices_a_game_that_has_changed() {
    let folder = positions("changed");
    run(&folder, &[]);
    let whole = records(&folder);
    write(&folder, "games/b.sgf", &game(31).replace("KM[6.5]", "KM[7.5]"));
    let output = run(&folder, &["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("games/b.sgf has changed"), "{}", told(&output));
    assert!(records(&folder) == whole);
    write(&folder, "games/b.sgf", &game(31));
    let output = run(&folder, &["--resume", "--seed", "7"]);
    assert!(told(&output).contains("seed was 1, is 7"), "{}", told(&output));
    assert_eq!(run(&folder, &["--resume"]).status.code(), Some(0));
}

#[test]
fn records_that_were_altered_lost_or_doubled_are_done_again_and_told_and_no_others() {
    let folder = positions("altered");
    run(&folder, &[]);
    let (path, whole) = (folder.join("out/records.jsonl"), records(&folder));
    let lines: Vec<String> = whole.lines().map(|line| format!("{line}\n")).collect();
    let altered = lines[4].replacen("\"ok\"", "\"failed\"", 1);
    let damage: [(&str, Vec<&str>, &str); 5] = [
        (
            "one altered",
            [
                &lines[..4].iter().map(String::as_str).collect::<Vec<_>>()[..],
                &[&altered],
                &lines[5..].iter().map(String::as_str).collect::<Vec<_>>()[..],
            ]
            .concat(),
            "line 5 of records.jsonl was altered",
        ),
        (
            "one lost",
            lines.iter().enumerate().filter(|(i, _)| *i != 2).map(|(_, l)| l.as_str()).collect(),
            "lacked 1 of its lines",
        ),
        (
            "one doubled",
            lines.iter().take(3).chain(&lines[2..]).map(String::as_str).collect(),
            "line 4 of records.jsonl was altered",
        ),
        ("another order", lines.iter().rev().map(String::as_str).collect(), ""),
        (
            "the last one altered",
            lines[..11].iter().map(String::as_str).chain(["{\"id\":\"x\"}\n"]).collect(),
            "line 12 of records.jsonl was altered",
        ),
    ];
    for (name, lines, message) in damage {
        fs::write(&path, lines.concat()).expect("records");
        let output = run(&folder, &["--resume"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", told(&output));
        assert!(told(&output).contains(message), "{name}: {}", told(&output));
        assert!(records(&folder) == whole, "{name}");
        let done_before = stdout(&output);
        assert!(done_before.contains("12 ok"), "{name}: {done_before}");
    }
    let times = fs::read_to_string(folder.join("out/timings.jsonl")).expect("times");
    assert_eq!(times.lines().count(), 12);
}

#[test]
fn a_second_process_is_told_that_the_folder_is_taken() {
    let folder = positions("locked");
    fs::create_dir_all(folder.join("out")).expect("a folder");
    let lock = fs::File::create(folder.join("out/run.lock")).expect("the lock");
    lock.lock().expect("locked");
    let output = run(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("another process works in out"), "{}", told(&output));
    drop(lock);
    assert_eq!(run(&folder, &[]).status.code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_success_and_loses_no_record() {
    let folder = positions("closed_pipe");
    let start = |extra: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .args([&["run", "all.ron", "--format", "json", "--no-progress"], extra].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        child.wait_with_output().expect("it ends")
    };
    let output = start(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("nobody reads stdout"), "{}", told(&output));
    let output = start(&["--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(records(&folder).lines().count(), 12);
}

#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_run_with_a_message_and_keeps_what_is_finished() {
    let folder = positions("full");
    run(&folder, &[]);
    let whole = records(&folder);
    let limited = |extra: &str| {
        // No file grows beyond 8 blocks of 512 bytes (dash) or 1024 bytes (bash); the signal is ignored, so that
        // writing fails as on a full disk.
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec {} run all.ron --no-progress --out {extra}",
            env!("CARGO_BIN_EXE_tengen")
        );
        Command::new("sh").current_dir(&folder).args(["-c", &script]).output().expect("a shell")
    };
    let output = limited("small");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("can't write small/records.jsonl"), "{}", told(&output));
    let kept = fs::read_to_string(folder.join("small/records.jsonl")).expect("records");
    assert!(!kept.is_empty() && whole.starts_with(&kept), "the beginning is there");
    let output = tengen(&folder, &["run", "all.ron", "--no-progress", "--out", "small", "--resume"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(fs::read_to_string(folder.join("small/records.jsonl")).expect("records") == whole);
}
