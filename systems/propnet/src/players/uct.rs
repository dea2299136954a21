//! Upper confidence bounds applied to trees, for any number of roles that move at once.
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
//! 1. Select: from the root each role picks the arm with the highest mean + C sqrt(ln N / n), an unvisited one first;
//!    the arms picked get a visit at once (virtual loss), so that the next selection goes elsewhere;
//! 2. a joint move never made before is made; equal states share a node;
//! 3. Work: up to [`STATES`] leaves are played out together, 64 games each;
//! 4. Backup: the means go to the arms of the path;
//! 5. a node is solved when it is terminal, when the one role that has a choice has a move to a solved node with 100,
//!    or when every joint move leads to a solved node and at most one role has a choice; solved moves are weighed by
//!    their value and not searched again.
//!
//! # Departures
//! A leaf counts one visit however many games were played from it: 64 games of one leaf are one better estimate.
//!
//! # Threads
//! With one thread the tree grows while nodes are selected, in rounds of two jobs; that is two thirds of the work, so the tree
//! goes to a thread for some rounds at a time ([`Carried`]). With more ([`Uct::with_threads`]) a job also makes the joint moves of its leaves, so that the tree's owner only walks and adds; three jobs a thread are
//! under way, and each is merged when it and all before it are done. Leaves under way count as visits that brought
//! nothing, so the two search different trees.
//!
//! # Invariants
//! The result depends on the state, the seed, the visits and the number of threads asked for alone: not on the threads
//! there are, nor on their speed.

use super::pool::Pool;
use super::rollouts::{STATES, goal};
use crate::game::{Game, GameError};
use crate::machine::{MoveId, State, StateMachine};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};
use tengen_core::{Budget, Parallelism, Stop, derive_seed};
use tengen_search::{Carried, Searcher, Window, run_all};

/// The weight of the confidence term, for goals from 0 to 100.
const EXPLORATION: f64 = 40.0;

/// Most nodes of one tree; past them leaves are evaluated again and again.
const MAX_NODES: usize = 1 << 20;

/// About the most bytes of one tree, with the same consequence.
const MAX_BYTES: usize = 1 << 30;

/// Most visits of a search for which none are given.
const MAX_VISITS: u64 = 1 << 32;

#[derive(Clone, Debug)]
struct Arm {
    id: MoveId,
    visits: u32,
    sum: f64,
}

#[derive(Clone, Debug)]
struct Node {
    state: State,
    /// Per role its arms.
    roles: Vec<Vec<Arm>>,
    /// The one role with a choice, if exactly one has.
    mover: Option<usize>,
    choices: usize,
    children: FxHashMap<Box<[u16]>, u32>,
    visits: u32,
    /// The goals with best play, once proven.
    solved: Option<Arc<[f64]>>,
    /// Solved children that were counted.
    closed: usize,
}

/// An arm for a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The move.
    pub id: MoveId,
    /// How often it was picked.
    pub visits: u32,
    /// Its mean goal.
    pub value: f64,
}

/// One search. A [`Searcher`] of the schedule Expand.
pub struct Uct {
    game: Arc<Game>,
    machine: Mutex<Box<dyn StateMachine + Send>>,
    nodes: Vec<Node>,
    table: FxHashMap<State, u32>,
    /// About the memory of nodes and table.
    bytes: usize,
    root: u32,
    budget: Budget,
    visits: u64,
    jobs: u64,
    seed: u64,
    pool: Arc<Pool>,
    failed: Option<GameError>,
    threads: usize,
}

/// What making a node takes of the rules.
struct Opened {
    state: State,
    /// Per role the legal moves; none where the game is over.
    legal: Vec<Vec<MoveId>>,
    /// The goals, where the game is over or can't go on.
    goals: Option<Arc<[f64]>>,
}

impl Opened {
    fn of(machine: &mut dyn StateMachine, state: &State) -> Result<Self, GameError> {
        machine.enter(state)?;
        let count = machine.roles().len();
        let terminal = machine.terminal()?;
        let legal: Vec<Vec<MoveId>> = if terminal {
            Vec::new()
        } else {
            (0..count).map(|r| machine.legal(r)).collect::<Result<_, _>>()?
        };
        let stuck = legal.iter().any(Vec::is_empty);
        let goals =
            (terminal || stuck).then(|| (0..count).map(|r| goal(machine, r).unwrap_or(0.0)).collect());
        Ok(Self { state: state.clone(), legal, goals })
    }
}

/// Leaves to play out together.
pub struct Job {
    leaves: Vec<Leaf>,
    seed: u64,
    pool: Arc<Pool>,
    failed: Option<GameError>,
    stop: Stop,
}

struct Leaf {
    /// Node and the arm each role picked, from the root on.
    path: Vec<(u32, Box<[u16]>)>,
    state: State,
    node: Option<u32>,
    values: Vec<f64>,
    /// The joint move that leads out of `state` to the leaf, where the job makes it.
    joint: Option<Vec<MoveId>>,
    opened: Option<Opened>,
}

impl Leaf {
    fn new(path: Vec<(u32, Box<[u16]>)>, state: State) -> Self {
        Self { path, state, node: None, values: Vec::new(), joint: None, opened: None }
    }
}

/// Runs searches to their ends on the schedule Expand; they come back in order.
#[must_use]
pub fn run(searches: Vec<Uct>, parallelism: Parallelism) -> Vec<Uct> {
    if searches.iter().any(|search| search.threads > 1) {
        return run_all(searches, parallelism);
    }
    let done = run_all(searches.into_iter().map(Carried::new).collect(), parallelism);
    done.into_iter().filter_map(Carried::found).collect()
}

impl Uct {
    /// A search from a state.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn new(game: &Arc<Game>, state: &State, seed: u64, budget: Budget) -> Result<Self, GameError> {
        let mut machine = game.machine("auto")?;
        machine.set_stop(budget.stop.clone());
        let mut uct = Self {
            game: Arc::clone(game),
            machine: Mutex::new(machine),
            nodes: Vec::new(),
            table: FxHashMap::default(),
            bytes: 0,
            root: 0,
            budget,
            visits: 0,
            jobs: 0,
            seed,
            pool: Arc::new(Pool::new(game)),
            failed: None,
            threads: 1,
        };
        uct.root = uct.node(state)?;
        Ok(uct)
    }

    /// Makes a state the root, keeping what is known below it; `false` if nothing is.
    pub fn move_root(&mut self, state: &State) -> bool {
        match self.table.get(state) {
            Some(&node) if self.nodes.len() < MAX_NODES / 2 && self.bytes < MAX_BYTES / 2 => {
                self.root = node;
                self.visits = 0;
                true
            }
            _ => false,
        }
    }

    /// What the search may spend from now on.
    pub fn set_budget(&mut self, budget: Budget) {
        self.machine
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .set_stop(budget.stop.clone());
        self.budget = budget;
        self.visits = 0;
        // A search that was told to stop can go on.
        self.failed = self.failed.take().filter(|error| !error.is_stopped());
    }

    /// The same search for so many threads: see the module's "Threads".
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.set_threads(threads);
        self
    }

    /// Goes on for so many threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// For how many threads it goes.
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
        self.nodes.len()
    }

    /// The goals with best play, if the root is solved.
    #[must_use]
    pub fn solved(&self) -> Option<&[f64]> {
        self.nodes[self.root as usize].solved.as_deref()
    }

    /// What stopped the search early, if something did.
    #[must_use]
    pub fn failure(&self) -> Option<&GameError> {
        self.failed.as_ref()
    }

    /// The moves of a role at the root, in the order of their numbers.
    #[must_use]
    pub fn lines(&self, role: usize) -> Vec<Line> {
        let node = &self.nodes[self.root as usize];
        let arms = node.roles.get(role).map_or(&[][..], |a| a);
        let line = |(n, a): (usize, &Arm)| Line {
            id: a.id,
            visits: a.visits,
            value: self.solved_value(node, role, n).unwrap_or(if a.visits == 0 {
                0.0
            } else {
                a.sum / f64::from(a.visits)
            }),
        };
        arms.iter().enumerate().map(line).collect()
    }

    /// The best move of a role at the root: by its proven value, or by a lower bound of its mean, so that few visits
    /// earn little trust.
    #[must_use]
    pub fn best(&self, role: usize) -> Option<Line> {
        let node = &self.nodes[self.root as usize];
        let lines = self.lines(role);
        let trust = |n: usize| {
            let line: &Line = &lines[n];
            let bound = line.value - 30.0 / f64::from(line.visits + 1).sqrt();
            self.solved_value(node, role, n).unwrap_or(bound)
        };
        let best = (0..lines.len())
            .rev()
            .max_by(|&a, &b| trust(a).total_cmp(&trust(b)).then(lines[a].visits.cmp(&lines[b].visits)));
        best.map(|n| lines[n])
    }

    /// The proven goal of a role after an arm of the only role with a choice.
    fn solved_value(&self, node: &Node, role: usize, arm: usize) -> Option<f64> {
        let mover = node.mover?;
        if mover != role {
            return None;
        }
        let key: Box<[u16]> =
            (0..node.roles.len()).map(|r| if r == mover { arm as u16 } else { 0 }).collect();
        let child = *node.children.get(&key)?;
        self.nodes[child as usize].solved.as_ref().map(|goals| goals[role])
    }

    /// The node of a state, made if there is none.
    fn node(&mut self, state: &State) -> Result<u32, GameError> {
        if let Some(&known) = self.table.get(state) {
            return Ok(known);
        }
        let machine = self.machine.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let opened = Opened::of(machine.as_mut(), state)?;
        Ok(self.insert(opened))
    }

    /// The node of a state that is known to have none.
    fn insert(&mut self, opened: Opened) -> u32 {
        let Opened { state, legal, goals: solved } = opened;
        let arms = |ids: Vec<MoveId>| ids.into_iter().map(|id| Arm { id, visits: 0, sum: 0.0 }).collect();
        let roles: Vec<Vec<Arm>> = legal.into_iter().map(arms).collect();
        let with_choice: Vec<usize> = (0..roles.len()).filter(|&r| roles[r].len() > 1).collect();
        let mover = match with_choice[..] {
            [] => Some(0),
            [one] => Some(one),
            _ => None,
        };
        let arms: usize = roles.iter().map(Vec::len).sum();
        self.bytes += 2 * state.bytes() + arms * size_of::<Arm>() + 2 * size_of::<Node>();
        let choices = roles.iter().map(Vec::len).fold(1, usize::saturating_mul);
        let id = u32::try_from(self.nodes.len()).expect("the limit of nodes is below 2^32");
        self.nodes.push(Node {
            state: state.clone(),
            roles,
            mover,
            choices,
            children: FxHashMap::default(),
            visits: 0,
            solved,
            closed: 0,
        });
        self.table.insert(state, id);
        id
    }

    /// Step 1 in one node: the arm of each role.
    fn pick(&self, node: &Node) -> Box<[u16]> {
        let log = f64::from(node.visits.max(1)).ln();
        (0..node.roles.len())
            .map(|role| {
                let arms = &node.roles[role];
                let score = |n: usize| {
                    let arm = &arms[n];
                    if let Some(value) = self.solved_value(node, role, n) {
                        // Nothing is to be learnt there; it is taken only when all are solved.
                        return value - 1000.0;
                    }
                    if arm.visits == 0 {
                        return 1000.0;
                    }
                    let visits = f64::from(arm.visits);
                    arm.sum / visits + EXPLORATION * (log / visits).sqrt()
                };
                let best = (0..arms.len()).rev().max_by(|&a, &b| score(a).total_cmp(&score(b)));
                best.unwrap_or(0) as u16
            })
            .collect()
    }

    /// Steps 1 and 2: a way down, and the leaf it ends in.
    fn descend(&mut self) -> Result<Leaf, GameError> {
        let mut path = Vec::new();
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            if let Some(goals) = &node.solved {
                let values = goals.to_vec();
                return Ok(Leaf { node: Some(at), values, ..Leaf::new(path, node.state.clone()) });
            }
            let picked = self.pick(node);
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            for (arms, &n) in node.roles.iter_mut().zip(&picked) {
                arms[n as usize].visits += 1;
            }
            path.push((at, picked.clone()));
            if let Some(&child) = node.children.get(&picked) {
                at = child;
                // A cycle of states through transpositions would never end.
                if path.len() > super::MAX_PLAYOUT {
                    let state = self.nodes[at as usize].state.clone();
                    return Ok(Leaf::new(path, state));
                }
                continue;
            }
            let joint: Vec<MoveId> =
                node.roles.iter().zip(&picked).map(|(arms, &n)| arms[n as usize].id).collect();
            let state = node.state.clone();
            if self.threads > 1 {
                return Ok(Leaf { joint: Some(joint), ..Leaf::new(path, state) });
            }
            let machine = self.machine.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
            machine.enter(&state)?;
            let next = machine.successor(&joint)?;
            if self.nodes.len() >= MAX_NODES || self.bytes >= MAX_BYTES {
                return Ok(Leaf::new(path, next));
            }
            let child = self.node(&next)?;
            self.nodes[at as usize].children.insert(picked, child);
            let values = self.nodes[child as usize].solved.as_ref().map(|g| g.to_vec()).unwrap_or_default();
            return Ok(Leaf { node: Some(child), values, ..Leaf::new(path, next) });
        }
    }

    /// Step 5 along a path, from the leaf up.
    fn prove(&mut self, path: &[(u32, Box<[u16]>)]) {
        for (at, _) in path.iter().rev() {
            let node = &self.nodes[*at as usize];
            let (Some(mover), None) = (node.mover, &node.solved) else { return };
            let known: Vec<&Arc<[f64]>> =
                node.children.values().filter_map(|&c| self.nodes[c as usize].solved.as_ref()).collect();
            let closed = known.len();
            // Equal goals for the mover may differ for others: the order of a hash map must not decide.
            let best = known.into_iter().max_by(|a, b| {
                a[mover].total_cmp(&b[mover]).then_with(|| {
                    let differs = a.iter().zip(b.iter()).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
                    differs.unwrap_or(std::cmp::Ordering::Equal)
                })
            });
            let Some(best) = best else { return };
            if best[mover] < 100.0 && closed < node.choices {
                return;
            }
            let goals = Arc::clone(best);
            let node = &mut self.nodes[*at as usize];
            node.solved = Some(goals);
            node.closed = closed;
        }
    }

    fn spent(&self) -> bool {
        self.visits >= self.budget.visits.unwrap_or(MAX_VISITS)
            || self.budget.nodes.is_some_and(|n| self.nodes.len() as u64 >= n)
            || (self.visits > 0 && self.budget.stop.now())
    }
}

impl Searcher for Uct {
    type Job = Job;

    fn name(&self) -> &'static str {
        "propnet/uct"
    }

    fn window(&self) -> Window {
        if self.threads == 1 { Window::rounds(2) } else { Window::for_threads(self.threads) }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        for _ in 0..room {
            if self.finished() {
                return;
            }
            let left = self.budget.visits.map_or(STATES as u64, |v| v - self.visits.min(v)).max(1);
            let mut leaves = Vec::new();
            for _ in 0..left.min(STATES as u64) {
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
            jobs.push(Job { leaves, seed, pool, failed: None, stop });
        }
    }

    fn work(job: &mut Job) {
        job.failed = make_moves(job).err();
        let open: Vec<usize> = (0..job.leaves.len()).filter(|&n| job.leaves[n].values.is_empty()).collect();
        if open.is_empty() || job.failed.is_some() {
            return;
        }
        let states: Vec<State> = open.iter().map(|&n| job.leaves[n].state.clone()).collect();
        // A machine that could be made for the tree can be made again; states of the tree are of the game's own
        // numbering.
        let values = job.pool.with_rollouts(&job.stop, |rollouts| Ok(rollouts.values(&states, job.seed)?));
        for (n, values) in open.into_iter().zip(values.unwrap_or_default()) {
            job.leaves[n].values = values;
        }
    }

    fn backup(&mut self, job: Job) {
        if job.failed.is_some() {
            self.failed = job.failed;
            return;
        }
        for mut leaf in job.leaves {
            self.grow(&mut leaf);
            for (at, picked) in &leaf.path {
                let node = &mut self.nodes[*at as usize];
                for (role, &n) in picked.iter().enumerate() {
                    node.roles[role][n as usize].sum += leaf.values.get(role).copied().unwrap_or(50.0);
                }
            }
            if leaf.node.is_some_and(|n| self.nodes[n as usize].solved.is_some()) {
                self.prove(&leaf.path);
            }
        }
    }

    fn finished(&self) -> bool {
        self.failed.is_some() || self.solved().is_some() || self.spent()
    }
}

/// Step 2 in a job: where its leaves lead.
fn make_moves(job: &mut Job) -> Result<(), GameError> {
    if job.leaves.iter().all(|leaf| leaf.joint.is_none()) {
        return Ok(());
    }
    let Job { pool, leaves, .. } = job;
    pool.with_machine(|machine| {
        for leaf in leaves {
            let Some(joint) = leaf.joint.take() else { continue };
            machine.enter(&leaf.state)?;
            leaf.state = machine.successor(&joint)?;
            let opened = Opened::of(machine, &leaf.state)?;
            leaf.values = opened.goals.as_ref().map(|goals| goals.to_vec()).unwrap_or_default();
            leaf.opened = Some(opened);
        }
        Ok(())
    })
}

impl Uct {
    /// Step 2 after a job: the leaf's node, unless another leaf has made it meanwhile.
    fn grow(&mut self, leaf: &mut Leaf) {
        let Some(opened) = leaf.opened.take() else { return };
        let known = self.table.get(&opened.state).copied();
        if known.is_none() && self.nodes.len() >= MAX_NODES {
            return;
        }
        let child = known.unwrap_or_else(|| self.insert(opened));
        if let Some((parent, picked)) = leaf.path.last() {
            self.nodes[*parent as usize].children.insert(picked.clone(), child);
        }
        leaf.node = Some(child);
    }

    /// The game searched.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }
}
