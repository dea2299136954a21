//! The repetition policies. A policy decides which recurrences the search scores as draws.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A policy. It judges a position that occurred `g` times in the game and `t` times on the line before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Policy {
    /// Any earlier occurrence: `g + t >= 1`. Simple, but it plays Moreland's two anecdotes wrong.
    A,
    /// Twice on the line or twice in the game, the root being part of the game: `t >= 1 || g >= 2`.
    #[default]
    B,
    /// As B, with the root part of the line.
    R,
    /// The third occurrence only: `g + t >= 2`.
    T,
}

impl Policy {
    /// All four policies.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::R, Self::T];

    /// Whether a position with these counts in the game and on the line is a draw when it recurs.
    #[inline]
    #[must_use]
    pub const fn draws(self, in_game: u32, on_line: u32) -> bool {
        match self {
            Self::A => in_game + on_line >= 1,
            Self::B | Self::R => on_line >= 1 || in_game >= 2,
            Self::T => in_game + on_line >= 2,
        }
    }

    /// The letter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::R => "R",
            Self::T => "T",
        }
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|p| p.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("`{text}` is no repetition policy; there are A, B, R and T"))
    }
}
