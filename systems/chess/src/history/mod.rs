//! The history of a search: position identity, the stack of positions of game and line, and the draws by recurrence.
//!
//! # Source
//! FIDE Laws of Chess 9.2, 9.3, 9.6; Bruce Moreland, *Repetition Detection* (2001).
//!
//! # Notation
//! The *game* is the positions played on the board. The *line* is the positions that the search has made since the
//! root. A *ply* is a distance from the root (root 0, game positions negative). A *run* is the positions since the
//! last irreversible move.
//!
//! # Invariants
//! Only [`Line::repetition`] decides whether a recurrence is a draw.

pub mod filter;
pub mod game;
pub mod identity;
pub mod line;
pub mod policy;
pub mod referee;

pub use filter::Filter;
pub use game::{Game, GameError, GameResult};
pub use identity::{Key, identity};
pub use line::{GAME, Line, NEVER};
pub use policy::Policy;

#[cfg(test)]
mod tests;
