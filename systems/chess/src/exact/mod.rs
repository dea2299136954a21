//! The exact mode: a search of fixed depth without selectivity, which evaluates material. Under the exact scheme, its
//! value is the minimax value of this depth with the game history, even with a transposition table.
//!
//! # Source
//! The definition in the README of the project's repetition suite. [`mod@reference`] is this definition as a program.
//!
//! [`search`] is the search with a table, generic over detector and keeper. [`mod@reference`] is the oracle, which has
//! no table. [`explain`] records the [`tree`] of a search. [`random`] makes small positions with random games for
//! property tests.

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
