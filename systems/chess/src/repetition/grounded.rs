//! The keepers whose values carry only their grounds (the draws that a value rests on). They differ in what they store
//! for a closed node.

use super::Grounds;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use crate::history::Line;

/// A keeper of this kind.
pub trait Stores: Default + Send + 'static {
    /// What the table keeps of a closed node: `gather` are the grounds of all its moves, `trace` those of its value.
    fn stored(gather: &Grounds, trace: &Grounds, result: &Result) -> Known;
}

impl<S: Stores> Keep for S {
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

    #[inline]
    fn add(gather: &mut Grounds, child: Grounds, _edge: Edge) {
        *gather = gather.and(child);
    }

    #[inline]
    fn close(gather: &Grounds, r: Result) -> Closed<Grounds> {
        let trace = gather.closed_at(r.ply);
        Closed { keep: S::stored(gather, &trace, &r), trace }
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
