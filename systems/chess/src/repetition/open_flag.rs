//! Thompson's open flag, in the element of the shared transposition table.
//!
//! # Source
//! Ken Thompson, quoted by Bruce Moreland, *Repetition Detection* (2001): "set an `open` flag in the position's
//! transposition table element when the hash table is probed. This flag stays set until the position is no longer being
//! searched". Moreland raises three doubts. The table must always replace. Two open nodes may need the same element.
//! Other processors share the table.
//!
//! # Steps
//! 1. The positions of the game are marked at the start. A node's position is marked when it is entered.
//! 2. A probe that finds a mark has found a repetition.
//! 3. The mark is removed when the node is left.
//!
//! # Departures
//! [`OpenLiteral`] has only these steps. An element holds one flag for all processors, and is always replaced. Under
//! every policy, a flag is at once a draw. The search also queries the key stack, to count misses and false hits.
//!
//! [`OpenFlag`] answers the doubts. A mark is one bit for each processor. Open nodes are not replaced. A node that
//! finds no free element tries the places of up to four further hashes of its key. While a node of a searcher has no
//! mark, the key stack checks the misses of this searcher. For each hit, the key stack counts the occurrences, because
//! it knows the policy and the ply. With several processors, a mark can still be lost when two processors write one
//! element at the same moment.
//!
//! # Cost
//! A write to the table on entering and on leaving a node.

use super::detect::{Detect, Marked, Misjudged, OpenMarks};
use crate::history::{Key, Line};
use std::sync::Arc;

/// The number of processors that have a bit of their own.
pub const OWNERS: usize = 64;

/// The marks of a searcher, and the work at the end of a node.
struct Marks {
    marks: Arc<dyn OpenMarks>,
    owner: usize,
    always: bool,
    game: Vec<Key>,
    /// The open nodes in order: keys with a mark of their own, `None` for those that needed or got none.
    held: Vec<(Option<Key>, Marked)>,
    /// The number of open nodes, game included, that found no element.
    unmarked: u32,
}

impl Marks {
    fn new(marks: &Arc<dyn OpenMarks>, owner: usize, always: bool) -> Self {
        let owner = owner % OWNERS;
        Self { marks: marks.clone(), owner, always, game: Vec::new(), held: Vec::new(), unmarked: 0 }
    }

    fn close_game(&mut self) {
        for key in std::mem::take(&mut self.game) {
            self.marks.close(key, self.owner, self.always);
        }
    }

    fn begin(&mut self, line: &Line) {
        self.close_game();
        self.held.clear();
        self.unmarked = 0;
        for key in line.game_keys() {
            match self.marks.open(key, self.owner, self.always) {
                Marked::Now => self.game.push(key),
                Marked::Before => {}
                Marked::No => self.unmarked += 1,
            }
        }
    }

    fn enter(&mut self, key: Key) {
        let marked = self.marks.open(key, self.owner, self.always);
        self.unmarked += u32::from(marked == Marked::No);
        self.held.push(((marked == Marked::Now).then_some(key), marked));
    }

    fn leave(&mut self) {
        match self.held.pop() {
            Some((Some(key), _)) => self.marks.close(key, self.owner, self.always),
            Some((None, Marked::No)) => self.unmarked -= 1,
            _ => {}
        }
    }

    fn owners(&self, key: Key) -> u64 {
        self.marks.owners(key, self.always)
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        while !self.held.is_empty() {
            self.leave();
        }
        self.close_game();
    }
}

/// The flag with Moreland's doubts answered.
pub struct OpenFlag(Marks);

impl Detect for OpenFlag {
    const IN_TABLE: bool = true;

    fn new(marks: &Arc<dyn OpenMarks>, owner: usize) -> Self {
        Self(Marks::new(marks, owner, false))
    }

    fn begin(&mut self, line: &Line) {
        self.0.begin(line);
    }

    #[inline]
    fn draw(&mut self, line: &Line) -> Option<i16> {
        let own = self.0.owners(line.key()) >> self.0.owner & 1 == 1;
        if own || self.0.unmarked > 0 { line.repetition() } else { None }
    }

    fn enter(&mut self, line: &Line) {
        self.0.enter(line.key());
    }

    fn leave(&mut self, _line: &Line) {
        self.0.leave();
    }
}

/// The flag as Thompson describes it.
pub struct OpenLiteral {
    marks: Marks,
    misjudged: Misjudged,
}

impl Detect for OpenLiteral {
    const IN_TABLE: bool = true;

    /// One flag for all.
    fn new(marks: &Arc<dyn OpenMarks>, _owner: usize) -> Self {
        Self { marks: Marks::new(marks, 0, true), misjudged: Misjudged::default() }
    }

    fn begin(&mut self, line: &Line) {
        self.marks.begin(line);
    }

    /// The flag has no ply. The key stack's rest is used if there is one, else ply 0.
    #[inline]
    fn draw(&mut self, line: &Line) -> Option<i16> {
        let truth = line.repetition();
        let said = (self.marks.owners(line.key()) != 0).then(|| truth.unwrap_or(0));
        self.misjudged.note(said, truth);
        said
    }

    fn enter(&mut self, line: &Line) {
        self.marks.enter(line.key());
    }

    fn leave(&mut self, _line: &Line) {
        self.marks.leave();
    }

    fn misjudged(&self) -> Misjudged {
        self.misjudged
    }
}
