//! Tactical reading: can this string be captured, can it be saved, by which move, with which ko.
//!
//! [`Reader`] answers the questions; [`Code`] is what an answer is worth. The search is in `attack` and `defend`,
//! which call each other; what they try is in `candidates`; how kos are judged in `ko`. What a
//! reading may have looked at, and so when it still holds after a move, is in `area` and `memory`.

pub(crate) mod area;
mod cache;
mod candidates;
mod code;
mod combination;
pub(crate) mod ko;
pub mod map;
mod memory;
pub mod plugin;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod trace;

pub use crate::effort::Limits;
pub use code::{Answer, Code, Reading};
pub use combination::{Combination, combination_attack, combination_defend};
pub use map::{AskedStrings, TacticsMap, WormTactics};
pub use plugin::TacticsPlugin;
pub(crate) use reader::Node;
pub use reader::Reader;
pub use trace::Trace;
