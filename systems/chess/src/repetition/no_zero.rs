//! The keeper that stores everything except values of 0, so every draw is searched again.
//!
//! # Source
//! A well-known remedy among chess programmers, without a known author.
//!
//! # Departures
//! None. It cures neither half of the problem: a value that a draw made possible is often not 0 itself.

use super::everything::Everything;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use super::{DRAW, Grounds};
use crate::history::Line;

/// Keeps all but values of 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoZero;

impl Keep for NoZero {
    type Trace = Grounds;
    type Gather = Grounds;

    #[inline]
    fn free(value: i32) -> Grounds {
        Everything::free(value)
    }

    #[inline]
    fn draw(rest: i16) -> Grounds {
        Everything::draw(rest)
    }

    #[inline]
    fn open() -> Grounds {
        Everything::open()
    }

    #[inline]
    fn lean(gather: &mut Grounds, on: Grounds) {
        Everything::lean(gather, on);
    }

    #[inline]
    fn add(gather: &mut Grounds, child: Grounds, edge: Edge) {
        Everything::add(gather, child, edge);
    }

    #[inline]
    fn close(gather: &Grounds, r: Result) -> Closed<Grounds> {
        let closed = Everything::close(gather, r);
        if r.best == DRAW { Closed { keep: Known::NONE, ..closed } } else { closed }
    }

    #[inline]
    fn admit(known: Known, line: &Line) -> (Bounds, Grounds) {
        Everything::admit(known, line)
    }

    #[inline]
    fn leaf(trace: Grounds, bounds: Bounds) -> Known {
        Everything::leaf(trace, bounds)
    }

    #[inline]
    fn grounds(trace: Grounds) -> Grounds {
        trace
    }
}
