//! The order in which the prover takes the literals of a body, and the way each finds its answers.

use crate::lookup::Lookup;
use crate::program::{Clause, Depends, Literal, Pattern, PredId, Program, known};
use crate::term::TermId;

/// One step of a body.
#[derive(Debug)]
pub(super) enum Step {
    Positive(Positive),
    /// A negated literal: its place in the clause, and its call.
    Negative(Box<[Ask]>, usize),
    /// A test: its place in the clause.
    Test(usize),
}

/// A positive literal.
#[derive(Debug)]
pub(super) struct Positive {
    /// Its place in the clause.
    pub(super) literal: usize,
    /// Its call.
    pub(super) call: Box<[Ask]>,
    /// Whether every argument is bound.
    pub(super) bound: bool,
    /// Whether one answer is enough: the variables it binds are used nowhere else.
    pub(super) exists: bool,
    /// The look-up of its answers among others.
    pub(super) lookup: Lookup,
    /// The number of the lookup's index specification.
    pub(super) spec: u32,
}

/// An argument of a call.
#[derive(Debug)]
pub(super) enum Ask {
    /// A free argument. A compound term with a free part counts as free, and its answers are filtered.
    Free,
    /// A constant.
    Ground(TermId),
    /// The value of a bound variable.
    Variable(u32),
    /// A compound term of bound variables.
    Term(Pattern),
}

impl Ask {
    fn new(pattern: &Pattern, bound: &[bool]) -> Self {
        match pattern {
            Pattern::Ground(id) => Self::Ground(*id),
            Pattern::Variable(v) if bound[*v as usize] => Self::Variable(*v),
            Pattern::Variable(_) => Self::Free,
            Pattern::Compound(..) => {
                let mut variables = Vec::new();
                pattern.variables(&mut variables);
                if variables.iter().all(|&v| bound[v as usize]) {
                    Self::Term(pattern.clone())
                } else {
                    Self::Free
                }
            }
        }
    }
}

/// The order for one clause and one set of bound variables.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) steps: Vec<Step>,
    /// Whether the head is bound at the end; an unsafe clause derives nothing.
    pub(super) safe: bool,
}

impl Order {
    /// Chooses tests and negations as soon as they are bound, and of the positive literals always the one that leaves
    /// least open. `number` numbers index specifications.
    pub(super) fn new(
        clause: &Clause,
        bound: &[bool],
        program: &Program,
        number: &mut dyn FnMut(&Lookup) -> u32,
    ) -> Self {
        let mut bound = bound.to_vec();
        let mut positive: Vec<usize> = (0..clause.positive.len()).collect();
        let mut negative: Vec<usize> = (0..clause.negative.len()).collect();
        let mut tests: Vec<usize> = (0..clause.tests.len()).collect();
        let mut steps = Vec::new();
        let asks = |literal: &Literal, bound: &[bool]| -> Box<[Ask]> {
            literal.args.iter().map(|a| Ask::new(a, bound)).collect()
        };
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
                    steps.push(Step::Negative(asks(&clause.negative[n], &bound), n));
                }
                !ready
            });
            let Some(best) = (0..positive.len())
                .min_by_key(|&i| (weight(&clause.positive[positive[i]], &bound, program), positive[i]))
            else {
                break;
            };
            let literal = positive.remove(best);
            let before = bound.clone();
            let args = &clause.positive[literal].args;
            let call = asks(&clause.positive[literal], &bound);
            let lookup = Lookup::new(args, &mut bound);
            let mut later = clause.head.variables();
            positive.iter().for_each(|&l| later.extend(clause.positive[l].variables()));
            negative.iter().for_each(|&l| later.extend(clause.negative[l].variables()));
            tests.iter().for_each(|&t| clause.tests[t].variables(&mut later));
            steps.push(Step::Positive(Positive {
                literal,
                bound: before == bound,
                exists: later.into_iter().all(|v| before[v as usize] || !bound[v as usize]),
                call,
                spec: number(&lookup),
                lookup,
            }));
        }
        // What is left is unsafe: a negation is asked with free variables, as "holds for some value", a test holds.
        let rest = negative.into_iter().map(|n| Step::Negative(asks(&clause.negative[n], &bound), n));
        steps.extend(rest);
        Self { steps, safe: clause.head.variables().iter().all(|&v| bound[v as usize]) }
    }
}

/// The logarithm of the expected number of answers to a literal, roughly: facts by their number, a fluent by its free
/// parts, rules by theirs. With nothing bound, static rules come last, because they mostly only compare. With something
/// bound they come before rules of the state, because they mostly lead on from it.
fn weight(literal: &Literal, bound: &[bool], program: &Program) -> u32 {
    let leaves = literal.variables();
    let mut free: Vec<u32> = leaves.iter().copied().filter(|&v| !bound[v as usize]).collect();
    free.sort_unstable();
    free.dedup();
    let free = free.len() as u32;
    if free == 0 {
        return 0;
    }
    let rules = &program.by_head[literal.predicate.index()];
    match literal.predicate {
        known::DOES => 1,
        known::TRUE => 20 * free,
        p if is_only_facts(p, program) => {
            let places = literal.args.len().max(1) as u32;
            (10 * (rules.len() as u32 + 1).ilog2() * free).div_ceil(places).max(1)
        }
        p => {
            let is_static = program.predicates[p.index()].depends == Depends::Static;
            let some_bound = leaves.iter().any(|&v| bound[v as usize])
                || literal.args.iter().any(|a| a.as_ground().is_some());
            match (is_static, some_bound) {
                (true, true) => 30 * free + 10,
                (false, true) => 30 * free + 20,
                (false, false) => 30 * free + 30,
                (true, false) => 30 * free + 40,
            }
        }
    }
}

/// Whether a predicate has no clauses but facts.
pub(super) fn is_only_facts(p: PredId, program: &Program) -> bool {
    program.by_head[p.index()].iter().map(|&c| &program.clauses[c as usize]).all(|clause| {
        clause.positive.is_empty()
            && clause.negative.is_empty()
            && clause.tests.is_empty()
            && clause.head.args.iter().all(|a| matches!(a, Pattern::Ground(_)))
    })
}
