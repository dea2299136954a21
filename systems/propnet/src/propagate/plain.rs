//! A propagator that answers every question from the values of all nodes, whichever way it keeps these values.

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::{Bases, Lit};
use std::fmt::Debug;
use std::sync::Arc;

/// The values of all nodes of a net, in one state and without inputs between two calls.
pub trait Values: Debug {
    /// The value of a node.
    fn value(&self, node: usize) -> bool;

    /// Goes from one state to another.
    fn enter(&mut self, topology: &Topology, states: [&Bases; 2], log: &mut Log);

    /// Writes down the state that follows after these inputs.
    fn successor(
        &mut self,
        topology: &Topology,
        state: &Bases,
        inputs: &[u32],
        next: &mut Bases,
        log: &mut Log,
    );
}

/// Values that change node by node.
pub trait Signals: Debug {
    /// The value of a node.
    fn value(&self, node: usize) -> bool;

    /// Sets a base or an input and propagates the change.
    fn set(&mut self, topology: &Topology, node: usize, value: bool, log: &mut Log);
}

impl<S: Signals> Values for S {
    fn value(&self, node: usize) -> bool {
        Signals::value(self, node)
    }

    fn enter(&mut self, topology: &Topology, [from, to]: [&Bases; 2], log: &mut Log) {
        for base in 0..topology.net.bases() {
            if from.contains(base) != to.contains(base) {
                self.set(topology, 1 + base, to.contains(base), log);
            }
        }
    }

    fn successor(
        &mut self,
        topology: &Topology,
        _state: &Bases,
        inputs: &[u32],
        next: &mut Bases,
        log: &mut Log,
    ) {
        let net = &topology.net;
        for &i in inputs {
            self.set(topology, net.input_node(i as usize), true, log);
        }
        for (base, lit) in net.transitions.iter().enumerate() {
            next.set(base, Signals::value(self, lit.node()) ^ lit.inverted());
        }
        for &i in inputs {
            self.set(topology, net.input_node(i as usize), false, log);
        }
    }
}

/// A propagator over such values.
#[derive(Debug)]
pub struct Plain<V> {
    topology: Arc<Topology>,
    state: Bases,
    values: V,
    legal: Vec<u32>,
    next: Bases,
    log: Log,
}

impl<V: Values> Plain<V> {
    /// In the initial state, with the values that this function makes of those of all nodes there.
    pub(super) fn of(topology: Arc<Topology>, make: impl FnOnce(&Topology, Vec<bool>) -> V) -> Self {
        let state = topology.net.names.initial.clone();
        let values = make(&topology, topology.evaluate(&state, &[]));
        let next = state.clone();
        Self { topology, state, values, legal: Vec::new(), next, log: Log::default() }
    }

    fn value(&self, lit: Lit) -> bool {
        self.values.value(lit.node()) ^ lit.inverted()
    }
}

impl<V: Values> Propagator for Plain<V> {
    fn enter(&mut self, state: &Bases) {
        self.values.enter(&self.topology, [&self.state, state], &mut self.log);
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
        self.values.successor(&self.topology, &self.state, inputs, &mut self.next, &mut self.log);
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
