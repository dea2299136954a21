//! The pawn hash table. It stores the part of the evaluation that depends only on pawns and kings, from node to node.
//!
//! # Source
//! The pawn hash table in general use (Chess Programming Wiki, "Pawn Hash Table").
//!
//! # Departures
//! The kings belong to the key. So the table also keeps shield, storm and the kings' distances to passed pawns. An
//! entry holds the pawns and kings themselves, not a hash of them. So a hit is always right.
//!
//! # Cost
//! A look-up in 64 KiB replaces about a third of the counting.

use super::terms::{Frame, Sum, structure};
use super::weights::{Pair, Weights};
use cozy_chess::{BitBoard, Square};

/// The number of entries.
///
/// Origin: definition, a capacity: no value depends on it.
const ENTRIES: usize = 1 << 11;

#[derive(Clone, Copy, Debug)]
struct Entry {
    frame: Frame,
    passed: BitBoard,
    sum: Pair,
}

/// One worker's table, for one set of weights.
#[derive(Clone, Debug)]
pub struct PawnTable(Vec<Entry>);

impl Default for PawnTable {
    /// The initial entries: boards without pawns and with both kings on one square, which no position equals.
    fn default() -> Self {
        let frame = Frame { pawns: [BitBoard::EMPTY; 2], kings: [Square::A1; 2] };
        Self(vec![Entry { frame, passed: BitBoard::EMPTY, sum: 0 }; ENTRIES])
    }
}

impl PawnTable {
    /// The weight of the structure, White's view, and the passed pawns of both sides.
    #[inline]
    pub(super) fn structure(&mut self, frame: &Frame, weights: &Weights) -> (Pair, BitBoard) {
        let entry = &mut self.0[slot(frame)];
        if entry.frame != *frame {
            let mut sum = Sum { weights, total: 0 };
            let passed = structure(frame, &mut sum);
            *entry = Entry { frame: *frame, passed, sum: sum.total };
        }
        (entry.sum, entry.passed)
    }
}

fn slot(frame: &Frame) -> usize {
    let kings = (frame.kings[0] as u64) << 6 | frame.kings[1] as u64;
    let mut h = frame.pawns[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ frame.pawns[1].0;
    h = (h ^ (h >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ kings.wrapping_mul(0x94D0_49BB_1331_11EB);
    ((h ^ (h >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 53) as usize
}
