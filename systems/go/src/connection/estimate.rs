//! What the distance alone says, for questions that a search doesn't settle within its limit.
//!
//! # Notation
//! *owner* and *cutter* as in `search`. The *lasting distance* is that after the best move of one side and the best
//! answer of the other.
//!
//! # Steps
//! 1. The vertices on ways at most one longer than the shortest are the moves of both sides.
//! 2. Each pair of a move and an answer is played, and the distance measured.
//! 3. The owner is taken to join if the cutter can't keep the distance above what a single stone mends.
//!
//! # Cost
//! Some hundred distances.

use super::candidates::Moves;
use super::distance::FAR;
use super::reader::{ConnectionReader, Query};
use super::search::Answer;
use crate::board::{Board, Vertex};
use crate::tactics::Code;
use crate::tactics::ko::KoState;

/// The most moves of one side.
const WIDTH: usize = 10;

impl ConnectionReader {
    /// The owner moves first: the move with the least lasting distance, as a success if that is small.
    pub(super) fn estimate_join(&mut self, board: &mut Board, q: &Query) -> Answer {
        let mut best = (FAR, Vertex::PASS);
        for v in self.ways(board, q) {
            if board.play(q.owner, v).is_err() {
                continue;
            }
            let lasting = self.after_best_cut(board, q);
            board.undo();
            if lasting < best.0 {
                best = (lasting, v);
            }
        }
        let code = if best.0 <= LASTING { Code::Win } else { Code::Fail };
        Answer::new(code, best.1)
    }

    /// The cutter moves first: the move that keeps the owner furthest from joining.
    pub(super) fn estimate_cut(&mut self, board: &mut Board, q: &Query) -> Vertex {
        let mut best = (0, Vertex::PASS);
        for v in self.ways(board, q) {
            if board.play(q.owner.other(), v).is_err() {
                continue;
            }
            let distance = self.measure(board, q, self.limits.moves, KoState::Free);
            let safe = board.liberties(v).min(3) as u16;
            board.undo();
            let worth = u16::from(distance) * 4 + safe;
            if worth > best.0 {
                best = (worth, v);
            }
        }
        best.1
    }

    /// 1.
    fn ways(&mut self, board: &mut Board, q: &Query) -> Vec<Vertex> {
        let limit = self.limits.moves;
        let distance = self.measure(board, q, limit, KoState::Free);
        let mut moves = Moves::default();
        if distance < FAR {
            moves.join(board, q, &self.to_string, &self.to_target, (distance + 1).min(limit));
        }
        moves.in_order().take(WIDTH).collect()
    }

    fn after_best_cut(&mut self, board: &mut Board, q: &Query) -> u8 {
        let mut worst = self.measure(board, q, self.limits.moves, KoState::Free);
        for v in self.ways(board, q) {
            if board.play(q.owner.other(), v).is_ok() {
                worst = worst.max(self.measure(board, q, self.limits.moves, KoState::Free));
                board.undo();
            }
        }
        worst
    }
}

/// The greatest lasting distance that is taken as joined.
const LASTING: u8 = 2;
