//! Kills runs with SIGKILL at random moments and resumes them. Tests that the result has the same bytes as that of an
//! undisturbed run.
//!
//! `TENGEN_KILLS` sets the number of kills for each kind of run. The default is a few.
#![cfg(unix)]

use crate::common::{game, scratch, write};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs whose cases take a few milliseconds each: enough of them that a kill falls between.
const KINDS: &[(&str, &str)] = &[
    (
        "go",
        "(version: 1, name: \"a\", for_each: Sgf(glob: \"*.sgf\", every: 1), task: Analyse(last: Tactics))",
    ),
    (
        "playouts",
        "(version: 1, name: \"a\", for_each: Sgf(glob: \"*.sgf\", every: 1), task: Playouts(count: 20))",
    ),
    ("perft", "(version: 1, name: \"a\", for_each: Pgn(glob: \"*.pgn\", every: 1), task: Perft(depth: 4))"),
    (
        "search",
        "(version: 1, name: \"a\", for_each: Pgn(glob: \"*.pgn\", every: 1), task: Search(nodes: 20000))",
    ),
    ("gdl", "(version: 1, scenes: [SCENES])"),
    ("selfplay", SELFPLAY),
    // The same, all games in one file.
    ("one_file", SELFPLAY),
];

const SELFPLAY: &str =
    "(version: 1, name: \"a\", game: Chess(), task: SelfPlay(games: 1, random_moves: 6, max_moves: 20,
    players: [Search(nodes: 200), Search(nodes: 100)]))";

const KIF: &str = "(role you) (init (left 9)) (<= (legal you (take ?m)) (true (left ?n)) (succ ?m ?n))
    (<= (next (left ?m)) (true (left ?n)) (does you (take ?m)))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
    (<= terminal (true (left 0))) (goal you 100)";
const PGN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *\n";

/// Starts a run of a kind, or goes on with it.
fn start(folder: &Path, kind: &str, out: &str) -> std::process::Child {
    let what: &[&str] = match kind {
        "selfplay" => &["selfplay", "a.ron", "--games", "30"],
        "one_file" => &["selfplay", "a.ron", "--games", "30", "--one-file"],
        _ => &["run", "a.ron"],
    };
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(what)
        .args(["--no-progress", "--jobs", "2", "--resume", "--out", out])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

#[test]
fn killed_runs_go_on_to_the_bytes_of_a_run_that_was_not_killed() {
    let kills: usize = std::env::var("TENGEN_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    for (kind, scene) in KINDS {
        let folder = scratch(&format!("kills_{kind}"));
        for name in ["a", "b", "c", "d", "e"] {
            write(&folder, &format!("{name}.sgf"), &game(12));
        }
        write(&folder, "a.pgn", PGN);
        write(&folder, "a.kif", KIF);
        let scenes = (0..60)
            .map(|n| format!("(name: \"s{n}\", game: Gdl(rules: \"a.kif\"), task: Playouts(count: 3000))"))
            .collect::<Vec<_>>()
            .join(", ");
        write(&folder, "a.ron", &scene.replace("SCENES", &scenes));
        let began = std::time::Instant::now();
        assert!(start(&folder, kind, "whole").wait().expect("it ends").success(), "{kind}");
        let whole = fs::read(folder.join("whole").join(records(kind))).expect("records");
        let took = began.elapsed();
        let (mut killed, mut begun, mut random) = (0, 0, 12345_u64);
        while killed < kills {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let share = (random >> 40) as f64 / (1_u64 << 24) as f64;
            // What is done is not done again, so the time left is shorter: a kill falls anywhere in it.
            let left = 1.0 - done(&folder, kind);
            let mut child = start(&folder, kind, "killed");
            if left > 0.0 {
                std::thread::sleep(took.mul_f64(share * left));
            } else {
                child.wait().expect("it ends");
            }
            if child.try_wait().expect("its state").is_some() {
                // It got through: its records are held against the others, and it begins anew.
                check(&folder, &whole, kind);
                fs::remove_dir_all(folder.join("killed")).expect("removed");
                continue;
            }
            child.kill().expect("killed");
            child.wait().expect("it ends");
            killed += 1;
            begun += usize::from((0.001..0.999).contains(&done(&folder, kind)));
        }
        assert!(start(&folder, kind, "killed").wait().expect("it ends").success(), "{kind}");
        check(&folder, &whole, kind);
        let told = format!(
            "{kind}: {killed} kills, {begun} of them between two records; the same {} bytes",
            whole.len()
        );
        writeln!(std::io::stderr(), "{told}").expect("stderr");
    }
}

/// Files of a run that tell times, or stand in the order in which games ended.
const TIMED: [&str; 3] = ["run.json", "timings.jsonl", "checksums.txt"];

/// The file that holds a line a case or game.
fn records(kind: &str) -> &'static str {
    if is_selfplay(kind) { "games.jsonl" } else { "records.jsonl" }
}

/// How much of the run was kept, from 0 to 1.
fn done(folder: &Path, kind: &str) -> f64 {
    let kept = if is_selfplay(kind) { "checksums.txt" } else { "timings.jsonl" };
    let lines = |run: &str| {
        let text = fs::read_to_string(folder.join(run).join(kept)).unwrap_or_default();
        text.lines().filter(|line| !line.is_empty()).count()
    };
    lines("killed") as f64 / lines("whole") as f64
}

/// Whether the run plays games.
fn is_selfplay(kind: &str) -> bool {
    matches!(kind, "selfplay" | "one_file")
}

/// Every file of the killed run has the bytes of the undisturbed run, except those of `TIMED`.
fn check(folder: &Path, whole: &[u8], kind: &str) {
    let file = records(kind);
    let killed = fs::read(folder.join("killed").join(file)).expect("records");
    assert!(killed == whole, "{kind}: {} bytes, not {}", killed.len(), whole.len());
    for entry in fs::read_dir(folder.join("whole")).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let (one, other) = (folder.join("whole").join(&name), folder.join("killed").join(&name));
        if one.is_file() && !TIMED.iter().any(|timed| name == *timed) {
            assert!(fs::read(one).ok() == fs::read(other).ok(), "{kind}: {}", name.display());
        }
    }
}
