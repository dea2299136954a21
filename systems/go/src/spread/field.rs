//! The input of the spread of influence: sources, attenuation, permeability and blocking, on padded arrays.

use crate::board::{Color, Vertex};

/// Attenuation of a source in territorial influence (2001's manual draws its single source with 3).
pub const TERRITORIAL_ATTENUATION: f32 = 2.4;
/// The factor of a diagonal step in territorial influence (the manual's "twice" is the escape figure).
pub const TERRITORIAL_DIAGONAL: f32 = 1.7;
/// The factor of a diagonal step in escape influence.
pub const ESCAPE_DIAGONAL: f32 = 2.0;
/// A single contribution of this or less is thrown away.
pub const CUTOFF: f32 = 0.02;

/// A value for each colour: index 0 is Black, 1 White.
pub type PerColor<T> = [T; 2];

/// The input of the propagation.
///
/// Every array is padded as the board is: indexed by [`Vertex::at`], of [`padded_len`] entries, walls included.
/// Permeability of colour `c` is the permeability for the influence *of* `c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Lines of the board.
    pub size: usize,
    /// True on walls and on safe stones of either colour: no influence gets there.
    pub blocked: Vec<bool>,
    /// Strength of the source at a vertex; 0 where there is none.
    pub strength: PerColor<Vec<f32>>,
    /// Attenuation of the source at a vertex.
    pub attenuation: PerColor<Vec<f32>>,
    /// Permeability, 0 to 1.
    pub permeability: PerColor<Vec<f32>>,
    /// Extra attenuation of a diagonal step.
    pub diagonal: f32,
    /// A single contribution of at most this is dropped.
    pub cutoff: f32,
}

/// The length of a padded array for a board of this size.
#[must_use]
pub const fn padded_len(size: usize) -> usize {
    (size + 2) * (size + 1) + 1
}

/// All vertices of a board in vertex order.
pub fn vertices(size: usize) -> impl Iterator<Item = Vertex> {
    (0..size * size).map(move |i| Vertex::from_index(i, size))
}

impl Default for Field {
    /// The field of a board without lines: empty.
    fn default() -> Self {
        Self::new(0)
    }
}

impl Field {
    /// An empty board of this size without sources, everything permeable, with the territorial constants.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let len = padded_len(size);
        let mut blocked = vec![true; len];
        for v in vertices(size) {
            blocked[v.at()] = false;
        }
        Self {
            size,
            blocked,
            strength: [vec![0.0; len], vec![0.0; len]],
            attenuation: [vec![TERRITORIAL_ATTENUATION; len], vec![TERRITORIAL_ATTENUATION; len]],
            permeability: [vec![1.0; len], vec![1.0; len]],
            diagonal: TERRITORIAL_DIAGONAL,
            cutoff: CUTOFF,
        }
    }

    /// Adds a source. One already there is replaced only by a stronger one; strengths are never added.
    pub fn add_source(&mut self, color: Color, at: Vertex, strength: f32, attenuation: f32) {
        let c = color.index();
        if strength > self.strength[c][at.at()] {
            self.strength[c][at.at()] = strength;
            self.attenuation[c][at.at()] = attenuation;
        }
    }
}

/// The eight directions `(down, right)` in the order in which the queue tries them.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(1, 0), (0, -1), (-1, 0), (0, 1), (1, -1), (-1, -1), (-1, 1), (1, 1)];
