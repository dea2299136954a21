//! Results of sub-problems by position.
//!
//! # Invariants
//! The key holds all that a result depends on: stones, ko point, ko state, the question with its strings or area, and
//! the moves left. No result under a node limit is stored. So a hit is what a new search would give.

use super::search::Answer;
use crate::board::Vertex;
use crate::tactics::Code;

const BITS: u32 = 11;

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    answer: Answer,
}

/// A direct-mapped table that forgets the older of two results for one slot.
#[derive(Clone, Default)]
pub(super) struct Cache {
    question: u64,
    entries: Vec<Entry>,
}

impl Cache {
    /// From now on nothing is known.
    pub(super) fn next_question(&mut self) {
        self.question = self.question.wrapping_add(0x2545_f491_4f6c_dd1d);
    }

    #[inline]
    const fn slot(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Answer> {
        let key = key ^ self.question;
        let entry = self.entries.get(Self::slot(key))?;
        (entry.key == key).then_some(entry.answer)
    }

    pub(super) fn put(&mut self, key: u64, answer: Answer) {
        if self.entries.is_empty() {
            let none = Answer::new(Code::Fail, Vertex::PASS);
            self.entries.resize(1 << BITS, Entry { key: 0, answer: none });
        }
        let key = key ^ self.question;
        self.entries[Self::slot(key)] = Entry { key, answer };
    }
}
