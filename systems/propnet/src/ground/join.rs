//! The order in which a join takes the literals of a body, and the look-up of each step.

use crate::lookup::{KeyPart, Lookup, Match};
use crate::program::{Clause, Literal, Pattern, PredId, Program};
use crate::relation::Relation;

/// The rows of a relation that a step runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// The rows that every rule has seen.
    Old,
    /// The rows that are new in this round.
    New,
    /// Old and new rows.
    Both,
    /// All rows (of a static relation).
    All,
}

/// One literal of a join.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its place in the clause's positive literals.
    pub(super) literal: usize,
    pub(super) predicate: PredId,
    pub(super) range: Range,
    pub(super) args: Box<[Match]>,
    /// The index to use and how its key is made; `None` runs over all rows of the range.
    pub(super) index: Option<(usize, Box<[KeyPart]>)>,
    /// Whether one match is enough: a static literal whose new variables are used nowhere.
    pub(super) exists: bool,
    /// Tests to make after this step.
    pub(super) tests: Vec<usize>,
    /// Static negations to check after this step.
    pub(super) negative: Vec<usize>,
}

/// A join order for one clause and one literal that runs over new rows.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Tests and static negations without variables.
    pub(super) first_tests: Vec<usize>,
    pub(super) first_negative: Vec<usize>,
    /// The sizes of the relations when the plan was made.
    pub(super) sizes: Vec<usize>,
}

/// The planner's knowledge of each predicate.
pub(super) struct Info<'a> {
    pub(super) program: &'a Program,
    /// Whether the relation is complete before the clause runs.
    pub(super) complete: &'a dyn Fn(PredId) -> bool,
}

impl Plan {
    /// Orders the literals: the one over new rows first, then always the one expected to match fewest rows.
    pub(super) fn new(
        clause: &Clause,
        new: Option<usize>,
        info: &Info<'_>,
        relations: &mut [Relation],
    ) -> Self {
        let mut planner = Planner {
            clause,
            new,
            bound: vec![false; clause.variables],
            tests: (0..clause.tests.len()).collect(),
            negative: (0..clause.negative.len())
                .filter(|&n| (info.complete)(clause.negative[n].predicate))
                .collect(),
        };
        let (first_tests, first_negative) = planner.ready();
        let mut rest: Vec<usize> = (0..clause.positive.len()).collect();
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let best = match new.and_then(|n| rest.iter().position(|&l| l == n)) {
                Some(first) => first,
                None => planner.cheapest(&rest, relations),
            };
            let literal = rest.remove(best);
            steps.push(planner.step(literal, &rest, info, relations));
        }
        let sizes = clause.positive.iter().map(|l| relations[l.predicate.index()].len()).collect();
        Self { steps, first_tests, first_negative, sizes }
    }

    /// Whether a relation has grown enough since that another order may be better.
    pub(super) fn is_stale(&self, clause: &Clause, relations: &[Relation]) -> bool {
        clause
            .positive
            .iter()
            .zip(&self.sizes)
            .any(|(l, &then)| relations[l.predicate.index()].len() > 4 * then + 16)
    }
}

struct Planner<'a> {
    clause: &'a Clause,
    new: Option<usize>,
    bound: Vec<bool>,
    tests: Vec<usize>,
    negative: Vec<usize>,
}

impl Planner<'_> {
    /// Takes the tests and negations whose variables are all bound.
    fn ready(&mut self) -> (Vec<usize>, Vec<usize>) {
        let Self { clause, bound, tests, negative, .. } = self;
        let is_bound = |variables: Vec<u32>| variables.into_iter().all(|v| bound[v as usize]);
        let take = |list: &mut Vec<usize>, ready: &dyn Fn(usize) -> bool| {
            let (now, later): (Vec<usize>, Vec<usize>) = list.iter().partition(|&&n| ready(n));
            *list = later;
            now
        };
        let now_tests = take(tests, &|t| {
            let mut variables = Vec::new();
            clause.tests[t].variables(&mut variables);
            is_bound(variables)
        });
        let now_negative = take(negative, &|n| is_bound(clause.negative[n].variables()));
        (now_tests, now_negative)
    }

    /// Chooses the smallest expected number of matches, step by step. The leaves of a literal share its size evenly.
    fn cheapest(&self, rest: &[usize], relations: &[Relation]) -> usize {
        let cost = |l: usize| {
            let literal = &self.clause.positive[l];
            let relation = &relations[literal.predicate.index()];
            let functor = match literal.args.last() {
                Some(Pattern::Compound(name, args)) => Some((*name, args.len())),
                _ => None,
            };
            let size = relation.count_of(functor).max(1) as f64;
            let (mut leaves, mut free) = (0_u32, 0_u32);
            for arg in &literal.args {
                self.leaves(arg, &mut leaves, &mut free);
            }
            if free == 0 { 0.0 } else { size.powf(f64::from(free) / f64::from(leaves)) }
        };
        let costs: Vec<f64> = rest.iter().map(|&l| cost(l)).collect();
        (0..rest.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).expect("the list is not empty")
    }

    fn leaves(&self, pattern: &Pattern, leaves: &mut u32, free: &mut u32) {
        match pattern {
            Pattern::Variable(v) => {
                *leaves += 1;
                *free += u32::from(!self.bound[*v as usize]);
            }
            Pattern::Ground(_) => *leaves += 1,
            Pattern::Compound(_, args) => args.iter().for_each(|a| self.leaves(a, leaves, free)),
        }
    }

    fn step(&mut self, literal: usize, rest: &[usize], info: &Info<'_>, relations: &mut [Relation]) -> Step {
        let Literal { predicate, args } = &self.clause.positive[literal];
        let before = self.bound.clone();
        let Lookup { spec, key, args: compiled } = Lookup::new(args, &mut self.bound);
        let index = (!spec.is_empty()).then(|| (relations[predicate.index()].index(&spec), key));
        let complete = (info.complete)(*predicate);
        let is_static = info.program.predicates[predicate.index()].depends == crate::program::Depends::Static;
        let exists = is_static && complete && self.unneeded(&before, rest);
        let (tests, negative) = self.ready();
        let exists = exists && tests.is_empty() && negative.is_empty();
        let range = match self.new {
            _ if complete => Range::All,
            Some(new) if literal == new => Range::New,
            Some(new) if literal < new => Range::Old,
            _ => Range::Both,
        };
        Step { literal, predicate: *predicate, range, args: compiled, index, exists, tests, negative }
    }

    /// Whether the variables bound since `before` occur nowhere else.
    fn unneeded(&self, before: &[bool], rest: &[usize]) -> bool {
        let mut later = self.clause.head.variables();
        rest.iter().for_each(|&l| later.extend(self.clause.positive[l].variables()));
        self.clause.negative.iter().for_each(|l| later.extend(l.variables()));
        self.clause.tests.iter().for_each(|t| t.variables(&mut later));
        later.into_iter().all(|v| before[v as usize] || !self.bound[v as usize])
    }
}
