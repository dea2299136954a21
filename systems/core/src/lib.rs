//! What every domain of Tengen shares, and nothing of any game: diagnostics, seeds, budgets, match statistics, the
//! schedules and their profiler.
//!
//! **Invariant:** this crate knows no game and reads no clock outside the profiler.

pub mod budget;
pub mod diagnostic;
pub mod profiler;
pub mod schedule;
pub mod seed;
pub mod statistics;

pub use budget::{Budget, Limit, Stop};
pub use diagnostic::{Diagnostic, Position, Severity, escaped};
pub use schedule::{Parallelism, strict};
pub use seed::{SplitMix64, derive_seed};
