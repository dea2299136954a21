//! The evaluation hash table: static evaluations that a worker stores from position to position.
//!
//! # Source
//! The evaluation hash table in general use (Chess Programming Wiki, "Evaluation Hash Table").
//!
//! # Notation
//! An entry is one word: 48 bits of the position's key, 16 bits of value. Other bits of the key choose the entry.
//!
//! # Departures
//! The transposition table holds evaluations too, but quiescence probes it only at the first ply. The evaluation hash
//! table belongs to one worker, and is small enough for a fast processor cache.
//!
//! # Cost
//! A look-up in 128 KiB replaces about fifteen hundred instructions. This happens for a sixth of the evaluations
//! (openings and tactical positions at depth 7).

use super::{PawnTable, Placed, Weights, evaluate, passed};

/// The number of entries.
///
/// Origin: definition, a capacity: no value depends on it.
const ENTRIES: usize = 1 << 14;
/// The bits of an entry that hold the value.
///
/// Origin: definition, the layout of an entry.
const VALUE: u64 = 0xFFFF;

/// One worker's evaluator, for one set of weights.
#[derive(Clone, Debug)]
pub struct Evaluator {
    entries: Vec<u64>,
    pawns: PawnTable,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self { entries: vec![0; ENTRIES], pawns: PawnTable::default() }
    }
}

impl Evaluator {
    /// [`evaluate`], with known values from the table.
    #[inline]
    #[must_use]
    pub fn evaluate(&mut self, placed: &Placed, weights: &Weights) -> i32 {
        let key = placed.board().hash_without_ep();
        let entry = self.entries[key as usize % ENTRIES];
        if (entry ^ key) & !VALUE == 0 {
            return i32::from(entry as u16 as i16);
        }
        let value = evaluate(placed, weights, &mut self.pawns);
        self.keep(key, value);
        value
    }

    /// Stores the value of a position after a null move, given the value before it.
    #[inline]
    pub fn pass(&mut self, after: &Placed, before: i32, weights: &Weights) {
        self.keep(after.board().hash_without_ep(), passed(before, weights));
    }

    #[inline]
    fn keep(&mut self, key: u64, value: i32) {
        if let Ok(short) = i16::try_from(value) {
            self.entries[key as usize % ENTRIES] = key & !VALUE | u64::from(short as u16);
        }
    }
}
