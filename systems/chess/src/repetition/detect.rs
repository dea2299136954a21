//! Detectors: the ways in which a search notices that a position has occurred before.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001), section "Possible implementations".
//!
//! | file | what |
//! | --- | --- |
//! | [`super::key_stack`] | walks back over the keys of game and line in one array |
//! | [`super::move_chains`] | Stanback's and Kerrigan's method: finds moves that cancel each other, without keys |
//! | [`super::open_flag`] | Thompson's flag in the element of the shared table, confirmed by the key stack or exactly as described |
//! | [`super::side_table`] | Moreland's secondary table of keys |
//!
//! # Invariants
//! A detector either gives the same answers as [`Line::repetition`], or counts its wrong answers ([`Misjudged`]).

use crate::history::{Key, Line};
use serde::Serialize;
use std::sync::Arc;

/// Counts of the errors of an unconfirmed detector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Misjudged {
    /// Draws under the policy that it missed.
    pub missed: u64,
    /// Draws it reported where the policy has none.
    pub false_hits: u64,
}

impl Misjudged {
    /// The sum of both counts.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { missed: self.missed + other.missed, false_hits: self.false_hits + other.false_hits }
    }

    /// Counts one answer.
    #[inline]
    pub(super) fn note(&mut self, said: Option<i16>, truth: Option<i16>) {
        self.missed += u64::from(said.is_none() && truth.is_some());
        self.false_hits += u64::from(said.is_some() && truth.is_none());
    }
}

/// The result of marking a position open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// The position now carries the mark.
    Now,
    /// It already carried this searcher's mark.
    Before,
    /// No element was free.
    No,
}

/// Elements of a transposition table that can be marked open.
pub trait OpenMarks: Send + Sync {
    /// Marks a position open for a searcher. With `always`, any content of the element is replaced, an open node too.
    /// Without it an open node is never replaced; another element is tried instead.
    fn open(&self, key: Key, owner: usize, always: bool) -> Marked;
    /// The searchers the position is open for, one bit each.
    fn owners(&self, key: Key, always: bool) -> u64;
    /// Removes the mark.
    fn close(&self, key: Key, owner: usize, always: bool);
}

/// A way to notice repetitions. Calls nest: `enter` when a node's moves are about to be searched, `leave` after.
pub trait Detect: Send + Sync + 'static {
    /// Whether it writes into the transposition table, so that a longer game leaves less room in it.
    const IN_TABLE: bool = false;

    /// A searcher's detector; `owner` identifies the searcher.
    fn new(marks: &Arc<dyn OpenMarks>, owner: usize) -> Self;
    /// Sets up for a search from the root of `line`.
    fn begin(&mut self, line: &Line);
    /// If the current position is a draw by repetition, the rest of that draw.
    fn draw(&mut self, line: &Line) -> Option<i16>;
    /// Marks the current position as open.
    fn enter(&mut self, line: &Line);
    /// Ends this.
    fn leave(&mut self, line: &Line);
    /// The counts of its errors; zero for detectors that cannot err.
    fn misjudged(&self) -> Misjudged {
        Misjudged::default()
    }
}
