//! Tests every kind of warning of `docs/warnings.md`: a file that gives the warning, its place, and the effect of
//! `--strict`.

use crate::common::{files_below, repository, scratch, stdout, tengen, wide_rules, write};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Where a kind is found beside `tengen run`.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// By `tengen check` too.
    Checked,
    /// Only by a run.
    Run,
    /// By a run with this option; without it, and for `tengen check`, it is an error.
    With(&'static str),
}

/// A kind, the name of a file, its bytes, the task, and who tells.
type Sample = (&'static str, &'static str, Vec<u8>, &'static str, Told);

const PLAYOUTS: &str = "Playouts(count: 1)";
const SEARCH: &str = "Search(nodes: 100)";

fn gbk(text: &str) -> Vec<u8> {
    encoding_rs::GBK.encode(text).0.into_owned()
}

fn samples() -> Vec<Sample> {
    use Told::{Checked, Run, With};
    let name = "\u{674e}\u{4e16}\u{77f3}\u{5bf9}\u{5e38}\u{660a}";
    let mut cut = gbk("(;GM[1]SZ[9]CA[GBK]C[\u{4f60}\u{597d}");
    cut.pop();
    cut.extend(b"];B[aa])");
    vec![
        (
            "sgf-charset-unknown",
            "a.sgf",
            gbk(&format!("(;SZ[9]CA[Klingon]PB[{name}];B[aa])")),
            PLAYOUTS,
            Checked,
        ),
        ("sgf-charset-wrong", "a.sgf", format!("(;SZ[9]CA[GBK]PB[{name}];B[aa])").into(), PLAYOUTS, Checked),
        (
            "sgf-charset-guessed",
            "a.sgf",
            gbk(&format!("(;SZ[9]PB[{name}]C[{name}];B[aa])")),
            PLAYOUTS,
            Checked,
        ),
        ("sgf-letter-cut", "a.sgf", cut, PLAYOUTS, Checked),
        (
            "sgf-more-games",
            "a.ron",
            "(version: 1, name: \"a\", game: Go(sgf: \"two.sgf\"), task: Playouts(count: 1))".into(),
            PLAYOUTS,
            Checked,
        ),
        ("sgf-number-comma", "a.sgf", "(;SZ[9]KM[6,5];B[aa])".into(), PLAYOUTS, Checked),
        ("sgf-komi-hundredths", "a.sgf", "(;SZ[9]KM[375];B[aa])".into(), PLAYOUTS, Checked),
        ("sgf-player-unknown", "a.sgf", "(;SZ[9]PL[X];B[aa])".into(), PLAYOUTS, Checked),
        ("go-stone-without-liberty", "a.sgf", "(;SZ[9]AB[aa]AW[ab][ba])".into(), PLAYOUTS, Checked),
        ("chess-castling-surplus", "a.epd", "r3k3/8/8/8/8/8/8/4K2R w KQkq -\n".into(), SEARCH, Checked),
        ("chess-null-move", "a.pgn", "1. e4 -- 2. d4 *\n".into(), SEARCH, Checked),
        (
            "go-illegal-move",
            "a.sgf",
            "(;SZ[9];B[aa];W[aa])".into(),
            PLAYOUTS,
            With("--illegal-moves=warning"),
        ),
        ("gdl-no-net", "a.kif", wide_rules(20).into(), "Perft(depth: 1)", Run),
    ]
}

/// The kinds of the page.
fn kinds_of_the_page() -> Vec<String> {
    let page = fs::read_to_string(repository().join("docs/warnings.md")).expect("the page of warnings");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| Some(row.split_once('`')?.0.to_owned())).collect()
}

/// The kinds of the code: names that the files of kinds define.
fn kinds_of_the_code() -> BTreeSet<String> {
    let files =
        ["systems/go/src/board/sgf/kinds.rs", "systems/chess/src/rules/kinds.rs", "src/scene/warnings.rs"];
    let mut kinds = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(repository().join(file)).expect("a file of kinds");
        let defined = text.lines().filter(|line| line.starts_with("pub const") && line.contains(": &str = "));
        kinds.extend(defined.filter_map(|line| Some(line.split('"').nth(1)?.to_owned())));
    }
    kinds
}

/// The records of `tengen run`, and whether its exit status is good.
fn records(folder: &Path, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let all = [&["run", "--format", "json", "--no-progress"], arguments].concat();
    let output = tengen(folder, &all);
    let text = stdout(&output);
    (text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect(), output.status.code())
}

#[test]
fn every_kind_of_the_code_and_of_the_page_has_a_sample() {
    let sampled: Vec<&str> = samples().iter().map(|sample| sample.0).collect();
    assert_eq!(sampled, kinds_of_the_page(), "the samples of this file, and docs/warnings.md");
    let sampled: BTreeSet<String> = sampled.into_iter().map(str::to_owned).collect();
    assert_eq!(sampled, kinds_of_the_code(), "the samples of this file, and the constants of the code");
    // A kind that is given without a constant would be in no table.
    for folder in ["src", "systems"] {
        for path in files_below(&repository().join(folder), "rs") {
            let text = fs::read_to_string(&path).expect("code");
            assert!(!text.contains(".of_kind(\""), "{} names a kind itself", path.display());
        }
    }
}

#[test]
fn every_kind_is_told_with_its_place_and_help() {
    for (kind, name, bytes, task, told) in samples() {
        let folder = scratch(&format!("warnings_{kind}"));
        write(&folder, "two.sgf", "(;SZ[9];B[aa])(;SZ[9];B[bb])");
        fs::write(folder.join(name), bytes).expect("a file");
        let mut arguments = vec![name, "--task", task];
        match told {
            Told::With(option) => arguments.push(option),
            Told::Run => arguments.extend(["--case-memory", "1"]),
            Told::Checked => {}
        }
        let (found, status) = records(&folder, &arguments);
        assert_eq!((found.len(), status), (1, Some(0)), "{kind} {found:?}");
        let warnings = found[0]["warnings"].as_array().map_or(&[][..], Vec::as_slice);
        let kinds: Vec<&Value> = warnings.iter().map(|warning| &warning["kind"]).collect();
        assert_eq!(kinds, [kind], "{found:?}");
        let warning = &warnings[0];
        assert!(warning["file"].as_str().is_some_and(|file| !file.is_empty()), "{kind} {warning}");
        assert!(warning["at"]["line"].as_u64() >= Some(1) && warning["at"]["column"].as_u64() >= Some(1));
        assert!(warning["help"].as_str().is_some_and(|help| help.len() > 10), "{kind} {warning}");
        let check = tengen(&folder, &["check", name, "--task", task]);
        let stderr = String::from_utf8_lossy(&check.stderr).into_owned();
        match told {
            Told::Checked => assert!(check.status.success() && stderr.contains(kind), "{kind} {check:?}"),
            Told::Run => assert!(check.status.success(), "{check:?}"),
            Told::With(option) => {
                assert!(!check.status.success(), "{check:?}");
                // The help of a command names no option of another.
                assert!(!stdout(&check).contains(option.split('=').next().expect("a name")), "{check:?}");
            }
        }
    }
}

#[test]
fn strict_makes_every_kind_an_error_and_loses_no_other_case() {
    for (kind, name, bytes, task, told) in samples() {
        let folder = scratch(&format!("strict_{kind}"));
        write(&folder, "two.sgf", "(;SZ[9];B[aa])(;SZ[9];B[bb])");
        fs::write(folder.join(name), bytes).expect("a file");
        let ending = name.split_once('.').expect("an ending").1;
        let (good, text) = match ending {
            "epd" => ("good.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"),
            "pgn" => ("good.pgn", "1. e4 e5 *\n"),
            "kif" => {
                ("good.kif", "(role a) (init (p 1)) (legal a x) (<= terminal (true (p 1))) (goal a 100)")
            }
            _ => ("good.sgf", "(;SZ[9];B[aa])"),
        };
        write(&folder, good, text);
        let mut arguments = vec![name, good, "--task", task, "--strict"];
        match told {
            Told::With(option) => arguments.push(option),
            Told::Run => arguments.extend(["--case-memory", "1"]),
            Told::Checked => {}
        }
        let (found, status) = records(&folder, &arguments);
        assert_eq!((found.len(), status), (2, Some(1)), "{kind} {found:?}");
        assert_eq!(found[0]["status"], "error", "{kind} {found:?}");
        let error = &found[0]["result"]["error"];
        assert_eq!((&error["kind"], &error["severity"]), (&kind.into(), &"error".into()), "{found:?}");
        assert!(error["at"]["line"].as_u64() >= Some(1), "{error}");
        assert_eq!(found[1]["status"], "ok", "{kind} {found:?}");
        if told == Told::Checked {
            let check = tengen(&folder, &["check", name, good, "--task", task, "--strict"]);
            let text = stdout(&check);
            assert_eq!(check.status.code(), Some(1), "{kind} {text}");
            assert!(text.contains(kind) && text.contains("2 cases, 1 fault"), "{kind} {text}");
        }
    }
}
