//! Plain forward propagation: a component told to recalculate asks all its inputs and tells its outputs.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), section "Forward Propagation".
//!
//! # Departures
//! A component that already waits is not queued again. Without this, the number of calls grows with the number of paths
//! through the net. As in the source, a component tells its outputs whether or not its value changed.

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::Lit;
use std::collections::VecDeque;
use std::sync::Arc;

/// The naive propagator.
#[derive(Debug)]
pub struct Naive {
    topology: Arc<Topology>,
    state: Bases,
    values: Vec<bool>,
    waiting: Vec<bool>,
    queue: VecDeque<u32>,
    legal: Vec<u32>,
    next: Bases,
    log: Log,
}

impl Naive {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let state = topology.net.names.initial.clone();
        let values = topology.evaluate(&state, &[]);
        let waiting = vec![false; topology.net.gates()];
        let next = state.clone();
        let (queue, legal, log) = (VecDeque::new(), Vec::new(), Log::default());
        Self { topology, state, values, waiting, queue, legal, next, log }
    }

    fn value(&self, lit: Lit) -> bool {
        self.values[lit.node()] ^ lit.inverted()
    }

    /// Sets a base or an input and propagates the change.
    fn set(&mut self, node: usize, value: bool) {
        self.values[node] = value;
        self.log.note(node, value);
        self.signal(node);
        while let Some(gate) = self.queue.pop_front() {
            self.waiting[gate as usize] = false;
            let net = &self.topology.net;
            let node = net.first_gate() + gate as usize;
            self.values[node] = net.gate(gate as usize).iter().all(|l| self.values[l.node()] ^ l.inverted());
            self.log.note(node, self.values[node]);
            self.signal(node);
        }
    }

    fn signal(&mut self, node: usize) {
        let fan = self.topology.fans[node];
        for &gate in &self.topology.targets[fan.start as usize..fan.inverse as usize] {
            if !std::mem::replace(&mut self.waiting[gate as usize], true) {
                self.queue.push_back(gate);
            }
        }
    }
}

impl Propagator for Naive {
    fn enter(&mut self, state: &Bases) {
        for base in 0..self.topology.net.bases() {
            if self.state.contains(base) != state.contains(base) {
                self.set(1 + base, state.contains(base));
            }
        }
        self.state.clone_from(state);
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
        for &i in inputs {
            self.set(self.topology.net.input_node(i as usize), true);
        }
        for base in 0..self.topology.net.bases() {
            let value = self.value(self.topology.net.transitions[base]);
            self.next.set(base, value);
        }
        for &i in inputs {
            self.set(self.topology.net.input_node(i as usize), false);
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
