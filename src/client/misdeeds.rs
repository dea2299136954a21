//! Tests the clients of GTP and UCI with programs that misbehave. The programs are drawn at random from a grammar of
//! misdeeds.
//!
//! # Grammar
//! A program has a prelude, and a misdeed at one command. The test draws programs for every command that the client of
//! a protocol sends. `TENGEN_MISDEEDS` sets their number for each command, and `TENGEN_SEED` the random seed. The
//! deadlines are those of the client, on a clock that runs [`FAST`] times as fast. `tests/hostile/run` does the same
//! with whole runs and true clocks.
#![cfg(target_os = "linux")]

use super::process::{EngineError, PACE};
use super::{gtp, uci};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tengen_core::{SplitMix64, Stop};

/// How much faster the clock of the deadlines runs.
const FAST: u32 = 20;
/// Sessions at the same time: they wait most of it.
const AT_ONCE: usize = 16;
/// The time in which a session must end, by the true clock.
const END: Duration = Duration::from_secs(60);

/// What a program does first.
const PRELUDES: [&str; 4] = [
    "",
    "trap '' HUP INT TERM",
    "sleep 600 > /dev/null &",
    // The child keeps the output open.
    "trap '' HUP INT TERM; sleep 600 &",
];

/// What a program does at a command, and whether it never answers: the client notices that.
const MISDEEDS: [(&str, bool); 15] = [
    ("while read -r more; do :; done; sleep 600", true),
    ("sleep 600", true),
    ("sleep 0.05; answer \"$line\"", false),
    ("yes", true),
    ("yes a | tr -d '\\n'", true),
    ("printf '= D'; sleep 600", true),
    ("printf '\\000\\377\\033[2J\\n\\n'; sleep 600", true),
    ("echo '? no'; echo", false),
    ("answer \"$line\"; answer \"$line\"", false),
    ("exec >&-; sleep 600", true),
    ("exec <&-; sleep 600", true),
    ("exit", true),
    ("kill -9 $$", true),
    ("sleep 600 & exit", true),
    ("while :; do echo; sleep 0.01; done", true),
];

/// A protocol: the commands that its client sends, the right answers, and a session.
struct Protocol {
    commands: &'static [&'static str],
    answers: &'static str,
    session: fn(&str) -> Result<(), EngineError>,
}

const PROTOCOLS: [Protocol; 2] = [
    Protocol {
        commands: &[
            "protocol_version",
            "boardsize*",
            "clear_board",
            "komi*",
            "time_settings*",
            "play*",
            "time_left*",
            "genmove*",
            "final_score",
            "quit",
        ],
        answers: "genmove*) echo '= pass';; final_score) echo '= 0';; *) echo =;; esac; echo",
        session: play_gtp,
    },
    Protocol {
        commands: &["uci", "setoption*", "ucinewgame", "isready", "position*", "go*", "quit"],
        answers: "uci) echo option name Hash type spin; echo uciok;; isready) echo readyok;; \
                  go*) echo bestmove e7e5;; esac",
        session: play_uci,
    },
];

fn play_gtp(command: &str) -> Result<(), EngineError> {
    let mut client = gtp::Client::start(command, &Stop::NEVER)?;
    for request in [
        "protocol_version",
        "boardsize 9",
        "clear_board",
        "komi 6.5",
        "time_settings 60 0 0",
        "play black D4",
        "time_left white 60 0",
    ] {
        client.ask(request)?;
    }
    client.ask_until("genmove white", Instant::now() + Duration::from_secs(1))?;
    client.ask("final_score").map(drop)
}

fn play_uci(command: &str) -> Result<(), EngineError> {
    let options = [("Hash".to_owned(), "16".to_owned())];
    let options = options.iter().map(|(name, value)| (name, value));
    let mut client = uci::Client::start(command, options, &Stop::NEVER)?;
    let patience = Some(Duration::from_secs(1) * FAST);
    client.go("startpos moves e2e4", "movetime 100", patience)?;
    client.new_game()?;
    client.go("startpos moves d2d4", "movetime 100", patience).map(drop)
}

/// A program that was drawn.
struct Program {
    session: fn(&str) -> Result<(), EngineError>,
    text: String,
    /// Whether the client waits for an answer that never comes.
    is_noticed: bool,
}

fn draw(protocol: &Protocol, at: &str, random: &mut SplitMix64) -> Program {
    let mut below = |most: usize| random.below(u32::try_from(most).expect("a few")) as usize;
    let (prelude, (misdeed, is_mute)) = (PRELUDES[below(PRELUDES.len())], MISDEEDS[below(MISDEEDS.len())]);
    let answers = protocol.answers;
    let text = format!(
        "echo $$ > leader\n{prelude}\nanswer() {{ case \"$1\" in {answers}; }}\n\
         while read -r line; do case \"$line\" in {at}) {misdeed};; quit) exit;; *) answer \"$line\";; esac; done\n"
    );
    Program { session: protocol.session, text, is_noticed: is_mute && at != "quit" }
}

/// The processes of a group that are alive.
fn of_group(leader: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let stats = entries.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // `proc_pid_stat(5)`: the name in brackets, then the state, the parent and the group.
    let is_alive = |stat: &String| {
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().take(3).collect();
        matches!(fields[..], [state, _, group] if state != "Z" && group == leader)
    };
    stats.filter(is_alive).collect()
}

/// Runs a session with a program, and what is wrong with how it ended.
fn fault_of(program: &Program, folder: &Path) -> Option<String> {
    fs::create_dir_all(folder).expect("a folder");
    let script = folder.join("engine.sh");
    let text = format!("cd \"{}\"\n{}", folder.display(), program.text);
    fs::write(&script, text).expect("written");
    let (send, over) = channel();
    let (session, command) = (program.session, format!("sh \"{}\"", script.display()));
    std::thread::spawn(move || {
        PACE.set(FAST);
        let _ = send.send(session(&command).map_err(|error| error.to_string()));
    });
    let Ok(ended) = over.recv_timeout(END) else { return Some(format!("no end in {END:?}")) };
    if program.is_noticed && ended.is_ok() {
        return Some("the client did not notice".into());
    }
    let leader = fs::read_to_string(folder.join("leader")).unwrap_or_default();
    let until = Instant::now() + Duration::from_secs(5);
    while !of_group(leader.trim()).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let left = of_group(leader.trim());
    (leader.is_empty() || !left.is_empty())
        .then(|| format!("left of the group `{}`: {left:?}", leader.trim()))
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn whatever_a_program_does_at_any_command_the_session_ends_and_no_process_is_left() {
    let (count, mut random) = (number("TENGEN_MISDEEDS", 3), SplitMix64::new(number("TENGEN_SEED", 1)));
    let mut programs = Vec::new();
    for protocol in &PROTOCOLS {
        for at in protocol.commands {
            programs.extend((0..count).map(|_| draw(protocol, at, &mut random)));
        }
    }
    let folder: PathBuf = std::env::temp_dir().join(format!("tengen_misdeeds_{}", std::process::id()));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(number) else { break };
                    let fault = fault_of(program, &folder.join(number.to_string()));
                    assert_eq!(fault, None, "{}", program.text);
                }
            });
        }
    });
    fs::remove_dir_all(&folder).expect("removed");
}
