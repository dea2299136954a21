//! Games of the engine against itself, or of one setting against another; results with intervals and SPRT.
//!
//! [`game`] plays one game; [`statistics`] turns results into Elo. The application keeps the files and the order.

pub mod game;
pub mod statistics;

pub use game::{Ending, GameRecord, MatchRules, Player, play_game};
pub use statistics::{Sprt, Tally};

#[cfg(test)]
mod tests;
