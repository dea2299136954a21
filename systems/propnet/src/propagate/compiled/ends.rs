//! Evaluates the goals of many ended games at once. Each bit of a word belongs to another game.
//!
//! # Steps
//! 1. The bases of an ended game are set aside.
//! 2. When a word is full, all gates that goals need are evaluated once for all of its games.
//!
//! # Cost
//! One operation for each edge, shared by 64 games. Goals that count pieces cost as much as a few moves.

use super::super::code::{Code, cone};
use super::super::player::Tally;
use super::formula::{BITS, Word};
use crate::net::{Lit, Net};

/// Games in a word.
const GAMES: u32 = u64::BITS;

/// Ended games whose goals are not counted yet.
pub(super) struct Ends {
    code: Code,
    /// Goal literals by role and value.
    goals: Vec<Vec<Lit>>,
    /// One word for each node.
    values: Vec<[u64; 1]>,
    bases: usize,
    games: u32,
}

impl Ends {
    /// For the goals of a net, with none waiting.
    pub(super) fn new(net: &Net) -> Self {
        let needed = cone(net, net.goals.iter().flatten().copied());
        let code = Code::new(net, &|n| needed[n], &|n| n as u32, net.nodes());
        let values = vec![[0]; net.nodes() + code.spares()];
        Self { code, goals: net.goals.clone(), values, bases: net.bases(), games: 0 }
    }

    /// Sets a state aside.
    pub(super) fn add(&mut self, bits: &[Word], tally: &mut Tally) {
        for (word, &bits) in bits[..self.bases.div_ceil(BITS)].iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let base = word * BITS + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                self.values[1 + base][0] |= 1 << self.games;
            }
        }
        self.games += 1;
        if self.games == GAMES {
            self.count(tally);
        }
    }

    /// Counts the goals of all states set aside.
    pub(super) fn count(&mut self, tally: &mut Tally) {
        if self.games == 0 {
            return;
        }
        self.code.evaluate(&mut self.values);
        let lanes = u64::MAX >> (GAMES - self.games);
        for (goals, counts) in self.goals.iter().zip(&mut tally.goals) {
            for (l, count) in goals.iter().zip(counts) {
                let flip = if l.inverted() { u64::MAX } else { 0 };
                *count += u64::from(((self.values[l.node()][0] ^ flip) & lanes).count_ones());
            }
        }
        self.values[1..=self.bases].fill([0]);
        self.games = 0;
    }
}
