//! Results of sub-problems by position.
//!
//! # Invariants
//! The key holds everything a result's code depends on: stones, ko point, ko state, question, string, order, the
//! depth at which it is asked and the far moves left (which decide what is tried). No result under a node limit is
//! stored. So graph history can't interact with a hit. Which of several moves stands in a result, and how many positions were looked at, depends
//! on what was remembered: so every public question starts from an empty table.

use super::code::Code;
use crate::board::Vertex;

/// The best move of a sub-problem and what it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Answer {
    pub(super) code: Code,
    pub(super) point: Vertex,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    answer: Answer,
}

/// A table of buckets, each of which forgets its oldest result for a new one. With so few places in common, what is
/// forgotten within one question hardly ever depends on the Zobrist keys.
#[derive(Clone)]
pub(super) struct Cache {
    entries: Vec<Entry>,
    /// Changes with every [`Self::forget`], so that older entries no longer match. It has no part in the choice of a
    /// bucket: which results push out which must not depend on the questions before.
    salt: u64,
}

const BITS: u32 = 13;
/// Results in one bucket.
const WAYS: usize = 4;

impl Cache {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), salt: 0 }
    }

    #[inline]
    fn bucket(key: u64) -> std::ops::Range<usize> {
        let first = (key >> (64 - BITS)) as usize * WAYS;
        first..first + WAYS
    }

    /// Forgets everything, at no cost.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Answer> {
        let bucket = self.entries.get(Self::bucket(key))?;
        bucket.iter().find(|entry| entry.key == key ^ self.salt).map(|entry| entry.answer)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, answer: Answer) {
        if self.entries.is_empty() {
            self.entries.resize(WAYS << BITS, Entry::default());
        }
        let bucket = &mut self.entries[Self::bucket(key)];
        bucket.rotate_right(1);
        bucket[0] = Entry { key: key ^ self.salt, answer };
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, BITS, Cache, WAYS};

    #[test]
    fn what_pushes_out_what_does_not_depend_on_what_was_forgotten() {
        let keys: Vec<u64> =
            (0..(4 * WAYS as u64) << BITS).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let kept = |cache: &mut Cache| -> Vec<u64> {
            keys.iter().for_each(|&key| cache.put(key, Answer::default()));
            keys.iter().copied().filter(|&key| cache.get(key).is_some()).collect()
        };
        let mut cache = Cache::new();
        let first = kept(&mut cache);
        assert!(first.len() < keys.len(), "some push out others");
        cache.forget();
        assert!(keys.iter().all(|&key| cache.get(key).is_none()));
        assert_eq!(kept(&mut cache), first);
    }
}
