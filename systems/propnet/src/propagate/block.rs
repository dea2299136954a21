//! Blocks of machine words, in which each bit belongs to another game.

use crate::net::Lit;

/// One bit of `64 * W` games.
pub(crate) type Block<const W: usize> = [u64; W];

/// Blocks that start on a cache line.
#[derive(Debug)]
pub(crate) struct Blocks<const W: usize> {
    store: Vec<u64>,
    offset: usize,
    pub(super) length: usize,
}

impl<const W: usize> Clone for Blocks<W> {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.length);
        let words = self.length * W;
        copy.store[copy.offset..][..words].copy_from_slice(&self.store[self.offset..][..words]);
        copy
    }
}

impl<const W: usize> Blocks<W> {
    /// This many blocks of zeros.
    pub(crate) fn new(length: usize) -> Self {
        let store = vec![0_u64; length * W + 8];
        // The vector never grows, so its place stays.
        let misaligned = (store.as_ptr().addr() / 8) % 8;
        Self { store, offset: (8 - misaligned) % 8, length }
    }

    /// All blocks.
    pub(crate) fn get(&mut self) -> &mut [Block<W>] {
        self.store[self.offset..self.offset + self.length * W].as_chunks_mut().0
    }
}

/// The number of lanes of a mask.
pub(crate) fn ones<const W: usize>(mask: &Block<W>) -> u64 {
    mask.iter().map(|w| u64::from(w.count_ones())).sum()
}

/// The value of a literal in each lane.
#[inline(always)]
pub(crate) fn lit<const W: usize>(values: &[Block<W>], l: Lit) -> Block<W> {
    let flip = if l.inverted() { u64::MAX } else { 0 };
    values[l.node()].map(|w| w ^ flip)
}
