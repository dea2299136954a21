//! Tests of the review of rulesheets: every error and every warning.

use super::*;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tengen_core::{Position, Severity};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rulesheets of a folder, by name.
fn sheets(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "kif"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    found.sort();
    found
}

#[test]
fn a_review_names_its_stages_and_ends_with_the_rules_where_they_have_errors() {
    let good = "(role a) (init s) (<= (legal a m) (true s)) (<= (next t) (true s)) (<= terminal (true t)) (goal a 1)";
    for (text, wanted) in
        [(good, &[Stage::Rules, Stage::Net, Stage::Play][..]), ("(role a) (<= (legal a ?m)", &[Stage::Rules])]
    {
        let mut stages = Vec::new();
        let _ = whole_in_stages(text, LoadLimits::default(), &mut || false, &mut |stage| stages.push(stage));
        assert_eq!(stages, wanted, "{text}");
    }
}

/// Code, severity and place of all that a text draws, sorted.
fn drawn(text: &str) -> Vec<String> {
    let review = whole(text, LoadLimits::default(), &mut || false);
    let mut found: Vec<String> = review
        .faults
        .iter()
        .map(|e| {
            let Position { line, column } = Position::of_offset(text, e.span.start);
            let kind = if e.severity() == Severity::Error { "error" } else { "warning" };
            format!("{} {kind} {line}:{column}", e.fault.code())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn each_sample_draws_what_its_first_line_lists() {
    let samples = sheets(&repository().join("scenes/gdl/faults"));
    let mut wrong = Vec::new();
    for (name, path) in &samples {
        let bytes = fs::read(path).unwrap();
        let lossy = String::from_utf8_lossy(&bytes);
        let first = lossy.lines().next().unwrap().trim_start_matches("; ");
        let mut wanted: Vec<String> = first.split(", ").map(str::to_owned).collect();
        wanted.sort();
        let found = match crate::gdl::fault::encoding(&bytes) {
            None => drawn(&lossy),
            Some(d) => {
                let at = d.at.unwrap();
                vec![format!("{} error {}:{}", d.kind.unwrap(), at.line, at.column)]
            }
        };
        if found != wanted {
            wrong.push(format!("{name}: wanted {wanted:?}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Two codes have no sample: a file of 8 MiB, and a net that takes a minute.
    let mut codes: Vec<&str> = crate::gdl::fault::CODES.iter().map(|(code, _)| *code).collect();
    codes.retain(|code| !matches!(*code, "gdl-too-long" | "gdl-no-net"));
    codes.sort_unstable();
    assert_eq!(samples.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), codes);
}

#[test]
fn the_page_lists_every_code_in_order() {
    let page = fs::read_to_string(repository().join("docs/gdl-diagnostics.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `gdl-"));
    let rows: Vec<String> = rows.filter_map(|row| Some(format!("gdl-{}", row.split_once('`')?.0))).collect();
    let codes: Vec<&str> = crate::gdl::fault::CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(rows, codes);
}

#[test]
fn a_file_of_nine_megabytes_is_one_error() {
    assert_eq!(drawn(&"(p 1)\n".repeat(9 << 20 >> 2)), ["gdl-too-long error 1:1"]);
}

#[test]
fn a_game_without_a_net_says_so() {
    let numbers: String = (0..20).map(|n| format!("(num {n})")).collect();
    let text = format!(
        "(role a) (init (q 0 0 0 0)) {numbers} (<= (legal a (m ?x)) (num ?x))
         (<= (next (q ?b ?c ?d ?x)) (does a (m ?x)) (true (q ?a ?b ?c ?d)))
         (<= terminal (true (q ?a ?a ?b ?c))) (goal a 100)"
    );
    let limits = LoadLimits { ground: crate::ground::Limits { words: 100_000, ..Default::default() } };
    let review = whole(&text, limits, &mut || false);
    let codes: Vec<&str> = review.faults.iter().map(|e| e.fault.code()).collect();
    assert_eq!(codes, ["gdl-no-net"]);
}

#[test]
fn roles_may_be_derived() {
    let rest =
        "(init (n 0)) (succ 0 1) (<= (legal ?r go) (role ?r)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 1))) (<= (goal ?r 100) (role ?r))";
    for roles in ["(pl a) (pl b) (<= (role ?x) (pl ?x))", "(role a) (pl b) (<= (role ?x) (pl ?x))"] {
        let text = format!("{roles} {rest}");
        assert_eq!(drawn(&text), [""; 0], "{roles}");
        let program = Program::read(&text).unwrap();
        assert_eq!(program.roles.iter().map(|&r| program.text(r)).collect::<Vec<_>>(), ["a", "b"]);
        let game = Game::from_program(program, LoadLimits::default(), &mut || false);
        for way in ["differential", "prover"] {
            let mut machine = game.machine(way).unwrap();
            let initial = machine.initial();
            machine.enter(&initial).unwrap();
            assert_eq!(machine.roles(), ["a", "b"], "{way}");
            assert_eq!(machine.describe(&initial).unwrap().legal, [["go"], ["go"]], "{way}");
        }
    }
}

#[test]
fn the_help_names_what_an_author_meant() {
    let base = "(role fox) (init (at fox 1)) (succ 1 2) (<= (legal fox wait) (true (at fox 1)))
        (<= (next (at fox ?y)) (true (at fox ?x)) (succ ?x ?y)) (<= terminal (true (at fox 2)))
        (<= (goal fox 100) (true (at fox 2)))";
    let cases = [
        ("(<= (p ?x) (succ ?x ?y) (> ?x ?y)) (<= q (p 1)) (<= terminal q)", "GDL has no arithmetic"),
        ("(<= terminal (succ ?x ?y) (= ?x ?y))", "for equal terms use one variable twice"),
        ("(<= terminal (at fox ?x))", "`at` is a fact of the state: ask `(true (at ...))`"),
        ("(<= terminal (suc 1 ?x))", "the nearest is `succ`"),
        ("(<= (legal ?p run) (true (at fox 1)))", "add `(role ?p)`"),
        ("(<= (next done) (not (does ?p (go ?y))))", "give the question a relation of its own"),
        ("(<= (next 1 2) (true (at fox 1)))", "a relation of your own needs another name"),
        ("(<= terminal (true (att fox ?x)))", "the nearest is `(at fox 1)`"),
        ("(<= (legal foxx wait) (true (at fox 1)))", "the nearest is `fox`"),
    ];
    for (rule, wanted) in cases {
        let text = format!("{base}\n{rule}");
        let found: Vec<String> =
            rules(&text).faults.iter().map(|e| e.diagnostic(&text).to_string()).collect();
        assert!(found.iter().any(|d| d.contains(wanted)), "{rule}: {found:#?}");
    }
}

#[test]
fn a_role_without_a_move_hears_which_facts_the_last_move_lost() {
    let text = "(role a) (init (at hare 5)) (init (at fox 1)) (<= (legal a go) (true (at hare 5)))
        (<= (next (at fox 2)) (does a go)) (<= terminal (true (at fox 3))) (goal a 100)
        (<= (next (at fox 3)) (true (at fox 2)))";
    let review = whole(text, LoadLimits::default(), &mut || false);
    let found: Vec<String> = review.faults.iter().map(|e| e.diagnostic(text).to_string()).collect();
    assert!(found.iter().any(|d| d.contains("(at fox 2), after 1 move") && d.contains("lost") | d.contains("(at hare 5)")), "{found:#?}");
}

/// Sheets of the open suite, where it lies beside the repository.
fn open_suite() -> Vec<(String, PathBuf)> {
    let shared =
        std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    let found = sheets(&shared.join("suites/gdl"));
    if found.is_empty() {
        say("skipped: the open rulesheets are not here");
    }
    found
}

/// The warnings of the rules that an open rulesheet may draw: `gdl-unused`, which 18 of them have.
fn rare_warnings(sheets: &[(String, PathBuf)]) {
    let mut unused = 0;
    for (name, path) in sheets {
        let text = fs::read_to_string(path).unwrap();
        let review = rules(&text);
        let codes: Vec<&str> = review.faults.iter().map(|e| e.fault.code()).collect();
        assert!(codes.iter().all(|code| *code == "gdl-unused"), "{name}: {codes:?}");
        unused += usize::from(!codes.is_empty());
    }
    assert!(unused <= 18, "{unused} of the rulesheets are said to have unused relations");
}

#[test]
fn open_rulesheets_draw_few_warnings() {
    rare_warnings(&open_suite());
}

#[test]
#[ignore = "takes minutes"]
fn open_rulesheets_draw_few_warnings_of_play() {
    let mut told = Vec::new();
    for (name, path) in open_suite() {
        let text = fs::read_to_string(path).unwrap();
        for e in whole(&text, LoadLimits::default(), &mut || false).faults {
            match e.fault.code() {
                "gdl-unused" => {}
                code => told.push(format!("{name} {code}")),
            }
        }
    }
    let wanted =
        ["chess gdl-no-net", "merrills gdl-no-net", "pentago gdl-goal-double", "slaughter gdl-no-net"];
    told.retain(|t| !t.starts_with("3pttc gdl-no-move") && !t.starts_with("4pttc gdl-no-move"));
    assert_eq!(told, wanted);
}

/// The clauses of a formatted rulesheet, and its net, are those of the rulesheet.
fn formatted_alike(name: &str, text: &str, with_net: bool) {
    let once = crate::gdl::print::format(text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    assert_eq!(crate::gdl::print::format(&once).unwrap(), once, "{name}");
    let comments = |text: &str| -> Vec<String> {
        let tokens = crate::gdl::lexer::tokens(text).0.into_iter();
        let comments = tokens.filter(|t| t.kind == crate::gdl::lexer::TokenKind::Comment);
        comments.map(|t| text[t.span.start..t.span.end].trim_end().to_owned()).collect()
    };
    assert_eq!(comments(&once), comments(text), "{name}");
    let (before, after) = (Program::read(text).unwrap(), Program::read(&once).unwrap());
    assert_eq!(before.clauses, after.clauses, "{name}");
    if with_net {
        let dot = |program: Program| {
            let game = Game::from_program(program, LoadLimits::default(), &mut || false);
            game.topology
                .ok()
                .map(|topology| crate::inspect::export::dot(&crate::inspect::Inspection::new(&topology), &[]))
        };
        assert_eq!(dot(before), dot(after), "{name}");
    }
}

#[test]
fn formatting_an_open_rulesheet_keeps_its_comments_and_its_clauses() {
    for (n, (name, path)) in open_suite().into_iter().enumerate() {
        formatted_alike(&name, &fs::read_to_string(path).unwrap(), n % 16 == 0);
    }
}

#[test]
#[ignore = "takes minutes"]
fn formatting_an_open_rulesheet_keeps_its_net() {
    for (name, path) in open_suite() {
        formatted_alike(&name, &fs::read_to_string(path).unwrap(), true);
    }
}

#[test]
fn the_games_of_gdl_ii_draw_no_warnings_and_go_as_their_traces_do() {
    let folder = repository().join("scenes/gdl2");
    let sheets = sheets(&folder);
    assert_eq!(sheets.len(), 10);
    for (name, path) in sheets {
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(drawn(&text), [""; 0], "{name}");
        let trace = fs::read(folder.join(format!("traces/{name}.json"))).unwrap();
        let trace: serde_json::Value = serde_json::from_slice(&trace).unwrap();
        let texts = |value: &serde_json::Value| -> Vec<String> {
            value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
        };
        let mut machine = crate::machine::ProverMachine::new(Program::read(&text).unwrap()).unwrap();
        let mut state = crate::machine::StateMachine::initial(&machine);
        for step in trace["states"].as_array().unwrap() {
            use crate::machine::StateMachine as _;
            machine.enter(&state).unwrap();
            let found = machine.describe(&state).unwrap();
            assert_eq!(found.facts, texts(&step["true"]), "{name}");
            assert_eq!(step["terminal"], found.terminal, "{name}");
            if found.terminal {
                for (goals, wanted) in found.goals.iter().zip(step["goals"].as_array().unwrap()) {
                    let wanted: Vec<String> = wanted.as_i64().iter().map(ToString::to_string).collect();
                    assert_eq!(*goals, wanted, "{name}");
                }
                break;
            }
            let legal: Vec<Vec<String>> = step["legal"].as_array().unwrap().iter().map(texts).collect();
            assert_eq!(found.legal, legal, "{name}");
            let joint = machine.joint_move(&texts(&step["move"])).unwrap();
            state = machine.successor(&joint).unwrap();
        }
    }
}

/// A line to stderr.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
