//! Perft: the number of move sequences of a length, the standard proof of a move generator.
//!
//! # Cost
//! The last ply is counted, not played (bulk counting), so work is about perft(depth - 1) boards.

use cozy_chess::{Board, Move};

/// Leaves of the tree of legal moves of this depth; depth 0 is one leaf.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

/// Perft of every root move, in the generator's order.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    super::notation::legal_moves(board)
        .into_iter()
        .map(|mv| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            (mv, perft(&child, depth.saturating_sub(1)))
        })
        .collect()
}
