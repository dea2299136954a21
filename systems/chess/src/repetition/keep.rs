//! The trait of keepers. A keeper decides which data each value carries towards the root, which bounds are stored, and
//! when a stored bound may be used.
//!
//! # Notation
//! The *grounds* of a value are the draws that it rests on. The *trace* is the part of the grounds that the keeper
//! follows. [`Grounds`] is the part that every keeper knows. The *draft* is the depth below a node. *Bounds* are two
//! numbers that the value of a node lies between. A number of size [`INFINITE`] is no bound.

use super::{Grounds, INFINITE, MATE, MATE_BOUND};
use crate::history::{Filter, Key, Line};

/// The bounds that a node has proved for its value.
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

    /// The bounds proved by a search of window (`alpha`, `beta`) that returned `best`.
    #[inline]
    #[must_use]
    pub fn proved(best: i32, alpha: i32, beta: i32) -> Self {
        Self {
            lower: if best > alpha { best } else { -INFINITE },
            upper: if best < beta { best } else { INFINITE },
        }
    }

    /// Whether nothing is known.
    #[inline]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.lower <= -INFINITE && self.upper >= INFINITE
    }
}

/// Converts mates to distances from the node, for storing.
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

/// The table's knowledge of a position: bounds and the positions they rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Bounds as stored.
    pub bounds: Bounds,
    /// The keeper's data to judge the bounds on another path: a filter of positions, or a code of the path.
    pub filter: Filter,
    /// Whether a draw by recurrence was met below.
    pub recurs: bool,
}

impl Known {
    /// Nothing.
    pub const NONE: Self = Self { bounds: Bounds::NONE, filter: Filter::EMPTY, recurs: false };

    /// Bounds that hold on every path.
    #[inline]
    #[must_use]
    pub const fn plain(bounds: Bounds, recurs: bool) -> Self {
        Self { bounds, filter: Filter::EMPTY, recurs }
    }
}

/// The results of a closed node.
#[derive(Clone, Copy, Debug)]
pub struct Closed<T> {
    /// For the parent.
    pub trace: T,
    /// For the table; [`Bounds::NONE`] stores no bound.
    pub keep: Known,
}

/// One searched move.
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
    /// Whether some move was not searched (cutoff with moves left, or pruned).
    pub moves_left: bool,
}

/// A keeper. All functions are short and inline, because a search is compiled once for each keeper.
pub trait Keep: Default + Send + 'static {
    /// The data that travel with every value.
    type Trace: Copy + Send;
    /// Collects the traces of a node's moves.
    type Gather: Copy;

    /// Whether every admitted stored bound is true on the line it is admitted on (exact mode).
    const PROVES: bool = false;
    /// Whether the table's entry of an open node is written after every move ([`Keep::running`]), and read when the
    /// position recurs ([`Keep::draw_open`]).
    const EARLY: bool = false;
    /// With [`Keep::EARLY`]: whether the entry is accepted at any draft.
    const ANY_DRAFT: bool = false;
    /// Whether a bound refused because it was found on another path may be proved again by replaying its proof. A
    /// replayed bound is stored for its path too (exact mode).
    const TWINS: bool = false;

    /// The trace of a value that rests on no draw: leaf, mate, stalemate.
    fn free(value: i32) -> Self::Trace;
    /// The trace of a draw that rests on the position at ply `rest`.
    fn draw(rest: i16) -> Self::Trace;
    /// The same if the position is open on the line; `open` is the table's entry of it.
    #[inline]
    fn draw_open(rest: i16, open: Option<Bounds>) -> Self::Trace {
        let _ = open;
        Self::draw(rest)
    }
    /// The collection before the first move.
    fn open() -> Self::Gather;
    /// Notes that moves were left out because of a stored bound that gave the evaluation. Statements about all moves
    /// then depend on this bound. A fail-high of one move does not.
    fn lean(gather: &mut Self::Gather, on: Self::Trace);
    /// Adds a searched move.
    fn add(gather: &mut Self::Gather, child: Self::Trace, edge: Edge);
    /// The bounds that the moves so far prove, for the entry of the open node.
    #[inline]
    fn running(gather: &Self::Gather) -> Bounds {
        let _ = gather;
        Bounds::NONE
    }
    /// Closes the node after its last move.
    fn close(gather: &Self::Gather, result: Result) -> Closed<Self::Trace>;
    /// The stored bounds that hold on this line, and their grounds.
    fn admit(known: Known, line: &Line) -> (Bounds, Self::Trace);
    /// Bounds of a node without repetitions of its own (quiescence) whose value has this trace, for the table.
    fn leaf(trace: Self::Trace, bounds: Bounds) -> Known;
    /// Completes the result of [`Keep::close`] with the path on which the node was searched.
    #[inline]
    fn on_path(known: Known, line: &Line) -> Known {
        let _ = line;
        known
    }
    /// The grounds of a value.
    fn grounds(trace: Self::Trace) -> Grounds;
    /// The range the value would lie in without repetitions in the tree, for keepers that follow it.
    #[inline]
    fn range(trace: Self::Trace) -> Option<Bounds> {
        let _ = trace;
        None
    }
}
