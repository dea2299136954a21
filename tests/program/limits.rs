//! Tests that nothing blocks a run: limits of a case, interruptions, and the records that they leave.

use crate::common::{scratch, stdout, tengen, wide_rules, write};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Hours of counting, between two quick cases.
const ENDLESS: &str = "(version: 1, scenes: [
    (name: \"first\", game: Chess(), task: Perft(depth: 2)),
    (name: \"endless\", game: Chess(), task: Perft(depth: 12)),
    (name: \"deaf\", game: Chess(), task: Search(depth: 40, exact: true)),
    (name: \"last\", game: Chess(), task: Perft(depth: 2)),
])";

/// Nine sticks are taken away.
const KIF: &str = "(role you) (init (left 9)) (<= (legal you (take ?m)) (true (left ?n)) (succ ?m ?n))
    (<= (next (left ?m)) (true (left ?n)) (does you (take ?m)))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
    (<= terminal (true (left 0))) (goal you 100)";

fn records(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs the scenes, and checks the peak of the program's memory where a bound was set.
fn run(folder: &Path, extra: &[&str]) -> Output {
    let arguments = [&["run", "a.ron", "--no-progress", "--format", "json"], extra].concat();
    let (output, peak) = measured(folder, &arguments);
    let bound = extra.iter().skip_while(|word| **word != "--case-memory").nth(1);
    if let (Some(bound), Some(peak)) = (bound.and_then(|mib| mib.parse::<u64>().ok()), peak) {
        let most = (bound << 20) * 12 / 10 + 50_000_000;
        assert!(peak <= most, "{arguments:?}: {peak} bytes at the peak, {most} at most");
    }
    output
}

/// The output of a run, and the most bytes of memory it had where the system tells (Linux).
fn measured(folder: &Path, arguments: &[&str]) -> (Output, Option<u64>) {
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (status, is_over) = (format!("/proc/{}/status", child.id()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // The mark only rises: the last look has the peak, or nearly so.
        let watching = scope.spawn(|| {
            let mut peak = None;
            while !is_over.load(Ordering::Relaxed) {
                let text = std::fs::read_to_string(&status).unwrap_or_default();
                let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
                let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
                peak = peak.max(kilobytes.map(|kilobytes| kilobytes << 10));
                std::thread::sleep(Duration::from_millis(1));
            }
            peak
        });
        let output = child.wait_with_output().expect("it ends");
        is_over.store(true, Ordering::Relaxed);
        (output, watching.join().expect("it watches"))
    })
}

fn statuses(records: &[Value]) -> Vec<&str> {
    records.iter().filter_map(|r| r["status"].as_str()).collect()
}

#[test]
fn a_case_past_its_seconds_has_a_record_that_says_so_and_the_others_run() {
    let folder = scratch("case_seconds");
    write(&folder, "a.ron", ENDLESS);
    let output = run(&folder, &["--case-seconds", "0.3"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let records = records(&output);
    assert_eq!(statuses(&records), ["ok", "limit", "limit", "ok"]);
    for limited in &records[1..3] {
        let limit = &limited["result"]["limit"];
        assert_eq!((limit["what"].as_str(), limit["is"].as_f64()), (Some("seconds"), Some(0.3)), "{limited}");
        assert_eq!(limit["deterministic"], false);
    }
    let table = tengen(&folder, &["run", "a.ron", "--no-progress", "--case-seconds", "0.3"]);
    let text = stdout(&table);
    assert!(text.contains("LIMIT   stopped after 0.3 s") && text.contains("2 ended by a limit"), "{text}");
}

#[test]
fn limits_that_are_not_reached_change_no_record() {
    let folder = scratch("far_limits");
    write(&folder, "a.kif", KIF);
    write(&folder, "a.sgf", &crate::common::game(20));
    write(
        &folder,
        "a.ron",
        "(version: 1, scenes: [
            (name: \"go\", for_each: Sgf(glob: \"*.sgf\", every: 10), task: Analyse()),
            (name: \"playouts\", game: Go(size: 5), task: Playouts(count: 20)),
            (name: \"perft\", game: Chess(), task: Perft(depth: 3)),
            (name: \"search\", game: Chess(), task: Search(nodes: 3000)),
            (name: \"exact\", game: Chess(), task: Search(depth: 3, exact: true)),
            (name: \"gdl\", game: Gdl(rules: \"a.kif\"), task: Playouts(count: 50)),
        ])",
    );
    let without = run(&folder, &[]);
    assert_eq!(records(&without).len(), 8, "{}", String::from_utf8_lossy(&without.stderr));
    assert!(statuses(&records(&without)).iter().all(|status| *status == "ok"), "{}", stdout(&without));
    for limits in [
        &["--case-seconds", "1000"][..],
        &["--case-nodes", "1000000000"],
        &["--case-memory", "100000"],
        &["--case-seconds", "1000", "--case-nodes", "1000000000", "--jobs", "1"],
    ] {
        assert_eq!(stdout(&run(&folder, limits)), stdout(&without), "{limits:?}");
    }
}

#[test]
fn a_case_past_its_nodes_has_the_same_record_at_every_run() {
    let folder = scratch("case_nodes");
    let scene = ENDLESS.replace("(name: \"deaf\", game: Chess(), task: Search(depth: 40, exact: true)),", "");
    write(&folder, "a.ron", &scene.replace("depth: 2", "depth: 1"));
    let (one, two) = (
        run(&folder, &["--case-nodes", "5000", "--jobs", "1"]),
        run(&folder, &["--case-nodes", "5000", "--jobs", "2"]),
    );
    assert_eq!(statuses(&records(&one)), ["ok", "limit", "ok"]);
    assert_eq!(records(&one)[1]["result"]["limit"]["what"], "nodes");
    assert_eq!(stdout(&one), stdout(&two));
}

#[test]
fn a_game_without_a_net_is_told_in_the_record_and_in_the_table() {
    let folder = scratch("fall_back");
    write(&folder, "wide.kif", &wide_rules(20));
    write(
        &folder,
        "a.ron",
        "(version: 1, name: \"a\", game: Gdl(rules: \"wide.kif\"), task: Perft(depth: 1))",
    );
    let output = run(&folder, &["--case-memory", "1"]);
    let record = &records(&output)[0];
    let warning = record["warnings"][0]["message"].as_str().expect("a warning");
    assert!(warning.starts_with("no net, the prover answers: grounding needs more"), "{record}");
    let table = stdout(&tengen(&folder, &["run", "a.ron", "--no-progress", "--case-memory", "1"]));
    assert!(table.contains("warning: no net") && table.contains("1 warning\n"), "{table}");
}

#[test]
fn the_memory_of_the_program_stays_near_the_bound_of_a_case() {
    let moves = format!(
        "(role a) (init (p 0)) {} (<= (legal a (go ?a ?b ?c ?d ?e)) (num ?a) (num ?b) (num ?c) (num ?d) (num ?e))
         (<= (next (p ?a)) (does a (go ?a ?b ?c ?d ?e))) (<= terminal (true (p 59))) (goal a 100)",
        (0..60).map(|n| format!("(num {n})")).collect::<String>()
    );
    let terms = "(role a) (init (n z)) (<= (num z)) (<= (num (s ?x)) (num ?x)) (<= (legal a go) (num ?x))
         (<= (next (n z)) (does a go)) (<= terminal (true (n over))) (goal a 50)";
    let growing = "(role a) (init (n z)) (<= (legal a go) (true (n ?x))) (<= (next (n (s ?x))) (true (n ?x))
         (does a go)) (<= terminal (true (n over))) (goal a 50)";
    let gdl = "Gdl(rules: \"a.kif\")";
    for (name, rules, game, task, bound) in [
        ("a net that is small", &*wide_rules(20), gdl, "Perft(depth: 1)", "1"),
        ("a net that is too large", &*wide_rules(60), gdl, "Perft(depth: 1)", "32"),
        ("states of a game without a net", &*wide_rules(60), gdl, "Playouts(count: 100)", "32"),
        ("777 million legal moves", &*moves, gdl, "Playouts(count: 1)", "64"),
        ("777 million legal moves, twice the memory", &*moves, gdl, "Playouts(count: 1)", "128"),
        ("terms without end in one state", terms, gdl, "Playouts(count: 1)", "64"),
        ("terms that grow from state to state", growing, gdl, "Playouts(count: 100000)", "64"),
        ("the tree of a search", &*wide_rules(60), gdl, "Search(visits: 100000000)", "64"),
        ("the table of an exact search", "", "Chess()", "Search(depth: 40, exact: true)", "64"),
        ("the table of a search", "", "Chess()", "Search(nodes: 1000000000)", "64"),
        ("an analysis of Go", "", "Go(size: 9)", "Analyse()", "64"),
    ] {
        let folder = scratch("case_memory");
        write(&folder, "a.kif", rules);
        write(&folder, "a.ron", &format!("(version: 1, name: \"a\", game: {game}, task: {task})"));
        // The seconds end what stays within its memory for ever.
        let output = run(&folder, &["--case-memory", bound, "--case-seconds", "4"]);
        assert_eq!(records(&output).len(), 1, "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn limits_that_are_no_numbers_are_refused() {
    let folder = scratch("bad_limits");
    write(&folder, "a.ron", ENDLESS);
    for wrong in [
        ["--case-seconds", "nan"],
        ["--case-seconds", "inf"],
        ["--case-seconds", "1e300"],
        ["--case-seconds", "-1"],
        ["--case-memory", "0"],
        ["--case-nodes", "0"],
        ["--jobs", "5000"],
    ] {
        assert_eq!(run(&folder, &wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_perft_without_end_is_an_error_record_and_the_run_goes_on() {
    let folder = scratch("deep_perft");
    write(
        &folder,
        "a.ron",
        &ENDLESS.replace("depth: 12", "depth: 4294967295").replace("depth: 40, exact: true", "depth: 1"),
    );
    assert_eq!(statuses(&records(&run(&folder, &[]))), ["ok", "error", "ok", "ok"]);
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_any_case_and_what_is_finished_is_kept() {
    use std::io::{BufRead as _, BufReader};
    for (signal, scene) in [("INT", "endless"), ("TERM", "endless"), ("TERM", "deaf")] {
        let folder = scratch(&format!("interrupted_{signal}_{scene}"));
        let other = if scene == "deaf" { "Perft(depth: 12)" } else { "Search(depth: 40, exact: true)" };
        write(&folder, "a.ron", &ENDLESS.replace(other, "Perft(depth: 1)"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .args(["run", "a.ron", "--no-progress", "--format", "json", "--jobs", "1", "--out", "out"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // The first record says that the run is on its way.
        let mut lines = BufReader::new(child.stdout.take().expect("stdout")).lines();
        let first = lines.next().expect("a line").expect("text");
        assert!(first.contains("\"ok\""), "{first}");
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        drop(lines);
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("interrupted after") && told.contains("--resume"), "{told}");
        let kept = std::fs::read_to_string(folder.join("out/records.jsonl")).expect("records");
        assert!(kept.starts_with(&first), "{kept}");
    }
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_a_game_whose_players_think_and_a_resume_plays_it_again() {
    use std::time::Instant;
    let uci = format!("Uci(\"{} uci\", (depth: 60))", env!("CARGO_BIN_EXE_tengen"));
    for (name, game, player, move_limit) in [
        ("uct", "Gdl(rules: \"a.kif\")", "Uct(1000000000)", ""),
        ("alphabeta", "Gdl(rules: \"a.kif\")", "AlphaBeta(100000000000)", ""),
        ("search", "Chess()", "Search(depth: 100)", ", random_moves: 0"),
        ("uci", "Chess()", &uci, ", random_moves: 0"),
    ] {
        let folder = scratch(&format!("interrupted_game_{name}"));
        write(&folder, "a.kif", WIDE);
        write(
            &folder,
            "a.ron",
            &format!(
                "(version: 1, name: \"a\", game: {game}, task: SelfPlay(players: [{player}]{move_limit}))"
            ),
        );
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .args(["selfplay", "a.ron", "--games", "1", "--out", "out", "--allow-commands", "--no-progress"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // The folder is there when the first game begins.
        let begun = Instant::now();
        while !folder.join("out/checksums.txt").exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{name} begins");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().expect("a state").is_none(), "{name} thinks");
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {told}");
        assert!(told.contains("interrupted after 0 of 1 game;"), "{name}: {told}");
        assert!(!folder.join("out/game-00001.pgn").exists() && !folder.join("out/game-00001.json").exists());
    }
}

/// Two players take turns over 28 squares: more games than anybody counts.
const WIDE: &str = "(role a) (role b) (init (turn a))
    (<= (legal ?r (take ?n)) (true (turn ?r)) (square ?n) (not (true (taken ?n))))
    (<= (legal a noop) (true (turn b))) (<= (legal b noop) (true (turn a)))
    (<= (next (taken ?n)) (does ?r (take ?n))) (<= (next (taken ?n)) (true (taken ?n)))
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
    (<= open (square ?n) (not (true (taken ?n)))) (<= terminal (not open))
    (<= (goal a 50) terminal) (<= (goal b 50) terminal)
    (square 1) (square 2) (square 3) (square 4) (square 5) (square 6) (square 7) (square 8) (square 9) (square 10)
    (square 11) (square 12) (square 13) (square 14) (square 15) (square 16) (square 17) (square 18) (square 19)
    (square 20) (square 21) (square 22) (square 23) (square 24) (square 25) (square 26) (square 27) (square 28)";
