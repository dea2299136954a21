//! Reads and writes moves as text: in the long algebraic notation of UCI, and in SAN.
//!
//! # Source
//! UCI protocol (2006), *Move format*; PGN Standard 8.2.3 (SAN).
//!
//! # Departures
//! In the standard mode of UCI, castling is written as `e1g1`. Input may also use the Chess960 form (king takes own
//! rook).

use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move};
use cozy_chess::{Board, Color, File, Move, Piece, Square};
use thiserror::Error;

/// A move text that names no legal move of the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no legal move in {fen}")]
pub struct MoveError {
    /// The text as given.
    pub text: String,
    /// The position it was read in.
    pub fen: String,
}

/// Reads a UCI move (`e2e4`, `e7e8q`, `e1g1` or `e1h1` for castling); it is legal on `board`.
///
/// # Errors
/// If it is malformed or not legal.
pub fn parse_uci(board: &Board, text: &str) -> Result<Move, MoveError> {
    let wrong = || MoveError { text: text.to_owned(), fen: board.to_string() };
    let mut mv: Move = text.parse().map_err(|_| wrong())?;
    if board.is_legal(mv) {
        return Ok(mv);
    }
    // Castling written as the king's own two-square move.
    let is_king = board.piece_on(mv.from) == Some(Piece::King)
        && mv.from.file() == File::E
        && mv.from.rank() == mv.to.rank();
    let rights = board.castle_rights(board.side_to_move());
    let rook = match mv.to.file() {
        File::G if is_king => rights.short,
        File::C if is_king => rights.long,
        _ => None,
    };
    mv.to = Square::new(rook.ok_or_else(wrong)?, mv.from.rank());
    if board.is_legal(mv) { Ok(mv) } else { Err(wrong()) }
}

/// Writes a move in UCI form; `chess960` chooses the castling form.
#[must_use]
pub fn uci(board: &Board, mv: Move, chess960: bool) -> String {
    if chess960 { mv.to_string() } else { display_uci_move(board, mv).to_string() }
}

/// Reads a SAN move. Annotations (`!`, `?`) and missing check signs are accepted.
///
/// # Errors
/// If it is malformed, ambiguous or not legal.
pub fn parse_san(board: &Board, text: &str) -> Result<Move, MoveError> {
    let bare = text.trim_end_matches(['!', '?', '+', '#']).replace('0', "O");
    parse_san_move(board, &bare).map_err(|_| MoveError { text: text.to_owned(), fen: board.to_string() })
}

/// Writes a legal move in SAN, with check and mate signs.
#[must_use]
pub fn san(board: &Board, mv: Move) -> String {
    display_san_move(board, mv).to_string()
}

/// Whether the move is castling: the king goes to the square of its own rook.
#[must_use]
pub fn is_castling(board: &Board, mv: Move) -> bool {
    board.colors(board.side_to_move()).has(mv.to)
}

/// All legal moves in the generator's order.
#[must_use]
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut out = Vec::with_capacity(48);
    board.generate_moves(|moves| {
        out.extend(moves);
        false
    });
    out
}

/// `White` or `Black`.
#[must_use]
pub fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
