//! Move ordering: killers, histories, and a picker that makes moves in stages.
//!
//! # Source
//! Akl and Newborn (1977) for killers; Schaeffer (1989) for the history heuristic; continuation and correction
//! history after the Chess Programming Wiki.
//!
//! # Steps
//! 1. The table move.
//! 2. Captures and queen promotions that don't lose material, by victim and capture history.
//! 3. Killers and the counter-move, then quiet moves by history.
//! 4. Losing captures.
//!
//! Quiescence takes captures that lose nothing, and at its first plies quiet moves that give check after them.

use super::MAX_PLY;
use super::checks::Checks;
use super::see;
use crate::evaluation::incremental::captured;
use cozy_chess::{Board, Color, Move, Piece};
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Histories stay within plus and minus this.
pub const HISTORY_MAX: i32 = 16_384;

const PIECE_TO: usize = 2 * 6 * 64;
const CORRECTIONS: usize = 1 << 14;

/// What worked, as learnt by all workers of a search together: each sees a part of the tree only, and would learn as
/// much less alone. A number lost where two write at once costs nothing but itself.
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

/// A worker's memory of what worked.
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

/// A piece arriving on a square: what continuation histories know of a move.
pub type Arrival = u16;

/// Of a move about to be played.
#[inline]
#[must_use]
pub fn arrival(board: &Board, mv: Move) -> Arrival {
    arrival_of(board.side_to_move(), board.piece_on(mv.from).unwrap_or(Piece::Pawn), mv)
}

/// Of a move of a known piece.
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
    let en_passant = board.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file();
    !board.colors(!board.side_to_move()).has(mv.to) && !en_passant && mv.promotion.is_none()
}

impl Histories {
    /// A worker's, on top of what all workers learn.
    #[must_use]
    pub fn new(learnt: Arc<Learnt>) -> Self {
        Self { learnt, killers: [[None; 2]; MAX_PLY + 4], counter: vec![None; PIECE_TO] }
    }

    /// The score of a quiet move; `before` are the arrivals 1, 2 and 4 plies earlier.
    #[inline]
    #[must_use]
    pub fn quiet_score(&self, board: &Board, mv: Move, before: [Option<Arrival>; 3]) -> i32 {
        let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        self.quiet_score_of(board.side_to_move(), piece, mv, before)
    }

    /// The same for a known piece.
    #[inline]
    fn quiet_score_of(&self, side: Color, piece: Piece, mv: Move, before: [Option<Arrival>; 3]) -> i32 {
        let here = usize::from(arrival_of(side, piece, mv));
        let mut score = read(&self.learnt.quiet[from_to(side, mv)]);
        for (weight, earlier) in [2, 2, 1].into_iter().zip(before) {
            if let Some(earlier) = earlier {
                score += weight * read(&self.learnt.continuation[usize::from(earlier) * PIECE_TO + here]) / 2;
            }
        }
        score
    }

    fn capture_slot(board: &Board, mv: Move) -> usize {
        let moved = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let victim = captured(board, moved, mv).map_or(Piece::Pawn, |(piece, _)| piece);
        Self::capture_slot_of(board.side_to_move(), moved, victim, mv)
    }

    fn capture_slot_of(side: Color, moved: Piece, victim: Piece, mv: Move) -> usize {
        usize::from(arrival_of(side, moved, mv)) * 6 + victim as usize
    }

    /// The score of a capture or promotion by a known piece.
    #[inline]
    fn capture_score(&self, board: &Board, moved: Piece, mv: Move) -> i32 {
        let victim = captured(board, moved, mv).map(|(piece, _)| piece);
        let gain = victim.map_or(0, see::value) + mv.promotion.map_or(0, see::value);
        let slot = Self::capture_slot_of(board.side_to_move(), moved, victim.unwrap_or(Piece::Pawn), mv);
        16 * gain + read(&self.learnt.capture[slot])
    }

    /// A move cut off, the others before it did not.
    pub fn reward(
        &mut self,
        board: &Board,
        best: Move,
        tried: &[Move],
        depth: i32,
        ply: usize,
        before: [Option<Arrival>; 3],
    ) {
        let bonus = (160 * depth - 120).clamp(0, 1800);
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

    /// The move that refuted an arrival before.
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

    /// The evaluation with what searches found on this pawn structure and these pieces.
    #[must_use]
    pub fn corrected(&self, board: &Board, evaluation: i32) -> i32 {
        let sum: i32 = Self::correction_slots(board).iter().map(|&s| read(&self.learnt.correction[s])).sum();
        (evaluation + sum / 256).clamp(-20_000, 20_000)
    }

    /// Learns the difference of a search's score and the evaluation.
    pub fn correct(&self, board: &Board, difference: i32, depth: i32) {
        let target = difference.clamp(-100, 100) * 128;
        let weight = (depth + 1).min(16);
        for slot in Self::correction_slots(board) {
            let entry = &self.learnt.correction[slot];
            let value = (read(entry) * (256 - weight) + target * weight) / 256;
            entry.store(value.clamp(-12_000, 12_000) as i16, Relaxed);
        }
    }
}

/// Which moves a picker gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killers,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeChecks,
    Checks,
    Done,
}

/// The vectors of a picker, re-used from node to node.
pub type Scratch = (Vec<(i32, Move)>, Vec<(i32, Move)>);

/// Gives the moves of a node, most promising first.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    moves: Vec<(i32, Move)>,
    next: usize,
    bad: Vec<(i32, Move)>,
    /// Killers and counter-move, legal or not; those given out are not made again.
    refutations: [Option<Move>; 3],
    /// History of the last quiet move given, if it was looked up.
    history: Option<i32>,
    captures_only: bool,
    /// After captures alone, quiet moves that give check.
    checks: bool,
    threshold: i32,
}

impl Picker {
    /// All moves. The vectors are scratch taken from a pool.
    #[must_use]
    pub fn all(table_move: Option<Move>, scratch: Scratch) -> Self {
        let (mut moves, mut bad) = scratch;
        moves.clear();
        bad.clear();
        Self {
            stage: Stage::Table,
            table_move,
            moves,
            next: 0,
            bad,
            refutations: [None; 3],
            history: None,
            captures_only: false,
            checks: false,
            threshold: -50,
        }
    }

    /// Captures that lose nothing, and after them, if `checks`, quiet moves that give check and lose nothing.
    #[must_use]
    pub fn captures(table_move: Option<Move>, checks: bool, scratch: Scratch) -> Self {
        Self { captures_only: true, checks, threshold: 0, ..Self::all(table_move, scratch) }
    }

    /// Gives the scratch back.
    #[must_use]
    pub fn scratch(self) -> Scratch {
        (self.moves, self.bad)
    }

    /// No quiet moves from here on.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers | Stage::MakeQuiets | Stage::Quiets) {
            self.start_bad();
        } else if self.stage != Stage::BadCaptures && self.stage != Stage::Done {
            self.captures_only = true;
        }
    }

    fn start_bad(&mut self) {
        std::mem::swap(&mut self.moves, &mut self.bad);
        self.next = 0;
        self.stage = Stage::BadCaptures;
    }

    /// The next move.
    pub fn next(
        &mut self,
        board: &Board,
        h: &Histories,
        ply: usize,
        before: [Option<Arrival>; 3],
    ) -> Option<Move> {
        self.history = None;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.make(board, |_| false, |piece, mv| h.capture_score(board, piece, mv), false);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some((_, mv)) if see::gains(board, mv, self.threshold) => return Some(mv),
                    Some(scored) => self.bad.push(scored),
                    None if self.checks => self.stage = Stage::MakeChecks,
                    None if self.captures_only => self.stage = Stage::Done,
                    None => {
                        let [first, second] = h.killers[ply];
                        self.refutations = [first, second, h.counter(before[0])];
                        self.next = 0;
                        self.stage = Stage::Killers;
                    }
                },
                Stage::Killers => match self.refutations.get(self.next) {
                    Some(&refutation) => {
                        self.next += 1;
                        let fits = |&mv: &Move| {
                            self.table_move != Some(mv)
                                && !self.refutations[..self.next - 1].contains(&Some(mv))
                                && is_quiet(board, mv)
                                && board.is_legal(mv)
                        };
                        if let Some(mv) = refutation.filter(fits) {
                            return Some(mv);
                        }
                    }
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    self.moves.clear();
                    self.next = 0;
                    let (side, refutations) = (board.side_to_move(), self.refutations);
                    self.make(
                        board,
                        |mv| refutations.contains(&Some(mv)),
                        |piece, mv| h.quiet_score_of(side, piece, mv, before),
                        true,
                    );
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.best() {
                    Some((score, mv)) => {
                        self.history = Some(score);
                        return Some(mv);
                    }
                    None => self.start_bad(),
                },
                Stage::BadCaptures => match self.best() {
                    Some((_, mv)) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::MakeChecks => {
                    self.moves.clear();
                    self.next = 0;
                    let (side, checks) = (board.side_to_move(), Checks::new(board));
                    self.make(
                        board,
                        |mv| !checks.gives(board, mv),
                        |piece, mv| h.quiet_score_of(side, piece, mv, before),
                        true,
                    );
                    self.stage = Stage::Checks;
                }
                Stage::Checks => match self.best() {
                    Some((_, mv)) if see::gains(board, mv, self.threshold) => return Some(mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Whether the last move given came from the losing captures.
    #[must_use]
    pub fn in_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Selection sort, one step.
    fn best(&mut self) -> Option<(i32, Move)> {
        let rest = &mut self.moves[self.next..];
        let (mut index, mut highest) = (0, rest.first()?.0);
        for (i, &(score, _)) in rest.iter().enumerate().skip(1) {
            if score > highest {
                (index, highest) = (i, score);
            }
        }
        rest.swap(0, index);
        self.next += 1;
        Some(rest[0])
    }

    /// History of the last move given, for a quiet one.
    #[inline]
    #[must_use]
    pub fn history(&self, board: &Board, mv: Move, h: &Histories, before: [Option<Arrival>; 3]) -> i32 {
        self.history.unwrap_or_else(|| h.quiet_score(board, mv, before))
    }

    /// Makes quiet or other moves, without the table move and those to leave out.
    fn make(
        &mut self,
        board: &Board,
        leave_out: impl Fn(Move) -> bool,
        score: impl Fn(Piece, Move) -> i32,
        quiet: bool,
    ) {
        let them = board.colors(!board.side_to_move());
        let (moves, table_move, captures_only) = (&mut self.moves, self.table_move, self.captures_only);
        board.generate_moves(|mut of_piece| {
            let last_ranks = cozy_chess::Rank::First.bitboard() | cozy_chess::Rank::Eighth.bitboard();
            let mut loud = them;
            if of_piece.piece == Piece::Pawn {
                loud |= last_ranks;
                if let Some(file) = board.en_passant() {
                    let side = board.side_to_move();
                    let at = cozy_chess::Square::new(file, cozy_chess::Rank::Sixth.relative_to(side));
                    if at.file() != of_piece.from.file() {
                        loud |= at.bitboard();
                    }
                }
            }
            of_piece.to &= if quiet { !loud } else { loud };
            for mv in of_piece {
                // Rooks and bishops for pawns matter too rarely for quiescence.
                let under = captures_only
                    && matches!(mv.promotion, Some(Piece::Rook | Piece::Bishop | Piece::Knight));
                if Some(mv) != table_move && !under && !leave_out(mv) {
                    moves.push((score(of_piece.piece, mv), mv));
                }
            }
            false
        });
    }
}
