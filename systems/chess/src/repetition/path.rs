//! Tells people what a score rests on: on no draw by repetition, on the searched line, or on the game before the root.
//!
//! # Notation
//! The *empty history* is the same position as the start of a game, with the same fifty-move count. A *game event* is a
//! moment at which the search would go on differently under the empty history. It is a draw with a position of the game
//! before the root, or a stored bound that is refused because of such a position.
//!
//! # Invariants
//! A score that is called free ([`Path::is_free`]) is the score under the empty history. So any two histories under
//! which the score is called free give the same score. There are two ways to know that a score is free.
//! 1. By proof: the keeper is exact, and in exact mode the value depends only on position and depth. The proof of the
//!    value contains no draw that rests on the game.
//! 2. By identity: no game event happened, in this search or in the searches that filled the table. Then the search
//!    under the empty history takes the same steps. This holds for every scheme, and for the playing search with its
//!    pruning, reductions, null moves and histories. It holds for one thread only, because several threads never take
//!    the same steps twice.

use crate::history::NEVER;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The grounds of a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rests_on", rename_all = "snake_case")]
pub enum Path {
    /// On no draw by recurrence.
    #[default]
    Nothing,
    /// On draws by recurrence of positions of the searched line, the root included. The game before the root plays no
    /// part.
    Line,
    /// On a draw with a position of the game, or on the start of its clock: at the earliest `back` plies before the
    /// root.
    Game {
        /// Plies before the root.
        back: u16,
    },
    /// Its proof holds no draw with a position of the game. Such a draw elsewhere may have changed the moves that a
    /// selective search considered.
    Steered,
    /// Unknown under this scheme: a stored bound was used that may rest on the game.
    Unknown,
}

impl Path {
    /// Whether the score is that of the empty history.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, Self::Nothing | Self::Line)
    }

    /// One word: `nothing`, `line`, `game`, `steered`, `unknown`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Line => "line",
            Self::Game { .. } => "game",
            Self::Steered => "steered",
            Self::Unknown => "unknown",
        }
    }

    /// The verdict on a root score. `events`: whether a game event happened in the life of the table. `proves`: whether
    /// the score can be known by proof.
    #[must_use]
    pub fn judge(grounds: Grounds, events: bool, proves: bool, selective: bool) -> Self {
        if grounds.rest < 0 {
            return Self::Game { back: grounds.rest.unsigned_abs() };
        }
        match (events, proves, selective) {
            (true, false, _) => Self::Unknown,
            (true, true, true) => Self::Steered,
            _ if grounds.recurs || grounds.blind => Self::Line,
            _ => Self::Nothing,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing: no draw by recurrence supports it"),
            Self::Line => f.write_str("line: on draws by recurrence inside the line, not on the game"),
            Self::Game { back: 1 } => f.write_str("game 1: on the game, from 1 ply before the root"),
            Self::Game { back } => write!(f, "game {back}: on the game, from {back} plies before the root"),
            Self::Steered => {
                f.write_str("steered: its line is free of the game, the search as a whole is not")
            }
            Self::Unknown => f.write_str("unknown: this scheme can't tell whether it rests on the game"),
        }
    }
}

/// The grounds of a value, from a keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grounds {
    /// Least ply a draw rests on; negative in the game, [`NEVER`] if no draw above the node is known.
    pub rest: i16,
    /// Whether a draw by recurrence is below or above.
    pub recurs: bool,
    /// Whether a stored bound with unknown grounds was used.
    pub blind: bool,
}

impl Grounds {
    /// No grounds.
    pub const NOTHING: Self = Self { rest: NEVER, recurs: false, blind: false };

    /// A draw that rests on this ply.
    #[inline]
    #[must_use]
    pub const fn draw(rest: i16) -> Self {
        Self { rest, recurs: true, blind: false }
    }

    /// A stored bound without a proof; `recurs` as stored with it.
    #[inline]
    #[must_use]
    pub const fn stored(recurs: bool) -> Self {
        Self { rest: NEVER, recurs, blind: recurs }
    }

    /// The union of two grounds.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            rest: self.rest.min(other.rest),
            recurs: self.recurs | other.recurs,
            blind: self.blind | other.blind,
        }
    }

    /// Ends the rest at the node of this ply: from here up, a draw with it lies inside the subtree.
    #[inline]
    #[must_use]
    pub const fn closed_at(mut self, ply: i16) -> Self {
        if self.rest >= ply {
            self.rest = NEVER;
        }
        self
    }
}
