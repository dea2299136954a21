//! The tree of a search: nodes with the arms of all roles, in arrays that only grow.
//!
//! # Notation
//! A *pick* is one arm for each role. A node where at most one role has a choice has a *mover*: that role, or the first
//! role.
//!
//! # Layout
//! The arms of a node lie one after the other, role by role. With a mover, the mover's arm alone identifies a child, so
//! an arm holds the number of its child. Without a mover, the node has a map from picks to children. The part of a node
//! that a walk reads ([`Head`]) lies apart from the rest, because the cache lines it touches bound a walk.
//!
//! # Proven children
//! A walk looks up only for the arm with the highest bound whether its child is solved. A proven arm has a bound below
//! all others. So a look-up of all arms would pick the same arm.
//!
//! # Cost
//! A step of a walk reads a head and the arms of its node and allocates nothing. A node with `n` arms takes some 120
//! bytes, its state and 20 `n`.

#[cfg(test)]
mod tests;

use super::arm::{Arm, MANY, highest, highest_of_all_moves};
use super::opened::Opened;
use crate::machine::{MoveId, State};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;
use tengen_core::{SplitMix64, derive_seed};

/// The weight of the confidence term, for goals from 0 to 100.
///
/// Origin: own choice, unmeasured.
const EXPLORATION: f64 = 40.0;

/// The same for a tree that counts the moves of playouts, in nodes with few moves: the mean of 64 games has less chance
/// in it than one game.
///
/// Origin: measured, `experiments/2026-11-30-ggp-matches.md`, "What was tried".
const EXPLORATION_OF_MEANS: f64 = 20.0;

/// The mover number of a node in which several roles have a choice.
///
/// Origin: definition, the layout of a node.
const SEVERAL: u32 = u32::MAX;

/// The part of a node that a walk reads.
#[derive(Clone, Copy, Debug)]
struct Head {
    visits: u32,
    /// See the module's notation.
    mover: u32,
    solved: bool,
}

/// The part of a node that a walk does not read.
#[derive(Clone, Debug)]
struct Node {
    state: Arc<State>,
    hash: u64,
    /// The goals with best play, once proven.
    solved: Option<Arc<[f64]>>,
    /// The children of a node without a mover.
    joint: Option<Box<FxHashMap<Box<[u16]>, u32>>>,
}

/// A path down from the root: its nodes, and for each node the picked arms by their places among all arms.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    nodes: Vec<u32>,
    arms: Vec<u32>,
}

impl Path {
    /// The number of picks.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Back to the root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arms.clear();
    }
}

/// The hash of a state, by which the tree finds it.
pub(super) fn hash_of(state: &State) -> u64 {
    FxBuildHasher.hash_one(state)
}

/// The tree of a search; see the module's documentation.
pub(super) struct Tree {
    roles: usize,
    /// The role `random`.
    chance: Option<usize>,
    heads: Vec<Head>,
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    /// Per arm the games in which its move was made at or below the node, and the sum of their goals. Empty if moves of
    /// playouts do not count.
    all: Vec<[f32; 2]>,
    counts_all: bool,
    /// Whether a role of some node has more than [`MANY`] moves. Without one the moves of playouts have no use.
    has_many: bool,
    /// The weight of the confidence term in nodes with few moves.
    exploration: f64,
    /// The moves of the arms.
    ids: Vec<MoveId>,
    /// Where the arms of each role of each node begin, and where the last ones end.
    bounds: Vec<u32>,
    table: HashTable<u32>,
    bytes: usize,
    /// By the number of a move the goal of its role in the game that is being added, else [`NOT_MADE`].
    goal_of: Vec<f32>,
}

impl Tree {
    /// A tree without nodes, for this many roles, one of which may be `random`.
    pub(super) fn new(roles: usize, chance: Option<usize>) -> Self {
        Self {
            roles,
            chance,
            heads: Vec::new(),
            nodes: Vec::new(),
            arms: Vec::new(),
            all: Vec::new(),
            counts_all: false,
            has_many: false,
            exploration: EXPLORATION,
            ids: Vec::new(),
            bounds: vec![0],
            table: HashTable::new(),
            bytes: 0,
            goal_of: Vec::new(),
        }
    }

    /// Whether moves of playouts count from now on.
    pub(super) fn count_all_moves(&mut self, count: bool) {
        self.counts_all = count;
        self.exploration = if count { EXPLORATION_OF_MEANS } else { EXPLORATION };
        self.all = if count { vec![[0.0; 2]; self.arms.len()] } else { Vec::new() };
    }

    /// Sets the weight of the confidence term for leaves of one game each, or of many.
    pub(super) fn count_single_games(&mut self, single: bool) {
        let means = self.counts_all && !single;
        self.exploration = if means { EXPLORATION_OF_MEANS } else { EXPLORATION };
    }

    /// Adds the moves of a leaf's playouts to the nodes of its path and to its own node.
    pub(super) fn add_moves(&mut self, path: &Path, leaf: Option<u32>, moves: &[[f32; 2]]) {
        for &node in path.nodes.iter().chain(&leaf) {
            let range = self.range(node, 0).start..self.range(node, self.roles - 1).end;
            for (all, &id) in self.all[range.clone()].iter_mut().zip(&self.ids[range]) {
                let [games, sum] = moves.get(id as usize).copied().unwrap_or_default();
                *all = [all[0] + games, all[1] + sum];
            }
        }
    }

    /// The visits of the mover's arm that a path took last; many where several roles have a choice.
    pub(super) fn last_visits(&self, path: &Path) -> u32 {
        let Some((node, arms)) = self.last(path) else { return u32::MAX };
        self.mover(node).map_or(u32::MAX, |mover| self.arms[arms[mover] as usize].visits)
    }

    /// Adds the moves of one game to the nodes of its path and to its own node. A node gets the moves that were made there
    /// or later, on the path as in the playout (`made`).
    pub(super) fn add_game(&mut self, path: &Path, node: Option<u32>, made: &[MoveId], goals: &[f64]) {
        if !self.has_many {
            return;
        }
        let mut goal_of = std::mem::take(&mut self.goal_of);
        for joint in made.chunks_exact(self.roles) {
            joint.iter().zip(goals).for_each(|(&id, &goal)| note(&mut goal_of, id, goal));
        }
        if let Some(node) = node {
            self.add_made(node, &goal_of);
        }
        for (&node, arms) in path.nodes.iter().zip(path.arms.chunks_exact(self.roles)).rev() {
            for (&arm, &goal) in arms.iter().zip(goals) {
                note(&mut goal_of, self.ids[arm as usize], goal);
            }
            self.add_made(node, &goal_of);
        }
        let walked = path.arms.iter().map(|&arm| self.ids[arm as usize]);
        made.iter().copied().chain(walked).for_each(|id| goal_of[id as usize] = NOT_MADE);
        self.goal_of = goal_of;
    }

    /// Adds the moves that a game made to the arms of a node that count them.
    fn add_made(&mut self, node: u32, goal_of: &[f32]) {
        for role in 0..self.roles {
            let range = self.range(node, role);
            if range.len() <= MANY {
                continue;
            }
            for (all, &id) in self.all[range.clone()].iter_mut().zip(&self.ids[range]) {
                if let Some(&goal) = goal_of.get(id as usize).filter(|&&goal| goal != NOT_MADE) {
                    *all = [all[0] + 1.0, all[1] + goal];
                }
            }
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Its approximate memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The node of a state with this hash.
    pub(super) fn find(&self, state: &State, hash: u64) -> Option<u32> {
        self.table.find(hash, |&node| *self.nodes[node as usize].state == *state).copied()
    }

    /// The state of a node.
    pub(super) fn state(&self, node: u32) -> &Arc<State> {
        &self.nodes[node as usize].state
    }

    /// The goals of a node with best play, if they are proven.
    pub(super) fn solved(&self, node: u32) -> Option<&[f64]> {
        if self.heads[node as usize].solved { self.nodes[node as usize].solved.as_deref() } else { None }
    }

    /// The moves and arms of a role in a node; none where the game is over.
    pub(super) fn arms(&self, node: u32, role: usize) -> impl ExactSizeIterator<Item = (MoveId, Arm)> {
        let range = if role < self.roles { self.range(node, role) } else { 0..0 };
        self.ids[range.clone()].iter().copied().zip(self.arms[range].iter().copied())
    }

    fn range(&self, node: u32, role: usize) -> Range<usize> {
        let at = node as usize * self.roles + role;
        self.bounds[at] as usize..self.bounds[at + 1] as usize
    }

    /// The only role with a choice, if there is exactly one.
    fn mover(&self, node: u32) -> Option<usize> {
        Some(self.heads[node as usize].mover).filter(|&mover| mover != SEVERAL).map(|mover| mover as usize)
    }

    /// Makes the node of a state that has none; the caller must know this.
    pub(super) fn insert(&mut self, opened: Opened) -> u32 {
        let Opened { state, hash, legal, ends, goals } = opened;
        let id = u32::try_from(self.nodes.len()).expect("the limit of nodes is below 2^31");
        let start = self.ids.len();
        self.ids.extend_from_slice(&legal);
        self.arms.resize(self.ids.len(), Arm::NEW);
        if self.counts_all {
            self.all.resize(self.ids.len(), [0.0; 2]);
        }
        let place = |end: usize| u32::try_from(end).expect("the limit of bytes allows fewer arms");
        let (mut choices, mut mover, mut from) = (0, 0, 0);
        for role in 0..self.roles {
            let end = ends.get(role).map_or(legal.len(), |&end| end as usize);
            self.bounds.push(place(start + end));
            self.has_many |= end - from > MANY;
            if end - from > 1 {
                (choices, mover) = (choices + 1, role as u32);
            }
            from = end;
        }
        let mover = if choices > 1 { SEVERAL } else { mover };
        let of_all = if self.counts_all { size_of::<[f32; 2]>() } else { 0 };
        self.bytes += state.bytes()
            + legal.len() * (size_of::<Arm>() + size_of::<MoveId>() + of_all)
            + size_of::<Node>()
            + size_of::<Head>()
            + 2 * size_of::<u32>();
        self.heads.push(Head { visits: 0, mover, solved: goals.is_some() });
        self.nodes.push(Node { state, hash, solved: goals, joint: None });
        self.table.insert_unique(hash, id, |&node| self.nodes[node as usize].hash);
        id
    }

    /// The same tree with the nodes that can be reached from a root alone, the root first. It keeps as many as have room
    /// in `most` nodes, the nearest first; an arm whose child is dropped keeps its visits and its sum.
    pub(super) fn below(&self, root: u32, most: usize) -> Self {
        let mut kept = vec![root];
        let mut places = FxHashMap::from_iter([(root, 0)]);
        let mut at = 0;
        while let Some(&node) = kept.get(at) {
            let range = self.range(node, 0).start..self.range(node, self.roles - 1).end;
            let joint = self.nodes[node as usize].joint.iter().flat_map(|joint| joint.values().copied());
            let mut children: Vec<u32> =
                self.arms[range].iter().filter_map(|arm| arm.child()).chain(joint).collect();
            // The order of a map is no order.
            children.sort_unstable();
            for child in children {
                if kept.len() < most && !places.contains_key(&child) {
                    places.insert(child, kept.len() as u32);
                    kept.push(child);
                }
            }
            at += 1;
        }
        let mut new = Self::new(self.roles, self.chance);
        (new.counts_all, new.exploration) = (self.counts_all, self.exploration);
        for &node in &kept {
            let Node { state, hash, solved, .. } = &self.nodes[node as usize];
            let (first, last) = (self.range(node, 0).start, self.range(node, self.roles - 1).end);
            let ends = (0..self.roles).map(|role| (self.range(node, role).end - first) as u32).collect();
            let legal = self.ids[first..last].to_vec();
            let opened = Opened { state: Arc::clone(state), hash: *hash, legal, ends, goals: solved.clone() };
            let place = new.insert(opened) as usize;
            let old = self.heads[node as usize];
            new.heads[place] = Head { mover: old.mover, ..old };
            let arms = new.bounds[place * self.roles] as usize;
            for (arm, &before) in new.arms[arms..].iter_mut().zip(&self.arms[first..last]) {
                *arm = before.moved(before.child().and_then(|child| places.get(&child).copied()));
            }
            if self.counts_all {
                new.all[arms..].copy_from_slice(&self.all[first..last]);
            }
            if let Some(joint) = &self.nodes[node as usize].joint {
                let known =
                    joint.iter().filter_map(|(pick, child)| Some((pick.clone(), *places.get(child)?)));
                new.nodes[place].joint = Some(Box::new(known.collect()));
            }
        }
        new
    }

    /// The child of a node after these arms.
    fn child(&self, node: u32, arms: &[u32]) -> Option<u32> {
        match self.mover(node) {
            Some(mover) => self.arms[arms[mover] as usize].child(),
            None => self.nodes[node as usize].joint.as_ref()?.get(&*self.pick(node, arms)).copied(),
        }
    }

    /// The numbers of these arms in their roles.
    fn pick(&self, node: u32, arms: &[u32]) -> Box<[u16]> {
        let starts = &self.bounds[node as usize * self.roles..];
        arms.iter().zip(starts).map(|(arm, start)| (arm - start) as u16).collect()
    }

    /// The last node of a path, and the arms picked there.
    fn last<'a>(&self, path: &'a Path) -> Option<(u32, &'a [u32])> {
        let node = *path.nodes.last()?;
        Some((node, &path.arms[path.arms.len() - self.roles..]))
    }

    /// Makes a node the child of the last node of a path, after the last pick.
    pub(super) fn set_child(&mut self, path: &Path, child: u32) {
        let Some((node, arms)) = self.last(path) else { return };
        match self.mover(node) {
            Some(mover) => self.arms[arms[mover] as usize].set_child(child),
            None => {
                let pick = self.pick(node, arms);
                self.nodes[node as usize].joint.get_or_insert_default().insert(pick, child);
            }
        }
    }

    /// The proven goal of a role after an arm of the only role with a choice.
    pub(super) fn solved_value(&self, node: u32, role: usize, arm: Arm) -> Option<f64> {
        if self.mover(node) != Some(role) {
            return None;
        }
        self.solved(arm.child()?).map(|goals| goals[role])
    }

    /// The state after an arm of the only role with a choice, if the tree holds it.
    pub(super) fn state_after(&self, node: u32, role: usize, arm: Arm) -> Option<&Arc<State>> {
        let child = if self.mover(node) == Some(role) { arm.child() } else { None };
        child.map(|child| self.state(child))
    }

    /// Picks an arm for every role of a node and counts the visits; the path grows by one step. Returns the child, if
    /// there is one.
    pub(super) fn step(&mut self, node: u32, path: &mut Path) -> Option<u32> {
        let head = &mut self.heads[node as usize];
        let (visits, mover) = (head.visits, head.mover);
        head.visits += 1;
        let at = path.arms.len();
        for role in 0..self.roles {
            let range = self.range(node, role);
            let arm = match range.len() {
                0 | 1 => range.start,
                arms if self.chance == Some(role) => {
                    let drawn = derive_seed(u64::from(node), &[u64::from(visits)]);
                    range.start + SplitMix64::new(drawn).below(arms as u32) as usize
                }
                _ => self.best_arm(range, (mover as usize == role).then_some(role), visits),
            };
            self.arms[arm].visits += 1;
            path.arms.push(arm as u32);
        }
        path.nodes.push(node);
        self.child(node, &path.arms[at..])
    }

    /// The arm with the highest bound, the first of several. See "Proven children".
    fn best_arm(&mut self, range: Range<usize>, mover: Option<usize>, visits: u32) -> usize {
        let log = f64::from(visits.max(1)).ln();
        loop {
            let arms = &self.arms[range.clone()];
            let best = range.start
                + match self.counts_all && mover.is_some() && arms.len() > MANY {
                    true => highest_of_all_moves(arms, &self.all[range.clone()], log),
                    false => highest(arms, log, self.exploration),
                };
            let (Some(role), arm) = (mover, self.arms[best]) else { return best };
            if arm.is_proven() {
                return best;
            }
            let Some(goal) = arm.child().and_then(|child| self.solved(child)).map(|goals| goals[role]) else {
                return best;
            };
            self.arms[best].prove(goal);
        }
    }

    /// Writes the joint move of the last step of a path.
    pub(super) fn joint_move(&self, path: &Path, into: &mut Vec<MoveId>) {
        let arms = self.last(path).map_or(&[][..], |(_, arms)| arms);
        into.clear();
        into.extend(arms.iter().map(|&arm| self.ids[arm as usize]));
    }

    /// Adds the goals of a leaf to the arms of its path.
    pub(super) fn add(&mut self, path: &Path, goals: &[f64]) {
        for arms in path.arms.chunks_exact(self.roles) {
            for (role, &arm) in arms.iter().enumerate() {
                self.arms[arm as usize].add(goals.get(role).copied().unwrap_or(50.0));
            }
        }
    }

    /// Marks the nodes of a path that are solved now, from its end up.
    pub(super) fn prove(&mut self, path: &Path) {
        for &at in path.nodes.iter().rev() {
            let Some(mover) = self.mover(at).filter(|_| !self.heads[at as usize].solved) else { return };
            let arms = &self.arms[self.range(at, mover)];
            let known = arms.iter().filter_map(|arm| arm.child());
            let known = known.filter_map(|child| self.nodes[child as usize].solved.as_ref());
            if self.chance == Some(mover) && arms.len() > 1 {
                if known.clone().count() < arms.len() {
                    return;
                }
                let mean =
                    |role: usize| known.clone().map(|goals| goals[role]).sum::<f64>() / arms.len() as f64;
                let goals = (0..self.roles).map(mean).collect();
                self.nodes[at as usize].solved = Some(goals);
                self.heads[at as usize].solved = true;
                continue;
            }
            // Equal goals for the mover may differ for others: the order of the arms must not decide.
            let best = known.clone().max_by(|a, b| {
                a[mover].total_cmp(&b[mover]).then_with(|| {
                    let differs = a.iter().zip(b.iter()).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
                    differs.unwrap_or(std::cmp::Ordering::Equal)
                })
            });
            let Some(best) = best else { return };
            if best[mover] < 100.0 && known.count() < arms.len() {
                return;
            }
            let goals = Arc::clone(best);
            self.nodes[at as usize].solved = Some(goals);
            self.heads[at as usize].solved = true;
        }
    }
}

/// The goal of a move that a game did not make.
///
/// Origin: definition, no goal.
const NOT_MADE: f32 = -1.0;

/// Notes that a game made a move.
fn note(goal_of: &mut Vec<f32>, id: MoveId, goal: f64) {
    let at = id as usize;
    if goal_of.len() <= at {
        goal_of.resize(at + 1, NOT_MADE);
    }
    goal_of[at] = goal as f32;
}
