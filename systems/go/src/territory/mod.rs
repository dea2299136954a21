//! Territory: how likely each vertex becomes a point for one colour, and how a move changes this.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", sections "Territorial Details" and "Influence and Territory". Tables and
//! exceptions are measured against GNU Go 3.8's answers.
//!
//! # Notation
//! `w`, `b` are White's and Black's influence. Values are White's: +1 is a point of White's territory and -1 of
//! Black's. 2 and -2 are such points with a dead stone. Arrays are padded, indexed by `Vertex::at`.
//!
//! # Steps
//! 1. The first guess is `((w - b) / (w + b))^3`.
//! 2. Weak influence counts less, and still less nearer the centre.
//! 3. A stone that is not safe belongs to the enemy.
//! 4. The value of every vertex is lowered by its neighbours' first guesses, as far as the enemy can enter from there.
//! 5. Non-territory belongs to nobody.
//! 6. A prisoner counts one more point.
//!
//! # Cost
//! Linear in the board; a table look-up and four neighbours for each vertex.

mod double_blocks;
pub mod regions;
pub mod score;
#[cfg(test)]
mod tests;

pub use regions::{Region, SETTLED, Segments};

use crate::board::{Color, Vertex};
use crate::spread::InfluenceMap;
use crate::spread::effects::{NOT_BLACKS, NOT_WHITES};
use crate::spread::field::vertices;

/// Straight lines between points of a table; flat outside.
#[must_use]
pub fn interpolate(table: &[(f32, f32)], x: f32) -> f32 {
    let after = table.partition_point(|&(at, _)| at < x);
    match (after.checked_sub(1).map(|i| table[i]), table.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (None, Some(&(_, y))) | (Some((_, y)), None) => y,
        (None, None) => 0.0,
    }
}

/// The influence needed to hold a vertex, by how central it is.
const NEEDED: [(f32, f32); 7] =
    [(0.0, 6.0), (4.0, 15.0), (8.0, 26.0), (12.0, 36.0), (16.0, 45.0), (20.0, 50.0), (24.0, 55.0)];
/// The factor of the first guess, by the share of the needed influence that is there.
const CREDIT: [(f32, f32); 6] = [(0.0, 0.0), (0.2, 0.25), (0.4, 0.45), (0.6, 0.65), (0.8, 0.85), (1.0, 1.0)];

/// How central a vertex is: three for each line from the nearer edge, one for each from the other, up to 4.
fn centrality(v: Vertex, size: usize) -> f32 {
    let from_edge = |line: usize| line.min(size - 1 - line);
    let (row, col) = (from_edge(v.row(size)), from_edge(v.col(size)));
    let (near, far) = (row.min(col), row.max(col));
    (if near <= 4 { 3 * near + far.min(4) } else { near + 12 }) as f32
}

impl InfluenceMap {
    /// The territory value of every vertex that influence, permeability and non-territory give now; 0 on safe stones.
    #[must_use]
    pub fn value_territory(&self) -> Vec<f32> {
        let open = || vertices(self.field.size).filter(|v| !self.field.blocked[v.at()]);
        let mut first = vec![0.0; self.field.blocked.len()];
        for v in open() {
            first[v.at()] = first_guess(self, v);
        }
        let mut values = first.clone();
        for v in open() {
            values[v.at()] = finish(self, &first, v);
        }
        values
    }
}

/// Steps 1 to 3.
fn first_guess(map: &InfluenceMap, v: Vertex) -> f32 {
    if let Some(color) = map.stones[v.at()] {
        return if color == Color::Black { 1.0 } else { -1.0 }; // step 3
    }
    let (b, w) = (map.influence[0][v.at()], map.influence[1][v.at()]);
    if w + b == 0.0 {
        return 0.0;
    }
    let guess = ((w - b) / (w + b)).powi(3); // step 1
    let needed = interpolate(&NEEDED, centrality(v, map.field.size)); // step 2
    guess * interpolate(&CREDIT, w.max(b) / needed)
}

/// Steps 4 to 6.
fn finish(map: &InfluenceMap, first: &[f32], v: Vertex) -> f32 {
    let stride = map.field.size + 1;
    let at = v.at();
    let own = first[at];
    let mut value = own;
    for n in [at + stride, at - 1, at - stride, at + 1] {
        if map.field.blocked[n] {
            continue; // walls and safe stones
        }
        if own > 0.0 {
            let p = map.field.permeability[Color::Black.index()][n];
            value = value.min(p * first[n] + (1.0 - p) * own).max(0.0);
        } else {
            let p = map.field.permeability[Color::White.index()][n];
            value = value.max(p * first[n] + (1.0 - p) * own).min(0.0);
        }
    }
    let not_for = map.non_territory[at];
    if (value > 0.0 && not_for & NOT_WHITES != 0) || (value < 0.0 && not_for & NOT_BLACKS != 0) {
        value = 0.0; // step 5
    }
    match map.stones[at] {
        Some(Color::Black) => value + 1.0, // step 6
        Some(Color::White) => value - 1.0,
        None => value,
    }
}
