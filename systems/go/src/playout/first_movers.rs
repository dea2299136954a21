//! Two searches of the whole board, one with either side moving first, that can stop early and go on.
//!
//! # Source
//! The searches are those of [`super::search`].
//!
//! # Steps
//! 1. A few playouts with either side first give the ownership that both searches begin with.
//! 2. [`FirstMovers::run_to`] makes playouts in both searches until each has this number.
//! 3. [`FirstMovers::owner`] is the mean ownership of the playouts that each search has made so far.
//!
//! # Cost
//! The cost of the playouts.

use super::board::PlayoutBoard;
use super::ownership::estimate;
use super::search::{Aim, Limits, Root, Search};
use crate::board::{Color, Vertex};

/// The two searches; the first is that in which Black moves first.
pub struct FirstMovers<'a>([Search<'a>; 2]);

impl FirstMovers<'_> {
    /// Searches of this board within these limits; step 1 takes `few` playouts with either side first.
    #[must_use]
    pub fn new(board: &PlayoutBoard, limits: &Limits, few: u32) -> Self {
        let [black, white] =
            Color::BOTH.map(|color| estimate(board, color, &limits.policy, few, limits.seed).owner);
        let owner: Vec<f32> = black.iter().zip(&white).map(|(&a, &b)| f32::midpoint(a, b)).collect();
        Self(Color::BOTH.map(|color| {
            let last = Vertex::PASS;
            let root = Root { board, color, last, before: last, komi: 0.0, owner: Some(&owner) };
            Search::new(&root, Aim::Lead(0.0), limits)
        }))
    }

    /// Makes playouts until each search has this number, or the number of its limits.
    pub fn run_to(&mut self, playouts: u32) {
        self.0.iter_mut().for_each(|search| search.run(&mut |done| done >= playouts));
    }

    /// The mean ownership of the playouts of each search, as in [`super::Ownership::owner`].
    #[must_use]
    pub fn owner(&self) -> [Vec<f32>; 2] {
        self.0.each_ref().map(Search::mean_owner)
    }

    /// The first moves of each search without the pass, the preferred ones first.
    #[must_use]
    pub fn preferred(&self) -> [Vec<Vertex>; 2] {
        self.0.each_ref().map(Search::preferred)
    }
}
