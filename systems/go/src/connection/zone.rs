//! Sets of vertices that a proof rests on.

use crate::board::Vertex;

/// Words for the padded array of the largest board.
const WORDS: usize = 11;

/// A set of vertices. The *carrier* of a link holds every empty vertex where a move of the cutter could matter to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Zone([u64; WORDS]);

impl Zone {
    #[inline]
    pub(super) fn add(&mut self, v: Vertex) {
        self.0[v.at() / 64] |= 1 << (v.at() % 64);
    }

    /// Whether it holds a vertex.
    #[inline]
    pub(super) fn contains(&self, v: Vertex) -> bool {
        self.0[v.at() / 64] >> (v.at() % 64) & 1 != 0
    }

    /// Keeps what another zone holds as well.
    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, keep) in self.0.iter_mut().zip(&other.0) {
            *word &= keep;
        }
    }

    /// Adds a bit set over the padded array.
    #[inline]
    pub(super) fn add_bits(&mut self, bits: &[u64]) {
        for (word, more) in self.0.iter_mut().zip(bits) {
            *word |= more;
        }
    }

    /// Whether it shares a vertex with a bit set over the padded array.
    #[inline]
    pub(super) fn meets(&self, bits: &[u64]) -> bool {
        self.0.iter().zip(bits).any(|(a, b)| a & b != 0)
    }

    /// The vertices in vertex order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| Vertex((w * 64) as u16 + rest.trailing_zeros() as u16))
        })
    }
}

impl FromIterator<Vertex> for Zone {
    fn from_iter<I: IntoIterator<Item = Vertex>>(vertices: I) -> Self {
        let mut zone = Self::default();
        vertices.into_iter().for_each(|v| zone.add(v));
        zone
    }
}
