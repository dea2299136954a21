//! Keepers: what travels towards the root with a value, what may be stored, when a stored bound may be used.
//!
//! # Notation
//! *Trace*: what a value rests on. *Draft*: depth below a node. *Bounds*: two numbers the value of a node lies
//! between; a number of size [`INFINITE`] is none.

use super::{DRAW, Filter, INFINITE};
use crate::history::{Key, Line, NEVER};

/// What a node has shown about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The value is at least this; `-INFINITE` if nothing is known.
    pub lower: i32,
    /// The value is at most this; `INFINITE` if nothing is known.
    pub upper: i32,
}

impl Bounds {
    /// Nothing known.
    pub const NONE: Self = Self { lower: -INFINITE, upper: INFINITE };

    /// What a search of window (`alpha`, `beta`) that returned `best` has proved.
    #[inline]
    #[must_use]
    pub fn proved(best: i32, alpha: i32, beta: i32) -> Self {
        Self {
            lower: if best > alpha { best } else { -INFINITE },
            upper: if best < beta { best } else { INFINITE },
        }
    }

    /// Whether they say nothing.
    #[inline]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.lower <= -INFINITE && self.upper >= INFINITE
    }
}

/// What the table knows about a position: bounds and the positions they rest on.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Bounds as stored.
    pub bounds: Bounds,
    /// Filter as stored.
    pub filter: Filter,
}

/// What a closed node hands on.
#[derive(Clone, Copy, Debug)]
pub struct Closed<T> {
    /// For the parent.
    pub trace: T,
    /// For the table; [`Bounds::NONE`] says store no bound.
    pub keep: Known,
}

/// One move that was searched.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The child's key.
    pub key: Key,
    /// Whether the move can be taken back.
    pub reversible: bool,
    /// The child's value from the parent's side.
    pub score: i32,
    /// Whether it is the best so far.
    pub best: bool,
}

/// A node's window and result.
#[derive(Clone, Copy, Debug)]
pub struct Result {
    /// Ply of the node.
    pub ply: i16,
    /// Best value.
    pub best: i32,
    /// Alpha at the start.
    pub alpha: i32,
    /// Beta.
    pub beta: i32,
    /// Some move was not searched (cutoff with moves left, or pruned).
    pub moves_left: bool,
}

/// A keeper: all functions are short and inline, a search is compiled once per keeper.
pub trait Keep: Default + Send + 'static {
    /// Travels with every value.
    type Trace: Copy + Send;
    /// Collects the traces of a node's moves.
    type Gather: Copy;

    /// The trace of a value that rests on no draw: leaf, mate, stalemate.
    fn free(value: i32) -> Self::Trace;
    /// The trace of a draw that rests on the position at ply `rest`.
    fn draw(rest: i16) -> Self::Trace;
    /// Before the first move.
    fn open() -> Self::Gather;
    /// After each move.
    fn add(gather: &mut Self::Gather, child: Self::Trace, edge: Edge);
    /// After the last.
    fn close(gather: &Self::Gather, result: Result) -> Closed<Self::Trace>;
    /// Which of the stored bounds hold on this line, and what they rest on.
    fn admit(known: Known, line: &Line) -> (Bounds, Self::Trace);
    /// Whether a value depends on the path to its node.
    fn depends(trace: Self::Trace) -> bool;
}

/// Every bound is stored and used: what most programs do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Keep for Everything {
    type Trace = ();
    type Gather = ();

    #[inline]
    fn free(_value: i32) {}
    #[inline]
    fn draw(_rest: i16) {}
    #[inline]
    fn open() {}
    #[inline]
    fn add(_gather: &mut (), _child: (), _edge: Edge) {}

    #[inline]
    fn close(_gather: &(), r: Result) -> Closed<()> {
        let bounds = Bounds::proved(r.best, r.alpha, r.beta);
        Closed { trace: (), keep: Known { bounds, filter: Filter::EMPTY } }
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, ()) {
        (known.bounds, ())
    }

    #[inline]
    fn depends(_trace: ()) -> bool {
        false
    }
}

/// Everything but values of 0, the folk remedy: a draw is searched anew every time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoZero;

impl Keep for NoZero {
    type Trace = ();
    type Gather = ();

    #[inline]
    fn free(_value: i32) {}
    #[inline]
    fn draw(_rest: i16) {}
    #[inline]
    fn open() {}
    #[inline]
    fn add(_gather: &mut (), _child: (), _edge: Edge) {}

    #[inline]
    fn close(_gather: &(), r: Result) -> Closed<()> {
        let bounds = if r.best == DRAW { Bounds::NONE } else { Bounds::proved(r.best, r.alpha, r.beta) };
        Closed { trace: (), keep: Known { bounds, filter: Filter::EMPTY } }
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, ()) {
        (known.bounds, ())
    }

    #[inline]
    fn depends(_trace: ()) -> bool {
        false
    }
}

/// Nothing that rests on a draw above the node: cures draw-first, not draw-last. The trace is the highest rest over
/// all moves searched, the refuted ones too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cautious;

impl Keep for Cautious {
    type Trace = i16;
    type Gather = i16;

    #[inline]
    fn free(_value: i32) -> i16 {
        NEVER
    }

    #[inline]
    fn draw(rest: i16) -> i16 {
        rest
    }

    #[inline]
    fn open() -> i16 {
        NEVER
    }

    #[inline]
    fn add(gather: &mut i16, child: i16, _edge: Edge) {
        *gather = child.min(*gather);
    }

    #[inline]
    fn close(gather: &i16, r: Result) -> Closed<i16> {
        let free = *gather >= r.ply;
        let bounds = if free { Bounds::proved(r.best, r.alpha, r.beta) } else { Bounds::NONE };
        let trace = if free { NEVER } else { *gather };
        Closed { trace, keep: Known { bounds, filter: Filter::EMPTY } }
    }

    #[inline]
    fn admit(known: Known, _line: &Line) -> (Bounds, i16) {
        (known.bounds, NEVER)
    }

    #[inline]
    fn depends(trace: i16) -> bool {
        trace != NEVER
    }
}
