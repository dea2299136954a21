//! The table of tactical readings: results of sub-problems by position.
//!
//! # Invariants
//! The key holds everything that the code of a result depends on: stones, ko point, ko state, question, string, order
//! and depth. The depth decides the candidates. The number of remaining far moves stands beside the key, because an
//! attack that works also works with more far moves. A result that the node limit cut off is not stored. So a stored
//! result never depends on the path to its position. If a result has several moves, its move depends on the content of
//! the table, and so does the number of positions. So every public question starts with an empty table.

use super::code::{Answer, Code};
use crate::board::Vertex;

/// A bucket of results, the newest first; one cache line. A result is the low bits of its key, then
/// the far moves left, the vertex and the code.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([u64; WAYS]);

/// A table of buckets, each of which forgets its oldest result for a new one. Few keys share a place, so replacements
/// within one question rarely depend on the Zobrist keys.
#[derive(Clone)]
pub(super) struct Cache {
    buckets: Vec<Bucket>,
    /// The number of buckets is two to this.
    bits: u32,
    /// Changes with every [`Self::forget`], so that older entries no longer match. It has no part in the choice of a
    /// bucket: which results push out which must not depend on the questions before.
    salt: u64,
}

/// The largest table.
///
/// Origin: measured, commit e5ac12c, together with three other changes.
const MOST_BITS: u32 = 12;
/// The smallest table.
///
/// Origin: measured, commit e5ac12c, together with three other changes.
const LEAST_BITS: u32 = 5;
/// Results in one bucket.
///
/// Origin: definition, words of a cache line.
const WAYS: usize = 8;
/// The number of results for each position of the limit: hardly any result is replaced.
///
/// Origin: measured, commit e5ac12c, together with three other changes.
const ROOM: u64 = 16;
/// Bits of a result that are not the key's.
///
/// Origin: definition, the layout of a result.
const ANSWER_BITS: u32 = 16;
/// The place of the remaining far moves in them.
///
/// Origin: definition, the layout of a result.
const FAR_SHIFT: u32 = 12;
/// From this number on, far moves count as equal.
///
/// Origin: definition, the layout of a result.
const MOST_FAR: u8 = 15;

impl Cache {
    pub(super) const fn new() -> Self {
        Self { buckets: Vec::new(), bits: MOST_BITS, salt: 0 }
    }

    /// A table that is emptied before each question of `nodes` positions. A small one stays in the processor's cache.
    /// If results serve many questions, it would lose them.
    pub(super) fn for_one_question(nodes: u64) -> Self {
        let buckets = nodes.clamp(1, 1 << 32) * ROOM / WAYS as u64;
        Self { bits: buckets.max(1).ilog2().clamp(LEAST_BITS, MOST_BITS), ..Self::new() }
    }

    #[inline]
    const fn bucket(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }

    /// Forgets everything, at no cost.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }

    /// The known result with `far` far moves left. More far moves never harm the attacker. A `gain`, the code that they
    /// can only bring about, holds for more as well, and the opposite for fewer.
    #[inline]
    pub(super) fn get(&self, key: u64, far: u8, gain: Code) -> Option<Answer> {
        let bucket = self.buckets.get(self.bucket(key))?;
        let tag = (key ^ self.salt) << ANSWER_BITS;
        bucket.0.iter().filter(|&&found| (found ^ tag) >> ANSWER_BITS == 0).find_map(|&found| {
            let answer = unpack(found);
            let left = (found >> FAR_SHIFT) as u8 & MOST_FAR;
            let far = far.min(MOST_FAR);
            let holds = far == left
                || (far > left && answer.code == gain)
                || (far < left && answer.code == gain.reverse());
            holds.then_some(answer)
        })
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, far: u8, answer: Answer) {
        if self.buckets.is_empty() {
            self.buckets.resize(1 << self.bits, Bucket::default());
        }
        let tag = (key ^ self.salt) << ANSWER_BITS;
        let at = self.bucket(key);
        let bucket = &mut self.buckets[at].0;
        bucket.copy_within(..WAYS - 1, 1);
        bucket[0] = tag | u64::from(far.min(MOST_FAR)) << FAR_SHIFT | pack(answer);
    }
}

const fn pack(answer: Answer) -> u64 {
    (answer.point.0 as u64) << 2 | answer.code as u64
}

const fn unpack(found: u64) -> Answer {
    let code = match found & 3 {
        0 => Code::Fail,
        1 => Code::KoB,
        2 => Code::KoA,
        _ => Code::Win,
    };
    Answer { code, point: Vertex((found >> 2 & 0x3ff) as u16) }
}

#[cfg(test)]
mod tests;
