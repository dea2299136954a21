//! Domains: the vertices a colour's stones can claim as eye space.
//!
//! # Source
//! GNU Go manual, "Functions in optics.c", `make_primary_domains`.
//!
//! # Notation
//! A stone that is not *lively* is invisible. Around a vertex `e`, `b` is an orthogonal neighbour, `a` and `c` the
//! two diagonal neighbours next to `b`, `u` the vertex beyond `a` on the line `a b c`, `d` the other orthogonal
//! neighbour of `e` that touches `a`:
//! ```text
//! u a b c
//!   d e f
//! ```
//!
//! # Steps
//! 1. A lively stone and every visible-as-empty vertex next to it are in the domain of its colour.
//! 2. So is `e` if `a` and `b` are, neither of them on the first line, unless a lively opponent's stone stands at `d`,
//!    or two of them at `u` and `c`.
//! 3. A corner vertex is if one of its neighbours is and no lively opponent's stone is on the three vertices around it.
//! 4. Repeat until nothing changes.
//!
//! # Cost
//! Each vertex is looked at once per neighbour that joins: about 20 us for the whole of 19x19, a few for an arena.

use crate::board::{Board, Color, Vertex};

/// Which vertices are in whose domain, per padded cell: bit 0 Black's, bit 1 White's.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    marks: Vec<u8>,
    queue: Vec<Vertex>,
    /// What each padded cell shows.
    seen: Vec<Seen>,
    /// Per padded cell of a board of the size last met: on the board, and not on its first line.
    inner: Vec<bool>,
}

/// What a cell shows when stones that are not lively are invisible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Wall,
    Empty,
    Stone(Color),
}

impl Domains {
    /// Whether the vertex is in the colour's domain.
    #[inline]
    #[must_use]
    pub fn has(&self, v: Vertex, color: Color) -> bool {
        self.marks[v.at()] & (1 << color.index()) != 0
    }

    /// Computes both domains over the vertices for which `within` holds. `lively` is asked for stones only.
    pub fn compute(
        &mut self,
        board: &Board,
        vertices: impl Iterator<Item = Vertex> + Clone,
        within: impl Fn(Vertex) -> bool,
        lively: impl Fn(Vertex) -> bool,
    ) {
        self.marks.clear();
        self.marks.resize(board.padded_len(), 0);
        self.seen.clear();
        self.seen.resize(board.padded_len(), Seen::Wall);
        for v in board.vertices() {
            self.seen[v.at()] = match board.color_at(v) {
                Some(stone) if lively(v) => Seen::Stone(stone),
                _ => Seen::Empty,
            };
        }
        if self.inner.len() != board.padded_len() {
            self.inner = vec![false; board.padded_len()];
            for v in board.vertices().filter(|&v| edge_distance(v, board.size()) > 0) {
                self.inner[v.at()] = true;
            }
        }
        for color in Color::BOTH {
            self.spread(board, color, vertices.clone(), &within);
        }
    }

    /// Puts the vertices of `rim` into this colour's domain as well: beyond them anything may come in.
    pub fn open_rim(&mut self, rim: &[bool], color: Color) {
        for (mark, _) in self.marks.iter_mut().zip(rim).filter(|(_, rim)| **rim) {
            *mark |= 1 << color.index();
        }
    }

    fn spread(
        &mut self,
        board: &Board,
        color: Color,
        vertices: impl Iterator<Item = Vertex>,
        within: &impl Fn(Vertex) -> bool,
    ) {
        let bit = 1 << color.index();
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        // Step 1.
        for v in vertices {
            if self.seen[v.at()] == Seen::Stone(color) {
                for n in std::iter::once(v).chain(board.neighbors4(v)) {
                    let free = n == v || self.seen[n.at()] == Seen::Empty;
                    if free && within(n) && self.marks[n.at()] & bit == 0 {
                        self.marks[n.at()] |= bit;
                        queue.push(n);
                    }
                }
            }
        }
        // Steps 2 to 4.
        let mut next = 0;
        while next < queue.len() {
            let from = queue[next];
            next += 1;
            for e in board.neighbors8(from) {
                if self.marks[e.at()] & bit == 0
                    && self.seen[e.at()] == Seen::Empty
                    && within(e)
                    && self.claims(board, e, bit, color.other())
                {
                    self.marks[e.at()] |= bit;
                    queue.push(e);
                }
            }
        }
        self.queue = queue;
    }

    /// Steps 2 and 3 for one vertex.
    fn claims(&self, board: &Board, e: Vertex, bit: u8, foe: Color) -> bool {
        let size = board.size();
        let stride = size as i32 + 1;
        let at = |offset: i32| Vertex((i32::from(e.0) + offset) as u16);
        let marked = |v: Vertex| self.marks.get(v.at()).is_some_and(|marks| marks & bit != 0);
        let enemy = |v: Vertex| self.seen.get(v.at()) == Some(&Seen::Stone(foe));
        let claimed = |v: Vertex| marked(v) && self.inner[v.at()];
        for (across, along) in [(stride, 1), (-stride, 1), (1, stride), (-1, stride)] {
            // `b` lies across from `e`; `a` beside it, one step along to either side.
            if !claimed(at(across)) {
                continue;
            }
            for along in [along, -along] {
                let (a, c, d, u) = (across + along, across - along, along, across + 2 * along);
                if claimed(at(a)) && !enemy(at(d)) && !(enemy(at(u)) && enemy(at(c))) {
                    return true;
                }
            }
        }
        let (row, col) = (e.row(size), e.col(size));
        let corner = (row == 0 || row == size - 1) && (col == 0 || col == size - 1);
        corner && board.neighbors4(e).any(marked) && !board.neighbors8(e).any(enemy)
    }
}

/// How many lines lie between the vertex and the nearest edge: 0 on the first line.
#[must_use]
pub(crate) fn edge_distance(v: Vertex, size: usize) -> usize {
    let (row, col) = (v.row(size), v.col(size));
    row.min(col).min(size - 1 - row).min(size - 1 - col)
}
