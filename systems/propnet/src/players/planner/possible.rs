//! Bounds what can still become true in any future of a state, for up to 64 states at once.
//!
//! # Source
//! J. Hoffmann and B. Nebel, "The FF planning system" (2001), section 4, for plans of a relaxed problem. J. Hoffmann,
//! J. Porteous and L. Sebastia, "Ordered landmarks in planning" (2004), for facts that every plan must reach.
//!
//! # Notation
//! Each node has two bits for each lane: whether it *can hold*, and whether it *can fail*. In the first round every
//! base has the one bit of its value. The *target* is a terminal state with the goal asked for. A literal is *needed*
//! if the target cannot hold without it.
//!
//! # Steps
//! 1. A gate can hold if all its inputs can. It can fail if one of its inputs can.
//! 2. A move is open where its legal proposition can hold. A move set is open where one of its moves is.
//! 3. A base keeps its bits and also gets the bits of each of its cases whose set is open. Rounds go on until no bit is
//!    new.
//! 4. From the target down: all inputs of a gate that must hold are needed. If a gate must fail and only one of its
//!    inputs can, that input must fail.
//!
//! # Invariants
//! A bit that is missing at the end proves that no future has that value. So a state whose target cannot hold is a dead
//! end. The converse does not hold.
//!
//! # Departures
//! In FF a fact once true stays true. Here a fact keeps both values, as nets have inverted inputs.
//!
//! # Cost
//! Two operations for each edge and round, for 64 states together.

use super::split::{Case, Split};
use crate::net::{Bases, Lit, Net};
use std::sync::Arc;

/// The most states of one question.
///
/// Origin: definition, the bits of a word.
pub(super) const LANES: usize = 64;

/// A set of moves is large if it has more than this and more than half of the legal moves.
///
/// Origin: own choice, unmeasured.
const LARGE: usize = 32;

/// The most rounds; after them everything counts as possible.
///
/// Origin: own choice, unmeasured.
const MAX_ROUNDS: usize = 200;

/// The answer for one state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Outlook {
    /// The state is terminal.
    pub terminal: bool,
    /// No future reaches the target.
    pub dead: bool,
    /// Rounds until the target can hold: no plan has fewer moves.
    pub rounds: u32,
    /// Legal moves of the state.
    pub legal: u32,
    /// Moves that can become legal, those of the state included.
    pub open: u32,
    /// Facts that can change and are not needed as they are.
    pub free: u32,
}

/// Asks about states of one game.
pub(super) struct Possible {
    split: Arc<Split>,
    target: [Lit; 2],
    /// Per node whether it can hold and whether it can fail, a bit for each lane.
    bits: Vec<[u64; 2]>,
    /// Per node whether it must hold and whether it must fail.
    needed: Vec<[u64; 2]>,
    /// Per move and per move set whether it is open.
    open: Vec<u64>,
    sets: Vec<u64>,
    /// Sets of most moves; they count as open where any move is.
    large: Vec<bool>,
}

impl Possible {
    /// For the goal of the only role with this number.
    pub(super) fn new(split: Arc<Split>, goal: usize) -> Self {
        let net = &split.net;
        Self {
            target: [net.terminal, net.goals[0][goal]],
            bits: vec![[0; 2]; net.nodes()],
            needed: vec![[0; 2]; net.nodes()],
            open: vec![0; split.legal.len()],
            sets: vec![0; split.sets.len()],
            large: split.sets.iter().map(|s| s.len() > LARGE && 2 * s.len() > split.legal.len()).collect(),
            split,
        }
    }

    /// The net it asks.
    pub(super) fn net(&self) -> &Net {
        &self.split.net
    }

    /// What the target consists of: terminal, and the goal.
    pub(super) const fn target(&self) -> [Lit; 2] {
        self.target
    }

    fn both(&self, lits: [Lit; 2]) -> u64 {
        of(&self.bits, lits[0])[0] & of(&self.bits, lits[1])[0]
    }

    /// Step 1.
    fn gates(&mut self) {
        let net = &self.split.net;
        let first = net.first_gate();
        for g in 0..net.gates() {
            let (mut can_hold, mut can_fail) = (u64::MAX, 0);
            for &lit in net.gate(g) {
                let [hold, fail] = of(&self.bits, lit);
                can_hold &= hold;
                can_fail |= fail;
            }
            self.bits[first + g] = [can_hold, can_fail];
        }
    }

    /// The answers for up to [`LANES`] states, in their order.
    pub(super) fn ask<'a>(&mut self, states: impl ExactSizeIterator<Item = &'a Bases>) -> Vec<Outlook> {
        let count = states.len().min(LANES);
        let all = if count == LANES { u64::MAX } else { (1 << count) - 1 };
        let bases = self.split.cases.len();
        self.bits[0] = [0, u64::MAX];
        self.bits[1..=bases].fill([0, all]);
        for (lane, state) in states.take(LANES).enumerate() {
            for base in state.ones().filter(|&b| b < bases) {
                self.bits[1 + base] = {
                    let [hold, fail] = self.bits[1 + base];
                    [hold | 1 << lane, fail & !(1 << lane)]
                };
            }
        }
        let now: Vec<u64> = self.bits[1..=bases].iter().map(|b| b[0]).collect();
        self.open.fill(0);
        let mut outlooks = vec![Outlook::default(); count];
        let (mut reachable, mut reached) = (0, 0);
        for round in 0..MAX_ROUNDS {
            self.gates();
            let target = self.both(self.target) & all;
            if round == 0 {
                reached = target;
                let terminal = of(&self.bits, self.target[0])[0];
                outlooks.iter_mut().enumerate().for_each(|(lane, o)| o.terminal = terminal >> lane & 1 == 1);
            }
            let news = target & !reachable;
            let fresh = outlooks.iter_mut().enumerate().filter(|(lane, _)| news >> lane & 1 == 1);
            fresh.for_each(|(_, outlook)| outlook.rounds = round as u32);
            reachable |= news;
            let widened = self.widen();
            if round == 0 {
                let counts = Counter::of(self.open.iter().copied());
                outlooks.iter_mut().enumerate().for_each(|(lane, o)| o.legal = counts.lane(lane));
            }
            if !widened {
                break;
            }
            if round + 1 == MAX_ROUNDS {
                reachable = all;
            }
        }
        self.need(reachable);
        let open = Counter::of(self.open.iter().copied());
        let free = Counter::of(now.iter().enumerate().map(|(base, &now)| {
            let ([hold, fail], [must_hold, must_fail]) = (self.bits[1 + base], self.needed[1 + base]);
            now & fail & !must_hold | !now & hold & !must_fail
        }));
        for (lane, outlook) in outlooks.iter_mut().enumerate() {
            let is = |bits: u64| bits >> lane & 1 == 1;
            outlook.dead = !is(reachable) || (outlook.terminal && !is(reached));
            outlook.open = open.lane(lane);
            outlook.free = free.lane(lane);
        }
        outlooks
    }

    /// Steps 2 and 3; whether any bit is new.
    fn widen(&mut self) -> bool {
        let split = Arc::clone(&self.split);
        let mut any = 0;
        for (input, &pair) in split.legal.iter().enumerate() {
            self.open[input] |= self.both(pair);
            any |= self.open[input];
        }
        for (set, moves) in split.sets.iter().enumerate() {
            let of_moves = || moves.iter().fold(0, |bits, &m| bits | self.open[m as usize]);
            self.sets[set] = if self.large[set] { any } else { of_moves() };
        }
        let mut new = 0;
        for (base, cases) in split.cases.iter().enumerate() {
            let [mut hold, mut fail] = self.bits[1 + base];
            for case in cases {
                let (set, [can_hold, can_fail]) = (self.sets[case.set as usize], of(&self.bits, case.value));
                hold |= set & can_hold;
                fail |= set & can_fail;
            }
            let old = std::mem::replace(&mut self.bits[1 + base], [hold, fail]);
            new |= (hold ^ old[0]) | (fail ^ old[1]);
        }
        new != 0
    }

    /// Step 4, in the lanes whose target can hold.
    fn need(&mut self, lanes: u64) {
        self.needed.fill([0; 2]);
        for lit in self.target {
            self.needed[lit.node()][usize::from(lit.inverted())] |= lanes;
        }
        let net = &self.split.net;
        for g in (0..net.gates()).rev() {
            let [must_hold, must_fail] = self.needed[net.first_gate() + g];
            if must_hold | must_fail == 0 {
                continue;
            }
            let (mut one, mut more) = (0, 0);
            for &lit in net.gate(g) {
                let fail = of(&self.bits, lit)[1];
                more |= one & fail;
                one |= fail;
            }
            let only = must_fail & one & !more;
            for &lit in net.gate(g) {
                let inverted = usize::from(lit.inverted());
                let needed = &mut self.needed[lit.node()];
                needed[inverted] |= must_hold;
                needed[1 - inverted] |= only & of(&self.bits, lit)[1];
            }
        }
    }

    /// For a lane of the last question, whose state is given: sets of moves of each of which a plan makes at least one,
    /// the smallest first. Each set belongs to a fact that is needed otherwise than it is.
    pub(super) fn needs(&self, lane: usize, state: &Bases) -> Vec<Vec<u32>> {
        let is = |bits: u64| bits >> lane & 1 == 1;
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for (base, cases) in self.split.cases.iter().enumerate() {
            let holds = state.contains(base);
            if !is(self.needed[1 + base][usize::from(holds)]) {
                continue;
            }
            let changes = |case: &&Case| {
                // Bits of the value: whether it can be what the fact is not.
                is(self.sets[case.set as usize])
                    && is(of(&self.bits, case.value)[usize::from(holds)])
                    && !self.keeps(case.value, base, holds)
            };
            let moves = cases.iter().filter(changes).flat_map(|c| &self.split.sets[c.set as usize]);
            let mut moves: Vec<u32> = moves.copied().filter(|&m| is(self.open[m as usize])).collect();
            moves.sort_unstable();
            sets.push(moves);
        }
        sets.retain(|s| !s.is_empty());
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        sets.dedup();
        sets
    }

    /// Whether a fact that has a value keeps it if a literal is its next value; told by the gate at the literal alone.
    fn keeps(&self, next: Lit, base: usize, holds: bool) -> bool {
        let own = Lit::of(1 + base);
        if next == own {
            return true;
        }
        let net = &self.split.net;
        let Some(gate) = next.node().checked_sub(net.first_gate()) else { return false };
        // A gate that fails with one of its inputs: the fact as it is, or its inverse.
        let blocked = net.gate(gate).contains(&own.xor(holds));
        blocked && next.inverted() == holds
    }
}

/// The bits of a literal.
#[inline(always)]
fn of(bits: &[[u64; 2]], lit: Lit) -> [u64; 2] {
    let [hold, fail] = bits[lit.node()];
    if lit.inverted() { [fail, hold] } else { [hold, fail] }
}

/// Counts of set bits in each lane: bit k of a count stands in plane k.
struct Counter([u64; 24]);

impl Counter {
    fn of(masks: impl Iterator<Item = u64>) -> Self {
        let mut planes = [0; 24];
        for mut carry in masks {
            for plane in &mut planes {
                if carry == 0 {
                    break;
                }
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        Self(planes)
    }

    fn lane(&self, lane: usize) -> u32 {
        self.0.iter().enumerate().map(|(k, plane)| ((plane >> lane & 1) as u32) << k).sum()
    }
}
