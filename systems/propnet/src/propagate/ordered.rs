//! Evaluates every gate once for each question, in topological order. The tests compare the other propagators with it.

use super::Topology;
use super::plain::{Plain, Values};
use super::watch::Log;
use crate::net::Bases;
use std::sync::Arc;

/// The ordered propagator.
pub type Ordered = Plain<Evaluated>;

/// Values that are all evaluated again for each question.
#[derive(Debug)]
pub struct Evaluated(Vec<bool>);

impl Ordered {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        Self::of(topology, |_, values| Evaluated(values))
    }
}

/// The values of all nodes; each is recorded as worked on.
fn evaluate(topology: &Topology, state: &Bases, inputs: &[u32], log: &mut Log) -> Vec<bool> {
    let values = topology.evaluate(state, inputs);
    if log.is_watched() {
        values.iter().enumerate().skip(1).for_each(|(node, &value)| log.note(node, value));
    }
    values
}

impl Values for Evaluated {
    fn value(&self, node: usize) -> bool {
        self.0[node]
    }

    fn enter(&mut self, topology: &Topology, [_, to]: [&Bases; 2], log: &mut Log) {
        self.0 = evaluate(topology, to, &[], log);
    }

    fn successor(
        &mut self,
        topology: &Topology,
        state: &Bases,
        inputs: &[u32],
        next: &mut Bases,
        log: &mut Log,
    ) {
        let values = evaluate(topology, state, inputs, log);
        for (base, lit) in topology.net.transitions.iter().enumerate() {
            next.set(base, values[lit.node()] ^ lit.inverted());
        }
    }
}
