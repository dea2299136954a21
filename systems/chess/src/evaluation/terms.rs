//! Counts the features of a position, for playing ([`Sum`]) and for tuning.
//!
//! # Steps
//! 1. Count the part that depends only on pawns and kings ([`structure`]): pawn structure, passed pawns, shield, storm,
//!    open files. It rarely changes from node to node, so the search stores it ([`super::pawns`]).
//! 2. Count the features of pieces: mobility, threats, outposts, files, and attack units against the king.
//! 3. Count passed pawns that may advance, the danger to the king by attack units, and loose pieces.

use super::weights::{Pair, Weights, feature as f};
use crate::rules::pawns::{NOT_A, NOT_H, pawn_attacks};
use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

/// A receiver of counted features.
pub trait Sink {
    /// `count` occurrences for White (negative for Black).
    fn add(&mut self, feature: usize, count: i32);
}

/// Adds weights.
#[derive(Debug)]
pub struct Sum<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// The sum so far, White's view.
    pub total: Pair,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: i32) {
        self.total += self.weights.of(feature) * count;
    }
}

/// The squares one side attacks, and data of its pawns.
#[derive(Clone, Copy)]
struct Side {
    color: Color,
    sign: i32,
    pawns: BitBoard,
    pawn_attacks: BitBoard,
    /// All squares that its pawns may ever attack.
    pawn_span: BitBoard,
    attacks: BitBoard,
    king: Square,
    king_zone: BitBoard,
    units: i32,
    attackers: i32,
}

/// The units of an attacked square near the king: by a minor piece, a rook and a queen.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `danger`.
const UNITS: [i32; 3] = [2, 3, 4];
/// The units of each attacker of squares near the king, and of each such square that is not guarded.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `danger`.
const MORE_UNITS: [i32; 2] = [2, 2];
/// The fewest attackers that are a danger.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `danger`.
const FEWEST_ATTACKERS: i32 = 2;
/// Units for each step of the feature.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `danger`.
const UNITS_STEP: i32 = 2;
/// The first rank of outposts, and of passed pawns for which the kings matter, from 0.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `space`.
const FAR_RANK: usize = 3;
/// The files of space: the third to the sixth.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `space`.
const CENTRE: u64 = 0x3C3C_3C3C_3C3C_3C3C;

/// All squares on the same files strictly ahead.
fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    let mut s = squares.0;
    match color {
        Color::White => {
            s <<= 8;
            s |= s << 8;
            s |= s << 16;
            s |= s << 32;
        }
        Color::Black => {
            s >>= 8;
            s |= s >> 8;
            s |= s >> 16;
            s |= s >> 32;
        }
    }
    BitBoard(s)
}

fn beside(squares: BitBoard) -> BitBoard {
    BitBoard(((squares.0 & NOT_A) >> 1) | ((squares.0 & NOT_H) << 1))
}

/// Pawns and kings of both sides, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Pawns.
    pub pawns: [BitBoard; 2],
    /// Kings.
    pub kings: [Square; 2],
}

impl Frame {
    /// The pawns and kings of a board.
    #[inline]
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self {
            pawns: Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn)),
            kings: Color::ALL.map(|color| board.king(color)),
        }
    }

    fn sides(&self) -> [Side; 2] {
        Color::ALL.map(|color| Side::new(self, color))
    }
}

impl Side {
    #[inline]
    fn new(frame: &Frame, color: Color) -> Self {
        let pawns = frame.pawns[color as usize];
        let attacks = pawn_attacks(pawns, color);
        let king = frame.kings[color as usize];
        let near = get_king_moves(king);
        let forward = BitBoard(if color == Color::White { near.0 << 8 } else { near.0 >> 8 });
        Self {
            color,
            sign: if color == Color::White { 1 } else { -1 },
            pawns,
            pawn_attacks: attacks,
            pawn_span: attacks | ahead(attacks, color),
            attacks: attacks | near,
            king,
            king_zone: near | forward | king.bitboard(),
            units: 0,
            attackers: 0,
        }
    }
}

/// Counts everything but piece-square features and tempo.
pub fn count<S: Sink>(board: &Board, sink: &mut S) {
    let frame = Frame::new(board);
    let passed = structure(&frame, sink);
    count_rest(board, &frame, passed, sink);
}

/// Step 1: counts the part that pawns and kings alone decide; returns the passed pawns of both sides.
pub fn structure<S: Sink>(frame: &Frame, sink: &mut S) -> BitBoard {
    let sides = frame.sides();
    let mut all_passed = BitBoard::EMPTY;
    for us in 0..2 {
        all_passed |= pawns(&sides[us], &sides[1 - us], sink);
        shelter(&sides[us], &sides[1 - us], sink);
    }
    all_passed
}

/// Steps 2 and 3: the other features, given the passed pawns.
pub fn count_rest<S: Sink>(board: &Board, frame: &Frame, passed: BitBoard, sink: &mut S) {
    let mut sides = frame.sides();
    for us in 0..2 {
        pieces(board, &mut sides, us, sink);
    }
    for us in 0..2 {
        danger(&sides[us], &sides[1 - us], sink);
        hanging(board, &sides[us], &sides[1 - us], sink);
        for square in passed & sides[us].pawns {
            if (next(square, sides[us].color) & board.occupied()).is_empty() {
                sink.add(f::PASSED_FREE + relative_rank(square, sides[us].color), sides[us].sign);
            }
        }
    }
}

/// The square in front of a pawn.
fn next(pawn: Square, color: Color) -> BitBoard {
    BitBoard(if color == Color::White { pawn.bitboard().0 << 8 } else { pawn.bitboard().0 >> 8 })
}

fn relative_rank(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.rank() as usize,
        Color::Black => 7 - square.rank() as usize,
    }
}

fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as usize).abs_diff(b.file() as usize);
    files.max((a.rank() as usize).abs_diff(b.rank() as usize))
}

/// Step 1: one side's pawns; returns the passed ones.
fn pawns<S: Sink>(own: &Side, other: &Side, sink: &mut S) -> BitBoard {
    let (us, sign) = (own.color, own.sign);
    let their_stop = other.pawns | other.pawn_attacks;
    let blocked_by_them = other.pawn_span | ahead(other.pawns, other.color);
    let supported = own.pawns & own.pawn_attacks;
    let phalanx = own.pawns & beside(own.pawns);
    let behind_friend = own.pawns & ahead(own.pawns, other.color);
    let all_passed = own.pawns - blocked_by_them - behind_friend;
    sink.add(f::DOUBLED, sign * behind_friend.len() as i32);
    for square in own.pawns {
        let rank = relative_rank(square, us);
        let neighbours = own.pawns & square.file().adjacent();
        let stop = next(square, us);
        if neighbours.is_empty() {
            sink.add(f::ISOLATED, sign);
        } else if (stop & own.pawn_span).is_empty() && !(stop & their_stop).is_empty() {
            sink.add(f::BACKWARD, sign);
        }
        if supported.has(square) {
            sink.add(f::SUPPORTED + rank, sign);
        }
        if phalanx.has(square) {
            sink.add(f::PHALANX + rank, sign);
        }
        if all_passed.has(square) {
            sink.add(f::PASSED + rank, sign);
            if rank >= FAR_RANK {
                let next = stop.next_square().unwrap_or(square);
                sink.add(f::PASSED_OWN_KING + distance(own.king, next), sign);
                sink.add(f::PASSED_OTHER_KING + distance(other.king, next), sign);
            }
        }
    }
    let centre = BitBoard(CENTRE) & (own.pawn_attacks | ahead(own.pawns, other.color));
    sink.add(f::SPACE, sign * centre.len() as i32);
    all_passed
}

/// Step 2, for side `us`.
fn pieces<S: Sink>(board: &Board, sides: &mut [Side; 2], us: usize, sink: &mut S) {
    let (own, other) = (sides[us], sides[1 - us]);
    let sign = own.sign;
    let their = |piece| board.colored_pieces(other.color, piece);
    let victims =
        [other.pawns, their(Piece::Knight), their(Piece::Bishop), their(Piece::Rook), their(Piece::Queen)];
    let any_victim = victims.into_iter().fold(BitBoard::EMPTY, |all, victim| all | victim);
    // Most pieces attack nothing.
    let threats = |set: BitBoard, at: usize, sink: &mut S| {
        if !(set & any_victim).is_empty() {
            for (index, victim) in victims.iter().enumerate() {
                sink.add(at + index, sign * (set & *victim).len() as i32);
            }
        }
    };
    if !(own.pawn_attacks & (any_victim - other.pawns)).is_empty() {
        for (index, victim) in victims[1..].iter().enumerate() {
            sink.add(f::PAWN_ATTACKS + index, sign * (own.pawn_attacks & *victim).len() as i32);
        }
    }
    // Squares a piece may go to: not guarded by pawns, not held by own pawns or the king.
    let area = !(other.pawn_attacks | own.pawns | own.king.bitboard());
    let occupied = board.occupied();
    let queens = board.colored_pieces(own.color, Piece::Queen);
    let rooks = board.colored_pieces(own.color, Piece::Rook);
    let (mut attacks, mut units, mut attackers) = (own.attacks, 0, 0);
    let mut meet = |set: BitBoard, weight: i32| {
        attacks |= set;
        let zone = (set & other.king_zone).len() as i32;
        units += weight * zone;
        attackers += i32::from(zone > 0);
    };
    for (piece, at, weight) in
        [(Piece::Knight, f::MOBILITY_KNIGHT, UNITS[0]), (Piece::Bishop, f::MOBILITY_BISHOP, UNITS[0])]
    {
        for square in board.colored_pieces(own.color, piece) {
            let set = if piece == Piece::Knight {
                get_knight_moves(square)
            } else {
                get_bishop_moves(square, occupied ^ queens)
            };
            meet(set, weight);
            sink.add(at + (set & area).len() as usize, sign);
            threats(set, f::MINOR_ATTACKS, sink);
            if own.pawn_attacks.has(square)
                && !other.pawn_span.has(square)
                && relative_rank(square, own.color) >= FAR_RANK
            {
                sink.add(if piece == Piece::Knight { f::OUTPOST_KNIGHT } else { f::OUTPOST_BISHOP }, sign);
            }
        }
    }
    if board.colored_pieces(own.color, Piece::Bishop).len() >= 2 {
        sink.add(f::BISHOP_PAIR, sign);
    }
    for square in rooks {
        let set = get_rook_moves(square, occupied ^ queens ^ rooks);
        meet(set, UNITS[1]);
        sink.add(f::MOBILITY_ROOK + (set & area).len() as usize, sign);
        threats(set, f::ROOK_ATTACKS, sink);
        let file = square.file().bitboard();
        if (file & own.pawns).is_empty() {
            sink.add(if (file & other.pawns).is_empty() { f::ROOK_OPEN } else { f::ROOK_HALF_OPEN }, sign);
        }
    }
    for square in queens {
        let set = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
        meet(set, UNITS[2]);
        sink.add(f::MOBILITY_QUEEN + (set & area).len() as usize, sign);
    }
    sides[us].attacks = attacks;
    sides[us].units = units;
    sides[us].attackers = attackers;
}

/// Step 1: the pawns around `own`'s king.
fn shelter<S: Sink>(own: &Side, other: &Side, sink: &mut S) {
    let (sign, rank) = (own.sign, own.king.rank());
    let file = (own.king.file() as usize).clamp(1, 6);
    let in_front = ahead(rank.bitboard(), own.color) | rank.bitboard();
    for file in file - 1..=file + 1 {
        let column = File::index(file).bitboard() & in_front;
        let nearest = |pawns: BitBoard| -> Option<usize> {
            let pawns = pawns & column;
            let of = |square: Square| (square.rank() as usize).abs_diff(rank as usize);
            pawns.iter().map(of).min()
        };
        let shield = match nearest(own.pawns) {
            Some(ahead) => ahead.clamp(1, 3) - 1,
            None => 3,
        };
        sink.add(f::SHIELD + shield, sign);
        sink.add(f::STORM + nearest(other.pawns).map_or(5, |ahead| ahead.min(4)), sign);
    }
    let column = own.king.file().bitboard();
    if (column & own.pawns).is_empty() {
        sink.add(f::KING_OPEN_FILE, sign);
    }
    let closed = ahead(own.pawns, Color::White) | ahead(own.pawns, Color::Black) | own.pawns;
    let beside_king = beside(own.king.bitboard());
    if !(beside_king - closed).is_empty() {
        sink.add(f::KING_OPEN_FILE + 1, sign);
    }
}

/// Step 3: attacks on `own`'s king.
fn danger<S: Sink>(own: &Side, other: &Side, sink: &mut S) {
    if other.attackers >= FEWEST_ATTACKERS {
        let weak = (other.attacks & own.king_zone) - own.attacks;
        let units = other.units + other.attackers * MORE_UNITS[0] + weak.len() as i32 * MORE_UNITS[1];
        sink.add(f::DANGER + (units / UNITS_STEP).clamp(0, 39) as usize, -own.sign);
    }
}

fn hanging<S: Sink>(board: &Board, own: &Side, other: &Side, sink: &mut S) {
    let targets = board.colors(other.color) - other.pawns - other.king.bitboard();
    let loose = (targets & own.attacks) - other.attacks;
    sink.add(f::HANGING, own.sign * loose.len() as i32);
}
