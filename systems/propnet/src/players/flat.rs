//! Flat Monte Carlo: every move gets the same share of playouts. The other roles' first moves are random.
//!
//! # Steps
//! 1. Select: for each move, draw the next state with random moves of the other roles, and then the random seed of the
//!    playouts. Both are drawn in this order, so that the result does not depend on the thread that plays the states
//!    out.
//! 2. Work: a few states are played out, 64 games each.
//! 3. Backup: the means are added up. The move with the best mean is played. Of equal moves the first one is played.
//!
//! # Invariants
//! With visits as the budget, the result depends on the state and the random seed alone.

use super::GameError;
use super::pool::Pool;
use crate::machine::{MoveId, State, StateMachine};
use std::sync::Arc;
use tengen_core::{Budget, SplitMix64, Stop};
use tengen_search::{Searcher, Window};

/// The number of states that a job plays out. Together they take long compared with the overhead of a job.
///
/// Origin: own choice, unmeasured.
const OF_JOB: usize = 4;

/// A search.
pub(super) struct Flat {
    pool: Arc<Pool>,
    state: State,
    role: usize,
    legal: Vec<MoveId>,
    budget: Budget,
    rng: SplitMix64,
    threads: usize,
    asked: u64,
    spent: u64,
    /// For each move the sum of its means, and their number.
    sums: Vec<(f64, u64)>,
    is_over: bool,
    under_way: usize,
    failed: Option<GameError>,
}

/// A state after one of the moves.
struct Try {
    number: usize,
    state: State,
    seed: u64,
    /// Whether it is the first state, which is played out even if there is no time.
    is_first: bool,
    mean: Option<f64>,
}

/// A few states to play out.
pub(super) struct Job {
    pool: Arc<Pool>,
    role: usize,
    stop: Stop,
    tries: Vec<Try>,
    failed: Option<GameError>,
}

impl Flat {
    /// A search among the legal moves of a role, given in the order of preference.
    pub(super) fn new(
        pool: &Arc<Pool>,
        state: &State,
        (role, legal): (usize, Vec<MoveId>),
        seed: u64,
        budget: Budget,
        threads: usize,
    ) -> Self {
        Self {
            pool: Arc::clone(pool),
            state: state.clone(),
            role,
            sums: vec![(0.0, 0); legal.len()],
            legal,
            budget,
            rng: SplitMix64::new(seed),
            threads,
            asked: 0,
            spent: 0,
            is_over: false,
            under_way: 0,
            failed: None,
        }
    }

    /// The mean of each move, and the number of states played out.
    ///
    /// # Errors
    /// The machine's limits.
    pub(super) fn means(self) -> Result<(Vec<f64>, u64), GameError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let mean = |&(sum, count): &(f64, u64)| if count == 0 { 0.0 } else { sum / count as f64 };
        Ok((self.sums.iter().map(mean).collect(), self.spent))
    }

    /// The best move with its mean, and the number of states played out.
    ///
    /// # Errors
    /// The machine's limits.
    pub(super) fn best(self) -> Result<(MoveId, f64, u64), GameError> {
        let legal = self.legal.clone();
        let (means, spent) = self.means()?;
        let best = (0..legal.len()).rev().max_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap_or(0);
        Ok((legal[best], means[best], spent))
    }

    /// Step 1: up to [`OF_JOB`] states.
    fn draw(&mut self) -> Result<Vec<Try>, GameError> {
        let Self { pool, state, role, legal, budget, rng, asked, is_over, .. } = self;
        pool.with_machine(|machine| {
            machine.set_stop(budget.stop.clone());
            let mut tries = Vec::with_capacity(OF_JOB);
            while tries.len() < OF_JOB {
                let is_first = *asked == 0;
                *is_over = !is_first && (budget.stop.now() || budget.visits.is_some_and(|v| *asked >= v));
                if *is_over {
                    break;
                }
                let number = (*asked % legal.len() as u64) as usize;
                let state = match with_random_others(machine, state, (*role, legal[number]), rng) {
                    Err(error) if error.is_stopped() => {
                        *is_over = true;
                        break;
                    }
                    state => state?,
                };
                tries.push(Try { number, state, seed: rng.next_u64(), is_first, mean: None });
                *asked += 1;
            }
            Ok(tries)
        })
    }
}

/// The state after a move of a role and random moves of the others.
fn with_random_others(
    machine: &mut dyn StateMachine,
    state: &State,
    (mover, id): (usize, MoveId),
    rng: &mut SplitMix64,
) -> Result<State, GameError> {
    machine.enter(state)?;
    let mut joint = Vec::new();
    for role in 0..machine.roles().len() {
        let moves = machine.legal(role)?;
        let any = rng.below(moves.len().max(1) as u32) as usize;
        joint.push(if role == mover { id } else { moves.get(any).copied().unwrap_or(0) });
    }
    Ok(machine.successor(&joint)?)
}

impl Searcher for Flat {
    type Job = Job;

    fn name(&self) -> &'static str {
        "propnet/montecarlo"
    }

    fn window(&self) -> Window {
        Window::for_threads(self.threads)
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        while jobs.len() < room && !self.is_over && self.failed.is_none() {
            match self.draw() {
                Ok(tries) if tries.is_empty() => {}
                Ok(tries) => jobs.push(Job {
                    pool: Arc::clone(&self.pool),
                    role: self.role,
                    stop: self.budget.stop.clone(),
                    tries,
                    failed: None,
                }),
                Err(error) => self.failed = Some(error),
            }
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { pool, role, stop, tries, failed } = job;
        let played = pool.with_rollouts(stop, |rollouts| {
            for open in tries.iter_mut().filter(|open| open.is_first || !stop.now()) {
                let values = rollouts.values(std::slice::from_ref(&open.state), open.seed)?;
                open.mean = Some(values[0][*role]);
            }
            Ok(())
        });
        *failed = played.err();
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        self.failed = self.failed.take().or(job.failed);
        for (number, mean) in job.tries.into_iter().filter_map(|t| Some((t.number, t.mean?))) {
            self.sums[number].0 += mean;
            self.sums[number].1 += 1;
            self.spent += 1;
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && (self.is_over || self.failed.is_some())
    }
}
