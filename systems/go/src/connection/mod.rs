//! Connections: can two strings be joined or cut, can a string break into an area or be blocked off from it.
//!
//! [`ConnectionReader`] answers the questions. The search is in `search`; what it tries in `candidates`; how far apart
//! strings are in `distance`. [`break_ins()`] shrinks territories to what can be held.

mod break_ins;
mod cache;
mod candidates;
mod distance;
mod estimate;
mod reader;
mod search;
#[cfg(test)]
mod tests;
mod zone;

pub use break_ins::{BreakIn, LEAST, NEAREST, Territory, break_ins};
pub use reader::{ConnectionReader, Limits};
