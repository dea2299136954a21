//! Prunes nodes before their moves, prunes single moves, and chooses reductions.
//!
//! # Source
//! Null moves and their verification: G. Goetsch, M. Campbell, "Experiments with the Null-Move Heuristic" (1990); E.
//! Heinz, "Adaptive Null-Move Pruning" (1999). Futility: E. Heinz, "Extended Futility Pruning" (1998). Reverse
//! futility, late move pruning and late move reductions: Chess Programming Wiki.
//!
//! # Notation
//! Steps 5 and 6 are those of [`super::node`].
//!
//! # Invariants
//! Nothing is pruned at the root, nor where `selective` is off. A move that gives check is never pruned as a late move.
//! It is pruned only if it loses far more material than its depth can win back. If the answer to a null move was mate,
//! no quiet move is pruned, because the move that parries the mate may come last.

use super::checks::Checks;
use super::constants::*;
use super::context::{Context, Late, Valued};
use super::order::{self, HISTORY_MAX};
use super::reductions::base;
use super::see;
use super::table::Entry;
use super::worker::Worker;
use crate::evaluation::Placed;
use crate::history::identity;
use crate::repetition::keep::{Edge, Keep, Result as NodeResult};
use crate::repetition::{DRAW, Detect, MATE_BOUND};
use cozy_chess::{Board, Move, Piece};

/// The decision on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The move is searched.
    Search,
    /// The move is skipped.
    Pass,
    /// The move is skipped, and so is every later quiet move of no greater history that gives no check.
    LesserToo,
    /// The same as the variant before. Without the stored bound that gave the evaluation, the move would be searched:
    /// the node's value rests on that bound.
    LesserByBound,
    /// The move is skipped, and so is every later quiet move that gives no check.
    AllLater,
}

impl Verdict {
    fn pass_if(passes: bool) -> Self {
        if passes { Self::Pass } else { Self::Search }
    }
}

impl<D: Detect, K: Keep> Worker<D, K> {
    /// Step 5. A value that comes from a stored bound has the bound's grounds, `ground`.
    pub(super) fn prune(
        &mut self,
        placed: &Placed,
        c: &mut Context,
        entry: Option<&Entry>,
        ground: K::Trace,
    ) -> Option<Valued<K>> {
        let Context { pv, in_check, improving, evaluation, depth, ply, beta, .. } = *c;
        if pv || in_check || !self.shared.options.selective || self.frames[ply].excluded.is_some() {
            return None;
        }
        if beta > -MATE_BOUND && depth <= REVERSE_DEPTH && evaluation < MATE_BOUND {
            let margin = REVERSE_MARGIN[0] * (depth - i32::from(improving)).max(0) + REVERSE_MARGIN[1];
            if evaluation - margin >= beta {
                let value = (evaluation + beta) / 2;
                return Some((value, if c.by_bound { ground } else { K::free(value) }));
            }
        }
        let board = placed.board();
        let pieces =
            board.colors(board.side_to_move()) - board.pieces(Piece::Pawn) - board.pieces(Piece::King);
        let hopeless = entry.is_some_and(|e| e.known.bounds.upper < beta && e.draft >= depth - NULL_DRAFT);
        let null_before = ply > 0 && self.frames[ply - 1].arrival.is_none();
        if depth >= NULL_DEPTH
            && evaluation >= beta
            && !pieces.is_empty()
            && !null_before
            && ply >= self.no_null_until
            && !hopeless
        {
            return self.null_move(placed, c);
        }
        None
    }

    /// Null move: if passing still fails high, some move will too. Deep null moves are verified by a search without
    /// null moves.
    fn null_move(&mut self, placed: &Placed, c: &mut Context) -> Option<Valued<K>> {
        let Context { evaluation, depth, ply, beta, .. } = *c;
        let child = placed.play_null()?;
        self.evaluate_passed(&child, c.raw);
        let less = NULL_REDUCTION + depth / NULL_DEPTH_SHARE;
        let reduced = (depth - less - ((evaluation - beta) / NULL_MARGIN).min(NULL_MOST))
            .max(depth.min(NULL_LEAST[0]) - NULL_LEAST[1]);
        let key = identity(child.board());
        self.shared.table.prefetch(key);
        self.frames[ply].arrival = None;
        self.detect.enter(&self.line);
        self.line.push_null(key);
        let (value, trace) = self.node(&child, -beta, 1 - beta, reduced, !c.cut);
        self.line.pop();
        self.detect.leave(&self.line);
        let mut score = -value;
        c.threat = score <= -MATE_BOUND && !self.aborted;
        if self.aborted || score < beta {
            return self.aborted.then(|| (DRAW, K::free(DRAW)));
        }
        if score >= MATE_BOUND {
            score = beta;
        }
        if depth >= VERIFY_DEPTH {
            let saved = std::mem::replace(
                &mut self.no_null_until,
                ply + (reduced.max(0) * VERIFY_SHARE[0] / VERIFY_SHARE[1]) as usize + 1,
            );
            let (verified, trace) = self.node(placed, beta - 1, beta, reduced.max(1), false);
            self.no_null_until = saved;
            return (self.aborted || verified >= beta).then_some((verified, trace));
        }
        let mut gather = K::open();
        K::add(&mut gather, trace, Edge { key, reversible: false, score, best: true });
        let result = NodeResult { ply: ply as i16, best: score, alpha: beta - 1, beta, moves_left: true };
        Some((score, K::close(&gather, result).trace))
    }

    /// Step 6: whether a late or losing move is left out at low depth.
    pub(super) fn passes_over(
        &self,
        board: &Board,
        mv: Move,
        c: &Context,
        late: Late,
        checks: &Checks,
    ) -> Verdict {
        if c.ply == 0 || !self.shared.options.selective {
            return Verdict::Search;
        }
        let Late { count, quiet, losing, history } = late;
        if quiet && checks.gives(board, mv) {
            return Verdict::pass_if(c.depth <= CHECK_DEPTH && !see::gains(board, mv, CHECK_LOSS * c.depth));
        }
        if quiet {
            if c.threat {
                return Verdict::Search;
            }
            if !c.pv && !c.in_check && count > (LATE_MOVES + c.depth * c.depth) / (2 - i32::from(c.improving))
            {
                return Verdict::AllLater;
            }
            let reduced = (c.depth - base(c.depth, count) / PLY).max(0);
            // Later moves have less history and are reduced more.
            let margin = FUTILITY_MARGIN[0] + FUTILITY_MARGIN[1] * reduced + history / FUTILITY_HISTORY;
            let far = |evaluation: i32| evaluation + margin <= c.alpha;
            let futile = !c.in_check && reduced <= FUTILITY_DEPTH && far(c.evaluation);
            if (futile && (!c.by_bound || far(self.frames[c.ply].evaluation)))
                || (c.depth <= HISTORY_DEPTH && history < HISTORY_LOSS * c.depth)
            {
                return Verdict::LesserToo;
            }
            if futile {
                return Verdict::LesserByBound;
            }
            return Verdict::pass_if(
                reduced <= QUIET_LOSS_DEPTH && !see::gains(board, mv, QUIET_LOSS * reduced * reduced),
            );
        }
        let loss = if checks.gives(board, mv) { CHECK_LOSS } else { CAPTURE_LOSS };
        Verdict::pass_if(c.depth <= CAPTURE_LOSS_DEPTH && losing && !see::gains(board, mv, loss * c.depth))
    }

    /// Step 6: the reduction of a late move.
    pub(super) fn reduction(
        &self,
        board: &Board,
        child: &Placed,
        mv: Move,
        c: &Context,
        late: Late,
        table_move: Option<Move>,
    ) -> i32 {
        let Late { count, quiet, losing, history } = late;
        if c.depth < REDUCED_FROM || count < REDUCED_MOVE + i32::from(c.pv) || !self.shared.options.selective
        {
            return 0;
        }
        let mut r = base(c.depth, count) * REDUCED / 100;
        if quiet {
            r -= OF_GOOD * history / HISTORY_MAX;
        } else {
            r = if losing { r / CAPTURE_SHARE } else { r / CAPTURE_SHARE - OF_GOOD };
        }
        r += CUT_NODE * i32::from(c.cut);
        r -= PRINCIPAL * i32::from(c.pv);
        r += WORSENING * i32::from(!c.improving);
        r -= OF_CHECK * i32::from(!child.board().checkers().is_empty());
        r += AFTER_CAPTURE * i32::from(table_move.is_some_and(|t| !order::is_quiet(board, t)));
        r -= OF_GOOD * i32::from(self.histories.killers[c.ply].contains(&Some(mv)));
        r -= UNDER_THREAT * i32::from(c.threat);
        (r / PLY).max(0)
    }
}
