//! The prover answers questions about a state from the clauses, by backward chaining with tables. It plays rulesheets
//! that do not ground, and the tests compare nets with it.
//!
//! # Source
//! H. Tamaki, T. Sato, "OLD resolution with tabulation" (1986); W. Chen, D. Warren, "Tabled evaluation with delaying
//! for general logic programs", JACM 43 (1996). The prover does the definite part of the latter with stratified
//! negation. Inside a recursive component it iterates naively.
//!
//! # Notation
//! A *call* is a predicate with some arguments bound. Its *table* holds the tuples that are found so far.
//!
//! # Steps
//! 1. The table answers a call that was seen before.
//! 2. A new call runs every clause of its predicate. The body's order depends on the bound variables.
//! 3. A call that calls itself takes the tuples in its table. It runs again until no tuple is added.
//! 4. Tables of static predicates live as long as the prover. Tables of the state live as long as the state, and tables
//!    of the move as long as the move.
//!
//! # Departures
//! A partly bound compound argument counts as free and filters the answers. Predicates that have only facts are not
//! called: their facts are looked up.
//!
//! # Cost
//! For each state, one table for each call met. The depth of calls and the memory of calls and answers are bounded, and
//! the caller may stop the work. Each of these ends in an error. An index on the bound arguments finds answers.

mod frame;
mod order;
#[cfg(test)]
mod tests;

use crate::lookup::Lookup;
use crate::program::{Clause, Depends, Pattern, PredId, Program, known};
use crate::relation::{IndexSpec, NONE, Relation};
use crate::term::TermId;
use frame::Frame;
use order::{Order, Positive};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tengen_core::Stop;

/// The deepest chain of calls.
pub const MAX_DEPTH: usize = 6000;

/// Why the prover gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProverError {
    /// Calls inside calls deeper than [`MAX_DEPTH`].
    #[error("rules call each other deeper than {MAX_DEPTH}")]
    TooDeep {
        /// The relation that was being derived.
        relation: String,
    },
    /// More calls and answers for one state than [`MAX_WORDS`]: the rules build terms without end, or nearly so.
    #[error("one state needs more than {} MB of derived facts", MAX_WORDS / 250_000)]
    TooMany {
        /// The relation that was being derived.
        relation: String,
    },
    /// The caller stopped the work.
    #[error("the prover was told to stop")]
    Stopped,
}

/// The most numbers of 4 bytes in all tables of one state and all terms.
pub const MAX_WORDS: usize = 32_000_000;

/// The size of a call beside its answers, in numbers of 4 bytes.
const CALL_WORDS: usize = 64;

/// The size of an answer beside its arguments: its place in the hash table and in one or two indexes.
const ANSWER_WORDS: usize = 12;

/// The number of calls and answers between two checks of the stop.
const LOOK: usize = 1024;

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

/// The answers found to one call.
#[derive(Debug)]
struct Answers {
    answers: Found,
    status: Status,
}

impl Answers {
    fn is_complete(&self) -> bool {
        self.status == Status::Complete
    }
}

/// A relation whose indexes are found by the numbers of their specifications.
#[derive(Debug)]
struct Found {
    relation: Relation,
    /// Number of a specification, number of the index in the relation.
    indexes: Vec<(u32, usize)>,
}

impl Found {
    fn new(arity: usize) -> Self {
        Self { relation: Relation::new(arity), indexes: Vec::new() }
    }
}

/// A call: predicate, then each argument's number plus one, 0 where it is free.
type Call = Box<[u32]>;

/// The place of a table: its lifetime as an index, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table {
    class: usize,
    number: usize,
}

/// The place of the answers to a literal.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The facts of the state.
    State,
    /// The moves.
    Moves,
    /// The facts of a predicate that has only facts.
    Facts(PredId),
    Table(Table),
}

/// Tables of one lifetime.
#[derive(Debug, Default)]
struct Tables {
    numbers: FxHashMap<Call, usize>,
    tables: Vec<Answers>,
}

/// The prover of one game.
#[derive(Debug)]
pub struct Prover {
    /// The game.
    pub program: Program,
    /// Tables by [`Depends`].
    tables: [Tables; 3],
    state: Found,
    moves: Found,
    /// The facts of each predicate that has only facts.
    facts: Vec<Option<Found>>,
    orders: FxHashMap<(u32, u128), Arc<Order>>,
    specs: FxHashMap<IndexSpec, u32>,
    clauses: Arc<[Clause]>,
    round: u64,
    answers: usize,
    /// The size of the state's tables, in numbers of 4 bytes.
    words: usize,
    /// Calls and answers since the last check of the stop.
    unasked: usize,
    stop: Stop,
    /// The call that is about to be made.
    scratch: Vec<u32>,
    values: Vec<TermId>,
    /// Bindings that no frame uses now.
    spare: Vec<Vec<TermId>>,
}

impl Prover {
    /// A prover for the game.
    #[must_use]
    pub fn new(program: Program) -> Self {
        let clauses = program.clauses.clone().into();
        Self {
            facts: (0..program.predicates.len()).map(|p| facts_of(&program, p)).collect(),
            program,
            tables: Default::default(),
            state: Found::new(1),
            moves: Found::new(2),
            orders: FxHashMap::default(),
            specs: FxHashMap::default(),
            clauses,
            round: 0,
            answers: 0,
            words: 0,
            unasked: 0,
            stop: Stop::NEVER,
            scratch: Vec::new(),
            values: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Sets the question that long work asks from now on.
    pub fn set_stop(&mut self, stop: Stop) {
        self.stop = stop;
    }

    /// The question that long work asks.
    #[must_use]
    pub const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Counts a call or an answer of this many words against the limits.
    fn spend(&mut self, words: usize, predicate: PredId) -> Result<(), ProverError> {
        self.words += words;
        self.unasked += 1;
        if self.words + self.program.terms.words() > MAX_WORDS {
            return Err(ProverError::TooMany { relation: self.name(predicate) });
        }
        if self.unasked >= LOOK {
            self.unasked = 0;
            if self.stop.now() {
                return Err(ProverError::Stopped);
            }
        }
        Ok(())
    }

    /// Puts the prover into the state in which exactly these facts are true.
    pub fn set_state(&mut self, facts: &[TermId]) {
        self.state = Found::new(1);
        for &fact in facts {
            self.state.relation.insert(&self.program.terms, &[fact]);
        }
        self.moves = Found::new(2);
        self.tables[Depends::State as usize] = Tables::default();
        self.tables[Depends::Move as usize] = Tables::default();
        self.answers = 0;
        self.words = 0;
    }

    /// Makes this the joint move: one term per role, in the order of [`Program::roles`].
    pub fn set_moves(&mut self, moves: &[TermId]) {
        self.moves = Found::new(2);
        for (&role, &m) in self.program.roles().iter().zip(moves) {
            self.moves.relation.insert(&self.program.terms, &[role, m]);
        }
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
        let source = match self.given(predicate) {
            Some(given) => given,
            None => {
                self.scratch.clear();
                self.scratch.push(predicate.0);
                self.scratch.extend(args.iter().map(|a| a.map_or(0, |id| id.0 + 1)));
                Source::Table(self.answered()?)
            }
        };
        let relation = &self.answers(source).relation;
        let rows = (0..relation.len()).map(|n| relation.row(n as u32));
        let fits = |row: &&[TermId]| row.iter().zip(args).all(|(r, a)| a.is_none_or(|a| a == *r));
        Ok(rows.filter(fits).map(Box::from).collect())
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

    /// The table of the call in `scratch`. After an error no table is left half-made.
    fn answered(&mut self) -> Result<Table, ProverError> {
        let called = self.call(0);
        if called.is_err() {
            self.tables = Default::default();
            (self.answers, self.words) = (0, 0);
        }
        Ok(called?.1)
    }

    /// Runs the call in `scratch` unless its table exists. Returns the lowest running call it depends on, and its
    /// table.
    fn call(&mut self, depth: usize) -> Result<(usize, Table), ProverError> {
        let predicate = PredId(self.scratch[0]);
        let class = self.program.predicates[predicate.index()].depends as usize;
        let number = match self.tables[class].numbers.get(&self.scratch[..]) {
            Some(&number) => {
                // Step 1 and step 3.
                let table = Table { class, number };
                match self.table(table).status {
                    Status::Complete => return Ok((usize::MAX, table)),
                    Status::Running(at) => return Ok((at, table)),
                    Status::Provisional { round, low } if round == self.round => return Ok((low, table)),
                    Status::Provisional { .. } => number,
                }
            }
            None => {
                self.spend(CALL_WORDS + self.scratch.len(), predicate)?;
                let tables = &mut self.tables[class];
                let answers = Found::new(self.scratch.len() - 1);
                tables.tables.push(Answers { answers, status: Status::Complete });
                tables.numbers.insert(self.scratch[..].into(), tables.tables.len() - 1);
                tables.tables.len() - 1
            }
        };
        if depth >= MAX_DEPTH {
            return Err(ProverError::TooDeep { relation: self.name(predicate) });
        }
        let call: Call = self.scratch[..].into();
        self.run(&call, Table { class, number }, depth)
    }

    /// Steps 2 and 3.
    fn run(&mut self, call: &Call, table: Table, depth: usize) -> Result<(usize, Table), ProverError> {
        let predicate = PredId(call[0]);
        let clauses = Arc::clone(&self.clauses);
        let single = call[1..].iter().all(|&a| a != 0);
        self.table_mut(table).status = Status::Running(depth);
        loop {
            let before = self.answers;
            let mut low = usize::MAX;
            for n in 0..self.program.by_head[predicate.index()].len() {
                let number = self.program.by_head[predicate.index()][n];
                let clause = &clauses[number as usize];
                let mut bound = self.spare.pop().unwrap_or_default();
                bound.clear();
                bound.resize(clause.variables, TermId(NONE));
                let mut frame = Frame { clause, bound, table, single, depth, low: usize::MAX };
                if frame.enter(self, call) {
                    let order = self.order(number, &frame.bound);
                    frame.body(self, &order, 0)?;
                }
                low = low.min(frame.low);
                self.spare.push(frame.bound);
                // A call with every argument bound needs no second answer; what hung on it had not all the answers yet.
                if single && self.table(table).answers.relation.len() > 0 {
                    self.round += u64::from(low != usize::MAX);
                    self.table_mut(table).status = Status::Complete;
                    return Ok((usize::MAX, table));
                }
            }
            if low < depth {
                self.table_mut(table).status = Status::Provisional { round: self.round, low };
                return Ok((low, table));
            }
            if low == usize::MAX || self.answers == before {
                self.table_mut(table).status = Status::Complete;
                return Ok((usize::MAX, table));
            }
            self.round += 1;
        }
    }

    fn name(&self, predicate: PredId) -> String {
        self.program.symbols.name(self.program.predicates[predicate.index()].name).to_owned()
    }

    fn table(&self, table: Table) -> &Answers {
        &self.tables[table.class].tables[table.number]
    }

    fn table_mut(&mut self, table: Table) -> &mut Answers {
        &mut self.tables[table.class].tables[table.number]
    }

    /// The place of the answers of a predicate that needs no call.
    fn given(&self, predicate: PredId) -> Option<Source> {
        match predicate {
            known::TRUE => Some(Source::State),
            known::DOES => Some(Source::Moves),
            _ => self.facts[predicate.index()].is_some().then_some(Source::Facts(predicate)),
        }
    }

    fn answers(&self, source: Source) -> &Found {
        match source {
            Source::State => &self.state,
            Source::Moves => &self.moves,
            Source::Facts(p) => {
                self.facts[p.index()].as_ref().expect("a source is only made of facts that are")
            }
            Source::Table(table) => &self.table(table).answers,
        }
    }

    /// The number of the index that a literal uses, brought up to date.
    fn index(&mut self, source: Source, step: &Positive) -> usize {
        let Self { program, tables, state, moves, facts, .. } = self;
        let found = match source {
            Source::State => state,
            Source::Moves => moves,
            Source::Facts(p) => facts[p.index()].as_mut().expect("a source is only made of facts that are"),
            Source::Table(table) => &mut tables[table.class].tables[table.number].answers,
        };
        let known = found.indexes.iter().find(|(spec, _)| *spec == step.spec);
        let index = match known {
            Some(&(_, index)) => index,
            None => {
                let index = found.relation.index(&step.lookup.spec);
                found.indexes.push((step.spec, index));
                index
            }
        };
        found.relation.update(&program.terms, index);
        index
    }

    fn order(&mut self, clause: u32, bound: &[TermId]) -> Arc<Order> {
        let bound: Vec<bool> = bound.iter().map(|b| b.0 != NONE).collect();
        // Longer clauses are ordered anew each time.
        let mask = (bound.len() <= 128)
            .then(|| bound.iter().enumerate().fold(0_u128, |m, (v, &b)| m | (u128::from(b) << v)));
        if let Some(known) = mask.and_then(|mask| self.orders.get(&(clause, mask))) {
            return Arc::clone(known);
        }
        let specs = &mut self.specs;
        let mut number = |lookup: &Lookup| {
            let next = u32::try_from(specs.len()).expect("specifications are fewer than literals");
            *specs.entry(lookup.spec.clone()).or_insert(next)
        };
        let made = Order::new(&self.clauses[clause as usize], &bound, &self.program, &mut number);
        let made = Arc::new(made);
        if let Some(mask) = mask {
            self.orders.insert((clause, mask), Arc::clone(&made));
        }
        made
    }

    /// Adds the head of a clause under a binding.
    fn add(&mut self, table: Table, clause: &Clause, bound: &[TermId]) -> Result<(), ProverError> {
        self.values.clear();
        for arg in &clause.head.args {
            let id = arg.ground(&mut self.program.terms, bound);
            self.values.push(id);
        }
        let relation = &mut self.tables[table.class].tables[table.number].answers.relation;
        if relation.insert(&self.program.terms, &self.values).1 {
            self.answers += 1;
            self.spend(ANSWER_WORDS + clause.head.args.len(), clause.head.predicate)?;
        }
        Ok(())
    }
}

/// The facts of a predicate if it has no other clauses.
fn facts_of(program: &Program, predicate: usize) -> Option<Found> {
    let id = PredId(u32::try_from(predicate).expect("predicates fit 32 bits"));
    order::is_only_facts(id, program).then(|| {
        let mut found = Found::new(program.predicates[predicate].arity);
        for &clause in &program.by_head[predicate] {
            let args = &program.clauses[clause as usize].head.args;
            let values: Vec<TermId> = args.iter().filter_map(Pattern::as_ground).collect();
            found.relation.insert(&program.terms, &values);
        }
        found
    })
}
