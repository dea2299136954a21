//! Monte-Carlo reading: light playouts, the ownership they give, and a search that weighs candidate moves.
//!
//! The search is a *supplement* to the pipeline, not its replacement. Candidates, their reasons and prior values come
//! from [`crate::moves`]; the search follows them on the whole board. All results are a function of the position, a
//! seed, and the number of threads a search was made for: no clock.
//!
//! - [`board::PlayoutBoard`]: the fast kernel (exact liberties as bit sets, no undo, no hash). Its slow reference is
//!   [`crate::board::Board`]; a property test plays both side by side.
//! - [`games`]: many games at once on that kernel, for learners.
//! - [`policy`]: the moves of a playout.
//! - [`ownership`]: the owner of each vertex at the end of playouts; the basis of final status.
//! - [`prediction`]: the likelihood of each move, by weights learned from games.
//! - [`search`]: UCT with all-moves-as-first values and priors.
//! - [`first_movers`]: two such searches, one with either side first, that go on where they stopped.
//! - [`survival`]: the same search for the question whether a dragon survives.

pub mod board;
pub mod first_movers;
pub mod games;
mod nakade;
pub mod ownership;
mod patterns3;
pub mod policy;
pub mod prediction;
pub mod search;
pub mod survival;

pub use board::PlayoutBoard;
pub use first_movers::FirstMovers;
pub use ownership::{Ownership, estimate};
pub use policy::Policy;
pub use prediction::LADDERS;
pub use search::{Finding, Findings, Limits, Prior, Root, search as search_moves, search_on_threads};
pub use survival::{PlayoutCheck, Tried, try_out};
