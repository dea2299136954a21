//! Tests that every command accepts the added scheme and the added propagator.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// The program's answer to arguments and a text on its input.
fn tengen(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_schemes"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_scheme_searches_in_every_front_end() {
    let uci = tengen(
        &["uci"],
        "uci\nsetoption name RepetitionScheme value values\nposition startpos\ngo depth 4\nquit\n",
    );
    let said = text(&uci.stdout);
    assert!(said.contains("var values") && said.contains("bestmove"), "{said}");
    assert!(!said.contains("no repetition scheme"), "{said}");
    let explained = tengen(
        &["chess", "explain", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--depth", "4", "--scheme", "values"],
        "",
    );
    assert!(explained.status.success(), "{}", text(&explained.stderr));
    let scene = |name: &str| {
        let scene = format!(
            "(version: 1, name: \"a\", game: Chess(), task: Search(depth: 4, repetition: Own(\"{name}\")))"
        );
        let file = format!("{}/{name}.ron", env!("CARGO_TARGET_TMPDIR"));
        fs::write(&file, scene).expect("written");
        tengen(&["run", &file], "")
    };
    let run = scene("values");
    assert!(run.status.success(), "{}{}", text(&run.stdout), text(&run.stderr));
    let unknown = scene("magic");
    assert_eq!(unknown.status.code(), Some(1));
    let why = text(&unknown.stdout) + &text(&unknown.stderr);
    assert!(why.contains("no scheme `magic` was added to this program; there are values"), "{why}");
}

#[test]
fn the_propagator_plays_out_a_game() {
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/../../resources/gdl/noughts.kif");
    let explored = tengen(&["gdl", "explore", rules, "--propagator", "checked"], "\"restart\"\n");
    assert!(explored.status.success(), "{}", text(&explored.stderr));
    assert!(text(&explored.stdout).contains("legal"), "{}", text(&explored.stdout));
    let played = tengen(&["gdl", "perf", rules, "-", "0.1", "--propagator", "checked"], "");
    assert!(played.status.success(), "{}", text(&played.stderr));
    assert!(text(&played.stdout).contains('='), "{}", text(&played.stdout));
    let unknown = tengen(&["gdl", "explore", rules, "--propagator", "magic"], "");
    assert!(
        text(&unknown.stderr).contains("differential, compiled, checked, prover"),
        "{}",
        text(&unknown.stderr)
    );
}
