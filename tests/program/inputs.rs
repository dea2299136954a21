//! Tests of inputs without a scene: game records, positions and rulesheets.

use crate::common::{game, scratch, stdout, tengen, write};
use serde_json::Value;
use std::path::{Path, PathBuf};

const KIF: &str = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
    (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
    (<= terminal (true (left 0))) (goal you 100)";
const PGN: &str = "[Event \"Cup\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"2024.05.01\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n[White \"C\"]\n\n1. d4 Qxd4 *\n";
const EPD: &str = "# mates\n6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";\nnonsense\n";

fn all_kinds(name: &str) -> PathBuf {
    let folder = scratch(name);
    write(&folder, "games/a.sgf", &game(20).replace("SZ[9]", "SZ[9]PB[Shusaku]PW[Gennan]RE[B+2]DT[1846]"));
    write(&folder, "games/b.pgn", PGN);
    write(&folder, "games/c.epd", EPD);
    write(&folder, "games/d.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    write(&folder, "games/e.kif", KIF);
    folder
}

fn records(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = tengen(folder, &[&["run", "--no-progress", "--format", "json"], arguments].concat());
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn ids(records: &[Value]) -> Vec<(&str, &str)> {
    records.iter().filter_map(|r| Some((r["id"].as_str()?, r["status"].as_str()?))).collect()
}

#[test]
fn a_folder_without_scenes_is_run_with_the_task_of_each_kind() {
    let folder = all_kinds("kinds");
    let found = records(&folder, &["games"]);
    assert_eq!(
        ids(&found),
        [
            ("games/a.sgf@20", "ok"),
            ("games/b.pgn:1@7", "ok"),
            ("games/b.pgn:2", "error"),
            ("games/c.epd:2", "ok"),
            ("games/c.epd:3", "error"),
            ("games/d.fen:1", "ok"),
            ("games/e.kif", "ok"),
        ]
    );
    let place = |n: usize| {
        (found[n]["result"]["error"]["file"].as_str(), found[n]["result"]["error"]["at"]["line"].as_u64())
    };
    assert_eq!((place(2), place(4)), ((Some("games/b.pgn"), Some(11)), (Some("games/c.epd"), Some(3))));
    assert_eq!(found[3]["expect"][0]["ok"], true, "bm is an expectation: {}", found[3]);
    let check = stdout(&tengen(&folder, &["check", "games"]));
    assert!(check.contains("7 cases, 2 faults"), "{check}");
}

#[test]
fn every_fault_of_a_scene_file_is_told_with_its_place() {
    let folder = scratch("faults");
    write(
        &folder,
        "a.ron",
        "(version: 1, scenes: [\n\
          (name: \"a\", game: Go(size: 9), task: Analyse(last: Nowhere)),\n\
          (name: \"b\", game: Chess(fen: 3), task: Search(nodes: 100)),\n\
          (name: \"c\", gme: Chess(), task: Search(nodes: 100)),\n\
          (name: \"d\", game: Go(size: 9), task: Analyse(last: Publish)),\n\
         ])\n",
    );
    let output = tengen(&folder, &["check", "a.ron"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for place in ["a.ron:2:52: error:", "a.ron:3:30: error:", "a.ron:4:13: error:", "a.ron:5:52: error:"] {
        assert!(text.contains(place), "{place} in {text}");
    }
    assert!(text.ends_with("4 cases, 4 faults\n"), "{text}");
    let found = records(&folder, &["a.ron"]);
    let places = ["a.ron:2:52", "a.ron:3:30", "a.ron:4:13", "a.ron:5:52"];
    assert_eq!(ids(&found), places.map(|place| (place, "error")));
}

#[test]
fn some_cases_of_a_batch_are_chosen_by_their_ids() {
    let folder = all_kinds("only");
    write(&folder, "torn.ron", "(version: 1");
    for (only, expected) in [
        ("games/d.fen:1", vec![("games/d.fen:1", "ok")]),
        ("games/[de].*", vec![("games/d.fen:1", "ok"), ("games/e.kif", "ok")]),
        ("nothing", vec![("--only nothing", "error")]),
    ] {
        assert_eq!(ids(&records(&folder, &["games", "--only", only])), expected, "{only}");
    }
    let found = records(&folder, &["games", "torn.ron", "--only", "games/d*", "--only", "games/e*"]);
    let expected = [("games/d.fen:1", "ok"), ("games/e.kif", "ok"), ("torn.ron", "error")];
    assert_eq!(ids(&found), expected, "a file that can't be read is told");
}

#[test]
fn tasks_and_positions_are_chosen_on_the_command_line_and_globs_name_any_kind() {
    let folder = all_kinds("chosen");
    let arguments = ["games/*.sgf", "--every", "8", "--task", "Analyse(last: Worms)"];
    let ids_of = |arguments: &[&str]| -> Vec<String> {
        records(&folder, arguments).iter().filter_map(|r| r["id"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(ids_of(&arguments), ["games/a.sgf@0", "games/a.sgf@8", "games/a.sgf@16"]);
    assert_eq!(
        ids_of(&["games/*.pgn", "--move", "2", "--task", "Perft(depth: 1)"]),
        ["games/b.pgn:1@2", "games/b.pgn:2"]
    );
    let wrong = tengen(&folder, &["run", "games", "--task", "Analyze()"]);
    assert_eq!(wrong.status.code(), Some(2));
    let told = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(told.contains("`Analyse`") && told.contains("--task:1:1"), "{told}");
}

#[test]
fn a_scene_may_stand_for_the_positions_of_epd_and_pgn_files() {
    let folder = all_kinds("for_each");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, scenes: [
            (name: "suite", for_each: Epd(glob: "games/*.epd"), task: Search(depth: 3)),
            (name: "games", for_each: Pgn(glob: "games/*.pgn", every: 4), task: Perft(depth: 1)),
        ])"#,
    );
    let found = records(&folder, &["a.ron"]);
    let named: Vec<&str> =
        found.iter().filter_map(|r| r["id"].as_str()?.split_once('#').map(|(_, n)| n)).collect();
    assert_eq!(
        named,
        [
            "suite/games/c.epd:2",
            "suite/games/c.epd:3",
            "games/games/b.pgn:1@0",
            "games/games/b.pgn:1@4",
            "games/games/b.pgn:2"
        ]
    );
    assert_eq!(found[3]["result"]["nodes"], 33, "{}", found[3]);
}

#[test]
fn a_record_says_which_move_of_which_game_it_is_and_shows_the_stones_before_and_after() {
    let folder = all_kinds("about");
    let record = &records(&folder, &["games/a.sgf", "--move", "4"])[0];
    let about = &record["game"];
    assert_eq!(about["file"], "games/a.sgf");
    assert_eq!((about["move"].as_u64(), about["moves"].as_u64()), (Some(4), Some(20)));
    assert_eq!(about["played"], "E1", "{about}");
    for (name, value) in [("black", "Shusaku"), ("white", "Gennan"), ("result", "B+2"), ("date", "1846")] {
        assert_eq!(about["info"][name], value);
    }
    let count = |key: &str| record["result"][key].as_str().expect("stones").matches(['X', 'O']).count();
    assert_eq!(record["result"]["stones"].as_str().map(str::len), Some(81));
    assert_eq!((count("stones"), count("stones_after")), (4, 5), "{record}");
    let reason = &record["result"]["moves"][0]["reasons"][0];
    assert!(reason["kind"].is_string() && reason["text"].is_string(), "{reason}");
    let chess = &records(&folder, &["games/b.pgn", "--move", "2"])[0]["game"];
    assert_eq!(
        (chess["number"].as_u64(), chess["line"].as_u64(), chess["played"].as_str()),
        (Some(1), Some(1), Some("f1c4"))
    );
    assert_eq!(
        (chess["info"]["white"].as_str(), chess["info"]["date"].as_str()),
        (Some("A"), Some("2024.05.01"))
    );
}

#[test]
fn an_illegal_move_of_a_game_is_an_error_with_its_place_or_a_warning_by_choice_and_never_ok_unsaid() {
    let folder = scratch("illegal");
    write(&folder, "twice.sgf", "(;SZ[9];B[aa];W[bb]\n;B[aa];W[cc])");
    let arguments = ["twice.sgf", "--every", "1", "--task", "Analyse(last: Worms)"];
    let found = records(&folder, &arguments);
    let statuses: Vec<&str> = ids(&found).into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["ok", "ok", "ok", "error", "error"]);
    let fault = &found[3]["result"]["error"];
    assert_eq!(
        (fault["file"].as_str(), fault["at"]["line"].as_u64()),
        (Some("twice.sgf"), Some(2)),
        "{fault}"
    );
    assert!(fault["message"].as_str().is_some_and(|m| m.starts_with("move 3 of the record")), "{fault}");
    let check = tengen(&folder, &[&["check"], &arguments[..]].concat());
    assert!(stdout(&check).contains("5 cases, 2 faults"), "{}", stdout(&check));
    let warned = records(&folder, &[&arguments[..], &["--illegal-moves", "warning"]].concat());
    assert_eq!(warned[3]["status"], "ok");
    assert!(
        warned[3]["warnings"][0]["message"].as_str().is_some_and(|m| m.starts_with("move 3")),
        "{}",
        warned[3]
    );
}

#[test]
fn a_game_without_an_end_is_told_by_a_run_and_by_the_referee() {
    let folder = scratch("endless_game");
    let line = format!("{}\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(4096));
    let text = format!("1. e4 e5 1-0\n\n[Event \"endless\"]\n\n{}", line.repeat(300));
    write(&folder, "a.pgn", &text);
    let found = records(&folder, &["a.pgn", "--task", "Perft(depth: 1)"]);
    assert_eq!(ids(&found), [("a.pgn:1@2", "ok"), ("a.pgn", "error")]);
    let message = found[1]["result"]["error"]["message"].as_str().expect("a message");
    assert!(message.contains("a game of more than 16 MiB"), "{message}");
    let referee = tengen(&folder, &["chess", "referee", "a.pgn"]);
    assert_eq!((referee.status.code(), stdout(&referee).lines().count()), (Some(2), 1));
    let told = String::from_utf8_lossy(&referee.stderr);
    assert!(told.contains("a.pgn: it has a game of more than 16 MiB"), "{told}");
}

#[test]
fn moves_are_shown_in_the_notation_of_the_expectation_and_in_san_in_the_table() {
    let folder = scratch("notations");
    let mate = "6k1/5ppp/8/8/8/8/8/R6K w - -";
    write(&folder, "bad.epd", &format!("{mate} bm Ra2;\n"));
    write(&folder, "good.epd", &format!("{mate} bm Ra8#;\n"));
    let scene = format!(
        "(version: 1, name: \"uci\", game: Chess(fen: \"{mate} 0 1\"), task: Search(nodes: 500), expect: [BestMove([\"a1a2\"])])"
    );
    write(&folder, "uci.ron", &scene);
    for (file, best) in [("bad.epd", "Ra8#"), ("uci.ron", "a1a8")] {
        let found = records(&folder, &[file, "--task", "Search(nodes: 500)"]);
        assert_eq!(found[0]["expect"][0]["found"][0], format!("the best move is {best}"), "{}", found[0]);
        assert_eq!(found[0]["result"]["best"], "a1a8", "records keep UCI");
    }
    let table =
        stdout(&tengen(&folder, &["run", "good.epd", "--no-progress", "--task", "Search(nodes: 500)"]));
    assert!(table.contains("Ra8# 29999"), "{table}");
}

#[test]
fn the_referee_reports_a_tag_that_the_end_of_the_moves_contradicts() {
    let folder = scratch("two_results");
    write(&folder, "a.pgn", "[Result \"1-0\"]\n\n1. e4 e5 0-1\n\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    let output = tengen(&folder, &["chess", "referee", "a.pgn", "--faults"]);
    let found: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((output.status.code(), found.len()), (Some(1), 1), "{found:?}");
    assert_eq!((&found[0]["agrees"], &found[0]["result"]), (&Value::from(false), &Value::from("1-0")));
    assert_eq!(found[0]["termination_marker"], "0-1", "{found:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("2 games, 1 that can't be read or have a contradicted result"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_device_a_huge_file_and_bytes_that_are_no_text_are_told() {
    let folder = scratch("devices");
    std::fs::write(folder.join("latin.ron"), b"(version: 1,\n name: \"\xe4\")").expect("a file");
    std::fs::write(folder.join("many.sgf"), [b"(", [b';'; 2_000_000].as_slice(), b")"].concat())
        .expect("a file");
    for link in ["zero.ron", "zero.sgf", "zero.kif", "zero.epd", "zero.pgn"] {
        std::os::unix::fs::symlink("/dev/zero", folder.join(link)).expect("a link");
    }
    for (name, message, line) in [
        ("zero.ron", "no file but a device", 1),
        ("zero.sgf", "no file but a device", 0),
        ("zero.kif", "no file but a device", 1),
        ("zero.epd", "no file but a device", 1),
        ("zero.pgn", "no file but a device", 1),
        ("many.sgf", "at most 1000000 nodes", 1),
        ("latin.ron", "not text in UTF-8", 2),
    ] {
        let found = records(&folder, &[name]);
        let fault = &found[0]["result"]["error"];
        assert!(fault["message"].as_str().is_some_and(|m| m.contains(message)), "{name}: {fault}");
        if line > 0 {
            assert_eq!(fault["at"]["line"], line, "{name}: {fault}");
        }
    }
}
