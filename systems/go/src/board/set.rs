//! Sets of vertices.

use super::{Board, MAX_WORDS, Vertex, Vertices};

/// A set of vertices, as bits over the padded array of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct VertexSet([u64; MAX_WORDS]);

impl VertexSet {
    /// No vertices.
    pub(crate) const EMPTY: Self = Self([0; MAX_WORDS]);

    /// As a bit set.
    pub(crate) const fn bits(&self) -> &[u64; MAX_WORDS] {
        &self.0
    }

    /// Puts a vertex in.
    #[inline]
    pub(crate) fn insert(&mut self, v: Vertex) {
        self.0[v.at() / 64] |= 1 << (v.at() % 64);
    }

    /// Whether a vertex is in it.
    #[inline]
    pub(crate) fn holds(&self, v: Vertex) -> bool {
        self.0[v.at() / 64] >> (v.at() % 64) & 1 != 0
    }

    /// Puts the vertices of a bit set in.
    #[inline]
    pub(crate) fn unite(&mut self, more: &[u64]) {
        self.0.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
    }

    /// Keeps what another set holds as well.
    pub(crate) fn intersect(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, keep)| *word &= keep);
    }

    /// Whether it shares a vertex with a bit set.
    #[inline]
    pub(crate) fn meets(&self, bits: &[u64]) -> bool {
        self.0.iter().zip(bits).any(|(a, b)| a & b != 0)
    }

    /// Puts in the vertices next to those it has.
    pub(crate) fn widen(&mut self, board: &Board) {
        let old = self.0;
        for by in [1, board.size() + 1] {
            for (i, word) in self.0.iter_mut().enumerate() {
                let below = if i == 0 { 0 } else { old[i - 1] >> (64 - by) };
                let above = old.get(i + 1).map_or(0, |word| word << (64 - by));
                *word |= old[i] << by | below | old[i] >> by | above;
            }
        }
        // Over the wall at the end of one line is the begin of the next.
        self.intersect(&Self(board.on_board_bits()));
    }

    /// The vertices in vertex order.
    pub(crate) fn iter(&self) -> Vertices<'_> {
        Vertices::new(&self.0)
    }
}

impl FromIterator<Vertex> for VertexSet {
    fn from_iter<I: IntoIterator<Item = Vertex>>(vertices: I) -> Self {
        let mut set = Self::EMPTY;
        vertices.into_iter().for_each(|v| set.insert(v));
        set
    }
}
