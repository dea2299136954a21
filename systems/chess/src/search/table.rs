//! The transposition table, which all workers share without locks.
//!
//! # Source
//! Hyatt and Mann, *A lock-less transposition table implementation for parallel search* (ICGA 2002). The key is
//! stored XORed with the data, so that a torn entry fails the key test.
//!
//! # Notation
//! An entry is four words:
//! - the key XORed with the other words
//! - the move with one bit for "met a recurrence", the lower bound, the upper bound, the evaluation (16 bits each)
//! - 64 bits of filter
//! - 48 bits of the filter, 7 bits of draft, one bit for "the move is an older one", the generation
//!
//! A *bucket* is two entries, which fill one cache line. A *mark* says that a searcher has the position open. Schemes
//! that mark open nodes do not use the first 64 bits of the filter. These bits then hold one mark for each searcher.
//!
//! # Steps
//! 1. Read: take the entry of the bucket whose key fits after XOR.
//! 2. Write: replace the entry of the same position, otherwise the entry with the least draft, older generations first.
//!    With marks an open entry is never replaced. A result without a best move keeps the move of the previous entry,
//!    marked as an older one. This move still comes first in the move ordering. But the depth of its node is reduced,
//!    as for a node without a move (docs/chess-repetition-figures.md compares this with other ways).
//! 3. Mark: use the entry of the position. Otherwise use a free or closed entry of its bucket, or of the buckets of
//!    further hashes of its key. Two XORs set or clear a bit. They commute with those of other searchers.
//!
//! # Departures
//! An entry has both bounds, because the keepers return two.
//!
//! # Cost
//! One cache line for each look-up, and 32 bytes for each entry. The table uses large memory pages where the system has
//! them (`super::pages`).

use super::order::Learnt;
use super::pages::prefer_large;
use crate::history::{Filter, Key};
use crate::repetition::detect::{Marked, OpenMarks};
use crate::repetition::keep::{Bounds, Known};
use cozy_chess::{Move, Piece, Square};
use prefetch_index::prefetch_index;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// The table's entry of a position. Mates are relative to the node.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Best or cutting move.
    pub best: Option<Move>,
    /// Whether the move is that of an earlier result; the last result had none.
    pub older: bool,
    /// Bounds and the positions they rest on.
    pub known: Known,
    /// Static evaluation; [`NO_EVALUATION`] in check.
    pub evaluation: i32,
    /// Depth below, 0 for quiescence.
    pub draft: i32,
}

/// Marks the absence of a static evaluation.
///
/// Origin: definition, below all evaluations.
pub const NO_EVALUATION: i32 = -32_001;

/// A result of the search in progress is kept if a new one is less deep by more than this.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `replacement`.
const DEEPER: i32 = 4;
/// The plies of depth that an entry counts less for each search since.
///
/// Origin: ablation, `experiments/2026-11-30-chess-ablations.md`, "Groups": `replacement`.
const AGE: i32 = 4;
/// The worth of an empty entry.
///
/// Origin: definition, below that of any entry.
const EMPTY: i32 = -1000;
/// The number of buckets of the sample that tells how full the table is.
///
/// Origin: own choice, unmeasured.
const SAMPLE: usize = 500;

type Words = [AtomicU64; 4];

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Words; 2]);

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
    /// Whether entries carry marks of open nodes.
    marks: AtomicBool,
    /// Whether a search that filled it met a draw with a position of its game.
    met_game: AtomicBool,
    /// The contempt its scores hold, from White's side.
    contempt: AtomicI32,
    /// The score of perpetual checks that its scores hold, from White's side.
    perpetual: AtomicI32,
    /// The histories of the searches that filled it.
    learnt: OnceLock<Arc<Learnt>>,
}

impl Table {
    /// Entries in a mebibyte.
    ///
    /// Origin: definition, the size of an entry.
    pub const ENTRIES_PER_MIB: usize = (1 << 20) / 32;

    /// A table of about this many MiB; `None` if the memory cannot be allocated.
    #[must_use]
    pub fn with_mib(mib: usize) -> Option<Self> {
        Self::with_entries(mib.checked_mul(Self::ENTRIES_PER_MIB)?)
    }

    /// A table of this many entries (at least two).
    #[must_use]
    pub fn with_entries(entries: usize) -> Option<Self> {
        let count = (entries / 2).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).ok()?;
        prefer_large(&mut buckets);
        buckets.resize_with(count, Bucket::default);
        Some(Self {
            buckets,
            generation: AtomicU8::new(0),
            marks: AtomicBool::new(false),
            met_game: AtomicBool::new(false),
            contempt: AtomicI32::new(0),
            perpetual: AtomicI32::new(0),
            learnt: OnceLock::new(),
        })
    }

    /// Number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.buckets.len() * 2
    }

    /// Clears the table.
    pub fn clear(&self) {
        for word in self.buckets.iter().flat_map(|b| &b.0).flatten() {
            word.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
        self.met_game.store(false, Relaxed);
        if let Some(learnt) = self.learnt.get() {
            learnt.clear();
        }
    }

    /// The histories of the searches with this table. They order the moves of the next search, because the positions of
    /// a game are alike.
    #[must_use]
    pub fn learnt(&self) -> Arc<Learnt> {
        self.learnt.get_or_init(Arc::default).clone()
    }

    /// Sets whether entries carry marks of open nodes. A table that changes this is cleared, because marks would be
    /// confused with the filters of another scheme.
    pub fn use_marks(&self, on: bool) {
        if self.marks.swap(on, Relaxed) != on {
            self.clear();
        }
    }

    /// Sets the score of perpetual checks, as [`Table::use_contempt`] sets the contempt.
    pub fn use_perpetual(&self, perpetual: i32) {
        if self.perpetual.swap(perpetual, Relaxed) != perpetual {
            self.clear();
        }
    }

    /// Sets the contempt that scores hold, from White's side. A table that changes it is cleared, because scores with
    /// another contempt are of no use.
    pub fn use_contempt(&self, contempt: i32) {
        if self.contempt.swap(contempt, Relaxed) != contempt {
            self.clear();
        }
    }

    /// Whether a search that filled the table met a draw with a position of its game.
    #[must_use]
    pub fn met_game(&self) -> bool {
        self.met_game.load(Relaxed)
    }

    /// Notes such a draw.
    pub fn note_game(&self) {
        self.met_game.store(true, Relaxed);
    }

    /// Begins a new search: older entries age.
    pub fn age(&self) {
        self.generation.store(self.generation.load(Relaxed).wrapping_add(1), Relaxed);
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: Key) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    /// Prefetches the cache line of a position.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch_index(&self.buckets, self.index(key));
    }

    /// Step 1.
    #[inline]
    #[must_use]
    pub fn get(&self, key: Key) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|words| {
            let [a, b, c] = [words[1].load(Relaxed), words[2].load(Relaxed), words[3].load(Relaxed)];
            (words[0].load(Relaxed) ^ a ^ b ^ c == key && a != 0).then(|| unpack(a, b, c))
        })
    }

    /// Step 2.
    #[inline]
    pub fn put(&self, key: Key, entry: &Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let marks = self.marks.load(Relaxed);
        let (mut victim, mut least, mut mark) = (&bucket.0[0], i32::MAX, 0);
        let mut found = false;
        for words in &bucket.0 {
            let [a, b, c] = [words[1].load(Relaxed), words[2].load(Relaxed), words[3].load(Relaxed)];
            let (draft, age) = draft_and_age(c, generation);
            if words[0].load(Relaxed) ^ a ^ b ^ c == key {
                (victim, mark, found) = (words, if marks { b } else { 0 }, true);
                // A shallow result of this search doesn't push out a much deeper one of it.
                if age == 0
                    && entry.draft + DEEPER < draft
                    && entry.known.bounds.lower != entry.known.bounds.upper
                {
                    return;
                }
                break;
            }
            let worth = if a == 0 { EMPTY } else { draft - AGE * age };
            if marks && b != 0 {
                // An open node of somebody.
                continue;
            }
            if worth < least {
                (victim, least) = (words, worth);
            }
        }
        if marks && !found && least == i32::MAX && !holds(victim, key) {
            return;
        }
        let mut entry = *entry;
        if entry.best.is_none() && found {
            entry.best = unpack_move(victim[1].load(Relaxed) as u16 & 0x7FFF);
            entry.older = entry.best.is_some();
        }
        let [a, b, c] = pack(&entry, generation);
        let b = b | mark;
        victim[1].store(a, Relaxed);
        victim[2].store(b, Relaxed);
        victim[3].store(c, Relaxed);
        victim[0].store(key ^ a ^ b ^ c, Relaxed);
    }

    /// Share of entries written by this search, per mille, from a sample.
    #[must_use]
    pub fn full(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = self.buckets.len().min(SAMPLE);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|b| &b.0)
            .filter(|w| w[1].load(Relaxed) != 0 && draft_and_age(w[3].load(Relaxed), generation).1 == 0)
            .count();
        u32::try_from(used * 1000 / (sample * 2)).unwrap_or(1000)
    }
}

/// Whether an element holds the entry of this key.
fn holds(words: &Words, key: Key) -> bool {
    let [a, b, c] = [words[1].load(Relaxed), words[2].load(Relaxed), words[3].load(Relaxed)];
    a != 0 && words[0].load(Relaxed) ^ a ^ b ^ c == key
}

/// Writes an element that only marks its position as open.
fn write_mark(words: &Words, key: Key, mark: u64, generation: u8) {
    let nothing = Entry { best: None, older: false, known: Known::NONE, evaluation: NO_EVALUATION, draft: 0 };
    let [a, _, c] = pack(&nothing, generation);
    words[1].store(a, Relaxed);
    words[2].store(mark, Relaxed);
    words[3].store(c, Relaxed);
    words[0].store(key ^ a ^ mark ^ c, Relaxed);
}

/// The number of times a key is hashed again.
///
/// Origin: own choice, unmeasured.
const REHASHES: usize = 4;

impl Table {
    /// Step 3: the elements where a position's mark may be, best first.
    fn places(&self, key: Key, always: bool) -> impl Iterator<Item = &Words> {
        let again = if always { 1 } else { REHASHES + 1 };
        let mut hash = key;
        let buckets = (0..again).map(move |_| {
            let bucket = self.bucket(hash);
            hash = hash.rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bucket
        });
        // As told, a position has one element; where only marks of its own bucket count, that is its first.
        buckets.flat_map(move |bucket| bucket.0.iter().take(if always { 1 } else { 2 }))
    }
}

impl OpenMarks for Table {
    fn open(&self, key: Key, owner: usize, always: bool) -> Marked {
        let (bit, generation) = (1_u64 << (owner % 64), self.generation.load(Relaxed));
        if let Some(words) = self.places(key, always).find(|words| holds(words, key)) {
            if words[2].load(Relaxed) & bit != 0 {
                return Marked::Before;
            }
            words[2].fetch_xor(bit, Relaxed);
            words[0].fetch_xor(bit, Relaxed);
            return Marked::Now;
        }
        let free = self.places(key, always).find(|words| always || words[2].load(Relaxed) == 0);
        match free {
            Some(words) => {
                write_mark(words, key, bit, generation);
                Marked::Now
            }
            None => Marked::No,
        }
    }

    fn owners(&self, key: Key, always: bool) -> u64 {
        let words = self.places(key, always).find(|words| holds(words, key));
        words.map_or(0, |words| words[2].load(Relaxed))
    }

    fn close(&self, key: Key, owner: usize, always: bool) {
        let bit = 1_u64 << (owner % 64);
        let own = |words: &&Words| holds(words, key) && words[2].load(Relaxed) & bit != 0;
        if let Some(words) = self.places(key, always).find(own) {
            words[2].fetch_xor(bit, Relaxed);
            words[0].fetch_xor(bit, Relaxed);
        }
    }
}

/// Greatest draft.
///
/// Origin: definition, the bits of an entry.
const MAX_DRAFT: u8 = 127;

fn draft_and_age(word: u64, generation: u8) -> (i32, i32) {
    (i32::from((word >> 48) as u8 & MAX_DRAFT), i32::from(generation.wrapping_sub((word >> 56) as u8)))
}

fn pack(entry: &Entry, generation: u8) -> [u64; 3] {
    let field = |v: i32| u64::from(v as i16 as u16);
    let a = u64::from(pack_move(entry.best) | u16::from(entry.known.recurs) << 15)
        | field(entry.known.bounds.lower) << 16
        | field(entry.known.bounds.upper) << 32
        | field(entry.evaluation) << 48;
    let filter = entry.known.filter;
    let c = (filter.high & 0xFFFF_FFFF_FFFF)
        | (entry.draft.clamp(0, i32::from(MAX_DRAFT)) as u64) << 48
        | u64::from(entry.older) << 55
        | u64::from(generation) << 56;
    [a, filter.low, c]
}

fn unpack(a: u64, b: u64, c: u64) -> Entry {
    let field = |shift: u32| i32::from((a >> shift) as u16 as i16);
    let known = Known {
        bounds: Bounds { lower: field(16), upper: field(32) },
        filter: Filter { low: b, high: c & 0xFFFF_FFFF_FFFF },
        recurs: a >> 15 & 1 == 1,
    };
    Entry {
        best: unpack_move(a as u16 & 0x7FFF),
        older: c >> 55 & 1 == 1,
        known,
        evaluation: field(48),
        draft: draft_and_age(c, 0).0,
    }
}

/// Sixteen bits for a move; 0 stands for no move.
#[must_use]
pub fn pack_move(mv: Option<Move>) -> u16 {
    mv.map_or(0, |mv| mv.from as u16 | (mv.to as u16) << 6 | mv.promotion.map_or(0, |p| p as u16) << 12)
}

/// The inverse of [`pack_move`]; the move need not be legal here.
#[must_use]
pub fn unpack_move(bits: u16) -> Option<Move> {
    let promotion = match bits >> 12 {
        0 => None,
        piece => Some(Piece::try_index(usize::from(piece))?),
    };
    let square = |bits: u16| Square::index(usize::from(bits & 63));
    (bits != 0).then(|| Move { from: square(bits), to: square(bits >> 6), promotion })
}
