//! Propagation of influence from all sources of a board.
//!
//! # Source
//! GNU Go manual, chapter "Influence", section "The Influence Algorithm", with the details the text leaves out as
//! `../shared/guides/go-influence-facts.md` measured them ("The propagation rule").
//!
//! # Notation
//! A source at `(m, n)` with strength `s` and attenuation `A`; a vertex at the offset `(a, b)` from it holds the amount
//! `w`. A step in the direction `(di, dj)` contributes `P * w / (A * g) * D`: `P` permeability, `g` the factor of a
//! diagonal step, `D = (di*a + dj*b)^2 / ((a^2 + b^2) (di^2 + dj^2))` the squared cosine. *Ring* `k` holds the vertices
//! with `max(|a|, |b|) = k`; its four *sides* are lines.
//!
//! # Steps
//! 1. Once for a map and colour: the *edges*, for every target and direction `P / g`, or 0 if the target is blocked;
//!    once by rows and once by columns.
//! 2. For each source, ring after ring. An outward step leads from ring `k - 1` to ring `k`, or within a ring away from
//!    the axis. So each side is the previous line times edges times cosines, three products a vertex and vectors of
//!    them,
//! 3. and then two chains from the axis to the corners.
//! 4. A corner gets its diagonal step and the ends of two chains.
//! 5. The lines are added to the colour's map: up and down by rows, left and right by columns.
//! 6. Both halves are added.
//!
//! # Departures
//! The manual's queue ([`mod@reference`]) visits the vertices of an open board in this very order. Behind obstacles it may
//! handle a vertex before all that it gets has come; what comes late is kept, but isn't passed on. Here nothing comes
//! late. The largest difference seen on the recorded positions is in the test
//! `rings_and_queue_agree_on_recorded_positions`.
//!
//! # Cost
//! `O(vertices in reach)` a source without a queue, a division or a branch a vertex; nothing is allocated. Figures:
//! `benches/go/influence.rs`.

mod edges;
pub mod reference;
mod rings;

use super::field::{Field, PerColor, padded_len, vertices};
use crate::board::{Color, Vertex};
use edges::Edges;
use rings::Rings;

/// Amounts at or below this many cutoffs are dropped at vertices that have influence already.
const FINAL_FILTER: f32 = 1.01;

/// Boards up to this size fit the kernel's lines.
const MAX_SIZE: usize = 25;
/// Entries of a line: eight of padding, 25 vertices, and room for a vector that runs over.
const LINE: usize = 48;
/// Where column 0 stands in a line.
const FIRST: usize = 8;

/// The propagation kernel with its scratch memory: keep one per thread and use it again.
#[derive(Clone, Debug)]
pub struct Spreader {
    edges: Edges,
    rings: Rings,
    by_rows: Vec<[f32; LINE]>,
    by_columns: Vec<[f32; LINE]>,
}

impl Default for Spreader {
    fn default() -> Self {
        Self {
            edges: Edges::default(),
            rings: Rings::new(),
            by_rows: vec![[0.0; LINE]; MAX_SIZE],
            by_columns: vec![[0.0; LINE]; MAX_SIZE],
        }
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
        let size = field.size;
        assert!(size <= MAX_SIZE, "boards have at most 25 lines");
        let c = color.index();
        self.edges.fill(field, color); // step 1
        for row in 0..size {
            self.by_columns[row] = [0.0; LINE];
            self.by_rows[row] = [0.0; LINE];
            let start = Vertex::new(row, 0, size).at();
            self.by_rows[row][FIRST..FIRST + size].copy_from_slice(&out[start..start + size]);
        }
        for v in vertices(size) {
            let strength = field.strength[c][v.at()];
            if strength > 0.0 && wanted(v) {
                let source = rings::Source {
                    row: v.row(size),
                    col: v.col(size),
                    strength,
                    per_step: field.attenuation[c][v.at()].recip(),
                    cutoff: field.cutoff,
                };
                self.rings.spread(size, &source, &self.edges, &mut self.by_rows, &mut self.by_columns);
            }
        }
        for v in vertices(size) {
            let (row, col) = (v.row(size), v.col(size)); // step 6
            out[v.at()] = self.by_rows[row][FIRST + col] + self.by_columns[col][FIRST + row];
        }
    }
}

#[cfg(test)]
mod tests;
