//! The cautious keeper: it stores no value that rests on a draw above the node.
//!
//! # Source
//! M. S. Campbell, *The graph-history interaction* (1985), first half of the remedy. The ply that each value carries
//! comes from H. G. Muller's posting on shadow scores (Winboard Forum, about 2006).
//!
//! # Steps
//! 1. The trace is the highest ply a draw rests on, over all searched moves, refuted ones included.
//! 2. At the node of that ply the value rests on nothing above, and may be stored.
//!
//! # Departures
//! None. The keeper cures draw-first, not draw-last: a stored bound does not know the positions now on the path.

use super::Grounds;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use crate::history::{Line, NEVER};

/// Keeps values that rest on no draw above.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cautious;

impl Keep for Cautious {
    type Trace = Grounds;
    type Gather = Grounds;

    #[inline]
    fn free(_value: i32) -> Grounds {
        Grounds::NOTHING
    }

    #[inline]
    fn draw(rest: i16) -> Grounds {
        Grounds::draw(rest)
    }

    #[inline]
    fn open() -> Grounds {
        Grounds::NOTHING
    }

    #[inline]
    fn lean(gather: &mut Grounds, on: Grounds) {
        *gather = gather.and(on);
    }

    /// Step 1.
    #[inline]
    fn add(gather: &mut Grounds, child: Grounds, _edge: Edge) {
        *gather = gather.and(child);
    }

    /// Step 2.
    #[inline]
    fn close(gather: &Grounds, r: Result) -> Closed<Grounds> {
        let trace = gather.closed_at(r.ply);
        let bounds = if trace.rest == NEVER { Bounds::proved(r.best, r.alpha, r.beta) } else { Bounds::NONE };
        Closed { trace, keep: Known::plain(bounds, trace.recurs) }
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, Grounds) {
        (known.bounds, Grounds::stored(known.recurs))
    }

    #[inline]
    fn leaf(trace: Grounds, bounds: Bounds) -> Known {
        Known::plain(bounds, trace.recurs)
    }

    #[inline]
    fn grounds(trace: Grounds) -> Grounds {
        trace
    }
}
