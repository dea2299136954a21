//! An added keeper. Under it, the table stores only exact values that rest on no draw, and no bounds.

use tengen_chess::history::{Line, NEVER};
use tengen_chess::repetition::Grounds;
use tengen_chess::repetition::keep::{Bounds, Closed, Edge, Keep, Known, Result};

/// It has fewer hits than any of Tengen's keepers. It is still sometimes wrong, because a stored value does not know
/// the positions of the current path.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values;

/// The bounds if they meet.
fn whole(bounds: Bounds) -> Bounds {
    if bounds.lower == bounds.upper { bounds } else { Bounds::NONE }
}

impl Keep for Values {
    type Trace = Grounds;
    type Gather = Grounds;

    fn free(_value: i32) -> Grounds {
        Grounds::NOTHING
    }

    fn draw(rest: i16) -> Grounds {
        Grounds::draw(rest)
    }

    fn open() -> Grounds {
        Grounds::NOTHING
    }

    fn lean(gather: &mut Grounds, on: Grounds) {
        *gather = gather.and(on);
    }

    fn add(gather: &mut Grounds, child: Grounds, _edge: Edge) {
        *gather = gather.and(child);
    }

    fn close(gather: &Grounds, r: Result) -> Closed<Grounds> {
        let trace = gather.closed_at(r.ply);
        let proved = whole(Bounds::proved(r.best, r.alpha, r.beta));
        let bounds = if trace.rest == NEVER { proved } else { Bounds::NONE };
        Closed { trace, keep: Known::plain(bounds, trace.recurs) }
    }

    fn admit(known: Known, _line: &Line) -> (Bounds, Grounds) {
        (known.bounds, Grounds::stored(known.recurs))
    }

    fn leaf(trace: Grounds, bounds: Bounds) -> Known {
        Known::plain(whole(bounds), trace.recurs)
    }

    fn grounds(trace: Grounds) -> Grounds {
        trace
    }
}
