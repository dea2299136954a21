//! Zobrist keys: one random number for each stone, ko and colour to move.
//!
//! # Source
//! A. L. Zobrist, "A new hashing method with application for game playing", 1970. The numbers come from splitmix64 with
//! a fixed seed, so the same position has the same key in every run.

use super::{Color, Vertex};
use tengen_core::SplitMix64;

/// Padded length of the largest board (25): `26 * 27 + 1`, rounded up to whole words.
const MAX_PADDED: usize = 704;

/// `KEYS[k][v]`: k 0 a black stone on v, 1 a white stone on v, 2 a ko point on v.
static KEYS: [[u64; MAX_PADDED]; 3] = keys();

const fn keys() -> [[u64; MAX_PADDED]; 3] {
    let mut random = SplitMix64::new(0x7465_6e67_656e);
    let mut keys = [[0; MAX_PADDED]; 3];
    let mut k = 0;
    while k < 3 {
        let mut v = 0;
        while v < MAX_PADDED {
            keys[k][v] = random.next_u64();
            v += 1;
        }
        k += 1;
    }
    keys
}

/// The key of a stone.
#[inline]
pub(crate) fn stone(color: Color, v: Vertex) -> u64 {
    KEYS[color.index()][v.at()]
}

/// The key of a ko point; 0 for none.
#[inline]
pub(super) fn ko(v: Vertex) -> u64 {
    if v == Vertex::PASS { 0 } else { KEYS[2][v.at()] }
}

/// The key of the colour to move.
#[inline]
pub(super) const fn to_move(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => 0x9d39_247e_3377_6d41,
    }
}
