//! Moreland's secondary hash table: a small table of the keys of the open positions.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001). A node probes the table on entering. A key that is found is a draw.
//! Otherwise the key is added. On leaving, the node deletes its key.
//!
//! # Steps
//! 1. At the beginning, add the keys of the game since the last irreversible move.
//! 2. On entering a node, add its key at the first free place, starting at the key's own place (linear probing).
//! 3. On leaving the node, empty this place. Keys leave in the opposite order, so no probe chain is ever broken.
//! 4. To ask about a position, look its key up. An absent key is certainly new. A present key is counted on the key
//!    stack, which knows the policy's count and the ply.
//!
//! # Departures
//! Moreland returns a draw at once, which is policy A. Here a key is in the table once for each open occurrence of its
//! position.
//!
//! # Cost
//! One look-up for each node, and memory for 4096 open nodes. A longer line fills the table. Then every position is
//! counted on the key stack.

use super::detect::{Detect, OpenMarks};
use crate::history::{Key, Line};
use std::sync::Arc;

const PLACES: usize = 1 << 12;

/// The secondary table.
#[derive(Clone, Debug)]
pub struct SideTable {
    /// 0 is free.
    places: Vec<Key>,
    /// The places of the open nodes, in order; `None` if the table was full.
    taken: Vec<Option<u16>>,
    full: u32,
}

impl SideTable {
    fn add(&mut self, key: Key) -> Option<u16> {
        let place = self.chain(key).find(|&place| self.places[usize::from(place)] == 0)?;
        self.places[usize::from(place)] = key | 1;
        Some(place)
    }

    /// The places to try for a key, its own first.
    fn chain(&self, key: Key) -> impl Iterator<Item = u16> + use<> {
        let first = (key >> 40) as usize;
        (0..PLACES / 4).map(move |step| ((first + step) % PLACES) as u16)
    }

    fn holds(&self, key: Key) -> bool {
        self.chain(key)
            .map(|place| self.places[usize::from(place)])
            .take_while(|&there| there != 0)
            .any(|there| there == key | 1)
    }
}

impl Detect for SideTable {
    fn new(_marks: &Arc<dyn OpenMarks>, _owner: usize) -> Self {
        Self { places: vec![0; PLACES], taken: Vec::new(), full: 0 }
    }

    /// Step 1.
    fn begin(&mut self, line: &Line) {
        self.places.fill(0);
        self.taken.clear();
        self.full = 0;
        for key in line.game_keys() {
            self.full += u32::from(self.add(key).is_none());
        }
    }

    /// Step 4.
    #[inline]
    fn draw(&mut self, line: &Line) -> Option<i16> {
        if self.full > 0 || self.holds(line.key()) { line.repetition() } else { None }
    }

    /// Step 2.
    #[inline]
    fn enter(&mut self, line: &Line) {
        let place = self.add(line.key());
        self.full += u32::from(place.is_none());
        self.taken.push(place);
    }

    /// Step 3.
    #[inline]
    fn leave(&mut self, _line: &Line) {
        match self.taken.pop() {
            Some(Some(place)) => self.places[usize::from(place)] = 0,
            Some(None) => self.full -= 1,
            None => {}
        }
    }
}
