//! Tests that a run that is split among processes and merged has the same bytes as the run of a single process.

use crate::common::{game, scratch, tengen, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// How many shards.
const SHARDS: usize = 7;

/// A kind of run: what it is called, its scene, and the arguments before `--out`.
const KINDS: [(&str, &str, &[&str]); 2] = [
    (
        "run",
        r#"(version: 1, name: "all", for_each: Sgf(glob: "games/*.sgf", every: 5), task: Analyse(last: Tactics))"#,
        &["run", "a.ron"],
    ),
    (
        "selfplay",
        r#"(version: 1, name: "a", game: Chess(), task: SelfPlay(games: 1, random_moves: 6, max_moves: 20,
            players: [Search(nodes: 200), Search(nodes: 100)]))"#,
        &["selfplay", "a.ron", "--games", "17", "--date", "2026-11-25"],
    ),
];

/// A folder with a scene of a kind, and games to read.
fn set_up(name: &str, scene: &str) -> PathBuf {
    let folder = scratch(name);
    for (file, moves) in [("a", 60), ("b", 31), ("c", 8)] {
        write(&folder, &format!("games/{file}.sgf"), &game(moves));
    }
    write(&folder, "a.ron", scene);
    folder
}

fn run(folder: &Path, what: &[&str], extra: &[&str]) -> Output {
    tengen(folder, &[what, &["--no-progress"], extra].concat())
}

fn play_shards(folder: &Path, what: &[&str]) {
    for i in 1..=SHARDS {
        let (shard, out) = (format!("{i}/{SHARDS}"), format!("part-{i}"));
        let output = run(folder, what, &["--shard", &shard, "--out", &out]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
}

/// Puts the shards 1 to `last` together, the last one named first.
fn merge(folder: &Path, last: usize, extra: &[&str]) -> Output {
    let parts: Vec<String> = (1..=last).rev().map(|i| format!("part-{i}")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    tengen(folder, &[&["merge"], &parts[..], &["--out", "merged"], extra].concat())
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The files of a run with their bytes; not the one that tells times.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let names = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().expect("text")).collect();
    names.retain(|name| name != "timings.jsonl");
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).expect("a file"))).collect()
}

#[test]
fn seven_shards_put_together_are_one_process_byte_for_byte() {
    for (kind, scene, what) in KINDS {
        let folder = set_up(&format!("shards_{kind}"), scene);
        assert_eq!(run(&folder, what, &["--out", "whole"]).status.code(), Some(0));
        play_shards(&folder, what);
        let merged = merge(&folder, SHARDS, &[]);
        assert_eq!(merged.status.code(), Some(0), "{kind}: {}", told(&merged));
        let (whole, put_together) = (files(&folder.join("whole")), files(&folder.join("merged")));
        assert!(whole.len() > 2, "{kind}");
        for (one, other) in whole.iter().zip(&put_together) {
            assert!(one == other, "{kind}: {} is not {}", other.0, one.0);
        }
        assert_eq!(whole.len(), put_together.len(), "{kind}");
        // What was put together is a whole run: it goes on as one.
        let again = run(&folder, what, &["--out", "merged", "--resume"]);
        assert_eq!(again.status.code(), Some(0), "{kind}: {}", told(&again));
        assert!(files(&folder.join("merged")) == whole, "{kind}");
        let refused = merge(&folder, SHARDS, &[]);
        assert!(told(&refused).contains("merged holds a run"), "{}", told(&refused));
        assert!(
            told(&refused).contains("--force") && !told(&refused).contains("--resume"),
            "no option of merge"
        );
        assert_eq!(merge(&folder, SHARDS, &["--force"]).status.code(), Some(0));
    }
}

#[test]
fn what_is_not_all_shards_of_one_run_is_refused_and_nothing_is_written() {
    for (kind, scene, what) in KINDS {
        let folder = set_up(&format!("shards_bad_{kind}"), scene);
        play_shards(&folder, what);
        let refused = |why: &str, extra: &str, last: usize| {
            let output =
                merge(&folder, last, if extra.is_empty() { &[] } else { std::slice::from_ref(&extra) });
            assert_eq!(output.status.code(), Some(2), "{kind}: {why}");
            assert!(told(&output).contains(why), "{kind}: {}", told(&output));
            assert!(!folder.join("merged/records.jsonl").exists(), "{kind}: {why}");
            assert!(!folder.join("merged/games.jsonl").exists(), "{kind}: {why}");
        };
        refused("1 of 7 shards are missing: 7", "", SHARDS - 1);
        refused("both hold shard 1/7", "part-1", SHARDS);
        refused("can't read nowhere/run.json", "nowhere", SHARDS);
        assert_eq!(run(&folder, what, &["--out", "whole"]).status.code(), Some(0));
        refused("whole holds a whole run", "whole", SHARDS);
        let other = run(&folder, what, &["--shard", "1/7", "--out", "other", "--seed", "4"]);
        assert_eq!(other.status.code(), Some(0), "{}", told(&other));
        refused("shards of different runs", "other", SHARDS);
        // A shard that is not finished, and one that was altered; --resume mends both.
        let part = folder.join("part-2");
        let file = if kind == "run" { part.join("records.jsonl") } else { part.join("game-00002.pgn") };
        let text = fs::read_to_string(&file).expect("its records");
        fs::write(&file, &text[..text.len() / 2]).expect("written");
        refused("again with --resume", "", SHARDS);
        let mended = run(&folder, what, &["--shard", "2/7", "--out", "part-2", "--resume"]);
        assert_eq!(mended.status.code(), Some(0), "{kind}: {}", told(&mended));
        assert_eq!(merge(&folder, SHARDS, &[]).status.code(), Some(0), "{kind}");
    }
}

#[test]
fn shards_have_numbers_from_one_and_a_folder_holds_one_of_them() {
    let (_, scene, what) = KINDS[0];
    let folder = set_up("shards_numbers", scene);
    for bad in ["0/7", "8/7", "1/0", "1", "a/b", "-1/7"] {
        let output = run(&folder, what, &[&format!("--shard={bad}"), "--out", "x"]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(told(&output).contains("i from 1 to N"), "{bad}: {}", told(&output));
    }
    // More shards than cases: some have none.
    let output = run(&folder, what, &["--shard", "99/99", "--out", "empty"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(run(&folder, what, &["--shard", "1/7", "--out", "one"]).status.code(), Some(0));
    for shard in [&["--shard", "2/7"][..], &[]] {
        let output = run(&folder, what, &[shard, &["--out", "one", "--resume"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(told(&output).contains("shard was \"1/7\""), "{}", told(&output));
    }
}

/// GNU parallel's part of `parallel.sh`, where there is none: one job after the other.
const PARALLEL: &str = r#"#!/usr/bin/env bash
while [[ $1 == --* ]]; do [[ $1 == --joblog ]] && echo stand-in > "$2"; shift 2; done
while read -r item; do "${@//\{\}/$item}" || exit 1; done
"#;

/// The command of the container in `kubernetes.yaml`.
fn kubernetes(text: &str) -> String {
    let (_, block) = text.split_once("- >-\n").expect("a folded text");
    let (command, _) = block.split_once("volumeMounts:").expect("its end");
    command.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(unix)]
#[test]
fn the_scripts_for_slurm_kubernetes_and_parallel_do_what_one_process_does() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    let folder = set_up("shards_scripts", "");
    write(&folder, "scenes/a.ron", &KINDS[0].1.replace("games/", "../games/"));
    let what = ["run", "scenes", "--seed", "3"];
    assert_eq!(
        tengen(&folder, &[&what[..], &["--no-progress", "--out", "whole"]].concat()).status.code(),
        Some(0)
    );
    // Ours comes first, the stand-in for GNU parallel last.
    for bin in ["first", "last"] {
        fs::create_dir(folder.join(bin)).expect("a folder");
    }
    symlink(env!("CARGO_BIN_EXE_tengen"), folder.join("first/tengen")).expect("a link");
    write(&folder, "last/parallel", PARALLEL);
    fs::set_permissions(folder.join("last/parallel"), fs::Permissions::from_mode(0o755)).expect("executable");
    let others = std::env::var("PATH").expect("PATH");
    let path = format!("{}:{others}:{}", folder.join("first").display(), folder.join("last").display());
    let scripts = crate::common::repository().join("docs/clusters");
    let script = |name: &str| scripts.join(name).display().to_string();
    let start = |command: &mut Command| {
        let output = command.current_dir(&folder).env("PATH", &path).output().expect("a shell");
        assert!(output.status.success(), "{}", told(&output));
    };
    for i in 1..=3 {
        start(
            Command::new("bash")
                .args([&script("slurm.sh"), "3", "slurm"])
                .args(what)
                .env("SLURM_ARRAY_TASK_ID", i.to_string()),
        );
        let text = fs::read_to_string(scripts.join("kubernetes.yaml")).expect("it is there");
        let command = kubernetes(&text).replace("tengen run scenes", "tengen run scenes --seed 3");
        start(
            Command::new("sh")
                .args(["-c", &command])
                .env("JOB_COMPLETION_INDEX", (i - 1).to_string())
                .env("SHARDS", "3"),
        );
    }
    start(Command::new("bash").args([&script("parallel.sh"), "3", "parallel"]).args(what));
    for (kind, first) in [("slurm", 1), ("run1", 0), ("parallel", 1)] {
        let parts: Vec<String> = (first..first + 3).map(|i| format!("{kind}/shard-{i}")).collect();
        let merged = format!("{kind}/whole");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let output = tengen(&folder, &[&["merge"], &parts[..], &["--out", &merged]].concat());
        assert_eq!(output.status.code(), Some(0), "{kind}: {}", told(&output));
        assert!(files(&folder.join(merged)) == files(&folder.join("whole")), "{kind}");
    }
}
