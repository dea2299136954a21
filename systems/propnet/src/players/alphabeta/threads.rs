//! Alpha-beta for many threads, on the schedule `Expand`.
//!
//! # Steps
//! 1. A depth begins with the root's first move alone, under no bounds.
//! 2. Its brothers are jobs, each under the bounds known at its selection.
//! 3. When all jobs are merged, the best move comes first at the next depth. Of equal moves the first one counts.

use super::super::pool::Pool;
use super::{Found, MAX_DEPTH, Position, Search, Shared, nothing_yet};
use crate::game::{Game, GameError};
use crate::machine::{MoveId, State};
use std::sync::Arc;
use tengen_core::{Budget, Parallelism};
use tengen_search::{Searcher, Window, run_all};

/// Searches as [`super::search`] does, with this many threads.
///
/// # Errors
/// The machine's limits.
pub fn search(
    game: &Arc<Game>,
    state: &State,
    budget: &Budget,
    threads: usize,
    parallelism: Parallelism,
) -> Result<Found, GameError> {
    let search = Brothers::new(game, state, budget, threads)?;
    let done = run_all(vec![search], parallelism).pop();
    done.expect("as many searches come back as went in").found()
}

/// A search under way.
struct Brothers {
    pool: Arc<Pool>,
    state: State,
    budget: Budget,
    shared: Arc<Shared>,
    threads: usize,
    mover: usize,
    /// The root's joint moves, the best of the last depth first.
    joint: Vec<Vec<MoveId>>,
    depth: u32,
    /// The next of them to search at this depth.
    next: usize,
    merged: usize,
    cut: bool,
    stopped: bool,
    /// The best value of this depth, and its move.
    best: Option<(f64, usize)>,
    found: Found,
    is_over: bool,
    under_way: usize,
    failed: Option<GameError>,
}

/// A move of the root.
struct Job {
    pool: Arc<Pool>,
    shared: Arc<Shared>,
    budget: Budget,
    state: State,
    number: usize,
    joint: Vec<MoveId>,
    depth: u32,
    bounds: (f64, f64),
    seen: Result<Seen, GameError>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    value: f64,
    cut: bool,
    stopped: bool,
}

impl Brothers {
    fn new(game: &Arc<Game>, state: &State, budget: &Budget, threads: usize) -> Result<Self, GameError> {
        let pool = Arc::new(Pool::new(game));
        let shared = Arc::new(Shared::new());
        let (mut found, root) = pool.with_machine(|machine| {
            machine.set_stop(budget.stop.clone());
            let found = nothing_yet(machine, state)?;
            let mut search = Search { machine, budget, shared: &shared, cut: false, stopped: false };
            Ok((found, search.look(state)?))
        })?;
        let (mover, mut joint) = match root {
            Position::Over(value) => {
                (found.value, found.exact) = (value, true);
                (0, Vec::new())
            }
            Position::Moves(mover, joint) => (mover, joint),
        };
        // The best move of the last depth first; at first that is the first legal one.
        joint.sort_by_key(|j| *j != found.best);
        Ok(Self {
            pool,
            state: state.clone(),
            budget: budget.clone(),
            shared,
            threads,
            mover,
            is_over: joint.is_empty() || budget.depth == Some(0),
            joint,
            depth: 1,
            next: 0,
            merged: 0,
            cut: false,
            stopped: false,
            best: None,
            found,
            under_way: 0,
            failed: None,
        })
    }

    fn found(self) -> Result<Found, GameError> {
        match self.failed {
            Some(error) if !error.is_stopped() => Err(error),
            _ => Ok(Found { nodes: self.shared.nodes(), ..self.found }),
        }
    }

    /// The bounds that the moves merged so far leave open.
    fn bounds(&self) -> (f64, f64) {
        match self.best {
            Some((value, _)) if self.mover == 0 => (value, f64::INFINITY),
            Some((value, _)) => (f64::NEG_INFINITY, value),
            None => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Adds the result of a move. Of equal moves the first is the best, in whatever order they come.
    fn merge(&mut self, number: usize, seen: Seen) {
        self.merged += 1;
        self.cut |= seen.cut;
        self.stopped |= seen.stopped;
        if seen.stopped && self.best.is_some() {
            return;
        }
        let better = self
            .best
            .is_none_or(|(best, _)| if self.mover == 0 { seen.value > best } else { seen.value < best });
        if better {
            self.best = Some((seen.value, number));
        }
    }

    /// Step 3.
    fn end_depth(&mut self) {
        if let Some((value, number)) = self.best.filter(|_| !self.stopped || self.depth == 1) {
            self.found = Found { best: self.joint[number].clone(), value, nodes: 0, exact: !self.cut };
            let best = self.joint.remove(number);
            self.joint.insert(0, best);
        }
        self.is_over =
            self.stopped || self.found.exact || self.depth >= self.budget.depth.unwrap_or(MAX_DEPTH);
        self.depth += 1;
        (self.next, self.merged, self.cut, self.best) = (0, 0, false, None);
        self.shared.forget();
    }
}

impl Searcher for Brothers {
    type Job = Job;

    fn name(&self) -> &'static str {
        "propnet/alphabeta"
    }

    fn window(&self) -> Window {
        Window::for_threads(self.threads)
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        // Step 1: the brothers wait.
        let most = if self.merged == 0 { 1 } else { self.joint.len() };
        while jobs.len() < room && self.next < most && !self.is_over && self.failed.is_none() {
            jobs.push(Job {
                pool: Arc::clone(&self.pool),
                shared: Arc::clone(&self.shared),
                budget: self.budget.clone(),
                state: self.state.clone(),
                number: self.next,
                joint: self.joint[self.next].clone(),
                depth: self.depth,
                bounds: self.bounds(),
                seen: Ok(Seen::default()),
            });
            self.next += 1;
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { pool, shared, budget, state, joint, depth, bounds, seen, .. } = job;
        *seen = pool.with_machine(|machine| {
            machine.set_stop(budget.stop.clone());
            machine.enter(state)?;
            let next = machine.successor(joint)?;
            let mut search = Search { machine, budget, shared, cut: false, stopped: false };
            let value = search.value(&next, *depth - 1, bounds.0, bounds.1)?;
            Ok(Seen { value, cut: search.cut, stopped: search.stopped })
        });
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        match job.seen {
            Ok(seen) => self.merge(job.number, seen),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        if self.failed.is_none() && self.merged == self.joint.len() {
            self.end_depth();
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && (self.is_over || self.failed.is_some())
    }
}
