//! Breadth-first search: visits all states in the order of their distance. It proves the best goal of a small game.
//!
//! # Source
//! E. Moore, "The shortest path through a maze" (1959).
//!
//! # Cost
//! One step of the net for each move of each state. States are kept as words, [`MAX_BYTES`] of them at most.

use super::view::{Look, View};
use super::{Found, Plan};
use crate::net::Bases;
use hashbrown::HashTable;

/// The most memory of the states.
///
/// Origin: own choice, unmeasured.
const MAX_BYTES: usize = 256 << 20;

/// The moves of one call after which it ends early, so that the clock is asked in time.
///
/// Origin: own choice, unmeasured.
const MAX_MOVES: usize = 1_000;

/// A search from one state.
pub(super) struct Breadth {
    words: Vec<usize>,
    width: usize,
    /// Per state: where it came from, and the move.
    from: Vec<(u32, u32)>,
    known: HashTable<u32>,
    next: usize,
    full: bool,
    /// A state was left out that differs from a known one in the facts that count time.
    merged: bool,
    ends: f64,
}

impl Breadth {
    pub(super) fn new(view: &View, start: &Bases) -> Self {
        let width = start.as_slice().len();
        let mut search = Self {
            words: Vec::new(),
            width,
            from: Vec::new(),
            known: HashTable::new(),
            next: 0,
            full: false,
            merged: false,
            ends: f64::NEG_INFINITY,
        };
        search.add(view, start, (u32::MAX, u32::MAX));
        search
    }

    /// Whether every state was looked at: the best end found is the best there is.
    pub(super) fn complete(&self) -> bool {
        !self.full && !self.merged && self.next == self.from.len()
    }

    /// Whether it can go on.
    pub(super) fn open(&self) -> bool {
        self.next < self.from.len()
    }

    fn state(&self, view: &View, index: usize) -> Bases {
        let words = &self.words[index * self.width..(index + 1) * self.width];
        Bases::with_capacity_and_blocks(view.topology.net.bases(), words.iter().copied())
    }

    fn add(&mut self, view: &View, state: &Bases, from: (u32, u32)) {
        if self.words.len() * size_of::<usize>() >= MAX_BYTES {
            self.full = true;
            return;
        }
        let hash = view.key(state);
        let (words, width) = (&self.words, self.width);
        let stored = |at: u32| {
            let words = &words[at as usize * width..][..width];
            Bases::with_capacity_and_blocks(view.topology.net.bases(), words.iter().copied())
        };
        let same = |at: &u32| {
            let words = &words[*at as usize * width..][..width];
            view.same(words, state.as_slice())
        };
        if let Some(&at) = self.known.find(hash, same) {
            let known = &self.words[at as usize * width..][..width];
            self.merged |= known != state.as_slice();
        } else {
            let at = self.from.len() as u32;
            self.known.insert_unique(hash, at, |&at| view.key(&stored(at)));
            self.words.extend_from_slice(state.as_slice());
            self.from.push(from);
        }
    }

    /// Looks at up to `count` states, fewer if they have many moves. Tells the best end that is better than all before.
    pub(super) fn run(&mut self, view: &mut View, count: usize) -> Option<Found> {
        let mut found = None;
        let mut made = 0;
        for _ in 0..count {
            if !self.open() || made >= MAX_MOVES {
                break;
            }
            let at = self.next;
            self.next += 1;
            let state = self.state(view, at);
            match view.look(&state) {
                Look::End(goal) if goal > self.ends => {
                    self.ends = goal;
                    found = Some(Found { goal, plan: self.plan(at) });
                }
                Look::End(_) => {}
                Look::Moves(moves) => {
                    made += moves.len();
                    for m in moves {
                        let child = view.propagator.successor(&[m]).clone();
                        self.add(view, &child, (at as u32, m));
                    }
                }
            }
            if self.ends >= view.best_value {
                break;
            }
        }
        found
    }

    fn plan(&self, mut at: usize) -> Plan {
        let mut moves = Vec::new();
        while let Some(&(from, made)) = self.from.get(at)
            && from != u32::MAX
        {
            moves.push(made);
            at = from as usize;
        }
        moves.reverse();
        moves
    }
}
