//! Pattern databases: the module reads the manual's textual `.db` format, compiles it to a matcher, and evaluates the
//! matches.
//!
//! # Source
//! GNU Go 3.8 manual, chapter "The Pattern Code" (format, constraints, autohelpers).
//!
//! # Notation
//! In a pattern `O` is the colour that it is matched for, and `X` is the other colour. A *variant* is a pattern in one
//! of its orientations. A *query* is a question in a constraint, such as `oplay_attack(a,b,c)`. An *action* is a
//! command after `>`.
//!
//! # Steps
//! 1. The text becomes patterns, with diagnostics for all its faults ([`mod@parse`]).
//! 2. Constraints and actions become expression trees ([`expr`]). Their calls become entries of one table
//!    ([`functions`]).
//! 3. Patterns become variants over bitboards, and all of them are matched in one pass ([`matcher`]).
//! 4. A match binds labels to vertices. A value of [`Queries`] answers the questions of its constraint.
//!
//! # Departures
//! The matcher uses neither GNU Go's tree nor its automaton. Boards of bits, with 64 vertices in a word, are shifted
//! once for each pair of offset and symbol that any variant uses. A variant is the conjunction of a few such boards.
//! Most conjunctions are empty after two boards.

pub mod answers;
mod duplicates;
pub mod expr;
pub mod functions;
pub mod matcher;
pub mod memo;
pub mod parse;
pub mod query;
pub mod resource;
pub mod status;
#[cfg(test)]
mod tests;

pub use answers::EngineQueries;
pub use matcher::{Match, Matcher, Place, Prepared};
pub use memo::Memo;
pub use parse::parse;
pub use query::{Queries, evaluate};
pub use resource::PatternDatabases;

use crate::board::Color;
use expr::{Expr, Statement};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cell of a diagram: row and column from the top left.
pub type Cell = (i8, i8);

/// The condition of a diagram's cell on a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// Empty.
    Empty,
    /// A stone of the pattern's colour.
    Own,
    /// A stone of the other colour.
    Enemy,
    /// Not the other colour's.
    OwnOrEmpty,
    /// Not the pattern's colour.
    EnemyOrEmpty,
    /// Anything on the board.
    Any,
}

impl Symbol {
    /// The meaning of a diagram's character.
    #[must_use]
    pub const fn of(character: char) -> Option<Self> {
        Some(match character {
            '.' | ',' | '!' | '*' => Self::Empty,
            'O' | 'Q' => Self::Own,
            'X' => Self::Enemy,
            'o' => Self::OwnOrEmpty,
            'x' => Self::EnemyOrEmpty,
            '?' => Self::Any,
            _ => return None,
        })
    }

    /// Whether a vertex with this stone, or none, meets the condition; `own` is the pattern's colour.
    #[must_use]
    pub fn allows(self, stone: Option<Color>, own: Color) -> bool {
        match self {
            Self::Empty => stone.is_none(),
            Self::Own => stone == Some(own),
            Self::Enemy => stone == Some(own.other()),
            Self::OwnOrEmpty => stone != Some(own.other()),
            Self::EnemyOrEmpty => stone != Some(own),
            Self::Any => true,
        }
    }
}

/// Which edges of the board a diagram touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edges {
    /// Above the first row.
    pub top: bool,
    /// Below the last row.
    pub bottom: bool,
    /// Left of the first column.
    pub left: bool,
    /// Right of the last column.
    pub right: bool,
}

/// The symmetry a pattern declares, by the axes it is symmetric about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// `8`: none, eight orientations.
    #[default]
    None,
    /// `|`, `-`, `/`, `\`: one axis, four orientations.
    One(char),
    /// `+`, `X`: two axes, two orientations.
    Two(char),
    /// `O`: all four axes, one orientation.
    All,
}

impl Symmetry {
    /// The symmetry a `:` line begins with.
    #[must_use]
    pub const fn of(character: char) -> Option<Self> {
        Some(match character {
            '8' => Self::None,
            '|' | '-' | '/' | '\\' => Self::One(character),
            '+' | 'X' => Self::Two(character),
            'O' => Self::All,
            _ => return None,
        })
    }

    /// The orientations to match: indices of [`matcher::Orientation`].
    #[must_use]
    pub const fn orientations(self) -> std::ops::Range<u8> {
        match self {
            Self::None => 0..8,
            Self::One(_) => 0..4,
            Self::Two(_) => 0..2,
            Self::All => 0..1,
        }
    }
}

/// One pattern of a database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// Its name.
    pub name: Arc<str>,
    /// The comments right before or inside it: why it is there.
    pub reason: String,
    /// The line of its `Pattern`, from 1.
    pub line: u32,
    /// The diagram's characters, row by row.
    pub diagram: Vec<Vec<char>>,
    /// The edges it touches.
    pub edges: Edges,
    /// Its declared symmetry.
    pub symmetry: Symmetry,
    /// The class letters and attributes.
    pub class: String,
    /// `value(30)` and the like.
    pub values: BTreeMap<String, f32>,
    /// A helper that is named on the `:` line.
    pub helper: Option<String>,
    /// The characters of the diagram that stand for the pattern's effect (`callback_data`).
    pub callback: String,
    /// The constraint diagram's labels; of several cells the first in reading order.
    pub labels: BTreeMap<char, Cell>,
    /// The condition for accepting a match.
    pub constraint: Option<Expr>,
    /// The actions of an accepted match.
    pub actions: Vec<Statement>,
}

impl Pattern {
    /// Whether the class has this letter.
    #[must_use]
    pub fn has(&self, letter: char) -> bool {
        self.class.contains(letter)
    }

    /// A value of the `:` line.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f32> {
        self.values.get(name).copied()
    }

    /// The cells with this character.
    pub fn cells(&self, character: char) -> impl Iterator<Item = Cell> + '_ {
        self.diagram.iter().enumerate().flat_map(move |(row, line)| {
            line.iter()
                .enumerate()
                .filter(move |&(_, &c)| c == character)
                .map(move |(col, _)| (row as i8, col as i8))
        })
    }

    /// Rows and columns of the diagram.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        (self.diagram.len(), self.diagram.first().map_or(0, Vec::len))
    }
}

/// The patterns of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Database {
    /// The file's name.
    pub file: String,
    /// In the order of the file.
    pub patterns: Vec<Pattern>,
}
