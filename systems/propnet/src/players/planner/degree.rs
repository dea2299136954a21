//! The degree, between 0 and 1, to which the target (a terminal state with the wanted goal) holds in a state.
//!
//! # Source
//! S. Schiffel and M. Thielscher, "Fluxplayer: a successful general game player" (2007), section 4: the goal as a fuzzy
//! formula.
//!
//! # Steps
//! Each gate has a degree of truth and a degree of falsity. Its truth is the mean of the truths of its inputs. Its
//! falsity is the greatest falsity among its inputs.
//!
//! # Departures
//! Fluxplayer takes a norm in place of the mean. A mean counts how many parts of a goal are met.

use super::view::View;
use crate::net::{Bases, Lit};
use crate::propagate::code::cone;

/// Works degrees out; keeps its scratch memory.
pub(super) struct Degree {
    /// The gates that the target rests on, in order.
    gates: Vec<u32>,
    /// Bases that the target rests on.
    bases: Vec<u32>,
    target: [Lit; 2],
    /// Per node its degrees of truth and of falsity.
    degrees: Vec<[f32; 2]>,
}

impl Degree {
    pub(super) fn new(view: &View) -> Self {
        let net = view.possible.net();
        let target = view.possible.target();
        let needed = cone(net, target.into_iter());
        let gates = (0..net.gates()).filter(|g| needed[net.first_gate() + g]).map(|g| g as u32).collect();
        let bases = (0..net.bases()).filter(|b| needed[1 + b]).map(|b| b as u32).collect();
        Self { gates, bases, target, degrees: vec![[0.0, 1.0]; net.nodes()] }
    }

    fn literal(&self, lit: Lit) -> [f32; 2] {
        let [truth, falsity] = self.degrees[lit.node()];
        if lit.inverted() { [falsity, truth] } else { [truth, falsity] }
    }

    /// The degree of a state.
    pub(super) fn of(&mut self, view: &View, state: &Bases) -> f32 {
        let net = view.possible.net();
        for &base in &self.bases {
            let holds = f32::from(u8::from(state.contains(base as usize)));
            self.degrees[1 + base as usize] = [holds, 1.0 - holds];
        }
        for &gate in &self.gates {
            let inputs = net.gate(gate as usize);
            let (mut sum, mut most) = (0.0, 0.0_f32);
            for &lit in inputs {
                let [truth, falsity] = self.literal(lit);
                sum += truth;
                most = most.max(falsity);
            }
            let mean = if inputs.is_empty() { 1.0 } else { sum / inputs.len() as f32 };
            self.degrees[net.first_gate() + gate as usize] = [mean, most];
        }
        // The goal counts, and whether the game is over does not: many games end by time.
        self.literal(self.target[1])[0]
    }
}
