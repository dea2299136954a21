//! Games of the engine against itself, or of one setting against another; results with intervals and SPRT.
//!
//! [`game`] plays one game. The application keeps the files and the order; `tengen_core::statistics` turns results into
//! Elo.

pub mod game;

pub use game::{Ending, GameRecord, MatchRules, Player, Seat, Turn, play_game, referee};

#[cfg(test)]
mod tests;
