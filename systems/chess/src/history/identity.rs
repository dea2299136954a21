//! The identity of positions: when two positions are the same.
//!
//! # Source
//! FIDE 9.2.3: the same player to move, the same placement and the same possible moves. So the castling rights must be
//! the same. The en-passant capture must also be the same, if one is *legal* (a capture by a pinned pawn does not
//! count).
//!
//! # Cost
//! One load from memory. After a double push of a pawn, also a legality test of at most two pawn moves.

use crate::rules::pawns::en_passant_is_legal;
use cozy_chess::Board;

/// A 64-bit key of a position's identity.
pub type Key = u64;

/// Factors for the legal en-passant file; odd, so that files give different products.
const EN_PASSANT: u64 = 0x9E37_79B9_7F4A_7C15;

/// The key of the position: equal for equal positions, and different for different ones apart from hash collisions.
#[inline]
#[must_use]
pub fn identity(board: &Board) -> Key {
    let key = board.hash_without_ep();
    match board.en_passant() {
        Some(file) if en_passant_is_legal(board) => key ^ (file as u64 + 1).wrapping_mul(EN_PASSANT),
        _ => key,
    }
}
