//! Tests files as other programs write them. The test has a table of cases, and the whole program must answer each row
//! correctly.

use crate::common::{answers, scratch, stdout, tengen, write};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The records of `tengen run`.
fn records(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let all = [&["run", "--format", "json", "--no-progress"], arguments].concat();
    let text = stdout(&tengen(folder, &all));
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// The kinds of a record's warnings.
fn kinds(record: &Value) -> Vec<&str> {
    record["warnings"].as_array().into_iter().flatten().filter_map(|w| w["kind"].as_str()).collect()
}

const PLAYOUTS: [&str; 2] = ["--task", "Playouts(count: 1)"];

#[test]
fn warnings_are_in_the_record_and_errors_where_they_are_strict() {
    let folder = scratch("people_strict");
    write(&folder, "fox.sgf", "(;GM[1]FF[4]SZ[9]AP[foxwq]KM[375]HA[0]RU[Chinese];B[ee];W[dd])");
    write(&folder, "pos.epd", "r3k3/8/8/8/8/8/8/4K2R w KQkq - id \"x\";\n");
    write(&folder, "null.pgn", "[FEN \"3r2k1/8/8/8/R7/8/8/6K1 w - - 0 1\"]\n\n1. -- Rd4 *\n");
    for (file, kind, task) in [
        ("fox.sgf", "sgf-komi-hundredths", "Playouts(count: 1)"),
        ("pos.epd", "chess-castling-surplus", "Search(nodes: 100)"),
        ("null.pgn", "chess-null-move", "Search(nodes: 100)"),
    ] {
        let found = records(&folder, &[file, "--task", task]);
        assert_eq!((found[0]["status"].as_str(), kinds(&found[0])), (Some("ok"), vec![kind]), "{}", found[0]);
        assert_eq!(found[0]["warnings"][0]["file"], file);
        let strict = records(&folder, &[file, "--task", task, "--strict"]);
        assert_eq!(strict[0]["result"]["error"]["kind"], kind, "{}", strict[0]);
        let check = tengen(&folder, &["check", file, "--task", task]);
        assert!(check.status.success() && String::from_utf8_lossy(&check.stderr).contains(kind), "{check:?}");
        let check = tengen(&folder, &["check", file, "--task", task, "--strict"]);
        assert!(!check.status.success() && stdout(&check).contains(kind), "{check:?}");
    }
    write(
        &folder,
        "d.ron",
        "(version: 1, name: \"d\", game: Go(diagram: \"XO.\\nO..\\n...\"), task: Playouts(count: 1))",
    );
    assert_eq!(kinds(&records(&folder, &["d.ron"])[0]), ["go-stone-without-liberty"]);
}

#[test]
fn all_games_of_an_sgf_are_cases() {
    let folder = scratch("people_collection");
    write(&folder, "all.sgf", "(;SZ[9]PB[one];B[aa];W[bb])\n(;SZ[13]PB[two];B[cc])\n(;SZ[9]PB[three]AB[ee])");
    let found = records(&folder, &[&["all.sgf"], &PLAYOUTS[..]].concat());
    let ids: Vec<_> = found.iter().filter_map(|r| r["id"].as_str()).collect();
    assert_eq!(ids, ["all.sgf:1@2", "all.sgf:2@1", "all.sgf:3@0"]);
    assert_eq!(
        (found[1]["game"]["number"].as_u64(), found[1]["game"]["info"]["black"].as_str()),
        (Some(2), Some("two"))
    );
    assert!(stdout(&tengen(&folder, &["check", "all.sgf"])).contains("3 cases, 0 faults"));
    write(
        &folder,
        "one.ron",
        "(version: 1, name: \"o\", game: Go(sgf: \"all.sgf\"), task: Playouts(count: 1))",
    );
    assert_eq!(kinds(&records(&folder, &["one.ron"])[0]), ["sgf-more-games"]);
    write(&folder, "torn.sgf", "(;SZ[9];B[aa])(;SZ[9];B[bb");
    let found = records(&folder, &[&["torn.sgf"], &PLAYOUTS[..]].concat());
    assert_eq!((found.len(), found[1]["status"].as_str()), (2, Some("error")));
}

#[test]
fn endings_in_any_case_are_found_in_folders() {
    let folder = scratch("people_case");
    for name in ["in/UPPER.SGF", "in/a.sgf", "in/b.Pgn"] {
        let text = if name.ends_with("gn") { "1. e4 *\n" } else { "(;GM[1]SZ[9]KM[5.5];B[ee];W[cc];B[gc])" };
        write(&folder, name, text);
    }
    write(&folder, "in/readme.txt", "nothing");
    assert!(stdout(&tengen(&folder, &["check", "in"])).contains("3 cases, 0 faults"));
}

#[test]
fn texts_of_chess_are_read_with_marks_in_any_charset_and_with_any_ends_of_lines() {
    let folder = scratch("people_chess");
    let search = ["--task", "Search(nodes: 100)"];
    let run = |name: &str| records(&folder, &[&[name], &search[..]].concat());
    fs::write(folder.join("latin.pgn"), b"[White \"Jos\xe9\"]\n\n1. e4 {\xe9t\xe9} *\n").expect("a file");
    assert_eq!(run("latin.pgn")[0]["game"]["info"]["white"], "Jos\u{e9}");
    write(&folder, "cr.pgn", "[White \"A\"]\r[Result \"1-0\"]\r\r1. f3 e5 2. g4 Qh4# 0-1\r\r");
    assert_eq!(run("cr.pgn")[0]["game"]["moves"], 4);
    write(
        &folder,
        "bom.epd",
        "\u{feff}6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;\r6k1/5ppp/8/8/8/8/8/R3K3 w - -; bm Ra8#;\r",
    );
    let found = run("bom.epd");
    assert_eq!(
        (found.len(), found[0]["status"].as_str(), found[1]["status"].as_str()),
        (2, Some("ok"), Some("ok"))
    );
    write(&folder, "am.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id \"avoid the mate\";\n");
    assert_eq!(run("am.epd")[0]["status"], "failed");
    write(&folder, "atomic.pgn", "[Variant \"Atomic\"]\n\n1. Nf3 e6 *\n");
    assert!(
        run("atomic.pgn")[0]["result"]["error"]["message"].as_str().is_some_and(|m| m.contains("Atomic"))
    );
    write(&folder, "bom.ron", "\u{feff}(version: 1, name: \"s\", game: Chess(), task: Search(nodes: 100))");
    assert_eq!(run("bom.ron")[0]["status"], "ok");
    write(
        &folder,
        "bom.kif",
        "\u{feff}(role a) (init (p 1)) (legal a x) (<= terminal (true (p 1))) (goal a 100)",
    );
    assert_eq!(records(&folder, &["bom.kif"])[0]["status"], "ok");
}

#[test]
fn uci_plays_no_move_of_a_position_before_a_refused_one() {
    let folder = scratch("people_uci");
    let say = |text: &str| answers(&folder, &["uci"], text);
    assert!(say("\u{feff}uci\nisready\nquit\n").contains("uciok"));
    let dropped = say(
        "position startpos moves e2e4\nposition fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b KQkq - 5 4\nd\nquit\n",
    );
    assert!(
        dropped.contains("fen r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"),
        "{dropped}"
    );
    let refused = say("position startpos moves e2e4\nposition fen 8/8/8 w - -\ngo depth 1\nisready\nquit\n");
    assert!(refused.contains("bestmove 0000"), "{refused}");
    let again = say("position fen 8/8/8 w - -\nposition startpos\ngo depth 1\nisready\n");
    assert!(again.contains("bestmove") && !again.contains("0000"), "{again}");
    let checks =
        say("setoption name UCI_ShowWDL value True\nsetoption name Ponder value FALSE\nisready\nquit\n");
    assert!(!checks.contains("true or false"), "{checks}");
}

#[test]
fn gtp_takes_names_of_files_with_blanks_and_refuses_boards_that_are_not_square() {
    let folder = scratch("people_gtp");
    write(&folder, "My Games/Game #1.sgf", "(;GM[1]SZ[9]KM[6.5]PB[A]PW[B];B[ee];W[cc];B[gc])");
    let script = "\u{feff}loadsgf My Games/Game #1.sgf\nloadsgf \"My Games/Game #1.sgf\"\nloadsgf My Games/Game #1.sgf 2\n\
        loadsgf \"My Games/Game #1.sgf\" 2\nloadsgf My Games/none.sgf\nboardsize 9\nplay b e5 # a comment\nprintsgf My Games/out.sgf\n\
        boardsize 9 13\nboardsize 9 9\nboardsize 9x13\nquit\n";
    let text = answers(&folder, &["gtp"], script);
    let heads: Vec<&str> = text.split("\n\n").map(str::trim).filter(|t| !t.is_empty()).collect();
    assert_eq!(heads[..4], ["= white", "= white", "= white", "= white"], "{text}");
    assert!(heads[4].starts_with('?') && heads[5..8].iter().all(|head| head.starts_with('=')), "{text}");
    assert_eq!((heads[8], heads[9]), ("? unacceptable size", "="));
    assert!(heads[10].starts_with('?'), "{text}");
    assert!(fs::read_to_string(folder.join("My Games/out.sgf")).is_ok_and(|text| text.contains(";B[ee]")));
    assert!(!folder.join("My").exists());
}

#[test]
fn rules_are_known_in_all_spellings() {
    let folder = scratch("people_rules");
    let names = [
        "new zealand",
        "stone_scoring",
        "tromp-taylor",
        "Tromp_Taylor",
        "Japanese",
        "NEW-ZEALAND",
        "chinese-ogs",
    ];
    let script: String = names.iter().map(|name| format!("kata-set-rules {name}\n")).collect();
    let text = answers(&folder, &["gtp"], &script);
    assert!(!text.contains('?'), "{text}");
    assert!(answers(&folder, &["gtp"], "kata-set-rules chess\n").contains("? unknown rules"));
    let query = |rules: &str| {
        format!(
            "\u{feff}{{\"id\":\"a\",\"moves\":[],\"rules\":\"{rules}\",\"komi\":6.5,\"boardXSize\":9,\"boardYSize\":9,\"maxVisits\":2}}\n"
        )
    };
    let text = answers(&folder, &["analyse"], query("new zealand"));
    assert!(text.contains("moveInfos"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_engine_in_a_folder_with_a_blank_is_started() {
    let folder = scratch("people_engine");
    crate::common::starter(&folder, "my engines/run.sh", "uci");
    write(
        &folder,
        "e.ron",
        "(version: 1, name: \"e\", game: Chess(), task: SelfPlay(games: 1, max_moves: 4, random_moves: 2, players: \
         [Search(nodes: 200), Uci(\"'my engines/run.sh'\", (nodes: 50))]))",
    );
    let arguments = ["selfplay", "e.ron", "--games", "1", "--out", "out", "--allow-commands"];
    let output = tengen(&folder, &arguments);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_report_links_to_pages_whatever_the_names_of_games_are_and_keeps_their_letters() {
    let folder = scratch("people_report");
    fs::create_dir_all(folder.join("My Games")).expect("a folder");
    let text = b"(;GM[1]SZ[9]KM[6.5]CA[GBK]PB[\x40\xc0\xee];B[ee];W[cc];B[gc])";
    fs::write(folder.join("My Games/Game #1?.sgf"), text).expect("a file");
    let output = tengen(&folder, &["report", "My Games", "--out", "out", "--sgf", "--effort", "quick"]);
    let index = fs::read_to_string(folder.join("out/index.html")).unwrap_or_default();
    assert!(index.contains("href=\"001-Game%20%231%3F.html\""), "{index} {output:?}");
    let record = fs::read_to_string(folder.join("out/001-Game #1?.sgf")).expect("a record in UTF-8");
    assert!(record.contains("CA[UTF-8]") && record.contains("@\u{674e}"), "{record}");
}

/// The cases that others gave, where they are.
#[test]
fn the_files_of_the_table_of_cases_give_the_right_values() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    if !cases.exists() {
        // A reader of stderr that goes away is no fault of the test.
        let _ = writeln!(std::io::stderr(), "skipped: ../shared/cases is not here");
        return;
    }
    let table = [
        ("sgf_charset_loses_move.sgf", 4, ""),
        ("sgf_charset_refused.sgf", 2, ""),
        ("sgf_charset_names.sgf", 1, ""),
        ("sgf_fox_komi.sgf", 2, "sgf-komi-hundredths"),
        ("sgf_komi_comma.sgf", 1, "sgf-number-comma"),
        ("sgf_rectangle_reversed.sgf", 0, ""),
        ("sgf_stone_without_liberty.sgf", 0, "go-stone-without-liberty"),
        ("sgf_nz_suicide.sgf", 2, ""),
        ("sgf_utf16.sgf", 3, ""),
        ("sgf_pl_x.sgf", 2, "sgf-player-unknown"),
    ];
    for (file, moves, kind) in table {
        let found = records(&cases, &[&[file], &PLAYOUTS[..]].concat());
        assert_eq!((found.len(), found[0]["status"].as_str()), (1, Some("ok")), "{file}: {found:?}");
        assert_eq!(found[0]["game"]["moves"], moves, "{file}");
        assert_eq!(kinds(&found[0]).join(" "), kind, "{file}");
    }
    let chess = [
        ("chess_castling_flags.epd", 2, 0),
        ("chess_null_dashes.pgn", 1, 2),
        ("chess_nag_glued.pgn", 1, 3),
        ("chess_latin1.pgn", 1, 1),
        ("chess_result_half.pgn", 1, 2),
        ("pgn_cr_only.pgn", 1, 4),
        ("epd_glued_semicolon.epd", 3, 0),
        ("epd_bom.epd", 2, 0),
        ("epd_hmvc.epd", 3, 0),
    ];
    for (file, games, moves) in chess {
        let found = records(&cases, &[file, "--task", "Search(nodes: 500)"]);
        assert_eq!(found.len(), games, "{file}");
        assert!(found.iter().all(|record| record["status"] != "error"), "{file}: {found:?}");
        assert_eq!(found[0]["game"]["moves"].as_u64().unwrap_or(0), moves, "{file}");
    }
    let scores = records(&cases, &["epd_hmvc.epd", "--task", "Search(depth: 6)"]);
    assert_eq!((&scores[0]["result"]["score"], &scores[2]["result"]["score"]), (&0.into(), &0.into()));
}
