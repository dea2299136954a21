//! Perft: the number of sequences of joint moves of a given length. A sequence that ends earlier also counts.
//!
//! # Steps
//! 1. [`perft`] counts depth-first. Joint moves follow each other like the numbers of an odometer: the last role's move
//!    changes fastest.
//! 2. [`Perft`] counts the same in jobs of the schedule `Expand`. It opens states breadth-first until there are a few
//!    hundred. Each of them is a job.
//!
//! # Cost
//! One successor state for each sequence of any length up to the given one.

use crate::game::{Game, GameError};
use crate::machine::{MachineError, MoveId, State, StateMachine};
use crate::players::pool::Pool;
use std::collections::VecDeque;
use std::sync::Arc;
use tengen_search::{Searcher, Window};

/// No more states are opened once there are this many.
const ENOUGH: usize = 256;
/// A state with this depth left is not opened.
const SHALLOW: u32 = 2;

/// Step 1. `stop` is asked before every state; a stopped count is partial.
///
/// # Errors
/// The machine's limits.
pub fn perft(
    machine: &mut dyn StateMachine,
    state: &State,
    depth: u32,
    stop: &mut dyn FnMut() -> bool,
) -> Result<u64, MachineError> {
    if stop() {
        return Ok(0);
    }
    machine.enter(state)?;
    if depth == 0 || machine.terminal()? {
        return Ok(1);
    }
    let mut nodes = 0;
    each_successor(machine, state, |machine, next| {
        nodes += perft(machine, &next, depth - 1, stop)?;
        Ok(())
    })?;
    Ok(nodes)
}

/// The states after the joint moves of the state entered, in order; none if a role has no legal move.
fn each_successor(
    machine: &mut dyn StateMachine,
    state: &State,
    mut each: impl FnMut(&mut dyn StateMachine, State) -> Result<(), MachineError>,
) -> Result<(), MachineError> {
    let roles = machine.roles().len();
    let legal = (0..roles).map(|r| machine.legal(r)).collect::<Result<Vec<_>, _>>()?;
    if legal.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut at = vec![0; roles];
    loop {
        let joint: Vec<MoveId> = legal.iter().zip(&at).map(|(moves, &n)| moves[n]).collect();
        machine.enter(state)?;
        let next = machine.successor(&joint)?;
        each(machine, next)?;
        let Some(role) = (0..roles).rev().find(|&r| at[r] + 1 < legal[r].len()) else { return Ok(()) };
        at[role] += 1;
        at[role + 1..].fill(0);
    }
}

/// Step 2.
pub struct Perft {
    pool: Arc<Pool>,
    /// States not yet counted, with the depth left.
    open: VecDeque<(State, u32)>,
    is_cut: bool,
    under_way: usize,
    nodes: u64,
    failed: Option<GameError>,
}

/// A sub-tree to count.
pub struct PerftJob {
    pool: Arc<Pool>,
    state: State,
    depth: u32,
    found: Result<u64, GameError>,
}

impl Perft {
    /// The count from a state of the game's `auto` machines.
    #[must_use]
    pub fn new(game: &Arc<Game>, state: &State, depth: u32) -> Self {
        Self {
            pool: Arc::new(Pool::new(game)),
            open: VecDeque::from([(state.clone(), depth)]),
            is_cut: false,
            under_way: 0,
            nodes: 0,
            failed: None,
        }
    }

    /// The count.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn found(self) -> Result<u64, GameError> {
        self.failed.map_or(Ok(self.nodes), Err)
    }

    /// Opens states until there are enough.
    fn cut(&mut self) -> Result<(), GameError> {
        let Self { pool, open, nodes, .. } = self;
        pool.with_machine(|machine| {
            while open.len() < ENOUGH
                && let Some((state, depth)) = open.pop_front_if(|(_, depth)| *depth > SHALLOW)
            {
                machine.enter(&state)?;
                if machine.terminal()? {
                    *nodes += 1;
                    continue;
                }
                each_successor(machine, &state, |_, next| {
                    open.push_back((next, depth - 1));
                    Ok(())
                })?;
            }
            Ok(())
        })
    }
}

impl Searcher for Perft {
    type Job = PerftJob;

    fn name(&self) -> &'static str {
        "propnet/perft"
    }

    fn window(&self) -> Window {
        Window { jobs: 64, step: 8 }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<PerftJob>) {
        if !std::mem::replace(&mut self.is_cut, true) {
            self.failed = self.cut().err();
        }
        if self.failed.is_some() {
            return;
        }
        let taken = self.open.drain(..room.min(self.open.len()));
        jobs.extend(taken.map(|(state, depth)| PerftJob {
            pool: Arc::clone(&self.pool),
            state,
            depth,
            found: Ok(0),
        }));
        self.under_way += jobs.len();
    }

    fn work(job: &mut PerftJob) {
        let PerftJob { pool, state, depth, found } = job;
        *found = pool.with_machine(|machine| Ok(perft(machine, state, *depth, &mut || false)?));
    }

    fn backup(&mut self, job: PerftJob) {
        self.under_way -= 1;
        match job.found {
            Ok(nodes) => self.nodes += nodes,
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && ((self.is_cut && self.open.is_empty()) || self.failed.is_some())
    }
}
