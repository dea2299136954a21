//! Refutes assumptions about a state of a net and about the moves made in it.
//!
//! # Source
//! Martin Davis, George Logemann, Donald Loveland, *A machine program for theorem-proving* (1962): unit propagation and
//! splitting.
//!
//! # Notation
//! An *assumption* is a literal that is taken to be true. A *clause* is a gate that is false: one of its inputs is.
//! A *group* is a set of nodes of which at most one is true, or exactly one.
//!
//! # Steps
//! 1. Set everything that follows from the assumptions: gates from inputs, inputs from gates, members of groups, and
//!    the conditions of each move that is made.
//! 2. If there is no contradiction, split the clause with the fewest open inputs: each of these inputs is false in
//!    turn.
//! 3. The assumptions are refuted if every case ends in a contradiction. Otherwise nothing is known.
//!
//! # Cost
//! One look at a gate for each of its nodes that is set, and one look for eight members of a group. One refutation has
//! at most [`MOST_OF_ONE`] looks. All together have at most [`MOST_WORK`], which takes about a second.

use crate::net::{Lit, Net};

/// The most looks of all refutations.
///
/// Origin: measured, `experiments/2026-11-30-structure-of-games.md`.
const MOST_WORK: usize = 10_000_000;

/// The most looks of one refutation: of two facts or of one legal move, and of two goals.
///
/// Origin: measured, `experiments/2026-11-30-structure-of-games.md`.
pub(super) const MOST_OF_ONE: [usize; 2] = [30_000, 1_000_000];

/// Nodes of which at most one is true.
#[derive(Clone, Debug)]
pub(super) struct Exclusion {
    /// The nodes.
    pub(super) nodes: Vec<u32>,
    /// Whether one of them is true.
    pub(super) exact: bool,
}

/// A net with what is set in it.
pub(super) struct Refuter<'a> {
    net: &'a Net,
    /// For each node its value, if it is set.
    values: Vec<Option<bool>>,
    /// The nodes that are set, in that order.
    trail: Vec<u32>,
    /// For each node the gates that read it.
    readers: Vec<Vec<u32>>,
    /// The groups, the inputs of each role among them while moves are made.
    groups: Vec<Exclusion>,
    groups_of: Vec<Vec<u32>>,
    /// For each input its conditions while moves are made.
    conditions: Vec<[Lit; 2]>,
    /// For each node the inputs that have a condition on it.
    conditioned: Vec<Vec<u32>>,
    /// Looks until now.
    work: usize,
    /// The looks after which the refutation in progress is given up.
    most: usize,
    /// Whether a refutation was given up for its cost.
    gave_up: bool,
}

impl<'a> Refuter<'a> {
    /// A state in which these groups hold, after this many looks at gates. With `conditions`, every role makes a move in
    /// it, and these conditions of each move hold.
    pub(super) fn new(net: &'a Net, groups: &[Exclusion], conditions: Vec<[Lit; 2]>, work: usize) -> Self {
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); net.nodes()];
        for gate in 0..net.gates() {
            net.gate(gate).iter().for_each(|l| readers[l.node()].push(gate as u32));
        }
        let mut refuter = Self {
            net,
            values: vec![None; net.nodes()],
            trail: Vec::new(),
            readers,
            groups: groups.to_vec(),
            groups_of: vec![Vec::new(); net.nodes()],
            conditions: Vec::new(),
            conditioned: vec![Vec::new(); net.nodes()],
            work,
            most: MOST_WORK,
            gave_up: false,
        };
        if !conditions.is_empty() {
            for role in 0..net.names.roles.len() {
                let nodes = net.inputs_of(role).map(|input| net.input_node(input) as u32).collect();
                refuter.groups.push(Exclusion { nodes, exact: true });
            }
            for (input, pair) in conditions.iter().enumerate() {
                pair.iter().for_each(|l| refuter.conditioned[l.node()].push(input as u32));
            }
            refuter.conditions = conditions;
        }
        for (number, group) in refuter.groups.iter().enumerate() {
            group.nodes.iter().for_each(|&n| refuter.groups_of[n as usize].push(number as u32));
        }
        refuter.values[0] = Some(false);
        refuter
    }

    /// Looks until now.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// Whether a refutation was given up for its cost.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Whether all looks were spent.
    pub(super) fn is_spent(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Whether the assumptions contradict each other, with at most this many splits on the way to each case, and this many
    /// looks in all.
    pub(super) fn refutes(&mut self, assumptions: &[Lit], splits: u32, looks: usize) -> bool {
        self.most = MOST_WORK.min(self.work + looks);
        let refuted = self.refutes_case(assumptions, splits);
        self.gave_up |= self.is_given_up();
        refuted
    }

    /// Whether the refutation in progress is given up.
    fn is_given_up(&self) -> bool {
        self.work > self.most
    }

    fn refutes_case(&mut self, assumptions: &[Lit], splits: u32) -> bool {
        let start = self.trail.len();
        let refuted = !assumptions.iter().all(|&l| self.set(l, true))
            || !self.propagate(start)
            || splits > 0 && self.every_case_is_refuted(splits);
        for node in self.trail.drain(start..) {
            self.values[node as usize] = None;
        }
        refuted && !self.is_given_up()
    }

    /// The value of a literal, if it is set.
    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.node()].map(|v| v ^ lit.inverted())
    }

    /// Step 2.
    fn every_case_is_refuted(&mut self, splits: u32) -> bool {
        let first_gate = self.net.first_gate();
        let mut best: Option<(usize, usize)> = None;
        for &node in &self.trail {
            let Some(gate) = (node as usize).checked_sub(first_gate) else { continue };
            let inputs = self.net.gate(gate);
            if self.values[node as usize] == Some(true)
                || inputs.iter().any(|&l| self.value(l) == Some(false))
            {
                continue;
            }
            let open = inputs.iter().filter(|&&l| self.value(l).is_none()).count();
            if best.is_none_or(|(least, _)| open < least) {
                best = Some((open, gate));
            }
        }
        let Some((_, gate)) = best else { return false };
        let open: Vec<Lit> =
            self.net.gate(gate).iter().copied().filter(|&l| self.value(l).is_none()).collect();
        (0..open.len()).all(|n| {
            // The inputs before it are true: their cases are done.
            let case: Vec<Lit> = open[..n].iter().copied().chain([open[n].not()]).collect();
            self.refutes_case(&case, splits - 1)
        })
    }

    /// Sets a literal; `false` if it has the other value.
    fn set(&mut self, lit: Lit, to: bool) -> bool {
        let value = to ^ lit.inverted();
        match self.values[lit.node()] {
            Some(known) => known == value,
            None => {
                self.values[lit.node()] = Some(value);
                self.trail.push(lit.node() as u32);
                true
            }
        }
    }

    /// Step 1, from this place of the trail on; `false` if something contradicts.
    fn propagate(&mut self, from: usize) -> bool {
        let mut at = from;
        while at < self.trail.len() {
            let node = self.trail[at] as usize;
            at += 1;
            if let Some(gate) = node.checked_sub(self.net.first_gate())
                && !self.look(gate)
            {
                return false;
            }
            for n in 0..self.readers[node].len() {
                if !self.look(self.readers[node][n] as usize) {
                    return false;
                }
            }
            for n in 0..self.groups_of[node].len() {
                if !self.look_at_group(self.groups_of[node][n] as usize) {
                    return false;
                }
            }
            if !self.look_at_conditions(node) {
                return false;
            }
        }
        true
    }

    /// What follows at a gate from its own value and those of its inputs.
    fn look(&mut self, gate: usize) -> bool {
        self.work += 1;
        if self.is_given_up() {
            return true;
        }
        let net = self.net;
        let (node, inputs) = (Lit::of(net.first_gate() + gate), net.gate(gate));
        if inputs.iter().any(|&l| self.value(l) == Some(false)) {
            return self.set(node, false);
        }
        let mut open = inputs.iter().copied().filter(|&l| self.value(l).is_none());
        match (open.next(), open.next(), self.value(node)) {
            (None, ..) => self.set(node, true),
            (Some(_), _, Some(true)) => inputs.iter().all(|&l| self.set(l, true)),
            (Some(one), None, Some(false)) => self.set(one, false),
            _ => true,
        }
    }

    fn look_at_group(&mut self, group: usize) -> bool {
        self.work += 1 + self.groups[group].nodes.len() / 8;
        if self.is_given_up() {
            return true;
        }
        let holds = |of: &Self, &n: &u32| of.values[n as usize];
        let Exclusion { nodes, exact } = &self.groups[group];
        if let Some(at) = nodes.iter().position(|n| holds(self, n) == Some(true)) {
            let others: Vec<u32> =
                nodes.iter().copied().enumerate().filter(|o| o.0 != at).map(|o| o.1).collect();
            return others.into_iter().all(|n| self.set(Lit::of(n as usize), false));
        }
        let mut open = nodes.iter().copied().filter(|n| holds(self, n).is_none());
        match (open.next(), open.next()) {
            (None, _) => !exact,
            (Some(one), None) if *exact => self.set(Lit::of(one as usize), true),
            _ => true,
        }
    }

    /// The conditions of a move that is made, and the moves whose condition does not hold.
    fn look_at_conditions(&mut self, node: usize) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let first = self.net.input_node(0);
        if self.values[node] == Some(true)
            && let Some(&[own, guard]) = node.checked_sub(first).and_then(|input| self.conditions.get(input))
            && !(self.set(own, true) && self.set(guard, true))
        {
            return false;
        }
        (0..self.conditioned[node].len()).all(|n| {
            let input = self.conditioned[node][n] as usize;
            let fails = self.conditions[input].iter().any(|&l| self.value(l) == Some(false));
            !fails || self.set(Lit::of(first + input), false)
        })
    }
}
