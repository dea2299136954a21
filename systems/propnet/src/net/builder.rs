//! Gates put together with every simplification that looks at one gate only.

use super::{Lit, Names, Net};
use rustc_hash::FxHasher;
use std::hash::Hasher as _;
use std::sync::Arc;

/// Makes gates; equal gates are made once, constants and one-input gates never.
#[derive(Debug)]
pub struct Builder {
    names: Arc<Names>,
    first_gate: usize,
    edge_start: Vec<u32>,
    edges: Vec<Lit>,
    /// Open addressing over gates by their inputs; `u32::MAX` is free.
    slots: Vec<u32>,
    scratch: Vec<Lit>,
}

impl Builder {
    /// A builder without gates for a game with these bases and inputs.
    #[must_use]
    pub fn new(names: Arc<Names>) -> Self {
        let first_gate = 1 + names.bases.len() + names.moves.len();
        let (edges, scratch) = (Vec::new(), Vec::new());
        Self { names, first_gate, edge_start: vec![0], edges, slots: vec![u32::MAX; 64], scratch }
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

    fn find_or_add(&mut self, list: &[Lit]) -> Lit {
        if self.gates() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(list) & mask;
        loop {
            match self.slots[at] {
                u32::MAX => break,
                gate if self.gate(gate as usize) == list => return Lit::of(self.first_gate + gate as usize),
                _ => at = (at + 1) & mask,
            }
        }
        let gate = self.gates();
        self.slots[at] = u32::try_from(gate).expect("the net's limits keep gates below 2^31");
        self.edges.extend_from_slice(list);
        self.edge_start
            .push(u32::try_from(self.edges.len()).expect("the net's limits keep edges below 2^32"));
        Lit::of(self.first_gate + gate)
    }

    fn grow(&mut self) {
        let mut slots = vec![u32::MAX; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for gate in 0..self.gates() {
            let mut at = hash(self.gate(gate)) & mask;
            while slots[at] != u32::MAX {
                at = (at + 1) & mask;
            }
            slots[at] = gate as u32;
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

fn hash(list: &[Lit]) -> usize {
    let mut hasher = FxHasher::default();
    list.iter().for_each(|l| hasher.write_u32(l.0));
    hasher.finish() as usize
}

/// Rebuilds a net gate by gate: `gate` makes the new literal of each old gate (by number) from its translated inputs,
/// and
/// `leaf` that of each base and input. Gates that nothing needs are not made.
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
