//! The keeper of most programs: it stores every bound and uses it on every path.
//!
//! # Source
//! The usual transposition table. Campbell, *The graph-history interaction* (1985), describes its errors.
//!
//! # Departures
//! The trace gives a root score its grounds ([`Grounds`]); it changes no value.

use super::Grounds;
use super::keep::{Bounds, Closed, Edge, Keep, Known, Result};
use crate::history::Line;

/// Keeps everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Keep for Everything {
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
        let keep = Known::plain(Bounds::proved(r.best, r.alpha, r.beta), gather.recurs);
        Closed { trace: gather.closed_at(r.ply), keep }
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
