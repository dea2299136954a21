//! Tactical reading: whether a string can be captured or saved, by which move, and with which ko.
//!
//! [`Reader`] answers the questions, and [`Code`] is the value of an answer. `search` has the attack and the defence,
//! which call each other. `candidates` gives their moves, and `ko` has the ko rule. `area` finds the area of the board
//! that a reading depends on. From the area a caller knows whether an answer still holds after a move.

pub(crate) mod area;
mod cache;
mod candidates;
mod code;
mod combination;
pub(crate) mod ko;
pub mod map;
mod node;
pub mod plugin;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod trace;

pub use crate::effort::Limits;
pub use code::{Answer, Code, Reading};
pub use combination::{Combination, combination_attack, combination_defend};
#[cfg(test)]
pub(crate) use map::read_worm;
pub use map::{QueriedStrings, TacticsMap, WormTactics};
pub use plugin::TacticsPlugin;
pub use reader::Reader;
pub use trace::Trace;

/// The most liberties of a string that is attacked: down to [`Limits::fourlib_depth`], and deeper.
///
/// Origin: manual, "Reading cutoff and depth parameters".
const ATTACKABLE: [usize; 2] = [4, 3];
