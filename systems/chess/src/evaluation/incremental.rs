//! A board with its piece-square sum and its phase, which each move updates.
//!
//! # Invariants
//! `Placed::play` gives the same result as `Placed::new` on the board after the move. A property test checks this.

use super::weights::{Pair, Weights, feature};
use crate::rules::square::piece_at;
use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};

/// A board with its incremental sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    board: Board,
    sum: Pair,
    phase: i32,
}

/// Phases of a minor piece, a rook and a queen.
///
/// Origin: source, Chess Programming Wiki, "Tapered Eval".
const PHASES: [i32; 3] = [1, 2, 4];

/// The phase of a piece.
#[inline]
#[must_use]
pub const fn phase_of(piece: Piece) -> i32 {
    match piece {
        Piece::Knight | Piece::Bishop => PHASES[0],
        Piece::Rook => PHASES[1],
        Piece::Queen => PHASES[2],
        Piece::Pawn | Piece::King => 0,
    }
}

/// The weight of a piece on a square, White's view.
#[inline]
fn worth(weights: &Weights, color: Color, piece: Piece, square: Square) -> Pair {
    let (seen, sign) = match color {
        Color::White => (square as usize, 1),
        Color::Black => (square as usize ^ 56, -1),
    };
    sign * weights.of(feature::SQUARE + piece as usize * 64 + seen)
}

impl Placed {
    /// Computes the sums from the board.
    #[must_use]
    pub fn new(board: &Board, weights: &Weights) -> Self {
        let (mut sum, mut phase) = (0, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    sum += worth(weights, color, piece, square);
                    phase += phase_of(piece);
                }
            }
        }
        Self { board: board.clone(), sum, phase }
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn play(&self, mv: Move, weights: &Weights) -> Self {
        let mut next = self.clone();
        let (board, side) = (&self.board, self.board.side_to_move());
        let moved = piece_at(board, mv.from).unwrap_or(Piece::Pawn);
        if board.colors(side).has(mv.to) {
            let (king, rook) =
                if mv.from.file() < mv.to.file() { (File::G, File::F) } else { (File::C, File::D) };
            let back = Rank::First.relative_to(side);
            next.sum += worth(weights, side, Piece::King, Square::new(king, back))
                + worth(weights, side, Piece::Rook, Square::new(rook, back))
                - worth(weights, side, Piece::King, mv.from)
                - worth(weights, side, Piece::Rook, mv.to);
        } else {
            if let Some((victim, at)) = captured(board, moved, mv) {
                next.sum -= worth(weights, !side, victim, at);
                next.phase -= phase_of(victim);
            }
            let arrived = mv.promotion.unwrap_or(moved);
            next.sum += worth(weights, side, arrived, mv.to) - worth(weights, side, moved, mv.from);
            next.phase += phase_of(arrived) - phase_of(moved);
        }
        next.board.play_unchecked(mv);
        next
    }

    /// The position after a null move, unless in check.
    #[must_use]
    pub fn play_null(&self) -> Option<Self> {
        Some(Self { board: self.board.null_move()?, ..*self })
    }

    /// The board.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Piece-square sum, White's view, packed.
    #[inline]
    #[must_use]
    pub fn sum(&self) -> Pair {
        self.sum
    }

    /// 0 to 24, more after promotions.
    #[inline]
    #[must_use]
    pub fn phase(&self) -> i32 {
        self.phase
    }
}

/// The piece that a move captures, and its square; the move is not castling.
#[inline]
#[must_use]
pub fn captured(board: &Board, moved: Piece, mv: Move) -> Option<(Piece, Square)> {
    if let Some(piece) = piece_at(board, mv.to) {
        return Some((piece, mv.to));
    }
    (moved == Piece::Pawn && mv.from.file() != mv.to.file())
        .then(|| (Piece::Pawn, Square::new(mv.to.file(), mv.from.rank())))
}
