//! Marks the moves that workers are searching. The marks distribute the workers over the tree.
//!
//! # Source
//! Jean-Christophe Weill, *The ABDADA distributed minimax search algorithm* (1996), in Tom Kerrigan's simplified form
//! with a separate table. A worker puts off a move that another worker is searching until its other moves are done.
//!
//! # Departures
//! Where a cutoff is expected, the first moves are not put off ([`TOGETHER`]). Workers search these moves together, and
//! separate deeper in the tree. Otherwise a cutoff by the second move would waste another worker's work on the third. A
//! lost or false mark costs only time.

use crate::history::Key;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of marks.
///
/// Origin: definition, a capacity: a lost mark costs time only.
const SLOTS: usize = 1 << 14;

/// The least depth at which moves are put off.
///
/// Origin: own choice, unmeasured.
pub const MIN_DEPTH: i32 = 3;

/// The number of first moves of an expected fail-high node that workers search together. Two workers of equal speed
/// then take 1.10 times the nodes of one worker, without it 1.21 (openings, depth 10).
///
/// Origin: ablation, commit 11693f7.
pub const TOGETHER: i32 = 3;

/// The marks.
#[derive(Debug)]
pub struct Busy(Vec<AtomicU64>);

impl Default for Busy {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Busy {
    fn tag(child: Key, depth: i32) -> u64 {
        (child ^ (depth as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1
    }

    fn slot(&self, tag: u64) -> &AtomicU64 {
        &self.0[(tag >> 20) as usize & (SLOTS - 1)]
    }

    /// Whether a worker is searching this child at this depth.
    #[must_use]
    pub fn is_busy(&self, child: Key, depth: i32) -> bool {
        let tag = Self::tag(child, depth);
        self.slot(tag).load(Relaxed) == tag
    }

    /// Notes that this worker starts on the child.
    pub fn start(&self, child: Key, depth: i32) {
        let tag = Self::tag(child, depth);
        self.slot(tag).store(tag, Relaxed);
    }

    /// Notes that it has finished.
    pub fn finish(&self, child: Key, depth: i32) {
        let tag = Self::tag(child, depth);
        let _ = self.slot(tag).compare_exchange(tag, 0, Relaxed, Relaxed);
    }
}
