//! The scheduler that expands the nodes of many searches in parallel, as jobs. It knows no game.
//!
//! A domain implements [`Searcher`] for its search, which stores its tree or table as dense arrays. It starts a search
//! by [`start`], in a World from [`with_world`] or in a World with the [`ExpandPlugin`]. [`run_to_end`] ticks the
//! schedule [`Expand`] until all searches are finished. [`drive()`] can also start new searches between ticks.
//! [`run_all`] combines these steps for searches that share their World with no others. [`expand`] describes the steps
//! of a tick.
//!
//! # Modules
//! Each module imports only modules above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`expand`] | the schedule [`Expand`]: searches, their jobs, the ticks |

pub mod expand;

pub use expand::{
    Expand, ExpandPlugin, ExpandSystems, News, Running, SearchOrder, Searcher, SingleJob, Status, StopSearch,
    TreeJob, Window, add_to_worlds, drive, run_all, run_beside, run_here, run_to_end, start, take,
    with_world,
};
