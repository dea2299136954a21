//! Reads opening books in the Polyglot format.
//!
//! # Source
//! Michel Van den Bergh, *Polyglot book format*. The table of random numbers comes from the crate `polyglot-book-rs`
//! 0.1 (MIT or Apache-2.0).
//!
//! # Notation
//! An entry has 16 bytes, with the high byte of each number first. It has the key of the position (8 bytes), the move
//! (2), the weight (2), and learning data (4, ignored). From the low bits, a move has the target file and rank and the
//! origin file and rank (3 bits each). The promotion piece follows (none, knight, bishop, rook, queen). Castling is
//! written as the king taking its own rook.
//!
//! # Steps
//! 1. Read all entries and sort them by key.
//! 2. Compute the key of a position from its FEN. The en-passant square counts only if a pawn is in place to capture
//!    there.
//! 3. The moves of a position are the legal moves among the entries of its key. The heaviest come first, and moves of
//!    equal weight have the order of the file.

use super::fen;
use super::pawns::pawn_attacks;
use crate::rules::notation;
use cozy_chess::{Board, Move, Piece, Rank, Square};
use thiserror::Error;

/// Bytes of an entry.
const ENTRY: usize = 16;

/// An opening book.
#[derive(Clone, Debug)]
pub struct Book {
    /// Key, move and weight, by key.
    entries: Vec<(u64, u16, u16)>,
}

/// Why a file is not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// Its length.
    #[error("{0} bytes are no whole number of entries of 16 bytes")]
    Length(usize),
    /// It holds no move that is legal in any position: all zeros.
    #[error("it holds no entry")]
    Empty,
}

impl Book {
    /// Step 1.
    ///
    /// # Errors
    /// If the bytes are no entries.
    pub fn parse(bytes: &[u8]) -> Result<Self, BookError> {
        if !bytes.len().is_multiple_of(ENTRY) {
            return Err(BookError::Length(bytes.len()));
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let entry = |e: &[u8]| (number(&e[..8]), number(&e[8..10]) as u16, number(&e[10..12]) as u16);
        let mut entries: Vec<_> = bytes.chunks_exact(ENTRY).map(entry).filter(|e| e.1 != 0).collect();
        if entries.is_empty() {
            return Err(BookError::Empty);
        }
        entries.sort_by_key(|entry| entry.0);
        Ok(Self { entries })
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry; always false.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Step 3: the book's moves of a position with their weights.
    #[must_use]
    pub fn moves(&self, board: &Board) -> Vec<(Move, u16)> {
        let key = key(board);
        let first = self.entries.partition_point(|entry| entry.0 < key);
        let here = self.entries[first..].iter().take_while(|entry| entry.0 == key);
        let mut moves: Vec<_> =
            here.filter_map(|&(_, bits, weight)| Some((read(board, bits)?, weight))).collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }
}

/// Step 2.
#[must_use]
pub fn key(board: &Board) -> u64 {
    let text = fen::write(board, 0, false);
    let mut fields: Vec<&str> = text.split(' ').collect();
    let side = board.side_to_move();
    let passing = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(side)));
    let takers = board.colored_pieces(side, Piece::Pawn);
    let square = passing.filter(|at| !(pawn_attacks(at.bitboard(), !side) & takers).is_empty());
    let square = square.map_or_else(|| "-".to_owned(), |at| at.to_string());
    if let Some(field) = fields.get_mut(3) {
        *field = &square;
    }
    polyglot_book_rs::polyglot_hash_from_fen(&fields.join(" ")).unwrap_or_default()
}

/// A move of the format, if it is legal.
fn read(board: &Board, bits: u16) -> Option<Move> {
    let square = |low: u16| Square::index(usize::from(bits >> low & 63));
    let promotion = match bits >> 12 & 7 {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    let mv = Move { from: square(6), to: square(0), promotion };
    // Some books have castling as the king's own move.
    notation::parse_uci(board, &mv.to_string()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Game;

    fn entry(board: &Board, from: Square, to: Square, promotion: u16, weight: u16) -> Vec<u8> {
        let mut bytes = key(board).to_be_bytes().to_vec();
        let mv = to as u16 | (from as u16) << 6 | promotion << 12;
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    /// The keys in the description of the format.
    #[test]
    fn keys_are_those_of_the_description() {
        let cases = [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ];
        for (moves, wanted) in cases {
            let game = Game::from_text("startpos", moves.split_whitespace()).unwrap();
            assert_eq!(key(game.board()), wanted, "{moves}");
        }
    }

    #[test]
    fn a_position_has_its_legal_moves_heaviest_first() {
        let game = Game::from_text("r3k2r/8/8/8/8/8/6P1/R3K2R w KQkq - 0 1", []).unwrap();
        let (board, other) = (game.board(), Game::default());
        let book = [
            entry(board, Square::G2, Square::G3, 0, 7),
            entry(other.board(), Square::E2, Square::E4, 0, 9),
            entry(board, Square::E1, Square::H1, 0, 3),
            entry(board, Square::E1, Square::C1, 0, 40),
            entry(board, Square::G2, Square::G6, 0, 99),
        ];
        let book = Book::parse(&book.concat()).unwrap();
        let moves: Vec<_> = book.moves(board).iter().map(|(mv, weight)| format!("{mv} {weight}")).collect();
        assert_eq!(moves, ["e1a1 40", "g2g3 7", "e1h1 3"]);
        assert_eq!((book.moves(other.board()).len(), book.len()), (1, 5));
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert_eq!(Book::parse(b"torn").map(|b| b.len()), Err(BookError::Length(4)));
        assert_eq!(Book::parse(&[0; 32]).map(|b| b.len()), Err(BookError::Empty));
        assert_eq!(Book::parse(&[]).map(|b| b.len()), Err(BookError::Empty));
    }
}
