//! The job scheduler for parallel node expansion. Knows no game.
//!
//! A domain implements [`Searcher`] on its search (tree or table inside, dense) and starts searches by [`start`] in a World
//! of [`with_world`] or one with the [`ExpandPlugin`]; [`run_to_end`] ticks the schedule [`Expand`] until all are finished,
//! [`drive()`] also feeds it, and [`run_all`] is all that for searches that share their World with no others. See [`expand`]
//! for what a tick does.

pub mod expand;

pub use expand::{
    Carried, Expand, ExpandPlugin, ExpandSystems, Running, SearchOrder, Searcher, Status, Whole, Window,
    drive, run_all, run_beside, run_to_end, start, take, with_world,
};
