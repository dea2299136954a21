//! One random game at a time from any state, with the moves that were made.
//!
//! # Steps
//! 1. Enter the state, and make a joint move there if one is given.
//! 2. Draw a legal move of each role and make the joint move, until the game is over.
//!
//! # Cost
//! Entering costs as much as some moves: all facts flip that differ from the end of the last game.

use crate::net::Bases;
use tengen_core::SplitMix64;

/// What one random game came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It ended after this many random moves.
    Ended(usize),
    /// It was broken off: too long, or a role without a move.
    Broken,
}

/// Plays single random games.
pub trait OneGame: Send {
    /// Plays from a state, first a joint move if one is given, then random moves, `length` at most. Each random joint move
    /// appends an input for each role to `made`.
    fn play(
        &mut self,
        from: &Bases,
        first: Option<&[u32]>,
        length: usize,
        random: &mut SplitMix64,
        made: &mut Vec<u32>,
    ) -> Course;

    /// The state in which the last game ended.
    fn end(&self) -> &Bases;

    /// Whether a role has a goal value at the end of the last game.
    fn has_goal(&mut self, role: usize, value: usize) -> bool;
}
