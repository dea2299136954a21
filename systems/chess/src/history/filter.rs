//! A small Bloom filter of positions.
//!
//! # Source
//! Bloom, *Space/time trade-offs in hash coding with allowable errors* (CACM 1970).
//!
//! # Departures
//! Each position has one bit instead of several. So one AND of two filters tells whether they may have a position in
//! common, for any number of positions. A false positive costs only time, never correctness.
//!
//! # Cost
//! A filter has 112 bits. So a table entry with a move, two bounds, an evaluation, draft and age fits into 32 bytes.

use super::Key;

/// Bits in a filter.
pub const BITS: u64 = 112;

/// A set of positions that may contain more than was inserted, never less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Filter {
    /// Bits 0 to 63.
    pub low: u64,
    /// Bits 64 to 111.
    pub high: u64,
}

impl Filter {
    /// The empty filter.
    pub const EMPTY: Self = Self { low: 0, high: 0 };

    /// This filter and one more position.
    #[inline]
    #[must_use]
    pub fn with(self, key: Key) -> Self {
        let bit = 1_u128 << (((key >> 32) * BITS) >> 32);
        Self { low: self.low | bit as u64, high: self.high | (bit >> 64) as u64 }
    }

    /// The union of two filters.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }

    /// Whether some position may be in both; `false` is certain.
    #[inline]
    #[must_use]
    pub fn may_meet(self, other: Self) -> bool {
        (self.low & other.low) | (self.high & other.high) != 0
    }

    /// Whether the filter is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.low | self.high == 0
    }
}
