//! The store of strings (connected stones of one colour). Each has its stones and its liberties as bit sets over the
//! padded array.
//!
//! The record of a merged or captured string stays unchanged. An undo points at that record again, so it copies no
//! record. Records are made and dropped in the order of a stack.

use super::{Color, MAX_WORDS, Vertex};

/// The number of a string record.
pub(super) type StringId = u16;

/// No string: a bare vertex.
pub(super) const NONE: StringId = u16::MAX;

/// No string: outside the board.
pub(super) const OUTSIDE: StringId = NONE - 1;

/// Whether it is the number of a string.
#[inline]
pub(super) const fn is_string(id: StringId) -> bool {
    id < OUTSIDE
}

/// The data of a string beside its two bit sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meta {
    pub(super) color: Color,
    pub(super) stones: u16,
    pub(super) liberties: u16,
    /// The exclusive or of the Zobrist keys of its stones.
    pub(super) hash: u64,
    /// Its first stone in vertex order; beyond the board while it has none.
    pub(super) origin: Vertex,
    /// Its stones and liberties lie in the words from `first` to before `end`. After an undo the range may be wider
    /// than needed.
    first: u8,
    end: u8,
}

impl Meta {
    #[inline]
    const fn new(color: Color) -> Self {
        Self { color, stones: 0, liberties: 0, hash: 0, origin: Vertex(u16::MAX), first: u8::MAX, end: 0 }
    }

    #[inline]
    fn reach(&mut self, word: usize) {
        self.first = self.first.min(word as u8);
        self.end = self.end.max(word as u8 + 1);
    }
}

/// All string records of a board.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    words: usize,
    meta: Vec<Meta>,
    /// Per record `words` words of liberties, then `words` words of stones.
    bits: Vec<u64>,
}

impl Strings {
    pub(super) fn new(padded: usize) -> Self {
        Self { words: padded.div_ceil(64), meta: Vec::new(), bits: Vec::new() }
    }

    /// A new string without stones or liberties.
    pub(super) fn push(&mut self, color: Color) -> StringId {
        let id = self.meta.len() as StringId;
        self.meta.push(Meta::new(color));
        self.bits.extend_from_slice(&[0; 2 * MAX_WORDS][..2 * self.words]);
        id
    }

    /// Drops the newest string.
    pub(super) fn pop(&mut self) {
        self.meta.pop();
        self.bits.truncate(self.meta.len() * 2 * self.words);
    }

    #[inline]
    pub(super) fn meta(&self, id: StringId) -> &Meta {
        &self.meta[id as usize]
    }

    #[inline]
    fn base(&self, id: StringId) -> usize {
        id as usize * 2 * self.words
    }

    #[inline]
    pub(super) fn liberties(&self, id: StringId) -> &[u64] {
        let base = self.base(id);
        &self.bits[base..base + self.words]
    }

    #[inline]
    pub(super) fn stones(&self, id: StringId) -> &[u64] {
        let base = self.base(id) + self.words;
        &self.bits[base..base + self.words]
    }

    /// The words that hold stones or liberties of a string: the number of the first, and the one after the last.
    #[inline]
    pub(super) fn extent(&self, id: StringId) -> std::ops::Range<usize> {
        let meta = self.meta(id);
        usize::from(meta.first.min(meta.end))..usize::from(meta.end)
    }

    /// The liberties of a string as vertices.
    #[inline]
    pub(super) fn liberty_vertices(&self, id: StringId) -> Vertices<'_> {
        let extent = self.extent(id);
        Vertices::from_word(extent.start, &self.liberties(id)[extent])
    }

    /// The stones of a string as vertices.
    #[inline]
    pub(super) fn stone_vertices(&self, id: StringId) -> Vertices<'_> {
        let extent = self.extent(id);
        Vertices::from_word(extent.start, &self.stones(id)[extent])
    }

    #[inline]
    pub(super) fn has_liberty(&self, id: StringId, v: Vertex) -> bool {
        self.bits[self.base(id) + v.at() / 64] >> (v.at() % 64) & 1 != 0
    }

    /// Adds a liberty; false if it was one already.
    #[inline]
    pub(super) fn add_liberty(&mut self, id: StringId, v: Vertex) -> bool {
        let base = self.base(id);
        let word = &mut self.bits[base + v.at() / 64];
        let bit = 1 << (v.at() % 64);
        let new = *word & bit == 0;
        *word |= bit;
        let meta = &mut self.meta[id as usize];
        meta.liberties += u16::from(new);
        meta.reach(v.at() / 64);
        new
    }

    /// Takes a liberty away, if it is one.
    #[inline]
    pub(super) fn remove_liberty(&mut self, id: StringId, v: Vertex) {
        let base = self.base(id);
        let word = &mut self.bits[base + v.at() / 64];
        let bit = 1 << (v.at() % 64);
        let was = *word & bit != 0;
        *word &= !bit;
        self.meta[id as usize].liberties -= u16::from(was);
    }

    /// Adds a stone with this Zobrist key.
    #[inline]
    pub(super) fn add_stone(&mut self, id: StringId, v: Vertex, key: u64) {
        let base = self.base(id) + self.words;
        self.bits[base + v.at() / 64] |= 1 << (v.at() % 64);
        let meta = &mut self.meta[id as usize];
        meta.stones += 1;
        meta.hash ^= key;
        meta.origin = meta.origin.min(v);
        meta.reach(v.at() / 64);
    }

    /// Takes a stone with this Zobrist key away.
    #[inline]
    pub(super) fn remove_stone(&mut self, id: StringId, v: Vertex, key: u64) {
        let base = self.base(id) + self.words;
        self.bits[base + v.at() / 64] &= !(1 << (v.at() % 64));
        let meta = &mut self.meta[id as usize];
        meta.stones -= 1;
        meta.hash ^= key;
        if meta.origin == v {
            let next = self.stone_vertices(id).next();
            self.meta[id as usize].origin = next.unwrap_or(Vertex(u16::MAX));
        }
    }

    /// Adds all stones and liberties of `from` to `into`; the liberties of `into` must be recounted after.
    pub(super) fn absorb(&mut self, into: StringId, from: StringId) {
        let (a, b) = (self.base(into), self.base(from));
        for w in self.extent(from) {
            for i in [w, self.words + w] {
                self.bits[a + i] |= self.bits[b + i];
            }
        }
        let Meta { stones, hash, origin, first, end, .. } = *self.meta(from);
        let meta = &mut self.meta[into as usize];
        meta.stones += stones;
        meta.hash ^= hash;
        meta.origin = meta.origin.min(origin);
        meta.first = meta.first.min(first);
        meta.end = meta.end.max(end);
    }

    /// Counts the liberties afresh.
    pub(super) fn recount(&mut self, id: StringId) {
        let count: u32 = self.liberties(id)[self.extent(id)].iter().map(|w| w.count_ones()).sum();
        self.meta[id as usize].liberties = count as u16;
    }
}

/// The vertices of a bit set over the padded array, in vertex order.
#[derive(Clone, Debug)]
pub struct Vertices<'a> {
    words: &'a [u64],
    next: usize,
    word: u64,
    /// The number of the first of the words.
    first: usize,
}

impl<'a> Vertices<'a> {
    #[inline]
    pub(crate) fn new(words: &'a [u64]) -> Self {
        Self::from_word(0, words)
    }

    /// The bit set begins at word `first`.
    #[inline]
    fn from_word(first: usize, words: &'a [u64]) -> Self {
        Self { words, next: 0, word: 0, first }
    }

    /// No vertices.
    #[inline]
    pub(super) const fn none() -> Self {
        Self { words: &[], next: 0, word: 0, first: 0 }
    }
}

impl Iterator for Vertices<'_> {
    type Item = Vertex;

    #[inline]
    fn next(&mut self) -> Option<Vertex> {
        while self.word == 0 {
            self.word = *self.words.get(self.next)?;
            self.next += 1;
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(Vertex(((self.first + self.next - 1) * 64 + bit) as u16))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest: u32 = self.words[self.next..].iter().map(|w| w.count_ones()).sum();
        let all = (rest + self.word.count_ones()) as usize;
        (all, Some(all))
    }
}

impl ExactSizeIterator for Vertices<'_> {}
