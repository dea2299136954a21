//! Tests of the prover: recursion, negation, and limits.

use super::*;

fn prover(text: &str) -> Prover {
    Prover::new(Program::read(text).expect("the rulesheet of the test is good"))
}

fn texts(p: &Prover, ids: &[TermId]) -> Vec<String> {
    let mut out: Vec<_> = ids.iter().map(|&id| p.program.text(id)).collect();
    out.sort();
    out
}

const FRAME: &str =
    "(role r) (init (a 1)) (<= terminal (true (b 1))) (goal r 0) (<= (legal r (go ?x)) (n ?x))
    (n 1) (n 2) ";

#[test]
fn left_recursion_ends_with_all_answers() {
    let mut p = prover(&format!(
        "{FRAME} (e 1 2) (e 2 3) (e 3 1) (<= (p ?x ?y) (p ?x ?z) (e ?z ?y)) (<= (p ?x ?y) (e ?x ?y))
         (<= (next (at ?y)) (p 1 ?y))"
    ));
    p.set_state(&[]);
    let found = p.successor().unwrap();
    assert_eq!(texts(&p, &found), ["(at 1)", "(at 2)", "(at 3)"]);
}

#[test]
fn mutual_recursion_with_two_leaders_ends_with_all_answers() {
    let mut p = prover(&format!(
        "{FRAME} (e 1 2) (e 2 3) (e 3 4) (e 4 1) (<= (even ?x ?x) (n4 ?x)) (n4 1) (n4 2) (n4 3) (n4 4)
         (<= (odd ?x ?y) (even ?x ?z) (e ?z ?y)) (<= (even ?x ?y) (odd ?x ?z) (e ?z ?y))
         (<= (next (at ?y)) (odd 1 ?y))"
    ));
    p.set_state(&[]);
    let found = p.successor().unwrap();
    assert_eq!(texts(&p, &found), ["(at 2)", "(at 4)"]);
}

#[test]
fn a_negation_waits_until_its_variables_are_bound() {
    let mut p = prover(&format!("{FRAME} (<= (next (b ?x)) (not (true (a ?x))) (n ?x))"));
    let initial = p.initial().unwrap();
    p.set_state(&initial);
    let found = p.successor().unwrap();
    assert_eq!(texts(&p, &found), ["(b 2)"]);
}

#[test]
fn endless_recursion_ends_in_an_error() {
    let mut p =
        prover(&format!("{FRAME} (grow 0) (<= (grow (s ?x)) (grow ?x)) (<= (next (b ?x)) (grow ?x))"));
    p.set_state(&[]);
    assert!(matches!(p.successor(), Err(ProverError::TooDeep { .. } | ProverError::TooMany { .. })));
}

#[test]
fn answers_are_the_same_with_an_index_and_without() {
    // Twenty rows are looked up by an index, four are looked through; a part of a compound term may be bound, a
    // variable may occur twice.
    for size in [4, 20] {
        let numbers: String = (0..size).map(|n| format!("(n {n}) (s {n} {}) ", (n + 1) % size)).collect();
        let mut p = prover(&format!(
            "(role r) {numbers} (<= (init (cell ?x (at ?y ?x))) (s ?x ?y)) (<= terminal (true (cell 0 0))) (goal r 0)
             (<= (legal r (go ?x)) (n ?x))
             (<= (pair (p ?x ?y)) (n ?x) (s ?x ?y))
             (<= (next (to ?z)) (does r (go ?x)) (pair (p ?x ?y)) (true (cell ?y (at ?z ?y))))
             (<= (next (same ?x)) (does r (go ?y)) (s ?x ?y) (true (cell ?x (at ?y ?x))))
             (<= (next (none ?y)) (does r (go ?y)) (not (pair (p ?y ?y))))"
        ));
        let initial = p.initial().unwrap();
        assert_eq!(initial.len(), size);
        p.set_state(&initial);
        let moves = p.legal(p.program.roles()[0]).unwrap();
        let go_one = moves.into_iter().find(|&m| p.program.text(m) == "(go 1)").unwrap();
        p.set_moves(&[go_one]);
        let found = p.successor().unwrap();
        assert_eq!(texts(&p, &found), ["(none 1)", "(same 0)", "(to 3)"], "{size}");
    }
}

#[test]
fn a_call_decided_early_leaves_no_half_made_answer_behind() {
    // Asked for 1, the search comes back to 1 through 2 before 1 is known to be free: 2 must be asked again.
    let mut p = prover(&format!(
        "{FRAME} (near 1 2) (near 2 1) (near 1 3) (free 3) (<= (alive ?x) (near ?x ?y) (alive ?y))
         (<= (alive ?x) (near ?x ?y) (free ?y)) (<= (next (dead ?x)) (n ?x) (not (alive ?x)))"
    ));
    p.set_state(&[]);
    assert!(p.successor().unwrap().is_empty());
}
