//! A keeper that also computes shadow ranges. The search runs as under the keeper alone. Every value also carries the
//! range that it would lie in if no position of the tree counted as repeated.
//!
//! # Source
//! The ranges of [`super::shadow`], in the corrected form.
//!
//! # Departures
//! The ranges are never stored. The range of a bound from the table is the bound itself.

use super::Grounds;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::shadow::{Range, Shadow};
use crate::history::Line;

/// Keeper `K` with shadow ranges beside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Followed<K>(K);

impl<K: Keep> Keep for Followed<K> {
    type Trace = (K::Trace, Range);
    type Gather = (K::Gather, Range);

    const PROVES: bool = K::PROVES;
    const EARLY: bool = K::EARLY;
    const ANY_DRAFT: bool = K::ANY_DRAFT;
    const TWINS: bool = K::TWINS;

    fn free(value: i32) -> Self::Trace {
        (K::free(value), Shadow::free(value))
    }

    fn draw(rest: i16) -> Self::Trace {
        (K::draw(rest), Shadow::draw(rest))
    }

    fn draw_open(rest: i16, open: Option<Bounds>) -> Self::Trace {
        (K::draw_open(rest, open), Shadow::draw(rest))
    }

    fn open() -> Self::Gather {
        (K::open(), Shadow::open())
    }

    fn lean(gather: &mut Self::Gather, on: Self::Trace) {
        K::lean(&mut gather.0, on.0);
        Shadow::lean(&mut gather.1, on.1);
    }

    fn add(gather: &mut Self::Gather, child: Self::Trace, edge: Edge) {
        K::add(&mut gather.0, child.0, edge);
        Shadow::add(&mut gather.1, child.1, edge);
    }

    fn running(gather: &Self::Gather) -> Bounds {
        K::running(&gather.0)
    }

    fn close(gather: &Self::Gather, result: Result) -> Closed<Self::Trace> {
        let (own, shadow) = (K::close(&gather.0, result), Shadow::close(&gather.1, result));
        Closed { trace: (own.trace, shadow.trace), keep: own.keep }
    }

    fn admit(known: Known, line: &Line) -> (Bounds, Self::Trace) {
        let (bounds, trace) = K::admit(known, line);
        (bounds, (trace, Shadow::admit(Known { bounds, ..known }, line).1))
    }

    fn leaf(trace: Self::Trace, bounds: Bounds) -> Known {
        K::leaf(trace.0, bounds)
    }

    fn on_path(known: Known, line: &Line) -> Known {
        K::on_path(known, line)
    }

    fn grounds(trace: Self::Trace) -> Grounds {
        K::grounds(trace.0)
    }

    fn range(trace: Self::Trace) -> Option<Bounds> {
        K::range(trace.0).or_else(|| Shadow::range(trace.1))
    }
}
