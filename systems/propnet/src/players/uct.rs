//! UCT (upper confidence bounds applied to trees), for any number of roles that move at once.
//!
//! # Source
//! L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning" (2006); H. Finnsson, Y. Björnsson, "Simulation-based
//! approach to general game playing" (2008), for decoupled selection with simultaneous moves; M. Winands, Y. Björnsson,
//! J.-T. Saito, "Monte-Carlo tree search solver" (2008), for solved positions; B. Childs, J. Brodeur, L. Kocsis,
//! "Transpositions and move groups in Monte Carlo tree search" (2008).
//!
//! # Notation
//! An *arm* is a move of one role in a node, with its visits and its sum of goals (0 to 100).
//!
//! # Steps
//! 1. Select: from the root each role picks the arm with the highest mean + C sqrt(ln N / n), unvisited arms first. The
//!    picked arms get a visit at once (virtual loss), so that the next selection goes elsewhere.
//! 2. The first selection of a joint move computes its state. Equal states share a node.
//! 3. Work: up to [`STATES`] leaves are played out together, 64 games each.
//! 4. Backup: the means go to the arms of the path.
//! 5. A node is solved in three cases. First, it is terminal. Second, only one role has a choice, and has a move to a
//!    solved node with 100. Third, at most one role has a choice, and every joint move leads to a solved node. Solved
//!    moves count by their value and are not searched again.
//!
//! The role `random` of GDL-II draws its arm with the same chance for each. A node where it has the only choice is
//! solved by the mean of its children, once all are solved.
//!
//! # Departures
//! A leaf counts one visit, whatever the number of games that were played from it. The 64 games of one leaf are one
//! better estimate.
//!
//! # Moves of playouts
//! With [`Uct::with_moves_of_playouts`] every move of a playout counts for the nodes of its path as if it had been made
//! there: S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go" (2011).
//! It is used in nodes with many moves of one role. There an arm without a visit has a value, and arms that do badly in
//! playouts need no visit.
//!
//! # Single games
//! With [`Uct::with_single_games`] a leaf has one game of a single state ([`one_game`](crate::propagate::one_game)), not
//! 64 in lanes. A search then makes 4 to 45 times the visits, with fewer games in all. Three things differ:
//! - A selection ends at the first arm without a node. Its game starts after that arm's move, and the arm gets a node
//!   at its fourth visit. A game that is over at once makes the node too.
//! - The moves of playouts that count for a node are those of the path below it too.
//! - The confidence term has the weight of the plain search, because the result of one game has more chance in it.
//!
//! # Threads
//! With one thread the tree grows during selection, in rounds of two jobs. Selection is two thirds of the work, so the
//! tree itself is a job for some rounds at a time ([`TreeJob`]).
//!
//! With more threads ([`Uct::with_threads`]) a job also computes the joint moves of its leaves. So the thread that owns
//! the tree only selects and backs up. Three jobs for each thread are under way. A job is merged when it and all jobs
//! before it are done. Leaves that are not evaluated yet count as visits without gain, so the two modes search
//! different trees. With single games a job has more leaves, because a game is short beside a tick of the schedule.
//!
//! # Invariants
//! The result depends only on the state, the random seed, the visits and the requested number of threads. It does not
//! depend on the threads of the machine, nor on their speed.

mod arm;
mod job;
mod opened;
mod tree;
mod watched;

pub use job::Job;
pub use watched::{Candidate, Played};

use super::pool::Pool;
use super::rollouts::STATES;
use crate::game::{Game, GameError};
use crate::machine::{MoveId, State, StateMachine};
use job::{Leaf, Place};
use opened::Opened;
use std::sync::{Arc, Mutex};
use tengen_core::{Budget, Parallelism, derive_seed};
use tengen_search::{Searcher, TreeJob, Window, run_all};
use tree::{Path, Tree, hash_of};

/// The most nodes of one tree. In a full tree, leaves are evaluated repeatedly instead of expanded.
///
/// Origin: own choice, unmeasured.
const MAX_NODES: usize = 1 << 20;

/// The approximate size limit of one tree in bytes, with the same consequence.
///
/// Origin: own choice, unmeasured.
const MAX_BYTES: usize = 1 << 30;

/// A move's mean counts less by this, over the root of its visits, in the choice of the move.
///
/// Origin: own choice, unmeasured.
const DOUBT: f64 = 30.0;

/// The most nodes that a half full tree keeps: to copy more takes too much of a clock of a second.
///
/// Origin: own choice, unmeasured.
const KEPT_NODES: usize = 1 << 16;

/// With single games the visits that a move of the only role with a choice needs before it gets a node: a node costs as
/// much as some games.
///
/// Origin: measured, `experiments/2026-12-01-single-games.md`, "What was tried".
const VISITS_OF_A_NODE: u32 = 4;

/// With single games and several threads the leaves of a job.
///
/// Origin: measured, `experiments/2026-12-01-ggp-matches.md`, "Two threads".
const LEAVES: usize = 16;

/// The most visits of a search, if the budget gives none.
///
/// Origin: own choice, unmeasured.
const MAX_VISITS: u64 = 1 << 32;

/// The visits of a search between two publications: a search of many threads merges 8 or 16 visits in a tick.
///
/// Origin: definition, how often a search is published has no effect on what it finds.
const VISITS_OF_NEWS: u64 = 256;

/// An arm for a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The move.
    pub id: MoveId,
    /// Its number of picks.
    pub visits: u32,
    /// Its mean goal.
    pub value: f64,
}

/// One search. A [`Searcher`] of the schedule Expand.
pub struct Uct {
    game: Arc<Game>,
    machine: Mutex<Box<dyn StateMachine + Send>>,
    tree: Tree,
    /// Leaves for reuse.
    spare: Vec<Leaf>,
    /// Empty lists of leaves for reuse.
    spare_lists: Vec<Vec<Leaf>>,
    root: u32,
    budget: Budget,
    visits: u64,
    jobs: u64,
    seed: u64,
    pool: Arc<Pool>,
    failed: Option<GameError>,
    threads: usize,
    /// Whether moves of playouts count, see the module's "Moves of playouts".
    all_moves: bool,
    played: Played,
    /// Whether a leaf has one game, see the module's "Single games".
    single: bool,
    /// Whether it was asked to end.
    stopped: bool,
}

/// Runs searches to their ends on the schedule Expand; they come back in order.
#[must_use]
pub fn run(searches: Vec<Uct>, parallelism: Parallelism) -> Vec<Uct> {
    if searches.iter().any(|search| search.threads > 1) {
        return run_all(searches, parallelism);
    }
    let done = run_all(searches.into_iter().map(TreeJob::new).collect(), parallelism);
    done.into_iter().filter_map(TreeJob::found).collect()
}

impl Uct {
    /// A search from a state.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn new(game: &Arc<Game>, state: &State, seed: u64, budget: Budget) -> Result<Self, GameError> {
        Self::sharing(game, Arc::new(Pool::new(game)), state, seed, budget)
    }

    /// The same with the idle machines of other searches of the game.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub(super) fn sharing(
        game: &Arc<Game>,
        pool: Arc<Pool>,
        state: &State,
        seed: u64,
        budget: Budget,
    ) -> Result<Self, GameError> {
        let mut machine = game.machine("auto")?;
        machine.set_stop(budget.stop.clone());
        let mut uct = Self {
            game: Arc::clone(game),
            machine: Mutex::new(machine),
            tree: Tree::new(game.program.roles().len(), game.program.chance()),
            spare: Vec::new(),
            spare_lists: Vec::new(),
            root: 0,
            budget,
            visits: 0,
            jobs: 0,
            seed,
            pool,
            failed: None,
            threads: 1,
            all_moves: false,
            played: Played::default(),
            single: false,
            stopped: false,
        };
        uct.root = uct.node(state.clone())?;
        Ok(uct)
    }

    /// Makes a state the root and keeps the tree below it; `false` if the tree does not contain the state. A tree that
    /// is half full lets go of what can't be reached any more.
    pub fn move_root(&mut self, state: &State) -> bool {
        let Some(node) = self.tree.find(state, hash_of(state)) else { return false };
        (self.root, self.visits) = (node, 0);
        if self.tree.len() >= MAX_NODES / 2 || self.tree.bytes() >= MAX_BYTES / 2 {
            let each = self.tree.bytes() / self.tree.len().max(1);
            let most = KEPT_NODES.min(MAX_BYTES / 4 / each.max(1));
            (self.tree, self.root) = (self.tree.below(node, most), 0);
        }
        true
    }

    /// Sets the budget of the search from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.machine
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .set_stop(budget.stop.clone());
        self.budget = budget;
        (self.visits, self.played, self.stopped) = (0, Played::default(), false);
        // A search that was told to stop can go on.
        self.failed = self.failed.take().filter(|error| !error.is_stopped());
    }

    /// The same search for this many threads: see the module's "Threads".
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.set_threads(threads);
        self
    }

    /// The same search with the moves of playouts, see the module's "Moves of playouts". It must be new.
    #[must_use]
    pub fn with_moves_of_playouts(mut self) -> Self {
        self.all_moves = self.game.topology.is_ok();
        self.tree.count_all_moves(self.all_moves);
        self
    }

    /// The same search with one game for each leaf, see the module's "Single games". It must be new. A game without a
    /// net keeps its playouts.
    #[must_use]
    pub fn with_single_games(mut self) -> Self {
        self.single = self.game.topology.is_ok();
        self.tree.count_single_games(self.single);
        self
    }

    /// Continues with this many threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The visits of the budget.
    #[must_use]
    pub fn visits_asked(&self) -> u64 {
        self.budget.visits.unwrap_or(MAX_VISITS)
    }

    /// Visits since the budget was set.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// Nodes of the tree.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// The goals with best play, if the root is solved.
    #[must_use]
    pub fn solved(&self) -> Option<&[f64]> {
        self.tree.solved(self.root)
    }

    /// The limit or error that stopped the search early, if there was one.
    #[must_use]
    pub fn failure(&self) -> Option<&GameError> {
        self.failed.as_ref()
    }

    /// The moves of a role at the root, in the order of their numbers.
    #[must_use]
    pub fn lines(&self, role: usize) -> Vec<Line> {
        self.candidates(role).map(|candidate| candidate.line).collect()
    }

    /// The best move of a role at the root: by its proven value, or by a lower bound of its mean. The bound discounts
    /// moves with few visits.
    #[must_use]
    pub fn best(&self, role: usize) -> Option<Line> {
        let found: Vec<Candidate<'_>> = self.candidates(role).collect();
        let trust = |n: usize| {
            let Candidate { line, is_proven, .. } = &found[n];
            if *is_proven { line.value } else { line.value - DOUBT / f64::from(line.visits + 1).sqrt() }
        };
        let visits = |n: usize| found[n].line.visits;
        let best = (0..found.len())
            .rev()
            .max_by(|&a, &b| trust(a).total_cmp(&trust(b)).then(visits(a).cmp(&visits(b))));
        best.map(|n| found[n].line)
    }

    /// The node of a state, made if there is none.
    fn node(&mut self, state: State) -> Result<u32, GameError> {
        let hash = hash_of(&state);
        if let Some(known) = self.tree.find(&state, hash) {
            return Ok(known);
        }
        let machine = self.machine.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let opened = Opened::of(machine.as_mut(), Arc::new(state), hash)?;
        Ok(self.tree.insert(opened))
    }

    /// Whether the tree is full.
    fn is_full(&self) -> bool {
        self.tree.len() >= MAX_NODES || self.tree.bytes() >= MAX_BYTES
    }

    /// Steps 1 and 2: a path down, and its leaf.
    fn descend(&mut self) -> Result<Leaf, GameError> {
        let mut leaf = self.spare.pop().unwrap_or_default();
        let mut at = self.root;
        while self.tree.solved(at).is_none() {
            let Some(child) = self.tree.step(at, &mut leaf.path) else {
                self.leaf_below(&mut leaf, at)?;
                return Ok(leaf);
            };
            at = child;
            // A cycle of states through transpositions would never end.
            if leaf.path.len() > super::MAX_PLAYOUT {
                leaf.at = Place::State(Arc::clone(self.tree.state(at)));
                return Ok(leaf);
            }
        }
        self.leaf_at(&mut leaf, at);
        Ok(leaf)
    }

    /// Makes this node the leaf; a solved node gives its goals.
    fn leaf_at(&self, leaf: &mut Leaf, node: u32) {
        leaf.node = Some(node);
        match self.tree.solved(node) {
            Some(goals) => leaf.values.extend_from_slice(goals),
            None => leaf.at = Place::State(Arc::clone(self.tree.state(node))),
        }
    }

    /// Step 2: the leaf after the last pick of its path, from a node that has no child there.
    fn leaf_below(&mut self, leaf: &mut Leaf, at: u32) -> Result<(), GameError> {
        self.tree.joint_move(&leaf.path, &mut leaf.joint);
        if self.single && (self.is_full() || self.tree.last_visits(&leaf.path) < VISITS_OF_A_NODE) {
            leaf.at = Place::After(Arc::clone(self.tree.state(at)));
            return Ok(());
        }
        if self.threads > 1 {
            leaf.at = Place::Move(Arc::clone(self.tree.state(at)));
            return Ok(());
        }
        let machine = self.machine.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        machine.enter(self.tree.state(at))?;
        let next = machine.successor(&leaf.joint)?;
        if self.is_full() {
            leaf.at = Place::State(Arc::new(next));
            return Ok(());
        }
        let child = self.node(next)?;
        self.tree.set_child(&leaf.path, child);
        self.leaf_at(leaf, child);
        Ok(())
    }

    /// Returns a merged leaf for reuse.
    fn lay_by(&mut self, mut leaf: Leaf) {
        leaf.path.clear();
        leaf.values.clear();
        leaf.moves = Vec::new();
        leaf.one.made.clear();
        (leaf.at, leaf.node) = (Place::Nowhere, None);
        self.spare.push(leaf);
    }

    fn spent(&self) -> bool {
        self.visits >= self.budget.visits.unwrap_or(MAX_VISITS)
            || self.budget.nodes.is_some_and(|n| self.tree.len() as u64 >= n)
            || (self.visits > 0 && (self.stopped || self.budget.stop.now()))
    }
}

impl Searcher for Uct {
    type Job = Job;

    fn name(&self) -> &'static str {
        "propnet/uct"
    }

    fn window(&self) -> Window {
        match self.threads {
            1 if self.single => Window::rounds(1),
            1 => Window::rounds(2),
            threads => Window::for_threads(threads),
        }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        for _ in 0..room {
            if self.finished() {
                return;
            }
            let most = match (self.single, self.threads) {
                (true, 1) => 1,
                (true, _) => LEAVES,
                _ => STATES,
            };
            let left = self.budget.visits.map_or(most as u64, |v| v - self.visits.min(v)).max(1);
            let mut leaves = self.spare_lists.pop().unwrap_or_else(|| Vec::with_capacity(most));
            for _ in 0..left.min(most as u64) {
                match self.descend() {
                    Ok(leaf) => leaves.push(leaf),
                    Err(error) => {
                        self.failed = Some(error);
                        return;
                    }
                }
                self.visits += 1;
            }
            self.jobs += 1;
            let seed = derive_seed(self.seed, &[self.jobs]);
            let (pool, stop) = (Arc::clone(&self.pool), self.budget.stop.clone());
            let (all_moves, single, played) = (self.all_moves, self.single, Played::default());
            jobs.push(Job { leaves, seed, pool, failed: None, stop, all_moves, single, played });
        }
    }

    fn work(job: &mut Job) {
        job.work();
    }

    fn backup(&mut self, mut job: Job) {
        if job.failed.is_some() {
            self.failed = job.failed;
            return;
        }
        self.played.merge(&job.played);
        for mut leaf in job.leaves.drain(..) {
            let node = self.grow(leaf.node, std::mem::take(&mut leaf.at), &leaf.path);
            self.tree.add(&leaf.path, &leaf.values);
            if self.all_moves && !leaf.one.made.is_empty() {
                self.tree.add_game(&leaf.path, node, &leaf.one.made, &leaf.values);
            }
            if !leaf.moves.is_empty() {
                self.tree.add_moves(&leaf.path, node, &leaf.moves);
            }
            if node.is_some_and(|node| self.tree.solved(node).is_some()) {
                self.tree.prove(&leaf.path);
            }
            self.lay_by(leaf);
        }
        self.spare_lists.push(job.leaves);
    }

    fn finished(&self) -> bool {
        self.failed.is_some() || self.solved().is_some() || self.spent()
    }

    fn news(&self) -> u64 {
        self.visits / VISITS_OF_NEWS
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}

impl Uct {
    /// Step 2 after a job: the leaf's node, unless another leaf has made it meanwhile.
    fn grow(&mut self, node: Option<u32>, at: Place, path: &Path) -> Option<u32> {
        let Place::Opened(opened) = at else { return node };
        let known = self.tree.find(&opened.state, opened.hash);
        if known.is_none() && self.is_full() {
            return node;
        }
        let child = known.unwrap_or_else(|| self.tree.insert(opened));
        self.tree.set_child(path, child);
        Some(child)
    }
}
