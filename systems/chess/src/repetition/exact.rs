//! The exact keeper. It uses a stored bound only where the bound is true.
//!
//! # Source
//! This keeper is Tengen's own work on top of a filter scheme. The filter scheme stores a value if the value rests on
//! no draw above the node. An entry has a filter of the positions that its subtree reached by reversible moves. A probe
//! refuses an entry whose filter may contain a position of the current path. Draw-first and draw-last: M. Campbell,
//! "The Graph-History Interaction: On Ignoring Position History" (1985).
//!
//! # Notation
//! A *proof* of a bound is the part of the tree that suffices for it. At a node with a lower bound, one move suffices.
//! At the other nodes, all moves are needed. The *rest* is the least ply that a draw in the proof rests on. The
//! *filter* has the positions of the proof that are reached from the node only by reversible moves.
//!
//! # Steps
//! 1. A node that failed high proves its bound by the cutting move alone, so only the trace of this move counts. All
//!    other nodes take the union over their moves.
//! 2. The rest ends at the node of its own ply. For this node and all nodes above it, the draw is inside the subtree.
//! 3. *Draw-first concerns only bounds that a draw could support.* The proof of a lower bound above 0 contains no draw,
//!    because a draw would break it. The same holds for an upper bound below 0. Such a bound is always stored.
//! 4. *Draw-last concerns only bounds that a draw could break.* Positions of the path may turn parts of a proof into
//!    draws. A lower bound of at most 0 still holds, because 0 satisfies it. The same is true of an upper bound of at
//!    least 0. Such a bound needs no filter, and is used without a test.
//! 5. If the filter of a lower bound above 0 may meet the path, the bound still proves 0, because every new draw has
//!    the value 0. So a refused entry is weakened, not lost.
//!
//! Each bound therefore needs one of the two remedies, never both. The filter contains the positions of a proof, not
//! those of a subtree.
//!
//! # Departures
//! The filter scheme treats both bounds alike and merges the filters of all moves. Steps 1, 3, 4 and 5 are new.
//!
//! # Cost
//! One OR of 112 bits for each move, and one AND for each probe. These data take 16 bytes in a returned value and 14
//! bytes in an entry.

use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::{DRAW, Grounds, INFINITE};
use crate::history::{Filter, Line, NEVER};

/// The exact keeper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exact;

/// The grounds of a value.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Highest ply a draw rests on; [`NEVER`] if none.
    rest: i16,
    /// Whether it may hold a draw by recurrence.
    recurs: bool,
    /// Positions reached by reversible moves.
    filter: Filter,
}

impl Proof {
    const FREE: Self = Self { rest: NEVER, recurs: false, filter: Filter::EMPTY };

    #[inline]
    fn union(self, other: Self) -> Self {
        Self {
            rest: self.rest.min(other.rest),
            recurs: self.recurs | other.recurs,
            filter: self.filter.union(other.filter),
        }
    }
}

/// The traces of a node's moves: of all moves, and of the best. Moves left out because of a stored bound count with
/// all.
#[derive(Clone, Copy, Debug)]
pub struct Proofs {
    all: Proof,
    best: Proof,
}

impl Keep for Exact {
    type Trace = Proof;
    type Gather = Proofs;

    const PROVES: bool = true;

    #[inline]
    fn free(_value: i32) -> Proof {
        Proof::FREE
    }

    #[inline]
    fn draw(rest: i16) -> Proof {
        Proof { rest, recurs: true, filter: Filter::EMPTY }
    }

    #[inline]
    fn open() -> Proofs {
        Proofs { all: Proof::FREE, best: Proof::FREE }
    }

    #[inline]
    fn lean(gather: &mut Proofs, on: Proof) {
        gather.all = gather.all.union(on);
    }

    #[inline]
    fn add(gather: &mut Proofs, child: Proof, edge: Edge) {
        // Nothing above an irreversible move can come back below it.
        let filter = if edge.reversible { child.filter.with(edge.key) } else { Filter::EMPTY };
        let proof = Proof { filter, ..child };
        gather.all = gather.all.union(proof);
        if edge.best {
            gather.best = proof;
        }
    }

    #[inline]
    fn close(gather: &Proofs, r: Result) -> Closed<Proof> {
        let mut bounds = Bounds::proved(r.best, r.alpha, r.beta);
        // Step 1.
        let mut proof = if r.best >= r.beta { gather.best } else { gather.all };
        // Step 2.
        if proof.rest >= r.ply {
            proof.rest = NEVER;
        }
        // Steps 3 and 4, for one-sided results the parent's proof profits as well.
        if bounds.upper >= INFINITE {
            if bounds.lower > DRAW {
                (proof.rest, proof.recurs) = (NEVER, false);
            } else {
                proof.filter = Filter::EMPTY;
            }
        } else if bounds.lower <= -INFINITE {
            if bounds.upper < DRAW {
                (proof.rest, proof.recurs) = (NEVER, false);
            } else {
                proof.filter = Filter::EMPTY;
            }
        }
        // Step 3, for the table.
        if proof.rest != NEVER {
            if bounds.lower <= DRAW {
                bounds.lower = -INFINITE;
            }
            if bounds.upper >= DRAW {
                bounds.upper = INFINITE;
            }
        }
        Closed { trace: proof, keep: Known { bounds, filter: proof.filter, recurs: proof.recurs } }
    }

    #[inline]
    fn admit(known: Known, line: &Line) -> (Bounds, Proof) {
        let Bounds { lower, upper } = known.bounds;
        // Step 5. A bound that no draw can break is what it was.
        if known.filter.may_meet(line.drawn()) {
            let bounds = Bounds { lower: lower.min(DRAW), upper: upper.max(DRAW) };
            let recurs = known.recurs || bounds != known.bounds;
            return (bounds, Proof { recurs, ..Proof::FREE });
        }
        (known.bounds, Proof { rest: NEVER, recurs: known.recurs, filter: known.filter })
    }

    #[inline]
    fn leaf(trace: Proof, bounds: Bounds) -> Known {
        Known { bounds, filter: trace.filter, recurs: trace.recurs }
    }

    #[inline]
    fn grounds(trace: Proof) -> Grounds {
        Grounds { rest: trace.rest, recurs: trace.recurs, blind: false }
    }
}
