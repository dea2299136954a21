//! The two colours, and the vertices of a board with their names.
//!
//! # Notation
//! A board of size *n* is stored as a padded one-dimensional array with stride `n + 1`. There is one wall column at the
//! left of each row, and a wall row above and below. `row` counts from the top, so row 0 is line *n* of GTP. `col`
//! counts from the left, so column 0 is the letter A of GTP. *Vertex order* goes row by row from the top left. The
//! *index* of a vertex (0..n*n) follows this order, and so does every published column of the points.

use std::fmt;

/// The colour of a stone or a player.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[repr(u8)]
pub enum Color {
    /// Black (X in GNU Go's diagrams of either player; here always Black).
    #[default]
    Black = 0,
    /// White.
    White = 1,
}

impl Color {
    /// Both colours, Black first; the order of every `[T; 2]` indexed by colour.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 0 for Black, 1 for White: the index into a `[T; 2]`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// An index into the padded board array, or a pass (0, which is always wall).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Vertex(pub u16);

impl Vertex {
    /// No vertex: a pass, or "none" where a vertex is optional in a dense column.
    pub const PASS: Self = Self(0);

    /// The vertex at `row` from the top and `col` from the left, both from 0, on a board of this size.
    #[inline]
    #[must_use]
    pub const fn new(row: usize, col: usize, size: usize) -> Self {
        Self(((row + 1) * (size + 1) + col + 1) as u16)
    }

    /// Row from the top, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self, size: usize) -> usize {
        self.0 as usize / (size + 1) - 1
    }

    /// Column from the left, from 0.
    #[inline]
    #[must_use]
    pub const fn col(self, size: usize) -> usize {
        self.0 as usize % (size + 1) - 1
    }

    /// The place in vertex order, 0..size*size: the row of every published column.
    #[inline]
    #[must_use]
    pub const fn index(self, size: usize) -> usize {
        self.row(size) * size + self.col(size)
    }

    /// The vertex at this place of the vertex order.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize, size: usize) -> Self {
        Self::new(index / size, index % size, size)
    }

    /// As a usize, for indexing padded arrays.
    #[inline]
    #[must_use]
    pub const fn at(self) -> usize {
        self.0 as usize
    }

    /// GTP's spelling: letters A-Z without I and the line from the bottom; `PASS` for a pass.
    #[must_use]
    pub fn to_gtp(self, size: usize) -> String {
        if self == Self::PASS {
            return "PASS".into();
        }
        let letter = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[self.col(size)] as char;
        format!("{letter}{}", size - self.row(size))
    }

    /// Reads GTP's spelling in any case, `pass` included; `None` if it isn't one or lies outside the board.
    #[must_use]
    pub fn from_gtp(text: &str, size: usize) -> Option<Self> {
        if text.eq_ignore_ascii_case("pass") {
            return Some(Self::PASS);
        }
        let mut chars = text.chars();
        let letter = chars.next()?.to_ascii_uppercase();
        let col = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)?;
        let digits = chars.as_str();
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let line: usize = digits.parse().ok()?;
        (col < size && (1..=size).contains(&line)).then(|| Self::new(size - line, col, size))
    }
}

impl fmt::Debug for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

#[cfg(test)]
mod tests;
