//! Results of sub-problems by position.
//!
//! # Invariants
//! The key holds everything a result depends on: stones, ko point, ko state, question, string and the depth at which it
//! is asked (which decides what is tried). No result under a node limit is stored. So a hit is the very result a new
//! search would give, whatever was asked before: graph history can't interact with it. An entry also knows how many
//! positions its search looked at; a hit counts them all, so that a node limit too strikes at the same place whether
//! anything was remembered or not.

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
    cost: u32,
}

/// A direct-mapped table that forgets the older of two results for one slot.
#[derive(Clone)]
pub(super) struct Cache {
    entries: Vec<Entry>,
    /// Changes with every [`Self::forget`], so that older entries no longer match.
    salt: u64,
}

const BITS: u32 = 15;

impl Cache {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), salt: 0 }
    }

    #[inline]
    fn slot(key: u64) -> usize {
        (key >> (64 - BITS)) as usize
    }

    /// Forgets everything, at no cost. No answer and no count depends on it.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<(Answer, u32)> {
        let key = key ^ self.salt;
        let entry = self.entries.get(Self::slot(key))?;
        (entry.key == key).then_some((entry.answer, entry.cost))
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, answer: Answer, cost: u32) {
        let key = key ^ self.salt;
        if self.entries.is_empty() {
            self.entries.resize(1 << BITS, Entry::default());
        }
        self.entries[Self::slot(key)] = Entry { key, answer, cost };
    }
}
