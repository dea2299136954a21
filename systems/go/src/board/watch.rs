//! Records what a question looks at on a board. An answer can be kept as long as the stones at these vertices stay the
//! same.
//!
//! # Notation
//! The *first position* of a question is the board when its watch begins. A *look* at a vertex asks for its stone. A
//! look at a string asks for its stones or liberties, or which vertices belong to it.
//!
//! # Steps
//! 1. Each function of [`Board`] that reads stones records its looks here. One of its vertices stands for a string.
//! 2. A move looks at its vertex and at the strings next to it.
//! 3. [`Watch::footprint`] returns the vertices that were looked at. A string of the first position that was looked at
//!    adds its stones and all vertices next to them.
//!
//! # Why this is enough
//! A string of a later position consists of stones played since and of strings of the first position. Each of these
//! lies next to a stone played since, whose move looked at it. The move that took a string has looked at it. So all
//! looks follow from the first position inside the footprint. The ko point of the first position is in the footprint if
//! the question asked for it. Every other ko follows from moves.
//!
//! # Cost
//! Without a watch, each look costs a test of a pointer. With a watch, it costs a load, an `or` and a store. Only one
//! thread may record at a time.

use super::{Board, Color, MAX_WORDS, Vertex, VertexSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The recorded looks of one question. It is shared by all copies of the watched board.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    vertices: [AtomicU64; MAX_WORDS],
    strings: [AtomicU64; MAX_WORDS],
    ko: AtomicBool,
    /// The length of the history of the first position.
    began: usize,
    /// Distinguishes it from all watches of the process. It shows in no answer.
    id: u64,
}

/// The recorded looks of a watch at one moment.
type Looks = ([VertexSet; 2], bool);

#[inline]
fn record(set: &[AtomicU64; MAX_WORDS], v: Vertex) {
    if let Some(word) = set.get(v.at() / 64) {
        word.store(word.load(Ordering::Relaxed) | 1 << (v.at() % 64), Ordering::Relaxed);
    }
}

fn taken(set: &[AtomicU64; MAX_WORDS]) -> VertexSet {
    let mut all = VertexSet::EMPTY;
    all.0.iter_mut().zip(set).for_each(|(word, recorded)| *word = recorded.load(Ordering::Relaxed));
    all
}

impl Watch {
    fn new(began: usize) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self { began, id: 1 + LAST.fetch_add(1, Ordering::Relaxed), ..Self::default() }
    }

    fn copied(&self) -> Looks {
        ([taken(&self.vertices), taken(&self.strings)], self.saw_ko())
    }

    fn set(&self, ([vertices, strings], ko): &Looks) {
        for (set, looks) in [(&self.vertices, vertices), (&self.strings, strings)] {
            set.iter().zip(looks.0).for_each(|(word, looks)| word.store(looks, Ordering::Relaxed));
        }
        self.ko.store(*ko, Ordering::Relaxed);
    }

    /// Records a look at a vertex.
    #[inline]
    pub(super) fn vertex(&self, v: Vertex) {
        record(&self.vertices, v);
    }

    /// Records looks at these vertices.
    pub(crate) fn all(&self, more: &VertexSet) {
        for (word, more) in self.vertices.iter().zip(more.0) {
            word.store(word.load(Ordering::Relaxed) | more, Ordering::Relaxed);
        }
    }

    /// Records a look at the string at a vertex, or that there is none.
    #[inline]
    pub(crate) fn string(&self, v: Vertex) {
        record(&self.strings, v);
    }

    /// Records a look at the ko point of the first position.
    pub(super) fn ko(&self) {
        self.ko.store(true, Ordering::Relaxed);
    }

    /// Whether the ko point of the first position was asked for.
    pub(crate) fn saw_ko(&self) -> bool {
        self.ko.load(Ordering::Relaxed)
    }

    /// Step 3, on the first position.
    pub(crate) fn footprint(&self, first: &Board) -> VertexSet {
        let mut strings = taken(&self.strings);
        let mut all = taken(&self.vertices) | strings;
        let mut whole = VertexSet::EMPTY;
        while let Some(v) = strings.first() {
            strings.remove(v);
            let Some(id) = first.id(v) else { continue };
            let stones = first.strings.stones(id);
            whole.unite(stones);
            strings.0.iter_mut().zip(stones).for_each(|(word, stones)| *word &= !stones);
        }
        whole.widen(first);
        all |= whole;
        all & first.all_vertices()
    }
}

impl Board {
    /// This position without history, and the record of all looks at it and at its copies.
    pub(crate) fn watched(&self) -> (Self, Arc<Watch>) {
        if self.history.is_empty() { self.watched_here() } else { self.without_history().watched_here() }
    }

    /// This position with its history, and the record of all looks from now on.
    pub(crate) fn watched_here(&self) -> (Self, Arc<Watch>) {
        let watch = Arc::new(Watch::new(self.history.len()));
        (Self { watch: Some(Arc::clone(&watch)), ..self.clone() }, watch)
    }

    /// Records a look at a vertex: for those who read a column of their own there.
    #[inline]
    pub(crate) fn look_at(&self, v: Vertex) {
        if let Some(watch) = &self.watch {
            watch.vertex(v);
        }
    }

    /// Records a look at the whole board.
    pub(crate) fn look_at_all(&self) {
        if let Some(watch) = &self.watch {
            watch.all(&self.all_vertices());
            watch.ko();
        }
    }

    /// Records a look at the ko point, where no move has been played since the first position.
    #[inline]
    pub(super) fn look_at_ko(&self) {
        if let Some(watch) = &self.watch
            && self.history.len() == watch.began
        {
            watch.ko();
        }
    }

    /// Records looks at these vertices, which are computed only if there is a watch.
    pub(crate) fn look_at_these(&self, vertices: impl FnOnce() -> VertexSet) {
        if let Some(watch) = &self.watch {
            watch.all(&(vertices() & self.all_vertices()));
        }
    }

    /// Records looks at the strings at these vertices.
    pub(crate) fn look_at_strings(&self, vertices: impl FnOnce() -> VertexSet) {
        if let Some(watch) = &self.watch {
            vertices().iter().for_each(|v| watch.string(v));
        }
    }

    /// The stones of a colour. The watch does not record this look; the caller records the looks that count.
    pub(crate) const fn stones_unwatched(&self, color: Color) -> &VertexSet {
        &self.stones[color.index()]
    }

    /// The empty vertices. The watch does not record this look.
    pub(crate) fn empty_unwatched(&self) -> VertexSet {
        self.all_vertices() & !(self.stones[0] | self.stones[1])
    }

    /// Asks this board something. The watch does not record the looks; the caller records the looks that count.
    pub(crate) fn unwatched<T>(&self, ask: impl FnOnce(&Self) -> T) -> T {
        let before = self.watch.as_ref().map(|watch| watch.copied());
        let answer = ask(self);
        if let (Some(watch), Some(before)) = (&self.watch, before) {
            watch.set(&before);
        }
        answer
    }

    /// The watch that records looks.
    pub(crate) const fn watch(&self) -> Option<&Arc<Watch>> {
        self.watch.as_ref()
    }

    /// A number that no two watches share; 0 for none.
    pub(crate) fn watch_id(&self) -> u64 {
        self.watch.as_ref().map_or(0, |watch| watch.id)
    }
}

#[cfg(test)]
mod tests;
