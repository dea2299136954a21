//! Tests of grounding.

use super::*;

fn grounding(text: &str) -> Result<Grounding, GroundError> {
    let program = Program::read(text).expect("the rulesheet of the test is good");
    Grounding::new(program, Limits { words: 100_000, depth: 10, ..Limits::default() }, &mut || false)
}

const FRAME: &str =
    "(role r) (init (a 1)) (<= terminal (true (b 1))) (goal r 0) (<= (legal r (go ?x)) (n ?x))
    (n 1) (n 2) (n 3) ";

#[test]
fn only_what_can_be_reached_is_found() {
    let g = grounding(&format!(
        "{FRAME} (<= (next (a ?y)) (true (a ?x)) (succ ?x ?y) (does r (go ?x))) (succ 1 2) (succ 2 3) (succ 7 8)"
    ))
    .unwrap();
    assert_eq!(g.atoms(known::TRUE), 3);
    assert_eq!(g.atoms(known::DOES), 3);
}

#[test]
fn a_frame_rule_is_split_so_that_it_grounds_small() {
    // Unsplit: 27 moves times 27 facts; split: 27 moves times 3 values, and 27 facts.
    let text =
        "(role r) (v 1) (v 2) (v 3) (<= (init (c ?x ?y)) (v ?x) (v ?y)) (goal r 0) (<= terminal (true gone))
        (<= (legal r (m ?a ?b ?c)) (v ?a) (v ?b) (v ?c))
        (<= (next (c ?x ?y)) (true (c ?x ?y)) (does r (m ?a ?b ?c)) (distinct ?a ?x))";
    let g = grounding(text).unwrap();
    let next = g.instances();
    assert!(next <= 27 + 27 * 2 + 9, "{next} instances");
}

#[test]
fn rules_that_ground_without_end_are_stopped() {
    let deep = format!("{FRAME} (grow 0) (<= (grow (s ?x)) (grow ?x)) (<= (next (b ?x)) (grow ?x))");
    assert!(matches!(grounding(&deep), Err(GroundError::TooDeep { .. })));
    let wide = format!(
        "{FRAME} (<= (next (b ?x1 ?x2 ?x3 ?x4 ?x5 ?x6 ?x7 ?x8 ?x9 ?x10 ?x11 ?x12)) (n ?x1) (n ?x2) (n ?x3) (n ?x4)
         (n ?x5) (n ?x6) (n ?x7) (n ?x8) (n ?x9) (n ?x10) (n ?x11) (n ?x12))"
    );
    assert!(matches!(grounding(&wide), Err(GroundError::TooLarge { .. })));
}

#[test]
fn a_rule_with_too_many_instances_is_named_before_memory_runs_out() {
    let text = format!(
        "{FRAME} (<= (next (b ?x1)) (n ?x1)) (<= (next (b ?x1 ?x2 ?x3 ?x4)) (true (b ?y)) (n ?x1) (n ?x2) (n ?x3) (n ?x4))"
    );
    let program = Program::read(&text).unwrap();
    let why = Grounding::new(program, Limits { instances: 50, ..Limits::default() }, &mut || false).err();
    let Some(GroundError::TooMany { instances: 50, relation, rule }) = why else { panic!("{why:?}") };
    assert!(rule >= 1 && !relation.is_empty());
    let said = GroundError::TooMany { instances: 50, relation, rule }.to_string();
    assert!(said.contains("more than 50 ground instances"), "{said}");
}

#[test]
fn the_caller_can_stop_the_work() {
    let program = Program::read(&format!(
        "{FRAME} (<= (next (b ?x1 ?x2 ?x3 ?x4 ?x5 ?x6 ?x7 ?x8 ?x9 ?x10 ?x11 ?x12)) (n ?x1) (n ?x2) (n ?x3) (n ?x4)
         (n ?x5) (n ?x6) (n ?x7) (n ?x8) (n ?x9) (n ?x10) (n ?x11) (n ?x12))"
    ))
    .unwrap();
    let stopped = Grounding::new(program, Limits::default(), &mut || true);
    assert!(matches!(stopped, Err(GroundError::Stopped { .. })));
}
