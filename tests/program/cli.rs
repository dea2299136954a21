//! Tests of the command line: help, errors, exit codes and output formats.

use crate::common::{game, repository, scratch, stdout, tengen, wide_rules, write};
use serde_json::Value;

#[test]
fn every_subcommand_explains_itself() {
    let commands = "example run check selfplay merge profile export events show report view gtp analyse uci ggp chess go gdl \
                    completions man bench";
    for command in commands.split_whitespace() {
        let output = tengen(&repository(), &[command, "--help"]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        assert!(stdout(&output).contains("Usage: tengen"), "{command}");
    }
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    for arguments in [&["fly"][..], &["run"], &["run", "scenes", "--jobs", "many"]] {
        assert_eq!(tengen(&repository(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn every_scene_that_comes_along_is_valid() {
    let output = tengen(&repository(), &["check", "scenes"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn a_scene_of_the_current_folder_finds_the_games_beside_it() {
    let folder = scratch("current_folder");
    write(&folder, "a.sgf", &game(4));
    let scene = r#"(version: 1, name: "all", for_each: Sgf(glob: "*.sgf"), task: Analyse(last: Worms))"#;
    write(&folder, "all.ron", scene);
    for name in ["all.ron", "./all.ron", "*.ron"] {
        let output = tengen(&folder, &["run", name, "--format", "json", "--no-progress"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stdout(&output));
        assert!(stdout(&output).contains("all/a.sgf"), "{name}: {}", stdout(&output));
    }
}

#[test]
fn one_bad_scene_is_one_error_record_and_the_rest_runs() {
    let folder = scratch("one_bad_scene");
    write(&folder, "games/a.sgf", &game(20));
    let task = "task: Analyse(last: Worms)";
    write(
        &folder,
        "all.ron",
        &format!(
            r#"(version: 1, scenes: [
                (name: "good", game: Go(sgf: "games/a.sgf", move: 10), {task}),
                (name: "gone", game: Go(sgf: "games/none.sgf"), {task}),
                (name: "also good", game: Go(size: 9, moves: ["E5", "c3"]), {task}),
                (name: "illegal", game: Go(size: 9, moves: ["E5", "E5"]), {task}),
            ])"#
        ),
    );
    let output = tengen(&folder, &["run", "all.ron", "--format", "json", "--no-progress"]);
    assert_eq!(output.status.code(), Some(1));
    let records: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let statuses: Vec<&str> = records.iter().filter_map(|r| r["status"].as_str()).collect();
    assert_eq!(statuses, ["ok", "error", "ok", "error"]);
    for bad in [&records[1], &records[3]] {
        let fault = &bad["result"]["error"];
        assert_eq!(fault["file"], "all.ron");
        assert!(
            fault["at"]["line"].as_u64() > Some(1) && fault["at"]["column"].as_u64() > Some(1),
            "{fault}"
        );
        assert!(fault["help"].as_str().is_some_and(|help| !help.is_empty()), "{fault}");
    }
    let keys: Vec<&String> = records[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["schema", "id", "domain", "task", "game", "status", "expect", "result", "signature"]);
    assert_eq!(records[0]["schema"], "tengen.record/1");
    assert_eq!(records[0]["id"], "all.ron#good");
}

#[test]
fn a_failed_expectation_exits_with_1_and_says_what_was_found() {
    let folder = scratch("failed_expectation");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "a", game: Go(size: 5),
            task: Influence(sources: [(at: "C3")]),
            expect: [Influence(at: "C3", color: White, is: 99)])"#,
    );
    let output = tengen(&folder, &["run", "a.ron"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("influence at C3 is 100.0000, not 99"), "{}", stdout(&output));
}

#[test]
fn a_chess_suite_that_cannot_be_read_is_told_with_file_and_line() {
    let folder = scratch("chess_suites");
    write(&folder, "bad.epd", "\n8/8/8/8/8/8/8/K6k w - - ;D1 3\nnot a position ;D1 20\n");
    for arguments in [&["perft"][..], &["repetition", "--epd"], &["repetition", "--threads"], &["epd"]] {
        for (file, told) in [("bad.epd", "bad.epd:3: "), ("none.epd", "none.epd: ")] {
            let output = tengen(&folder, &[&["chess"], arguments, &[file]].concat());
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
            assert!(text.contains(told), "{arguments:?}: {text}");
        }
    }
}

#[test]
fn likely_moves_are_learned_from_records_and_a_torn_record_is_named_and_left_out() {
    let folder = scratch("go_learn");
    write(&folder, "a.sgf", &game(30));
    write(&folder, "torn.sgf", "(;SZ[9];B[aa");
    let learned = tengen(&folder, &["go", "learn", "a.sgf", "--epochs", "2", "--out", "weights.txt"]);
    assert_eq!(learned.status.code(), Some(0), "{}", String::from_utf8_lossy(&learned.stderr));
    let weights = std::fs::read_to_string(folder.join("weights.txt")).expect("they were written");
    assert!(weights.contains("[recapture]") && weights.contains("[shapes]"));
    let partly =
        tengen(&folder, &["go", "learn", "a.sgf", "torn.sgf", "--epochs", "1", "--out", "partly.txt"]);
    assert_eq!(partly.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&partly.stderr).contains("torn.sgf"));
    let nothing = tengen(&folder, &["go", "learn", "torn.sgf", "--out", "none.txt"]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(!folder.join("none.txt").exists());
    write(&folder, "twice.sgf", "(;SZ[9];B[aa];W[aa];B[bb])");
    let twice =
        tengen(&folder, &["go", "learn", "a.sgf", "twice.sgf", "--epochs", "1", "--out", "twice.txt"]);
    assert_eq!(twice.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("twice.sgf: move 2"));
    for wrong in [
        &["--rate", "nan", "--out", "x.txt"][..],
        &["--epochs", "0", "--out", "x.txt"],
        &["--out", "gone/x.txt"],
    ] {
        let output = tengen(&folder, &[&["go", "learn", "a.sgf"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn weights_that_can_not_be_written_are_told_before_a_game_and_those_there_are_kept_until_the_new_ones_are_whole()
 {
    let folder = scratch("tune");
    write(&folder, "weights.txt", "as they were");
    let tune = |out: &str, games: &str| {
        let numbers = ["--games", games, "--nodes", "50", "--epochs", "1"];
        tengen(&folder, &[&["chess", "tune", "--out", out][..], &numbers].concat())
    };
    // So many games would take days.
    let output = tune("none/weights.txt", "1000000");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("none/weights.txt"), "{output:?}");
    assert_eq!(std::fs::read_to_string(folder.join("weights.txt")).unwrap(), "as they were");
    assert_eq!(tune("weights.txt", "1").status.code(), Some(0));
    assert!(std::fs::read_to_string(folder.join("weights.txt")).unwrap().contains("[pawn-square]"));
    assert!(!folder.join("weights.txt.part").exists());
}

#[test]
fn the_suite_of_chess_cases_runs_where_there_is_no_file() {
    let nowhere = scratch("suite");
    let output = tengen(&nowhere, &["chess", "suite", "--group", "identity"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("facts: 60 right, 0 wrong"), "{}", stdout(&output));
    let gone = tengen(&nowhere, &["chess", "suite", "none.jsonl"]);
    assert_eq!(gone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&gone.stderr).contains("none.jsonl: there is no such file"), "{gone:?}");
}

#[test]
fn means_of_a_match_leave_out_random_and_games_that_did_not_end() {
    let folder = scratch("match_means");
    // `a` may walk into a state without a move.
    let rules = "(role random)(role a)(init s)
(<= (legal a stop) (true s))(<= (legal a stray) (true s))(<= (legal random (coin heads)) (true s))
(<= (legal random (coin tails)) (true s))(<= (next over) (does a stop))(<= (next lost) (does a stray))
(<= terminal (true over))(<= (goal a 80) (true over))(<= (sees a ?c) (does random (coin ?c)))";
    write(&folder, "stray.kif", rules);
    let text =
        stdout(&tengen(&folder, &["gdl", "match", "stray.kif", "--players", "random", "--games", "40"]));
    let lines: Vec<&str> = text.lines().collect();
    let ended = lines.iter().filter(|line| line.ends_with("1 move, goals 80")).count();
    let broken = lines.iter().filter(|line| line.ends_with("1 move, not finished")).count();
    assert!(ended + broken == 40 && ended > 5 && broken > 5, "{text}");
    let last = &lines[40..];
    assert_eq!(last[0], format!("random: mean goal 80.0, 0 of {ended} with 100"));
    assert!(last.len() == 2 && last[1].starts_with(&format!("{broken} games not finished")), "{text}");
    write(&folder, "never.kif", &rules.replace("(does a stop)", "(does a stay)"));
    let text =
        stdout(&tengen(&folder, &["gdl", "match", "never.kif", "--players", "random", "--games", "3"]));
    assert!(text.contains("\nrandom: no goal in any game\n3 games not finished"), "{text}");
}

#[test]
fn exploring_a_game_of_gdl_ii_tells_what_each_role_perceives() {
    use std::io::Write as _;
    for propagator in ["auto", "prover"] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["gdl", "explore", "scenes/gdl2/montyHall.kif", "--propagator", propagator])
            .current_dir(repository())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = "{\"move\":[\"(choose 1)\",\"(hide 3)\"]}\n{\"move\":[\"wait\",\"(open 2)\"]}\n";
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let states: Vec<Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let sees: Vec<String> = states.iter().map(|state| state["sees"].to_string()).collect();
        assert_eq!(sees, ["[[],[]]", "[[],[]]", "[[\"(opened 2)\"],[]]"], "{propagator}");
        assert_eq!(states[2]["true"].to_string(), "[\"(car 3)\",\"(chosen 1)\",\"(opened 2)\",\"(step 3)\"]");
    }
}

#[test]
fn the_prover_answers_while_a_net_that_takes_long_is_made() {
    use std::io::Write as _;
    let folder = scratch("explore_meanwhile");
    write(&folder, "wide.kif", &wide_rules(100));
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["gdl", "explore", "wide.kif"])
        .current_dir(&folder)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let input = "{\"move\":[\"(m 5)\"]}\n{\"move\":[\"(m 6)\"]}\n";
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("wide.kif: no net after 2 s; the prover answers meanwhile,"), "{told}");
    let states: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let facts: Vec<String> = states.iter().map(|state| state["true"].to_string()).collect();
    assert_eq!(facts, ["[\"(q 0 0 0 0)\"]", "[\"(q 0 0 0 5)\"]", "[\"(q 0 0 5 6)\"]"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_match_goes_through_several_rulesheets_and_one_that_is_missing_costs_no_other() {
    let sheets = ["resources/gdl/corridor.kif", "resources/gdl/none.kif", "resources/gdl/noughts.kif"];
    let rest = ["--games", "1", "--visits", "500"];
    let out = tengen(&repository(), &[&["gdl", "match"], &sheets[..], &rest[..]].concat());
    assert_eq!(out.status.code(), Some(1));
    let text = String::from_utf8_lossy(&out.stdout);
    for wanted in [sheets[0], "auto: mean goal 100.0, 1 of 1 with 100", sheets[1], sheets[2]] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(String::from_utf8_lossy(&out.stderr).contains("none.kif"));
}

#[test]
fn a_count_of_perft_that_would_go_on_for_ever_is_given_up_and_told() {
    let folder = std::env::temp_dir().join(format!("tengen_perft_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let suite = folder.join("deep.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(&suite, format!("{start} ;D1 20 ;D361 20\n")).expect("a suite");
    let out = tengen(&repository(), &["chess", "perft", &suite.to_string_lossy(), "--max-nodes", "50000"]);
    std::fs::remove_dir_all(&folder).expect("removed");
    let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(text.contains("D361 goes on after 1000000 boards, not 20"), "{text}");
}

#[test]
fn players_that_are_unknown_or_too_many_are_refused() {
    let sheet = "scenes/gdl2/montyHall.kif";
    for (players, told) in [
        ("Anna", "there is no player `Anna`: the players are legal, random, montecarlo, uct, alphabeta"),
        ("uct,uct", "--players names 2 players, and the rulesheet has 1 role to play"),
    ] {
        let out = tengen(&repository(), &["gdl", "match", sheet, "--players", players, "--games", "1"]);
        assert_eq!(out.status.code(), Some(2), "{players}");
        let text = String::from_utf8_lossy(&out.stderr);
        assert!(text.contains(told), "{players}: {text}");
    }
}
