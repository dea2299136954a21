//! Differential propagation with counters in flat arrays, the state outside the net: the one for trees and for the
//! played line.
//!
//! # Source
//! The seed, "Optimizing input querying" and reply 3 (deferred reset); guide propnet-facts, "Sancho" (external
//! representation, triggers for transitions and legal propositions).
//!
//! # Notation
//! `count` of a gate is its true inputs minus its inputs: 0 when it is true, negative when not, so the sign bit is the
//! (inverted) output. `on` is the output its outputs were last told.
//!
//! # Steps
//! 1. a state is entered by flipping the bases in its XOR with the current one;
//! 2. a flipped node adds to or subtracts from the counters of the gates it reaches; a gate that crosses zero is
//!    queued;
//! 3. a queued gate that still differs from what it last told flips (one that crossed back does nothing);
//! 4. a flip toggles the outputs that hang on the node: a bit of the next state, a place in a role's list of legal
//!    moves, terminal, a goal;
//! 5. a move sets the new inputs, then resets the old ones, in one wave.
//!
//! # Cost
//! A few nanoseconds per edge of a flipped node. Nothing is allocated after the start.

use super::topology::Sink;
use super::{Propagator, Topology};
use crate::machine::State;
use std::sync::Arc;

const NOWHERE: u32 = u32::MAX;

/// The flat differential propagator.
#[derive(Clone, Debug)]
pub struct Differential {
    topology: Arc<Topology>,
    deferred: bool,
    state: State,
    next: State,
    count: Vec<i32>,
    on: Vec<bool>,
    queue: Vec<u32>,
    /// The input of each role that is set, [`NOWHERE`] if none.
    set: Vec<u32>,
    terminal: bool,
    goals: Vec<bool>,
    legal: LegalLists,
    /// Edges touched since the start: the measure of activity.
    pub touched: u64,
    flips: Vec<u32>,
}

/// The legal inputs of every role, kept by swapping with the last.
#[derive(Clone, Debug)]
struct LegalLists {
    /// One stretch per role, as in `role_start`.
    list: Vec<u32>,
    length: Vec<u32>,
    place: Vec<u32>,
    role: Vec<u32>,
    start: Vec<u32>,
}

impl LegalLists {
    fn toggle(&mut self, input: u32) {
        let role = self.role[input as usize] as usize;
        let start = self.start[role];
        let place = self.place[input as usize];
        if place == NOWHERE {
            let at = start + self.length[role];
            self.list[at as usize] = input;
            self.place[input as usize] = at;
            self.length[role] += 1;
        } else {
            self.length[role] -= 1;
            let last = self.list[(start + self.length[role]) as usize];
            self.list[place as usize] = last;
            self.place[last as usize] = place;
            self.place[input as usize] = NOWHERE;
        }
    }

    fn of(&self, role: usize) -> &[u32] {
        let start = self.start[role] as usize;
        &self.list[start..start + self.length[role] as usize]
    }
}

impl Differential {
    /// In the initial state; `deferred` leaves the inputs of a move set until the next one.
    #[must_use]
    pub fn new(topology: Arc<Topology>, deferred: bool) -> Self {
        let net = &topology.net;
        let state = net.names.initial.clone();
        let values = topology.evaluate(&state, &[]);
        let on: Vec<bool> = values[net.first_gate()..].to_vec();
        let count = (0..net.gates())
            .map(|g| -(net.gate(g).iter().filter(|l| !(values[l.node()] ^ l.inverted())).count() as i32))
            .collect();
        let roles = net.names.roles.len();
        let mut role = vec![0; net.inputs()];
        (0..roles).for_each(|r| net.inputs_of(r).for_each(|i| role[i] = r as u32));
        let mut legal = LegalLists {
            list: vec![0; net.inputs()],
            length: vec![0; roles],
            place: vec![NOWHERE; net.inputs()],
            role,
            start: net.names.role_start.iter().map(|&s| s as u32).collect(),
        };
        let value = |l: &crate::net::Lit| values[l.node()] ^ l.inverted();
        (0..net.inputs()).filter(|&i| value(&net.legal[i])).for_each(|i| legal.toggle(i as u32));
        let mut next = State::with_capacity(net.bases());
        net.transitions.iter().enumerate().for_each(|(b, l)| next.set(b, value(l)));
        Self {
            deferred,
            terminal: value(&net.terminal),
            goals: net.goals.iter().flatten().map(value).collect(),
            queue: vec![0; net.gates() + 64],
            set: vec![NOWHERE; roles],
            state,
            next,
            count,
            on,
            legal,
            touched: 0,
            flips: Vec::new(),
            topology,
        }
    }

    /// The legal inputs of a role.
    #[must_use]
    pub fn legal_list(&self, role: usize) -> &[u32] {
        self.legal.of(role)
    }

    /// Flips a node that rose or fell: steps 2 and 4. Returns the new end of the queue.
    #[inline]
    fn flip(&mut self, node: usize, rise: bool, mut tail: usize) -> usize {
        let topology = &*self.topology;
        let fan = topology.fans[node];
        let sinks = fan.sink as usize..topology.fans[node + 1].sink as usize;
        let all = &topology.targets[fan.start as usize..fan.inverse as usize];
        self.touched += all.len() as u64;
        if self.queue.len() < tail + all.len() {
            self.queue.resize(2 * (tail + all.len()), 0);
        }
        let (plain, inverse) = all.split_at((fan.plain - fan.start) as usize);
        let (up, down) = if rise { (plain, inverse) } else { (inverse, plain) };
        for &g in up {
            let count = &mut self.count[g as usize];
            *count += 1;
            self.queue[tail] = g;
            tail += usize::from(*count == 0);
        }
        for &g in down {
            let count = &mut self.count[g as usize];
            *count -= 1;
            self.queue[tail] = g;
            tail += usize::from(*count == -1);
        }
        for &packed in &topology.sinks[sinks] {
            match Sink::unpack(packed) {
                Sink::Transition(base) => self.next.toggle(base as usize),
                Sink::Legal(input) => self.legal.toggle(input),
                Sink::Terminal => self.terminal = !self.terminal,
                Sink::Goal(n) => self.goals[n as usize] = !self.goals[n as usize],
            }
        }
        tail
    }

    /// Step 3, until nothing is queued.
    fn settle(&mut self, mut tail: usize) {
        let first_gate = self.topology.net.first_gate();
        let mut head = 0;
        while head < tail {
            let gate = self.queue[head] as usize;
            head += 1;
            let now = self.count[gate] == 0;
            if now != self.on[gate] {
                self.on[gate] = now;
                tail = self.flip(first_gate + gate, now, tail);
            }
        }
    }

    /// Step 5.
    fn set_inputs(&mut self, inputs: &[u32]) {
        let first = self.topology.net.input_node(0);
        let mut tail = 0;
        for (role, &input) in inputs.iter().enumerate() {
            let old = std::mem::replace(&mut self.set[role], input);
            if old != input {
                tail = self.flip(first + input as usize, true, tail);
                if old != NOWHERE {
                    tail = self.flip(first + old as usize, false, tail);
                }
            }
        }
        self.settle(tail);
    }

    fn reset_inputs(&mut self) {
        let first = self.topology.net.input_node(0);
        let mut tail = 0;
        for role in 0..self.set.len() {
            let old = std::mem::replace(&mut self.set[role], NOWHERE);
            if old != NOWHERE {
                tail = self.flip(first + old as usize, false, tail);
            }
        }
        self.settle(tail);
    }

    /// Step 1 with `self.flips` holding the bases to flip.
    fn flip_bases(&mut self) {
        let flips = std::mem::take(&mut self.flips);
        let mut tail = 0;
        for &base in &flips {
            let rise = !self.state.contains(base as usize);
            self.state.toggle(base as usize);
            tail = self.flip(1 + base as usize, rise, tail);
        }
        self.flips = flips;
        self.settle(tail);
    }
}

/// The positions of the bits in which two sets of one length differ.
fn differences(a: &State, b: &State, out: &mut Vec<u32>) {
    out.clear();
    for (n, (&x, &y)) in a.as_slice().iter().zip(b.as_slice()).enumerate() {
        let mut bits = x ^ y;
        while bits != 0 {
            out.push((n * usize::BITS as usize) as u32 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

impl Propagator for Differential {
    fn enter(&mut self, state: &State) {
        let mut flips = std::mem::take(&mut self.flips);
        differences(&self.state, state, &mut flips);
        self.flips = flips;
        self.flip_bases();
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn terminal(&mut self) -> bool {
        self.terminal
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        self.legal.of(role)
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        self.goals[self.topology.goal_start[role] + value]
    }

    fn successor(&mut self, inputs: &[u32]) -> &State {
        self.set_inputs(inputs);
        &self.next
    }

    fn advance(&mut self, inputs: &[u32]) {
        self.set_inputs(inputs);
        let mut flips = std::mem::take(&mut self.flips);
        differences(&self.state, &self.next, &mut flips);
        self.flips = flips;
        if !self.deferred {
            self.reset_inputs();
        }
        self.flip_bases();
    }
}
