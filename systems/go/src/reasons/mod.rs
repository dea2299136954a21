//! Explains why a move is better than another move or than a pass. It divides the difference of the two positions into
//! units and names the cause of each.
//!
//! # Source
//! Own design. The value of a move as the difference of two expected scores follows from D. J. Wu, "Accelerating
//! Self-Play Learning in Go" (2019), section 3.4, read backwards. The causes are the statements of GNU Go 3.8 manual,
//! "Dragons" and "Worms": something lives, dies, or can be captured, connected or broken into.
//!
//! # Notation
//! The *subject* is the explained move; the *other* is the move that it is compared with. Both positions are judged
//! with the opponent to move. The *value* is the subject's lead less the other's, for the side that moves. A *unit*
//! is a set of vertices that change together. Its *points* are the change of its owners, for the side that moves.
//!
//! # Steps
//! 1. [`Seen`] analyses the position after the subject and after the other, up to the second influence.
//! 2. [`fn@fate`] says for each stone whether it lives, and by which line it dies.
//! 3. `units` groups stones of one dragon whose fates differ in the same way, and the empty vertices whose owners
//!    change with them. It groups the rest by dragon, eye space, territory and moyo.
//! 4. `causes` names the cause of each unit, and reads further where reading and judge differ (`deeper`). A unit may
//!    have no cause, and then says so.
//! 5. Units below [`LEAST`] points, and the part of the lead beyond the owners, are *unexplained*.
//!
//! # Departures
//! Reading after a move has the limits of [`Effort`](crate::Effort), so a cause is as certain as a status. The best
//! moves are compared with a pass at the effort `quick`. The judge is asked once after each move.
//!
//! # Cost
//! For each move, one analysis up to the second influence, without the judge. For each candidate, one evaluation by the
//! judge.

mod causes;
mod deeper;
mod fate;
mod reasoner;
mod seen;
#[cfg(test)]
mod tests;
mod units;

pub use fate::{Fate, fate};
pub use reasoner::Reasoner;
pub use seen::Seen;

use crate::board::{Color, Vertex};
use crate::names::named;
use bevy_ecs::prelude::*;

/// The least points of a shown unit.
pub const LEAST: f32 = 0.5;

named! {
    /// The kind of a unit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Unit {
        /// Strings that live and die together, with what falls with them.
        Dragon = "dragon",
        /// An eye space.
        EyeSpace = "eye space",
        /// Territory.
        Territory = "territory",
        /// A framework of territory.
        Moyo = "moyo",
        /// An area that belongs to nobody yet.
        Open = "open area",
    }
}

named! {
    /// The event that happens to a unit after the subject and not after the other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Kind {
        /// Stones die.
        Dies = "dies",
        /// Stones live.
        Lives = "lives",
        /// Stones are taken off, or can be taken.
        Captured = "captured",
        /// Stones that could be taken can't be.
        Saved = "saved",
        /// A ladder catches stones.
        Ladder = "ladder",
        /// A ko decides about stones.
        Ko = "ko",
        /// Stones live in seki.
        Seki = "seki",
        /// Stones become one dragon with others.
        Connected = "connected",
        /// Stones are parted from others.
        CutOff = "cut off",
        /// Stones are parted from others unless their owner answers.
        CutThreatened = "cut threatened",
        /// A dragon has more of an eye.
        MakesEye = "makes an eye",
        /// A dragon has less of an eye.
        LosesEye = "loses an eye",
        /// Territory can be broken into.
        BrokenInto = "broken into",
        /// Territory is closed, or a dragon shut in.
        Enclosed = "enclosed",
        /// A dragon has a way out.
        Escapes = "escapes",
        /// A dragon or an open area has more territory by influence; of an open area, for the side that moves.
        Gains = "gains territory",
        /// It has less.
        Loses = "loses territory",
    }
}

named! {
    /// Who says that a unit changes, and why.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Source {
        /// Reading: of strings, of life and death, of connections, of break-ins.
        Reading = "reading",
        /// The manual's measures without reading: dragons, eyes, influence.
        Manual = "manual",
        /// The judge alone; no cause was read.
        Judge = "judge",
    }
}

/// The change of one unit by a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The kind of the unit.
    pub unit: Unit,
    /// Whose stones, eye space or territory it is; `None` for an open area.
    pub color: Option<Color>,
    /// A vertex that names it: its first stone, or the vertex that changes most.
    pub at: Vertex,
    /// Its own stones.
    pub stones: Vec<Vertex>,
    /// Its other vertices, and stones of the other side that change with them.
    pub others: Vec<Vertex>,
    /// Its gain for the side that moves, in points.
    pub points: f32,
    /// The cause, if one was read.
    pub kind: Option<Kind>,
    /// Who says so.
    pub source: Source,
    /// The line that shows it, from the subject or from the other move on; may be empty.
    pub line: Vec<Vertex>,
    /// Whether the line begins with the other move rather than with the subject.
    pub is_of_other: bool,
    /// Whether the reading behind the line came to its end.
    pub proved: bool,
    /// For stones that are connected or cut off: a stone of the others.
    pub with: Option<Vertex>,
}

/// Why a move is better or worse than another.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The move.
    pub vertex: Vertex,
    /// Who makes it.
    pub color: Color,
    /// The compared move; a pass stands for a pass.
    pub against: Vertex,
    /// Its gain over the compared move, in points.
    pub value: f32,
    /// Black's lead after it, with the opponent to move.
    pub lead: f32,
    /// Units of [`LEAST`] points and more, the largest first.
    pub changes: Vec<Change>,
    /// The unexplained rest, in points: with the units it adds up to the value.
    pub unexplained: f32,
}

impl Explanation {
    /// The points of units with a cause, by absolute value.
    #[must_use]
    pub fn caused(&self) -> f32 {
        self.changes.iter().filter(|c| c.kind.is_some()).map(|c| c.points.abs()).sum()
    }
}

/// The explanations of the best moves against a pass, and of moves that were asked about against the best. Written by
/// [`Reasoner::publish`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct Reasons {
    /// The situation they are of: the hash of stones and side to move.
    pub of: u64,
    /// The moves of the greatest value, best first, against a pass.
    pub why: Vec<Explanation>,
    /// The moves asked about, against the best.
    pub why_not: Vec<Explanation>,
}

/// Why a move can't be explained.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReasonError {
    /// It can't be played.
    #[error("{move_name} can't be played: {reason}")]
    Illegal {
        /// The move.
        move_name: String,
        /// Why not.
        reason: String,
    },
    /// Nobody judges the position.
    #[error("the judge `{judge}` does not judge this position, and values are differences of its leads")]
    NoJudge {
        /// The judge.
        judge: String,
    },
}
