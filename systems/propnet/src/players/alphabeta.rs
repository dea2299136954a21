//! Alpha-beta for games of two roles that take turns. The value is the goal of the first role.
//!
//! # Source
//! D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975). The search is fail-soft, with a table of exact
//! values and bounds, and with iterative deepening.
//!
//! R. Feldmann, "Game Tree Search on Massively Parallel Systems" (1993), for the rule that young brothers wait. By this
//! rule the other moves of a node wait for the value of its first move.
//!
//! # Departures
//! A position at the horizon has the value 50, because the rules give no value to unfinished games.
//!
//! # Threads
//! [`search`] is one job. With many threads ([`threads`]) each depth searches the root's first move alone. Then its
//! brothers follow as jobs, with the bounds known by then. All jobs share the table. The value of a depth is uniquely
//! determined, so the move and its value are those of one thread at that depth. The visited positions differ, because
//! the content of the table depends on timing.

pub mod threads;

use crate::game::GameError;
use crate::machine::{MoveId, State, StateMachine};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tengen_core::Budget;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// A best move for each role.
    pub best: Vec<MoveId>,
    /// The goal of the first role with best play, within the searched depth.
    pub value: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Whether no line was cut at the horizon.
    pub exact: bool,
}

/// Whether a game has two roles and only one of them has a choice in the initial state.
///
/// # Errors
/// The machine's limits.
pub fn fits(machine: &mut dyn StateMachine) -> Result<bool, GameError> {
    if machine.roles().len() != 2 || machine.roles().iter().any(|role| role == "random") {
        return Ok(false);
    }
    let initial = machine.initial();
    machine.enter(&initial)?;
    Ok(machine.legal(0)?.len() == 1 || machine.legal(1)?.len() == 1)
}

/// The approximate size limit of the table in bytes. A full table keeps nothing new.
///
/// Origin: own choice, unmeasured.
const MAX_BYTES: usize = 512 << 20;

/// The number of parts of a table, so that threads seldom wait for each other.
///
/// Origin: own choice, unmeasured.
const PARTS: usize = 64;

/// Depth searched, value, and whether it is a lower (-1) or upper (1) bound or exact (0).
type Entry = (u32, f64, i8);

/// The data that the jobs of one search share.
struct Shared {
    table: Vec<Mutex<FxHashMap<State, Entry>>>,
    /// About the memory of the table.
    bytes: AtomicUsize,
    nodes: AtomicU64,
}

impl Shared {
    fn new() -> Self {
        let table = (0..PARTS).map(|_| Mutex::default()).collect();
        Self { table, bytes: AtomicUsize::new(0), nodes: AtomicU64::new(0) }
    }

    fn part(&self, state: &State) -> MutexGuard<'_, FxHashMap<State, Entry>> {
        // The upper bits: a map uses the lower ones.
        let part = (FxBuildHasher.hash_one(state) >> 32) as usize % PARTS;
        self.table[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look_up(&self, state: &State) -> Option<Entry> {
        self.part(state).get(state).copied()
    }

    fn keep(&self, state: &State, entry: Entry) {
        if self.bytes.load(Ordering::Relaxed) < MAX_BYTES {
            self.bytes.fetch_add(state.bytes() + 64, Ordering::Relaxed);
            self.part(state).insert(state.clone(), entry);
        }
    }

    fn forget(&self) {
        self.table.iter().for_each(|part| part.lock().unwrap_or_else(PoisonError::into_inner).clear());
        self.bytes.store(0, Ordering::Relaxed);
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

struct Search<'a> {
    machine: &'a mut dyn StateMachine,
    budget: &'a Budget,
    shared: &'a Shared,
    cut: bool,
    stopped: bool,
}

/// The deepest iteration, if the caller gives none.
///
/// Origin: own choice, unmeasured.
const MAX_DEPTH: u32 = 400;

/// Deepens until the whole game is searched or the budget is spent.
///
/// # Errors
/// The machine's limits.
pub fn search(machine: &mut dyn StateMachine, state: &State, budget: &Budget) -> Result<Found, GameError> {
    let mut found = nothing_yet(machine, state)?;
    let shared = Shared::new();
    let mut search = Search { machine, budget, shared: &shared, cut: false, stopped: false };
    for depth in 1..=budget.depth.unwrap_or(MAX_DEPTH) {
        search.cut = false;
        shared.forget();
        let (value, best) = match search.root(state, depth, &found.best) {
            Err(error) if error.is_stopped() => break,
            seen => seen?,
        };
        if search.stopped && depth > 1 {
            break;
        }
        found = Found { best, value, nodes: shared.nodes(), exact: !search.cut };
        if found.exact || search.stopped {
            break;
        }
    }
    found.nodes = shared.nodes();
    Ok(found)
}

/// The first legal moves, with unknown value.
fn nothing_yet(machine: &mut dyn StateMachine, state: &State) -> Result<Found, GameError> {
    machine.enter(state)?;
    let best = (0..2)
        .map(|r| Ok(machine.legal(r)?.first().copied().unwrap_or(0)))
        .collect::<Result<_, GameError>>()?;
    Ok(Found { best, value: 50.0, nodes: 0, exact: false })
}

/// A position's moves, or its value if the game is over.
enum Position {
    Over(f64),
    Moves(usize, Vec<Vec<MoveId>>),
}

impl Search<'_> {
    fn look(&mut self, state: &State) -> Result<Position, GameError> {
        self.shared.nodes.fetch_add(1, Ordering::Relaxed);
        self.machine.enter(state)?;
        let legal: Vec<Vec<MoveId>> = (0..2).map(|r| self.machine.legal(r)).collect::<Result<_, _>>()?;
        if self.machine.terminal()? || legal.iter().any(Vec::is_empty) {
            return Ok(Position::Over(super::rollouts::goal(self.machine, 0).unwrap_or(50.0)));
        }
        // Where both have a choice after all, the first is taken to move before the second.
        let mover = usize::from(legal[1].len() > 1);
        let joint = legal[mover]
            .iter()
            .map(|&m| if mover == 0 { vec![m, legal[1][0]] } else { vec![legal[0][0], m] })
            .collect();
        Ok(Position::Moves(mover, joint))
    }

    fn root(
        &mut self,
        state: &State,
        depth: u32,
        before: &[MoveId],
    ) -> Result<(f64, Vec<MoveId>), GameError> {
        let (mover, mut joint) = match self.look(state)? {
            Position::Over(value) => return Ok((value, before.to_vec())),
            Position::Moves(mover, joint) => (mover, joint),
        };
        // The best move of the last depth first.
        joint.sort_by_key(|j| j != before);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut best: Option<(f64, Vec<MoveId>)> = None;
        for j in joint {
            self.machine.enter(state)?;
            let next = self.machine.successor(&j)?;
            let value = self.value(&next, depth - 1, low, high)?;
            if self.stopped && best.is_some() {
                break;
            }
            let better = best.as_ref().is_none_or(|(b, _)| if mover == 0 { value > *b } else { value < *b });
            if better {
                best = Some((value, j));
                if mover == 0 {
                    low = low.max(value);
                } else {
                    high = high.min(value);
                }
            }
        }
        Ok(best.unwrap_or_else(|| (50.0, before.to_vec())))
    }

    fn value(&mut self, state: &State, depth: u32, mut low: f64, mut high: f64) -> Result<f64, GameError> {
        let nodes = self.shared.nodes();
        let spent = self.budget.nodes.is_some_and(|n| nodes >= n)
            || self.budget.visits.is_some_and(|n| nodes >= n)
            || (nodes & 63 == 0 && self.budget.stop.now());
        self.stopped |= spent;
        if let Some((seen, value, bound)) = self.shared.look_up(state)
            && seen == depth
            && (bound == 0 || (bound < 0 && value >= high) || (bound > 0 && value <= low))
        {
            return Ok(value);
        }
        let (mover, joint) = match self.look(state)? {
            Position::Over(value) => return Ok(value),
            Position::Moves(mover, joint) => (mover, joint),
        };
        if depth == 0 || self.stopped {
            self.cut = true;
            return Ok(50.0);
        }
        let (start_low, start_high) = (low, high);
        let mut best = if mover == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
        for j in joint {
            self.machine.enter(state)?;
            let next = self.machine.successor(&j)?;
            let value = self.value(&next, depth - 1, low, high)?;
            if mover == 0 {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high || best == if mover == 0 { 100.0 } else { 0.0 } {
                break;
            }
        }
        if !self.stopped {
            let bound = if best >= start_high { -1 } else { i8::from(best <= start_low) };
            self.shared.keep(state, (depth, best, bound));
        }
        Ok(best)
    }
}
