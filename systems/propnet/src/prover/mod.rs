//! Answers about a state straight from the clauses, by backward chaining with tables: the oracle of the tests, and
//! what plays when a rulesheet will not ground.
//!
//! # Source
//! H. Tamaki, T. Sato, "OLD resolution with tabulation" (1986); W. Chen, D. Warren, "Tabled evaluation with delaying
//! for general logic programs", JACM 43 (1996), of which this is the definite part with stratified negation, evaluated
//! by naive iteration inside a recursive component.
//!
//! # Notation
//! A *call* is a predicate with some arguments bound; its *table* holds the tuples found so far.
//!
//! # Steps
//! 1. a call seen before is answered from its table;
//! 2. a new call runs every clause of its predicate, the body in an order chosen for what is bound;
//! 3. a call that meets itself takes what its table holds and is run again until nothing is added;
//! 4. tables of static predicates live as long as the prover, those of the state as long as the state, those of the
//!    move as long as the move.
//!
//! # Departures
//! A partly bound compound argument counts as free and filters the answers.
//!
//! # Cost
//! Per state a table for each call met; nothing is bounded but the depth of calls, which ends in an error.

mod order;
#[cfg(test)]
mod tests;

use crate::program::{Clause, Depends, Pattern, PredId, Program, known};
use crate::term::TermId;
use order::{Order, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The deepest chain of calls.
pub const MAX_DEPTH: usize = 6000;

/// Why the prover gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProverError {
    /// Calls inside calls deeper than [`MAX_DEPTH`].
    #[error("rules call each other deeper than {MAX_DEPTH}")]
    TooDeep,
    /// More answers than [`MAX_ANSWERS`] for one state: the rules build terms without end, or nearly so.
    #[error("one state needs more than {MAX_ANSWERS} derived facts")]
    TooMany,
}

/// The most answers in all tables of one state.
pub const MAX_ANSWERS: usize = 2_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Being run, at this depth of the stack.
    Running(usize),
    /// Run in this round of a recursive component whose leader is still running at this depth.
    Provisional {
        round: u64,
        low: usize,
    },
    Complete,
}

#[derive(Debug)]
struct Table {
    arity: usize,
    rows: Vec<TermId>,
    count: usize,
    known: FxHashSet<Box<[TermId]>>,
    status: Status,
}

/// A call: predicate, then each argument's number plus one, 0 where it is free.
type Call = Box<[u32]>;

/// Tables of one lifetime.
#[derive(Debug, Default)]
struct Tables {
    numbers: FxHashMap<Call, usize>,
    tables: Vec<Table>,
}

/// The prover of one game.
#[derive(Debug)]
pub struct Prover {
    /// The game.
    pub program: Program,
    /// Tables by [`Depends`].
    tables: [Tables; 3],
    facts: Facts,
    moves: Facts,
    orders: FxHashMap<(u32, u128), Arc<Order>>,
    clauses: Arc<[Clause]>,
    round: u64,
    answers: usize,
}

/// Name and number of arguments of a term; `None` for a constant.
type Functor = (crate::gdl::Symbol, Option<usize>);

/// Facts given from outside (`true`, `does`), by the name and number of arguments of the fluent.
#[derive(Debug, Default)]
struct Facts {
    rows: FxHashSet<Box<[TermId]>>,
    groups: FxHashMap<Functor, Vec<Box<[TermId]>>>,
    all: Vec<Box<[TermId]>>,
}

impl Prover {
    /// A prover for the game.
    #[must_use]
    pub fn new(program: Program) -> Self {
        let clauses = program.clauses.clone().into();
        Self {
            program,
            tables: Default::default(),
            facts: Facts::default(),
            moves: Facts::default(),
            orders: FxHashMap::default(),
            clauses,
            round: 0,
            answers: 0,
        }
    }

    /// Puts the prover into the state in which exactly these facts are true.
    pub fn set_state(&mut self, facts: &[TermId]) {
        self.facts.set(facts.iter().map(|&f| Box::from([f])), &self.program, 0);
        self.moves = Facts::default();
        self.tables[Depends::State as usize] = Tables::default();
        self.tables[Depends::Move as usize] = Tables::default();
        self.answers = 0;
    }

    /// Makes this the joint move: one term per role, in the order of [`Program::roles`].
    pub fn set_moves(&mut self, moves: &[TermId]) {
        let roles = self.program.roles();
        let pairs = roles.iter().zip(moves).map(|(&role, &m)| Box::from([role, m]));
        self.moves.set(pairs, &self.program, 1);
        self.tables[Depends::Move as usize] = Tables::default();
    }

    /// All tuples for which the predicate holds with the given arguments bound; unsorted.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn ask(
        &mut self,
        predicate: PredId,
        args: &[Option<TermId>],
    ) -> Result<Vec<Box<[TermId]>>, ProverError> {
        let mut call = vec![predicate.0];
        call.extend(args.iter().map(|a| a.map_or(0, |id| id.0 + 1)));
        let (_, class, table) = self.call(call.into(), 0)?;
        let table = &self.tables[class].tables[table];
        if table.arity == 0 {
            return Ok(vec![Box::default(); table.count.min(1)]);
        }
        Ok(table.rows.chunks(table.arity).map(Box::from).collect())
    }

    /// The facts true in the initial state, sorted by number.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn initial(&mut self) -> Result<Vec<TermId>, ProverError> {
        self.column(known::INIT, &[None], 0)
    }

    /// The facts true in the next state, sorted by number.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn successor(&mut self) -> Result<Vec<TermId>, ProverError> {
        self.column(known::NEXT, &[None], 0)
    }

    /// The legal moves of a role, sorted by number.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn legal(&mut self, role: TermId) -> Result<Vec<TermId>, ProverError> {
        self.column(known::LEGAL, &[Some(role), None], 1)
    }

    /// The goal values of a role, sorted by number.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn goals(&mut self, role: TermId) -> Result<Vec<TermId>, ProverError> {
        self.column(known::GOAL, &[Some(role), None], 1)
    }

    /// Whether the state is terminal.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn terminal(&mut self) -> Result<bool, ProverError> {
        Ok(!self.ask(known::TERMINAL, &[])?.is_empty())
    }

    fn column(&mut self, p: PredId, args: &[Option<TermId>], n: usize) -> Result<Vec<TermId>, ProverError> {
        let mut found: Vec<TermId> = self.ask(p, args)?.iter().map(|row| row[n]).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Runs a call unless its table is there; returns the lowest running call it hangs on, and its table.
    fn call(&mut self, call: Call, depth: usize) -> Result<(usize, usize, usize), ProverError> {
        let predicate = PredId(call[0]);
        let class = self.program.predicates[predicate.index()].depends as usize;
        let number = match self.tables[class].numbers.get(&call) {
            Some(&number) => {
                // Step 1 and step 3.
                match self.tables[class].tables[number].status {
                    Status::Complete => return Ok((usize::MAX, class, number)),
                    Status::Running(at) => return Ok((at, class, number)),
                    Status::Provisional { round, low } if round == self.round => {
                        return Ok((low, class, number));
                    }
                    Status::Provisional { .. } => number,
                }
            }
            None => {
                let tables = &mut self.tables[class];
                let table = Table {
                    arity: call.len() - 1,
                    rows: Vec::new(),
                    count: 0,
                    known: FxHashSet::default(),
                    status: Status::Complete,
                };
                tables.tables.push(table);
                tables.numbers.insert(call.clone(), tables.tables.len() - 1);
                tables.tables.len() - 1
            }
        };
        if depth >= MAX_DEPTH {
            return Err(ProverError::TooDeep);
        }
        self.run(&call, class, number, depth)
    }

    /// Steps 2 and 3.
    fn run(
        &mut self,
        call: &Call,
        class: usize,
        number: usize,
        depth: usize,
    ) -> Result<(usize, usize, usize), ProverError> {
        let predicate = PredId(call[0]);
        let clauses = self.program.by_head[predicate.index()].clone();
        let all = Arc::clone(&self.clauses);
        self.tables[class].tables[number].status = Status::Running(depth);
        loop {
            let before = self.answers;
            let mut low = usize::MAX;
            for &c in &clauses {
                let clause = &all[c as usize];
                let mut frame = Frame {
                    clause,
                    bound: vec![None; clause.variables],
                    call,
                    class,
                    number,
                    depth,
                    low: usize::MAX,
                    order: None,
                };
                if frame.enter(self) {
                    frame.order = Some(self.order(c, &frame.bound));
                    frame.body(self, 0)?;
                }
                low = low.min(frame.low);
                if self.decided(call, class, number) {
                    self.tables[class].tables[number].status = Status::Complete;
                    return Ok((usize::MAX, class, number));
                }
            }
            if low < depth {
                self.tables[class].tables[number].status = Status::Provisional { round: self.round, low };
                return Ok((low, class, number));
            }
            if low == usize::MAX || self.answers == before {
                self.tables[class].tables[number].status = Status::Complete;
                return Ok((usize::MAX, class, number));
            }
            self.round += 1;
        }
    }

    /// A call with every argument bound needs no second answer.
    fn decided(&self, call: &Call, class: usize, number: usize) -> bool {
        self.tables[class].tables[number].count > 0 && call[1..].iter().all(|&a| a != 0)
    }

    fn order(&mut self, clause: u32, bound: &[Option<TermId>]) -> Arc<Order> {
        let mask =
            bound.iter().take(128).enumerate().fold(0_u128, |m, (v, b)| m | (u128::from(b.is_some()) << v));
        if let Some(known) = self.orders.get(&(clause, mask)) {
            return Arc::clone(known);
        }
        let made = Arc::new(Order::new(&self.clauses[clause as usize], bound, &self.program));
        self.orders.insert((clause, mask), Arc::clone(&made));
        made
    }

    fn add(&mut self, class: usize, number: usize, row: Box<[TermId]>) -> Result<(), ProverError> {
        let table = &mut self.tables[class].tables[number];
        if !table.known.contains(&row) {
            table.rows.extend_from_slice(&row);
            table.count += 1;
            table.known.insert(row);
            self.answers += 1;
            if self.answers > MAX_ANSWERS {
                return Err(ProverError::TooMany);
            }
        }
        Ok(())
    }
}

/// One clause being run for one call.
struct Frame<'a> {
    clause: &'a Clause,
    bound: Vec<Option<TermId>>,
    call: &'a Call,
    class: usize,
    number: usize,
    depth: usize,
    low: usize,
    order: Option<Arc<Order>>,
}

impl Frame<'_> {
    /// Binds the head to the call; `false` if they do not match.
    fn enter(&mut self, prover: &Prover) -> bool {
        let clause = self.clause;
        let mut trail = Vec::new();
        clause
            .head
            .args
            .iter()
            .zip(&self.call[1..])
            .all(|(pattern, &arg)| arg == 0 || self.bind(prover, pattern, TermId(arg - 1), &mut trail))
    }

    /// Matches a pattern with a ground term; newly bound variables go to `trail`.
    fn bind(&mut self, prover: &Prover, pattern: &Pattern, term: TermId, trail: &mut Vec<u32>) -> bool {
        match pattern {
            Pattern::Variable(v) => match self.bound[*v as usize] {
                Some(known) => known == term,
                None => {
                    self.bound[*v as usize] = Some(term);
                    trail.push(*v);
                    true
                }
            },
            Pattern::Ground(id) => *id == term,
            Pattern::Compound(name, args) => match prover.program.terms.matching(term, *name, args.len()) {
                None => false,
                Some(parts) => args.iter().zip(parts).all(|(a, &p)| self.bind(prover, a, p, trail)),
            },
        }
    }

    /// Proves the body from literal `at` of the order on, and adds what follows to the table.
    fn body(&mut self, prover: &mut Prover, at: usize) -> Result<(), ProverError> {
        let clause = self.clause;
        let order = Arc::clone(self.order.as_ref().expect("set before the body is entered"));
        match order.steps.get(at) {
            None => {
                let row: Option<Box<[TermId]>> = clause
                    .head
                    .args
                    .iter()
                    .map(|a| a.ground(&mut prover.program.terms, &self.bound))
                    .collect();
                match row {
                    // An unsafe clause derives nothing.
                    None => Ok(()),
                    Some(row) => prover.add(self.class, self.number, row),
                }
            }
            Some(&Step::Test(t)) => {
                if clause.tests[t].holds(&mut prover.program.terms, &self.bound) {
                    self.body(prover, at + 1)?;
                }
                Ok(())
            }
            Some(&Step::Negative(n)) => {
                let literal = &clause.negative[n];
                if !self.holds(prover, literal)? {
                    self.body(prover, at + 1)?;
                }
                Ok(())
            }
            Some(&Step::Positive(n)) => self.literal(prover, n, at),
        }
    }

    fn holds(&mut self, prover: &mut Prover, literal: &crate::program::Literal) -> Result<bool, ProverError> {
        let args: Vec<_> =
            literal.args.iter().map(|a| a.ground(&mut prover.program.terms, &self.bound)).collect();
        if let Some(facts) = prover.facts_of(literal.predicate) {
            let row: Option<Box<[TermId]>> = args.into_iter().collect();
            return Ok(row.is_some_and(|row| facts.rows.contains(&row)));
        }
        let mut call = vec![literal.predicate.0];
        call.extend(args.iter().map(|a| a.map_or(0, |id| id.0 + 1)));
        let (low, class, number) = prover.call(call.into(), self.depth + 1)?;
        self.low = self.low.min(low);
        Ok(prover.tables[class].tables[number].count > 0)
    }

    fn literal(&mut self, prover: &mut Prover, n: usize, at: usize) -> Result<(), ProverError> {
        let clause = self.clause;
        let literal = &clause.positive[n];
        let args: Vec<_> =
            literal.args.iter().map(|a| a.ground(&mut prover.program.terms, &self.bound)).collect();
        if args.iter().all(Option::is_some) {
            if self.holds(prover, literal)? {
                self.body(prover, at + 1)?;
            }
            return Ok(());
        }
        let mut trail = Vec::new();
        if let Some(rows) = prover.rows_of(literal) {
            for row in rows {
                self.row(prover, literal, &row, at, &mut trail)?;
                if prover.decided(self.call, self.class, self.number) {
                    return Ok(());
                }
            }
            return Ok(());
        }
        let mut call = vec![literal.predicate.0];
        call.extend(args.iter().map(|a| a.map_or(0, |id| id.0 + 1)));
        let (low, class, number) = prover.call(call.into(), self.depth + 1)?;
        self.low = self.low.min(low);
        let arity = literal.args.len();
        let mut next = 0;
        // The table may grow below us when it is our own.
        while next < prover.tables[class].tables[number].count {
            let row: Box<[TermId]> =
                prover.tables[class].tables[number].rows[next * arity..(next + 1) * arity].into();
            self.row(prover, literal, &row, at, &mut trail)?;
            if prover.decided(self.call, self.class, self.number) {
                return Ok(());
            }
            next += 1;
        }
        Ok(())
    }

    fn row(
        &mut self,
        prover: &mut Prover,
        literal: &crate::program::Literal,
        row: &[TermId],
        at: usize,
        trail: &mut Vec<u32>,
    ) -> Result<(), ProverError> {
        trail.clear();
        let mut mine = std::mem::take(trail);
        let matches = literal.args.iter().zip(row).all(|(a, &t)| self.bind(prover, a, t, &mut mine));
        let result = if matches { self.body(prover, at + 1) } else { Ok(()) };
        mine.drain(..).for_each(|v| self.bound[v as usize] = None);
        *trail = mine;
        result
    }
}

impl Prover {
    fn facts_of(&self, predicate: PredId) -> Option<&Facts> {
        match predicate {
            known::TRUE => Some(&self.facts),
            known::DOES => Some(&self.moves),
            _ => None,
        }
    }

    /// The facts a literal of `true` or `does` may match.
    fn rows_of(&self, literal: &crate::program::Literal) -> Option<Vec<Box<[TermId]>>> {
        let facts = self.facts_of(literal.predicate)?;
        let key = match literal.args.last() {
            Some(Pattern::Compound(name, args)) => Some((*name, Some(args.len()))),
            Some(Pattern::Ground(id)) => {
                Some((self.program.terms.name(*id), self.program.terms.args(*id).map(<[_]>::len)))
            }
            _ => None,
        };
        Some(match key {
            None => facts.all.clone(),
            Some(key) => facts.groups.get(&key).cloned().unwrap_or_default(),
        })
    }
}

impl Facts {
    fn set(&mut self, rows: impl Iterator<Item = Box<[TermId]>>, program: &Program, fluent: usize) {
        *self = Self::default();
        for row in rows {
            let term = row[fluent];
            let key = (program.terms.name(term), program.terms.args(term).map(<[_]>::len));
            if self.rows.insert(row.clone()) {
                self.groups.entry(key).or_default().push(row.clone());
                self.all.push(row);
            }
        }
    }
}
