//! The options and the result of an exact search.

use crate::history::Policy;
use crate::repetition::{Misjudged, Path, Scheme};
use serde::Serialize;

/// The options of an exact search.
#[derive(Clone, Copy, Debug)]
pub struct ExactOptions {
    /// Plies.
    pub depth: u32,
    /// Which recurrences are draws.
    pub policy: Policy,
    /// The repetition scheme.
    pub scheme: Scheme,
    /// Table of 2 to this many entries.
    pub table_bits: u32,
    /// Whether step 4 is on.
    pub upcoming: bool,
    /// Workers.
    pub threads: usize,
}

impl Default for ExactOptions {
    fn default() -> Self {
        Self {
            depth: 1,
            policy: Policy::default(),
            scheme: Scheme::default(),
            table_bits: 18,
            upcoming: false,
            threads: 1,
        }
    }
}

/// The value and the counts of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExactReport {
    /// Value of the root, side to move's view; mate at ply p is 30000 - p.
    pub value: i32,
    /// The grounds of the value.
    pub path: Path,
    /// Positions entered, all iterations.
    pub nodes: u64,
    /// Table look-ups that ended a node.
    pub hits: u64,
    /// Entries that were weakened because of the path.
    pub refused: u64,
    /// Refused entries whose proof stood on the new path.
    pub replayed: u64,
    /// Nodes closed with a value that depends on the path.
    pub dependent: u64,
    /// Nodes closed.
    pub closed: u64,
    /// Wrong answers of an unconfirmed detector.
    pub misjudged: Misjudged,
}

impl ExactReport {
    /// With the counts of another worker added.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.nodes += other.nodes;
        self.hits += other.hits;
        self.refused += other.refused;
        self.replayed += other.replayed;
        self.dependent += other.dependent;
        self.closed += other.closed;
        self.misjudged = self.misjudged.and(other.misjudged);
        self
    }
}
