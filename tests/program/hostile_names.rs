//! Tests that hostile names do no harm in the output of any command. The names are those of files, players and scenes,
//! and texts that the protocols read.
#![cfg(unix)]

use crate::common::{cells, repository, scratch, write};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// It clears a terminal in two ways, turns the text around, and begins an element of HTML.
const HOSTILE: &str = "a\u{1b}[2J\u{9b}2Jx\u{202e}<i>y";

/// Command lines, in their order: some use the files of earlier ones. A word that begins with `H` begins with the hostile
/// name instead.
const COMMANDS: &str = "\
run H.sgf --no-progress
run H.sgf --no-progress --format json
run Htorn.sgf --no-progress
run H.pgn --no-progress
run Hbad.pgn --no-progress
run H.epd --no-progress
run Htorn.epd --no-progress
run H.kif --no-progress
run Hbad.kif --no-progress
run Hraw.ron --no-progress
run Hraw.ron --no-progress --format json
run Hbad.ron --no-progress
run Hbad.ron --no-progress --format json
run Hmissing --no-progress
run H.sgf --only H --no-progress
run H.sgf --task H
run H.sgf --seed H
run H.sgf --out Hrun --no-progress
run H.sgf --out Hrun --no-progress
run H.sgf --out Hrun --resume --seed 3 --no-progress
check H.sgf
check Htorn.sgf
check Hbad.pgn
check Hbad.kif
check Hbad.ron
check Hmissing
selfplay Hplay.ron --games 1 --out Hplayed --no-progress
selfplay Hplay.ron --games 1 --out Hplayed --no-progress
selfplay Hbad.ron --games 1 --out Hnone --no-progress
selfplay Hengine.ron --games 1 --out Hnone --no-progress
selfplay Hengine.ron --games 1 --out Hnone --no-progress --allow-commands
run H.sgf --shard 1/1 --out Hshard --no-progress
merge Hshard --out Hmerged
merge Hshard --out Hmerged
merge Hmissing --out Hnone
profile H.sgf
profile Htorn.sgf
profile H.sgf --trace Hmissing/x
profile H.sgf --against H.jsonl
export Hrun --format csv
export Hrun --format csv
export H.jsonl --format csv
export Hmissing --format csv
events Hrun/records.jsonl
events Hrun/records.jsonl --format json
events H.jsonl
events Hmissing
show H.sgf --color never
show Htorn.sgf
show Hmissing
show H.sgf --after H
show H.sgf --svg H.svg
show H.sgf --svg Hmissing/x
report H.sgf --out Hreport --sgf
report H.sgf --out Hreport
report Htorn.sgf --out Htornreport
report Hmissing --out Hmissingreport
view Hmissing --no-open
view H.jsonl --no-open
gtp --patterns Hmissing
gtp --judge Hmissing
analyse H
ggp --bind H
chess exact --scheme H
chess explain H
chess explain startpos H
chess epd Hbest.epd --nodes 100 --verbose
chess epd Htorn.epd
chess epd Hmissing
chess paths --policy H
chess perft H.epd
chess perft Hwrong.epd
chess perft Htorn.epd
chess referee H.pgn
chess referee Hbad.pgn
chess referee Hmissing
chess repetition --epd H.epd --depth 1
chess repetition --threads H.epd --depth 1
chess repetition --exact H.jsonl
chess suite H.jsonl
chess suite Hmissing
chess suite --engine Hmissing
chess tune --out Hmissing/x --games 1
go learn H.sgf --epochs 1 --out H.txt
go learn Htorn.sgf --out H.txt
go learn H.sgf --out Hmissing/x
gdl check H.kif
gdl check Hbad.kif
gdl check Hmissing
gdl fmt Hbad.kif
gdl fmt H.kif --check
gdl fmt Hmissing
gdl explore Hbad.kif
gdl explore Hmissing
gdl net H.kif
gdl net Hbad.kif
gdl net H.kif --dot Hmissing/x
gdl perf H.kif - 0.01
gdl perf H.kif Hmissing/x 0.01
gdl table H H H
gdl compare H H H --against H --seconds 0.01 --rounds 1 --no-setup
gdl compare Hmissing H H --against H --seconds 0.01
gdl match H.kif --games 1 --visits 50
gdl match Hmissing --games 1
gdl match H.kif --players H --games 1
gdl match H.kif --players random --games 1 --out Hmatches
gdl match H.kif --players random --games 2 --out Hmatches
gdl match H.kif --players random --games 2 --out Hmatches --resume --seed 3
gdl match H.kif --players ggp:H:1 --games 1
gdl match H.kif --players Hprogram-{port} --games 1
completions H
man --out Hman
man --out Hman
bench --check Hmissing
bench --check H.jsonl
example go --out Hexample
example go --out Hexample
uci H
H";

/// Commands that answer lines, and their lines.
const DIALOGUES: &[(&str, &str)] = &[
    ("gtp", "H\nplay black H\nloadsgf H.sgf\nloadsgf H\nknown_command H\nboardsize H\nlist_commands\nquit\n"),
    ("uci", "H\nposition fen H\nposition startpos moves H\nsetoption name H value H\ngo depth H\nquit\n"),
    (
        "analyse",
        "H\n{\"id\":\"H\"}\n{\"id\":\"H\",\"moves\":[[\"B\",\"H\"]],\"rules\":\"H\",\"boardXSize\":9,\"boardYSize\":9}\n",
    ),
    ("chess exact", "H\n{\"id\":\"H\",\"fen\":\"H\",\"depth\":1}\n"),
    ("gdl explore H.kif", "H\n{\"move\":[\"H\"]}\n"),
];

/// Commands that speak with an editor or a browser alone.
const LEFT_OUT: [&str; 1] = ["gdl lsp"];

fn hostile(text: &str) -> String {
    text.replace('H', HOSTILE)
}

/// A folder with hostile files of every kind.
fn inputs() -> PathBuf {
    let folder = scratch("hostile_names");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let rules = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
        (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
        (<= terminal (true (left 0))) (goal you 100)";
    let play = "task: SelfPlay(max_moves: 4, random_moves: 0, players: [Search(nodes: 9)";
    for (ending, text) in [
        (".sgf", "(;GM[1]SZ[5]PB[=H]PW[H]EV[H]C[H];B[cc]C[H])".to_owned()),
        ("torn.sgf", "(;GM[1]SZ[5]PB[H];B[zz];W[H".into()),
        (".pgn", "[Event \"H\"]\n[White \"=H\"]\n[Black \"H\"]\n\n1. e4 {H} e5 *\n".into()),
        ("bad.pgn", "[Event \"H\"]\n[White \"H\"]\n\n1. e4 H *\n".into()),
        (".epd", format!("{start} ;D1 20\n")),
        ("wrong.epd", format!("{start} ;D1 21\n")),
        ("torn.epd", "H w ;D1 21\n".into()),
        ("best.epd", format!("{start} bm a3; id \"H\";\n")),
        (".kif", rules.into()),
        ("bad.kif", "(role H) (foo (H".into()),
        (
            "raw.ron",
            "(version: 1, name: \"H\", game: Chess(), task: Perft(depth: 1), expect: [Nodes(1)])".into(),
        ),
        ("bad.ron", "(version: 1, name: \"H\", gane: \"H\")".into()),
        ("play.ron", format!("(version: 1, name: \"H\", game: Chess(), {play}]))")),
        ("engine.ron", format!("(version: 1, name: \"H\", game: Chess(), {play}, Uci(\"/none/H\")]))")),
        (".jsonl", "{\"id\":\"H\"}\n".into()),
    ] {
        write(&folder, &format!("{HOSTILE}{ending}"), &hostile(&text));
    }
    folder
}

/// Runs a command line with these lines on stdin.
fn run(folder: &Path, command: &str, lines: &str) -> Output {
    let word = |word: &str| match word.strip_prefix('H') {
        Some(rest) => format!("{HOSTILE}{rest}"),
        None => word.to_owned(),
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(command.split_whitespace().map(word))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // A command that reads nothing may be over already.
    let _ = child.stdin.take().expect("a pipe").write_all(hostile(lines).as_bytes());
    child.wait_with_output().expect("it ends")
}

/// The first character of a text that deceives a reader, with its surroundings.
fn deceit(text: &str) -> Option<String> {
    let deceives = |c: char| tengen_core::deceives(c) && !matches!(c, '\n' | '\t');
    let at = text.find(deceives)?;
    let from = text[..at].char_indices().rev().nth(60).map_or(0, |(from, _)| from);
    Some(text[from..].chars().take(100).collect())
}

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn no_output_of_any_command_has_what_a_hostile_name_brings() {
    let folder = inputs();
    let dialogues = DIALOGUES.iter().copied();
    let mut leaks = Vec::new();
    for (command, lines) in COMMANDS.lines().map(|command| (command, "")).chain(dialogues) {
        let output = run(&folder, command, lines);
        assert!(output.status.code().is_some_and(|code| code <= 2), "{command}: {output:?}");
        for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            let found = deceit(&String::from_utf8_lossy(bytes));
            leaks.extend(found.map(|found| format!("{command}, {stream}: {found:?}")));
        }
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
    let (mut all, mut pages, mut tables) = (Vec::new(), 0, 0);
    files(&folder, &mut all);
    for path in all {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
        let name = path.display();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("html" | "svg") => {
                pages += 1;
                assert!(!text.contains("<i>y"), "{name}: the name is an element");
            }
            Some("csv") => {
                tables += 1;
                assert_eq!(deceit(&text), None, "{name}");
                let formula = |cell: &String| {
                    cell.starts_with(['=', '+', '-', '@', '\t']) && cell.parse::<f64>().is_err()
                };
                assert_eq!(text.lines().flat_map(cells).find(formula), None, "{name}");
            }
            Some("jsonl") if path.ends_with("records.jsonl") => assert_eq!(deceit(&text), None, "{name}"),
            _ => {}
        }
    }
    assert!(pages > 2 && tables > 10, "{pages} pages, {tables} tables");
}

#[test]
fn every_command_is_searched() {
    let page = fs::read_to_string(repository().join("docs/exit-codes.md")).expect("the page");
    let commands = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`').map(|row| row.0));
    let searched: Vec<&str> = COMMANDS.lines().chain(DIALOGUES.iter().map(|dialogue| dialogue.0)).collect();
    let missing: BTreeSet<&str> = commands
        .filter(|command| !LEFT_OUT.contains(command))
        .filter(|command| !searched.iter().any(|line| line.starts_with(*command)))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}
