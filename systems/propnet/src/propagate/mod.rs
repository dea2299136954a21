//! The propagators: ways to propagate values through a net, behind one trait.
//!
//! # Source
//! *Basics* is S. Draper and A. Rose, "Propnet basics" (2014).
//!
//! | name | how | reference |
//! | --- | --- | --- |
//! | `naive` | a component that recalculates tells its outputs to recalculate, even if its value did not change | *Basics*, section "Forward Propagation" |
//! | `ordered` | recalculates every gate once, in topological order | the same |
//! | `backward` | an output asks its inputs, and the answers are kept | *Basics*, introduction |
//! | `internal` | differential propagation, with counters in the components | *Basics*, section "Optimizing input querying" |
//! | `differential` | the same, with counters in flat arrays outside the topology, triggers, and deferred reset of the `does` inputs | *Basics*, introduction and reply 3; Sancho |
//! | `undeferred` | the same, but the `does` inputs are reset after each transition | *Basics*, reply 3 |
//! | `compiled` | moves are masks on words, outputs are masked comparisons | see the module `compiled` |
//! | `lanes` | 64 to 512 states in the bits of machine words | see the module `lanes` |
//!
//! [`added::add`] adds a propagator under a name.
//!
//! All propagators share the invariants of the test table in `tests.rs`, which runs each of them on the same games.

pub mod added;
pub mod amaf;
pub mod backward;
pub(crate) mod block;
pub(crate) mod choose;
pub(crate) mod code;
pub mod compiled;
pub mod differential;
pub mod internal;
pub mod lanes;
mod legal_lists;
pub mod naive;
pub mod one_game;
pub(crate) mod one_game_choice;
pub mod ordered;
pub mod plain;
pub mod player;
pub mod playout;
pub mod playout_nets;
pub mod single;
#[cfg(test)]
mod tests;
pub mod topology;
pub mod watch;
mod wiring;

pub use topology::Topology;

use crate::net::Bases;
use differential::{Differential, Goals};
use std::sync::Arc;
use watch::Visits;

/// Holds one state of a net and walks through the game.
pub trait Propagator {
    /// Goes to a state: one bit per base.
    fn enter(&mut self, state: &Bases);

    /// Goes to a state from which many games start.
    fn restart(&mut self, start: &Bases) {
        self.enter(start);
    }

    /// The current state.
    fn state(&self) -> &Bases;

    /// Whether the state is terminal.
    fn terminal(&mut self) -> bool;

    /// The legal inputs of a role, in no particular order; numbers are those of the net's inputs.
    fn legal(&mut self, role: usize) -> &[u32];

    /// Whether the role gets the goal value (index as in [`crate::net::Names::goal_values`]).
    fn goal(&mut self, role: usize, value: usize) -> bool;

    /// The state after one input of each role; the propagator stays where it is.
    fn successor(&mut self, inputs: &[u32]) -> &Bases;

    /// Goes to the state after one input of each role.
    fn advance(&mut self, inputs: &[u32]);

    /// Starts a record of every node it works on, in order.
    fn watch(&mut self);

    /// Ends watching and returns the record; it is empty if watching never began.
    fn visits(&mut self) -> Visits;
}

/// The names of the propagators that hold a single state, for tables and options.
pub const NAMES: [&str; 7] =
    ["naive", "ordered", "backward", "internal", "undeferred", "differential", "compiled"];

/// The propagator with this name, in the initial state; `None` if there is none.
#[must_use]
pub fn by_name(name: &str, topology: &Arc<Topology>) -> Option<Box<dyn Propagator + Send>> {
    let shared = Arc::clone(topology);
    Some(match name {
        "naive" => Box::new(naive::Naive::new(shared)),
        "ordered" => Box::new(ordered::Ordered::new(shared)),
        "backward" => Box::new(backward::Backward::new(shared)),
        "internal" => Box::new(internal::Internal::new(shared)),
        "undeferred" => Box::new(Differential::new(shared, false, Goals::Asked)),
        "differential" => Box::new(Differential::new(shared, true, Goals::Asked)),
        "compiled" => match compiled::Compiled::new(topology) {
            Some(compiled) => Box::new(compiled),
            None => Box::new(Differential::new(shared, true, Goals::Asked)),
        },
        other => return added::by_name(other, topology),
    })
}
