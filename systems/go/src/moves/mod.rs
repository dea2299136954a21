//! Finds candidate moves with their reasons and values, and chooses among them.
//!
//! # Source
//! GNU Go 3.8 manual, "Move generation": generators give *reasons* and never values; a separate step gives values.
//!
//! # Steps
//! 1. `generators` name moves and their reasons ([`reason::Reason`]).
//! 2. `valuation` gives each candidate its value in points.
//! 3. The search ([`crate::playout`]) weighs the candidates on the whole board. It gives a second opinion beside the
//!    value ([`reason::Opinion`]).
//! 4. The [`decision`] chooses the move by both opinions.
//!
//! # Departures
//! Step 3 is not in the manual. Without playouts the values of steps 1 and 2 alone decide.

pub mod decision;
mod facts;
mod generators;
mod opening;
mod plugin;
mod reason;
mod room;
mod safety;
mod shape;
mod steps;
mod strategy;
mod terms;
mod valuation;

#[cfg(test)]
mod tests;

pub use decision::{Choice, Decider, Decision, Review, decide};
pub use facts::Facts;
pub use plugin::{MoveList, MovesPlugin, evaluate};
pub use reason::{Candidate, Opinion, Reason, Room, Target};
pub use terms::{Cause, Term, Terms};
pub use valuation::Tools;

use crate::board::Vertex;
use crate::judge::JudgeInForce;
use crate::judge::search::KeptTree;
use crate::score::Scoring;

/// The request for a review.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// White's points for moving second.
    pub komi: f32,
    /// The counting rules of the game.
    pub scoring: Scoring,
    /// The seed of the search.
    pub seed: u64,
    /// Playouts of the search; 0: the pipeline alone. With a judge that a search asks, its looks.
    pub playouts: u32,
    /// The judge that the search asks, if it is one that searches ask; else the search plays out.
    pub judge: Option<JudgeInForce>,
    /// Whether a lost game may be given up.
    pub may_resign: bool,
    /// Only these moves (a pass too, if it is among them); `None`: all.
    pub allowed: Option<&'a [Vertex]>,
    /// Don't pass while dead enemy stones stand.
    pub cleanup: bool,
    /// The tree of the last search by a judge, which the next one of the same game goes on with.
    pub kept: Option<KeptTree>,
    /// Threads that the search is made for; with more than one it is another search, the same on any machine.
    pub threads: usize,
}

/// The playing levels, as in GTP's `level`: 0 plays without a search, and a higher one thinks longer.
///
/// Origin: definition, the range that the protocols offer.
pub const PLAYING_LEVELS: std::ops::RangeInclusive<i32> = 0..=100;

/// The work of a playing level's search with this judge: looks at the judge, or playouts. 0 with the judge `none`, where
/// the move of highest value is played.
#[must_use]
pub fn spent_by_level(level: i32, size: usize, judge: &JudgeInForce) -> u32 {
    match &judge.0 {
        judge if judge.is_searched() => looks_of_level(level, size),
        judge if judge.leaves_moves_to_values() => 0,
        _ => playouts_of_level(level, size),
    }
}

/// Looks of a judge at level 10: on boards up to 9x9, up to 13x13, and larger. A move takes less processor time than one
/// of GNU Go's level 10.
///
/// Origin: measured, `experiments/2026-11-29-go-strength-of-the-search.md`, "Matches".
const LOOKS: [u32; 3] = [180, 120, 100];

/// Playouts at level 10, likewise.
///
/// Origin: measured, `experiments/2026-11-22-go-moves-and-matches.md`, "Matches", and commit 774a79b.
const PLAYOUTS: [u32; 3] = [3600, 2600, 2400];

/// Looks of a judge that a playing level asks for on a board of this size. Level 10 is the default.
#[must_use]
pub const fn looks_of_level(level: i32, size: usize) -> u32 {
    let base = match size {
        ..=9 => LOOKS[0],
        10..=13 => LOOKS[1],
        _ => LOOKS[2],
    };
    match level {
        ..=0 => 0,
        1..=9 => base * level as u32 / 10,
        10..=100 => base * (level as u32 - 9),
        _ => base * 100,
    }
}

/// Playouts that a playing level asks for on a board of this size. Level 10 is the default.
#[must_use]
pub const fn playouts_of_level(level: i32, size: usize) -> u32 {
    let base = match size {
        ..=9 => PLAYOUTS[0],
        10..=13 => PLAYOUTS[1],
        _ => PLAYOUTS[2],
    };
    match level {
        ..=0 => 0,
        1..=9 => base * level as u32 / 10,
        10..=100 => base * (level as u32 - 9),
        _ => base * 100,
    }
}
