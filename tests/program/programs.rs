//! Tests runs with other programs that misbehave. Each run ends and names the fault, and no process of these programs
//! remains.
#![cfg(unix)]

use crate::common::{scratch, write};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Writes an engine that does `misdeed` at the command `at`, and a wrapper that starts it. The engine ignores signals,
/// and leaves a child behind. Their numbers stand in the file `pids`.
fn write_engine(folder: &Path, protocol: &str, at: &str, misdeed: &str) {
    let answers = match protocol {
        "Uci" => "uci) echo uciok;; isready) echo readyok;; quit) exit;; go*) echo bestmove 0000;;",
        _ => "quit) exit;; genmove*) echo '= pass'; echo;; *) echo =; echo;;",
    };
    let text = format!(
        "#!/bin/sh\ntrap '' HUP INT TERM\nsleep 600 > /dev/null &\necho $! >> pids\necho $$ >> pids\n\
         while read line; do case \"$line\" in {at}) {misdeed};; {answers} esac; done\n"
    );
    write(folder, "engine", &text);
    write(folder, "wrapper", "#!/bin/sh\n./engine\necho done\n");
    for name in ["engine", "wrapper"] {
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).expect("executable");
    }
}

/// Starts a game of Tengen against the program.
fn start(folder: &Path, protocol: &str, program: &str, limits: &str) -> Child {
    let program = folder.join(program).display().to_string();
    let (game, ours) = match protocol {
        "Uci" => ("Chess()", "Search(nodes: 9)"),
        _ => ("Go(size: 5)", "Level(1)"),
    };
    let scene = format!(
        r#"(version: 1, name: "a", game: {game},
            task: SelfPlay(players: [{protocol}("{program}"{limits}), {ours}], random_moves: 0, max_moves: 4))"#
    );
    write(folder, "a.ron", &scene);
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(["selfplay", "a.ron", "--games", "1", "--out", "out", "--no-progress", "--allow-commands"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

/// Waits for the end of a run; `None` if it takes longer than this.
fn ended(run: &mut Child, within: Duration) -> Option<std::process::ExitStatus> {
    let until = Instant::now() + within;
    while Instant::now() < until {
        if let Some(status) = run.try_wait().expect("its status") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = run.kill();
    None
}

/// The processes of the engine that are alive some time after the run.
fn left(folder: &Path) -> Vec<String> {
    let pids = fs::read_to_string(folder.join("pids")).expect("the engine was started");
    let alive = || {
        let of = |pid: &&str| Path::new("/proc").join(pid).join("exe").exists();
        pids.lines().filter(of).map(str::to_owned).collect::<Vec<_>>()
    };
    let until = Instant::now() + Duration::from_secs(5);
    while !alive().is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    alive()
}

/// Sends a run a signal once the engine has written the file `thinks`.
fn send_while_it_thinks(folder: &Path, run: &Child, signal: &str) {
    let until = Instant::now() + Duration::from_secs(20);
    while !folder.join("thinks").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-s", signal, &run.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "{signal}");
}

#[test]
fn every_misdeed_of_a_program_ends_the_game_and_leaves_no_process() {
    let silent = "while read more; do :; done; sleep 600";
    for (protocol, at, misdeed, limits, end) in [
        ("Gtp", "play*", silent, "", "time loss"),
        ("Gtp", "genmove*", silent, ", (main: 0.5)", "time loss"),
        ("Gtp", "genmove*", "exec >&-; sleep 600", "", "broken off"),
        ("Gtp", "genmove*", "exec <&-; sleep 1; echo; exit", "", "broken off"),
        ("Gtp", "genmove*", "exit", "", "broken off"),
        ("Gtp", "genmove*", "yes", ", (main: 20)", "protocol error"),
        ("Gtp", "genmove*", "printf '= D'; sleep 600", ", (main: 0.5)", "time loss"),
        ("Uci", "go*", silent, ", (movetime: 100)", "time loss"),
        ("Uci", "go*", "sleep 3; echo bestmove e2e4", ", (movetime: 100)", "time loss"),
        ("Uci", "go*", "exec >&-; sleep 600", "", "broken off"),
        ("Uci", "go*", "exit", "", "broken off"),
        ("Uci", "go*", "kill -9 $$", "", "broken off"),
    ] {
        let folder = scratch("programs_misdeed");
        write_engine(&folder, protocol, at, misdeed);
        let mut run = start(&folder, protocol, "engine", limits);
        let what = format!("{protocol} at {at}: {misdeed}");
        assert!(ended(&mut run, Duration::from_secs(40)).is_some(), "{what}: no end");
        let games = fs::read_to_string(folder.join("out/games.jsonl")).expect("games");
        let game: Value = serde_json::from_str(games.lines().next().expect("a game")).expect("JSON");
        assert_eq!(game["end"], end, "{what}");
        assert_eq!(left(&folder), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn no_process_behind_a_wrapper_outlives_a_run_however_it_ends() {
    for signal in ["", "INT", "TERM", "HUP", "KILL"] {
        let folder = scratch("programs_wrapper");
        // Without a signal the run ends by itself, after an illegal move.
        let misdeed = if signal.is_empty() { "echo bestmove a1a1" } else { "echo > thinks; sleep 600" };
        write_engine(&folder, "Uci", "go*", misdeed);
        let mut run = start(&folder, "Uci", "wrapper", ", (nodes: 9)");
        if !signal.is_empty() {
            send_while_it_thinks(&folder, &run, signal);
        }
        assert!(ended(&mut run, Duration::from_secs(20)).is_some(), "{signal}: no end");
        assert_eq!(left(&folder), Vec::<String>::new(), "{signal}");
    }
}

#[test]
fn a_program_that_never_stops_writing_is_stopped_with_its_run() {
    for (protocol, at, limits) in [("Uci", "go*", ", (nodes: 9)"), ("Gtp", "genmove*", "")] {
        let folder = scratch("programs_writing");
        write_engine(&folder, protocol, at, "echo > thinks; while :; do echo info; sleep 0.03; done");
        let mut run = start(&folder, protocol, "engine", limits);
        send_while_it_thinks(&folder, &run, "TERM");
        assert!(ended(&mut run, Duration::from_secs(20)).is_some(), "{protocol}: no end");
        assert_eq!(left(&folder), Vec::<String>::new(), "{protocol}");
    }
}
