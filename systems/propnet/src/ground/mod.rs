//! Grounding: finds the atoms that can ever hold, and the ground instances of the rules that derive them.
//!
//! # Source
//! Semi-naive evaluation: F. Bancilhon, R. Ramakrishnan, "An amateur's introduction to recursive query processing
//! strategies" (1986). A negation whose value depends on the state counts as possible, which is the usual
//! over-approximation of answer set grounders (M. Gebser, R. Kaminski, A. König, T. Schaub, "Advances in gringo series
//! 3", 2011).
//!
//! # Steps
//! 1. Large bodies are split (`condense`).
//! 2. Predicates that are the same in every state (static predicates) are evaluated exactly, one recursive component
//!    after the other.
//! 3. The other predicates are evaluated together from `init`. `true` takes what `init` and `next` derive, and `does`
//!    takes what `legal` derives. A negated literal whose value depends on the state counts as possible.
//! 4. Every instance found in step 3 is stored once, as rows of its head, its positive and its negated literals.
//!
//! # Invariants
//! An atom that holds in some reachable state, and the instance that derives it there, are among those found.
//!
//! # Cost
//! Proportional to the number of instances and of failed joins. If grounding needs too much memory or time, it returns
//! a [`GroundError`] and never crashes.

mod condense;
mod join;
#[cfg(test)]
mod tests;

use crate::lookup::hash_of;
use crate::program::{Clause, Depends, Literal, PredId, Program, known};
use crate::relation::{NONE, Relation};
use crate::scc::components;
use crate::term::TermId;
use join::{Info, Plan, Range, Step};
use std::rc::Rc;

/// The size of an atom beside its arguments, in numbers of 4 bytes: its places in the hash table and in an index.
const ATOM_WORDS: usize = 10;

/// The limits of a grounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Numbers of 4 bytes in all tables and terms together.
    pub words: usize,
    /// The deepest term that may be built.
    pub depth: usize,
    /// The instances of one rule. A rule with more would take minutes and gigabytes further on: this limit shows early.
    pub instances: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { words: 160_000_000, depth: 24, instances: 1_500_000 }
    }
}

/// Why a rulesheet does not ground.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// [`Limits::words`].
    #[error("grounding needs more than {} MB; last at work: `{relation}`", .words / 250_000)]
    TooLarge {
        /// The limit.
        words: usize,
        /// The relation that was being derived.
        relation: String,
    },
    /// [`Limits::instances`].
    #[error(
        "rule {rule} of `{relation}` has more than {instances} ground instances: it joins too many variables"
    )]
    TooMany {
        /// The limit.
        instances: usize,
        /// The relation.
        relation: String,
        /// The place of the rule among those of the relation, counted from 1.
        rule: usize,
    },
    /// [`Limits::depth`].
    #[error(
        "the rules of `{relation}` build terms nested deeper than {depth}: they seem to ground without end"
    )]
    TooDeep {
        /// The limit.
        depth: usize,
        /// The relation.
        relation: String,
    },
    /// The caller's time ran out.
    #[error("grounding was stopped before its end; last at work: `{relation}`")]
    Stopped {
        /// The relation that was being derived.
        relation: String,
    },
}

/// A literal of an instance: an atom of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtomRef {
    /// Its predicate.
    pub predicate: PredId,
    /// Its row.
    pub row: u32,
}

/// The result of grounding.
#[derive(Debug)]
pub struct Grounding {
    /// The program with its split clauses.
    pub program: Program,
    relations: Vec<Relation>,
    negated: Vec<Relation>,
    stores: Vec<Store>,
}

/// The instances of one clause, `stride` numbers each: the head's row, the rows of the noted positive literals, the
/// rows of the negated ones.
#[derive(Debug, Default)]
struct Store {
    /// Predicates of the positive literals that are noted.
    positive: Vec<PredId>,
    negative: Vec<PredId>,
    data: Vec<u32>,
}

impl Grounding {
    /// Grounds a program. `stop` is asked regularly whether to give up.
    ///
    /// # Errors
    /// The limits, and [`GroundError::Stopped`].
    pub fn new(
        mut program: Program,
        limits: Limits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Self, GroundError> {
        let domain = condense::condense(&mut program);
        let relations = program.predicates.iter().map(|p| Relation::new(p.arity)).collect();
        let negated = program.predicates.iter().map(|p| Relation::new(p.arity)).collect();
        let mut engine = Engine {
            stores: program.clauses.iter().map(|_| Store::default()).collect(),
            program,
            domain,
            relations,
            negated,
            limits,
            words: 0,
            ticks: 0,
            at: known::INIT,
            stop,
        };
        engine.prepare_stores();
        engine.statics()?;
        engine.dynamics()?;
        let Engine { program, relations, negated, stores, .. } = engine;
        Ok(Self { program, relations, negated, stores })
    }

    /// How many atoms of a predicate can hold.
    #[must_use]
    pub fn atoms(&self, predicate: PredId) -> usize {
        self.relations[predicate.index()].len()
    }

    /// The arguments of an atom.
    #[must_use]
    pub fn args(&self, predicate: PredId, row: u32) -> &[TermId] {
        self.relations[predicate.index()].row(row)
    }

    /// The row of the atom with these arguments, if it can hold.
    #[must_use]
    pub fn find(&self, predicate: PredId, args: &[TermId]) -> Option<u32> {
        self.relations[predicate.index()].find(args)
    }

    /// The number of instances found.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.stores.iter().map(|s| s.data.len() / s.stride()).sum()
    }

    /// Calls `visit` for every instance: its head, its positive literals, its negated literals that can hold at all.
    pub fn for_each_instance(&self, mut visit: impl FnMut(AtomRef, &[AtomRef], &[AtomRef])) {
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        // Rows of negated atoms to rows of the atoms themselves.
        let real: Vec<Vec<u32>> = self
            .negated
            .iter()
            .zip(&self.relations)
            .map(|(n, r)| (0..n.len()).map(|row| r.find(n.row(row as u32)).unwrap_or(NONE)).collect())
            .collect();
        for (clause, store) in self.program.clauses.iter().zip(&self.stores) {
            for instance in store.data.chunks_exact(store.stride()) {
                positive.clear();
                negative.clear();
                let (p, n) = instance[1..].split_at(store.positive.len());
                positive.extend(
                    store.positive.iter().zip(p).map(|(&predicate, &row)| AtomRef { predicate, row }),
                );
                negative.extend(
                    store
                        .negative
                        .iter()
                        .zip(n)
                        .map(|(&predicate, &row)| AtomRef {
                            predicate,
                            row: real[predicate.index()][row as usize],
                        })
                        .filter(|a| a.row != NONE),
                );
                visit(AtomRef { predicate: clause.head.predicate, row: instance[0] }, &positive, &negative);
            }
        }
    }
}

impl Store {
    fn stride(&self) -> usize {
        1 + self.positive.len() + self.negative.len()
    }
}

struct Engine<'a> {
    program: Program,
    domain: Vec<bool>,
    relations: Vec<Relation>,
    /// Atoms that only negated literals mention.
    negated: Vec<Relation>,
    stores: Vec<Store>,
    limits: Limits,
    words: usize,
    ticks: u32,
    at: PredId,
    stop: &'a mut dyn FnMut() -> bool,
}

/// The data of one clause's join while it runs.
struct Run {
    clause: Rc<Clause>,
    plan: Rc<Plan>,
    number: usize,
    /// Whether instances are noted.
    noted: bool,
    bound: Vec<TermId>,
    /// The row each positive literal matched.
    rows: Vec<u32>,
    scratch: Vec<TermId>,
}

impl Engine<'_> {
    fn is_dynamic(&self, p: PredId) -> bool {
        self.program.predicates[p.index()].depends != Depends::Static
    }

    fn prepare_stores(&mut self) {
        for n in 0..self.program.clauses.len() {
            let clause = &self.program.clauses[n];
            if !self.is_dynamic(clause.head.predicate) || self.domain[clause.head.predicate.index()] {
                continue;
            }
            let noted = |l: &&Literal| self.is_dynamic(l.predicate) && !self.domain[l.predicate.index()];
            let positive = clause.positive.iter().filter(noted).map(|l| l.predicate).collect();
            let negative = clause
                .negative
                .iter()
                .filter(|l| self.is_dynamic(l.predicate))
                .map(|l| l.predicate)
                .collect();
            self.stores[n].positive = positive;
            self.stores[n].negative = negative;
        }
    }

    /// Step 2.
    fn statics(&mut self) -> Result<(), GroundError> {
        let successors: Vec<Vec<usize>> = (0..self.program.predicates.len())
            .map(|p| {
                let clauses = self.program.by_head[p].iter().map(|&c| &self.program.clauses[c as usize]);
                clauses
                    .flat_map(|c| c.positive.iter().chain(&c.negative).map(|l| l.predicate.index()))
                    .collect()
            })
            .collect();
        let component = components(&successors);
        let last = component.iter().max().map_or(0, |m| m + 1);
        let mut members = vec![Vec::new(); last];
        for (p, &c) in component.iter().enumerate() {
            members[c].push(PredId(u32::try_from(p).expect("predicates fit 32 bits")));
        }
        for group in members {
            if group.iter().any(|&p| self.is_dynamic(p)) {
                continue;
            }
            self.fixpoint(&group)?;
        }
        Ok(())
    }

    /// Step 3.
    fn dynamics(&mut self) -> Result<(), GroundError> {
        let group: Vec<PredId> = (0..self.program.predicates.len())
            .map(|p| PredId(u32::try_from(p).expect("predicates fit 32 bits")))
            .filter(|&p| self.is_dynamic(p))
            .collect();
        for row in 0..self.relations[known::INIT.index()].len() {
            let fact = self.relations[known::INIT.index()].row(row as u32)[0];
            self.relations[known::TRUE.index()].insert(&self.program.terms, &[fact]);
        }
        self.fixpoint(&group)
    }

    /// Semi-naive evaluation of predicates that depend on each other.
    fn fixpoint(&mut self, group: &[PredId]) -> Result<(), GroundError> {
        let mut inside = vec![false; self.program.predicates.len()];
        group.iter().for_each(|p| inside[p.index()] = true);
        let clauses: Vec<usize> =
            group.iter().flat_map(|p| self.program.by_head[p.index()].iter().map(|&c| c as usize)).collect();
        let mut runs: Vec<Rc<Clause>> = Vec::new();
        for &c in &clauses {
            runs.push(Rc::new(self.program.clauses[c].clone()));
        }
        let mut plans: Vec<Vec<Option<Rc<Plan>>>> =
            runs.iter().map(|c| vec![None; c.positive.len()]).collect();
        // Clauses without a literal of the group run once.
        for (clause, &number) in runs.iter().zip(&clauses) {
            if !clause.positive.iter().any(|l| inside[l.predicate.index()]) {
                let plan = Rc::new(self.plan(clause, None, &inside));
                self.run(clause, number, plan)?;
            }
        }
        loop {
            self.copy_across(&inside);
            let mut any = false;
            for p in group {
                let relation = &mut self.relations[p.index()];
                relation.old = relation.seen;
                relation.seen = relation.len();
                any |= relation.old < relation.seen;
            }
            if !any {
                return Ok(());
            }
            for ((clause, &number), plans) in runs.iter().zip(&clauses).zip(&mut plans) {
                for (literal, plan) in plans.iter_mut().enumerate() {
                    let p = clause.positive[literal].predicate;
                    let relation = &self.relations[p.index()];
                    if !inside[p.index()] || relation.old == relation.seen {
                        continue;
                    }
                    if plan.as_ref().is_none_or(|known| known.is_stale(clause, &self.relations)) {
                        *plan = Some(Rc::new(self.plan(clause, Some(literal), &inside)));
                    }
                    self.run(clause, number, Rc::clone(plan.as_ref().expect("just made")))?;
                }
            }
        }
    }

    fn plan(&mut self, clause: &Clause, new: Option<usize>, inside: &[bool]) -> Plan {
        let info = Info { program: &self.program, complete: &|p: PredId| !inside[p.index()] };
        Plan::new(clause, new, &info, &mut self.relations)
    }

    /// `true` from `next`, `does` from `legal`.
    fn copy_across(&mut self, inside: &[bool]) {
        if !inside[known::TRUE.index()] && !inside[known::DOES.index()] {
            return;
        }
        for (from, to) in [(known::NEXT, known::TRUE), (known::LEGAL, known::DOES)] {
            for row in self.relations[from.index()].seen..self.relations[from.index()].len() {
                let values: Box<[TermId]> = self.relations[from.index()].row(row as u32).into();
                let is_role =
                    from == known::NEXT || self.relations[known::ROLE.index()].find(&values[..1]).is_some();
                if is_role {
                    self.relations[to.index()].insert(&self.program.terms, &values);
                }
            }
        }
    }

    fn run(&mut self, clause: &Rc<Clause>, number: usize, plan: Rc<Plan>) -> Result<(), GroundError> {
        let head = clause.head.predicate;
        self.at = head;
        for step in &plan.steps {
            if let Some((index, _)) = step.index {
                self.relations[step.predicate.index()].update(&self.program.terms, index);
            }
        }
        let mut run = Run {
            noted: self.is_dynamic(head) && !self.domain[head.index()],
            bound: vec![TermId(NONE); clause.variables],
            rows: vec![NONE; clause.positive.len()],
            clause: Rc::clone(clause),
            number,
            plan: Rc::clone(&plan),
            scratch: Vec::new(),
        };
        if self.checks(&mut run, &plan.first_tests, &plan.first_negative) {
            self.step(&mut run, 0)?;
        }
        Ok(())
    }

    /// Whether the tests hold and the static negations do not.
    fn checks(&mut self, run: &mut Run, tests: &[usize], negative: &[usize]) -> bool {
        let clause = Rc::clone(&run.clause);
        if !tests.iter().all(|&t| clause.tests[t].holds(&mut self.program.terms, &run.bound)) {
            return false;
        }
        negative.iter().all(|&n| {
            let literal = &clause.negative[n];
            // Negations inside the dynamic part are noted, not decided.
            self.is_dynamic(literal.predicate) || {
                self.values(run, literal);
                self.relations[literal.predicate.index()].find(&run.scratch).is_none()
            }
        })
    }

    /// The arguments of a literal under the current binding, in `run.scratch`.
    fn values(&mut self, run: &mut Run, literal: &Literal) {
        run.scratch.clear();
        for arg in &literal.args {
            let id = arg.ground(&mut self.program.terms, &run.bound);
            run.scratch.push(id);
        }
    }

    fn step(&mut self, run: &mut Run, at: usize) -> Result<bool, GroundError> {
        let plan = Rc::clone(&run.plan);
        let Some(step) = plan.steps.get(at) else {
            self.emit(run)?;
            return Ok(true);
        };
        let relation = &self.relations[step.predicate.index()];
        let (low, high) = match step.range {
            Range::Old => (0, relation.old),
            Range::New => (relation.old, relation.seen),
            Range::Both => (0, relation.seen),
            Range::All => (0, relation.len()),
        };
        let mut found = false;
        match &step.index {
            None => {
                for row in low..high {
                    found |= self.row(run, step, at, row as u32)?;
                    if found && step.exists {
                        break;
                    }
                }
            }
            Some((index, key)) => {
                let hash = hash_of(key, &run.bound);
                let mut row = relation.newest(*index, hash);
                while row != NONE && row as usize >= low {
                    if (row as usize) < high {
                        found |= self.row(run, step, at, row)?;
                        if found && step.exists {
                            break;
                        }
                    }
                    row = self.relations[step.predicate.index()].older(*index, row);
                }
            }
        }
        Ok(found)
    }

    fn row(&mut self, run: &mut Run, step: &Step, at: usize, row: u32) -> Result<bool, GroundError> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks & 0xffff == 0 && (self.stop)() {
            let relation = self.name(self.at);
            return Err(GroundError::Stopped { relation });
        }
        let values = self.relations[step.predicate.index()].row(row);
        let terms = &self.program.terms;
        let matches = step.args.iter().zip(values).all(|(m, &v)| m.matches(terms, v, &mut run.bound));
        if !matches {
            return Ok(false);
        }
        run.rows[step.literal] = row;
        if !self.checks(run, &step.tests, &step.negative) {
            return Ok(false);
        }
        self.step(run, at + 1)
    }

    /// Step 4: the head's row, and the instance.
    fn emit(&mut self, run: &mut Run) -> Result<(), GroundError> {
        let clause = Rc::clone(&run.clause);
        let head = clause.head.predicate;
        self.values(run, &clause.head);
        let (row, is_new) = self.relations[head.index()].insert(&self.program.terms, &run.scratch);
        if is_new {
            self.words += ATOM_WORDS + run.scratch.len();
            let depth = run.scratch.iter().map(|&t| self.program.terms.depth(t)).max().unwrap_or(0);
            if depth > self.limits.depth {
                return Err(GroundError::TooDeep { depth: self.limits.depth, relation: self.name(head) });
            }
        }
        if run.noted {
            self.stores[run.number].data.push(row);
            for (literal, &row) in clause.positive.iter().zip(&run.rows) {
                if self.is_dynamic(literal.predicate) && !self.domain[literal.predicate.index()] {
                    self.stores[run.number].data.push(row);
                }
            }
            for literal in &clause.negative {
                if self.is_dynamic(literal.predicate) {
                    self.values(run, literal);
                    let (row, _) =
                        self.negated[literal.predicate.index()].insert(&self.program.terms, &run.scratch);
                    self.stores[run.number].data.push(row);
                }
            }
            let stride = self.stores[run.number].stride();
            self.words += stride;
            if self.stores[run.number].data.len() / stride > self.limits.instances {
                let rules = &self.program.by_head[head.index()];
                let rule = 1 + rules.iter().position(|&c| c as usize == run.number).unwrap_or(0);
                let (instances, relation) = (self.limits.instances, self.name(head));
                return Err(GroundError::TooMany { instances, relation, rule });
            }
        }
        if self.words + self.program.terms.words() > self.limits.words {
            return Err(GroundError::TooLarge { words: self.limits.words, relation: self.name(head) });
        }
        Ok(())
    }

    fn name(&self, p: PredId) -> String {
        self.program.symbols.name(self.program.predicates[p.index()].name).to_owned()
    }
}
