//! Tests that no command writes where another process writes. Folders are locked, and so is each file while it is
//! written.

use crate::common::{game, scratch, tengen, write};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const KIF: &str = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
    (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
    (<= terminal (true (left 0))) (goal you 100)";

/// A folder with inputs of every domain, and a run of two shards.
fn inputs(name: &str) -> PathBuf {
    let folder = scratch(name);
    write(&folder, "a.sgf", "(;GM[1]SZ[5];B[cc])");
    write(&folder, "b.sgf", &game(30));
    write(&folder, "a.kif", KIF);
    let scene = |name: &str| format!("(name: \"{name}\", game: Chess(), task: Perft(depth: 1))");
    write(&folder, "a.ron", &format!("(version: 1, scenes: [{}, {}])", scene("one"), scene("two")));
    let play =
        "(version: 1, name: \"a\", game: Chess(), task: SelfPlay(players: [Search(nodes: 9)], max_moves: 4))";
    write(&folder, "play.ron", play);
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        let output = tengen(&folder, &["run", "a.ron", "--no-progress", "--shard", shard, "--out", out]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    folder
}

fn run(folder: &Path, command: &str) -> (Option<i32>, String) {
    let output = tengen(folder, &command.split(' ').collect::<Vec<_>>());
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A file that this process has locked.
fn held(path: &Path) -> File {
    let file = File::create(path).expect("a file");
    file.lock().expect("locked");
    file
}

#[test]
fn no_command_writes_in_a_folder_that_another_process_works_in() {
    let folder = inputs("locks_folders");
    let out = folder.join("out");
    for command in [
        "run a.ron --no-progress",
        "selfplay play.ron --games 1 --no-progress",
        "merge one two",
        "export one/records.jsonl --format csv",
        "gdl match a.kif --players random --games 1",
        "report a.sgf",
        "man",
    ] {
        let command = format!("{command} --out out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).expect("a folder");
        let lock = held(&out.join("run.lock"));
        let (code, told) = run(&folder, &command);
        assert_eq!(code, Some(2), "{command}: {told}");
        assert!(told.contains("another process works in out"), "{command}: {told}");
        assert_eq!(fs::read_dir(&out).expect("a folder").count(), 1, "{command}");
        drop(lock);
        let (code, told) = run(&folder, &command);
        assert_eq!(code, Some(0), "{command}: {told}");
    }
}

#[test]
fn no_command_writes_a_file_that_another_process_writes() {
    let folder = inputs("locks_files");
    let (file, part) = (folder.join("out.txt"), folder.join("out.txt.part"));
    for command in [
        "chess tune --games 1 --nodes 50 --epochs 1 --out out.txt",
        "go learn b.sgf --epochs 1 --out out.txt",
        "gdl perf a.kif out.txt 0.1",
        "gdl net a.kif --dot out.txt",
        "profile a.ron --trace out.txt",
        "show a.sgf --svg out.txt",
    ] {
        let lock = held(&part);
        let (code, told) = run(&folder, command);
        assert_eq!(code, Some(2), "{command}: {told}");
        let both = told.contains("can't write out.txt") && told.contains("another process writes it");
        assert!(both && !file.exists(), "{command}: {told}");
        assert!(part.exists(), "{command}: the other's file stays");
        drop(lock);
        let (code, told) = run(&folder, command);
        assert_eq!(code, Some(0), "{command}: {told}");
        assert!(file.exists() && !part.exists(), "{command}");
        fs::remove_file(&file).expect("removed");
    }
}
