//! Monte-Carlo reading: light playouts, what they say about ownership, and a search that weighs candidate moves.
//!
//! A *supplement* to the pipeline, not its replacement: candidates, their reasons and prior values come from
//! [`crate::moves`]; the search looks at what happens after them on the whole board. Everything is a function of the
//! position and a seed (and of the number of threads a search was made for): no clock.
//!
//! - [`board::PlayoutBoard`]: the fast kernel (exact liberties as bit sets, no undo, no hash); its slow reference is
//!   [`crate::board::Board`], and a property test plays both side by side.
//! - [`policy`]: which move a playout makes.
//! - [`ownership`]: who owns what at the end of playouts; the basis of final status.
//! - [`prediction`]: how likely each move is, by weights learned from games.
//! - [`search`]: UCT with all-moves-as-first values and priors.
//! - [`survival`]: the same search asked whether a dragon survives.

pub mod board;
mod nakade;
pub mod ownership;
mod patterns3;
pub mod policy;
pub mod prediction;
pub mod search;
pub mod survival;

pub use board::PlayoutBoard;
pub use ownership::{Ownership, estimate};
pub use policy::Policy;
pub use prediction::LADDERS;
pub use search::{Finding, Findings, Limits, Prior, Root, search as search_moves, search_on_threads};
pub use survival::{Trial, Tried, try_out};
