//! The keeper of the general solution to the graph-history interaction problem. It stores a bound with the path on
//! which it was found.
//!
//! # Source
//! Akihiro Kishimoto and Martin Müller, *A General Solution to the Graph History Interaction Problem* (AAAI 2004): base
//! and twin entries. A result of another path is verified by replaying its proof (Kawano's simulation).
//!
//! # Notation
//! The *code* of a path is [`Line::path_code`]. The *base entry* of a position is stored under its key, and comes from
//! the path searched last. A *twin entry* is stored under key and code.
//!
//! # Steps
//! 1. A bound whose subtree reached nothing by reversible moves has code 0 and holds on every path.
//! 2. Any other bound is stored with the code of its path, in the base entry. In exact mode it is also stored in a twin
//!    entry.
//! 3. A probe uses a base entry of code 0 or of the current path. Otherwise, in exact mode, it uses the twin entry of
//!    the current path.
//! 4. If neither exists, the search in exact mode replays the proof of the base entry on the current path. The replay
//!    plays the stored best move where one move is enough, and all moves elsewhere. Every leaf is judged on the current
//!    path. If the proof holds, a twin entry is stored.
//!
//! # Departures
//! The paper encodes a path by its moves. Here the code stands for the set of positions that may recur, so transposed
//! paths have the same code. The playing search has no proof to replay, because pruning leaves moves out. It uses steps
//! 1 to 3 with the base entry alone, which costs playing strength.
//!
//! # Cost
//! Each probe and each store walks over the run. A replay visits the nodes of the proof, with one look-up for each.

use super::Grounds;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use crate::history::{Filter, Line, NEVER};

/// Keeps bounds with their path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Twin;

/// The grounds of a value, and whether a reversible move reached anything.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    grounds: Grounds,
    reaches: bool,
}

impl Reach {
    const NOTHING: Self = Self { grounds: Grounds::NOTHING, reaches: false };

    #[inline]
    fn and(self, other: Self) -> Self {
        Self { grounds: self.grounds.and(other.grounds), reaches: self.reaches | other.reaches }
    }

    /// Steps 1 and 2; [`Keep::on_path`] fills in the code.
    #[inline]
    fn known(self, bounds: Bounds) -> Known {
        let bound_to_path = self.reaches || self.grounds.rest != NEVER;
        let filter = Filter { low: u64::from(bound_to_path), high: 0 };
        Known { bounds, filter, recurs: self.grounds.recurs }
    }
}

impl Keep for Twin {
    type Trace = Reach;
    type Gather = Reach;

    const TWINS: bool = true;

    #[inline]
    fn free(_value: i32) -> Reach {
        Reach::NOTHING
    }

    #[inline]
    fn draw(rest: i16) -> Reach {
        Reach { grounds: Grounds::draw(rest), reaches: true }
    }

    #[inline]
    fn open() -> Reach {
        Reach::NOTHING
    }

    #[inline]
    fn lean(gather: &mut Reach, on: Reach) {
        *gather = gather.and(on);
    }

    #[inline]
    fn add(gather: &mut Reach, child: Reach, edge: Edge) {
        *gather = gather.and(Reach { reaches: edge.reversible, ..child });
    }

    #[inline]
    fn close(gather: &Reach, r: Result) -> Closed<Reach> {
        let keep = gather.known(Bounds::proved(r.best, r.alpha, r.beta));
        Closed { trace: Reach { grounds: gather.grounds.closed_at(r.ply), ..*gather }, keep }
    }

    /// Step 3.
    #[inline]
    fn admit(known: Known, line: &Line) -> (Bounds, Reach) {
        let code = known.filter.low;
        let grounds = Grounds { blind: known.recurs && code != 0, ..Grounds::stored(known.recurs) };
        let trace = Reach { grounds, reaches: code != 0 };
        if code == 0 || code == code_of(line) { (known.bounds, trace) } else { (Bounds::NONE, trace) }
    }

    #[inline]
    fn leaf(trace: Reach, bounds: Bounds) -> Known {
        trace.known(bounds)
    }

    #[inline]
    fn on_path(known: Known, line: &Line) -> Known {
        let low = if known.filter.low == 0 { 0 } else { code_of(line) };
        Known { filter: Filter { low, high: 0 }, ..known }
    }

    #[inline]
    fn grounds(trace: Reach) -> Grounds {
        trace.grounds
    }
}

/// The code of the path to the current position, never 0.
#[must_use]
pub fn code_of(line: &Line) -> u64 {
    line.path_code().max(1)
}
