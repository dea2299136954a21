//! Reads and writes chess data: FEN, EPD, moves as text, PGN, opening books. The module also counts perft.
//!
//! # Source
//! Boards, move generation and castling come from the crate `cozy-chess` 0.3 (MIT). Position identity and draws follow
//! the FIDE Laws of Chess (2023). [`crate::history`] implements them.
//!
//! # Departures
//! `cozy-chess` accepts FENs with missing ranks. It refuses X-FEN castling rights, large move counters and stale
//! en-passant squares. [`fen`] reads these three, and reports each fault with its column.

pub mod book;
pub mod epd;
pub mod fen;
pub mod kinds;
mod loose;
pub mod notation;
pub mod pawns;
pub mod perft;
pub mod pgn;
mod pgn_cut;
pub mod pgn_read;
mod pgn_tokens;
pub mod square;

pub use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
pub use fen::{FenError, Setup};

#[cfg(test)]
mod tests;
