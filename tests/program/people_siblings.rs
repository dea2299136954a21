//! Tests files as other programs write them. For each kind of case in the table of `tests/program/people_files.rs`, it has
//! three more files with the right values.

use crate::common::{answers, scratch, stdout, tengen, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A text in a charset.
fn in_charset(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a charset");
    let (bytes, _, has_failed) = encoding.encode(text);
    assert!(!has_failed, "{text} has letters that {label} lacks");
    bytes.into_owned()
}

/// A text in UTF-16 with its mark.
fn in_utf16(is_little: bool, text: &str) -> Vec<u8> {
    let unit = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
}

/// The records of `tengen run`, as one list.
fn records(folder: &Path, arguments: &[&str]) -> Value {
    let all = [&["run", "--format", "json", "--no-progress"], arguments].concat();
    let text = stdout(&tengen(folder, &all));
    text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record")).collect()
}

/// A file, and what its records say: JSON pointers into the list of records, and the text of each value; `-` is none.
struct Row {
    name: &'static str,
    bytes: Vec<u8>,
    wants: &'static [(&'static str, &'static str)],
}

fn row(name: &'static str, bytes: impl Into<Vec<u8>>, wants: &'static [(&'static str, &'static str)]) -> Row {
    Row { name, bytes: bytes.into(), wants }
}

/// Runs every row and compares; all faults are told, not the first alone.
fn holds(folder: &str, task: &str, rows: &[Row]) {
    let folder = scratch(folder);
    let mut faults = Vec::new();
    for row in rows {
        fs::write(folder.join(row.name), &row.bytes).expect("a file");
        let found = records(&folder, &[row.name, "--task", task]);
        for (pointer, wanted) in row.wants {
            let value = match found.pointer(pointer) {
                None => "-".to_owned(),
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            };
            if value != *wanted {
                faults.push(format!("{}: {pointer} is {value}, not {wanted}: {found}", row.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const PLAYOUTS: &str = "Playouts(count: 1)";
const SEARCH: &str = "Search(nodes: 200)";

#[test]
fn records_in_charsets_of_two_bytes_keep_their_moves() {
    // The second byte of these letters is a backslash, a bracket or another sign of SGF.
    holds(
        "siblings_moves",
        PLAYOUTS,
        &[
            row(
                "named.sgf",
                in_charset(
                    "shift_jis",
                    "(;GM[1]SZ[9]CA[Shift_JIS];B[ee]C[\u{8868}];W[dd]C[\u{80fd}\u{30bd}];B[ff])",
                ),
                &[("/0/status", "ok"), ("/0/game/moves", "3"), ("/0/warnings", "-")],
            ),
            row(
                "guessed.sgf",
                in_charset(
                    "shift_jis",
                    "(;GM[1]SZ[9]PB[\u{5341}\u{6bb5}];B[ee]C[\u{3053}\u{308c}\u{306f}\u{8868}];W[dd]C[\u{53ef}\u{80fd}];B[ff];W[gg])",
                ),
                &[("/0/game/moves", "4"), ("/0/warnings/0/kind", "sgf-charset-guessed")],
            ),
            row(
                "big5.sgf",
                in_charset(
                    "big5",
                    "(;GM[1]SZ[9]CA[Big5]PB[\u{8a31}\u{529f}\u{84cb}];B[ee]C[\u{6210}\u{529f}];W[dd])",
                ),
                &[
                    ("/0/game/moves", "2"),
                    ("/0/game/info/black", "\u{8a31}\u{529f}\u{84cb}"),
                    ("/0/warnings", "-"),
                ],
            ),
            row(
                "gbk.sgf",
                in_charset("gbk", "(;GM[1]SZ[9]CA[gb2312]PW[\u{8aa0}];B[ee]C[\u{8aa0}];W[dd];B[aa])"),
                &[("/0/game/moves", "3"), ("/0/game/info/white", "\u{8aa0}"), ("/0/warnings", "-")],
            ),
            row(
                "jis.sgf",
                b"(;GM[1]SZ[9]CA[ISO-2022-JP]PB[\x1b$B;3ED\x1b(B];B[ee]C[\x1b$B%]%=\x1b(B];W[dd])".to_vec(),
                &[("/0/game/moves", "2"), ("/0/game/info/black", "\u{5c71}\u{7530}"), ("/0/warnings", "-")],
            ),
        ],
    );
}

#[test]
fn comments_cut_inside_a_letter_end_at_their_bracket() {
    let cut = |label: &str, head: &str, text: &str, tail: &[u8]| {
        let mut bytes = in_charset(label, &format!("{head}{text}"));
        bytes.pop();
        bytes.extend_from_slice(tail);
        bytes
    };
    holds(
        "siblings_cut",
        PLAYOUTS,
        &[
            row(
                "sjis.sgf",
                cut("shift_jis", "(;GM[1]SZ[9]CA[Shift_JIS]C[", "\u{8868}\u{8868}", b"];B[aa];W[bb];B[cc])"),
                &[("/0/game/moves", "3"), ("/0/warnings/0/kind", "sgf-letter-cut")],
            ),
            row(
                "big5.sgf",
                cut("big5", "(;GM[1]SZ[9]CA[Big5];B[aa]C[", "\u{6210}\u{529f}", b"](;W[bb])(;W[cc]))"),
                &[("/0/game/moves", "2"), ("/0/warnings/0/kind", "sgf-letter-cut")],
            ),
            row(
                "gbk.sgf",
                cut("gbk", "(;GM[1]SZ[9]CA[GBK];B[aa];W[bb]C[", "\u{4f60}\u{597d}", b"])"),
                &[("/0/status", "ok"), ("/0/game/moves", "2"), ("/0/warnings/0/kind", "sgf-letter-cut")],
            ),
        ],
    );
}

#[test]
fn names_are_read_as_written() {
    holds(
        "siblings_names",
        PLAYOUTS,
        &[
            row(
                "euc-kr.sgf",
                in_charset("euc-kr", "(;GM[1]SZ[9]CA[EUC-KR]PB[\u{c774}\u{cc3d}\u{d638}]PW[\u{c870}];B[ee])"),
                &[("/0/game/info/black", "\u{c774}\u{cc3d}\u{d638}"), ("/0/game/info/white", "\u{c870}")],
            ),
            row(
                "koi8.sgf",
                in_charset("koi8-r", "(;GM[1]SZ[9]CA[KOI8-R]PB[\u{418}\u{432}\u{430}\u{43d}];B[ee])"),
                &[("/0/game/info/black", "\u{418}\u{432}\u{430}\u{43d}")],
            ),
            row(
                "cyrillic.sgf",
                in_charset("windows-1251", "(;GM[1]SZ[9]CA[windows-1251]PW[\u{416}\u{451}];B[ee])"),
                &[("/0/game/info/white", "\u{416}\u{451}")],
            ),
            row(
                "latin.sgf",
                in_charset(
                    "windows-1252",
                    "(;GM[1]SZ[9]CA[ISO-8859-1]PB[Jos\u{e9}]PW[\u{dc}nl\u{fc}];B[ee])",
                ),
                &[("/0/game/info/black", "Jos\u{e9}"), ("/0/game/info/white", "\u{dc}nl\u{fc}")],
            ),
            row(
                "wrong.sgf",
                "(;GM[1]SZ[9]CA[GBK]PB[\u{674e}\u{4e16}\u{77f3}];B[ee])",
                &[
                    ("/0/game/info/black", "\u{674e}\u{4e16}\u{77f3}"),
                    ("/0/warnings/0/kind", "sgf-charset-wrong"),
                ],
            ),
        ],
    );
}

#[test]
fn komi_is_in_points_whatever_it_is_counted_in() {
    holds(
        "siblings_komi",
        "Analyse(last: Worms)",
        &[
            row(
                "a650.sgf",
                "(;GM[1]SZ[9]KM[650];B[ee])",
                &[("/0/result/komi", "6.5"), ("/0/warnings/0/kind", "sgf-komi-hundredths")],
            ),
            row(
                "b325.sgf",
                "(;GM[1]SZ[9]KM[325];B[ee])",
                &[("/0/result/komi", "6.5"), ("/0/warnings/0/kind", "sgf-komi-hundredths")],
            ),
            row(
                "c50.sgf",
                "(;GM[1]SZ[9]HA[2]KM[50];W[ee])",
                &[("/0/result/komi", "0.5"), ("/0/warnings/0/kind", "sgf-komi-hundredths")],
            ),
            row("d0.sgf", "(;GM[1]SZ[9]KM[0];B[ee])", &[("/0/result/komi", "0.0"), ("/0/warnings", "-")]),
            row(
                "e.sgf",
                "(;GM[1]SZ[9]KM[-7,5];B[ee])",
                &[("/0/result/komi", "-7.5"), ("/0/warnings/0/kind", "sgf-number-comma")],
            ),
            row(
                "f.sgf",
                "(;GM[1]SZ[9]KM[0,5]HA[2];W[ee])",
                &[("/0/result/komi", "0.5"), ("/0/warnings/0/kind", "sgf-number-comma")],
            ),
            row(
                "g.sgf",
                "(;GM[1]SZ[9]KM[ 5,50 ];B[ee])",
                &[("/0/result/komi", "5.5"), ("/0/warnings/0/kind", "sgf-number-comma")],
            ),
        ],
    );
}

#[test]
fn every_game_of_a_collection_is_a_case() {
    holds(
        "siblings_collection",
        PLAYOUTS,
        &[
            row(
                "glued.sgf",
                "(;SZ[9];B[aa])(;SZ[9];B[bb];W[cc])",
                &[("/1/id", "glued.sgf:2@2"), ("/1/status", "ok"), ("/2", "-")],
            ),
            row(
                "talk.sgf",
                "From: somebody\n\n(;SZ[9];B[aa])\n-- \nand another (see above):\n(;SZ[13];B[bb](;W[cc])(;W[dd]))\n",
                &[("/0/game/moves", "1"), ("/1/game/moves", "2"), ("/2", "-")],
            ),
            row(
                "charsets.sgf",
                [
                    in_charset("gbk", "(;SZ[9]CA[GBK]PB[\u{674e}];B[aa])"),
                    in_charset("euc-kr", "(;SZ[9]CA[EUC-KR]PB[\u{c870}];B[aa])"),
                ]
                .concat(),
                &[("/0/game/info/black", "\u{674e}"), ("/1/game/info/black", "\u{c870}")],
            ),
        ],
    );
}

#[test]
fn a_rectangle_is_one_whichever_corner_comes_first() {
    holds(
        "siblings_rectangle",
        "Analyse(last: Worms)",
        &[
            row(
                "rows.sgf",
                "(;SZ[9]AB[ac:ca])",
                &[("/0/result/worms/0/size", "9"), ("/0/result/worms/1", "-")],
            ),
            row("columns.sgf", "(;SZ[9]AW[ca:ac])", &[("/0/result/worms/0/size", "9")]),
            row("emptied.sgf", "(;SZ[9]AB[aa:cc]AE[cb:bc])", &[("/0/result/worms/0/size", "5")]),
        ],
    );
}

#[test]
fn stones_without_a_liberty_are_taken_off_with_a_warning() {
    let warned = &[("/0/status", "ok"), ("/0/warnings/0/kind", "go-stone-without-liberty")];
    let scene = |game: &str| format!("(version: 1, name: \"d\", game: {game}, task: Playouts(count: 1))");
    holds(
        "siblings_breathless",
        PLAYOUTS,
        &[
            row("white.sgf", "(;SZ[9]AW[aa]AB[ab][ba])", warned),
            row("string.sgf", "(;SZ[9]AB[aa][ba]AW[ca][ab][bb])", warned),
            row("late.sgf", "(;SZ[9];B[ab];W[ee];B[ba];AW[aa])", warned),
            row("diagram.ron", scene("Go(diagram: \"OX.\\nX..\\n...\")"), warned),
            row(
                "side.ron",
                scene("Go(diagram: \".XO\\n.XO\\n...\")"),
                &[("/0/status", "ok"), ("/0/warnings", "-")],
            ),
            row("full.ron", scene("Go(diagram: \"XXX\\nXXX\\nXXX\")"), warned),
        ],
    );
}

#[test]
fn rules_that_allow_suicide_play_it() {
    holds(
        "siblings_suicide",
        PLAYOUTS,
        &[
            row(
                "goe.sgf",
                "(;SZ[9]RU[GOE]AB[ba]AW[ab][bb][ca];B[aa];W[ee])",
                &[("/0/status", "ok"), ("/0/game/moves", "2")],
            ),
            row(
                "name.sgf",
                "(;SZ[9]RU[New Zealand]AB[ba]AW[ab][bb][ca];B[aa];W[ee])",
                &[("/0/status", "ok")],
            ),
            row("tt.sgf", "(;SZ[9]RU[Tromp-Taylor]AB[ba]AW[ab][bb][ca];B[aa];W[ee])", &[("/0/status", "ok")]),
            row(
                "japan.sgf",
                "(;SZ[9]RU[Japanese]AB[ba]AW[ab][bb][ca];B[aa];W[ee])",
                &[("/0/status", "error")],
            ),
        ],
    );
}

#[test]
fn surplus_castling_rights_are_dropped_with_a_warning() {
    let dropped = &[("/0/status", "ok"), ("/0/warnings/0/kind", "chess-castling-surplus")];
    holds(
        "siblings_castling",
        SEARCH,
        &[
            row("black.fen", "r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n", dropped),
            row("king.fen", "r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1\n", dropped),
            row("tag.pgn", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1\"]\n\n1. e4 *\n", dropped),
            row(
                "scene.ron",
                "(version: 1, name: \"s\", game: Chess(fen: \"4k3/8/8/8/8/8/4P3/4K2R w KQ - 0 1\"), task: Search(nodes: 200))",
                dropped,
            ),
            row(
                "none.fen",
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n",
                &[("/0/status", "ok"), ("/0/warnings", "-")],
            ),
        ],
    );
    let folder = scratch("siblings_castling_uci");
    for (lines, wanted) in [
        ("position fen r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1\nd\n", "w Kq - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K3 b kq - 0 1 moves e8e7\nd\n", "w - - 1 2"),
        (
            "position startpos moves e2e4\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo depth 1\n",
            "bestmove 0000",
        ),
        ("position startpos moves e2e4\nposition fen nonsense\ngo depth 1\n", "bestmove 0000"),
    ] {
        let text = answers(&folder, &["uci"], format!("{lines}isready\nquit\n"));
        assert!(text.contains(wanted), "{lines} {text}");
    }
}

#[test]
fn words_of_movetext_are_read_as_programs_write_them() {
    let plies = |n: &'static str| -> &'static [(&'static str, &'static str)] {
        match n {
            "3" => &[("/0/status", "ok"), ("/0/game/moves", "3"), ("/0/warnings", "-")],
            "4" => &[("/0/status", "ok"), ("/0/game/moves", "4"), ("/0/warnings", "-")],
            _ => &[("/0/status", "ok"), ("/0/game/moves", "5"), ("/0/warnings", "-")],
        }
    };
    holds(
        "siblings_words",
        SEARCH,
        &[
            row("brackets.pgn", "1.e4{best}(1.d4 d5(1...Nf6))e5$10 2.Nf3!$1*", plies("3")),
            row("long.pgn", "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *", plies("4")),
            row("plain-long.pgn", "1. e2e4 e7e5 2. g1f3 *", plies("3")),
            row("figurines.pgn", "1. e4 \u{265e}c6 2. \u{2658}f3 *", plies("3")),
            row("ep.pgn", "1. e4 a6 2. e5 d5 3. exd6e.p. *", plies("5")),
            row(
                "promotion.pgn",
                "[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n\n1. a8(Q) Kg7 2. Qa1+ *",
                plies("3"),
            ),
            row(
                "promotion-slash.pgn",
                "[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n\n1. a7-a8/N Kg7 2. Nb6 *",
                plies("3"),
            ),
            row("zeros.pgn", "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1. 0-0 Kd7 2. e4 *", plies("3")),
        ],
    );
}

#[test]
fn a_variant_that_is_not_played_is_refused_by_name() {
    let folder = scratch("siblings_variants");
    for variant in ["Crazyhouse", "Antichess", "King of the Hill", "Three-check", "Suicide"] {
        write(&folder, "v.pgn", &format!("[Variant \"{variant}\"]\n\n1. Nf3 e6 *\n"));
        let found = records(&folder, &["v.pgn", "--task", SEARCH]);
        let message = found.pointer("/0/result/error/message").and_then(Value::as_str).unwrap_or_default();
        assert!(message.contains(variant), "{found}");
        let verdict = stdout(&tengen(&folder, &["chess", "referee", "v.pgn"]));
        assert!(verdict.contains(variant) && verdict.contains("error"), "{verdict}");
    }
}

#[test]
fn chess_files_are_read_in_any_charset_with_any_marks_and_ends_of_lines() {
    holds(
        "siblings_text",
        SEARCH,
        &[
            row(
                "latin.pgn",
                b"[White \"M\xfcller\"]\n[Black \"Ni\xf1o\"]\n\n1. e4 *".to_vec(),
                &[("/0/game/info/white", "M\u{fc}ller"), ("/0/game/info/black", "Ni\u{f1}o")],
            ),
            row(
                "mixed.pgn",
                b"[White \"Jos\xe9\"]\n[Black \"Jos\xc3\xa9\"]\n\n1. e4 {\xe9} *".to_vec(),
                &[("/0/game/info/white", "Jos\u{e9}"), ("/0/game/info/black", "Jos\u{e9}")],
            ),
            row(
                "fault.pgn",
                b"[White \"\xd8\"]\n\n1. e4 e5 1-0 \xe9\n\n1. d4 *".to_vec(),
                &[("/0/game/info/white", "\u{d8}")],
            ),
            row(
                "utf16.pgn",
                in_utf16(true, "[White \"Jos\u{e9}\"]\r\n\r\n1. e4 *\r\n"),
                &[("/0/game/info/white", "Jos\u{e9}"), ("/0/game/moves", "1")],
            ),
            row(
                "utf16be.pgn",
                in_utf16(false, "[White \"Jos\u{e9}\"]\n\n1. e4 *\n"),
                &[("/0/game/info/white", "Jos\u{e9}")],
            ),
            row(
                "mark.pgn",
                "\u{feff}[White \"A\"]\n\n1. e4 *\n\u{feff}[White \"B\"]\n\n1. d4 *\n",
                &[("/0/game/info/white", "A"), ("/1/game/info/white", "B"), ("/2", "-")],
            ),
            row("mark.fen", "\u{feff}4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", &[("/0/status", "ok"), ("/1", "-")]),
            row(
                "utf16.epd",
                in_utf16(true, "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\r\n"),
                &[("/0/game/info/bm", "-"), ("/1", "-"), ("/0/status", "failed")],
            ),
            row(
                "mark.ron",
                "\u{feff}(version: 1, name: \"s\", game: Go(size: 9), task: Playouts(count: 1))",
                &[("/0/status", "ok")],
            ),
            row(
                "cr.pgn",
                "[White \"A\"]\r\r1. e4 e5 ; a remark\r2. Nf3 *\r\u{1a}",
                &[("/0/game/moves", "3"), ("/1", "-")],
            ),
            row(
                "cr.fen",
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\r4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\r",
                &[("/0/status", "ok"), ("/1/status", "ok"), ("/2", "-")],
            ),
            row(
                "eof.epd",
                "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";\r\n\u{1a}",
                &[("/0/status", "ok"), ("/1", "-")],
            ),
            row(
                "half.pgn",
                "1. e4 e5 \u{bd}-\u{bd}\n\n1. d4 d5 1/2 {agreed}\n\n[Result \"1/2\"]\n\n1. c4 *\n",
                &[("/0/game/moves", "2"), ("/1/game/moves", "2"), ("/2/game/moves", "1"), ("/3", "-")],
            ),
        ],
    );
    holds(
        "siblings_utf16",
        PLAYOUTS,
        &[
            row(
                "be.sgf",
                in_utf16(false, "(;SZ[9]PB[\u{674e}];B[ee];W[cc])"),
                &[("/0/game/moves", "2"), ("/0/game/info/black", "\u{674e}")],
            ),
            row(
                "ca.sgf",
                in_utf16(true, "(;SZ[9]CA[UTF-16]PB[\u{e9}];B[ee])"),
                &[("/0/game/moves", "1"), ("/0/game/info/black", "\u{e9}")],
            ),
            row(
                "unmarked.sgf",
                in_utf16(true, "(;SZ[9];B[ee])")[2..].to_vec(),
                &[
                    ("/0/status", "error"),
                    (
                        "/0/result/error/message",
                        "the record seems to be in UTF-16, without the mark that says so",
                    ),
                ],
            ),
        ],
    );
}

#[test]
fn operations_of_epd_are_read_as_they_are_meant() {
    holds(
        "siblings_epd",
        "Search(depth: 6)",
        &[
            row("hmvc.epd", "8/8/8/8/8/k7/8/K6R w - - hmvc 99;\n", &[("/0/result/score", "0")]),
            row(
                "order.epd",
                "8/8/8/8/8/k7/8/K6R w - - fmvn 120; id \"x\"; hmvc 99;\n",
                &[("/0/result/score", "0")],
            ),
            row("odd.epd", "8/8/8/8/8/k7/8/K6R w - - hmvc many; id \"x\";\n", &[("/0/status", "ok")]),
            row("am.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8+ Kd1;\n", &[("/0/status", "failed")]),
            row("both.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Kd1; bm Ra8#;\n", &[("/0/status", "ok")]),
            row("am-uci.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - am a1a8;\n", &[("/0/status", "failed")]),
            row(
                "glued.epd",
                "6k1/5ppp/8/8/8/8/8/R3K3 w - -;bm Ra8;id \"x; y\";\n",
                &[("/0/status", "ok"), ("/0/game/info/id", "x; y")],
            ),
            row("counters.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 3 20;bm Ra8;\n", &[("/0/status", "ok")]),
            row("bare.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - ; ;\n", &[("/0/status", "ok")]),
        ],
    );
    let folder = scratch("siblings_epd_one_answer");
    for (line, passes) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#;", false),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - am Kd1 Kd2;", true),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; am Kd1;", true),
    ] {
        write(&folder, "one.epd", line);
        let run = records(&folder, &["one.epd", "--task", "Search(depth: 4)"]);
        assert_eq!(run.pointer("/0/status").and_then(Value::as_str) == Some("ok"), passes, "{line} {run}");
        let epd = tengen(&folder, &["chess", "epd", "one.epd", "--nodes", "20000"]);
        assert_eq!(stdout(&epd).contains(" 0 failed"), passes, "{line} {epd:?}");
    }
}

#[test]
fn the_first_mover_is_found_where_pl_names_nobody() {
    holds(
        "siblings_pl",
        "Analyse(last: Worms)",
        &[
            row(
                "empty.sgf",
                "(;SZ[9]AB[cc]PL[];W[dd];B[ee])",
                &[
                    ("/0/status", "ok"),
                    ("/0/warnings/0/kind", "sgf-player-unknown"),
                    ("/0/result/to_move", "White"),
                ],
            ),
            row(
                "word.sgf",
                "(;SZ[9]PL[nobody];W[dd])",
                &[("/0/warnings/0/kind", "sgf-player-unknown"), ("/0/result/to_move", "Black")],
            ),
            row(
                "long.sgf",
                "(;SZ[9]AB[cc]PL[White])",
                &[("/0/warnings", "-"), ("/0/result/to_move", "White")],
            ),
            row("number.sgf", "(;SZ[9]AB[cc]PL[2])", &[("/0/warnings", "-"), ("/0/result/to_move", "White")]),
        ],
    );
}

#[test]
fn null_moves_pass_the_turn() {
    holds(
        "siblings_null",
        SEARCH,
        &[
            row(
                "z0.pgn",
                "1. e4 Z0 2. d4 d5 *",
                &[("/0/status", "ok"), ("/0/game/moves", "4"), ("/0/warnings/0/kind", "chess-null-move")],
            ),
            row(
                "two.pgn",
                "1. e4 -- 2. d4 <> 3. Nf3 *",
                &[("/0/status", "ok"), ("/0/game/moves", "5"), ("/0/warnings/0/kind", "chess-null-move")],
            ),
            row(
                "zeros.pgn",
                "1. e4 0000 *",
                &[("/0/status", "ok"), ("/0/game/moves", "2"), ("/0/warnings/0/kind", "chess-null-move")],
            ),
            row(
                "check.pgn",
                "1. e4 f5 2. Qh5+ -- *",
                &[
                    ("/0/status", "error"),
                    ("/0/result/error/message", "move 4: the null move `--` can't be played in check"),
                ],
            ),
            row(
                "variation.pgn",
                "1. e4 (1. -- e5) e5 *",
                &[("/0/status", "ok"), ("/0/game/moves", "2"), ("/0/warnings", "-")],
            ),
        ],
    );
    let folder = scratch("siblings_null_positions");
    write(&folder, "before.pgn", "1. e4 Z0 2. d4 d5 *");
    let found = records(&folder, &["before.pgn", "--every", "1", "--task", SEARCH]);
    let ids: Vec<&str> = found.as_array().into_iter().flatten().filter_map(|r| r["id"].as_str()).collect();
    let wanted: Vec<String> = (0..=4).map(|n| format!("before.pgn:1@{n}")).collect();
    assert_eq!(ids, wanted, "{found}");
    let played: Vec<&str> =
        found.as_array().into_iter().flatten().filter_map(|r| r["game"]["played"].as_str()).collect();
    assert_eq!(played, ["e2e4", "--", "d2d4", "d7d5"], "{found}");
    // The legal moves of each position, as python-chess counts them.
    let found = records(&folder, &["before.pgn", "--every", "1", "--task", "Perft(depth: 1)"]);
    let nodes: Vec<u64> =
        found.as_array().into_iter().flatten().filter_map(|r| r["result"]["nodes"].as_u64()).collect();
    assert_eq!(nodes, [20, 20, 30, 20, 38], "{found}");
}

#[test]
fn rules_are_known_in_all_spellings() {
    let folder = scratch("siblings_rules");
    let names = [
        "new-zealand",
        "new_zealand",
        "NewZealand",
        "stone scoring",
        "STONE-SCORING",
        "tromp taylor",
        "aga button",
        "Ancient-Territory",
        "chinese-kgs",
        "korean",
    ];
    for name in names {
        let text = answers(&folder, &["gtp"], format!("kata-set-rules {name}\n"));
        assert!(text.starts_with('='), "{name}: {text}");
        let query = format!(
            "{{\"id\":\"a\",\"moves\":[],\"rules\":\"{name}\",\"komi\":6.5,\"boardXSize\":9,\"boardYSize\":9,\"maxVisits\":1}}\n"
        );
        let text = answers(&folder, &["analyse"], query);
        assert!(text.contains("moveInfos"), "{name}: {text}");
    }
}

#[test]
fn gtp_takes_clocks_sizes_and_paths_as_people_have_them() {
    let folder = scratch("siblings_gtp");
    write(&folder, "My Games/a b/#2 final.sgf", "(;GM[1]SZ[9];B[ee];W[cc];B[gc])");
    let script = "kgs-time_settings byoyomi 60 3 30\nkgs-time_settings canadian 0 30 25\nkgs-time_settings absolute 600\nkgs-time_settings none\n\
        boardsize 9 9\nboardsize 19 13\nboardsize 7:9\nboardsize nine\n\
        loadsgf My Games/a b/#2 final.sgf 3\nloadsgf 'My Games/a b/#2 final.sgf'\nloadsgf My Games/a\nprintsgf \"out put/x.sgf\"\nprintsgf My Games/new one.sgf\nquit\n";
    let text = answers(&folder, &["gtp"], script);
    let signs: String = text.split("\n\n").filter_map(|answer| answer.trim().chars().next()).collect();
    // The folder `out put` is not there, and no other file is written in its place.
    assert_eq!(signs, "=====???==??==", "{text}");
    assert!(folder.join("My Games/new one.sgf").exists() && !folder.join("My").exists(), "{text}");
    assert!(!folder.join("out").exists() && !folder.join("\"out").exists());
    let script = "boardsize 9\nkgs-time_settings byoyomi 0 3 30\ntime_left b 3 30\ngenmove b\nquit\n";
    assert!(answers(&folder, &["gtp", "--level", "1"], script).contains("= "));
}

#[test]
fn checks_of_uci_are_true_and_false_in_any_case() {
    let folder = scratch("siblings_uci");
    for value in ["True", "FALSE", "tRuE", "false"] {
        let text = answers(
            &folder,
            &["uci"],
            format!("\u{feff}setoption name UCI_ShowWDL value {value}\nisready\nquit\n"),
        );
        assert!(text.contains("readyok") && !text.contains("info string"), "{value}: {text}");
    }
    let text = answers(&folder, &["uci"], b"setoption name UCI_ShowWDL value maybe\nisready\nquit\n");
    assert!(text.contains("info string"), "{text}");
}

#[test]
fn lines_on_stdin_end_by_lf_cr_lf_or_cr() {
    let folder = scratch("siblings_stdin");
    let query = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"moves\":[],\"rules\":\"chinese\",\"komi\":7.5,\"boardXSize\":9,\"boardYSize\":9,\"maxVisits\":1}}"
        )
    };
    let tables: [(&[&str], Vec<String>, &[&str]); 3] = [
        (&["uci"], vec!["\u{feff}uci".into(), "isready".into(), "quit".into()], &["uciok", "readyok"]),
        (
            &["gtp"],
            vec!["\u{feff}1 name".into(), "2 boardsize 9".into(), "3 quit".into()],
            &["=1 Tengen", "=2", "=3"],
        ),
        (&["analyse"], vec![query("first"), query("second")], &["first", "second"]),
    ];
    for (command, lines, wanted) in tables {
        for end in ["\n", "\r\n", "\r"] {
            let input: String = lines.iter().map(|line| format!("{line}{end}")).collect();
            let text = answers(&folder, command, input);
            for word in wanted {
                assert!(text.contains(word), "{command:?} {end:?} {word}: {text}");
            }
        }
    }
}

#[test]
fn endings_in_any_case_are_found_in_folders_and_by_globs() {
    let folder = scratch("siblings_endings");
    for (name, text) in [
        ("in/A.SGF", "(;GM[1]SZ[9];B[ee])"),
        ("in/b.Sgf", "(;GM[1]SZ[9];B[ee])"),
        ("in/sub/c.sgf", "(;GM[1]SZ[9];B[ee])"),
        ("chess/A.PGN", "1. e4 *"),
        ("chess/b.EPD", "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a\";"),
        ("chess/c.Fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ] {
        write(&folder, name, text);
    }
    assert!(stdout(&tengen(&folder, &["check", "in"])).contains("3 cases, 0 faults"));
    assert!(stdout(&tengen(&folder, &["check", "chess"])).contains("3 cases, 0 faults"));
    assert!(stdout(&tengen(&folder, &["check", "in/*.sgf"])).contains("2 cases, 0 faults"));
    for (n, (for_each, cases)) in [
        ("Sgf(glob: \"in/*.sgf\", every: 10)", 2),
        ("Sgf(glob: \"in/**/*.SGF\", every: 10)", 3),
        ("Sgf(glob: \"in\\\\sub\\\\*.sgf\", every: 10)", 1),
        ("Pgn(glob: \"chess/*.pgn\", every: 10)", 1),
        ("Epd(glob: \"chess/?.epd\")", 1),
    ]
    .into_iter()
    .enumerate()
    {
        let task = if for_each.starts_with("Sgf") { PLAYOUTS } else { SEARCH };
        let name = format!("s{n}.ron");
        write(&folder, &name, &format!("(version: 1, name: \"s\", for_each: {for_each}, task: {task})"));
        let text = stdout(&tengen(&folder, &["check", &name]));
        assert!(text.contains(&format!("{cases} case")) && text.contains("0 faults"), "{for_each}: {text}");
    }
    write(
        &folder,
        "back.ron",
        "(version: 1, name: \"s\", game: Go(sgf: \"in\\\\sub\\\\c.sgf\"), task: Playouts(count: 1))",
    );
    assert!(stdout(&tengen(&folder, &["check", "back.ron"])).contains("1 case, 0 faults"));
}

#[cfg(unix)]
#[test]
fn engines_are_named_by_quoted_texts_or_lists_of_words() {
    let folder = scratch("siblings_engines");
    crate::common::starter(&folder, "my engines/run it.sh", "\"$@\"");
    for (n, (game, own, player)) in [
        ("Chess()", "Search(nodes: 200)", "Uci([\"my engines/run it.sh\", \"uci\"], (nodes: 50))"),
        ("Chess()", "Search(nodes: 200)", "Uci(\"\\\"my engines/run it.sh\\\" uci\", (nodes: 50))"),
        ("Chess()", "Search(nodes: 200)", "Uci(\"my\\\\ engines/run\\\\ it.sh uci\", (nodes: 50))"),
        ("Go(size: 7)", "Level(1)", "Gtp([\"my engines/run it.sh\", \"gtp\", \"--level\", \"1\"])"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("e{n}.ron");
        write(
            &folder,
            &name,
            &format!(
                "(version: 1, name: \"e\", game: {game}, task: SelfPlay(games: 1, max_moves: 4, random_moves: 1, players: [{own}, {player}]))"
            ),
        );
        let out = format!("out{n}");
        let arguments = ["selfplay", &name, "--games", "1", "--out", &out, "--allow-commands"];
        let output = tengen(&folder, &arguments);
        assert!(output.status.success(), "{player}: {output:?}");
    }
}

#[test]
fn links_of_a_report_find_their_pages_whatever_the_names_of_games_are() {
    let folder = scratch("siblings_links");
    for name in ["a#b.sgf", "50% won?.sgf", "\u{674e} \u{4e16}.sgf"] {
        write(&folder, &format!("in/{name}"), "(;GM[1]SZ[9];B[ee];W[cc])");
    }
    let output = tengen(&folder, &["report", "in", "--out", "out", "--effort", "quick"]);
    assert!(output.status.success(), "{output:?}");
    let index = fs::read_to_string(folder.join("out/index.html")).expect("an index");
    let links: Vec<&str> = index
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|l| l.ends_with(".html"))
        .collect();
    assert_eq!(links.len(), 3, "{index}");
    for link in links {
        let mut bytes = Vec::new();
        let mut rest = link.as_bytes();
        while let Some((&first, tail)) = rest.split_first() {
            rest = tail;
            if first == b'%' {
                let digits = std::str::from_utf8(&rest[..2]).expect("two digits");
                bytes.push(u8::from_str_radix(digits, 16).expect("a number"));
                rest = &rest[2..];
            } else {
                assert!(!b"#? ".contains(&first), "{link}");
                bytes.push(first);
            }
        }
        let name = String::from_utf8(bytes).expect("a name");
        assert!(folder.join("out").join(&name).exists(), "{link} {name}");
    }
}
