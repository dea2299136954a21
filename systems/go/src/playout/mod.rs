//! Monte-Carlo reading: light playouts, the ownership that they give, and a search that weighs candidate moves.
//!
//! The search is a *supplement* to the pipeline, not its replacement. Candidates, their reasons and prior values come
//! from [`crate::moves`]; the search plays them out on the whole board. All results depend only on the position, a
//! random seed, and the number of threads that a search was made for. No result depends on a clock.
//!
//! - [`board::PlayoutBoard`]: the fast board (exact liberties as bit sets, no undo, no hash). A property test plays the
//!   same moves on it and on the slower [`crate::board::Board`].
//! - [`games`]: many games at once on that board, for learners.
//! - [`policy`]: the moves of a playout.
//! - [`ownership`]: the owner of each vertex at the end of playouts, which is the basis of the final status.
//! - [`prediction`]: the likelihood of each move, by weights learned from games.
//! - [`search`]: UCT (upper confidence bounds applied to trees) with all-moves-as-first values and priors.
//! - [`first_movers`]: two such searches, one with either side moving first, which can stop and go on.
//! - [`survival`]: the same search, which answers whether a dragon survives.

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
