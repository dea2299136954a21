//! Shapes around a move, the same in all eight orientations.
//!
//! # Source
//! D. Stern, R. Herbrich, T. Graepel, "Bayesian Pattern Ranking for Move Prediction in the Game of Go" (2006): nested
//! templates around the move. The measure of distance is theirs: `dx + dy + max(dx, dy)`.
//!
//! # Notation
//! A *cell* is a place of the template relative to the move, nearest first. Its *state* is empty, own (of the colour
//! that moves), enemy or off the board. A *level* is a template, which consists of a number of first cells.
//!
//! # Steps
//! 1. Eight hashes are made at once, one for each orientation. The state of each cell is mixed in at the place that the
//!    orientation gives it.
//! 2. The least of the eight hashes identifies the shape.
//!
//! # Cost
//! Eight words are mixed in for each cell that is not empty. Each level takes a minimum of eight words.

use super::super::board::{CELLS, PlayoutBoard};
use crate::board::Vertex;
use std::sync::{LazyLock, OnceLock};
use tengen_core::SplitMix64;

/// Cells of the largest template.
pub(crate) const LARGEST: usize = 36;
/// Cells of each level.
pub(crate) const LEVELS: [usize; 5] = [8, 12, 20, 28, 36];

/// How the states of cells are written: empty, own, enemy, off the board.
pub(crate) const STATES: [u8; 4] = *b".XO#";

/// Offsets (columns, rows) of the cells, nearest first.
static OFFSETS: LazyLock<Vec<(i32, i32)>> = LazyLock::new(|| {
    let span = -4..=4;
    let mut all: Vec<(i32, i32)> = span.clone().flat_map(|r| span.clone().map(move |c| (c, r))).collect();
    all.retain(|&at| at != (0, 0));
    let far = |&(c, r): &(i32, i32)| c.abs() + r.abs() + c.abs().max(r.abs());
    all.sort_by_key(|at| (far(at), at.1, at.0));
    all.truncate(LARGEST);
    all
});

/// Per cell and state the eight words of the orientations; empty is all zeros.
static WORDS: LazyLock<Vec<[[u64; 8]; 4]>> = LazyLock::new(|| {
    let mut random = SplitMix64::new(0x5AE5);
    let words: Vec<[u64; 4]> =
        OFFSETS.iter().map(|_| [0, random.next_u64(), random.next_u64(), random.next_u64()]).collect();
    let turn = |k: usize, (c, r): (i32, i32)| {
        let (c, r) = if k & 4 != 0 { (r, c) } else { (c, r) };
        (if k & 1 != 0 { -c } else { c }, if k & 2 != 0 { -r } else { r })
    };
    let place = |at: (i32, i32)| OFFSETS.iter().position(|&o| o == at).expect("templates are symmetric");
    (0..LARGEST)
        .map(|cell| {
            std::array::from_fn(|state| std::array::from_fn(|k| words[place(turn(k, OFFSETS[cell]))][state]))
        })
        .collect()
});

/// Per board size and vertex (padded index) the padded indices of its cells; 0, a wall, off the board.
static AROUND: [OnceLock<Vec<[u16; LARGEST]>>; 20] = [const { OnceLock::new() }; 20];

/// The cells around every vertex of a board of this size.
fn around(size: usize) -> &'static [[u16; LARGEST]] {
    AROUND[size].get_or_init(|| {
        let mut all = vec![[0; LARGEST]; CELLS];
        let on = |x: i32| (0..size as i32).contains(&x);
        for index in 0..size * size {
            let v = Vertex::from_index(index, size);
            let (row, col) = (v.row(size) as i32, v.col(size) as i32);
            for (cell, &(c, r)) in OFFSETS.iter().enumerate() {
                if on(row + r) && on(col + c) {
                    let at = Vertex::from_index((row + r) as usize * size + (col + c) as usize, size);
                    all[v.at()][cell] = at.at() as u16;
                }
            }
        }
        all
    })
}

/// The shapes of one position for one colour.
#[derive(Clone, Copy)]
pub(crate) struct Shapes<'a> {
    board: &'a PlayoutBoard,
    around: &'static [[u16; LARGEST]],
    words: &'static [[[u64; 8]; 4]],
    /// State by colour code.
    states: [u8; 4],
}

impl<'a> Shapes<'a> {
    pub(crate) fn new(board: &'a PlayoutBoard, color: u8) -> Self {
        let states = if color == 1 { [0, 1, 2, 3] } else { [0, 2, 1, 3] };
        Self { board, around: around(board.size()), words: &WORDS, states }
    }

    fn state(&self, v: usize, cell: usize) -> usize {
        self.states[self.board.color[self.around[v][cell] as usize] as usize] as usize
    }

    /// Calls `f` with the level and key of the shapes around `v`, smallest first, as long as it says so.
    pub(crate) fn each(&self, v: usize, mut f: impl FnMut(usize, u64) -> bool) {
        let mut hash = [0u64; 8];
        let mut cell = 0;
        for (level, &end) in LEVELS.iter().enumerate() {
            while cell < end {
                let state = self.state(v, cell);
                if state != 0 {
                    let words = &self.words[cell][state];
                    for (h, w) in hash.iter_mut().zip(words) {
                        *h ^= w;
                    }
                }
                cell += 1;
            }
            if !f(level, key(level, &hash)) {
                return;
            }
        }
    }

    /// The states around `v` as text, nearest first.
    pub(crate) fn text(&self, v: usize, level: usize) -> String {
        (0..LEVELS[level]).map(|cell| STATES[self.state(v, cell)] as char).collect()
    }

    /// Whether nothing stands within a template of twelve around `v`; the border counts as nothing.
    pub(crate) fn is_lonely(&self, v: usize) -> bool {
        (0..LEVELS[1]).all(|cell| matches!(self.state(v, cell), 0 | 3))
    }
}

/// The name of a shape by the hashes of its orientations.
fn key(level: usize, hash: &[u64; 8]) -> u64 {
    let least = hash.iter().copied().fold(u64::MAX, u64::min);
    least ^ (level as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The level and key of a shape written as text; `None` if it is not one.
pub(crate) fn parse(text: &str) -> Option<(usize, u64)> {
    let level = LEVELS.iter().position(|&l| l == text.len())?;
    let mut hash = [0u64; 8];
    for (cell, byte) in text.bytes().enumerate() {
        let state = STATES.iter().position(|&s| s == byte)?;
        for (h, w) in hash.iter_mut().zip(&WORDS[cell][state]) {
            *h ^= w;
        }
    }
    Some((level, key(level, &hash)))
}
