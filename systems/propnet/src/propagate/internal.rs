//! Differential propagation with counters, each component holding its own state: Sancho's first version.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), sections "Differential propagation" and "Optimizing input querying".
//!
//! # Notation
//! T, the number of true inputs, is `count` plus the number of inputs: a component is true when `count` is 0. (An OR is
//! the inverse of an AND of inverses here, see [`crate::net`]; T > 0 for it is `count` < 0.)
//!
//! # Steps
//! 1. A component adds one to T when an input rises, and subtracts one when an input falls.
//! 2. If its output changes, it tells its outputs, depth first.

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::Lit;
use std::sync::Arc;

/// A component: its state, and its users.
#[derive(Clone, Debug)]
struct Component {
    /// True inputs minus inputs; bases and inputs have the one input "set".
    count: i32,
    /// Node, and whether it has our inverse.
    outputs: Box<[(u32, bool)]>,
}

/// The propagator with state in its components.
#[derive(Debug)]
pub struct Internal {
    topology: Arc<Topology>,
    state: Bases,
    components: Vec<Component>,
    stack: Vec<(u32, bool)>,
    legal: Vec<u32>,
    next: Bases,
    log: Log,
}

impl Internal {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        let net = &topology.net;
        let state = net.names.initial.clone();
        let values = topology.evaluate(&state, &[]);
        let components = (0..net.nodes())
            .map(|node| {
                let fan = topology.fans[node];
                let to = |range: std::ops::Range<u32>, inverse| {
                    let targets = &topology.targets[range.start as usize..range.end as usize];
                    targets.iter().map(move |&g| ((net.first_gate() + g as usize) as u32, inverse))
                };
                let outputs =
                    to(fan.start..fan.plain, false).chain(to(fan.plain..fan.inverse, true)).collect();
                let count = if node < net.first_gate() {
                    i32::from(values[node]) - 1
                } else {
                    let inputs = net.gate(node - net.first_gate());
                    -(inputs.iter().filter(|l| !(values[l.node()] ^ l.inverted())).count() as i32)
                };
                Component { count, outputs }
            })
            .collect();
        let next = state.clone();
        let (stack, legal, log) = (Vec::new(), Vec::new(), Log::default());
        Self { topology, state, components, stack, legal, next, log }
    }

    fn value(&self, lit: Lit) -> bool {
        (self.components[lit.node()].count == 0) ^ lit.inverted()
    }

    fn set(&mut self, node: usize, value: bool) {
        self.stack.push((node as u32, value));
        while let Some((node, rise)) = self.stack.pop() {
            let component = &mut self.components[node as usize];
            component.count += if rise { 1 } else { -1 };
            self.log.note(node as usize, component.count == 0);
            // Step 2: it crossed between "all true" and "one missing".
            if component.count == if rise { 0 } else { -1 } {
                self.stack.extend(component.outputs.iter().map(|&(to, inverse)| (to, rise != inverse)));
            }
        }
    }
}

impl Propagator for Internal {
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
