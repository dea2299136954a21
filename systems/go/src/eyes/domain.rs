//! Domains: the vertices that a colour's stones can claim as eye space.
//!
//! # Source
//! GNU Go 3.8 manual, "Functions in optics.c", `make_primary_domains`.
//!
//! # Notation
//! The caller says which stones are *lively*. A stone that is not lively is invisible: its vertex counts as empty.
//! Around a vertex `e`, `b` is an orthogonal neighbour, and `a` and `c` are the two diagonal neighbours next to `b`.
//! `u` is the vertex beyond `a` on the line `a b c`. `d` is the other orthogonal neighbour of `e` that touches `a`.
//! ```text
//! u a b c
//!   d e f
//! ```
//!
//! # Steps
//! 1. A lively stone and every vertex next to it that counts as empty are in the domain of its colour.
//! 2. `e` is in the domain if `a` and `b` are and neither lies on the first line. `e` is not in the domain if a lively
//!    stone of the opponent stands at `d`, or two of them at `u` and `c`.
//! 3. A corner vertex is in the domain if one of its neighbours is. It is not if a lively stone of the opponent stands
//!    on one of the three vertices around it.
//! 4. Repeat until nothing changes. Sets of bits handle all vertices at once.
//!
//! # Cost
//! A few microseconds, most of them to find the lively stones.

use crate::board::{Board, Cells, Color, Vertex, VertexSet, for_words};

/// Which vertices are in whose domain: sets of bits over the padded board, Black's and White's.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    marks: [VertexSet; 2],
    open: bool,
}

impl Domains {
    /// The domain of a colour.
    pub(super) fn of<const W: usize>(&self, color: Color) -> Cells<W> {
        self.marks[color.index()].resized()
    }

    /// Whether more may come in from beyond a rim.
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Computes both domains over these vertices. `lively` is asked for stones only.
    pub fn compute(
        &mut self,
        board: &Board,
        vertices: impl Iterator<Item = Vertex>,
        lively: impl Fn(Vertex) -> bool,
    ) {
        self.open = false;
        for_words!(board, W => {
            let inside: Cells<W> = vertices.collect();
            let seen = board.unwatched(|board| claim::<W>(&mut self.marks, board, inside, lively));
            // Whether a stone is lively rests on its string.
            board.look_at_strings(|| seen.resized() & board.all_vertices());
        });
    }

    /// Puts the vertices of `rim` into this colour's domain as well: beyond them anything may come in.
    pub fn open_rim(&mut self, rim: &[bool], color: Color) {
        self.open = true;
        let marks = &mut self.marks[color.index()];
        for (at, _) in rim.iter().enumerate().filter(|(_, rim)| **rim) {
            marks.insert(Vertex(at as u16));
        }
    }
}

/// All steps for both colours. With it come the cells on which the domains rest: those inside, and those that the steps
/// from them look at.
fn claim<const W: usize>(
    marks: &mut [VertexSet; 2],
    board: &Board,
    inside: Cells<W>,
    lively: impl Fn(Vertex) -> bool,
) -> Cells<W> {
    let size = board.size();
    let stride = size as i32 + 1;
    let [mut corners, mut bare, mut on_board] = [Cells::<W>::EMPTY; 3];
    let mut seen = inside;
    let mut stones = [Cells::<W>::EMPTY; 2];
    for v in (0..board.padded_len()).map(|at| Vertex(at as u16)).filter(|&v| board.on_board(v)) {
        on_board.insert(v);
        match board.color_at(v) {
            Some(stone) if lively(v) => stones[stone.index()].insert(v),
            _ => bare.insert(v),
        }
    }
    let walls = !on_board;
    let inner = on_board & !walls.around(stride);
    for (row, col) in [(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)] {
        corners.insert(Vertex::new(row, col, size));
    }
    let free = bare & inside;
    for color in Color::BOTH {
        // Step 1.
        let lively = stones[color.index()] & inside;
        let mut domain = lively | (lively.around(stride) & free);
        // What stands against steps 2 and 3.
        let foes = stones[color.other().index()];
        let ways = [(stride, 1), (stride, -1), (-stride, 1), (-stride, -1)];
        let ways: [(i32, i32); 8] =
            std::array::from_fn(|i| if i < 4 { ways[i] } else { (ways[i - 4].1, ways[i - 4].0) });
        let clear: [Cells<W>; 8] = ways.map(|(across, along)| {
            let (d, u, c) = (along, across + 2 * along, across - along);
            !foes.moved(d) & !(foes.moved(u) & foes.moved(c))
        });
        let rows = foes | foes.moved(1) | foes.moved(-1);
        let calm = corners & !(rows | rows.moved(stride) | rows.moved(-stride));
        // Step 4.
        loop {
            let firm = domain & inner;
            let mut more = calm & domain.around(stride);
            for (&(across, along), clear) in ways.iter().zip(&clear) {
                more |= firm.moved(across) & firm.moved(across + along) & *clear;
            }
            more &= free & !domain;
            if more.is_empty() {
                break;
            }
            domain |= more;
        }
        marks[color.index()] = domain.resized();
        if board.watch().is_some() {
            let firm = domain & inner;
            for (across, along) in ways {
                let asked = firm.moved(across) & firm.moved(across + along) & free;
                let (d, u, c) = (along, across + 2 * along, across - along);
                seen |= asked.moved(-d) | asked.moved(-u) | asked.moved(-c);
            }
            let rows = corners & free & domain.around(stride);
            let rows = rows | rows.moved(1) | rows.moved(-1);
            seen |= rows | rows.moved(stride) | rows.moved(-stride);
        }
    }
    seen
}

#[cfg(test)]
mod tests;
