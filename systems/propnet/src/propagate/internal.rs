//! Differential propagation with counters, in which each component holds its own state, as in Sancho's first version.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), sections "Differential propagation" and "Optimizing input querying".
//!
//! # Notation
//! T, the number of true inputs, is `count` plus the number of inputs. A component is true when `count` is 0. (An OR is
//! the inverse of an AND of inverses here, see [`crate::net`]; T > 0 for it is `count` < 0.)
//!
//! # Steps
//! 1. A component adds one to T when an input rises, and subtracts one when an input falls.
//! 2. If its output changes, it tells its outputs, depth first.

use super::Topology;
use super::plain::{Plain, Signals};
use super::watch::Log;
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
pub type Internal = Plain<Components>;

/// The components by node.
#[derive(Debug)]
pub struct Components {
    all: Vec<Component>,
    stack: Vec<(u32, bool)>,
}

impl Internal {
    /// In the initial state.
    #[must_use]
    pub fn new(topology: Arc<Topology>) -> Self {
        Self::of(topology, |topology, values| Components {
            all: components(topology, &values),
            stack: Vec::new(),
        })
    }
}

/// The components of a net whose nodes have these values.
fn components(topology: &Topology, values: &[bool]) -> Vec<Component> {
    let net = &topology.net;
    (0..net.nodes())
        .map(|node| {
            let fan = topology.fans[node];
            let to = |range: std::ops::Range<u32>, inverse| {
                let targets = &topology.targets[range.start as usize..range.end as usize];
                targets.iter().map(move |&g| ((net.first_gate() + g as usize) as u32, inverse))
            };
            let outputs = to(fan.start..fan.plain, false).chain(to(fan.plain..fan.inverse, true)).collect();
            let count = if node < net.first_gate() {
                i32::from(values[node]) - 1
            } else {
                let inputs = net.gate(node - net.first_gate());
                -(inputs.iter().filter(|l| !(values[l.node()] ^ l.inverted())).count() as i32)
            };
            Component { count, outputs }
        })
        .collect()
}

impl Signals for Components {
    fn value(&self, node: usize) -> bool {
        self.all[node].count == 0
    }

    fn set(&mut self, _topology: &Topology, node: usize, value: bool, log: &mut Log) {
        self.stack.push((node as u32, value));
        while let Some((node, rise)) = self.stack.pop() {
            let component = &mut self.all[node as usize];
            component.count += if rise { 1 } else { -1 };
            log.note(node as usize, component.count == 0);
            // Step 2: it crossed between "all true" and "one missing".
            if component.count == if rise { 0 } else { -1 } {
                self.stack.extend(component.outputs.iter().map(|&(to, inverse)| (to, rise != inverse)));
            }
        }
    }
}
