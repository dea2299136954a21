//! The playing search: iterative deepening with pruning, shared by several workers.
//!
//! | module | what |
//! | --- | --- |
//! | [`table`] | the shared lock-free transposition table |
//! | [`see`] | static exchange evaluation |
//! | [`checks`] | which moves give check |
//! | [`order`] | killers, histories, and the staged move picker |
//! | `constants` | limits and margins of pruning, reductions and extensions, with their origins |
//! | `context` | the data of one node that its steps share |
//! | [`worker`] | the state of one thread, the root search, aspiration windows |
//! | [`node`] | principal variation search |
//! | `prune` | pruning of moves and nodes |
//! | `reductions` | the reduced depth of late moves |
//! | [`quiesce`] | quiescence: captures until the position is quiet |
//! | [`busy`] | the moves that other workers are searching (parallel search) |
//! | [`think`] | iterations as jobs of the `Expand` schedule; the library's entry points |
//! | [`report`] | limits, options, results |
//! | [`chances`] | turns a score into the chances of a win, a draw and a loss |
//! | [`strength`] | turns a rating into a number of nodes for each move |
//!
//! All modules are generic over the repetition scheme ([`crate::repetition`]). So the schemes can be compared inside
//! the playing search.

pub mod bench;
pub mod busy;
pub mod chances;
pub mod checks;
mod constants;
mod context;
pub mod node;
pub mod order;
mod pages;
pub mod picker;
mod prune;
pub mod quiesce;
mod reductions;
pub mod report;
pub mod see;
pub mod strength;
pub mod table;
pub mod think;
pub mod worker;

pub use report::{Info, Limits, MOST_PERPETUAL, Options, ScoreBound, SearchReport};
pub use table::Table;
pub use think::{Observer, Think, search, search_with};
pub use worker::RootHook;

/// Deepest ply.
///
/// Origin: definition, the size of the stacks of a search.
pub const MAX_PLY: usize = 128;

#[cfg(test)]
mod tests;
