//! The job scheduler for parallel node expansion. It knows no game.
//!
//! A domain implements [`Searcher`] on its search, with the tree or table dense inside. It starts searches by [`start`]
//! in a World of [`with_world`] or in one with the [`ExpandPlugin`]. [`run_to_end`] ticks the schedule [`Expand`] until
//! all searches are finished. [`drive()`] also feeds the schedule. [`run_all`] combines these steps for searches that
//! share their World with no others. See [`expand`] for the steps of a tick.
//!
//! # Modules
//! Each imports only those above it; a test of the workspace reads this table.
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
