//! An added propagator. It runs two of Tengen's propagators and compares their answers, to find faults.

use std::sync::Arc;
use tengen_propnet::net::Bases;
use tengen_propnet::propagate::naive::Naive;
use tengen_propnet::propagate::ordered::Ordered;
use tengen_propnet::propagate::watch::Visits;
use tengen_propnet::propagate::{Propagator, Topology};

struct Checked {
    naive: Naive,
    ordered: Ordered,
}

/// The propagator in its initial state.
pub(crate) fn checked(topology: Arc<Topology>) -> Box<dyn Propagator + Send> {
    Box::new(Checked { naive: Naive::new(Arc::clone(&topology)), ordered: Ordered::new(topology) })
}

impl Propagator for Checked {
    fn enter(&mut self, state: &Bases) {
        self.naive.enter(state);
        self.ordered.enter(state);
    }

    fn state(&self) -> &Bases {
        assert!(self.naive.state() == self.ordered.state(), "the states differ");
        self.naive.state()
    }

    fn terminal(&mut self) -> bool {
        let terminal = self.naive.terminal();
        assert!(terminal == self.ordered.terminal(), "`terminal` differs");
        terminal
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        let sorted = |legal: &[u32]| {
            let mut legal = legal.to_vec();
            legal.sort_unstable();
            legal
        };
        assert!(sorted(self.ordered.legal(role)) == sorted(self.naive.legal(role)), "`legal` differs");
        self.naive.legal(role)
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        let goal = self.naive.goal(role, value);
        assert!(goal == self.ordered.goal(role, value), "`goal` differs");
        goal
    }

    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        assert!(self.ordered.successor(inputs) == self.naive.successor(inputs), "the successors differ");
        self.naive.successor(inputs)
    }

    fn advance(&mut self, inputs: &[u32]) {
        self.naive.advance(inputs);
        self.ordered.advance(inputs);
    }

    fn watch(&mut self) {
        self.naive.watch();
    }

    fn visits(&mut self) -> Visits {
        self.naive.visits()
    }
}
