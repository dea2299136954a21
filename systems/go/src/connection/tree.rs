//! The tree of a proof-number search, stored as a list of positions.

use crate::board::{MixMap, Vertex};
use crate::proof::Numbers;

/// A position of the tree, by the move that leads there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) point: Vertex,
    pub(super) numbers: Numbers,
    /// The number of times the search went through it.
    pub(super) visits: u32,
    pub(super) first: u32,
    pub(super) count: u16,
    pub(super) open: bool,
}

impl Entry {
    pub(super) const fn new(point: Vertex, numbers: Numbers) -> Self {
        Self { point, numbers, visits: 0, first: 0, count: 0, open: false }
    }
}

/// The tree and the settled positions of one question.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub(super) entries: Vec<Entry>,
    pub(super) path: Vec<usize>,
    /// By position: an entry that is settled or open.
    pub(super) known: MixMap<u64, usize>,
}
