//! Tests the messages in special cases: counts of one, faults that many cases share, missing engines.

use crate::common::{scratch, stdout, tengen, write};
use std::fs;

#[test]
fn an_engine_that_is_missing_costs_its_own_row_of_the_suite() {
    let folder = scratch("small_suite");
    let cases = crate::common::repository().join("resources/chess/repetition/cases.jsonl");
    let ours = format!("'{}' uci", env!("CARGO_BIN_EXE_tengen"));
    let moves: Vec<String> = fs::read_to_string(cases)
        .expect("the published cases")
        .lines()
        .filter(|line| line.contains("\"best\""))
        .take(3)
        .map(str::to_owned)
        .collect();
    assert_eq!(moves.len(), 3, "cases that ask for a move");
    write(&folder, "cases.jsonl", &moves.join("\n"));
    let arguments = [
        "chess",
        "suite",
        "cases.jsonl",
        "--limit",
        "nodes 500",
        "--engine",
        "no-such-engine",
        "--engine",
        &ours,
        "--engine",
        "nor-this-one",
    ];
    let output = tengen(&folder, &arguments);
    let (told, complaint) = (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned());
    assert_eq!(output.status.code(), Some(1), "{told} {complaint}");
    assert!(told.contains("| Tengen") && told.lines().count() == 3, "{told}");
    for missing in ["no-such-engine", "nor-this-one"] {
        assert_eq!(complaint.matches(&format!("`{missing}`")).count(), 1, "{complaint}");
    }
}

#[test]
fn the_suite_refuses_limits_groups_and_options_that_are_not_known() {
    let folder = scratch("small_suite_words");
    let ours = format!("'{}' uci", env!("CARGO_BIN_EXE_tengen"));
    let engine = ["--engine", ours.as_str()];
    for (arguments, code, words) in [
        (&["--limit", "20000 nodes"][..], 2, "for example `nodes 20000`"),
        (&["--group", "perpetaul"], 2, "no case is in the group `perpetaul`: the nearest is `perpetual`"),
        (&["--group", "identity"], 2, "the groups are `win`, `save`, `perpetual`, `fifty-win`, `fifty-save`"),
        (&["--option", "Hahs=16"], 1, "has no option `Hahs`: the nearest is `Hash`"),
        (&["--group", "perpetual", "--option", "x=1"], 1, "has no option `x`: the options are `Hash`"),
    ] {
        let output = tengen(&folder, &[&["chess", "suite"], arguments, &engine[..]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {told}");
        assert!(told.contains(words), "{arguments:?} {told}");
    }
    for arguments in [["--group", "vlaue"], ["--make", "1"]] {
        let output = tengen(&folder, &[&["chess", "suite", "--group", "vlaue"], &arguments[..]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {told}");
        assert!(told.contains("the nearest is `value`"), "{arguments:?} {told}");
    }
}

#[test]
fn a_report_counts_its_games_and_says_where_they_are() {
    let folder = scratch("small_report");
    write(&folder, "a.sgf", "(;GM[1]SZ[9];B[ee];W[cc])");
    write(&folder, "b.sgf", "(;GM[1]SZ[9];B[ee];W[cc])");
    for (games, words) in [(&["a.sgf"][..], "1 game"), (&["a.sgf", "b.sgf"], "2 games")] {
        let arguments = [&["report"], games, &["--out", "out", "--force", "--effort", "quick"]].concat();
        let output = tengen(&folder, &arguments);
        let told = stdout(&output);
        assert!(told.starts_with(&format!("{words} in ")) && told.contains("index.html"), "{told}");
        let index = fs::read_to_string(folder.join("out/index.html")).expect("an index");
        assert!(index.contains(&format!("<p>{words}.</p>")), "{index}");
    }
}

#[test]
fn a_report_without_a_game_leaves_no_folder_in_the_way_of_the_next() {
    let folder = scratch("small_report_none");
    write(&folder, "torn.sgf", "no record");
    write(&folder, "a.sgf", "(;GM[1]SZ[9];B[ee];W[cc])");
    for games in [&["none.sgf"][..], &["torn.sgf"], &["none.sgf", "torn.sgf"]] {
        let output = tengen(&folder, &[&["report"], games, &["--out", "out"]].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(games.iter().all(|game| told.contains(game)), "{told}");
        assert!(
            told.ends_with("no game was read: out gets no pages\n") && stdout(&output).is_empty(),
            "{told}"
        );
        assert!(!folder.join("out").exists(), "{games:?}");
    }
    let output = tengen(&folder, &["report", "a.sgf", "--out", "out", "--effort", "quick"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains('='), "no bar without a terminal");
}

#[test]
fn a_fault_that_many_cases_share_is_told_once() {
    let folder = scratch("small_faults");
    write(&folder, "games.pgn", &"1. e4 e5 *\n\n".repeat(40));
    write(
        &folder,
        "a.ron",
        "(version: 1, name: \"a\", for_each: Pgn(glob: \"games.pgn\", every: 10), task: SelfPlay(players: [Pipeline]))",
    );
    for arguments in
        [&["selfplay", "a.ron", "--games", "1", "--out", "out"][..], &["run", "a.ron", "--no-progress"]]
    {
        let told = stdout(&tengen(&folder, arguments));
        assert_eq!(told.matches("error: ").count(), 1, "{told}");
        assert!(told.contains("and 39 more with the same"), "{told}");
    }
}

#[test]
fn a_report_writes_in_no_folder_that_another_process_writes_in() {
    let folder = scratch("small_report_lock");
    write(&folder, "a.sgf", "(;GM[1]SZ[5];B[cc])");
    fs::create_dir_all(folder.join("out")).expect("a folder");
    let lock = fs::File::create(folder.join("out/run.lock")).expect("the lock");
    lock.lock().expect("locked");
    let arguments = ["report", "a.sgf", "--out", "out"];
    let refused = tengen(&folder, &arguments);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("another process works in out"));
    drop(lock);
    assert_eq!(tengen(&folder, &arguments).status.code(), Some(0));
}

#[test]
#[cfg(unix)]
fn an_interrupted_profile_says_so_and_an_interrupted_tuning_leaves_no_file() {
    use std::process::{Command, Stdio};
    let folder = scratch("small_interrupted");
    let scene = "(version: 1, name: \"a\", game: Chess(), task: Search(nodes: 500000000))";
    write(&folder, "a.ron", scene);
    for (arguments, code) in [
        (&["profile", "a.ron"][..], Some(2)),
        (&["chess", "tune", "--out", "weights.txt", "--games", "100000"], None),
    ] {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(process.try_wait().expect("its status").is_none(), "{arguments:?} is at work");
        let sent = Command::new("kill").args(["-s", "INT", &process.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        assert_eq!(process.wait().expect("it ends").code(), code, "{arguments:?}");
    }
    let names: Vec<_> =
        fs::read_dir(&folder).expect("it").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["a.ron"]);
}

#[test]
#[cfg(unix)]
fn records_without_an_end_are_told_before_they_fill_the_memory() {
    let folder = scratch("small_endless");
    for arguments in ["events /dev/zero", "export /dev/zero --format csv --out out"] {
        // The limit is of addresses, most of which the program never touches.
        let limited = format!("ulimit -v 1000000; exec \"{}\" {arguments}", env!("CARGO_BIN_EXE_tengen"));
        let output = std::process::Command::new("sh").current_dir(&folder).args(["-c", &limited]).output();
        let output = output.expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {told}");
        assert!(told.contains("a line is longer than"), "{arguments}: {told}");
    }
}

#[test]
fn a_layer_that_is_of_no_move_and_no_pass_refuses_them_by_name() {
    let folder = scratch("small_layers");
    write(&folder, "a.sgf", &crate::common::game(12));
    let of_influence = [
        "regions",
        "territory",
        "delta",
        "influence",
        "permeability",
        "strength",
        "attenuation",
        "lively",
        "patterns",
    ];
    let others = [
        "stones",
        "worms",
        "judge",
        "tactics",
        "dragons",
        "cuts",
        "eyes",
        "eye-neighbors",
        "surround",
        "threats",
        "moves",
    ];
    for layer in of_influence.into_iter().chain(others) {
        for option in [
            &["--after", "A1"][..],
            &["--pass", "first"],
            &["--pass", "second"],
            &["--followup", "--after", "A1"],
        ] {
            let mut arguments = vec!["show", "a.sgf", "--layer", layer, "--judge", "none"];
            arguments.extend(option);
            let output = tengen(&folder, &arguments);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let takes = match option[0] {
                "--after" => layer == "surround" || of_influence.contains(&layer),
                "--pass" => layer != "delta" && of_influence.contains(&layer),
                _ => of_influence.contains(&layer),
            };
            assert_eq!(output.status.success(), takes, "{layer} {option:?}: {told}");
            assert!(takes || told.contains(&format!("the layer {layer} does not take --")), "{told}");
        }
    }
}
