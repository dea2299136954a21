//! The layout of a net for the differential propagators.

use super::Topology;

/// The way a differential propagator computes goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goals {
    /// The gates that only goals need are computed on demand: best for long games.
    #[default]
    Asked,
    /// These gates are kept up to date: best if goals are large and a move changes little of them.
    Kept,
}

/// The users of a node: ends of consecutive ranges of [`Wiring::links`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fan {
    /// The start of the first range: twice each gate that counts the node, plus one if it counts the inverse.
    pub(super) start: u32,
    /// The end of those that count the node as it is, which come first.
    pub(super) plain: u32,
    /// The end of the first range. Next come packed sinks: twice a base for a transition, twice an input plus one for a
    /// legal proposition.
    pub(super) gates: u32,
    /// The end of the second range.
    pub(super) sinks: u32,
}

/// The read-only part of a differential propagator.
#[derive(Debug)]
pub(super) struct Wiring {
    /// The users of each node.
    pub(super) fans: Box<[Fan]>,
    /// The links that the users' ranges index.
    pub(super) links: Box<[u32]>,
    /// For each node whether it is a gate that only goals need. Such gates have no links; they are computed on demand.
    pub(super) asked: Box<[bool]>,
}

impl Wiring {
    /// Lays out a net.
    pub(super) fn new(topology: &Topology, goals: Goals) -> Self {
        let net = &topology.net;
        let asked = match goals {
            Goals::Asked => only_for_goals(topology),
            Goals::Kept => vec![false; net.nodes()],
        };
        // Per node: gates with it as it is, gates with its inverse, sinks.
        let mut lists: Vec<[Vec<u32>; 3]> = vec![Default::default(); net.nodes()];
        for node in (net.first_gate()..net.nodes()).filter(|&node| !asked[node]) {
            for l in net.gate(node - net.first_gate()) {
                let inverted = u32::from(l.inverted());
                lists[l.node()][inverted as usize].push(2 * node as u32 + inverted);
            }
        }
        for (base, l) in net.transitions.iter().enumerate() {
            lists[l.node()][2].push(2 * base as u32);
        }
        for (input, l) in net.legal.iter().enumerate() {
            lists[l.node()][2].push(2 * input as u32 + 1);
        }
        // The constant never flips.
        lists[0][2].clear();
        let mut links = Vec::new();
        let mut fans = Vec::with_capacity(net.nodes());
        for of_node in &lists {
            let start = links.len() as u32;
            let [plain, gates, sinks] = std::array::from_fn(|n| {
                links.extend_from_slice(&of_node[n]);
                links.len() as u32
            });
            fans.push(Fan { start, plain, gates, sinks });
        }
        Self { fans: fans.into(), links: links.into(), asked: asked.into() }
    }
}

/// The gates that neither terminal nor a legal proposition nor a transition needs.
fn only_for_goals(topology: &Topology) -> Vec<bool> {
    let net = &topology.net;
    let mut needed = vec![false; net.nodes()];
    let outputs = net.transitions.iter().chain(&net.legal).chain([&net.terminal]).chain(&topology.guards);
    outputs.for_each(|l| needed[l.node()] = true);
    for g in (0..net.gates()).rev() {
        if needed[net.first_gate() + g] {
            net.gate(g).iter().for_each(|l| needed[l.node()] = true);
        }
    }
    (0..net.nodes()).map(|n| n >= net.first_gate() && !needed[n]).collect()
}
