//! From an output back to the bases it needs, every answer kept until the state or the inputs change.

use super::{Propagator, Topology};
use crate::machine::State;
use crate::net::Lit;
use std::sync::Arc;

/// The backward propagator.
#[derive(Debug)]
pub struct Backward {
    topology: Arc<Topology>,
    state: State,
    inputs: Vec<u32>,
    /// Twice the generation in which a node was answered, plus its value.
    memo: Vec<u64>,
    generation: u64,
    stack: Vec<(usize, usize)>,
    legal: Vec<u32>,
    next: State,
}

impl Backward {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let state = topology.net.names.initial.clone();
        let memo = vec![0; topology.net.nodes()];
        let next = state.clone();
        Self {
            topology,
            state,
            inputs: Vec::new(),
            memo,
            generation: 1,
            stack: Vec::new(),
            legal: Vec::new(),
            next,
        }
    }

    fn known(&self, node: usize) -> Option<bool> {
        let net = &self.topology.net;
        if node >= net.first_gate() {
            (self.memo[node] >> 1 == self.generation).then_some(self.memo[node] & 1 == 1)
        } else if node >= net.input_node(0) {
            Some(self.inputs.contains(&((node - net.input_node(0)) as u32)))
        } else {
            Some(node > 0 && self.state.contains(node - 1))
        }
    }

    fn ask(&mut self, lit: Lit) -> bool {
        if let Some(known) = self.known(lit.node()) {
            return known ^ lit.inverted();
        }
        self.stack.push((lit.node(), 0));
        while let Some(&(node, edge)) = self.stack.last() {
            let gate = self.topology.net.gate(node - self.topology.net.first_gate());
            let answer = match gate.get(edge) {
                None => Some(true),
                Some(l) => match self.known(l.node()) {
                    Some(value) if value ^ l.inverted() => {
                        self.stack.last_mut().expect("just seen").1 += 1;
                        None
                    }
                    // One false input decides.
                    Some(_) => Some(false),
                    None => {
                        self.stack.push((l.node(), 0));
                        None
                    }
                },
            };
            if let Some(value) = answer {
                self.memo[node] = self.generation << 1 | u64::from(value);
                self.stack.pop();
            }
        }
        self.known(lit.node()).expect("just answered") ^ lit.inverted()
    }
}

impl Propagator for Backward {
    fn enter(&mut self, state: &State) {
        self.state.clone_from(state);
        self.inputs.clear();
        self.generation += 1;
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn terminal(&mut self) -> bool {
        self.ask(self.topology.net.terminal)
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        self.legal.clear();
        for input in self.topology.net.inputs_of(role) {
            let [legal, guard] = self.topology.legal_pair(input);
            if self.ask(guard) && self.ask(legal) {
                self.legal.push(input as u32);
            }
        }
        &self.legal
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        self.ask(self.topology.net.goals[role][value])
    }

    fn successor(&mut self, inputs: &[u32]) -> &State {
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
        self.generation += 1;
        for base in 0..self.topology.net.bases() {
            let value = self.ask(self.topology.net.transitions[base]);
            self.next.set(base, value);
        }
        self.inputs.clear();
        self.generation += 1;
        &self.next
    }

    fn advance(&mut self, inputs: &[u32]) {
        let next = self.successor(inputs).clone();
        self.enter(&next);
    }
}
