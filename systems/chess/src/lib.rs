//! Chess: rules, repetition, an exact fixed-depth search, a playing search, evaluation, self-play.
//!
//! **Invariant:** this crate prints nothing, reads no file and reads no clock. The caller passes a time limit as a
//! closure that says when to stop.
//!
//! # Modules
//! Each module imports only modules above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`rules`] | FEN, EPD, SAN, UCI moves, PGN, perft; the board itself is the crate `cozy-chess` |
//! | [`history`] | the game and the line: position identity, the key stack, occurrences, draw rules and policies |
//! | [`repetition`] | the schemes of repetition: detectors, and what the transposition table may keep |
//! | [`evaluation`] | the static evaluation, and the tuner of its weights |
//! | [`search`] | the playing search, as jobs of the schedule `Expand` |
//! | [`world`] | searches in the World: positions, finished iterations and tables as components and entities |
//! | [`selfplay`] | self-play: games, results, Elo |
//! | [`exact`] | the exact mode: a search of fixed depth whose value is the minimax value with the game history |
//! | [`added_scheme`] | schemes of repetition that callers add |
//! | [`suite`] | the published repetition cases: how they are made and proved |

pub mod added_scheme;
pub mod evaluation;
pub mod exact;
pub mod history;
pub mod repetition;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod suite;
pub mod world;

pub use world::ChessPlugins;

#[cfg(test)]
mod test_data;
