//! The exact keeper: it uses a stored bound only where the bound is true.
//!
//! # Source
//! Own work on top of a filter scheme. That scheme stores a value if it rests on no draw above. An entry carries a
//! filter of the positions that its subtree reached by reversible moves. A probe refuses an entry whose filter may
//! hold a position of the current path. Draw-first and draw-last: M. Campbell, "The Graph-History Interaction: On
//! Ignoring Position History" (1985).
//!
//! # Notation
//! A *proof* of a bound is the part of the tree that suffices for it. At a node where the bound is a lower one, one
//! move suffices; at the other nodes, all moves are needed. *Rest*: the highest ply a draw in the proof rests on.
//! *Filter*: positions of the proof reached from the node by reversible moves only.
//!
//! # Steps
//! 1. A failed-high node proves its bound by the cutting move alone, so only that move's trace counts. All other nodes
//!    take the union over their moves.
//! 2. The rest ends at the ply it names: from there up the draw is inside the subtree.
//! 3. *Draw-first concerns only bounds that a draw could support.* The proof of a lower bound above 0 (of an upper
//!    bound below 0) holds no draw, because a draw would break it. Such a bound is always stored.
//! 4. *Draw-last concerns only bounds that a draw could break.* Positions of the path may turn parts of a proof into
//!    draws. A lower bound of at most 0 (an upper bound of at least 0) still stands, because 0 satisfies it. Such a
//!    bound needs no filter, and it is used without a test.
//! 5. A lower bound above 0 whose filter may meet the path still proves 0, because every new draw has the value 0. So a
//!    refused entry is weakened, not lost.
//!
//! Each bound therefore needs one of the two remedies, never both. The filter holds a proof, not a subtree.
//!
//! # Departures
//! The filter scheme treats both bounds alike and merges the filters of all moves. Steps 1, 3, 4 and 5 are new.
//!
//! # Cost
//! One OR of 112 bits for each move, one AND for each probe; 16 bytes for each value returned and 14 for each entry.

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
