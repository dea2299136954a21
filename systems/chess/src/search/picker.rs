//! The staged move picker. It gives the most promising moves of a node first, and generates each kind of move only on
//! demand.
//!
//! # Source
//! The Chess Programming Wiki's *Move Ordering* and *Move Generation* (staged). Moves are sorted by selection, because
//! most nodes use few of their moves.
//!
//! # Steps
//! 1. The table move.
//! 2. Captures and queen promotions that do not lose material, in the order of victim and capture history.
//! 3. Killers and the counter-move, then the other quiet moves in the order of their history.
//! 4. Losing captures.
//!
//! Quiescence takes captures that lose nothing. At its first plies it also takes quiet moves that give check, after the
//! captures.
//!
//! # Departures
//! The crate `cozy-chess` generates all moves of given pieces. So the picker passes only pieces that have a move of the
//! wanted kind (`Loud::capturers`, [`Checks::movers`]).

use super::checks::Checks;
use super::order::{Arrival, Histories, is_quiet};
use super::see;
use crate::rules::pawns::pawn_attacks;
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves, Rank, Square, get_king_moves};

/// A capture that loses more than this is a losing one, in centipawns.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `captures`.
const LOSING: i32 = -50;

/// Moves and their scores in parallel arrays, so that the greatest score is found in wide steps.
#[derive(Clone, Debug, Default)]
pub struct List {
    scores: Vec<i32>,
    moves: Vec<Move>,
}

impl List {
    fn clear(&mut self) {
        self.scores.clear();
        self.moves.clear();
    }

    #[inline]
    fn push(&mut self, score: i32, mv: Move) {
        self.scores.push(score);
        self.moves.push(mv);
    }

    /// One step of a selection sort from `next` on.
    #[inline]
    fn select(&mut self, next: usize) -> Option<(i32, Move)> {
        let rest = &self.scores[next..];
        let highest = rest.iter().copied().reduce(i32::max)?;
        let index = next + rest.iter().position(|&score| score == highest)?;
        self.swap(next, index);
        Some((highest, self.moves[next]))
    }

    #[inline]
    fn swap(&mut self, one: usize, other: usize) {
        self.scores.swap(one, other);
        self.moves.swap(one, other);
    }
}

/// The kinds of moves that a picker gives.
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

/// The lists of a picker, reused from node to node.
pub type Scratch = (List, List);

/// Gives the moves of a node, most promising first.
#[derive(Debug)]
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    moves: List,
    next: usize,
    bad: List,
    /// Killers and counter-move, legal or not; later stages skip those already given.
    refutations: [Option<Move>; 3],
    /// History of the last quiet move given, if it was looked up.
    history: Option<i32>,
    /// Whether only quiet moves that give check follow.
    thin: Option<Checks>,
    /// The number of moves left out since then.
    passed: i32,
    captures_only: bool,
    /// After captures only: quiet moves that give check.
    checks: bool,
    threshold: i32,
}

impl Picker {
    /// All moves. The lists are scratch taken from a pool.
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
            thin: None,
            passed: 0,
            captures_only: false,
            checks: false,
            threshold: LOSING,
        }
    }

    /// Captures that lose nothing, and after them, if `checks`, quiet moves that give check and lose nothing.
    #[must_use]
    pub fn captures(table_move: Option<Move>, checks: bool, scratch: Scratch) -> Self {
        Self { captures_only: true, checks, threshold: 0, ..Self::all(table_move, scratch) }
    }

    /// Returns the scratch.
    #[must_use]
    pub fn scratch(self) -> Scratch {
        (self.moves, self.bad)
    }

    /// Gives no quiet moves from here on.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers | Stage::MakeQuiets | Stage::Quiets) {
            self.start_bad();
        } else if self.stage != Stage::BadCaptures && self.stage != Stage::Done {
            self.captures_only = true;
        }
    }

    /// From here on gives only quiet moves that give check, because the search would skip all others. With `counted`,
    /// the others still count ([`Self::passed`]). The order does not change. If the place of remaining checks in the
    /// order is not known at once, nothing is left out.
    pub fn thin_quiets(&mut self, board: &Board, checks: &Checks, counted: bool) {
        if self.thin.is_some() || (counted && self.stage != Stage::Quiets) {
            return;
        }
        self.thin = Some(*checks);
        if self.stage != Stage::Quiets {
            return;
        }
        let end = self.moves.moves.len();
        let mut left = (self.next..end).filter(|&at| checks.gives(board, self.moves.moves[at]));
        match (left.next(), left.next()) {
            (None, _) => {
                self.passed = (end - self.next) as i32;
                self.next = end;
            }
            (Some(at), None) if !counted => {
                self.moves.swap(at, end - 1);
                self.next = end - 1;
            }
            _ => {}
        }
    }

    /// The number of moves left out, which a count of the given moves lacks.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> i32 {
        self.passed
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
                    self.make_captures(board, h);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best() {
                    Some((_, mv)) if see::gains(board, mv, self.threshold) => return Some(mv),
                    Some((score, mv)) => self.bad.push(score, mv),
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
                    if let Some(checks) = self.thin {
                        self.make_checks(board, &checks, h, before);
                    }
                    // One check or none has its place in any order.
                    if self.thin.is_none() || self.moves.moves.len() > 1 {
                        self.moves.clear();
                        self.make_quiets(board, h, before);
                    }
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
                    self.make_checks(board, &Checks::new(board), h, before);
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

    /// Whether the last move given came from the quiet moves sorted by history.
    #[inline]
    #[must_use]
    pub fn in_quiets(&self) -> bool {
        self.stage == Stage::Quiets
    }

    /// Whether the last move given came from the losing captures.
    #[must_use]
    pub fn in_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    fn best(&mut self) -> Option<(i32, Move)> {
        let best = self.moves.select(self.next);
        self.next += usize::from(best.is_some());
        best
    }

    /// History of the last move given, for a quiet one.
    #[inline]
    #[must_use]
    pub fn history(&self, board: &Board, mv: Move, h: &Histories, before: [Option<Arrival>; 3]) -> i32 {
        self.history.unwrap_or_else(|| h.quiet_score(board, mv, before))
    }

    /// Captures and promotions to a queen, and in the main search to other pieces, without the table move.
    fn make_captures(&mut self, board: &Board, h: &Histories) {
        let loud = Loud::new(board);
        let (list, table_move, captures_only) = (&mut self.moves, self.table_move, self.captures_only);
        let mut add = |moves: PieceMoves| {
            if moves.to.is_empty() {
                return;
            }
            for mv in moves {
                // Rooks and bishops for pawns matter too rarely for quiescence.
                let under = captures_only
                    && matches!(mv.promotion, Some(Piece::Rook | Piece::Bishop | Piece::Knight));
                if Some(mv) != table_move && !under {
                    list.push(h.capture_score(board, moves.piece, mv), mv);
                }
            }
        };
        board.generate_moves_for(loud.capturers(board), |mut moves| {
            moves.to &= loud.of(&moves);
            add(moves);
            false
        });
        // The king one by one: each of its moves costs a look for attackers.
        let from = board.king(board.side_to_move());
        let mut to = BitBoard::EMPTY;
        for square in get_king_moves(from) & loud.them {
            if board.is_legal(Move { from, to: square, promotion: None }) {
                to |= square.bitboard();
            }
        }
        add(PieceMoves { piece: Piece::King, from, to });
    }

    /// The other moves, without the table move and the refutations given.
    fn make_quiets(&mut self, board: &Board, h: &Histories, before: [Option<Arrival>; 3]) {
        self.make_within(board, BitBoard::FULL, |_, _| BitBoard::FULL, h, before);
    }

    /// Quiet moves that give check, without the table move and the refutations given.
    fn make_checks(&mut self, board: &Board, checks: &Checks, h: &Histories, before: [Option<Arrival>; 3]) {
        let squares = |piece, from| checks.squares(piece, from);
        self.make_within(board, checks.movers(board), squares, h, before);
    }

    /// Quiet moves of some pieces to some squares.
    #[inline]
    fn make_within(
        &mut self,
        board: &Board,
        movers: BitBoard,
        squares: impl Fn(Piece, Square) -> BitBoard,
        h: &Histories,
        before: [Option<Arrival>; 3],
    ) {
        let (loud, rows) = (Loud::new(board), h.rows(board.side_to_move(), before));
        let [first, second, third] = self.refutations;
        let given = [self.table_move, first, second, third];
        let origins = given.into_iter().flatten().fold(BitBoard::EMPTY, |all, mv| all | mv.from.bitboard());
        let list = &mut self.moves;
        board.generate_moves_for(movers, |moves| {
            let mut targets = moves.to & squares(moves.piece, moves.from) & !loud.of(&moves);
            if origins.has(moves.from) {
                for mv in given.into_iter().flatten().filter(|mv| mv.from == moves.from) {
                    targets &= !mv.to.bitboard();
                }
            }
            for to in targets {
                let mv = Move { from: moves.from, to, promotion: None };
                list.push(rows.score(moves.piece, mv), mv);
            }
            false
        });
    }
}

/// The squares where a move is not quiet.
#[derive(Clone, Copy, Debug)]
struct Loud {
    side: Color,
    them: BitBoard,
    /// The square where a pawn may take in passing.
    passing: Option<Square>,
}

impl Loud {
    fn new(board: &Board) -> Self {
        let side = board.side_to_move();
        let passing = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(side)));
        Self { side, them: board.colors(!side), passing }
    }

    /// The squares where moves of this piece are captures or promotions.
    #[inline]
    fn of(&self, moves: &PieceMoves) -> BitBoard {
        if moves.piece != Piece::Pawn {
            return self.them;
        }
        let loud = self.them | Rank::First.bitboard() | Rank::Eighth.bitboard();
        match self.passing {
            Some(at) if at.file() != moves.from.file() => loud | at.bitboard(),
            _ => loud,
        }
    }

    /// Pieces other than the king that may have such a move: all pieces except pawns, and pawns that can capture or
    /// promote.
    fn capturers(&self, board: &Board) -> BitBoard {
        let prey = self.them | self.passing.map_or(BitBoard::EMPTY, Square::bitboard);
        let from = pawn_attacks(prey, !self.side);
        let (own, pawns) = (board.colors(self.side), board.pieces(Piece::Pawn));
        let active = pawns & (from | Rank::Seventh.relative_to(self.side).bitboard());
        own & ((!pawns & !board.pieces(Piece::King)) | active)
    }
}
