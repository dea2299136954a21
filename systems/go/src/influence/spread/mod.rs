//! Propagation of influence from all sources of a board.
//!
//! # Source
//! GNU Go manual, chapter "Influence", section "The Influence Algorithm", with the details the text leaves out as
//! `../shared/guides/go-influence-facts.md` measured them ("The propagation rule").
//!
//! # Notation
//! A source at `(m, n)` with strength `s` and attenuation `A`; a vertex at the offset `(a, b)` from it holds the amount
//! `w`. A step in the direction `(di, dj)` contributes `P * w / (A * g) * D`: `P` permeability, `g` the factor of a
//! diagonal step, `D = (di*a + dj*b)^2 / ((a^2 + b^2) (di^2 + dj^2))` the squared cosine.
//!
//! # Steps
//! 1. Once for a map and colour: the *edges*, for every vertex and direction `P / g`, or 0 if the target is blocked. Once
//!    for all: for every offset the at most four directions that lead outward, with their `D`.
//! 2. For each source a queue of vertices, first come, first served. Of each its four outward directions are taken,
//!    three factors a step; whether a contribution is above the cutoff, and whether its target is new, is arithmetic, not
//!    a branch, for which of the two it is can't be predicted.
//! 3. A vertex whose amount is too small for any step passes nothing on.
//! 4. The source's amounts are added to the colour's map, and cleared.
//!
//! # Departures
//! None: vertices are handled in the order of the manual's queue ([`mod@reference`]), and so the two agree but for the
//! last bits of the products. What arrives at a vertex after it was handled is kept, but isn't passed on.
//!
//! Measured and given up on the recorded 19x19 positions, where a source reaches 34 vertices: rings of lines, four
//! vertices at a time. The stretch of a line that anything reaches is 2.7 vertices long there, and the bookkeeping of a
//! line costs more than they do: 8000 instructions a source against 3900, and 17000 of the plain queue.
//!
//! # Cost
//! `O(vertices reached)` a source; nothing is allocated. Figures: `docs/go-influence.md`.

mod edges;
mod kernel;
pub mod reference;

use super::field::{Field, PerColor, padded_len};
use crate::board::{Color, Vertex};
use edges::Edges;
use kernel::{Kernel, Source};

/// Amounts at or below this many cutoffs are dropped at vertices that have influence already.
const FINAL_FILTER: f32 = 1.01;

/// Boards up to this size fit the kernel's arrays.
const MAX_SIZE: usize = 25;
/// Cells a row of the kernel's arrays. Offsets between cells of two rows are never the same as within a row, and a row
/// of eight numbers a cell is no power of two, which would crowd the cache.
const PITCH: usize = 2 * MAX_SIZE + 1;
/// Cells of the kernel's arrays, a power of two: so masks keep indices inside.
const CELLS: usize = 4096;

/// The cell of a vertex: a row of walls above, and a wall on the left.
const fn cell_of(row: usize, col: usize) -> usize {
    (row + 1) * PITCH + col + 1
}

/// The propagation kernel with its scratch memory: keep one per thread and use it again.
#[derive(Clone, Debug)]
pub struct Spreader {
    edges: Edges,
    kernel: Kernel,
    /// The map being made, by cell.
    map: Box<[f32; CELLS]>,
}

impl Default for Spreader {
    fn default() -> Self {
        Self { edges: Edges::new(), kernel: Kernel::new(), map: Box::new([0.0; CELLS]) }
    }
}

impl Spreader {
    /// A kernel with empty scratch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Computes the influence of both colours into `out` (padded arrays, made to fit).
    pub fn spread(&mut self, field: &Field, out: &mut PerColor<Vec<f32>>) {
        for color in Color::BOTH {
            let out = &mut out[color.index()];
            out.clear();
            out.resize(padded_len(field.size), 0.0);
            self.spread_color(field, color, |_| true, out);
        }
    }

    /// Adds to `out` the influence of `color` from those sources that `wanted` lets through.
    ///
    /// # Panics
    /// If the board is larger than 25x25.
    pub fn spread_color(
        &mut self,
        field: &Field,
        color: Color,
        wanted: impl Fn(Vertex) -> bool,
        out: &mut [f32],
    ) {
        assert!(field.size <= MAX_SIZE, "boards have at most 25 lines");
        let strength = &field.strength[color.index()];
        let size = field.size;
        let mut begun = false;
        // Walls have no strength, and the padded array is in vertex order.
        for (at, &strength) in strength.iter().enumerate() {
            let v = Vertex(at as u16);
            if strength <= 0.0 || !wanted(v) {
                continue;
            }
            if !begun {
                self.edges.fill(field, color); // step 1
                for row in 0..size {
                    let (cell, start) = (cell_of(row, 0), Vertex::new(row, 0, size).at());
                    self.map[cell..cell + size].copy_from_slice(&out[start..start + size]);
                }
                begun = true;
            }
            let source = Source {
                cell: cell_of(v.row(size), v.col(size)),
                strength,
                per_step: field.attenuation[color.index()][v.at()].recip(),
                cutoff: field.cutoff,
                filter: field.cutoff * FINAL_FILTER,
            };
            self.kernel.spread(&source, &self.edges, &mut self.map); // steps 2 to 4
        }
        for row in 0..if begun { size } else { 0 } {
            let (cell, start) = (cell_of(row, 0), Vertex::new(row, 0, size).at());
            out[start..start + size].copy_from_slice(&self.map[cell..cell + size]);
        }
    }
}

#[cfg(test)]
mod tests;
