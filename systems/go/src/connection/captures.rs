//! Reads whether a string can be captured, and keeps the answer for each surrounding of the string.
//!
//! # Notation
//! The *surrounding* of a string is the rectangle that reaches [`MARGIN`] lines beyond its stones.
//!
//! # Steps
//! 1. Read quickly. If this finds a capture, read thoroughly, unless both limits are small.
//! 2. If the string can be captured, read whether its owner can still save it.
//! 3. Store the answer under the stones of the surrounding. Only the same question uses it again, because all its
//!    moves are near.
//!
//! # Cost
//! A reading takes a few to a hundred microseconds. A kept answer takes a tenth of a microsecond.

use crate::board::{Board, Color, MixMap, Vertex};
use crate::tactics::ko::KoState;
use crate::tactics::{Answer, Code, Reader};

/// Lines around a string whose stones matter.
const MARGIN: usize = 3;

/// With fewer positions only the quick reading runs, and only for strings of at most two liberties. With five
/// positions the answers about 5,100 recorded dragons are the same.
const FEW: u64 = 10;

/// Two readers and their results within one question.
#[derive(Clone)]
pub(super) struct Captures {
    quick: Reader,
    thorough: Reader,
    attacks: MixMap<u64, Answer>,
    defences: MixMap<u64, Answer>,
}

impl Captures {
    pub(super) fn new(quick: Reader, thorough: Reader) -> Self {
        Self { quick, thorough, attacks: MixMap::default(), defences: MixMap::default() }
    }

    /// A new question.
    pub(super) fn forget(&mut self) {
        self.quick.forget();
        self.thorough.forget();
        self.attacks.clear();
        self.defences.clear();
    }

    /// Whether a question may look at a few positions only.
    const fn is_brief(&self) -> bool {
        self.quick.limits().nodes < FEW
    }

    /// The most liberties of a string that is worth reading.
    pub(super) const fn most_liberties(&self) -> usize {
        if self.is_brief() { 2 } else { 3 }
    }

    /// Can the string at `t` be taken?
    pub(super) fn attack(&mut self, board: &mut Board, t: Vertex, ko: KoState) -> Answer {
        let key = surrounding(board, t, ko);
        if let Some(&found) = self.attacks.get(&key) {
            return found;
        }
        // 1. Each string is read from empty tables: what a full one pushes out depends on the colours' Zobrist keys.
        self.quick.forget();
        self.thorough.forget();
        let mut found = self.quick.attack_within(board, t, ko);
        if found.code.works() && !self.is_brief() {
            found = self.thorough.attack_within(board, t, ko);
        }
        self.attacks.insert(key, found);
        found
    }

    /// Can the string at `t`, which can be taken, still be saved?
    pub(super) fn defence(&mut self, board: &mut Board, t: Vertex, ko: KoState) -> Answer {
        let key = surrounding(board, t, ko);
        if let Some(&found) = self.defences.get(&key) {
            return found;
        }
        // 2.
        let mut found = self.quick.defend_within(board, t, ko);
        if found.code != Code::Win && !self.is_brief() {
            let thorough = self.thorough.defend_within(board, t, ko);
            if thorough.code > found.code {
                found = thorough;
            }
        }
        self.defences.insert(key, found);
        found
    }
}

/// 3. A key of the string's colour and place, of all stones around it and of the state of kos.
fn surrounding(board: &Board, t: Vertex, ko: KoState) -> u64 {
    let size = board.size();
    let (mut top, mut bottom, mut left, mut right) = (size, 0, size, 0);
    for v in board.stones(t) {
        let (row, col) = (v.row(size), v.col(size));
        (top, bottom) = (top.min(row), bottom.max(row));
        (left, right) = (left.min(col), right.max(col));
    }
    let rows = top.saturating_sub(MARGIN)..=(bottom + MARGIN).min(size - 1);
    let place = u64::from(board.origin(t).0) << 32 | board.ko_point().map_or(0, |v| u64::from(v.0));
    // Mixed before the first row comes to it: or a ko could be taken for stones of that row.
    let mut key = mix(place);
    for row in rows {
        let mut line = 1_u64;
        for col in left.saturating_sub(MARGIN)..=(right + MARGIN).min(size - 1) {
            let cell = match board.color_at(Vertex::new(row, col, size)) {
                Some(Color::Black) => 1,
                Some(Color::White) => 2,
                None => 0,
            };
            line = line << 2 | cell;
        }
        key = mix(key ^ line ^ (row as u64) << 56);
    }
    key ^ ko.key().wrapping_mul(0xff51_afd7_ed55_8ccd)
}

const fn mix(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

#[cfg(test)]
mod tests;
