//! Splits large rule bodies, so that grounding joins only a few variables at a time.
//!
//! # Source
//! Bucket elimination: R. Dechter, "Bucket elimination: a unifying framework for reasoning", Artificial Intelligence
//! 113 (1999). For its use on rules: M. Morak, S. Woltran, "Preprocessing of complex non-ground rules in answer set
//! programming" (2012).
//!
//! # Steps
//! 1. Take a variable that the head does not need. Its *bucket* is every literal and test with it, and every test and
//!    static literal over the same variables.
//! 2. If the bucket is not the whole body, it becomes a clause of a new predicate. The predicate's arguments are the
//!    variables of the bucket that are needed outside; the body uses the predicate.
//! 3. Some variables of the bucket may occur only in its negations and tests. A *domain* predicate ranges over them:
//!    the projection of a literal outside. It guides grounding and makes no gate.
//! 4. Repeat with the cheapest variable first, until nothing splits.
//!
//! # Cost
//! Without splitting, a body of n variables over a domain of d grounds to up to d^n instances. With splitting it
//! grounds to d^w, where w is the size of its widest bucket.

use crate::program::{Clause, Depends, Literal, Pattern, PredId, Program, Test};
use rustc_hash::{FxHashMap, FxHashSet};

/// Splits every clause of the program; returns for each predicate whether it is a domain predicate.
pub(super) fn condense(program: &mut Program) -> Vec<bool> {
    let mut state =
        Condenser { domain: vec![false; program.predicates.len()], known: FxHashMap::default(), names: 0 };
    let mut todo: Vec<Clause> = std::mem::take(&mut program.clauses);
    todo.reverse();
    let mut done = Vec::with_capacity(todo.len());
    while let Some(mut clause) = todo.pop() {
        match state.split(program, &mut clause) {
            // Both halves may split again.
            Some(made) => {
                todo.push(clause);
                todo.extend(made);
            }
            None => done.push(clause),
        }
    }
    program.clauses = done;
    program.index();
    program.classify();
    state.domain
}

struct Condenser {
    domain: Vec<bool>,
    /// Clauses already split off, by their body, so that rules share them.
    known: FxHashMap<Clause, PredId>,
    names: usize,
}

/// The part to split off, as indexes into the body.
struct Bucket {
    positive: Vec<usize>,
    negative: Vec<usize>,
    tests: Vec<usize>,
    /// All its variables.
    variables: FxHashSet<u32>,
    /// The variables needed outside, in order.
    outside: Vec<u32>,
    /// The variables that no positive literal of it binds.
    unbound: Vec<u32>,
}

impl Condenser {
    fn split(&mut self, program: &mut Program, clause: &mut Clause) -> Option<Vec<Clause>> {
        if clause.positive.len() + clause.negative.len() < 2 {
            return None;
        }
        let head: FxHashSet<u32> = clause.head.variables().into_iter().collect();
        let mut candidates: Vec<u32> = clause.positive.iter().flat_map(Literal::variables).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let all = candidates.len();
        let is_static = |p: PredId| program.predicates[p.index()].depends == Depends::Static;
        let bucket = candidates
            .into_iter()
            .filter(|v| !head.contains(v))
            .filter_map(|v| Bucket::of(clause, v, &head, all, &is_static))
            .min_by_key(|b| (b.outside.len(), b.variables.len(), b.positive.len()))?;
        let mut made = Vec::new();
        let guards: Vec<Literal> = self.guards(program, clause, &bucket, &mut made)?;
        let literal = self.split_off(program, clause, &bucket, guards, &mut made);
        keep_others(&mut clause.positive, &bucket.positive);
        keep_others(&mut clause.negative, &bucket.negative);
        keep_others(&mut clause.tests, &bucket.tests);
        clause.positive.push(literal);
        Some(made)
    }

    /// Step 3: `None` if some variable has no literal to take its domain from.
    fn guards(
        &mut self,
        program: &mut Program,
        clause: &Clause,
        bucket: &Bucket,
        made: &mut Vec<Clause>,
    ) -> Option<Vec<Literal>> {
        let mut open: FxHashSet<u32> = bucket.unbound.iter().copied().collect();
        let mut guards = Vec::new();
        while !open.is_empty() {
            let covers = |l: &Literal| {
                l.variables().iter().collect::<FxHashSet<_>>().iter().filter(|v| open.contains(v)).count()
            };
            let best = clause
                .positive
                .iter()
                .enumerate()
                .filter(|(n, l)| !bucket.positive.contains(n) && covers(l) > 0)
                .max_by_key(|(_, l)| (covers(l), usize::MAX - l.variables().len()))?
                .1
                .clone();
            let mut variables: Vec<u32> =
                best.variables().into_iter().filter(|v| bucket.variables.contains(v)).collect();
            variables.sort_unstable();
            variables.dedup();
            variables.iter().for_each(|v| {
                open.remove(v);
            });
            let body = Clause {
                head: Literal { predicate: PredId(0), args: Box::default() },
                positive: vec![best],
                negative: Vec::new(),
                tests: Vec::new(),
                variables: clause.variables,
            };
            guards.push(self.derive(program, body, &variables, true, made));
        }
        Some(guards)
    }

    /// Step 2.
    fn split_off(
        &mut self,
        program: &mut Program,
        clause: &Clause,
        bucket: &Bucket,
        guards: Vec<Literal>,
        made: &mut Vec<Clause>,
    ) -> Literal {
        let pick = |list: &[Literal], at: &[usize]| -> Vec<Literal> {
            at.iter().map(|&n| list[n].clone()).collect()
        };
        let mut positive = pick(&clause.positive, &bucket.positive);
        positive.extend(guards);
        let body = Clause {
            head: Literal { predicate: PredId(0), args: Box::default() },
            positive,
            negative: pick(&clause.negative, &bucket.negative),
            tests: bucket.tests.iter().map(|&n| clause.tests[n].clone()).collect(),
            variables: clause.variables,
        };
        self.derive(program, body, &bucket.outside, false, made)
    }

    /// A predicate over `variables` that holds if and only if the body does. An equal body gives the same predicate.
    fn derive(
        &mut self,
        program: &mut Program,
        mut body: Clause,
        variables: &[u32],
        domain: bool,
        made: &mut Vec<Clause>,
    ) -> Literal {
        let args: Box<[Pattern]> = variables.iter().map(|&v| Pattern::Variable(v)).collect();
        body.head.args = args.clone();
        renumber(&mut body);
        // Domain predicates are told apart from others by a head of their own kind.
        body.head.predicate = PredId(u32::from(domain));
        let predicate = match self.known.get(&body) {
            Some(&known) => known,
            None => {
                self.names += 1;
                let kind = if domain { "domain" } else { "part" };
                let id = program.add_predicate(&format!("{kind}#{}", self.names), args.len());
                let depends = body.positive.iter().chain(&body.negative);
                let depends = depends.map(|l| program.predicates[l.predicate.index()].depends).max();
                program.predicates[id.index()].depends = depends.unwrap_or(Depends::Static);
                self.domain.push(domain);
                self.known.insert(body.clone(), id);
                body.head.predicate = id;
                made.push(body);
                id
            }
        };
        Literal { predicate, args }
    }
}

impl Bucket {
    /// The bucket of `v`, if splitting it off saves work.
    fn of(
        clause: &Clause,
        v: u32,
        head: &FxHashSet<u32>,
        all: usize,
        is_static: &dyn Fn(PredId) -> bool,
    ) -> Option<Self> {
        let with = |variables: Vec<u32>| variables.contains(&v);
        let test_variables = |t: &Test| {
            let mut out = Vec::new();
            t.variables(&mut out);
            out
        };
        let mut bucket = Self {
            positive: positions(&clause.positive, |l| with(l.variables())),
            negative: positions(&clause.negative, |l| with(l.variables())),
            tests: positions(&clause.tests, |t| with(test_variables(t))),
            variables: FxHashSet::default(),
            outside: Vec::new(),
            unbound: Vec::new(),
        };
        let bound: FxHashSet<u32> =
            bucket.positive.iter().flat_map(|&n| clause.positive[n].variables()).collect();
        bucket.variables.clone_from(&bound);
        bucket.variables.extend(bucket.negative.iter().flat_map(|&n| clause.negative[n].variables()));
        bucket.variables.extend(bucket.tests.iter().flat_map(|&n| test_variables(&clause.tests[n])));
        // What the bucket's variables decide alone may as well be decided in it.
        let inside = |variables: Vec<u32>, all: &FxHashSet<u32>| variables.iter().all(|v| all.contains(v));
        for (n, t) in clause.tests.iter().enumerate() {
            if !bucket.tests.contains(&n) && inside(test_variables(t), &bucket.variables) {
                bucket.tests.push(n);
            }
        }
        for (n, l) in clause.positive.iter().enumerate() {
            if !bucket.positive.contains(&n)
                && is_static(l.predicate)
                && inside(l.variables(), &bucket.variables)
            {
                bucket.positive.push(n);
            }
        }
        let bound: FxHashSet<u32> =
            bucket.positive.iter().flat_map(|&n| clause.positive[n].variables()).collect();
        let mut outside: FxHashSet<u32> = head.clone();
        let rest = |n: &usize, list: &[usize]| !list.contains(n);
        let others = (0..clause.positive.len()).filter(|n| rest(n, &bucket.positive));
        others.for_each(|n| outside.extend(clause.positive[n].variables()));
        let others = (0..clause.negative.len()).filter(|n| rest(n, &bucket.negative));
        others.for_each(|n| outside.extend(clause.negative[n].variables()));
        let others = (0..clause.tests.len()).filter(|n| rest(n, &bucket.tests));
        others.for_each(|n| outside.extend(test_variables(&clause.tests[n])));
        bucket.outside = bucket.variables.iter().copied().filter(|v| outside.contains(v)).collect();
        bucket.outside.sort_unstable();
        bucket.unbound = bucket.variables.difference(&bound).copied().collect();
        bucket.unbound.sort_unstable();
        let whole =
            bucket.positive.len() == clause.positive.len() && bucket.negative.len() == clause.negative.len();
        (!whole && bucket.variables.len() < all).then_some(bucket)
    }
}

fn positions<T>(list: &[T], keep: impl Fn(&T) -> bool) -> Vec<usize> {
    (0..list.len()).filter(|&n| keep(&list[n])).collect()
}

fn keep_others<T>(list: &mut Vec<T>, taken: &[usize]) {
    let mut n = 0;
    list.retain(|_| {
        n += 1;
        !taken.contains(&(n - 1))
    });
}

/// Numbers the variables of a clause in the order of their appearance.
fn renumber(clause: &mut Clause) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    clause.head.args.iter_mut().for_each(|a| renumber_pattern(a, &mut numbers));
    for literal in clause.positive.iter_mut().chain(&mut clause.negative) {
        literal.args.iter_mut().for_each(|a| renumber_pattern(a, &mut numbers));
    }
    clause.tests.iter_mut().for_each(|t| renumber_test(t, &mut numbers));
    clause.variables = numbers.len();
}

fn renumber_pattern(pattern: &mut Pattern, numbers: &mut FxHashMap<u32, u32>) {
    match pattern {
        Pattern::Variable(v) => {
            let next = u32::try_from(numbers.len()).expect("variables fit 32 bits");
            *v = *numbers.entry(*v).or_insert(next);
        }
        Pattern::Ground(_) => {}
        Pattern::Compound(_, args) => args.iter_mut().for_each(|a| renumber_pattern(a, numbers)),
    }
}

fn renumber_test(test: &mut Test, numbers: &mut FxHashMap<u32, u32>) {
    match test {
        Test::Distinct(a, b) | Test::Equal(a, b) => {
            renumber_pattern(a, numbers);
            renumber_pattern(b, numbers);
        }
        Test::Any(branches) => branches.iter_mut().flatten().for_each(|t| renumber_test(t, numbers)),
    }
}
