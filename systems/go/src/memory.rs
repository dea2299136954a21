//! Keeps the answers of readings as long as the stones that they looked at stay the same.
//!
//! # Notation
//! The *footprint* of an answer is the set of vertices that its reading looked at. The *footing* is the footprint with
//! its content: stones, ko, and the columns of known facts about the stones that the question came with. Columns count
//! only inside the footprint.
//!
//! # Steps
//! 1. The kind and a key identify a question. The key holds everything that is asked, with limits, size and rules.
//! 2. An answer to the same question holds if its footing is the same on the board at hand. It does not matter where
//!    the board comes from: undo, a variation, another game.
//! 3. Otherwise reading answers the question on a watched board ([`crate::board`]), and the memory keeps the answer
//!    with its footing.
//! 4. If the memory exceeds its limit in bytes, it drops the answers that were used longest ago.
//!
//! # Invariants
//! A kept answer equals a new one, its counts included. So no result reveals whether an answer was kept; only
//! [`Counts`] does.
//!
//! # Cost
//! A comparison of some words for each known answer to the same question; these are at most `MOST_ALIKE`.

use crate::board::{Board, Color, MixMap, Vertex, VertexSet, Watch};
use bevy_ecs::prelude::Resource;
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tengen_core::profiler::Recorder;

/// The bytes that the memory of a World may take unless [`set_default_bytes`] says otherwise.
pub const DEFAULT_BYTES: usize = 48 << 20;

static BYTES: AtomicUsize = AtomicUsize::new(DEFAULT_BYTES);

/// Sets the bytes that each memory of this process may take from now on. With 0 a memory keeps nothing.
pub fn set_default_bytes(bytes: usize) {
    BYTES.store(bytes, Ordering::Relaxed);
}

/// Answers to one question that are looked at, the one used last first.
const MOST_ALIKE: usize = 24;

/// No slot.
const NOWHERE: u32 = u32::MAX;

/// The kinds of questions whose answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// Whether a string can be attacked and defended.
    String,
    /// Whether a dragon can be killed and saved.
    Life,
    /// Who wins in a closed field: a part of the question of life.
    Field,
    /// Whether two strings can be cut.
    Link,
    /// Whether a string can be joined to an area.
    BreakIn,
    /// A reading that the condition of a pattern asks for, after moves.
    Condition,
    /// Whether the stone of a move can be captured.
    Safety,
}

impl QuestionKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::String, Self::Life, Self::Field, Self::Link, Self::BreakIn, Self::Condition, Self::Safety];

    /// The name of the kind, as `tengen profile` writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "strings",
            Self::Life => "life and death",
            Self::Field => "closed fields",
            Self::Link => "links",
            Self::BreakIn => "break-ins",
            Self::Condition => "conditions of patterns",
            Self::Safety => "safety of moves",
        }
    }
}

impl QuestionKind {
    /// What `tengen profile` calls its counts: asked, kept.
    const fn counted(self) -> [&'static str; 2] {
        match self {
            Self::String => ["readings asked: strings", "readings kept: strings"],
            Self::Life => ["readings asked: life and death", "readings kept: life and death"],
            Self::Field => ["readings asked: closed fields", "readings kept: closed fields"],
            Self::Link => ["readings asked: links", "readings kept: links"],
            Self::BreakIn => ["readings asked: break-ins", "readings kept: break-ins"],
            Self::Condition => ["readings asked: conditions", "readings kept: conditions"],
            Self::Safety => ["readings asked: safety of moves", "readings kept: safety of moves"],
        }
    }
}

/// Questions of one kind since the memory was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions asked.
    pub asked: u64,
    /// Those answered from the memory.
    pub kept: u64,
    /// Answers in the memory.
    pub held: u64,
}

/// The memory of all questions of a World. Copies share it, also between threads.
#[derive(Resource, Clone, Debug)]
pub struct ReadingMemory(Arc<Mutex<Store>>);

impl Default for ReadingMemory {
    fn default() -> Self {
        Self::with_bytes(BYTES.load(Ordering::Relaxed))
    }
}

/// The key of a question: everything that is asked, apart from the stones on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    kind: QuestionKind,
    key: u64,
}

impl Name {
    /// The name of a question with these parts.
    pub(crate) fn new(kind: QuestionKind, parts: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        (kind, parts).hash(&mut hasher);
        Self { kind, key: hasher.finish() }
    }
}

/// A question about a board.
pub(crate) struct MemoryKey<'a> {
    name: Name,
    /// The board it is asked on.
    board: &'a Board,
    /// What is known of each vertex.
    columns: &'a [VertexSet],
}

impl<'a> MemoryKey<'a> {
    /// This question, named by these parts.
    pub(crate) fn new(
        kind: QuestionKind,
        parts: impl Hash,
        board: &'a Board,
        columns: &'a [VertexSet],
    ) -> Self {
        Self { name: Name::new(kind, (board.size(), board.rules(), parts)), board, columns }
    }

    /// What stands on the board: Black, White, the columns.
    fn layers(&self) -> Vec<&'a VertexSet> {
        Color::BOTH.iter().map(|&color| self.board.stones_unwatched(color)).chain(self.columns).collect()
    }
}

/// What stood where an answer looked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Footing {
    /// The footprint, then what stood there: Black, White, the columns. Each has the words of the board.
    words: Box<[u64]>,
    /// The ko, where it was asked for.
    ko: Option<Option<(Vertex, Color)>>,
}

impl Footing {
    /// The footing of an answer that rests on no board.
    fn none() -> Self {
        Self { words: Box::default(), ko: None }
    }

    fn new(asked: &MemoryKey<'_>, watch: &Watch) -> Self {
        let board = asked.board;
        let seen = watch.footprint(board);
        let words = board.padded_len().div_ceil(64);
        let stood =
            asked.layers().into_iter().flat_map(|layer| (0..words).map(move |i| layer.0[i] & seen.0[i]));
        // A ko inside the footprint counts too: a move there looks at it.
        let ko = board.ko();
        let sees_ko = watch.saw_ko() || ko.is_some_and(|(v, _)| seen.holds(v));
        Self { words: seen.0[..words].iter().copied().chain(stood).collect(), ko: sees_ko.then_some(ko) }
    }

    /// Whether the same stands on this board, which has these layers.
    fn holds(&self, board: &Board, layers: &[&VertexSet]) -> bool {
        let words = board.padded_len().div_ceil(64);
        let (seen, stood) = self.words.split_at(words);
        let ko = board.ko();
        let same_ko = match self.ko {
            Some(then) => then == ko,
            None => ko.is_none_or(|(v, _)| seen[v.at() / 64] >> (v.at() % 64) & 1 == 0),
        };
        let same = |(layer, stood): (&&VertexSet, &[u64])| {
            layer.0.iter().zip(seen).zip(stood).all(|((now, seen), then)| now & seen == *then)
        };
        same_ko && layers.iter().zip(stood.chunks_exact(words)).all(same)
    }
}

/// An answer with its footing, in two lists: of its question, and of all by use.
#[derive(Debug)]
struct Slot {
    kind: QuestionKind,
    key: u64,
    footing: Footing,
    answer: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    /// The next of the same question.
    next: u32,
    /// The neighbours by use: used later, used earlier.
    later: u32,
    earlier: u32,
}

#[derive(Debug, Default)]
struct Store {
    limit: usize,
    bytes: usize,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    /// The first answer to each question.
    first: MixMap<u64, u32>,
    /// The answers used last and longest ago.
    newest: Option<u32>,
    oldest: Option<u32>,
    counts: [Counts; QuestionKind::ALL.len()],
}

impl ReadingMemory {
    /// A memory of at most this many bytes; with 0 it keeps nothing.
    #[must_use]
    pub fn with_bytes(limit: usize) -> Self {
        Self(Arc::new(Mutex::new(Store { limit, ..Store::default() })))
    }

    /// What was asked and kept, by kind.
    #[must_use]
    pub fn counts(&self) -> Vec<(QuestionKind, Counts)> {
        let store = self.store();
        QuestionKind::ALL.iter().map(|&kind| (kind, store.counts[kind as usize])).collect()
    }

    /// Adds what was asked and kept since `before` to the counts of a profile.
    pub(crate) fn count_since(&self, before: &[(QuestionKind, Counts)], recorder: &Recorder) {
        for ((kind, now), (_, before)) in self.counts().into_iter().zip(before) {
            let [asked, kept] = kind.counted();
            recorder.count(asked, now.asked - before.asked);
            recorder.count(kept, now.kept - before.kept);
        }
    }

    /// The bytes its answers take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store().bytes
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        // A thread that panicked while it held the memory leaves at worst an answer too few.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kept answer, or that of `read`, which gets the board to read on. `bytes` tells what an answer takes.
    pub(crate) fn answer<A: Clone + Send + Sync + 'static>(
        &self,
        asked: &MemoryKey<'_>,
        bytes: impl FnOnce(&A) -> usize,
        read: impl FnOnce(&Board) -> A,
    ) -> A {
        self.recall(asked).unwrap_or_else(|| {
            if !self.keeps() {
                return read(asked.board);
            }
            let (watched, watch) = asked.board.watched();
            let answer = read(&watched);
            self.keep(asked, &watch, &answer, bytes(&answer));
            answer
        })
    }

    /// The kept answer to a question that its name says whole, or that of `read`.
    pub(crate) fn answer_anywhere<A: Clone + Send + Sync + 'static>(
        &self,
        name: Name,
        bytes: impl FnOnce(&A) -> usize,
        read: impl FnOnce() -> A,
    ) -> A {
        self.find(name, |_| true).unwrap_or_else(|| {
            let answer = read();
            self.keep_on(name, Footing::none(), &answer, bytes(&answer));
            answer
        })
    }

    /// Whether it keeps anything.
    pub(crate) fn keeps(&self) -> bool {
        self.store().limit > 0
    }

    /// The kept answer, for callers that read later: [`Self::keep`] is for them, too.
    pub(crate) fn recall<A: Clone + 'static>(&self, asked: &MemoryKey<'_>) -> Option<A> {
        let layers = asked.layers();
        self.find(asked.name, |footing| footing.holds(asked.board, &layers))
    }

    fn find<A: Clone + 'static>(&self, name: Name, holds: impl Fn(&Footing) -> bool) -> Option<A> {
        let known = {
            let mut store = self.store();
            store.counts[name.kind as usize].asked += 1;
            store.find(name, holds)
        };
        known.as_ref().and_then(|known| known.downcast_ref::<A>()).cloned()
    }

    /// Keeps an answer that was read on a board of this watch.
    pub(crate) fn keep<A: Clone + Send + Sync + 'static>(
        &self,
        asked: &MemoryKey<'_>,
        watch: &Watch,
        answer: &A,
        bytes: usize,
    ) {
        self.keep_on(asked.name, Footing::new(asked, watch), answer, bytes);
    }

    fn keep_on<A: Clone + Send + Sync + 'static>(
        &self,
        name: Name,
        footing: Footing,
        answer: &A,
        bytes: usize,
    ) {
        let bytes = bytes + size_of::<Slot>() + 8 * footing.words.len();
        self.store().keep(name, footing, Arc::new(answer.clone()), bytes);
    }
}

impl Store {
    fn slot(&mut self, at: u32) -> &mut Slot {
        self.slots[at as usize].as_mut().expect("a slot in a list is in use")
    }

    /// Steps 1 and 2.
    fn find(&mut self, name: Name, holds: impl Fn(&Footing) -> bool) -> Option<Arc<dyn Any + Send + Sync>> {
        let (mut at, mut before) = (*self.first.get(&name.key)?, NOWHERE);
        for _ in 0..MOST_ALIKE {
            let Some(Some(slot)) = self.slots.get(at as usize) else { break };
            let next = slot.next;
            if slot.kind == name.kind && holds(&slot.footing) {
                let answer = Arc::clone(&slot.answer);
                if before != NOWHERE {
                    self.slot(before).next = next;
                    self.slot(at).next = self.first[&name.key];
                    self.first.insert(name.key, at);
                }
                self.unlink(at);
                self.link(at);
                self.counts[name.kind as usize].kept += 1;
                return Some(answer);
            }
            (before, at) = (at, next);
        }
        None
    }

    /// Steps 3 and 4.
    fn keep(&mut self, name: Name, footing: Footing, answer: Arc<dyn Any + Send + Sync>, bytes: usize) {
        if bytes > self.limit {
            return;
        }
        let next = self.first.get(&name.key).copied().unwrap_or(NOWHERE);
        let kind = name.kind;
        let slot =
            Slot { kind, key: name.key, footing, answer, bytes, next, later: NOWHERE, earlier: NOWHERE };
        let at = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        self.slots[at as usize] = Some(slot);
        self.first.insert(name.key, at);
        self.link(at);
        self.bytes += bytes;
        self.counts[kind as usize].held += 1;
        while self.bytes > self.limit {
            let Some(oldest) = self.oldest else { break };
            self.forget(oldest);
        }
    }

    fn link(&mut self, at: u32) {
        let before = self.newest.replace(at);
        self.slot(at).later = NOWHERE;
        self.slot(at).earlier = before.unwrap_or(NOWHERE);
        match before {
            Some(before) => self.slot(before).later = at,
            None => self.oldest = Some(at),
        }
    }

    fn unlink(&mut self, at: u32) {
        let (later, earlier) = (self.slot(at).later, self.slot(at).earlier);
        match later {
            NOWHERE => self.newest = Some(earlier).filter(|&at| at != NOWHERE),
            later => self.slot(later).earlier = earlier,
        }
        match earlier {
            NOWHERE => self.oldest = Some(later).filter(|&at| at != NOWHERE),
            earlier => self.slot(earlier).later = later,
        }
    }

    fn forget(&mut self, at: u32) {
        self.unlink(at);
        let Some(slot) = self.slots[at as usize].take() else { return };
        self.bytes -= slot.bytes;
        self.counts[slot.kind as usize].held -= 1;
        self.free.push(at);
        let first = self.first[&slot.key];
        if first == at {
            if slot.next == NOWHERE {
                self.first.remove(&slot.key);
            } else {
                self.first.insert(slot.key, slot.next);
            }
            return;
        }
        let mut before = first;
        while self.slot(before).next != at {
            before = self.slot(before).next;
        }
        self.slot(before).next = slot.next;
    }
}

#[cfg(test)]
mod tests;
