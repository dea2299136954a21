//! Chess: rules, repetition, an exact fixed-depth search, a playing search, evaluation, self-play.
//!
//! **Invariant:** nothing here prints, reads files or reads a clock; a time limit enters as a closure that says stop.
//!
//! # Modules
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`rules`] | FEN, EPD, SAN, UCI moves, PGN, perft; the board itself is the crate `cozy-chess` |
//! | [`history`] | the game and the line: position identity, the key stack, occurrences, draw rules and policies |
//! | [`repetition`] | the schemes of repetition: detectors, and what the transposition table may keep |
//! | [`evaluation`] | tapered sums of counted features, and the tuner of their weights |
//! | [`search`] | the playing search, as jobs of the schedule `Expand` |
//! | [`world`] | searches in the World: positions, finished iterations and tables as components and entities |
//! | [`selfplay`] | games, results, Elo |
//! | [`exact`] | fixed depth, no selectivity: the value is the history-aware minimax value |
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
