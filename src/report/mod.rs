//! What a person reads: the table of a run, a profile, a board in colours.

pub mod board;
pub mod findings;
pub mod page;
pub mod profile;
pub mod selfplay;
pub mod table;
