//! What is known of the positions of one local game.
//!
//! # Notation
//! A *slot* holds a key and one bit, or nothing.
//!
//! # Steps
//! 1. Slots are looked at from the one that the key's hash names on, until the key or a free one is met.
//! 2. When half of them are taken there are twice as many.
//!
//! # Cost
//! Some nanoseconds; a game begins with few slots, so that small ones leave little to clear.

/// Slots a game begins with.
const FIRST: usize = 256;

/// Answers by key. Keys have less than 63 bits.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    /// Twice the key and the answer, and one more; nought where the slot is free.
    slots: Vec<u64>,
    taken: usize,
}

impl Default for Memo {
    fn default() -> Self {
        Self { slots: vec![0; FIRST], taken: 0 }
    }
}

impl Memo {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.slots.truncate(FIRST);
        self.slots.fill(0);
        self.taken = 0;
    }

    /// What was kept of a key.
    pub(super) fn get(&self, key: u64) -> Option<bool> {
        let held = self.slots[self.slot_of(key)];
        (held != 0).then(|| (held - 1) & 1 == 1)
    }

    /// Keeps the answer of a key that is not there yet.
    pub(super) fn insert(&mut self, key: u64, answer: bool) {
        // 2.
        if 2 * self.taken >= self.slots.len() {
            let double = vec![0; 2 * self.slots.len()];
            for held in std::mem::replace(&mut self.slots, double).into_iter().filter(|&held| held != 0) {
                let at = self.slot_of((held - 1) >> 1);
                self.slots[at] = held;
            }
        }
        let at = self.slot_of(key);
        self.taken += usize::from(self.slots[at] == 0);
        self.slots[at] = (key << 1 | u64::from(answer)) + 1;
    }

    /// 1. The slot of a key, or the free one where it would go.
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at] != 0 && (self.slots[at] - 1) >> 1 != key {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests;
