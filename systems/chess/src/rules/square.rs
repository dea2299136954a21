//! Finds the piece on a square of bitboards without a branch.
//!
//! # Steps
//! The six kinds of piece are numbered 1 to 6. Three unions of their bitboards hold, for every square, the three bits
//! of the number of its piece.
//!
//! # Departures
//! [`Board::piece_on`], the oracle of the test, checks one kind after the other, and stops at the first that fits. Its
//! branches are as hard to predict as the moves of a search.

use cozy_chess::{Board, Piece, Square};

/// The kinds by number. 7 cannot occur, because pieces share no square.
const BY_NUMBER: [Option<Piece>; 8] = [
    None,
    Some(Piece::Pawn),
    Some(Piece::Knight),
    Some(Piece::Bishop),
    Some(Piece::Rook),
    Some(Piece::Queen),
    Some(Piece::King),
    None,
];

/// The piece on a square, if there is one.
#[inline]
#[must_use]
pub fn piece_at(board: &Board, square: Square) -> Option<Piece> {
    let of = |piece| board.pieces(piece).0;
    let first = of(Piece::Pawn) | of(Piece::Bishop) | of(Piece::Queen);
    let second = of(Piece::Knight) | of(Piece::Bishop) | of(Piece::King);
    let third = of(Piece::Rook) | of(Piece::Queen) | of(Piece::King);
    let bit = |set: u64| (set >> square as u32) as usize & 1;
    BY_NUMBER[bit(first) | bit(second) << 1 | bit(third) << 2]
}
