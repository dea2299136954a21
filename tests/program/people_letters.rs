//! Tests that other programs read letters of many charsets correctly in Tengen's output: reports, exports, saved
//! records, games of self-play.
//!
//! The other programs are the Python packages `sgfmill` and `chess` (python-chess). If they are missing, the test
//! prints a message and passes. `TENGEN_PYTHON` names the interpreter that has them.
#![cfg(feature = "viewer")]

use crate::common::python_with;
use crate::common::{scratch, stdout, tengen, write};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

/// A charset as `CA` names it, and names and a comment with its letters.
const TABLE: [(&str, [&str; 3]); 8] = [
    (
        "GBK",
        [
            "\u{674e}\u{4e16}\u{77f3}",
            "\u{5e38}\u{660a}",
            "\u{9ed1}\u{68cb}\u{597d}\u{ff0c}\u{767d}\u{68cb}\u{574f} [\u{8aa0}]",
        ],
    ),
    ("GB18030", ["\u{5f20}\u{680b}", "\u{3400}\u{1f600}", "\u{4f60}\u{597d}"]),
    (
        "Shift_JIS",
        ["\u{8868}\u{5341}", "\u{30bd}\u{80fd}", "\u{7b2c}\u{4e00}\u{5c40} \u{9ed2}\u{52dd}\u{3061} \\"],
    ),
    (
        "EUC-KR",
        ["\u{c774}\u{cc3d}\u{d638}", "\u{c870}\u{d6c8}\u{d604}", "\u{d751}\u{c774} \u{c774}\u{acbc}\u{b2e4}"],
    ),
    ("Big5", ["\u{8a31}\u{529f}\u{84cb}", "\u{5468}\u{4fca}\u{52f3}", "\u{6210}\u{529f}"]),
    (
        "KOI8-R",
        [
            "\u{418}\u{432}\u{430}\u{43d}",
            "\u{41f}\u{451}\u{442}\u{440}",
            "\u{447}\u{451}\u{440}\u{43d}\u{44b}\u{435} \u{43b}\u{443}\u{447}\u{448}\u{435}",
        ],
    ),
    ("ISO-8859-1", ["Jos\u{e9}", "\u{dc}nl\u{fc}", "tr\u{e8}s bien: \u{ab}oui\u{bb}"]),
    ("UTF-16", ["\u{674e}", "\u{1d4ae}\u{e9}", "\u{2603} and [brackets]"]),
];

/// The text of a record in its charset.
fn bytes(charset: &str, text: &str) -> Vec<u8> {
    if charset == "UTF-16" {
        return format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).expect("a charset");
    let (bytes, _, has_failed) = encoding.encode(text);
    assert!(!has_failed, "{charset} lacks letters of {text}");
    bytes.into_owned()
}

/// A record with these names and this comment, with the signs of SGF escaped.
fn record(charset: &str, [black, white, comment]: [&str; 3]) -> Vec<u8> {
    let comment = comment.replace('\\', "\\\\").replace(']', "\\]");
    let text =
        format!("(;GM[1]FF[4]SZ[9]KM[6.5]CA[{charset}]PB[{black}]PW[{white}];B[ee]C[{comment}];W[cc];B[gc])");
    bytes(charset, &text)
}

/// What `sgfmill` reads in a record: both names, and the comment of the first move.
const SGFMILL: &str = r#"
import sys
from sgfmill import sgf
sys.stdout.reconfigure(encoding="utf-8")
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        game = sgf.Sgf_game.from_bytes(file.read())
    first = game.get_main_sequence()[1]
    for text in (game.get_player_name("b"), game.get_player_name("w"), first.get("C")):
        print(repr(text))
"#;

/// A text as Python's `repr` writes it, for texts without quotes and control characters.
fn repr(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\"))
}

/// What a script prints.
fn script(python: &Path, code: &str, arguments: &[&Path]) -> String {
    let output = Command::new(python).arg("-c").arg(code).args(arguments).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

#[test]
fn sgfmill_reads_every_letter_of_reports_and_of_what_the_viewer_saves() {
    let Some(python) = python_with("sgfmill") else { return };
    let folder = scratch("letters_sgf");
    for (charset, texts) in TABLE {
        fs::write(folder.join(format!("{charset}.sgf")), record(charset, texts)).expect("a file");
    }
    let output =
        tengen(&folder, &["report", ".", "--out", "out", "--sgf", "--effort", "quick", "--judge", "none"]);
    assert!(output.status.success(), "{output:?}");
    let mut names: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
    names.sort_unstable();
    for (charset, texts) in TABLE {
        let number = names.iter().position(|name| *name == charset).expect("it is there") + 1;
        let path = folder.join(format!("out/{number:03}-{charset}.sgf"));
        let told = script(&python, SGFMILL, &[&path]);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[..2], [repr(texts[0]), repr(texts[1])], "{charset}");
        // The report writes its sentences behind the comment.
        let comment = repr(texts[2]);
        let comment = comment.trim_end_matches('\'');
        assert!(lines[2].starts_with(comment), "{charset}: {} {comment}", lines[2]);
        let saved = folder.join(format!("saved-{charset}.sgf"));
        fs::write(&saved, saved_by_the_viewer(&folder, &format!("{charset}.sgf"))).expect("a file");
        let told = script(&python, SGFMILL, &[&saved]);
        assert_eq!(told.lines().collect::<Vec<_>>(), texts.map(repr), "{charset}");
    }
}

/// The record with a move tried, as the viewer saves it.
fn saved_by_the_viewer(folder: &Path, file: &str) -> Vec<u8> {
    let mut process = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(["view", "--no-open", file])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").expect("an address");
    let (host, path) = address.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request =
        format!("GET /{path}save?node=1&try=WG7 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    // It may have ended by itself.
    let _ = process.kill();
    let _ = process.wait();
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    answer.split_off(head)
}

/// The rows of a CSV file: the columns of the two names.
const CSV: &str = r#"
import csv, sys
sys.stdout.reconfigure(encoding="utf-8")
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        print(row["black"] + "|" + row["white"])
"#;

#[test]
fn an_export_has_every_letter_of_the_names() {
    let Some(python) = python_with("csv") else { return };
    let folder = scratch("letters_export");
    for (charset, texts) in TABLE {
        fs::write(folder.join(format!("{charset}.sgf")), record(charset, texts)).expect("a file");
    }
    let latin: Vec<u8> =
        "[White \"\u{dc}nl\u{fc}\"]\n[Black \"Jos\u{e9}\"]\n\n1. e4 *\n".chars().map(|c| c as u8).collect();
    fs::write(folder.join("latin.pgn"), latin).expect("a file");
    let wide = bytes("UTF-16", "[White \"\u{674e}\"]\n[Black \"\u{1d4ae}\"]\n\n1. e4 *\n");
    fs::write(folder.join("wide.pgn"), wide).expect("a file");
    let output =
        tengen(&folder, &["run", ".", "--task", "Playouts(count: 1)", "--out", "out", "--no-progress"]);
    let told = stdout(&output);
    assert!(told.contains("8 ok"), "{told}");
    let output = tengen(&folder, &["export", "out", "--format", "csv"]);
    assert!(output.status.success(), "{output:?}");
    let told = script(&python, CSV, &[&folder.join("out/tables/games.csv")]);
    for (charset, texts) in TABLE {
        let pair = format!("{}|{}", texts[0], texts[1]);
        assert!(told.lines().any(|line| line == pair), "{charset}: {told}");
    }
    let chess =
        ["run", "latin.pgn", "wide.pgn", "--task", "Perft(depth: 1)", "--out", "chess", "--no-progress"];
    assert!(tengen(&folder, &chess).status.success());
    assert!(tengen(&folder, &["export", "chess", "--format", "csv"]).status.success());
    let told = script(&python, CSV, &[&folder.join("chess/tables/games.csv")]);
    assert_eq!(told.lines().collect::<Vec<_>>(), ["Jos\u{e9}|\u{dc}nl\u{fc}", "\u{1d4ae}|\u{674e}"]);
}

/// The event of a game of PGN, and its moves, as python-chess reads them.
const PYTHON_CHESS: &str = r#"
import sys
import chess.pgn
sys.stdout.reconfigure(encoding="utf-8")
with open(sys.argv[1], encoding="utf-8") as file:
    game = chess.pgn.read_game(file)
assert not game.errors, game.errors
print(game.headers["Event"])
print(" ".join(move.uci() for move in game.mainline_moves()))
"#;

#[test]
fn python_chess_reads_every_letter_of_games_of_self_play() {
    let Some(python) = python_with("chess.pgn") else { return };
    let folder = scratch("letters_pgn");
    let name = "\u{dc}nl\u{fc} \u{674e} \u{1d4ae}";
    let scene = format!(
        "(version: 1, name: \"{name}\", game: Chess(), task: SelfPlay(players: [Search(depth: 1)], openings: \"o.pgn\", max_moves: 4))"
    );
    fs::write(folder.join("a.ron"), bytes("UTF-16", &scene)).expect("a file");
    write(&folder, "o.pgn", "1. e2e4 e7-e5 2. \u{2658}f3 *\n");
    let output = tengen(&folder, &["selfplay", "a.ron", "--games", "1", "--out", "out", "--no-progress"]);
    assert!(output.status.success(), "{output:?}");
    let told = script(&python, PYTHON_CHESS, &[&folder.join("out/game-00001.pgn")]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], name);
    assert!(lines[1].starts_with("e2e4 e7e5 g1f3 "), "{told}");
}
