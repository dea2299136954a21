//! Connection shapes: two stones that the opponent can hardly part, in one table.
//!
//! # Source
//! GNU Go manual, "Connections" (what its class C patterns stand for); the shapes are common Go knowledge.
//!
//! # Notation
//! Each shape is an offset between two stones of one colour, the vertices that must be empty, and the vertices
//! where an enemy stone would spoil it; all in the frame of the first stone, in eight orientations.
//!
//! # Steps
//! 1. The vertices between must be empty and no cutting points.
//! 2. Enemy stones on the spoiling vertices are counted; the shape holds with at most as many as it allows.

use crate::board::{Board, Color, Vertex};

/// One connection shape.
pub struct Shape {
    /// Its name in reports.
    pub name: &'static str,
    /// The second stone.
    offset: (i32, i32),
    /// Vertices that must be empty.
    empty: &'static [(i32, i32)],
    /// Vertices where an enemy stone counts against it.
    spoil: &'static [(i32, i32)],
    /// How many of those may be enemy stones.
    allowed: usize,
}

/// The table. Diagonals and common liberties need no entry: they are links.
pub const SHAPES: &[Shape] = &[
    Shape { name: "one-space jump", offset: (2, 0), empty: &[(1, 0)], spoil: &[(1, 1), (1, -1)], allowed: 0 },
    Shape {
        name: "knight's move",
        offset: (2, 1),
        empty: &[(1, 0), (1, 1)],
        spoil: &[(0, 1), (2, 0), (1, -1), (1, 2)],
        allowed: 0,
    },
];

/// The eight ways to lay a shape.
const ORIENTATIONS: [[i32; 4]; 8] = [
    [1, 0, 0, 1],
    [1, 0, 0, -1],
    [-1, 0, 0, 1],
    [-1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, 1, -1, 0],
    [0, -1, 1, 0],
    [0, -1, -1, 0],
];

/// All pairs of stones of `owner` that a shape connects, as `(stone, stone, shape)`.
pub fn connected_pairs(board: &Board, owner: Color, cuts: &[bool]) -> Vec<(Vertex, Vertex, &'static str)> {
    let size = board.size() as i32;
    let place = |v: Vertex, turn: &[i32; 4], (x, y): (i32, i32)| {
        let col = v.col(board.size()) as i32 + turn[0] * x + turn[1] * y;
        let row = v.row(board.size()) as i32 + turn[2] * x + turn[3] * y;
        ((0..size).contains(&row) && (0..size).contains(&col))
            .then(|| Vertex::new(row as usize, col as usize, board.size()))
    };
    let mut pairs = Vec::new();
    for v in board.vertices().filter(|&v| board.color_at(v) == Some(owner)) {
        for turn in &ORIENTATIONS {
            for shape in SHAPES {
                let Some(w) = place(v, turn, shape.offset) else { continue };
                if w < v || board.color_at(w) != Some(owner) || board.same_string(v, w) {
                    continue;
                }
                let open = shape
                    .empty
                    .iter()
                    .all(|&at| place(v, turn, at).is_some_and(|u| board.is_empty(u) && !cuts[u.at()]));
                let enemies = shape
                    .spoil
                    .iter()
                    .filter_map(|&at| place(v, turn, at))
                    .filter(|&u| board.color_at(u) == Some(owner.other()))
                    .count();
                if open && enemies <= shape.allowed {
                    pairs.push((v, w, shape.name));
                }
            }
        }
    }
    pairs
}
