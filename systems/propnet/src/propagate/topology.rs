//! The flat, read-only form of a net that all propagators of a game share.

use crate::net::Bases;
use crate::net::passes::Guarded;
use crate::net::{Lit, Net};
use crate::numbering::NumberingId;

/// The users of a node: ranges of [`Topology::targets`] and [`Topology::sinks`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Fan {
    /// First target.
    pub start: u32,
    /// End of the gates that have the node as it is.
    pub plain: u32,
    /// End of the gates that have its inverse.
    pub inverse: u32,
    /// First sink; the last is where the next node's sinks begin.
    pub sink: u32,
}

/// An output of a node, packed: see [`Sink::unpack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// The transition of a base.
    Transition(u32),
    /// The legal proposition of an input.
    Legal(u32),
    /// Terminal.
    Terminal,
    /// A goal, numbered through over all roles.
    Goal(u32),
    /// A guard of legal propositions.
    Guard(u32),
}

impl Sink {
    fn pack(self) -> u32 {
        match self {
            Self::Transition(n) => n << 2,
            Self::Legal(n) => n << 2 | 1,
            Self::Terminal => 2,
            Self::Guard(n) => (n + 1) << 2 | 2,
            Self::Goal(n) => n << 2 | 3,
        }
    }

    /// The meaning of a number of [`Topology::sinks`].
    #[must_use]
    pub fn unpack(packed: u32) -> Self {
        match packed & 3 {
            0 => Self::Transition(packed >> 2),
            1 => Self::Legal(packed >> 2),
            2 if packed == 2 => Self::Terminal,
            2 => Self::Guard((packed >> 2) - 1),
            _ => Self::Goal(packed >> 2),
        }
    }
}

/// A net with the outputs of every node, as flat arrays.
#[derive(Debug)]
pub struct Topology {
    /// The numbering of its bases, which states of this net carry.
    pub numbering: NumberingId,
    /// The net.
    pub net: Net,
    /// The users of each node; one more entry at the end.
    pub fans: Vec<Fan>,
    /// Gates (counted from 0), by the node they hang on.
    pub targets: Vec<u32>,
    /// Packed [`Sink`]s, by the node they hang on.
    pub sinks: Vec<u32>,
    /// Literals that must hold beside the legal propositions of some inputs; the first is always true.
    pub guards: Vec<Lit>,
    /// Per input the number of its guard.
    pub guard_of: Vec<u32>,
    /// First goal of each role in the numbering of [`Sink::Goal`].
    pub goal_start: Vec<usize>,
}

impl Topology {
    /// The flat form of a net.
    #[must_use]
    pub fn new(net: Net) -> Self {
        let guard_of = vec![0; net.inputs()];
        Self::with_guards(Guarded { net, guards: vec![Lit::TRUE], guard_of })
    }

    /// The flat form of a net with guards.
    #[must_use]
    pub fn with_guards(guarded: Guarded) -> Self {
        let Guarded { net, guards, guard_of } = guarded;
        let nodes = net.nodes();
        let mut plain: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        let mut inverse: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        for g in 0..net.gates() {
            for l in net.gate(g) {
                let list = if l.inverted() { &mut inverse } else { &mut plain };
                list[l.node()].push(g as u32);
            }
        }
        let mut sinks_of: Vec<Vec<u32>> = vec![Vec::new(); nodes];
        let mut sink = |lit: Lit, s: Sink| {
            if !lit.is_constant() {
                sinks_of[lit.node()].push(s.pack());
            }
        };
        net.transitions.iter().enumerate().for_each(|(n, &l)| sink(l, Sink::Transition(n as u32)));
        net.legal.iter().enumerate().for_each(|(n, &l)| sink(l, Sink::Legal(n as u32)));
        sink(net.terminal, Sink::Terminal);
        guards.iter().enumerate().for_each(|(n, &l)| sink(l, Sink::Guard(n as u32)));
        let mut goal_start = vec![0];
        for role in &net.goals {
            let first = goal_start[goal_start.len() - 1];
            role.iter().enumerate().for_each(|(n, &l)| sink(l, Sink::Goal((first + n) as u32)));
            goal_start.push(first + role.len());
        }
        let (mut fans, mut targets, mut sinks) = (Vec::with_capacity(nodes + 1), Vec::new(), Vec::new());
        for n in 0..nodes {
            let start = targets.len() as u32;
            targets.extend_from_slice(&plain[n]);
            let plain = targets.len() as u32;
            targets.extend_from_slice(&inverse[n]);
            fans.push(Fan { start, plain, inverse: targets.len() as u32, sink: sinks.len() as u32 });
            sinks.extend_from_slice(&sinks_of[n]);
        }
        let end = targets.len() as u32;
        fans.push(Fan { start: end, plain: end, inverse: end, sink: sinks.len() as u32 });
        let numbering = NumberingId::new();
        Self { numbering, net, fans, targets, sinks, guards, guard_of, goal_start }
    }

    /// The conditions for an input to be legal: its legal proposition and its guard.
    #[must_use]
    pub fn legal_pair(&self, input: usize) -> [Lit; 2] {
        [self.net.legal[input], self.guards[self.guard_of[input] as usize]]
    }

    /// The values of all nodes for a state and inputs, by one ordered pass.
    #[must_use]
    pub fn evaluate(&self, state: &Bases, inputs: &[u32]) -> Vec<bool> {
        let net = &self.net;
        let mut values = vec![false; net.nodes()];
        state.ones().filter(|&b| b < net.bases()).for_each(|b| values[net.base_node(b)] = true);
        inputs.iter().for_each(|&i| values[net.input_node(i as usize)] = true);
        for g in 0..net.gates() {
            values[net.first_gate() + g] = net.gate(g).iter().all(|l| values[l.node()] ^ l.inverted());
        }
        values
    }
}
