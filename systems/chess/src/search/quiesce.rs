//! Quiescence search: captures and queen promotions until the position is quiet, checks at the first plies, and
//! evasions of check.
//!
//! # Source
//! The idea: C. Shannon, "Programming a Computer for Playing Chess" (1950). Delta pruning, SEE pruning and checks at
//! the first plies: Chess Programming Wiki.
//!
//! # Steps
//! 1. Probe the table, for entries of any draft. This happens only at the first ply, because a look-up costs as much as
//!    an evaluation.
//! 2. Stand pat, unless the side to move is in check.
//! 3. Search captures that do not lose material. Skip those that cannot reach alpha. In the first `CHECK_PLIES` plies,
//!    also search quiet moves that give check and lose nothing. Without these moves the search finds a mating sacrifice
//!    two plies later.
//!
//! # Invariants
//! Quiescence does not look for repetitions, so its values do not depend on the path, with one exception. A bound that
//! a deeper search stored may replace standing pat at the first ply. Then the value, and its stored form, rests on the
//! same draws as the bound. Quiescence always ends. It starts only out of check, and all its moves are captures, except
//! for a few checks and the answers to them.

use super::context::Valued;
use super::picker::Picker;
use super::see;
use super::table::{Entry, NO_EVALUATION};
use super::worker::Worker;
use super::{MAX_PLY, order};
use crate::evaluation::{Placed, incremental::captured};
use crate::history::Key;
use crate::repetition::keep::{Bounds, absolute, relative};
use crate::repetition::{DRAW, Detect, INFINITE, Keep, MATE, MATE_BOUND};
use crate::rules::square::piece_at;
use cozy_chess::Piece;

/// The number of plies, without those in check, at which quiet checks are considered.
///
/// Origin: measured, commit 6230e0e, together with three other changes: 290 of 300 of WAC, 285 before.
pub(super) const CHECK_PLIES: i32 = 2;

/// A capture must reach alpha with this many centipawns more than it takes.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `delta`.
const DELTA: i32 = 180;

impl<D: Detect, K: Keep> Worker<D, K> {
    /// The value of a leaf of the main search, and its grounds.
    pub(super) fn leaf(&mut self, placed: &Placed, alpha: i32, beta: i32, ply: usize) -> Valued<K> {
        let mut ground = None;
        let at_leaf = Some((self.line.key(), &mut ground));
        let value = self.quiesce(placed, at_leaf, alpha, beta, ply, CHECK_PLIES);
        (value, ground.unwrap_or_else(|| K::free(value)))
    }

    /// The value of a position after its exchanges and `checks` plies of quiet checks. A leaf gives its key, and a
    /// place for the grounds of a stored bound that is used. Other nodes do not probe the table.
    fn quiesce(
        &mut self,
        placed: &Placed,
        at_leaf: Option<(Key, &mut Option<K::Trace>)>,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        checks: i32,
    ) -> i32 {
        if self.enter(ply) {
            return DRAW;
        }
        let board = placed.board();
        let in_check = !board.checkers().is_empty();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(placed) + self.shift(board) };
        }
        // Step 1.
        let (key, mut unused) = (at_leaf.as_ref().map(|(key, _)| *key), None);
        let ground = at_leaf.map_or(&mut unused, |(_, ground)| ground);
        let entry = key.and_then(|key| self.shared.table.get(key));
        let (mut bounds, mut stored) = (Bounds::NONE, None);
        if let Some(entry) = &entry {
            let mut known = entry.known;
            known.bounds = absolute(known.bounds, ply as i32);
            let (admitted, trace) = self.admit(known);
            (bounds, stored) = (admitted, Some(trace));
            if beta - alpha == 1 {
                if bounds.lower >= beta {
                    *ground = stored;
                    return bounds.lower;
                }
                if bounds.upper <= alpha {
                    *ground = stored;
                    return bounds.upper;
                }
            }
        }
        // Step 2.
        let alpha_start = alpha;
        let (mut best, mut raw) = (-INFINITE, NO_EVALUATION);
        if !in_check {
            raw = match &entry {
                Some(entry) if entry.evaluation != NO_EVALUATION => entry.evaluation,
                _ => self.evaluate(placed),
            };
            best = self.judged(board, raw);
            // What the table knows is better than standing still.
            if bounds.lower > best && bounds.lower < MATE_BOUND {
                (best, *ground) = (bounds.lower, stored);
            } else if bounds.upper < best && bounds.upper > -MATE_BOUND {
                (best, *ground) = (bounds.upper, stored);
            }
            if best >= beta {
                if entry.is_none() {
                    self.keep(key, (Bounds { lower: best, upper: INFINITE }, None), None, raw, ply);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        // Step 3.
        let margin = best + DELTA;
        let table_move = entry.and_then(|e| e.best).filter(|&mv| {
            board.is_legal(mv) && (in_check || (!order::is_quiet(board, mv) && see::gains(board, mv, 0)))
        });
        let scratch = self.take_scratch();
        let mut picker = if in_check {
            Picker::all(table_move, scratch)
        } else {
            Picker::captures(table_move, checks > 0, scratch)
        };
        let before = self.before(ply);
        let (mut best_move, mut tried) = (None, 0);
        while let Some(mv) = picker.next(board, &self.histories, ply, before) {
            if in_check && best > -MATE_BOUND && tried > 0 {
                // One way out is known: only captures beyond it.
                picker.skip_quiets();
            }
            tried += 1;
            if !in_check && mv.promotion.is_none() && !order::is_quiet(board, mv) {
                let moved = piece_at(board, mv.from).unwrap_or(Piece::Pawn);
                let gain = captured(board, moved, mv).map_or(0, |(piece, _)| see::value(piece));
                if margin + gain <= alpha {
                    best = best.max(margin + gain);
                    continue;
                }
            }
            self.frames[ply].arrival = Some(order::arrival(board, mv));
            let child = placed.play(mv, &self.shared.weights);
            let left = if in_check { checks } else { checks - 1 };
            let value = -self.quiesce(&child, None, -beta, -alpha, ply + 1, left);
            if self.aborted {
                self.give_scratch(picker);
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if value >= beta {
                        // One capture proves it; the bound that stood in for standing pat has no part.
                        *ground = None;
                        break;
                    }
                }
            }
        }
        self.give_scratch(picker);
        if in_check && tried == 0 {
            return ply as i32 - MATE;
        }
        self.keep(key, (Bounds::proved(best, alpha_start, beta), *ground), best_move, raw, ply);
        best
    }

    fn keep(
        &self,
        key: Option<Key>,
        (bounds, ground): (Bounds, Option<K::Trace>),
        best: Option<cozy_chess::Move>,
        evaluation: i32,
        ply: usize,
    ) {
        let Some(key) = key else { return };
        let trace = ground.unwrap_or_else(|| K::free(DRAW));
        let known = K::on_path(K::leaf(trace, relative(bounds, ply as i32)), &self.line);
        self.shared.table.put(key, &Entry { best, older: false, known, evaluation, draft: 0 });
    }
}
