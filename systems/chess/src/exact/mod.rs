//! Exact mode: fixed depth, no selectivity, material evaluation. With the exact scheme and a table, the value is the
//! history-aware minimax value of the same depth.
//!
//! # Source
//! The definition in the README of the project's repetition suite, as written in [`mod@reference`].
//!
//! [`search`] is the search with a table, generic over detector and keeper. [`mod@reference`] is the oracle without
//! one. [`explain`] records its [`tree`]. [`random`] makes small positions with random games for property tests.

pub mod explain;
pub mod random;
pub mod reference;
pub mod report;
pub mod search;
pub mod tree;

pub use report::{ExactOptions, ExactReport};
pub use search::{solve, solve_until};

use cozy_chess::{Board, Color, Piece};

/// Material from the side to move's view, in centipawns.
#[must_use]
pub fn material(board: &Board) -> i32 {
    let count = |color, piece| i32::try_from(board.colored_pieces(color, piece).len()).unwrap_or(0);
    let values = [
        (Piece::Pawn, 100),
        (Piece::Knight, 320),
        (Piece::Bishop, 330),
        (Piece::Rook, 500),
        (Piece::Queen, 900),
    ];
    let white: i32 = values
        .iter()
        .map(|&(piece, value)| value * (count(Color::White, piece) - count(Color::Black, piece)))
        .sum();
    if board.side_to_move() == Color::White { white } else { -white }
}

#[cfg(test)]
mod tests;
