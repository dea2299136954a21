//! Shadow scores (contingency minimax): every value travels with the range it would lie in if no position of the
//! tree counted as repeated, and the table stores the range.
//!
//! # Source
//! H. G. Muller's posting on hash-table pollution by repetition draws (Winboard Forum, about 2006), marked untested by
//! its author.
//!
//! # Notation
//! `lower`, `upper`: the posting's `best_pes_score`, `best_opt_score`. `rest`: its `draw_depth` (`REP_DEPTH`).
//!
//! # Steps
//! 1. A position that stood twice in the game is a draw in both worlds: range (0, 0), no rest.
//! 2. A position open in the tree: real score 0, range unknown, rest its ply.
//! 3. A node's range is the maximum of the negated ranges of its moves; a cutoff with moves left lifts `upper` to
//!    infinity.
//! 4. The rest is the least over all moves searched, not only the best.
//! 5. Back at the ply of the rest nothing above matters: the range becomes what the real score proves.
//! 6. The range is stored; a stored range has no rest.
//!
//! # Departures
//! [`Shadow`] is the posting mended: at step 5 only the side the window proves is set; a range is left alone when
//! nothing depended on a repetition (then it is what the window proves, too); draft and ply are two things; the
//! second meeting of an open node returns no bounds; the root is exempt; detection is the key stack's business, so
//! it works in a shared table. [`ShadowLiteral`] keeps the slips of the text: at step 5 a bound is taken for a value
//! (`range[0] = range[1] = -score` also when the child failed high or low), on every return of a child without a
//! rest. What the text leaves out (leaves, mates, the hash hit) is filled in as in the mended form.
//!
//! Neither cures draw-last: a stored range knows nothing of the positions now on the path.

use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::{DRAW, Filter, INFINITE};
use crate::history::{GAME, Line, NEVER};

/// The range a value would lie in without repetitions in the tree, and the ply its draws rest on.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    lower: i32,
    upper: i32,
    rest: i16,
}

impl Range {
    #[inline]
    fn leaf(value: i32) -> Self {
        Self { lower: value, upper: value, rest: NEVER }
    }

    /// Steps 1 and 2.
    #[inline]
    fn draw(rest: i16) -> Self {
        if rest == GAME {
            Self { lower: DRAW, upper: DRAW, rest: NEVER }
        } else {
            Self { lower: -INFINITE, upper: INFINITE, rest }
        }
    }

    /// Steps 3 and 4.
    #[inline]
    fn add(&mut self, child: Self) {
        self.lower = self.lower.max(-child.upper);
        self.upper = self.upper.max(-child.lower);
        self.rest = self.rest.min(child.rest);
    }

    const OPEN: Self = Self { lower: -INFINITE, upper: -INFINITE, rest: NEVER };

    /// Step 6.
    #[inline]
    fn closed(self) -> Closed<Self> {
        let bounds = Bounds { lower: self.lower, upper: self.upper };
        Closed { trace: self, keep: Known { bounds, filter: Filter::EMPTY } }
    }

    #[inline]
    fn admit(known: Known) -> (Bounds, Self) {
        (known.bounds, Self { lower: known.bounds.lower, upper: known.bounds.upper, rest: NEVER })
    }
}

/// The posting, mended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shadow;

impl Keep for Shadow {
    type Trace = Range;
    type Gather = Range;

    #[inline]
    fn free(value: i32) -> Range {
        Range::leaf(value)
    }

    #[inline]
    fn draw(rest: i16) -> Range {
        Range::draw(rest)
    }

    #[inline]
    fn open() -> Range {
        Range::OPEN
    }

    #[inline]
    fn add(gather: &mut Range, child: Range, _edge: Edge) {
        gather.add(child);
    }

    #[inline]
    fn close(gather: &Range, r: Result) -> Closed<Range> {
        let mut range = *gather;
        if range.rest >= r.ply {
            // Step 5, and nodes that met no repetition at all.
            let proved = Bounds::proved(r.best, r.alpha, r.beta);
            range = Range { lower: proved.lower, upper: proved.upper, rest: NEVER };
        } else if r.moves_left {
            range.upper = INFINITE;
        }
        range.closed()
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, Range) {
        Range::admit(known)
    }

    #[inline]
    fn depends(range: Range) -> bool {
        range.rest != NEVER
    }
}

/// The posting as printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShadowLiteral;

/// The posting's locals of one node; its own ply is known only at the close, so children are kept until then.
#[derive(Clone, Copy, Debug)]
pub struct Literal {
    /// Children that rest on a draw: merged ranges. The rest of all children.
    resting: Range,
    /// Best real score among children without a rest: both ends of the range at once.
    free_best: i32,
    /// Highest child rest so far below which `resting` was merged.
    any_resting: bool,
}

impl Keep for ShadowLiteral {
    type Trace = Range;
    type Gather = Literal;

    #[inline]
    fn free(value: i32) -> Range {
        Range::leaf(value)
    }

    #[inline]
    fn draw(rest: i16) -> Range {
        Range::draw(rest)
    }

    #[inline]
    fn open() -> Literal {
        Literal { resting: Range::OPEN, free_best: -INFINITE, any_resting: false }
    }

    /// The slip: `if (range[2] >= depth) range[0] = range[1] = -score`. A child that rests on this very node counts
    /// as free too; since a child closes its own ply, the least rest a free child can have is told apart at close.
    #[inline]
    fn add(gather: &mut Literal, child: Range, edge: Edge) {
        if child.rest == NEVER {
            gather.free_best = gather.free_best.max(edge.score);
        } else {
            gather.resting.add(child);
            gather.any_resting = true;
        }
        // A child resting on this node: see `close`, which needs its real score.
        if child.rest != NEVER {
            gather.resting.rest = gather.resting.rest.min(child.rest);
        }
    }

    #[inline]
    fn close(gather: &Literal, r: Result) -> Closed<Range> {
        let mut range = gather.resting;
        if gather.any_resting && range.rest >= r.ply {
            range = Range { lower: r.best, upper: r.best, rest: NEVER };
        }
        range.lower = range.lower.max(gather.free_best);
        range.upper = range.upper.max(gather.free_best);
        if r.best >= r.beta && r.moves_left {
            range.upper = INFINITE;
        }
        range.closed()
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, Range) {
        Range::admit(known)
    }

    #[inline]
    fn depends(range: Range) -> bool {
        range.rest != NEVER
    }
}
