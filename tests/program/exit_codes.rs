//! Tests every row of docs/exit-codes.md. Each command runs on good and bad input, with a wrong option, and gets three
//! signals.

use crate::common::{game, repository, scratch, tengen, wide_rules, write};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A command: its arguments on good input, on bad input, and for work that takes long. A dash stands for no case. The
/// name of the command stands before each.
const COMMANDS: &[(&str, &str, &str, &str)] = &[
    ("example", "go --out example", "-", "-"),
    ("run", "a.ron --no-progress", "bad.ron --no-progress", "long.ron --no-progress"),
    ("check", "a.ron", "torn.sgf", "wide.kif"),
    (
        "selfplay",
        "play.ron --games 1 --no-progress --out played",
        "badplay.ron --games 1 --no-progress --out badly",
        "longplay.ron --games 1 --no-progress --out long",
    ),
    ("merge", "shard1 shard2 --out merged", "-", "-"),
    ("profile", "a.ron", "torn.sgf", "long.ron"),
    ("export", "shard1/records.jsonl --format csv --out tables", "-", "pipe --format csv --out none"),
    ("events", "shard1/records.jsonl", "-", "pipe"),
    ("show", "a.sgf", "torn.sgf", "each.ron --layer moves --effort deep"),
    ("report", "a.sgf --out pages", "torn.sgf --out torn", "b.sgf --effort deep --out long"),
    ("view", "-", "-", "--no-open"),
    ("gtp", "", "-", ""),
    ("analyse", "", "-", ""),
    ("uci", "", "-", ""),
    ("ggp", "-", "-", "--port 0"),
    ("chess exact", "", "< no question", ""),
    ("chess explain", "startpos --depth 1", "-", "startpos --depth 40"),
    ("chess epd", "best.epd --nodes 100", "-", "best.epd --nodes 100000000000"),
    ("chess paths", "--help", "-", ""),
    ("chess perft", "a.epd", "bad.epd", "deep.epd"),
    ("chess referee", "a.pgn", "bad.pgn", "--sample 100000000"),
    ("chess repetition", "", "-", "--epd best.epd --depth 60"),
    ("chess suite", "--group identity", "--engine /none", "--make 1"),
    (
        "chess tune",
        "--games 1 --nodes 50 --epochs 1 --out weights.txt",
        "-",
        "--games 1000000 --out none.txt",
    ),
    (
        "go learn",
        "b.sgf --epochs 1 --out moves.txt",
        "b.sgf torn.sgf --epochs 1 --out torn.txt",
        "b.sgf --epochs 4000000 --out none.txt",
    ),
    ("gdl check", "a.kif", "bad.kif", "wide.kif"),
    ("gdl fmt", "a.kif", "bad.kif", "-"),
    ("gdl lsp", SHUTDOWN, "", ""),
    ("gdl explore", "a.kif", "bad.kif", "a.kif"),
    ("gdl net", "a.kif", "bad.kif", "wide.kif"),
    ("gdl perf", "a.kif perf.txt 0.1", "bad.kif none.txt 0.1", "a.kif none.txt 1000"),
    ("gdl table", ". peers.csv table.md --seconds 0.01", "-", ". peers.csv none.md --seconds 1000"),
    ("gdl compare", ". peers.csv compare.md --against none --seconds 0.01 --no-setup", "-", "-"),
    ("gdl match", "a.kif --games 1 --visits 100", "none.kif --games 1", "a.kif --games 100000000"),
    ("completions", "bash", "-", "-"),
    ("man", "", "-", "-"),
    ("bench", "", "--check a.kif", "-"),
];

/// What an editor says to the language server last; words behind `<` go to stdin.
const SHUTDOWN: &str = "< {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}\n\
    {\"jsonrpc\":\"2.0\",\"method\":\"initialized\",\"params\":{}}\n\
    {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";

/// A dash as an argument: `gdl fmt -` reads stdin.
#[cfg(unix)]
const STDIN: &str = "gdl fmt";

const KIF: &str = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
    (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
    (<= terminal (true (left 0))) (goal you 100)";

/// A folder with the inputs that the commands name.
fn inputs(name: &str) -> PathBuf {
    let folder = scratch(name);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let chess = |rest: &str| format!("(version: 1, name: \"a\", game: Chess(), task: {rest})");
    let play = |game: &str, nodes: u64| {
        format!(
            "(version: 1, name: \"a\", game: Chess({game}),
              task: SelfPlay(players: [Search(nodes: {nodes})], max_moves: 4, random_moves: 0))"
        )
    };
    for (name, text) in [
        ("a.sgf", "(;GM[1]SZ[5];B[cc])".to_owned()),
        ("b.sgf", game(30)),
        ("torn.sgf", "(;SZ[9];B[aa".into()),
        ("a.kif", KIF.into()),
        ("bad.kif", "(role you".into()),
        // It grounds for a long time.
        ("wide.kif", wide_rules(60)),
        ("a.ron", chess("Perft(depth: 1)")),
        ("bad.ron", chess("Perft(depth: 1), expect: [Nodes(1)]")),
        ("long.ron", chess("Search(nodes: 100000000000)")),
        ("play.ron", play("", 9)),
        ("badplay.ron", play("fen: \"x\"", 9)),
        ("longplay.ron", play("", 100_000_000_000)),
        (
            "each.ron",
            "(version: 1, name: \"a\", for_each: Sgf(glob: \"b.sgf\", every: 1), task: Analyse())".into(),
        ),
        ("a.pgn", "[Event \"a\"]\n\n1. e4 e5 *\n".into()),
        ("bad.pgn", "1. e4 e9 *\n".into()),
        ("a.epd", format!("{start} ;D1 20\n")),
        ("bad.epd", format!("{start} ;D1 21\n")),
        ("deep.epd", format!("{start} ;D12 62854969236701747\n")),
        ("best.epd", format!("{start} bm e4;\n")),
        ("peers.csv", "game,roles,engine,state_changes_per_s,setup_cpu_s\na,1,x,100,0.1\n".into()),
    ] {
        write(&folder, name, &text);
    }
    for number in ["1", "2"] {
        let (shard, out) = (format!("{number}/2"), format!("shard{number}"));
        let run = ["run", "a.ron", "--no-progress", "--shard", &shard, "--out", &out];
        assert!(tengen(&folder, &run).status.code().is_some());
    }
    folder
}

/// The rows of the page: a command and its six cells.
fn rows() -> Vec<(String, [String; 6])> {
    let page = fs::read_to_string(repository().join("docs/exit-codes.md")).expect("the page");
    let cells = |line: &str| -> Option<(String, [String; 6])> {
        let rest = line.strip_prefix("| `")?;
        let (command, rest) = rest.split_once("` | ")?;
        let cells: Vec<String> =
            rest.trim_end().trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        Some((command.to_owned(), cells.try_into().ok()?))
    };
    page.lines().filter_map(cells).collect()
}

/// Whether this build lacks a command.
fn is_absent(command: &str) -> bool {
    (command == "gdl lsp" && !cfg!(feature = "lsp")) || (command == "view" && !cfg!(feature = "viewer"))
}

/// Starts a command with these arguments; the words behind `<` are what stdin has.
fn start(folder: &Path, command: &str, arguments: &str) -> Child {
    let (arguments, input) = arguments.split_once("< ").unwrap_or((arguments, ""));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(command.split(' '))
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let framed = |line: &str| format!("Content-Length: {}\r\n\r\n{line}", line.len());
    let input = match input {
        "" => String::new(),
        messages if messages.starts_with("{\"jsonrpc\"") => messages.lines().map(framed).collect(),
        line => format!("{line}\n"),
    };
    // A command that reads nothing may be over already.
    let _ = child.stdin.as_mut().expect("a pipe").write_all(input.as_bytes());
    child
}

/// The exit code of a command whose input ends.
fn code(folder: &Path, command: &str, arguments: &str) -> String {
    let mut child = start(folder, command, arguments);
    drop(child.stdin.take());
    child.wait().expect("it ends").code().map_or_else(|| "signal".into(), |code| code.to_string())
}

#[test]
fn the_page_has_a_row_for_every_command() {
    let folder = scratch("exit_rows");
    assert!(tengen(&folder, &["man", "--out", "pages"]).status.success());
    let pages: BTreeSet<String> = fs::read_dir(folder.join("pages"))
        .expect("pages")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().trim_end_matches(".1").to_owned())
        .collect();
    let has_below = |page: &String| pages.iter().any(|other| other.starts_with(&format!("{page}-")));
    let commands: BTreeSet<String> = pages
        .iter()
        .filter(|page| !has_below(page))
        .filter_map(|page| page.strip_prefix("tengen-"))
        .map(|page| page.replacen('-', " ", 1))
        .collect();
    let named: BTreeSet<String> =
        rows().into_iter().map(|row| row.0).filter(|name| !is_absent(name)).collect();
    assert_eq!(named, commands);
    let tested: Vec<&str> = COMMANDS.iter().map(|command| command.0).collect();
    assert_eq!(rows().iter().map(|row| row.0.as_str()).collect::<Vec<_>>(), tested);
}

#[test]
fn every_command_ends_with_the_code_of_its_row() {
    let folder = inputs("exit_codes");
    for ((command, cells), (_, good, bad, _)) in rows().iter().zip(COMMANDS) {
        if is_absent(command) {
            continue;
        }
        for (arguments, cell) in [(*good, &cells[0]), (*bad, &cells[1])] {
            assert_eq!(arguments == "-", cell == "–", "{command}: the page and the test name the same cases");
            if arguments != "-" {
                assert_eq!(&code(&folder, command, arguments), cell, "{command} {arguments}");
            }
        }
        assert_eq!(&code(&folder, command, "--no-such-option"), &cells[2], "{command} --no-such-option");
    }
}

/// The signals of the page: the name, the number and the cell.
#[cfg(unix)]
const SIGNALS: [(&str, i32, usize); 3] = [("INT", 2, 3), ("TERM", 15, 4), ("HUP", 1, 5)];

/// Whether this process ignores a signal, as one in the background may: its children ignore it too.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (mask >> (signal - 1)) & 1 == 1
}

#[test]
#[cfg(unix)]
fn every_command_ends_on_a_signal_as_its_row_says() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::time::{Duration, Instant};
    let folder = inputs("exit_signals");
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().is_ok_and(|made| made.success()));
    for ((command, cells), (_, _, _, long)) in rows().iter().zip(COMMANDS) {
        if is_absent(command) {
            continue;
        }
        let is_quick = *long == "-" && command != STDIN;
        for (name, number, cell) in SIGNALS.into_iter().filter(|signal| !is_ignored(signal.1)) {
            let cell = &cells[cell];
            assert_eq!(is_quick, cell == "–", "{command}: the page and the test name the same cases");
            if is_quick {
                continue;
            }
            // A folder that an interrupted command left is not gone on with.
            let _ = fs::remove_dir_all(folder.join("long"));
            let mut child = start(&folder, command, long);
            // A command that takes signals itself is to be at work; another ends at any moment.
            let work = if cell == "signal" { 100 } else { 2000 };
            std::thread::sleep(Duration::from_millis(work));
            assert!(child.try_wait().expect("its state").is_none(), "{command} {long}: it takes long");
            let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
            assert!(sent.is_ok_and(|status| status.success()));
            let until = Instant::now() + Duration::from_secs(20);
            let status = loop {
                if let Some(status) = child.try_wait().expect("its state") {
                    break status;
                }
                if Instant::now() > until {
                    let _ = child.kill();
                    panic!("{command} {long}: no end after SIG{name}");
                }
                std::thread::sleep(Duration::from_millis(10));
            };
            match cell.as_str() {
                "signal" => assert_eq!(status.signal(), Some(number), "{command} {long}: SIG{name}"),
                code => assert_eq!(status.code(), code.parse().ok(), "{command} {long}: SIG{name}"),
            }
        }
    }
}
