//! Self-play: games of the engine against itself, or of one setting against another.
//!
//! [`game`] plays one game. The application manages the files and the order of the games. `tengen_core::statistics`
//! turns the results into Elo with intervals, and has the sequential test (SPRT).

pub mod game;

pub use game::{Ending, GameRecord, MatchRules, Player, Seat, Turn, play_game, referee};

#[cfg(test)]
mod tests;
