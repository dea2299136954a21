//! The order in which the prover takes the literals of a body.

use crate::program::{Clause, Depends, Literal, PredId, Program, known};
use crate::term::TermId;

/// One step of a body: an index into the clause's list of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Positive(usize),
    Negative(usize),
    Test(usize),
}

/// The order for one clause and one set of bound variables.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) steps: Vec<Step>,
}

impl Order {
    /// Tests and negations as soon as they are bound; of the positive literals always the one that leaves least open.
    pub(super) fn new(clause: &Clause, bound: &[Option<TermId>], program: &Program) -> Self {
        let mut bound: Vec<bool> = bound.iter().map(Option::is_some).collect();
        let mut positive: Vec<usize> = (0..clause.positive.len()).collect();
        let mut negative: Vec<usize> = (0..clause.negative.len()).collect();
        let mut tests: Vec<usize> = (0..clause.tests.len()).collect();
        let mut steps = Vec::new();
        loop {
            let is_bound = |variables: &[u32]| variables.iter().all(|&v| bound[v as usize]);
            tests.retain(|&t| {
                let mut variables = Vec::new();
                clause.tests[t].variables(&mut variables);
                let ready = is_bound(&variables);
                if ready {
                    steps.push(Step::Test(t));
                }
                !ready
            });
            negative.retain(|&n| {
                let ready = is_bound(&clause.negative[n].variables());
                if ready {
                    steps.push(Step::Negative(n));
                }
                !ready
            });
            let Some(best) = (0..positive.len())
                .min_by_key(|&i| (weight(&clause.positive[positive[i]], &bound, program), positive[i]))
            else {
                break;
            };
            let n = positive.remove(best);
            clause.positive[n].variables().iter().for_each(|&v| bound[v as usize] = true);
            steps.push(Step::Positive(n));
        }
        // What is left is unsafe; it is asked with free variables, as "holds for some value".
        steps.extend(negative.into_iter().map(Step::Negative));
        steps.extend(tests.into_iter().map(Step::Test));
        Self { steps }
    }
}

/// How much a literal is expected to leave open.
fn weight(literal: &Literal, bound: &[bool], program: &Program) -> usize {
    let mut variables = literal.variables();
    variables.sort_unstable();
    variables.dedup();
    let free = variables.iter().filter(|&&v| !bound[v as usize]).count();
    if free == 0 {
        return 0;
    }
    let some_bound = free < variables.len()
        || literal.args.iter().any(|a| matches!(a, crate::program::Pattern::Ground(_)));
    let kind = kind(literal.predicate, program);
    free * 4 + kind + if some_bound { 0 } else { 6 }
}

fn kind(p: PredId, program: &Program) -> usize {
    match p {
        known::DOES => 0,
        known::TRUE => 1,
        _ if program.predicates[p.index()].depends == Depends::Static => 2,
        _ => 4,
    }
}
