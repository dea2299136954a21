//! The cautious keeper. It stores no value that rests on a draw by repetition of a position above the node.
//!
//! # Source
//! M. S. Campbell, *The graph-history interaction* (1985), first half of the remedy. The idea that each value carries a
//! ply comes from H. G. Muller's posting on shadow scores (Winboard Forum, about 2006).
//!
//! # Steps
//! 1. Each value carries a trace: the least ply that a draw rests on, over all searched moves. Refuted moves are
//!    included.
//! 2. At the node of that ply, the value rests on no position above the node, and may be stored.
//!
//! # Departures
//! None. The keeper cures draw-first, but not draw-last, because a stored bound does not know the positions of the
//! current path. ([`crate::repetition`] defines both terms.)

use super::Grounds;
use super::grounded::Stores;
use super::keep::{Bounds, Known, Result};
use crate::history::NEVER;

/// Keeps values that rest on no draw above.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cautious;

impl Stores for Cautious {
    /// Step 2.
    #[inline]
    fn stored(_gather: &Grounds, trace: &Grounds, r: &Result) -> Known {
        let bounds = if trace.rest == NEVER { Bounds::proved(r.best, r.alpha, r.beta) } else { Bounds::NONE };
        Known::plain(bounds, trace.recurs)
    }
}
