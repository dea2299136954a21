//! A plain direct-mapped table for the exact mode: one entry per slot, always replaced, whole keys.

use crate::history::Key;
use crate::repetition::keep::Known;
use cozy_chess::Move;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Whose.
    pub key: Key,
    /// Depth below.
    pub draft: u8,
    /// Best move, if one raised alpha.
    pub best: Option<Move>,
    /// Bounds and filter; mates relative to the node.
    pub known: Known,
}

/// The table.
#[derive(Clone, Debug)]
pub struct Table {
    slots: Vec<Option<Entry>>,
}

impl Table {
    /// A table of 2 to the `bits` entries.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self { slots: vec![None; 1 << bits] }
    }

    fn slot(&self, key: Key, draft: u8) -> usize {
        // Positions keep one entry per draft, or iterations would push each other out.
        (key.wrapping_add(u64::from(draft).wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 20) as usize
            & (self.slots.len() - 1)
    }

    /// The entry of exactly this draft.
    #[must_use]
    pub fn get(&self, key: Key, draft: u8) -> Option<&Entry> {
        self.slots[self.slot(key, draft)].as_ref().filter(|e| e.key == key && e.draft == draft)
    }

    /// Replaces whatever is there.
    pub fn put(&mut self, entry: Entry) {
        let slot = self.slot(entry.key, entry.draft);
        self.slots[slot] = Some(entry);
    }
}
