//! Connections: whether two strings can be joined or cut, and whether a string can break into an area or be blocked
//! off.
//!
//! [`ConnectionReader`] answers the questions (`query`). The search is in `search`, its tree in `tree`, its moves in
//! `moves`. The distance of strings is in `distance`, and links that need no search are in `links`. `open` judges what
//! the search leaves open.
//! [`break_ins()`] shrinks territories to what their owner can hold. [`cuts`] counts the cutting points that saving a
//! string would make.

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
