//! The squares that pawns attack, and whether a pawn may capture en passant.

use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};

/// All squares but those of the first file.
///
/// Origin: definition, the layout of a board.
pub(crate) const NOT_A: u64 = !0x0101_0101_0101_0101;
/// All squares but those of the last file.
///
/// Origin: definition, the layout of a board.
pub(crate) const NOT_H: u64 = !0x8080_8080_8080_8080;

/// The squares that pawns of a colour attack. These are also the squares from which the other colour's pawns attack the
/// given squares.
pub(crate) fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let p = pawns.0;
    BitBoard(match color {
        Color::White => ((p & NOT_A) << 7) | ((p & NOT_H) << 9),
        Color::Black => ((p & NOT_H) >> 7) | ((p & NOT_A) >> 9),
    })
}

/// Whether the side to move has a legal en-passant capture.
#[must_use]
pub fn en_passant_is_legal(board: &Board) -> bool {
    let Some(file) = board.en_passant() else { return false };
    let side = board.side_to_move();
    let rank = match side {
        Color::White => Rank::Sixth,
        Color::Black => Rank::Third,
    };
    let target = Square::new(file, rank);
    let capturers = get_pawn_attacks(target, !side) & board.colored_pieces(side, Piece::Pawn);
    capturers.iter().any(|from| board.is_legal(Move { from, to: target, promotion: None }))
}
