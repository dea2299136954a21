//! Tests that a fault of a scene is reported with file, line, column and one line of help, and that nothing panics.

use crate::common::{game, repository, scratch, stdout, tengen, write};
use serde_json::Value;

/// A scene file's text, and where (line, column) and what its fault is.
const FAULTS: &[(&str, (u64, u64), &str, &str)] = &[
    ("", (1, 1), "opening `(`", "version: 1"),
    ("(version: 1", (1, 11), "comma", "comma"),
    ("(version: 2, name: \"a\", game: Go(size: 9), task: Analyse())", (1, 2), "version 2", "version: 1"),
    ("(version: 1,\n name: \"a\",\n gane: Go(size: 9),\n task: Analyse())", (3, 2), "`gane`", "`game`"),
    ("(version: 1, name: \"a\", game: Goo(size: 9), task: Analyse())", (1, 31), "`Goo`", "`Chess`"),
    ("(version: 1, name: \"a\", game: Go(size: 9, sice: 2), task: Analyse())", (1, 43), "`sice`", "`size`"),
    ("(version: 1, name: \"a\", game: Go(size: \"9\"), task: Analyse())", (1, 40), "integer", "whole number"),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(last: Wurms))",
        (1, 64),
        "`Wurms`",
        "`Worms`",
    ),
    ("(version: 1, name: \"a\", task: Analyse())", (1, 20), "exactly one", "game: Go"),
    ("(version: 1, name: \"a\", game: Go(size: 0), task: Analyse())", (1, 34), "size 0", "1 to 25"),
    ("(version: 1, name: \"a\", game: Go(), task: Analyse())", (1, 31), "exactly one", "sgf"),
    ("(version: 1, name: \"a\", game: Go(diagram: \"\"), task: Analyse())", (1, 34), "rows", "square"),
    ("(version: 1, name: \"a\", game: Go(sgf: \"no.sgf\"), task: Analyse())", (1, 39), "no.sgf", "relative"),
    (
        "(version: 1, name: \"a\", game: Go(sgf: \"../../../../../../../../etc/shadow/x\"), task: Analyse())",
        (1, 39),
        "can't read",
        "relative",
    ),
    ("(version: 1, name: \"a\", game: Go(size: 9, moves: [\"Z9\"]), task: Analyse())", (1, 51), "`Z9`", "D4"),
    ("(version: 1, name: \"a\", game: Go(size: 9), task: Perft(depth: 3))", (1, 44), "perft", "Analyse"),
    (
        "(version: 1, name: \"a\", for_each: Sgf(glob: \"no/*.sgf\"), task: Analyse())",
        (1, 45),
        "no file",
        "glob",
    ),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(), expect: [Worm(at: \"K10\")])",
        (1, 79),
        "`K10`",
        "D4",
    ),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(last: Worms), expect: [BestMove([\"D4\"])])",
        (1, 81),
        "needs the stage MoveEvaluation",
        "Analyse(last: MoveEvaluation)",
    ),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(), expect: [Nodes(20)])",
        (1, 70),
        "means nothing",
        "scenes/README.md",
    ),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(), expect: [Wurm(at: \"D4\")])",
        (1, 70),
        "`Wurm`",
        "`Worm`",
    ),
    (
        "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(last: Worms), expect: [Liberties(of: \"D4\", order: 5, are: [])])",
        (1, 81),
        "order 5",
        "1 to 4",
    ),
];

#[test]
fn every_fault_of_a_scene_has_its_place_and_its_help() {
    let folder = scratch("faults");
    let mut wrong = Vec::new();
    for (index, (text, (line, column), message, help)) in FAULTS.iter().enumerate() {
        let name = format!("{index}.ron");
        write(&folder, &name, text);
        let output = tengen(&folder, &["run", &name, "--format", "json", "--no-progress"]);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let record: Value = serde_json::from_str(&stdout(&output)).expect("one record");
        let fault = &record["result"]["error"];
        assert_eq!(record["status"], "error", "{text}");
        let has =
            |key: &str, part: &str| fault[key].as_str().is_some_and(|t| !t.is_empty() && t.contains(part));
        let place = (fault["at"]["line"].as_u64(), fault["at"]["column"].as_u64());
        let placed = place == (Some(*line), Some(*column)) && fault["file"] == name;
        if !placed || !has("message", message) || !has("help", help) {
            wrong.push(format!("{text}\n  {fault}"));
        }
        assert_eq!(tengen(&folder, &["check", &name]).status.code(), Some(1), "{text}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_broken_game_record_is_placed_in_the_record() {
    let folder = scratch("broken_record");
    write(&folder, "torn.sgf", "(;GM[1]SZ[9]\n;B[ee];W[c");
    write(
        &folder,
        "a.ron",
        "(version: 1, name: \"a\", game: Go(sgf: \"torn.sgf\"), task: Analyse(last: Worms))",
    );
    let output = tengen(&folder, &["run", "a.ron", "--format", "json", "--no-progress"]);
    let record: Value = serde_json::from_str(&stdout(&output)).expect("one record");
    let fault = &record["result"]["error"];
    assert_eq!(
        (fault["file"].as_str(), fault["at"]["line"].as_u64()),
        (Some("torn.sgf"), Some(2)),
        "{fault}"
    );
}

#[test]
fn a_torn_game_record_shown_is_told_with_its_place_and_help() {
    let folder = scratch("show_torn");
    write(&folder, "torn.sgf", "(;GM[1]SZ[9]\n;B[ee];W[c");
    let output = tengen(&folder, &["show", "torn.sgf"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.starts_with("torn.sgf:2:") && told.contains("\n  help: "), "{told}");
}

#[test]
fn a_node_limit_that_cuts_reading_off_is_told_by_the_record() {
    let folder = scratch("limit");
    write(&folder, "game.sgf", &game(60));
    write(&folder, "a.ron", "(version: 1, name: \"a\", game: Go(sgf: \"game.sgf\"), task: Analyse())");
    let cut_off = |limit: &[&str]| {
        let arguments = [&["run", "a.ron", "--format", "json", "--no-progress"], limit].concat();
        let record: Value = serde_json::from_str(&stdout(&tengen(&folder, &arguments))).expect("one record");
        assert_eq!(record["status"], "ok");
        ["tactics", "dragons", "life_and_death", "moves"]
            .map(|stage| record["result"]["cut_off"][stage].as_u64().expect("a count"))
    };
    let (usual, tight) = (cut_off(&[]), cut_off(&["--limit-nodes", "1"]));
    assert!(tight[0] > usual[0] && tight[2] > usual[2] && tight[3] > usual[3], "{tight:?}, {usual:?}");
    assert_eq!(cut_off(&["--limit-nodes", "1000000000"]), usual, "a limit above their own changes nothing");
}

#[test]
fn no_bytes_in_a_scene_file_make_the_program_panic() {
    let folder = scratch("bytes");
    let sound = "(version: 1, name: \"a\", game: Go(diagram: \"X O\\nO X\"), task: Analyse(last: Worms))";
    for cut in 0..sound.len() {
        write(&folder, &format!("cut{cut:03}.ron"), &sound[..cut]);
    }
    std::fs::write(folder.join("binary.ron"), [0xff, 0xfe, 0x00, 0x28]).expect("a file");
    write(&folder, "deep.ron", &"(".repeat(100_000));
    write(&folder, "list.ron", &"[".repeat(100_000));
    let output = tengen(&folder, &["run", ".", "--format", "json", "--no-progress"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output).lines().count(), sound.len() + 3);
    assert!(!stdout(&output).contains("panic"), "no record speaks of a panic");
}

#[test]
fn every_pattern_of_our_own_has_a_scene_in_which_it_fires() {
    let own = tengen_go::patterns::PatternDatabases::default();
    let scenes = repository().join("scenes/go/patterns/own.ron");
    let text = std::fs::read_to_string(&scenes).expect("the scenes of the patterns");
    for matcher in [&own.influence, &own.barriers] {
        for pattern in &matcher.database().patterns {
            assert!(
                text.contains(&format!("Pattern(name: \"{}\"", pattern.name)),
                "{} has none",
                pattern.name
            );
        }
    }
}

#[test]
fn every_scene_that_comes_along_passes() {
    let output = tengen(&repository(), &["run", "scenes", "--no-progress"]);
    let rows = stdout(&output);
    let failed: Vec<&str> = rows.lines().filter(|row| !row.contains(" ok ")).collect();
    assert!(output.status.success(), "{}", failed.join("\n"));
}

#[test]
fn a_fault_in_a_pattern_database_is_told_with_file_line_pattern_and_the_unknown_name() {
    let folder = scratch("patterns");
    write(&folder, "own/barriers.db", "Pattern A\n\nOX\n\n:8,A\n\nOb\n\n;oplay_atack(b,b)\n");
    write(&folder, "none/readme.txt", "");
    let scene = "(version: 1, name: \"a\", game: Go(size: 9), task: Analyse(last: FirstInfluence))";
    write(&folder, "a.ron", scene);
    for command in [&["run", "a.ron"][..], &["show", "a.ron"], &["gtp"]] {
        for (patterns, told) in [
            ("own", &["own/barriers.db:9:", "pattern A", "oplay_atack"][..]),
            ("none", &["none has none of influence.db"]),
        ] {
            let output = tengen(&folder, &[command, &["--patterns", patterns]].concat());
            let text = String::from_utf8_lossy(&output.stderr);
            assert_ne!(output.status.code(), Some(0), "{command:?}");
            for part in told {
                assert!(text.contains(part), "{command:?}: {text}");
            }
        }
    }
}

#[test]
fn a_folder_of_patterns_takes_the_place_of_our_own() {
    let folder = scratch("other_patterns");
    write(
        &folder,
        "mine/barriers.db",
        "# Nothing gets through between two stones side by side.\nPattern Mine\n\nX,X\n\n:+,sA\n",
    );
    let scene = "(version: 1, name: \"a\", game: Go(diagram: \". . . . .\n. X . X .\n. . . . .\n. . . . .\n. . . . .\", \
                 to_move: White), task: Analyse(last: FirstInfluence), expect: [Pattern(name: \"Mine\", at: \"C4\")])";
    write(&folder, "a.ron", scene);
    let with = tengen(&folder, &["run", "a.ron", "--no-progress", "--patterns", "mine"]);
    assert!(with.status.success(), "{}", stdout(&with));
    let without = tengen(&folder, &["run", "a.ron", "--no-progress"]);
    assert!(stdout(&without).contains("Mine did nothing there"), "{}", stdout(&without));
}

#[test]
fn records_that_cannot_be_followed_are_told_by_show_and_report_with_their_place() {
    let folder = scratch("show_illegal");
    write(&folder, "game.sgf", "(;GM[1]SZ[9]\n;B[ee];W[ee];B[cc])");
    for arguments in [&["show", "game.sgf"][..], &["report", "game.sgf", "--out", "pages"]] {
        let output = tengen(&folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("game.sgf:2:") && told.contains("move 2"), "{told}");
    }
    assert!(folder.join("pages/001-game.html").is_file(), "the page up to there is written");
    let again = tengen(&folder, &["report", "game.sgf", "--out", "pages"]);
    assert_eq!(again.status.code(), Some(2), "what is there is not written over");
    let far = tengen(&folder, &["show", "game.sgf", "--move", "9"]);
    assert_eq!(far.status.code(), Some(1), "the record has no ninth move");
}
