//! What every domain of Tengen shares, and nothing of any game: diagnostics, seeds, budgets, the schedules and
//! their profiler.
//!
//! **Invariant:** this crate knows no game and reads no clock outside [`profiler`].

pub mod diagnostic;
pub mod seed;

pub use diagnostic::{Diagnostic, Position, Severity};
pub use seed::{SplitMix64, derive_seed};
