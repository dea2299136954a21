//! Keepers: what travels towards the root with a value, what may be stored, when a stored bound may be used.
//!
//! # Notation
//! *Trace*: what a value rests on, as far as the keeper follows it; [`Grounds`] is what every keeper can say of it. *Draft*: depth below a node. *Bounds*: two numbers the value of a node lies
//! between; a number of size [`INFINITE`] is none.

use super::{Filter, Grounds, INFINITE};
use crate::history::{Key, Line};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Bounds as stored.
    pub bounds: Bounds,
    /// What the keeper needs to judge them on another path: a filter of positions, or a code of the path.
    pub filter: Filter,
    /// Some draw by recurrence was met below.
    pub recurs: bool,
}

impl Known {
    /// Nothing.
    pub const NONE: Self = Self { bounds: Bounds::NONE, filter: Filter::EMPTY, recurs: false };

    /// Bounds that need nothing to be judged by.
    #[inline]
    #[must_use]
    pub const fn plain(bounds: Bounds, recurs: bool) -> Self {
        Self { bounds, filter: Filter::EMPTY, recurs }
    }
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

    /// Every stored bound that is admitted is true on the line it is admitted on (exact mode).
    const PROVES: bool = false;
    /// The table's entry of an open node is written after every move ([`Keep::running`]), and read when the position
    /// recurs ([`Keep::draw_open`]).
    const EARLY: bool = false;
    /// With [`Keep::EARLY`]: the entry is taken whatever its draft.
    const ANY_DRAFT: bool = false;
    /// A bound refused because it was found on another path may be proved again by replaying its proof, and is stored
    /// for its path too (exact mode).
    const TWINS: bool = false;

    /// The trace of a value that rests on no draw: leaf, mate, stalemate.
    fn free(value: i32) -> Self::Trace;
    /// The trace of a draw that rests on the position at ply `rest`.
    fn draw(rest: i16) -> Self::Trace;
    /// The same where the position is open on the line; `open` is what the table holds of it.
    #[inline]
    fn draw_open(rest: i16, open: Option<Bounds>) -> Self::Trace {
        let _ = open;
        Self::draw(rest)
    }
    /// Before the first move.
    fn open() -> Self::Gather;
    /// Moves were left out because of a stored bound, which an evaluation was taken from. So what is said of all moves
    /// leans on it; that one move fails high does not.
    fn lean(gather: &mut Self::Gather, on: Self::Trace);
    /// After each move.
    fn add(gather: &mut Self::Gather, child: Self::Trace, edge: Edge);
    /// What the moves so far say, for the entry of the open node.
    #[inline]
    fn running(gather: &Self::Gather) -> Bounds {
        let _ = gather;
        Bounds::NONE
    }
    /// After the last.
    fn close(gather: &Self::Gather, result: Result) -> Closed<Self::Trace>;
    /// Which of the stored bounds hold on this line, and what they rest on.
    fn admit(known: Known, line: &Line) -> (Bounds, Self::Trace);
    /// Bounds of a node without repetitions of its own (quiescence) whose value has this trace, for the table.
    fn leaf(trace: Self::Trace, bounds: Bounds) -> Known;
    /// Completes what [`Keep::close`] said with the path the node was searched on.
    #[inline]
    fn on_path(known: Known, line: &Line) -> Known {
        let _ = line;
        known
    }
    /// What a value rests on.
    fn grounds(trace: Self::Trace) -> Grounds;
    /// The range the value would lie in without repetitions in the tree, for keepers that follow it.
    #[inline]
    fn range(trace: Self::Trace) -> Option<Bounds> {
        let _ = trace;
        None
    }
}
