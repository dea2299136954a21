//! Tests of explanations: why a move is legal, or is not.

use super::*;
use std::fmt::Write as _;

/// An explanation as lines: depth, whether it holds, the line of the rule, the text.
fn told(text: &str, reason: &Reason, depth: usize, out: &mut String) {
    let line = |span: &Span| text[..span.start].matches('\n').count() + 1;
    let word = if reason.holds { "yes" } else { "no" };
    let pad = "  ".repeat(depth);
    let _ = match &reason.by {
        By::State => writeln!(out, "{pad}{word} {} (state)", reason.text),
        By::Fact(span) => writeln!(out, "{pad}{word} {} (fact {})", reason.text, line(span)),
        By::Terms => writeln!(out, "{pad}{word} {}", reason.text),
        By::NoRule => writeln!(out, "{pad}{word} {} (no rule)", reason.text),
        By::More => writeln!(out, "{pad}{word} {} ...", reason.text),
        By::Rule(span, _) => writeln!(out, "{pad}{word} {} (rule {})", reason.text, line(span)),
        By::Fails(_) | By::Not(_) => writeln!(out, "{pad}{word} {}", reason.text),
    };
    match &reason.by {
        By::Not(part) => told(text, part, depth + 1, out),
        By::Rule(_, parts) => parts.iter().for_each(|part| told(text, part, depth + 1, out)),
        By::Fails(fails) => {
            for (span, part) in fails {
                let _ = writeln!(out, "{pad}- rule {}", line(span));
                told(text, part, depth + 1, out);
            }
        }
        _ => {}
    }
}

fn explained(text: &str, facts: &[&str], role: &str, wanted: &str) -> String {
    let program = Program::read(text).unwrap();
    let (sheet, _) = crate::gdl::read(text);
    let facts: Vec<String> = facts.iter().map(|&f| f.to_owned()).collect();
    let reason = Explainer::new(&sheet, program, &facts).legal(role, wanted).unwrap().unwrap();
    let mut out = String::new();
    told(text, &reason, 0, &mut out);
    out
}

const SHEET: &str = "(role white)
(role black)
(init (turn white))
(index 1)
(index 2)
(<= (legal ?p (put ?x)) (true (turn ?p)) (index ?x) (not (taken ?x)) (distinct ?x 3))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (taken ?x) (true (at ?q ?x)))
(<= (legal black jump) (or (true (free ?x)) (and (index ?y) (true (open ?y)))))
(<= (next (at ?p ?x)) (does ?p (put ?x)))
(<= terminal (true (at white 1)))
(goal white 100)
(goal black 0)
";

#[test]
fn a_legal_move_has_the_rule_that_gives_it_down_to_the_facts() {
    let found = explained(SHEET, &["(turn white)", "(at black 2)"], "white", "( put  1 )");
    assert_eq!(
        found,
        "yes (legal white (put 1)) (rule 6)
  yes (true (turn white)) (state)
  yes (index 1) (fact 4)
  yes (not (taken 1))
    no (taken 1)
    - rule 8
      no (true (at ?q 1)) (state)
  yes (distinct 1 3)
"
    );
}

#[test]
fn a_move_that_is_not_legal_has_the_literal_that_fails_in_each_rule() {
    let facts = ["(turn white)", "(at black 2)"];
    assert_eq!(
        explained(SHEET, &facts, "white", "(put 2)"),
        "no (legal white (put 2))
- rule 6
  no (not (taken 2))
    yes (taken 2) (rule 8)
      yes (true (at black 2)) (state)
"
    );
    assert_eq!(
        explained(SHEET, &facts, "white", "(put 7)"),
        "no (legal white (put 7))
- rule 6
  no (index 7) (no rule)
"
    );
    assert_eq!(
        explained(SHEET, &facts, "black", "jump"),
        "no (legal black jump)
- rule 9
  no (or (true (free ?x)) (and (index ?y) (true (open ?y))))
  - rule 9
    no (true (free ?x)) (state)
  - rule 9
    no (true (open ?y)) (state)
"
    );
    assert_eq!(explained(SHEET, &facts, "white", "fly"), "no (legal white fly) (no rule)\n");
}

#[test]
fn an_explanation_agrees_with_the_prover_about_every_move_of_the_sheets_here() {
    use crate::game::{Game, LoadLimits};
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../resources/gdl");
    for entry in std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|e| e.path().extension().is_some_and(|x| x == "kif"))
    {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let game = Game::load(&text, LoadLimits::default(), &mut || false).unwrap();
        let (sheet, _) = crate::gdl::read(&text);
        let mut machine = game.machine("auto").unwrap();
        let names = &game.topology.as_ref().unwrap().net.names;
        let mut state = machine.initial();
        for step in 0..3 {
            machine.enter(&state).unwrap();
            let described = machine.describe(&state).unwrap();
            let mut explainer = Explainer::new(&sheet, (*game.program).clone(), &described.facts);
            for (role, legal) in described.legal.iter().enumerate() {
                for text in names.moves[names.role_start[role]..names.role_start[role + 1]].iter().take(60) {
                    let reason = explainer.legal(&names.roles[role], text).unwrap().unwrap();
                    assert_eq!(reason.holds, legal.contains(text), "{:?} {text} step {step}", entry.path());
                    assert!(reason.holds == matches!(reason.by, By::Rule(..) | By::Fact(_)), "{reason:?}");
                }
            }
            if described.terminal {
                break;
            }
            let joint: Vec<_> = (0..names.roles.len()).map(|role| machine.legal(role).unwrap()[0]).collect();
            state = machine.successor(&joint).unwrap();
        }
    }
}
