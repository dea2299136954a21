//! The history of a search: position identity, the stack of the positions of game and line, and the draws by
//! repetition.
//!
//! # Source
//! FIDE Laws of Chess 9.2, 9.3, 9.6; Bruce Moreland, *Repetition Detection* (2001).
//!
//! # Notation
//! The *game* consists of the positions that were played on the board. The *line* consists of the positions that the
//! search has made since the root. A *ply* is a distance from the root (0 at the root, negative in the game). A *run*
//! consists of the positions since the last irreversible move. A *recurrence* is a position that has occurred before.
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
