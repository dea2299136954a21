//! The application of Tengen: scenes, batches, reports, protocols and the command line.
//!
//! **Invariant:** only this crate prints, reads files and clocks, and knows all domains. The thinking is in the
//! libraries under `systems/`; a library never depends on this crate.

pub mod batch;
pub mod cli;
pub mod fuzzing;
pub mod own;
pub mod protocol;
pub mod report;
pub mod scene;
#[cfg(feature = "viewer")]
pub mod view;

pub use own::app;

/// The Rust code of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
