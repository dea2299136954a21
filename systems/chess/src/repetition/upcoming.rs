//! Detects an upcoming repetition: whether one reversible move of the side to move reaches a position that would be a
//! draw.
//!
//! # Source
//! Marcel van Kervinck's cuckoo tables for detecting upcoming repetitions (2013), after Pagh and Rodler, *Cuckoo
//! hashing* (2004).
//!
//! # Notation
//! A *move key* is the difference that the move of one piece makes between two position keys. It combines two
//! piece-square keys and the key of the side to move. There are 3668 move keys.
//!
//! # Steps
//! 1. Once for the program, put the keys of all reversible moves into a table with two hash functions.
//! 2. At each node, compare the current key with the keys 3, 5, 7, ... plies back. If the difference is a move key and
//!    the squares between are empty, the side to move can reach that position.
//! 3. The history tells whether that position would be a draw now, and what the draw rests on.
//!
//! # Departures
//! The usual shortcut, which stops when the opponent's pieces differ, is not needed. If the difference is a move key,
//! the opponent's pieces are equal. Castling rights and en passant cannot differ inside a run.
//!
//! # Cost
//! One table look-up for every two plies of the run.

use crate::history::{Key, Line};
use cozy_chess::{
    Board, Color, Move, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};
use std::sync::OnceLock;

const SLOTS: usize = 8192;

/// The move keys and their moves.
#[derive(Debug)]
pub struct MoveKeys {
    slots: Vec<(Key, Square, Square)>,
    count: usize,
}

static TABLE: OnceLock<MoveKeys> = OnceLock::new();

impl MoveKeys {
    /// The table, built on first use.
    #[must_use]
    pub fn get() -> &'static Self {
        TABLE.get_or_init(Self::build)
    }

    /// Number of reversible moves in it: 3668.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Step 1.
    fn build() -> Self {
        let mut table = Self { slots: vec![(0, Square::A1, Square::A1); SLOTS], count: 0 };
        let (piece_keys, side_key) = (PieceKeys::read(), side_key());
        for color in Color::ALL {
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
                for from in Square::ALL {
                    for to in attacks(piece, from) {
                        if (from as u8) < (to as u8) {
                            let key = piece_keys.of(color, piece, from)
                                ^ piece_keys.of(color, piece, to)
                                ^ side_key;
                            table.insert((key, from, to));
                        }
                    }
                }
            }
        }
        table
    }

    fn insert(&mut self, mut entry: (Key, Square, Square)) {
        self.count += 1;
        let mut slot = first_slot(entry.0);
        while entry.0 != 0 {
            std::mem::swap(&mut entry, &mut self.slots[slot]);
            // The one pushed out goes to its other place.
            slot = if slot == first_slot(entry.0) { second_slot(entry.0) } else { first_slot(entry.0) };
        }
    }

    #[inline]
    fn find(&self, key: Key) -> Option<(Square, Square)> {
        [first_slot(key), second_slot(key)]
            .into_iter()
            .map(|slot| self.slots[slot])
            .find(|entry| entry.0 == key)
            .map(|(_, from, to)| (from, to))
    }
}

fn first_slot(key: Key) -> usize {
    (key & 0x1FFF) as usize
}

fn second_slot(key: Key) -> usize {
    ((key >> 16) & 0x1FFF) as usize
}

fn attacks(piece: Piece, from: Square) -> cozy_chess::BitBoard {
    let empty = cozy_chess::BitBoard::EMPTY;
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, empty),
        Piece::Rook => get_rook_moves(from, empty),
        Piece::Queen => get_bishop_moves(from, empty) | get_rook_moves(from, empty),
        _ => get_king_moves(from),
    }
}

/// Piece-square keys. The board crate does not publish them, so this reads them by playing moves.
struct PieceKeys([[[Key; 64]; 6]; 2]);

impl PieceKeys {
    fn of(&self, color: Color, piece: Piece, square: Square) -> Key {
        self.0[color as usize][piece as usize][square as usize]
    }

    /// Keys up to one constant for each colour and piece, which cancels in a move's difference. Each is the key of a
    /// board with the piece on a square and the kings elsewhere. For the king the other king and a far corner serve.
    fn read() -> Self {
        let mut keys = [[[0; 64]; 6]; 2];
        for color in Color::ALL {
            for piece in Piece::ALL.into_iter().filter(|p| *p != Piece::Pawn) {
                for square in Square::ALL {
                    keys[color as usize][piece as usize][square as usize] = key_of(color, piece, square);
                }
            }
        }
        Self(keys)
    }
}

/// The piece-square key of `piece` on `square` up to a constant that is the same for all squares.
fn key_of(color: Color, piece: Piece, square: Square) -> Key {
    // Two reference boards may be needed, since kings must stand somewhere, apart, and out of check: their
    // difference is bridged by a square both can hold.
    let total = |kings: (Square, Square), at: Option<Square>| -> Option<Key> {
        let mut builder = cozy_chess::BoardBuilder::empty();
        *builder.square_mut(kings.0) = Some((Piece::King, Color::White));
        *builder.square_mut(kings.1) = Some((Piece::King, Color::Black));
        if let Some(at) = at {
            if builder.square(at).is_some() {
                return None;
            }
            *builder.square_mut(at) = Some((piece, color));
        }
        // The piece may give check, so its owner's opponent is to move.
        builder.side_to_move = !color;
        builder.build().ok().map(|board| board.hash_without_ep())
    };
    if piece == Piece::King {
        return king_key(color, square);
    }
    let places = [
        (Square::A1, Square::H8),
        (Square::A8, Square::H1),
        (Square::D4, Square::G7),
        (Square::B2, Square::E6),
    ];
    places
        .into_iter()
        .find_map(|kings| Some(total(kings, Some(square))? ^ total(kings, None)?))
        .expect("one of four king placements leaves the square free")
}

/// The king's key relative to e1 for White, e8 for Black.
fn king_key(color: Color, square: Square) -> Key {
    let hash = |own: Square, other: Square| -> Option<Key> {
        let mut builder = cozy_chess::BoardBuilder::empty();
        if own == other {
            return None;
        }
        *builder.square_mut(own) = Some((Piece::King, color));
        *builder.square_mut(other) = Some((Piece::King, !color));
        builder.side_to_move = color;
        builder.build().ok().map(|board| board.hash_without_ep())
    };
    let home = Square::D4;
    [Square::A1, Square::H8, Square::A8, Square::H1]
        .into_iter()
        .find_map(|other| Some(hash(square, other)? ^ hash(home, other)?))
        .expect("some corner is far enough from both squares")
}

/// The key of the side to move.
fn side_key() -> Key {
    let board = Board::default();
    board.null_move().map_or(0, |other| board.hash_without_ep() ^ other.hash_without_ep())
}

/// Steps 2 and 3: the rest of the draw the side to move can force by one move, if there is one.
#[inline]
#[must_use]
pub fn upcoming(board: &Board, line: &Line) -> Option<i16> {
    let run = line.run();
    if run < 3 { None } else { search(board, line, run) }
}

fn search(board: &Board, line: &Line, run: u16) -> Option<i16> {
    let table = MoveKeys::get();
    let key = line.key();
    let mut back = 3;
    while back <= run {
        let target = line.key_back(back)?;
        if let Some((from, to)) = table.find(key ^ target)
            && let Some(rest) = confirm(board, line, (from, to), target, back)
        {
            return Some(rest);
        }
        back += 2;
    }
    None
}

fn confirm(board: &Board, line: &Line, (a, b): (Square, Square), target: Key, back: u16) -> Option<i16> {
    if !(get_between_rays(a, b) & board.occupied()).is_empty() {
        return None;
    }
    let own = board.colors(board.side_to_move());
    let (from, to) = if own.has(a) { (a, b) } else { (b, a) };
    // The target's walk starts at the target itself.
    let rest = line.would_repeat(target, back)?;
    board.is_legal(Move { from, to, promotion: None }).then_some(rest)
}
