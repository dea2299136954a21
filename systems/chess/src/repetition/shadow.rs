//! The keeper of shadow scores (contingency minimax). Every value carries the range that it would lie in if no position
//! of the tree counted as repeated. The table stores the range.
//!
//! # Source
//! H. G. Muller's posting on hash-table pollution by repetition draws (Winboard Forum, about 2006), which its author
//! marks as untested.
//!
//! # Notation
//! `lower`, `upper`: the posting's `best_pes_score`, `best_opt_score`. `rest`: its `draw_depth` (`REP_DEPTH`).
//!
//! # Steps
//! 1. A position that stood twice in the game is a draw with and without repetitions in the tree. Its range is (0, 0),
//!    and it has no rest.
//! 2. A position that is open in the tree has the real score 0, an unknown range, and its ply as rest.
//! 3. A node's range is the maximum of the negated ranges of its moves. A cutoff with moves left lifts `upper` to
//!    infinity.
//! 4. The rest is the least rest over all searched moves, not only that of the best move.
//! 5. At the ply of the rest, the dependence on the repetition ends. The range becomes the range that the real score
//!    proves.
//! 6. The range is stored. A stored range has no rest.
//! 7. *Early update* ([`ShadowEarly`]): after every move the current range is written into the table's entry of the
//!    open node. Step 2 takes the range of the table instead of an unknown one.
//!
//! # Departures
//! This is the posting with corrections. [`super::shadow_literal`] is the posting as printed.
//! - At step 5, only the end of the range that the search window proves is set.
//! - The range does not change if nothing depended on a repetition, because the search window proves the same range.
//! - Draft and ply are separate numbers.
//! - The root is exempt from these steps.
//! - The key stack detects repetitions, so the scheme works in a shared table.
//! - At step 7, an entry counts only if a probe would accept its draft. The open node has more draft than its
//!   recurrence.
//!
//! Neither form cures draw-last, because a stored range does not know the positions of the current path.

use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::{DRAW, Grounds, INFINITE};
use crate::history::{Line, NEVER};

/// The range a value would lie in without repetitions in the tree, and the ply its draws rest on.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// At least this in the shadow world.
    pub lower: i32,
    /// At most this in the shadow world.
    pub upper: i32,
    /// Least ply of the tree a draw rests on.
    pub rest: i16,
    /// The grounds of the real score, the game included.
    pub grounds: Grounds,
}

impl Range {
    /// The range before the first move: the maximum of nothing.
    pub(super) const OPEN: Self =
        Self { lower: -INFINITE, upper: -INFINITE, rest: NEVER, grounds: Grounds::NOTHING };

    #[inline]
    pub(super) fn leaf(value: i32) -> Self {
        Self { lower: value, upper: value, rest: NEVER, grounds: Grounds::NOTHING }
    }

    /// Steps 1 and 2.
    #[inline]
    pub(super) fn draw(rest: i16) -> Self {
        let grounds = Grounds::draw(rest);
        if rest < 0 {
            Self { lower: DRAW, upper: DRAW, rest: NEVER, grounds }
        } else {
            Self { lower: -INFINITE, upper: INFINITE, rest, grounds }
        }
    }

    /// Step 7.
    #[inline]
    pub(super) fn draw_open(rest: i16, open: Option<Bounds>) -> Self {
        match open {
            Some(Bounds { lower, upper }) if rest >= 0 => Self { lower, upper, ..Self::draw(rest) },
            _ => Self::draw(rest),
        }
    }

    /// Steps 3 and 4.
    #[inline]
    pub(super) fn add(&mut self, child: Self) {
        self.lower = self.lower.max(-child.upper);
        self.upper = self.upper.max(-child.lower);
        self.lean(child);
    }

    #[inline]
    pub(super) fn lean(&mut self, on: Self) {
        self.rest = self.rest.min(on.rest);
        self.grounds = self.grounds.and(on.grounds);
    }

    /// Step 6.
    #[inline]
    pub(super) fn closed(self, ply: i16) -> Closed<Self> {
        let bounds = Bounds { lower: self.lower, upper: self.upper };
        let trace = Self { grounds: self.grounds.closed_at(ply), ..self };
        Closed { trace, keep: Known::plain(bounds, self.grounds.recurs) }
    }

    #[inline]
    pub(super) fn admit(known: Known) -> (Bounds, Self) {
        let Bounds { lower, upper } = known.bounds;
        (known.bounds, Self { lower, upper, rest: NEVER, grounds: Grounds::stored(known.recurs) })
    }

    /// Step 5, and nodes that met no repetition at all.
    #[inline]
    fn close(self, r: Result) -> Closed<Self> {
        let mut range = self;
        if range.rest >= r.ply {
            let Bounds { lower, upper } = Bounds::proved(r.best, r.alpha, r.beta);
            range = Self { lower, upper, rest: NEVER, ..range };
        } else if r.moves_left {
            range.upper = INFINITE;
        }
        range.closed(r.ply)
    }
}

/// The functions common to all three forms.
macro_rules! range_keeper {
    () => {
        type Trace = Range;

        #[inline]
        fn free(value: i32) -> Range {
            Range::leaf(value)
        }

        #[inline]
        fn draw(rest: i16) -> Range {
            Range::draw(rest)
        }

        #[inline]
        fn admit(known: Known, _line: &Line) -> (Bounds, Range) {
            Range::admit(known)
        }

        #[inline]
        fn leaf(trace: Range, bounds: Bounds) -> Known {
            Known::plain(bounds, trace.grounds.recurs)
        }

        #[inline]
        fn grounds(trace: Range) -> Grounds {
            trace.grounds
        }

        #[inline]
        fn range(trace: Range) -> Option<Bounds> {
            Some(Bounds { lower: trace.lower, upper: trace.upper })
        }
    };
}
pub(super) use range_keeper;

/// The functions common to both corrected forms.
macro_rules! mended_keeper {
    () => {
        type Gather = Range;

        #[inline]
        fn open() -> Range {
            Range::OPEN
        }

        #[inline]
        fn lean(gather: &mut Range, on: Range) {
            gather.lean(on);
        }

        #[inline]
        fn add(gather: &mut Range, child: Range, _edge: Edge) {
            gather.add(child);
        }

        #[inline]
        fn close(gather: &Range, r: Result) -> Closed<Range> {
            gather.close(r)
        }
    };
}

/// The corrected posting, without the early update.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shadow;

impl Keep for Shadow {
    range_keeper!();
    mended_keeper!();
}

/// The corrected posting, with the early update.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShadowEarly;

impl Keep for ShadowEarly {
    range_keeper!();
    mended_keeper!();

    const EARLY: bool = true;

    #[inline]
    fn draw_open(rest: i16, open: Option<Bounds>) -> Range {
        Range::draw_open(rest, open)
    }

    #[inline]
    fn running(gather: &Range) -> Bounds {
        Bounds { lower: gather.lower, upper: INFINITE }
    }
}
