//! Connections: whether two strings can be joined or cut, and whether a string can break into an area or be blocked
//! off.
//!
//! [`ConnectionReader`] answers the questions of `query`. `search` has the search, `tree` its tree, and `moves` its
//! moves. `distance` measures the distance of strings, and `links` finds links that need no search. `open` judges
//! questions that the search leaves open. [`break_ins()`] shrinks territories to the part that their owner can hold.
//! [`cuts`] counts the cutting points that saving a string would make.

mod break_ins;
mod captures;
pub mod cuts;
mod distance;
mod links;
mod moves;
mod open;
mod query;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod tree;

pub use crate::effort::{BreakInLimits, Guess, LinkLimits};
pub use break_ins::{BreakIn, Territory, break_ins};
pub use cuts::CutStonesPlugin;
pub use reader::ConnectionReader;
