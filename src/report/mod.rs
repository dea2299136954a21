//! Presents results to people: the table of a run, a profile, the report of a game, sentences, a board in colours.

pub mod board;
pub mod events;
pub mod fates;
pub mod game;
pub mod heading;
pub mod mistakes;
mod moments;
pub mod page;
#[cfg(feature = "png")]
pub mod png;
pub mod profile;
pub mod reasons;
pub mod sentences;
pub mod step;
pub mod summary;
pub mod table;
pub mod tables;
