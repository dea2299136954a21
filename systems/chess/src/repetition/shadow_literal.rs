//! The keeper of shadow scores exactly as the posting prints them, including its errors.
//!
//! # Source
//! The source and the notation are those of [`super::shadow`].
//!
//! # Steps
//! The steps are those of [`super::shadow`], with three differences:
//! 1. `if (range[2] >= depth) range[0] = range[1] = -score`: a bound is used as a value, even where the child failed
//!    high or low. This happens on every return of a child without a rest above this node.
//! 2. `HASH_ENTRY->lower_bound = best_pes_score` after every move. A second visit to the open node returns the entry's
//!    bounds, although this visit has less draft than the node of the bounds. The entry's upper bound stays infinite
//!    until the node closes. Both bounds start infinite (`-INF`, `+INF`) when the node opens.
//! 3. `lower_bound` and `upper_bound` are always stored, even without a proof.
//!
//! # Departures
//! The posting does not define leaves, mates, stalemates, the hash hit and the draft. They are those of the corrected
//! form. The key stack replaces the counter `rep_cnt` in the entry, which cannot work in a shared table
//! (`open-literal` shows its errors).

use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::shadow::{Range, range_keeper};
use super::{Grounds, INFINITE};
use crate::history::{Line, NEVER};

/// The posting as printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShadowLiteral;

/// The posting's locals of one node. The node's own ply is known only at the close, so children are kept until then.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    /// Children that rest on a draw: merged ranges. The rest of all children.
    resting: Range,
    /// Best real score among children without a rest: both ends of the range at once.
    free_best: i32,
    any_resting: bool,
}

impl Keep for ShadowLiteral {
    range_keeper!();
    type Gather = Literal;

    const EARLY: bool = true;
    const ANY_DRAFT: bool = true;

    /// Step 2.
    #[inline]
    fn draw_open(rest: i16, open: Option<Bounds>) -> Range {
        Range::draw_open(rest, open)
    }

    #[inline]
    fn open() -> Literal {
        Literal { resting: Range::OPEN, free_best: -INFINITE, any_resting: false }
    }

    #[inline]
    fn lean(gather: &mut Literal, on: Range) {
        gather.resting.lean(on);
    }

    /// Step 1. A child that rests on this very node counts as free too; `close` needs its real score.
    #[inline]
    fn add(gather: &mut Literal, child: Range, edge: Edge) {
        if child.rest == NEVER {
            gather.free_best = gather.free_best.max(edge.score);
            gather.resting.lean(child);
        } else {
            gather.resting.add(child);
            gather.any_resting = true;
        }
    }

    /// Step 2.
    #[inline]
    fn running(gather: &Literal) -> Bounds {
        Bounds { lower: gather.resting.lower.max(gather.free_best), upper: INFINITE }
    }

    /// Step 3.
    #[inline]
    fn close(gather: &Literal, r: Result) -> Closed<Range> {
        let mut range = gather.resting;
        if gather.any_resting && range.rest >= r.ply {
            range = Range { lower: r.best, upper: r.best, rest: NEVER, ..range };
        }
        range.lower = range.lower.max(gather.free_best);
        range.upper = range.upper.max(gather.free_best);
        if r.best >= r.beta && r.moves_left {
            range.upper = INFINITE;
        }
        range.closed(r.ply)
    }
}
