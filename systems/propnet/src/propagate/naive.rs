//! Plain forward propagation: when a component recalculates, it reads all its inputs and asks its outputs to
//! recalculate.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), section "Forward Propagation".
//!
//! # Departures
//! A component that already waits is not queued again. Without this, the number of calls grows with the number of paths
//! through the net. As in the source, a component tells its outputs whether or not its value changed.

use super::Topology;
use super::plain::{Plain, Signals};
use super::watch::Log;
use std::collections::VecDeque;
use std::sync::Arc;

/// The naive propagator.
pub type Naive = Plain<Recalculated>;

/// Values that are recalculated on a signal.
#[derive(Debug)]
pub struct Recalculated {
    values: Vec<bool>,
    waiting: Vec<bool>,
    queue: VecDeque<u32>,
}

impl Naive {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        Self::of(topology, |topology, values| Recalculated {
            values,
            waiting: vec![false; topology.net.gates()],
            queue: VecDeque::new(),
        })
    }
}

impl Recalculated {
    fn signal(&mut self, topology: &Topology, node: usize) {
        let fan = topology.fans[node];
        for &gate in &topology.targets[fan.start as usize..fan.inverse as usize] {
            if !std::mem::replace(&mut self.waiting[gate as usize], true) {
                self.queue.push_back(gate);
            }
        }
    }
}

impl Signals for Recalculated {
    fn value(&self, node: usize) -> bool {
        self.values[node]
    }

    fn set(&mut self, topology: &Topology, node: usize, value: bool, log: &mut Log) {
        self.values[node] = value;
        log.note(node, value);
        self.signal(topology, node);
        while let Some(gate) = self.queue.pop_front() {
            self.waiting[gate as usize] = false;
            let net = &topology.net;
            let node = net.first_gate() + gate as usize;
            self.values[node] = net.gate(gate as usize).iter().all(|l| self.values[l.node()] ^ l.inverted());
            log.note(node, self.values[node]);
            self.signal(topology, node);
        }
    }
}
