//! Tests packed files, and files with more games than memory could hold at once.

use crate::common::{scratch, stdout, tengen, write};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text).and_then(|()| packer.finish()).expect("a vector takes all")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut packer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packer.write_all(text).and_then(|()| packer.finish()).expect("a vector takes all")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

type Pack = fn(&[u8]) -> Vec<u8>;
const PACKINGS: [(&str, Pack); 3] = [("gz", gzip), ("bz2", bzip2), ("zst", zstd)];

const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
const RECORD: &str = "(;GM[1]SZ[9]KM[6.5]PB[A];B[ee];W[cc];B[gc])";
const POSITION: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"mate\";\n";
const RULES: &str = "(role a) (init (p 1)) (legal a x) (<= terminal (true (p 1))) (goal a 100)";

/// The records of `tengen run`.
fn records(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let all = [&["run", "--format", "json", "--no-progress"], arguments].concat();
    let text = stdout(&tengen(folder, &all));
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn packed_files_give_what_the_plain_ones_give() {
    let folder = scratch("packed_run");
    let search = "Search(nodes: 100)";
    for (name, text, task) in [
        ("games.pgn", GAMES, search),
        ("record.sgf", RECORD, "Playouts(count: 1)"),
        ("positions.epd", POSITION, search),
        ("rules.kif", RULES, "Playouts(count: 3)"),
    ] {
        write(&folder, name, text);
        let plain = records(&folder, &[name, "--task", task]);
        assert!(plain.iter().all(|record| record["status"] == "ok"), "{name} {plain:?}");
        for (ending, pack) in PACKINGS {
            let packed = format!("{name}.{ending}");
            fs::write(folder.join(&packed), pack(text.as_bytes())).expect("a file");
            let found = records(&folder, &[&packed, "--task", task]);
            let results = |records: &[Value]| -> Vec<(Value, Value)> {
                records.iter().map(|r| (r["status"].clone(), r["game"]["moves"].clone())).collect()
            };
            assert_eq!(results(&found), results(&plain), "{packed} {found:?}");
            assert!(tengen(&folder, &["check", &packed]).status.success(), "{packed}");
        }
    }
}

#[test]
fn every_command_that_takes_such_files_takes_them_packed() {
    let folder = scratch("packed_commands");
    for (ending, pack) in PACKINGS {
        let file = |name: &str, text: &str| {
            let name = format!("{name}.{ending}");
            fs::write(folder.join(&name), pack(text.as_bytes())).expect("a file");
            name
        };
        let games = file("games.pgn", GAMES);
        let record = file("record.sgf", RECORD);
        let positions = file("positions.epd", POSITION);
        let rules = file("rules.kif", RULES);
        let told = stdout(&tengen(&folder, &["chess", "referee", &games]));
        assert_eq!(told.lines().count(), 2, "{told}");
        let told = stdout(&tengen(&folder, &["chess", "epd", &positions, "--nodes", "1000"]));
        assert!(told.contains("1 passed"), "{told}");
        let told = tengen(&folder, &["show", &record]);
        assert!(told.status.success(), "{told:?}");
        let out = format!("out-{ending}");
        let told = tengen(&folder, &["report", &record, "--out", &out, "--effort", "quick"]);
        assert!(told.status.success() && folder.join(&out).join("001-record.html").exists(), "{told:?}");
        let told = tengen(&folder, &["gdl", "check", &rules]);
        assert!(told.status.success(), "{told:?}");
        let scene = format!(
            "(version: 1, scenes: [(name: \"g\", for_each: Pgn(glob: \"*.pgn.{ending}\", every: 1), task: Search(nodes: 50)), \
             (name: \"s\", game: Go(sgf: \"{record}\"), task: Playouts(count: 1))])"
        );
        write(&folder, "scene.ron", &scene);
        let found = records(&folder, &["scene.ron"]);
        assert_eq!(found.len(), 4 + 3 + 1, "{found:?}");
        let scene = format!(
            "(version: 1, name: \"o\", game: Chess(), task: SelfPlay(players: [Search(depth: 1)], openings: \"{games}\", max_moves: 4))"
        );
        write(&folder, "openings.ron", &scene);
        let told = tengen(
            &folder,
            &["selfplay", "openings.ron", "--games", "2", "--out", &format!("play-{ending}")],
        );
        assert!(told.status.success(), "{told:?}");
    }
}

#[test]
fn packings_that_are_not_read_and_torn_files_are_named() {
    let folder = scratch("packed_others");
    for (name, bytes, word) in [
        ("games.pgn.zip", &b"PK\x03\x04rest of it"[..], "zip"),
        ("games.pgn.7z", b"7z\xbc\xaf\x27\x1c....", "7z"),
        ("games.pgn.xz", b"\xfd7zXZ\0....", "xz"),
        ("games.pgn", b"PK\x03\x04rest of it", "zip"),
        ("record.sgf.zip", b"PK\x03\x04rest of it", "zip"),
        ("positions.epd.xz", b"\xfd7zXZ\0....", "xz"),
        ("scene.ron", b"PK\x03\x04rest of it", "zip"),
    ] {
        fs::write(folder.join(name), bytes).expect("a file");
        let output = tengen(&folder, &["check", name]);
        let told = stdout(&output);
        assert!(!output.status.success() && told.contains(&format!("packed as {word}")), "{name}: {told}");
        if name.contains("pgn") {
            let output = tengen(&folder, &["chess", "referee", name]);
            assert!(String::from_utf8_lossy(&output.stderr).contains(word), "{name}: {output:?}");
        }
    }
    for (ending, pack) in PACKINGS {
        let name = format!("torn.pgn.{ending}");
        let mut packed = pack(GAMES.repeat(3000).as_bytes());
        packed.truncate(packed.len() - 12);
        fs::write(folder.join(&name), packed).expect("a file");
        let output = tengen(&folder, &["check", &name]);
        assert!(
            !output.status.success() && stdout(&output).contains("can't be unpacked"),
            "{name}: {output:?}"
        );
    }
}

#[test]
fn folders_and_globs_find_packed_files() {
    let folder = scratch("packed_folder");
    fs::create_dir_all(folder.join("in")).expect("a folder");
    for (ending, pack) in PACKINGS {
        fs::write(folder.join(format!("in/a.sgf.{ending}")), pack(RECORD.as_bytes())).expect("a file");
    }
    write(&folder, "in/b.SGF", RECORD);
    let told = stdout(&tengen(&folder, &["check", "in"]));
    assert!(told.contains("4 cases, 0 faults"), "{told}");
    let told = tengen(&folder, &["report", "in", "--out", "out", "--effort", "quick"]);
    assert!(told.status.success(), "{told:?}");
}

/// Many games, each with a number of its own.
fn many(games: usize) -> String {
    (1..=games)
        .map(|n| format!("[Round \"{n}\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n"))
        .collect()
}

#[test]
fn a_file_of_several_batches_runs_as_one_and_goes_on_where_it_was() {
    let folder = scratch("packed_batches");
    // More cases than one batch has, and more text than one piece.
    let games = 40_000;
    write(&folder, "many.pgn", &many(games));
    fs::write(folder.join("many.pgn.zst"), zstd(many(games).as_bytes())).expect("a file");
    for name in ["many.pgn", "many.pgn.zst"] {
        let told = stdout(&tengen(&folder, &["check", name]));
        assert!(told.contains("40000 cases, 0 faults"), "{told}");
        let output = tengen(&folder, &["chess", "referee", name]);
        assert_eq!(stdout(&output).lines().count(), games);
    }
    let run = |arguments: &[&str]| {
        let all = ["run", "many.pgn", "--task", "Perft(depth: 1)", "--no-progress"];
        tengen(&folder, &[&all, arguments].concat())
    };
    let output = run(&["--out", "out"]);
    assert!(stdout(&output).contains("40000 ok"), "{}", stdout(&output));
    let text = fs::read_to_string(folder.join("out/records.jsonl")).expect("records");
    assert_eq!(text.lines().count(), games);
    for (n, line) in text.lines().enumerate().step_by(9999) {
        assert!(line.contains(&format!("\"id\":\"many.pgn:{}@5\"", n + 1)), "{line}");
    }
    // Without its end, the run goes on there, and the file is the same again.
    let kept = 25_000;
    for name in ["records.jsonl", "timings.jsonl"] {
        let path = folder.join("out").join(name);
        let head: String =
            fs::read_to_string(&path).expect("lines").split_inclusive('\n').take(kept).collect();
        fs::write(&path, head).expect("a file");
    }
    let output = run(&["--out", "out", "--resume"]);
    assert!(stdout(&output).contains("40000 ok"), "{output:?}");
    assert_eq!(fs::read_to_string(folder.join("out/records.jsonl")).expect("records"), text);
    // Shards of it are the parts of the same.
    for shard in ["1/2", "2/2"] {
        let out = format!("part{}", &shard[..1]);
        assert!(run(&["--out", &out, "--shard", shard]).status.success());
    }
    assert!(tengen(&folder, &["merge", "part1", "part2", "--out", "whole"]).status.success());
    assert_eq!(fs::read_to_string(folder.join("whole/records.jsonl")).expect("records"), text);
    let output = run(&["--format", "json", "--only", "many.pgn:3999?@5", "--only", "nothing"]);
    let told = stdout(&output);
    assert!(
        !output.status.success() && told.lines().count() == 11 && told.contains("no case is called"),
        "{told}"
    );
}
