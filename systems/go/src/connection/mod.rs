//! Connections: can two strings be joined or cut, can a string break into an area or be blocked off from it.
//!
//! [`ConnectionReader`] answers the questions. The search is in `search`; what it tries in `candidates`; how far apart
//! strings are in `distance`.

mod cache;
mod candidates;
mod distance;
mod reader;
mod search;
mod zone;

pub use reader::{ConnectionReader, Limits};
