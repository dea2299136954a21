//! Sets of cells of the padded board as bits: what the rules of domains and eye spaces look at all at once.
//!
//! # Notation
//! The bit of a cell is its place in the padded array; a set has as many words as the board needs. A set *moved* by an
//! offset holds a cell if the set has the cell at that offset from it.
//!
//! # Cost
//! A few instructions a word; a board of 19 lines has seven.

use crate::board::{MAX_WORDS, Vertex};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of cells in so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells<const W: usize>(pub(super) [u64; W]);

/// Runs a function for the number of words that a board needs.
macro_rules! for_words {
    ($board:expr, $run:ident ( $($argument:expr),* $(,)? )) => {
        match $board.padded_len().div_ceil(64) {
            0..=2 => $run::<2>($($argument),*),
            3..=4 => $run::<4>($($argument),*),
            5..=7 => $run::<7>($($argument),*),
            _ => $run::<{ crate::board::MAX_WORDS }>($($argument),*),
        }
    };
}
pub(super) use for_words;

impl<const W: usize> Cells<W> {
    /// No cell.
    pub(super) const NONE: Self = Self([0; W]);

    /// The first words of a longer set.
    pub(super) fn first_of(words: &[u64; MAX_WORDS]) -> Self {
        Self(std::array::from_fn(|i| words[i]))
    }

    /// Puts a cell in.
    #[inline]
    pub(super) fn put(&mut self, v: Vertex) {
        self.0[v.at() / 64] |= 1 << (v.at() % 64);
    }

    /// Whether the set holds the cell.
    #[inline]
    pub(super) fn has(&self, v: Vertex) -> bool {
        self.0.get(v.at() / 64).is_some_and(|word| word >> (v.at() % 64) & 1 != 0)
    }

    /// Whether there is no cell in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The set moved by an offset of less than 64.
    #[inline]
    pub(super) fn moved(&self, by: i32) -> Self {
        let (words, by) = (&self.0, (by.unsigned_abs(), by < 0));
        Self(std::array::from_fn(|i| match by {
            (0, _) => words[i],
            (by, false) => words[i] >> by | if i + 1 < W { words[i + 1] << (64 - by) } else { 0 },
            (by, true) => words[i] << by | if i > 0 { words[i - 1] >> (64 - by) } else { 0 },
        }))
    }

    /// The cells next to those of the set, walls too.
    #[inline]
    pub(super) fn around(&self, stride: i32) -> Self {
        self.moved(1) | self.moved(-1) | self.moved(stride) | self.moved(-stride)
    }

    /// The first cell.
    pub(super) fn first(&self) -> Option<Vertex> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(Vertex((at * 64) as u16 + self.0[at].trailing_zeros() as u16))
    }

    /// The cells in vertex order.
    pub(super) fn iter(self) -> impl Iterator<Item = Vertex> {
        self.0.into_iter().enumerate().flat_map(|(at, mut word)| {
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as u16;
                    word &= word - 1;
                    Vertex((at * 64) as u16 + bit)
                })
            })
        })
    }

    /// The part of the set that hangs together with a cell of it, where two `loose` cells are no link; of loose cells
    /// only if the first is.
    pub(super) fn part(&self, seed: Vertex, loose: Self, stride: i32) -> Self {
        let mut part = Self::NONE;
        part.put(seed);
        let firm = if loose.has(seed) { *self } else { *self & !loose };
        loop {
            let more = (part | ((part & firm).around(stride) | part.around(stride) & firm)) & *self;
            if more == part {
                return part;
            }
            part = more;
        }
    }
}

impl<const W: usize> BitAnd for Cells<W> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for Cells<W> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> Not for Cells<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> BitAndAssign for Cells<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const W: usize> BitOrAssign for Cells<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests;
