//! Differential propagation with counters in flat arrays and the state outside the net, for tree searches and for
//! playing move by move.
//!
//! # Source
//! S. Draper and A. Rose, "Propnet basics" (2014), section "Optimizing input querying" and reply 3 (deferred reset).
//! Sancho, the player of the same authors, has the external representation, and triggers for transitions and legal
//! propositions. It also resets from a saved state and computes goals separately.
//!
//! # Notation
//! `count` of a gate is the number of its true inputs minus the number of its inputs. It is 0 if the gate is true, and
//! negative otherwise. The *cell* of a gate is twice its count, plus one if its outputs were last told that it is true.
//! The cell of a base or an input is its value.
//!
//! # Steps
//! 1. To enter a state, the bases in its XOR with the current one flip. The first state of a game is copied.
//! 2. A flipped node adds to or subtracts from the counters of the gates it reaches. A gate that crosses zero is
//!    queued.
//! 3. A queued gate flips if its value still differs from the value that it last told. A gate that crossed back does
//!    nothing.
//! 4. A flip toggles the outputs of the node: a bit of the next state, or a place in a role's list of legal moves.
//! 5. A move sets the new inputs, then resets the old ones, in one wave.
//! 6. With [`Goals::Asked`] these steps leave out gates that only goals need. Goals are computed on demand (see
//!    [`super::backward`]).
//!
//! # Cost
//! A few nanoseconds for each edge of a flipped node. Nothing is allocated after the start.

use super::backward::Asker;
use super::legal_lists::LegalLists;
use super::watch::Visits;
pub use super::wiring::Goals;
use super::wiring::Wiring;
use super::{Propagator, Topology};
use crate::net::Bases;
use crate::net::Lit;
use std::sync::Arc;

const NOWHERE: u32 = u32::MAX;

/// A list of gates up to this length is walked in one loop. Own choice by measurement.
const SHORT: usize = 6;

/// The flat differential propagator.
#[derive(Clone, Debug)]
pub struct Differential {
    topology: Arc<Topology>,
    wiring: Arc<Wiring>,
    deferred: bool,
    at: Position,
    /// The state that games start from, once known.
    start: Option<Box<Position>>,
    queue: Vec<u32>,
    flips: Vec<u32>,
    asker: Asker,
    /// Links of flipped nodes since the start.
    touched: u64,
    /// Nodes that were queued since the start.
    queued: u64,
}

/// All data that change with the state.
#[derive(Clone, Debug)]
struct Position {
    state: Bases,
    next: Bases,
    cells: Vec<i16>,
    /// The input of each role that is set, [`NOWHERE`] if none.
    set: Vec<u32>,
    legal: LegalLists,
}

impl Position {
    fn copy_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.next.clone_from(&other.next);
        self.cells.clone_from(&other.cells);
        self.set.clone_from(&other.set);
        self.legal.copy_from(&other.legal);
    }
}

impl Differential {
    /// In the initial state; `deferred` leaves the inputs of a move set until the next one.
    #[must_use]
    pub fn new(topology: Arc<Topology>, deferred: bool, goals: Goals) -> Self {
        let wiring = Wiring::new(&topology, goals);
        let net = &topology.net;
        let state = net.names.initial.clone();
        let values = topology.evaluate(&state, &[]);
        let holds = |l: Lit| values[l.node()] ^ l.inverted();
        let mut cells: Vec<i16> = values.iter().map(|&v| i16::from(v)).collect();
        for g in 0..net.gates() {
            let missing = net.gate(g).iter().filter(|&&l| !holds(l)).count();
            cells[net.first_gate() + g] -= 2 * i16::try_from(missing).expect("the fan-in is limited");
        }
        let mut legal = LegalLists::new(&topology);
        (0..net.inputs()).filter(|&i| holds(net.legal[i])).for_each(|i| legal.toggle(i as u32));
        let mut next = Bases::with_capacity(net.bases());
        net.transitions.iter().enumerate().for_each(|(b, &l)| next.set(b, holds(l)));
        let set = vec![NOWHERE; net.names.roles.len()];
        Self {
            at: Position { state, next, cells, set, legal },
            start: None,
            deferred,
            queue: vec![0; net.gates() + 64],
            flips: Vec::new(),
            asker: Asker::new(net),
            touched: 0,
            queued: 0,
            wiring: Arc::new(wiring),
            topology,
        }
    }

    /// Links of flipped nodes and inputs looked at for goals since the start: the measure of activity.
    #[must_use]
    pub fn activity(&self) -> u64 {
        self.touched + self.asker.looked
    }

    /// Nodes that were queued since the start.
    #[must_use]
    pub fn queued(&self) -> u64 {
        self.queued
    }

    /// Flips a node that rose or fell: steps 2 and 4. Returns the new end of the queue.
    #[inline(always)]
    fn flip(&mut self, node: usize, rise: bool, mut tail: usize) -> usize {
        let wiring = &*self.wiring;
        let at = &mut self.at;
        let fan = wiring.fans[node];
        let gates = &wiring.links[fan.start as usize..fan.gates as usize];
        self.touched += u64::from(fan.sinks - fan.start);
        let room = tail + gates.len();
        if self.queue.len() <= room {
            self.queue.resize(2 * room, 0);
        }
        let (cells, queue) = (&mut at.cells[..], &mut self.queue[..]);
        // A gate crosses zero if the higher of its counts is zero.
        if gates.len() <= SHORT {
            // The length of one loop is guessed wrongly half as often as those of two.
            let fall = u32::from(!rise);
            for &link in gates {
                let gate = link >> 1;
                let before = cells[gate as usize];
                let cell = before + 2 - 4 * ((link ^ fall) & 1) as i16;
                cells[gate as usize] = cell;
                queue[tail] = gate;
                tail += usize::from(before.max(cell) >> 1 == 0);
            }
        } else {
            let (plain, inverse) = gates.split_at((fan.plain - fan.start) as usize);
            let (up, down) = if rise { (plain, inverse) } else { (inverse, plain) };
            for &link in up {
                let gate = link >> 1;
                let cell = cells[gate as usize] + 2;
                cells[gate as usize] = cell;
                queue[tail] = gate;
                tail += usize::from(cell >> 1 == 0);
            }
            for &link in down {
                let gate = link >> 1;
                let cell = cells[gate as usize] - 2;
                cells[gate as usize] = cell;
                queue[tail] = gate;
                tail += usize::from(cell >> 1 == -1);
            }
        }
        for &sink in &wiring.links[fan.gates as usize..fan.sinks as usize] {
            if sink & 1 == 0 {
                at.next.toggle((sink >> 1) as usize);
            } else {
                at.legal.toggle(sink >> 1);
            }
        }
        tail
    }

    /// Step 3, until nothing is queued.
    fn settle(&mut self, tail: usize) {
        if self.asker.log.is_watched() { self.settle_as::<true>(tail) } else { self.settle_as::<false>(tail) }
    }

    fn settle_as<const WATCHED: bool>(&mut self, mut tail: usize) {
        let mut head = 0;
        while head < tail {
            let node = self.queue[head] as usize;
            head += 1;
            let cell = self.at.cells[node];
            let now = cell >> 1 == 0;
            if WATCHED {
                self.asker.log.note(node, now);
            }
            if now != (cell & 1 == 1) {
                self.at.cells[node] = cell ^ 1;
                tail = self.flip(node, now, tail);
            }
        }
        self.queued += head as u64;
    }

    /// Step 5.
    fn set_inputs(&mut self, inputs: &[u32]) {
        let first = self.topology.net.input_node(0);
        let mut tail = 0;
        for (role, &input) in inputs.iter().enumerate() {
            let old = std::mem::replace(&mut self.at.set[role], input);
            if old != input {
                tail = self.set_input(first + input as usize, true, tail);
                if old != NOWHERE {
                    tail = self.set_input(first + old as usize, false, tail);
                }
            }
        }
        self.settle(tail);
    }

    #[inline]
    fn set_input(&mut self, node: usize, value: bool, tail: usize) -> usize {
        self.at.cells[node] = i16::from(value);
        self.asker.log.note(node, value);
        self.flip(node, value, tail)
    }

    fn reset_inputs(&mut self) {
        let first = self.topology.net.input_node(0);
        let mut tail = 0;
        for role in 0..self.at.set.len() {
            let old = std::mem::replace(&mut self.at.set[role], NOWHERE);
            if old != NOWHERE {
                tail = self.set_input(first + old as usize, false, tail);
            }
        }
        self.settle(tail);
    }

    /// Step 1: flips the bases in which the state differs from `to`, or from the next state if `to` is absent.
    fn change(&mut self, to: Option<&Bases>) {
        let mut flips = std::mem::take(&mut self.flips);
        differences(&self.at.state, to.unwrap_or(&self.at.next), &mut flips);
        if !self.deferred {
            self.reset_inputs();
        }
        let mut tail = 0;
        for &base in &flips {
            let node = 1 + base as usize;
            self.at.state.toggle(base as usize);
            self.at.cells[node] ^= 1;
            self.asker.log.note(node, self.at.cells[node] == 1);
            tail = self.flip(node, self.at.cells[node] == 1, tail);
        }
        self.flips = flips;
        self.settle(tail);
        self.asker.forget();
    }

    fn value(&mut self, lit: Lit) -> bool {
        let (cells, asked) = (&self.at.cells, &self.wiring.asked);
        self.asker.ask(&self.topology.net, lit, |node| (!asked[node]).then(|| cells[node] & 1 == 1))
    }
}

#[inline]
fn holds(cells: &[i16], lit: Lit) -> bool {
    (cells[lit.node()] & 1 == 1) ^ lit.inverted()
}

/// The positions of the bits in which two sets of one length differ.
fn differences(a: &Bases, b: &Bases, out: &mut Vec<u32>) {
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
    fn enter(&mut self, state: &Bases) {
        self.change(Some(state));
    }

    fn restart(&mut self, start: &Bases) {
        match &self.start {
            Some(known) if known.state == *start => {
                self.at.copy_from(known);
                self.asker.forget();
            }
            _ => {
                self.reset_inputs();
                self.enter(start);
                self.start = Some(Box::new(self.at.clone()));
            }
        }
    }

    fn state(&self) -> &Bases {
        &self.at.state
    }

    fn terminal(&mut self) -> bool {
        holds(&self.at.cells, self.topology.net.terminal)
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        let (guards, cells) = (&self.topology.guards, &self.at.cells);
        self.at.legal.of(role, |guard| holds(cells, guards[guard as usize]))
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        self.value(self.topology.net.goals[role][value])
    }

    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        self.set_inputs(inputs);
        &self.at.next
    }

    fn advance(&mut self, inputs: &[u32]) {
        self.set_inputs(inputs);
        self.change(None);
    }

    fn watch(&mut self) {
        self.asker.log.watch();
    }

    fn visits(&mut self) -> Visits {
        self.asker.log.visits()
    }
}
