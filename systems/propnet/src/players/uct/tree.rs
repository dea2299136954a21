//! The tree of a search: nodes with the arms of all roles, in arrays that only grow.
//!
//! # Notation
//! A *pick* is an arm per role. A node whose roles have no choice, or one of whose roles alone has, has a *mover*: that role,
//! or the first.
//!
//! # Layout
//! The arms of a node lie one after the other, role by role. Where there is a mover a child is known by the mover's arm alone, so the
//! numbers of children lie beside the arms. Elsewhere a map from picks to children belongs to the node. Which nodes are solved
//! is kept apart from the nodes: it is asked for every child of a node that is walked through.
//!
//! # Cost
//! A step of a walk reads the arms of its node and allocates nothing. A node with `n` arms takes some 120 bytes, its state
//! and 20 `n`.

use super::Opened;
use crate::machine::{MoveId, State};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The weight of the confidence term, for goals from 0 to 100.
const EXPLORATION: f64 = 40.0;

/// The child of an arm that has none.
const NO_CHILD: u32 = u32::MAX;

/// A move of one role in a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) id: MoveId,
    pub(super) visits: u32,
    /// The sum of goals, 0 to 100 each.
    pub(super) sum: f64,
}

#[derive(Clone, Debug)]
struct Node {
    state: Arc<State>,
    /// See the module's notation; `None` where several roles have a choice.
    mover: Option<usize>,
    /// How many picks there are.
    choices: usize,
    visits: u32,
    /// The goals with best play, once proven.
    solved: Option<Arc<[f64]>>,
    /// The children of a node without a mover.
    joint: Option<Box<FxHashMap<Box<[u16]>, u32>>>,
}

/// A way down from the root: nodes, and the pick made in each.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    nodes: Vec<u32>,
    picks: Vec<u16>,
}

impl Path {
    /// How many picks were made.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Its nodes from the root on, each with its pick.
    fn steps(&self) -> impl DoubleEndedIterator<Item = (u32, &[u16])> {
        let roles = (self.picks.len() / self.nodes.len().max(1)).max(1);
        self.nodes.iter().copied().zip(self.picks.chunks_exact(roles))
    }
}

/// See the module's documentation.
pub(super) struct Tree {
    roles: usize,
    nodes: Vec<Node>,
    solved: Vec<bool>,
    arms: Vec<Arm>,
    /// Per arm of a mover the child.
    children: Vec<u32>,
    /// Where the arms of each role of each node begin, and where the last ones end.
    bounds: Vec<u32>,
    table: FxHashMap<Arc<State>, u32>,
    bytes: usize,
}

impl Tree {
    /// A tree without nodes, for so many roles.
    pub(super) fn new(roles: usize) -> Self {
        Self {
            roles,
            nodes: Vec::new(),
            solved: Vec::new(),
            arms: Vec::new(),
            children: Vec::new(),
            bounds: vec![0],
            table: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About its memory.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The node of a state.
    pub(super) fn find(&self, state: &State) -> Option<u32> {
        self.table.get(state).copied()
    }

    /// The state of a node.
    pub(super) fn state(&self, node: u32) -> &Arc<State> {
        &self.nodes[node as usize].state
    }

    /// The goals of a node with best play, if they are proven.
    pub(super) fn solved(&self, node: u32) -> Option<&[f64]> {
        self.nodes[node as usize].solved.as_deref()
    }

    /// The arms of a role in a node; none where the game is over.
    pub(super) fn arms(&self, node: u32, role: usize) -> &[Arm] {
        if role < self.roles { &self.arms[self.range(node, role)] } else { &[] }
    }

    fn range(&self, node: u32, role: usize) -> Range<usize> {
        let at = node as usize * self.roles + role;
        self.bounds[at] as usize..self.bounds[at + 1] as usize
    }

    /// The node of a state that is known to have none.
    pub(super) fn insert(&mut self, opened: Opened) -> u32 {
        let Opened { state, legal, goals } = opened;
        let id = u32::try_from(self.nodes.len()).expect("the limit of nodes is below 2^32");
        let before = self.arms.len();
        for role in 0..self.roles {
            let ids = legal.get(role).map_or(&[][..], |ids| ids);
            self.arms.extend(ids.iter().map(|&id| Arm { id, visits: 0, sum: 0.0 }));
            self.bounds.push(u32::try_from(self.arms.len()).expect("the limit of bytes allows fewer arms"));
        }
        self.children.resize(self.arms.len(), NO_CHILD);
        let mut with_choice = (0..legal.len()).filter(|&role| legal[role].len() > 1);
        let mover = match (with_choice.next(), with_choice.next()) {
            (first, None) => Some(first.unwrap_or(0)),
            _ => None,
        };
        let choices = legal.iter().map(Vec::len).fold(1, usize::saturating_mul);
        let arms = (self.arms.len() - before) * (size_of::<Arm>() + size_of::<u32>());
        self.bytes += state.bytes() + arms + size_of::<Node>() + 2 * size_of::<Arc<State>>();
        let state = Arc::new(state);
        self.table.insert(Arc::clone(&state), id);
        self.solved.push(goals.is_some());
        self.nodes.push(Node { state, mover, choices, visits: 0, solved: goals, joint: None });
        id
    }

    /// The child of a node after a pick.
    pub(super) fn child(&self, node: u32, pick: &[u16]) -> Option<u32> {
        let here = &self.nodes[node as usize];
        match here.mover {
            Some(mover) => self.child_of_arm(node, mover, pick[mover] as usize),
            None => here.joint.as_ref()?.get(pick).copied(),
        }
    }

    fn child_of_arm(&self, node: u32, mover: usize, arm: usize) -> Option<u32> {
        let child = self.children[self.range(node, mover).start + arm];
        (child != NO_CHILD).then_some(child)
    }

    /// Makes a node the child of the last node of a path, after the last pick.
    pub(super) fn set_child(&mut self, path: &Path, child: u32) {
        let Some((node, pick)) = path.steps().next_back() else { return };
        match self.nodes[node as usize].mover {
            Some(mover) => {
                let arm = self.range(node, mover).start + pick[mover] as usize;
                self.children[arm] = child;
            }
            None => {
                self.nodes[node as usize].joint.get_or_insert_default().insert(pick.into(), child);
            }
        }
    }

    /// The proven goal of a role after an arm of the only role with a choice.
    pub(super) fn solved_value(&self, node: u32, role: usize, arm: usize) -> Option<f64> {
        if self.nodes[node as usize].mover != Some(role) {
            return None;
        }
        let child = self.child_of_arm(node, role, arm)?;
        if self.solved[child as usize] { self.solved(child).map(|goals| goals[role]) } else { None }
    }

    /// Picks an arm for every role of a node and counts the visits; the path is one step longer. The child, if there
    /// is one.
    pub(super) fn step(&mut self, node: u32, path: &mut Path) -> Option<u32> {
        let log = f64::from(self.nodes[node as usize].visits.max(1)).ln();
        let at = path.picks.len();
        for role in 0..self.roles {
            let best = self.best_arm(node, role, log);
            let range = self.range(node, role);
            if let Some(arm) = self.arms[range].get_mut(best) {
                arm.visits += 1;
            }
            path.picks.push(best as u16);
        }
        self.nodes[node as usize].visits += 1;
        path.nodes.push(node);
        self.child(node, &path.picks[at..])
    }

    /// The arm with the highest bound, the first of several.
    fn best_arm(&self, node: u32, role: usize, log: f64) -> usize {
        let bound = |(n, arm): (usize, &Arm)| {
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
        let bounds = self.arms(node, role).iter().enumerate().map(bound).enumerate();
        bounds.rev().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(n, _)| n)
    }

    /// The joint move of the last step of a path.
    pub(super) fn joint_move(&self, path: &Path) -> Vec<MoveId> {
        let Some((node, pick)) = path.steps().next_back() else { return Vec::new() };
        (0..self.roles).zip(pick).map(|(role, &n)| self.arms(node, role)[n as usize].id).collect()
    }

    /// Adds the goals of a leaf to the arms of its path.
    pub(super) fn add(&mut self, path: &Path, goals: &[f64]) {
        for (node, pick) in path.steps() {
            for (role, &n) in pick.iter().enumerate() {
                let arm = self.range(node, role).start + n as usize;
                self.arms[arm].sum += goals.get(role).copied().unwrap_or(50.0);
            }
        }
    }

    /// Looks along a path, from its end up, which nodes are solved now.
    pub(super) fn prove(&mut self, path: &Path) {
        for (at, _) in path.steps().rev() {
            let node = &self.nodes[at as usize];
            let (Some(mover), None) = (node.mover, &node.solved) else { return };
            let known = self.children[self.range(at, mover)].iter().filter(|&&child| child != NO_CHILD);
            let known = known.filter_map(|&child| self.nodes[child as usize].solved.as_ref());
            // Equal goals for the mover may differ for others: the order of the arms must not decide.
            let best = known.clone().max_by(|a, b| {
                a[mover].total_cmp(&b[mover]).then_with(|| {
                    let differs = a.iter().zip(b.iter()).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
                    differs.unwrap_or(std::cmp::Ordering::Equal)
                })
            });
            let Some(best) = best else { return };
            if best[mover] < 100.0 && known.count() < node.choices {
                return;
            }
            let goals = Arc::clone(best);
            self.nodes[at as usize].solved = Some(goals);
            self.solved[at as usize] = true;
        }
    }
}
