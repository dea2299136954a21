//! Sets of cells of the padded board as bits, for operations on all cells at once.
//!
//! # Notation
//! The number of a cell's bit is the cell's index in the padded array. A set has as many words as its board needs. A
//! set *moved* by an offset holds a cell if the set has the cell at that offset from it.
//!
//! # Cost
//! A few instructions for each word; a board of 19 lines has seven.

use super::{Board, MAX_WORDS, Vertex, Vertices};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of cells in `N` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells<const W: usize>(pub(crate) [u64; W]);

/// A set of vertices of a board of any size.
pub(crate) type VertexSet = Cells<MAX_WORDS>;

/// The value of an expression in which this name is the number of words that a board needs.
macro_rules! for_words {
    ($board:expr, $words:ident => $run:expr) => {
        for_words!($board, $words => $run, 2 4 7)
    };
    ($board:expr, $words:ident => $run:expr, $($few:literal)*) => {
        match $board.padded_len().div_ceil(64) {
            $(0..=$few => {
                const $words: usize = $few;
                $run
            })*
            _ => {
                const $words: usize = $crate::board::MAX_WORDS;
                $run
            }
        }
    };
}
pub(crate) use for_words;

impl<const W: usize> Default for Cells<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> Cells<W> {
    /// No cell.
    pub(crate) const EMPTY: Self = Self([0; W]);

    /// The same in another number of words; those too many are cut off.
    pub(crate) fn resized<const V: usize>(&self) -> Cells<V> {
        Cells(std::array::from_fn(|i| self.0.get(i).copied().unwrap_or(0)))
    }

    /// Puts a cell in.
    #[inline]
    pub(crate) fn insert(&mut self, v: Vertex) {
        self.0[v.at() / 64] |= 1 << (v.at() % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub(crate) fn remove(&mut self, v: Vertex) {
        self.0[v.at() / 64] &= !(1 << (v.at() % 64));
    }

    /// Whether the set holds the cell.
    #[inline]
    pub(crate) fn holds(&self, v: Vertex) -> bool {
        self.0.get(v.at() / 64).is_some_and(|word| word >> (v.at() % 64) & 1 != 0)
    }

    /// Whether there is no cell in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> u16 {
        self.0.iter().map(|word| word.count_ones() as u16).sum()
    }

    /// Adds the cells of a set that may have fewer words.
    #[inline]
    pub(crate) fn unite(&mut self, more: &[u64]) {
        self.0.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
    }

    /// Whether it shares a cell with a set that may have fewer words.
    #[inline]
    pub(crate) fn meets(&self, bits: &[u64]) -> bool {
        self.0.iter().zip(bits).any(|(a, b)| a & b != 0)
    }

    /// The set moved by an offset of less than 64.
    #[inline]
    pub(crate) fn moved(&self, by: i32) -> Self {
        let (words, by) = (&self.0, (by.unsigned_abs(), by < 0));
        Self(std::array::from_fn(|i| match by {
            (0, _) => words[i],
            (by, false) => words[i] >> by | if i + 1 < W { words[i + 1] << (64 - by) } else { 0 },
            (by, true) => words[i] << by | if i > 0 { words[i - 1] >> (64 - by) } else { 0 },
        }))
    }

    /// The set, and the cells at an offset of less than 64 from those of it, either way.
    #[inline]
    pub(crate) fn spread(&self, by: i32) -> Self {
        *self | self.moved(by) | self.moved(-by)
    }

    /// The cells next to those of the set, walls too.
    #[inline]
    pub(crate) fn around(&self, stride: i32) -> Self {
        self.moved(1) | self.moved(-1) | self.moved(stride) | self.moved(-stride)
    }

    /// The first cell.
    pub(crate) fn first(&self) -> Option<Vertex> {
        self.iter().next()
    }

    /// The cells in vertex order.
    pub(crate) fn iter(&self) -> Vertices<'_> {
        Vertices::new(&self.0)
    }

    /// The connected part of the set that contains its cell. Two `loose` cells are not a link, unless the first cell
    /// is loose.
    pub(crate) fn part(&self, seed: Vertex, loose: Self, stride: i32) -> Self {
        let mut part = Self::EMPTY;
        part.insert(seed);
        let firm = if loose.holds(seed) { *self } else { *self & !loose };
        loop {
            let more = (part | ((part & firm).around(stride) | part.around(stride) & firm)) & *self;
            if more == part {
                return part;
            }
            part = more;
        }
    }
}

/// The places of the bits of a word, lowest first.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let at = word.trailing_zeros() as usize;
            word &= word - 1;
            at
        })
    })
}

impl VertexSet {
    /// Adds all vertices next to one of it.
    pub(crate) fn widen(&mut self, board: &Board) {
        // Over the wall at the end of one line is the begin of the next.
        *self = (*self | self.around(board.size() as i32 + 1)) & board.all_vertices();
    }
}

/// An operator on all words, and the one that assigns.
macro_rules! on_words {
    ($($trait:ident $run:ident, $assigns:ident $assign:ident: $op:tt;)*) => {$(
        impl<const W: usize> $trait for Cells<W> {
            type Output = Self;

            #[inline]
            fn $run(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }

        impl<const W: usize> $assigns for Cells<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )*};
}

on_words! {
    BitAnd bitand, BitAndAssign bitand_assign: &;
    BitOr bitor, BitOrAssign bitor_assign: |;
}

impl<const W: usize> Not for Cells<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> FromIterator<Vertex> for Cells<W> {
    fn from_iter<I: IntoIterator<Item = Vertex>>(vertices: I) -> Self {
        let mut set = Self::EMPTY;
        vertices.into_iter().for_each(|v| set.insert(v));
        set
    }
}

#[cfg(test)]
mod tests;
