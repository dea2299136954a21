//! Builds gates, with every simplification that needs to look at only one gate.

use super::{Lit, Names, Net};
use rustc_hash::FxHasher;
use std::hash::Hasher as _;
use std::sync::Arc;

/// Makes gates. Equal gates are made once; constants and one-input gates are never made.
#[derive(Debug)]
pub struct Builder {
    names: Arc<Names>,
    first_gate: usize,
    edge_start: Vec<u32>,
    edges: Vec<Lit>,
    /// Open addressing over gates by their inputs: the hash in the upper half, the gate in the lower; [`FREE`] is free.
    slots: Vec<u64>,
    scratch: Vec<Lit>,
}

impl Builder {
    /// A builder without gates for a game with these bases and inputs.
    #[must_use]
    pub fn new(names: Arc<Names>) -> Self {
        let first_gate = 1 + names.bases.len() + names.moves.len();
        let (edges, scratch) = (Vec::new(), Vec::new());
        Self { names, first_gate, edge_start: vec![0], edges, slots: vec![FREE; 64], scratch }
    }

    /// How many gates there are.
    #[must_use]
    pub fn gates(&self) -> usize {
        self.edge_start.len() - 1
    }

    /// How many input literals all gates have.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The inputs of a gate's node; `None` if the node is no gate.
    #[must_use]
    pub fn inputs_of(&self, node: usize) -> Option<&[Lit]> {
        let gate = node.checked_sub(self.first_gate)?;
        Some(self.gate(gate))
    }

    fn gate(&self, gate: usize) -> &[Lit] {
        &self.edges[self.edge_start[gate] as usize..self.edge_start[gate + 1] as usize]
    }

    /// The AND of literals.
    pub fn and(&mut self, inputs: impl IntoIterator<Item = Lit>) -> Lit {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        list.extend(inputs.into_iter().filter(|&l| l != Lit::TRUE));
        list.sort_unstable();
        list.dedup();
        // Sorted, x and its inverse are neighbours, and false comes first.
        let contradiction = list.windows(2).any(|w| w[0].node() == w[1].node());
        let lit = match list[..] {
            _ if contradiction || list.first() == Some(&Lit::FALSE) => Lit::FALSE,
            [] => Lit::TRUE,
            [one] => one,
            _ => self.find_or_add(&list),
        };
        self.scratch = list;
        lit
    }

    /// The OR of literals.
    pub fn or(&mut self, inputs: impl IntoIterator<Item = Lit>) -> Lit {
        self.and(inputs.into_iter().map(Lit::not)).not()
    }

    /// Adds the AND of literals without simplification, for nets whose gates are known to be different and simple. The
    /// builder must make no other gates.
    pub(super) fn append(&mut self, inputs: impl IntoIterator<Item = Lit>) -> Lit {
        let start = self.edges.len();
        self.edges.extend(inputs);
        self.edges[start..].sort_unstable();
        self.close_gate()
    }

    /// The gate whose inputs are the edges that belong to no gate yet.
    fn close_gate(&mut self) -> Lit {
        let gate = self.gates();
        let end = u32::try_from(self.edges.len()).expect("the net's limits keep edges below 2^32");
        self.edge_start.push(end);
        Lit::of(self.first_gate + gate)
    }

    fn find_or_add(&mut self, list: &[Lit]) -> Lit {
        if self.gates() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let hash = hash(list);
        let mut at = hash as usize & mask;
        while self.slots[at] != FREE {
            let gate = self.slots[at] as u32 as usize;
            if (self.slots[at] >> 32) as u32 == hash && self.gate(gate) == list {
                return Lit::of(self.first_gate + gate);
            }
            at = (at + 1) & mask;
        }
        let gate = self.gates();
        let number = u32::try_from(gate).expect("the net's limits keep gates below 2^31");
        self.slots[at] = u64::from(hash) << 32 | u64::from(number);
        self.edges.extend_from_slice(list);
        self.close_gate()
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for &slot in self.slots.iter().filter(|&&slot| slot != FREE) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] != FREE {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }

    /// The net with these outputs.
    #[must_use]
    pub fn finish(self, transitions: Vec<Lit>, legal: Vec<Lit>, terminal: Lit, goals: Vec<Vec<Lit>>) -> Net {
        let Self { names, edge_start, edges, .. } = self;
        Net { names, edge_start, edges, transitions, legal, terminal, goals }
    }
}

/// An empty slot.
const FREE: u64 = u64::MAX;

/// A hash in which every bit depends on every literal. Neighbouring gates have inputs in arithmetic progression, which
/// a product alone would leave in clusters.
fn hash(list: &[Lit]) -> u32 {
    let mut hasher = FxHasher::default();
    list.iter().for_each(|l| hasher.write_u32(l.0));
    let mut h = hasher.finish();
    h ^= h >> 32;
    h = h.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h >> 32) as u32
}

/// Rebuilds a net gate by gate. `gate` makes the new literal of each old gate (by number) from its translated inputs,
/// and `leaf` makes that of each base and input. Gates without a user are not made.
pub(super) fn rebuild(
    net: &Net,
    mut leaf: impl FnMut(usize) -> Lit,
    mut gate: impl FnMut(&mut Builder, usize, &[Lit]) -> Lit,
) -> Net {
    let visited = visited(net);
    let mut builder = Builder::new(Arc::clone(&net.names));
    let mut map = vec![Lit::FALSE; net.nodes()];
    (1..net.first_gate()).for_each(|node| map[node] = leaf(node));
    let mut inputs = Vec::new();
    for g in visited {
        inputs.clear();
        inputs.extend(net.gate(g).iter().map(|l| map[l.node()].xor(l.inverted())));
        map[net.first_gate() + g] = gate(&mut builder, g, &inputs);
    }
    let translate = |l: &Lit| map[l.node()].xor(l.inverted());
    builder.finish(
        net.transitions.iter().map(translate).collect(),
        net.legal.iter().map(translate).collect(),
        translate(&net.terminal),
        net.goals.iter().map(|g| g.iter().map(translate).collect()).collect(),
    )
}

/// The gates that some output needs, in order.
fn visited(net: &Net) -> Vec<usize> {
    let mut needed = vec![false; net.nodes()];
    net.outputs().for_each(|l| needed[l.node()] = true);
    for g in (0..net.gates()).rev() {
        if needed[net.first_gate() + g] {
            net.gate(g).iter().for_each(|l| needed[l.node()] = true);
        }
    }
    (0..net.gates()).filter(|g| needed[net.first_gate() + g]).collect()
}
