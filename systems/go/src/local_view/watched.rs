//! The facts about each vertex that are known before a search. Each read of a fact is recorded on the watch of the
//! question.
//!
//! # Notation
//! These columns are computed for the whole board at once, from the first position of a question. The computation
//! records nothing. A read of a vertex of a column records the vertices that its value depends on.
//!
//! # Steps
//! 1. [`Marks`]: the known facts about a stone, and facts that follow from them and from the liberties of its string.
//!    They depend on the string.
//! 2. [`Escape`]: the value of reaching an empty vertex. It depends on the vertices up to the distance at which the
//!    nearest stones settle it.
//! 3. [`WayOut`]: the number of steps to a way out. It depends on the vertices within that number of steps, or within
//!    [`FAR`].

use crate::board::{Board, Vertex, VertexSet, Watch};
use std::ops::Index;
use std::sync::Arc;

/// Facts about stones, per padded cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    marks: Vec<bool>,
    watch: Option<Arc<Watch>>,
}

impl Marks {
    /// These marks of a board's stones.
    pub(crate) fn new(board: &Board, marks: Vec<bool>) -> Self {
        Self { marks, watch: board.watch().cloned() }
    }
}

impl Index<usize> for Marks {
    type Output = bool;

    #[inline]
    fn index(&self, at: usize) -> &bool {
        if let Some(watch) = &self.watch {
            watch.string(Vertex(at as u16));
        }
        &self.marks[at]
    }
}

/// The stones from which distances are counted, and the empty vertices between them.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub(crate) empty: VertexSet,
    /// Attackers that are not dead.
    pub(crate) foes: VertexSet,
    /// Friends beyond the dragon that live.
    pub(crate) friends: VertexSet,
}

/// Values of reaching vertices, per padded cell.
#[derive(Clone, Debug)]
pub(crate) struct Escape {
    values: Vec<u8>,
    watch: Option<(Arc<Watch>, Box<Sources>)>,
    stride: i32,
}

/// No value depends on stones farther away.
///
/// Origin: definition, from the steps of the escape values in `super::arena`.
const FARTHEST: u32 = 5;

impl Escape {
    /// These values on this board. `sources` is asked for only if the board is watched.
    pub(crate) fn new(board: &Board, values: Vec<u8>, sources: impl FnOnce() -> Sources) -> Self {
        let watch = board.watch().map(|watch| (Arc::clone(watch), Box::new(sources())));
        Self { values, watch, stride: board.size() as i32 + 1 }
    }

    /// The value of reaching the vertex.
    #[inline]
    pub(crate) fn at(&self, v: Vertex) -> u8 {
        if let Some((watch, sources)) = &self.watch {
            self.record(watch, sources, v);
        }
        self.values[v.at()]
    }

    /// Step 2: layer by layer, until one kind of stones is near enough to settle the value. A friend at a distance settles
    /// it only once no foe is found at the next step.
    fn record(&self, watch: &Watch, sources: &Sources, v: Vertex) {
        let mut ball = VertexSet::EMPTY;
        ball.insert(v);
        let mut front = ball;
        let mut friend = false;
        for _ in 0..=FARTHEST {
            let next = front.around(self.stride);
            ball |= next;
            let foe = next.meets(&sources.foes.0);
            if foe || friend {
                break;
            }
            friend = next.meets(&sources.friends.0);
            front = next & sources.empty;
        }
        watch.all(&ball);
    }
}

/// Steps to a way out, per padded cell; 100 where there is none.
#[derive(Clone, Debug)]
pub(crate) struct WayOut {
    steps: Vec<u8>,
    watch: Option<(Arc<Watch>, VertexSet)>,
    stride: i32,
}

/// More steps than these count as no way.
///
/// Origin: own choice, unmeasured.
pub(crate) const FAR: u8 = 4;

impl WayOut {
    /// These steps over the empty vertices of this board.
    pub(crate) fn new(board: &Board, steps: Vec<u8>, empty: impl FnOnce() -> VertexSet) -> Self {
        let watch = board.watch().map(|watch| (Arc::clone(watch), empty()));
        Self { steps, watch, stride: board.size() as i32 + 1 }
    }

    /// The steps from an empty vertex to a way out, if there are at most [`FAR`].
    pub(crate) fn near(&self, v: Vertex) -> Option<u8> {
        let steps = self.steps[v.at()];
        if let Some((watch, empty)) = &self.watch {
            let mut ball = VertexSet::EMPTY;
            ball.insert(v);
            for _ in 0..steps.min(FAR) {
                ball |= (ball & *empty).around(self.stride);
            }
            watch.all(&ball);
        }
        (steps <= FAR).then_some(steps)
    }
}

#[cfg(test)]
mod tests;
