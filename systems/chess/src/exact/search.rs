//! Fixed-depth alpha-beta with a table, generic over how repetitions are noticed and what the table may keep.
//!
//! # Source
//! Knuth and Moore, *An analysis of alpha-beta pruning* (1975), fail-soft; the repetition suite's definition.
//!
//! # Steps
//! 1. Repetition under the policy: a draw with its rest.
//! 2. No legal move: mate or stalemate. Depth 0: material.
//! 3. Table, at equal draft only: bounds the keeper admits on this line may cut.
//! 4. Upcoming repetition (optional): the side to move can have a draw, so alpha is at least that.
//! 5. Moves: table move, captures, killers, the rest by history.
//! 6. The keeper closes the node and says what may be stored.
//!
//! # Departures
//! Iterations of growing depth only order moves; entries of another draft are never used for values, since the value
//! at another depth is another value.
//!
//! # Cost
//! Like alpha-beta with a table; see docs/chess-repetition.md for what each keeper adds.

use super::material;
use super::table::{Entry, Table};
use crate::history::{Game, Line, Policy, identity};
use crate::repetition::keep::{Bounds, Edge, Keep, Result as NodeResult};
use crate::repetition::upcoming::upcoming;
use crate::repetition::{DRAW, Detect, INFINITE, MATE, MATE_BOUND, Scheme, SchemeVisitor};
use cozy_chess::{Board, Move, Piece};
use serde::Serialize;

/// What to search and how.
#[derive(Clone, Copy, Debug)]
pub struct ExactOptions {
    /// Plies.
    pub depth: u32,
    /// Which recurrences are draws.
    pub policy: Policy,
    /// What the table keeps.
    pub scheme: Scheme,
    /// Table of 2 to this many entries.
    pub table_bits: u32,
    /// Step 4 on.
    pub upcoming: bool,
}

impl Default for ExactOptions {
    fn default() -> Self {
        Self { depth: 1, policy: Policy::B, scheme: Scheme::Exact, table_bits: 18, upcoming: false }
    }
}

/// The value and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExactReport {
    /// Value of the root, side to move's view; mate at ply p is 30000 - p.
    pub value: i32,
    /// Positions entered, all iterations.
    pub nodes: u64,
    /// Table look-ups that ended a node.
    pub hits: u64,
    /// Entries that said less than their bounds because of the path.
    pub refused: u64,
    /// Nodes closed with a value that depends on the path.
    pub dependent: u64,
    /// Nodes closed.
    pub closed: u64,
}

/// Searches the game's position.
#[must_use]
pub fn solve(game: &Game, options: ExactOptions) -> ExactReport {
    options.scheme.visit(Solve { game, options })
}

struct Solve<'a> {
    game: &'a Game,
    options: ExactOptions,
}

impl SchemeVisitor for Solve<'_> {
    type Output = ExactReport;

    fn visit<D: Detect + Default, K: Keep>(self) -> ExactReport {
        let line = self.game.line(self.options.policy);
        let mut detect = D::default();
        detect.begin(&line);
        let mut searcher = Searcher::<D, K> {
            line,
            detect,
            table: Table::new(self.options.table_bits),
            upcoming: self.options.upcoming,
            killers: [[None; 2]; 256],
            history: vec![0; 64 * 64 * 2],
            report: ExactReport::default(),
            keeper: std::marker::PhantomData,
        };
        for depth in 0..=self.options.depth {
            searcher.report.value = searcher.node(self.game.board(), depth, -INFINITE, INFINITE).0;
        }
        searcher.report
    }
}

struct Searcher<D, K> {
    line: Line,
    detect: D,
    table: Table,
    upcoming: bool,
    killers: [[Option<Move>; 2]; 256],
    history: Vec<i32>,
    report: ExactReport,
    keeper: std::marker::PhantomData<K>,
}

impl<D: Detect, K: Keep> Searcher<D, K> {
    fn node(&mut self, board: &Board, depth: u32, mut alpha: i32, beta: i32) -> (i32, K::Trace) {
        self.report.nodes += 1;
        let ply = self.line.ply();
        // Step 1.
        if ply > 0
            && self.detect.maybe(&self.line)
            && let Some(rest) = self.line.repetition()
        {
            return (DRAW, K::draw(rest));
        }
        // Step 2.
        let (table_move, alpha_start) = (self.table_move(depth), alpha);
        if depth == 0 {
            let value = terminal(board, ply).unwrap_or_else(|| material(board));
            return (value, K::free(value));
        }
        // Step 3.
        if ply > 0
            && let Some(cut) = self.probe(depth, alpha, beta)
        {
            return cut;
        }
        let moves = self.ordered(board, table_move);
        if moves.is_empty() {
            let value = terminal(board, ply).unwrap_or(DRAW);
            return (value, K::free(value));
        }
        let (mut best, mut best_move, mut gather) = (-INFINITE, None, K::open());
        // Step 4.
        if self.upcoming
            && ply > 0
            && let Some(rest) = upcoming(board, &self.line)
        {
            best = DRAW;
            alpha = alpha.max(DRAW);
            let edge = Edge { key: self.line.key(), reversible: false, score: DRAW, best: true };
            K::add(&mut gather, K::draw(rest), edge);
        }
        // Step 5.
        self.detect.enter(&self.line);
        let mut searched = 0;
        for &(_, mv) in &moves {
            if best >= beta {
                break;
            }
            let mut child = board.clone();
            child.play_unchecked(mv);
            let key = identity(&child);
            let reversible = self.line.push(board, &child, key);
            let (value, trace) = self.node(&child, depth - 1, -beta, -alpha);
            self.line.pop();
            let score = -value;
            searched += 1;
            K::add(&mut gather, trace, Edge { key, reversible, score, best: score > best });
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                }
            }
        }
        self.detect.leave(&self.line);
        if best >= beta {
            self.reward(board, best_move, depth);
        }
        // Step 6.
        let moves_left = searched < moves.len();
        let closed = K::close(&gather, NodeResult { ply, best, alpha: alpha_start, beta, moves_left });
        self.report.closed += 1;
        self.report.dependent += u64::from(K::depends(closed.trace));
        let mut known = closed.keep;
        known.bounds = relative(known.bounds, i32::from(ply));
        let draft = u8::try_from(depth).unwrap_or(u8::MAX);
        self.table.put(Entry { key: self.line.key(), draft, best: best_move.or(table_move), known });
        (best, closed.trace)
    }

    fn table_move(&self, depth: u32) -> Option<Move> {
        let draft = u8::try_from(depth).unwrap_or(u8::MAX);
        let of = |draft| self.table.get(self.line.key(), draft).and_then(|entry| entry.best);
        of(draft).or_else(|| of(draft.saturating_sub(1)))
    }

    fn probe(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<(i32, K::Trace)> {
        let draft = u8::try_from(depth).unwrap_or(u8::MAX);
        let mut known = self.table.get(self.line.key(), draft)?.known;
        known.bounds = absolute(known.bounds, i32::from(self.line.ply()));
        let (bounds, trace) = K::admit(known, &self.line);
        self.report.refused += u64::from(bounds != known.bounds);
        let value = if bounds.lower >= beta || bounds.lower == bounds.upper {
            bounds.lower
        } else if bounds.upper <= alpha {
            bounds.upper
        } else {
            return None;
        };
        self.report.hits += 1;
        Some((value, trace))
    }

    fn ordered(&self, board: &Board, table_move: Option<Move>) -> Vec<(i32, Move)> {
        let mut moves = Vec::with_capacity(40);
        let killers = self.killers[self.line.ply().clamp(0, 255) as usize];
        board.generate_moves(|piece_moves| {
            for mv in piece_moves {
                moves.push((self.rank(board, mv, table_move, killers), mv));
            }
            false
        });
        moves.sort_by_key(|(rank, _)| -rank);
        moves
    }

    fn rank(&self, board: &Board, mv: Move, table_move: Option<Move>, killers: [Option<Move>; 2]) -> i32 {
        const TOP: i32 = 1 << 28;
        if Some(mv) == table_move {
            return TOP;
        }
        let victim = board.colors(!board.side_to_move()).has(mv.to).then(|| board.piece_on(mv.to)).flatten();
        if let Some(victim) = victim {
            let attacker = board.piece_on(mv.from).map_or(0, |p| p as i32);
            return TOP / 2 + victim as i32 * 16 - attacker;
        }
        if mv.promotion == Some(Piece::Queen) {
            return TOP / 2;
        }
        if killers.contains(&Some(mv)) { TOP / 4 } else { self.history[slot(board, mv)] }
    }

    fn reward(&mut self, board: &Board, best: Option<Move>, depth: u32) {
        let Some(mv) = best else { return };
        if board.colors(!board.side_to_move()).has(mv.to) {
            return;
        }
        let killers = &mut self.killers[self.line.ply().clamp(0, 255) as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let entry = &mut self.history[slot(board, mv)];
        *entry = (*entry + (depth * depth) as i32).min(1 << 20);
    }
}

fn slot(board: &Board, mv: Move) -> usize {
    (board.side_to_move() as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

/// Mate or stalemate, if there is no legal move.
fn terminal(board: &Board, ply: i16) -> Option<i32> {
    if board.generate_moves(|_| true) {
        return None;
    }
    Some(if board.checkers().is_empty() { DRAW } else { i32::from(ply) - MATE })
}

/// Mates counted from the node instead of the root, for storing.
#[must_use]
pub fn relative(bounds: Bounds, ply: i32) -> Bounds {
    let shift = |v: i32| match v.abs() {
        MATE_BOUND..=MATE => v + v.signum() * ply,
        _ => v,
    };
    Bounds { lower: shift(bounds.lower), upper: shift(bounds.upper) }
}

/// The inverse of [`relative`].
#[must_use]
pub fn absolute(bounds: Bounds, ply: i32) -> Bounds {
    relative(bounds, -ply)
}
