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
    /// Nodes flipped since the start.
    pub flipped: u64,
    flips: Vec<u32>,
}

/// The legal inputs of every role and guard, kept by swapping with the last.
#[derive(Clone, Debug)]
struct LegalLists {
    /// One stretch per group of inputs with the same role and guard.
    list: Vec<u32>,
    /// Where each group starts.
    start: Vec<u32>,
    length: Vec<u32>,
    /// Per input its place in `list`, [`NOWHERE`] where not legal.
    place: Vec<u32>,
    /// Per input its group.
    group: Vec<u32>,
    /// Per group its guard.
    guard: Vec<u32>,
    /// First group of each role; one more at the end.
    role_groups: Vec<usize>,
    /// Per guard whether it holds.
    open: Vec<bool>,
    /// Where lists are joined if more than one group is open.
    joined: Vec<u32>,
}

impl LegalLists {
    /// Lists without an entry.
    fn new(topology: &Topology) -> Self {
        let net = &topology.net;
        let mut group = vec![0; net.inputs()];
        let (mut start, mut guard, mut role_groups, mut at) = (Vec::new(), Vec::new(), vec![0], 0);
        for role in 0..net.names.roles.len() {
            for number in 0..topology.guards.len() as u32 {
                let members = net.inputs_of(role).filter(|&i| topology.guard_of[i] == number);
                let before = at;
                for input in members {
                    group[input] = start.len() as u32;
                    at += 1;
                }
                if at > before {
                    start.push(before);
                    guard.push(number);
                }
            }
            role_groups.push(start.len());
        }
        Self {
            list: vec![0; net.inputs()],
            length: vec![0; start.len()],
            start,
            place: vec![NOWHERE; net.inputs()],
            group,
            guard,
            role_groups,
            open: vec![false; topology.guards.len()],
            joined: Vec::new(),
        }
    }

    #[inline]
    fn toggle(&mut self, input: u32) {
        let group = self.group[input as usize] as usize;
        let start = self.start[group];
        let place = self.place[input as usize];
        if place == NOWHERE {
            let at = start + self.length[group];
            self.list[at as usize] = input;
            self.place[input as usize] = at;
            self.length[group] += 1;
        } else {
            self.length[group] -= 1;
            let last = self.list[(start + self.length[group]) as usize];
            self.list[place as usize] = last;
            self.place[last as usize] = place;
            self.place[input as usize] = NOWHERE;
        }
    }

    /// The legal inputs of a role: the list of its one group that is open and not empty, or several joined.
    #[inline]
    fn of(&mut self, role: usize) -> &[u32] {
        let groups = self.role_groups[role]..self.role_groups[role + 1];
        let counts = |g: &usize| self.length[*g] > 0 && self.open[self.guard[*g] as usize];
        let mut open = groups.filter(counts);
        let Some(first) = open.next() else { return &[] };
        let stretch = |g: usize| self.start[g] as usize..(self.start[g] + self.length[g]) as usize;
        let Some(second) = open.next() else { return &self.list[stretch(first)] };
        self.joined.clear();
        for g in [first, second].into_iter().chain(open) {
            self.joined.extend_from_slice(&self.list[stretch(g)]);
        }
        &self.joined
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
        let mut legal = LegalLists::new(&topology);
        let value = |l: &crate::net::Lit| values[l.node()] ^ l.inverted();
        (0..net.inputs()).filter(|&i| value(&net.legal[i])).for_each(|i| legal.toggle(i as u32));
        topology.guards.iter().enumerate().for_each(|(n, l)| legal.open[n] = value(l));
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
            flipped: 0,
            flips: Vec::new(),
            topology,
        }
    }

    /// Flips a node that rose or fell: steps 2 and 4. Returns the new end of the queue.
    #[inline]
    fn flip(&mut self, node: usize, rise: bool, mut tail: usize) -> usize {
        let topology = &*self.topology;
        let fan = topology.fans[node];
        let sinks = fan.sink as usize..topology.fans[node + 1].sink as usize;
        let all = &topology.targets[fan.start as usize..fan.inverse as usize];
        self.touched += all.len() as u64;
        self.flipped += 1;
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
                Sink::Guard(n) => self.legal.open[n as usize] = !self.legal.open[n as usize],
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
