//! What a reading may have looked at: if nothing of it changes, reading again gives the same.
//!
//! # Notation
//! *P*: the vertices where the reading put a stone. A *hop* from a set of vertices goes to all vertices next to one of
//! them, and on to all stones of the strings there.
//!
//! # Steps
//! 1. Begin with the stones of the string and P.
//! 2. [`HOPS`] hops.
//!
//! # Why this is enough
//! Whatever stands at a node of the reading is made of strings of the question's position and of P, so so many hops
//! there stay within as many hops here. The furthest that a generator looks is from the target to a surrounding string,
//! from that to a string it holds, to a liberty of that, to a string beside the liberty, and to the liberties of that:
//! five hops. A ko point counts only where a stone can be put. Two Zobrist keys of
//! positions that differ far away differ by the same bits at every node, so the table of results forgets alike too.
//!
//! # Measured
//! Thirteen recorded games on 19x19, move by move, 145,897 strings: 65,653 (45 %) are kept, with 30 % of the positions that
//! reading all again would look at, and all are what reading again says. Fewer hops are too few: with four one kept
//! string of some 70,000 is not what reading again says, with three 8 of some 90,000, with one 8,510 of 119,069.
//!
//! # Cost
//! Some shifts of a bit set, and a union for each stone met.

use crate::board::{Board, MAX_WORDS, Vertex, Vertices};

/// The furthest that reading looks from its target.
const HOPS: usize = 5;

/// A set of vertices over the padded array of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area([u64; MAX_WORDS]);

impl Area {
    /// The empty set.
    pub(crate) const EMPTY: Self = Self([0; MAX_WORDS]);

    /// What a reading about the string at `origin` may have looked at that put stones on `played`.
    pub(crate) fn of_reading(board: &Board, origin: Vertex, played: &[u64; MAX_WORDS]) -> Self {
        let mut area = Self(*played);
        area.unite(board.stone_bits(origin));
        for _ in 0..HOPS {
            area.hop(board);
        }
        area
    }

    /// The string at `origin` and its liberties: what counting these looks at.
    pub(crate) fn of_string(board: &Board, origin: Vertex) -> Self {
        let mut area = Self::EMPTY;
        area.unite(board.stone_bits(origin));
        area.widen(board);
        area
    }

    /// The set as bits.
    pub(crate) const fn bits(&self) -> &[u64; MAX_WORDS] {
        &self.0
    }

    /// Adds a vertex.
    pub(crate) fn insert(&mut self, v: Vertex) {
        self.0[v.at() / 64] |= 1 << (v.at() % 64);
    }

    /// Whether no vertex is in both.
    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & b == 0)
    }

    /// Adds the vertices of a bit set.
    pub(crate) fn unite(&mut self, more: &[u64]) {
        for (word, more) in self.0.iter_mut().zip(more) {
            *word |= more;
        }
    }

    /// Adds the vertices next to those it has.
    fn widen(&mut self, board: &Board) {
        let old = self.0;
        for by in [1, board.size() + 1] {
            for (word, (up, down)) in self.0.iter_mut().zip(shifted(&old, by)) {
                *word |= up | down;
            }
        }
        // Over the wall at the end of one line is the begin of the next.
        for (word, on_board) in self.0.iter_mut().zip(board.on_board_bits()) {
            *word &= on_board;
        }
    }

    fn hop(&mut self, board: &Board) {
        self.widen(board);
        let reached = self.0;
        for v in Vertices::new(&reached) {
            self.unite(board.stone_bits(v));
        }
    }
}

/// The words of a bit set moved up and down by `by` bits (1 to 63).
fn shifted(words: &[u64; MAX_WORDS], by: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
    (0..MAX_WORDS).map(move |i| {
        let below = if i == 0 { 0 } else { words[i - 1] >> (64 - by) };
        let above = words.get(i + 1).map_or(0, |word| word << (64 - by));
        (words[i] << by | below, words[i] >> by | above)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goban;

    #[test]
    fn a_hop_takes_in_neighbours_and_the_whole_of_the_strings_there() {
        let (board, _) = goban!(
            ". . O . . . X",
            ". X O X . . X",
            ". . O X . . X",
            ". . O X . . X",
            ". . . . . . .",
            ". . . . . . .",
            ". . . . . . .",
        );
        let v = |text: &str| Vertex::from_gtp(text, 7).unwrap();
        let mut area = Area::of_string(&board, v("B6"));
        for (text, inside) in
            [("B6", true), ("C6", true), ("A6", true), ("C4", false), ("D6", false), ("A7", false)]
        {
            let mut one = Area::EMPTY;
            one.insert(v(text));
            assert_eq!(area.is_disjoint(&one), !inside, "{text}");
        }
        area.hop(&board);
        for (text, inside) in
            [("C4", true), ("A7", true), ("D4", true), ("E6", false), ("C3", false), ("G7", false)]
        {
            let mut one = Area::EMPTY;
            one.insert(v(text));
            assert_eq!(area.is_disjoint(&one), !inside, "{text}");
        }
    }
}
