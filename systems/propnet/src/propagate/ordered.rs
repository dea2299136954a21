//! Evaluates every gate once for each question, in topological order: the reference of the tests.

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::Lit;
use std::sync::Arc;

/// The ordered propagator.
#[derive(Debug)]
pub struct Ordered {
    topology: Arc<Topology>,
    state: Bases,
    values: Vec<bool>,
    legal: Vec<u32>,
    next: Bases,
    log: Log,
}

impl Ordered {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let state = topology.net.names.initial.clone();
        let next = state.clone();
        let values = topology.evaluate(&state, &[]);
        Self { topology, state, values, legal: Vec::new(), next, log: Log::default() }
    }

    fn value(&self, lit: Lit) -> bool {
        self.values[lit.node()] ^ lit.inverted()
    }

    /// The values of all nodes; each is recorded as worked on.
    fn evaluate(&mut self, state: &Bases, inputs: &[u32]) -> Vec<bool> {
        let values = self.topology.evaluate(state, inputs);
        if self.log.is_watched() {
            values.iter().enumerate().skip(1).for_each(|(node, &value)| self.log.note(node, value));
        }
        values
    }
}

impl Propagator for Ordered {
    fn enter(&mut self, state: &Bases) {
        self.state.clone_from(state);
        self.values = self.evaluate(state, &[]);
    }

    fn state(&self) -> &Bases {
        &self.state
    }

    fn terminal(&mut self) -> bool {
        self.value(self.topology.net.terminal)
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        let is_legal = |i: &usize| self.topology.legal_pair(*i).iter().all(|&l| self.value(l));
        legal.extend(self.topology.net.inputs_of(role).filter(is_legal).map(|i| i as u32));
        self.legal = legal;
        &self.legal
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        self.value(self.topology.net.goals[role][value])
    }

    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        let state = self.state.clone();
        let values = self.evaluate(&state, inputs);
        for (base, lit) in self.topology.net.transitions.iter().enumerate() {
            self.next.set(base, values[lit.node()] ^ lit.inverted());
        }
        &self.next
    }

    fn advance(&mut self, inputs: &[u32]) {
        let next = self.successor(inputs).clone();
        self.enter(&next);
    }

    fn watch(&mut self) {
        self.log.watch();
    }

    fn visits(&mut self) -> Visits {
        self.log.visits()
    }
}
