//! Connections: can two strings be joined or cut, can a string break into an area or be blocked off from it.
//!
//! [`ConnectionReader`] answers the questions. The search is in `search`; what it tries in `moves`; how far apart
//! strings are in `distance`; what needs no search in `links`; what is left open is judged in `open`. [`break_ins()`]
//! shrinks territories to what can be held.

mod break_ins;
mod captures;
mod distance;
mod links;
mod moves;
mod open;
mod reader;
mod search;
#[cfg(test)]
mod tests;

pub use crate::effort::{BreakInLimits, Guess, LinkLimits};
pub use break_ins::{BreakIn, Territory, break_ins};
pub use reader::ConnectionReader;
