//! Backward propagation: an evaluation that goes from an output back to the bases that it needs. Values are kept until
//! the state or the inputs change.

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::{Lit, Net};
use std::sync::Arc;

/// Answers by recursive queries, and remembers the answers.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    /// Twice the generation in which a node was answered, plus its value.
    memo: Vec<u64>,
    generation: u64,
    stack: Vec<(usize, usize)>,
    /// Inputs of gates looked at since the start.
    pub(super) looked: u64,
    /// The nodes answered.
    pub(super) log: Log,
}

impl Asker {
    /// For a net, with nothing remembered.
    pub(super) fn new(net: &Net) -> Self {
        Self { memo: vec![0; net.nodes()], generation: 1, stack: Vec::new(), looked: 0, log: Log::default() }
    }

    /// Forgets all answers.
    pub(super) fn forget(&mut self) {
        self.generation += 1;
    }

    /// The value of a literal. `given` holds the known values: at least those of all bases and inputs.
    pub(super) fn ask(&mut self, net: &Net, lit: Lit, given: impl Fn(usize) -> Option<bool>) -> bool {
        let known = |memo: &[u64], generation: u64, node: usize| {
            given(node).or_else(|| (memo[node] >> 1 == generation).then_some(memo[node] & 1 == 1))
        };
        if let Some(known) = known(&self.memo, self.generation, lit.node()) {
            return known ^ lit.inverted();
        }
        self.stack.push((lit.node(), 0));
        let mut answer = false;
        while let Some((node, edge)) = self.stack.last_mut() {
            let node = *node;
            self.looked += 1;
            let found = match net.gate(node - net.first_gate()).get(*edge) {
                None => Some(true),
                Some(l) => match known(&self.memo, self.generation, l.node()) {
                    Some(value) if value ^ l.inverted() => {
                        *edge += 1;
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
            if let Some(value) = found {
                self.memo[node] = self.generation << 1 | u64::from(value);
                self.log.note(node, value);
                self.stack.pop();
                answer = value;
            }
        }
        answer ^ lit.inverted()
    }
}

/// The backward propagator.
#[derive(Debug)]
pub struct Backward {
    topology: Arc<Topology>,
    state: Bases,
    inputs: Vec<u32>,
    asker: Asker,
    legal: Vec<u32>,
    next: Bases,
}

impl Backward {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let state = topology.net.names.initial.clone();
        let (next, asker) = (state.clone(), Asker::new(&topology.net));
        Self { topology, state, inputs: Vec::new(), asker, legal: Vec::new(), next }
    }

    fn ask(&mut self, lit: Lit) -> bool {
        let Self { topology, state, inputs, asker, .. } = self;
        let net = &topology.net;
        asker.ask(net, lit, |node| {
            if node >= net.first_gate() {
                None
            } else if node >= net.input_node(0) {
                Some(inputs.contains(&((node - net.input_node(0)) as u32)))
            } else {
                Some(node > 0 && state.contains(node - 1))
            }
        })
    }
}

impl Propagator for Backward {
    fn enter(&mut self, state: &Bases) {
        self.state.clone_from(state);
        self.inputs.clear();
        self.asker.forget();
    }

    fn state(&self) -> &Bases {
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

    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
        self.asker.forget();
        for base in 0..self.topology.net.bases() {
            let value = self.ask(self.topology.net.transitions[base]);
            self.next.set(base, value);
        }
        self.inputs.clear();
        self.asker.forget();
        &self.next
    }

    fn advance(&mut self, inputs: &[u32]) {
        let next = self.successor(inputs).clone();
        self.enter(&next);
    }

    fn watch(&mut self) {
        self.asker.log.watch();
    }

    fn visits(&mut self) -> Visits {
        self.asker.log.visits()
    }
}
