//! Finds the moves that give check without playing them.
//!
//! # Source
//! The usual *check squares* and *discovered check candidates* of the Chess Programming Wiki ("Checks").
//!
//! # Steps
//! 1. Once for each node, find the squares from which each kind of piece would attack the other king. Also find the own
//!    pieces that stand alone between that king and an own slider.
//! 2. A move gives check if it arrives on such a square, or if such a piece leaves its line.
//!
//! # Departures
//! Checks by castling, by a promotion, or along a line that an en-passant capture opens are missed.

use crate::rules::square::piece_at;
use cozy_chess::{
    BitBoard, Board, Move, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Step 1, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    /// By kind of piece, pawn to king.
    from: [BitBoard; 6],
    /// Pieces that give check by leaving a line.
    discover: BitBoard,
}

impl Checks {
    /// Step 1.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let (side, king) = (board.side_to_move(), board.king(!board.side_to_move()));
        let (occupied, own) = (board.occupied(), board.colors(board.side_to_move()));
        let diagonal = get_bishop_moves(king, occupied);
        let straight = get_rook_moves(king, occupied);
        let queens = board.pieces(Piece::Queen);
        let sliders = own
            & ((get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens))
                | (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)));
        let mut discover = BitBoard::EMPTY;
        for slider in sliders {
            let between = get_between_rays(slider, king) & occupied;
            if between.len() == 1 {
                discover |= between & own;
            }
        }
        let from = [
            get_pawn_attacks(king, !side),
            get_knight_moves(king),
            diagonal,
            straight,
            diagonal | straight,
            BitBoard::EMPTY,
        ];
        Self { king, from, discover }
    }

    /// Step 2.
    #[inline]
    #[must_use]
    pub fn gives(&self, board: &Board, mv: Move) -> bool {
        piece_at(board, mv.from).is_some_and(|piece| self.squares(piece, mv.from).has(mv.to))
    }

    /// Step 2 for all moves of a piece: the squares on which it would give check.
    #[inline]
    #[must_use]
    pub fn squares(&self, piece: Piece, from: Square) -> BitBoard {
        let direct = self.from[piece as usize];
        if self.discover.has(from) { direct | !get_line_rays(self.king, from) } else { direct }
    }

    /// Own pieces that may have a move that gives check; all other pieces have none.
    #[must_use]
    pub fn movers(&self, board: &Board) -> BitBoard {
        let own = board.colors(board.side_to_move());
        let of = |piece| board.pieces(piece);
        let mut knights = BitBoard::EMPTY;
        for square in self.from[Piece::Knight as usize] {
            knights |= get_knight_moves(square);
        }
        // A pawn that gives check directly and takes nothing stays on its file.
        let mut files = BitBoard::EMPTY;
        for square in self.from[Piece::Pawn as usize] {
            files |= square.file().bitboard();
        }
        let dark = BitBoard::DARK_SQUARES;
        let colour = if dark.has(self.king) { dark } else { !dark };
        own & (self.discover
            | (of(Piece::Knight) & knights)
            | (of(Piece::Bishop) & colour)
            | of(Piece::Rook)
            | of(Piece::Queen)
            | (of(Piece::Pawn) & files))
    }
}
