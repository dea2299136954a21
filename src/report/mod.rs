//! What a person reads: the table of a run, a profile, a board in colours.

pub mod board;
pub mod events;
pub mod findings;
pub mod game;
pub mod page;
#[cfg(feature = "png")]
pub mod png;
pub mod profile;
pub mod selfplay;
pub mod sentences;
pub mod table;
pub mod tables;
