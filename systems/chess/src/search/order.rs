//! Data for move ordering: killers and histories. [`super::picker`] generates and orders the moves.
//!
//! # Source
//! Killers: S. Akl, M. Newborn, "The Principal Continuation and the Killer Heuristic" (1977). History heuristic: J.
//! Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice" (1989). Continuation and
//! correction history: Chess Programming Wiki.

use super::MAX_PLY;
use super::see;
use crate::evaluation::incremental::captured;
use crate::rules::square::piece_at;
use cozy_chess::{Board, Color, Move, Piece};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// The greatest absolute value of a history.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `histories`.
pub const HISTORY_MAX: i32 = 16_384;

/// The pieces of both sides on all squares.
///
/// Origin: definition, a size.
const PIECE_TO: usize = 2 * 6 * 64;
/// The corrections of one side.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const CORRECTIONS: usize = 1 << 14;

/// The bonus of a move that causes a cutoff: for each ply of depth, less this, and at most.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `histories`.
const BONUS: [i32; 3] = [160, 120, 1800];
/// The part of the history after the move four plies earlier that counts.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `histories`.
const FOURTH_SHARE: i32 = 2;
/// The weight of a captured centipawn beside the history of captures.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `captures`.
const GAIN: i32 = 16;
/// The greatest difference that a correction learns, in centipawns.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const MOST_CORRECTION: i32 = 100;
/// The unit of a stored correction, in centipawns.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const CORRECTION_UNIT: i32 = 128;
/// The greatest weight of a result in a correction, in 256ths.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const MOST_WEIGHT: i32 = 16;
/// The denominator of the weights of results, and of the sum of corrections.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const WEIGHTS: i32 = 256;
/// The greatest stored correction.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `corrections`.
const CORRECTION_MAX: i32 = 12_000;
/// The greatest corrected evaluation.
///
/// Origin: definition, beyond all evaluations, below all mates.
const EVALUATION_MAX: i32 = 20_000;

/// The histories that all workers of a search learn together. Each worker sees only a part of the tree, and would learn
/// less alone. If two workers write at once, one number is lost, which costs nothing else. The table holds the
/// histories, so a player who keeps the table from move to move keeps them too ([`super::table::Table::learnt`]).
#[derive(Debug)]
pub struct Learnt {
    quiet: Vec<AtomicI16>,
    capture: Vec<AtomicI16>,
    /// By piece and square of a move one, two, four plies earlier, then of this move.
    continuation: Vec<AtomicI16>,
    correction: Vec<AtomicI16>,
}

impl Default for Learnt {
    fn default() -> Self {
        let zeros = |count: usize| {
            let mut all = Vec::new();
            all.resize_with(count, AtomicI16::default);
            all
        };
        Self {
            quiet: zeros(2 * 64 * 64),
            capture: zeros(PIECE_TO * 6),
            continuation: zeros(PIECE_TO * PIECE_TO),
            correction: zeros(2 * CORRECTIONS * 2),
        }
    }
}

impl Learnt {
    fn entries(&self) -> impl Iterator<Item = &AtomicI16> {
        [&self.quiet, &self.capture, &self.continuation, &self.correction].into_iter().flatten()
    }

    /// Clears all histories.
    pub fn clear(&self) {
        self.entries().for_each(|entry| entry.store(0, Relaxed));
    }

    /// Whether nothing has been learnt yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries().all(|entry| read(entry) == 0)
    }
}

/// Moves of one side by piece and square.
type Row = [AtomicI16; PIECE_TO / 2];

/// The row of a move that was not made.
///
/// Origin: definition, all zero.
static NOTHING: Row = [const { AtomicI16::new(0) }; PIECE_TO / 2];

/// Histories of the quiet moves of one side at one node.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    quiet: &'a [AtomicI16],
    /// After the moves 1, 2 and 4 plies earlier.
    continuation: [&'a Row; 3],
}

impl Rows<'_> {
    /// The score of a quiet move.
    #[inline]
    #[must_use]
    pub fn score(&self, piece: Piece, mv: Move) -> i32 {
        let here = piece as usize * 64 + mv.to as usize;
        let [one, two, four] = self.continuation.map(|row| read(&row[here]));
        read(&self.quiet[mv.from as usize * 64 + mv.to as usize]) + one + two + four / FOURTH_SHARE
    }
}

/// The move-ordering data of one worker.
#[derive(Debug)]
pub struct Histories {
    learnt: Arc<Learnt>,
    /// Two per ply.
    pub killers: [[Option<Move>; 2]; MAX_PLY + 4],
    counter: Vec<Option<Move>>,
}

impl Default for Histories {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

/// A piece arriving on a square: the key of continuation histories.
pub type Arrival = u16;

/// The arrival of a move about to be played.
#[inline]
#[must_use]
pub fn arrival(board: &Board, mv: Move) -> Arrival {
    arrival_of(board.side_to_move(), piece_at(board, mv.from).unwrap_or(Piece::Pawn), mv)
}

/// The arrival of a move of a known piece.
#[inline]
fn arrival_of(side: Color, piece: Piece, mv: Move) -> Arrival {
    ((side as usize * 6 + piece as usize) * 64 + mv.to as usize) as Arrival
}

#[inline]
fn read(entry: &AtomicI16) -> i32 {
    i32::from(entry.load(Relaxed))
}

#[inline]
fn gravity(entry: &AtomicI16, bonus: i32) {
    let value = read(entry);
    entry.store((value + bonus - value * bonus.abs() / HISTORY_MAX) as i16, Relaxed);
}

fn from_to(side: Color, mv: Move) -> usize {
    (side as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

/// Whether a move neither captures nor promotes to a queen.
#[inline]
#[must_use]
pub fn is_quiet(board: &Board, mv: Move) -> bool {
    let en_passant = board.pieces(Piece::Pawn).has(mv.from) && mv.from.file() != mv.to.file();
    !board.colors(!board.side_to_move()).has(mv.to) && !en_passant && mv.promotion.is_none()
}

impl Histories {
    /// The data of a worker, on top of the shared histories.
    #[must_use]
    pub fn new(learnt: Arc<Learnt>) -> Self {
        Self { learnt, killers: [[None; 2]; MAX_PLY + 4], counter: vec![None; PIECE_TO] }
    }

    /// The score of a quiet move; `before` are the arrivals 1, 2 and 4 plies earlier.
    #[inline]
    #[must_use]
    pub fn quiet_score(&self, board: &Board, mv: Move, before: [Option<Arrival>; 3]) -> i32 {
        let piece = piece_at(board, mv.from).unwrap_or(Piece::Pawn);
        self.rows(board.side_to_move(), before).score(piece, mv)
    }

    /// The histories of all quiet moves at a node.
    #[inline]
    #[must_use]
    pub fn rows(&self, side: Color, before: [Option<Arrival>; 3]) -> Rows<'_> {
        let of_side = |row: usize| row + side as usize * PIECE_TO / 2;
        let continuation = before.map(|earlier| match earlier {
            Some(earlier) => {
                let start = of_side(usize::from(earlier) * PIECE_TO);
                self.learnt.continuation[start..].first_chunk().unwrap_or(&NOTHING)
            }
            None => &NOTHING,
        });
        let start = side as usize * 64 * 64;
        Rows { quiet: &self.learnt.quiet[start..start + 64 * 64], continuation }
    }

    fn capture_slot(board: &Board, mv: Move) -> usize {
        let moved = piece_at(board, mv.from).unwrap_or(Piece::Pawn);
        let victim = captured(board, moved, mv).map_or(Piece::Pawn, |(piece, _)| piece);
        Self::capture_slot_of(board.side_to_move(), moved, victim, mv)
    }

    fn capture_slot_of(side: Color, moved: Piece, victim: Piece, mv: Move) -> usize {
        usize::from(arrival_of(side, moved, mv)) * 6 + victim as usize
    }

    /// The score of a capture or promotion by a known piece.
    #[inline]
    pub(super) fn capture_score(&self, board: &Board, moved: Piece, mv: Move) -> i32 {
        let victim = captured(board, moved, mv).map(|(piece, _)| piece);
        let gain = victim.map_or(0, see::value) + mv.promotion.map_or(0, see::value);
        let slot = Self::capture_slot_of(board.side_to_move(), moved, victim.unwrap_or(Piece::Pawn), mv);
        GAIN * gain + read(&self.learnt.capture[slot])
    }

    /// Learns that a move caused a cutoff and the moves before it did not.
    pub fn reward(
        &mut self,
        board: &Board,
        best: Move,
        tried: &[Move],
        depth: i32,
        ply: usize,
        before: [Option<Arrival>; 3],
    ) {
        let bonus = (BONUS[0] * depth - BONUS[1]).clamp(0, BONUS[2]);
        if is_quiet(board, best) {
            if self.killers[ply][0] != Some(best) {
                self.killers[ply] = [Some(best), self.killers[ply][0]];
            }
            if let Some(earlier) = before[0] {
                self.counter[usize::from(earlier)] = Some(best);
            }
            self.bump_quiet(board, best, bonus, before);
            for &mv in tried.iter().filter(|mv| is_quiet(board, **mv)) {
                self.bump_quiet(board, mv, -bonus, before);
            }
        } else {
            gravity(&self.learnt.capture[Self::capture_slot(board, best)], bonus);
        }
        for &mv in tried.iter().filter(|mv| !is_quiet(board, **mv)) {
            gravity(&self.learnt.capture[Self::capture_slot(board, mv)], -bonus);
        }
    }

    fn bump_quiet(&self, board: &Board, mv: Move, bonus: i32, before: [Option<Arrival>; 3]) {
        let here = usize::from(arrival(board, mv));
        gravity(&self.learnt.quiet[from_to(board.side_to_move(), mv)], bonus);
        for earlier in before.into_iter().flatten() {
            gravity(&self.learnt.continuation[usize::from(earlier) * PIECE_TO + here], bonus);
        }
    }

    /// The move that refuted an earlier arrival.
    #[must_use]
    pub fn counter(&self, before: Option<Arrival>) -> Option<Move> {
        before.and_then(|earlier| self.counter[usize::from(earlier)])
    }

    fn correction_slots(board: &Board) -> [usize; 2] {
        let mix = |a: u64, b: u64| {
            let h = (a ^ b.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 50
        };
        let side = board.side_to_move() as usize;
        let of = |color, piece| board.colored_pieces(color, piece).0;
        let pawns = mix(of(Color::White, Piece::Pawn), of(Color::Black, Piece::Pawn)) as usize;
        let minors = mix(
            board.pieces(Piece::Knight).0
                ^ board.pieces(Piece::Bishop).0.wrapping_mul(3)
                ^ board.pieces(Piece::King).0,
            board.colors(Color::White).0 & !board.pieces(Piece::Pawn).0,
        ) as usize;
        [(side * CORRECTIONS + pawns) * 2, (side * CORRECTIONS + minors) * 2 + 1]
    }

    /// The evaluation, corrected by search results on this pawn structure and these pieces.
    #[must_use]
    pub fn corrected(&self, board: &Board, evaluation: i32) -> i32 {
        let sum: i32 = Self::correction_slots(board).iter().map(|&s| read(&self.learnt.correction[s])).sum();
        (evaluation + sum / WEIGHTS).clamp(-EVALUATION_MAX, EVALUATION_MAX)
    }

    /// Learns the difference of a search's score and the evaluation.
    pub fn correct(&self, board: &Board, difference: i32, depth: i32) {
        let target = difference.clamp(-MOST_CORRECTION, MOST_CORRECTION) * CORRECTION_UNIT;
        let weight = (depth + 1).min(MOST_WEIGHT);
        for slot in Self::correction_slots(board) {
            let entry = &self.learnt.correction[slot];
            let value = (read(entry) * (WEIGHTS - weight) + target * weight) / WEIGHTS;
            entry.store(value.clamp(-CORRECTION_MAX, CORRECTION_MAX) as i16, Relaxed);
        }
    }
}
