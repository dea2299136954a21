//! Detectors: how a search notices that a position may have occurred before.
//!
//! # Source
//! Moreland, *Repetition Detection*, "Possible implementations": the key stack, Thompson's open flag, the secondary
//! hash table.
//!
//! # Departures
//! The flag and the counters only say *new* or *maybe*; a *maybe* is confirmed on the key stack ([`Line`]), which
//! alone knows the count and the ply a policy asks for. So all detectors give the same answers at different cost.
//!
//! The seed leaves open what Thompson's scheme does when two open nodes want one slot, and when threads share the
//! table. Here an open mark names its owner, a node that finds its slot taken stays unmarked, and as long as one node
//! of a searcher is unmarked its misses are confirmed on the key stack too. A mark of another searcher is no
//! repetition, because it names another owner.

use crate::history::{Key, Line};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A way to notice repetitions. Calls nest: `enter` when a node's moves are about to be searched, `leave` after.
pub trait Detect: Send + Sync + 'static {
    /// Sets up for a search from the root of `line`.
    fn begin(&mut self, line: &Line);
    /// Whether the current position may be a recurrence; `false` is certain.
    fn maybe(&self, line: &Line) -> bool;
    /// The current position is now open.
    fn enter(&mut self, line: &Line);
    /// It no longer is.
    fn leave(&mut self, line: &Line);
}

/// The key stack alone: always *maybe*, so the walk decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walk;

impl Detect for Walk {
    fn begin(&mut self, _line: &Line) {}

    #[inline]
    fn maybe(&self, _line: &Line) -> bool {
        true
    }

    #[inline]
    fn enter(&mut self, _line: &Line) {}

    #[inline]
    fn leave(&mut self, _line: &Line) {}
}

const COUNTERS: usize = 1 << 12;

/// Moreland's secondary hash table, as counters: zero means certainly new.
#[derive(Clone, Debug)]
pub struct SideTable {
    counters: Vec<u8>,
}

impl Default for SideTable {
    fn default() -> Self {
        Self { counters: vec![0; COUNTERS] }
    }
}

impl SideTable {
    #[inline]
    fn slot(key: Key) -> usize {
        key as usize % COUNTERS
    }
}

impl Detect for SideTable {
    /// The game since the last irreversible move; a full counter stays full, which is safe.
    fn begin(&mut self, line: &Line) {
        self.counters.fill(0);
        for key in line.game_keys() {
            let counter = &mut self.counters[Self::slot(key)];
            *counter = counter.saturating_add(1);
        }
    }

    #[inline]
    fn maybe(&self, line: &Line) -> bool {
        self.counters[Self::slot(line.key())] != 0
    }

    #[inline]
    fn enter(&mut self, line: &Line) {
        let counter = &mut self.counters[Self::slot(line.key())];
        *counter = counter.saturating_add(1);
    }

    #[inline]
    fn leave(&mut self, line: &Line) {
        let counter = &mut self.counters[Self::slot(line.key())];
        if *counter != u8::MAX {
            *counter -= 1;
        }
    }
}

/// What an open node has in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Its own mark.
    Mark,
    /// The mark of an earlier occurrence of the same position, which stays open longer.
    Earlier,
    /// Nothing: somebody else's mark is there.
    Nothing,
}

/// Slots of open marks, shared by all searchers of a table.
pub type OpenMarks = Arc<Vec<AtomicU64>>;

/// Thompson's open flag. The marks lie beside the entries of the table, one per slot, and hold the owner's number
/// and the rest of the key.
#[derive(Clone, Debug)]
pub struct OpenFlag {
    marks: OpenMarks,
    owner: u64,
    /// Open nodes of this searcher, game included, that found their slot taken.
    unmarked: u32,
    /// How the open nodes, in order, are marked.
    held: Vec<Held>,
    game: Vec<Key>,
}

impl OpenFlag {
    /// A searcher's view of shared marks; `owner` tells searchers apart (below 256).
    #[must_use]
    pub fn new(marks: OpenMarks, owner: u8) -> Self {
        Self { marks, owner: u64::from(owner), unmarked: 0, held: Vec::new(), game: Vec::new() }
    }

    /// Marks for a table of this many slots.
    #[must_use]
    pub fn marks(slots: usize) -> OpenMarks {
        Arc::new((0..slots.max(1)).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.marks[(key as usize) % self.marks.len()]
    }

    /// Never 0: the low byte is the owner plus one.
    fn mark(&self, key: Key) -> u64 {
        (key & !0xFFFF) | (self.owner + 1)
    }

    fn open(&mut self, key: Key) -> bool {
        let free = self.slot(key).compare_exchange(0, self.mark(key), Ordering::Relaxed, Ordering::Relaxed);
        self.unmarked += u32::from(free.is_err());
        free.is_ok()
    }
}

impl Default for OpenFlag {
    fn default() -> Self {
        Self::new(Self::marks(1 << 14), 0)
    }
}

impl Drop for OpenFlag {
    fn drop(&mut self) {
        self.close_game();
    }
}

impl OpenFlag {
    fn close_game(&mut self) {
        for key in std::mem::take(&mut self.game) {
            self.slot(key).store(0, Ordering::Relaxed);
        }
    }
}

impl Detect for OpenFlag {
    fn begin(&mut self, line: &Line) {
        self.close_game();
        self.unmarked = 0;
        self.held.clear();
        for key in line.game_keys() {
            if self.slot(key).load(Ordering::Relaxed) != self.mark(key) && self.open(key) {
                self.game.push(key);
            }
        }
    }

    #[inline]
    fn maybe(&self, line: &Line) -> bool {
        let key = line.key();
        self.unmarked > 0 || self.slot(key).load(Ordering::Relaxed) == self.mark(key)
    }

    fn enter(&mut self, line: &Line) {
        let key = line.key();
        let held = if self.slot(key).load(Ordering::Relaxed) == self.mark(key) {
            Held::Earlier
        } else if self.open(key) {
            Held::Mark
        } else {
            Held::Nothing
        };
        self.held.push(held);
    }

    fn leave(&mut self, line: &Line) {
        match self.held.pop() {
            Some(Held::Mark) => self.slot(line.key()).store(0, Ordering::Relaxed),
            Some(Held::Nothing) => self.unmarked -= 1,
            Some(Held::Earlier) | None => {}
        }
    }
}
