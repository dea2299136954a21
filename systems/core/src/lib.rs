//! The parts that all domains of Tengen share, without any game: diagnostics, seeds, budgets, match statistics, the
//! schedules and their profiler.
//!
//! **Invariant:** this crate knows no game and reads no clock outside the profiler.
//!
//! # Modules
//! Each imports only those above it; a test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`safe_text`] | texts of strangers made safe for terminals, JSON and spreadsheets |
//! | [`similar`] | the nearest of some names to a misspelt one |
//! | [`autoreset`] | when the games of a vector environment start again |
//! | [`diagnostic`] | one shape for everything that can be wrong with an input |
//! | [`seed`] | seeds, and the generator of random numbers |
//! | [`budget`] | how much work a search or a reading may do |
//! | [`statistics`] | what the results of a match say |
//! | [`schedule`] | how every schedule is set up |
//! | [`profiler`] | times of systems, tree operations and jobs |

pub mod autoreset;
pub mod budget;
pub mod diagnostic;
pub mod profiler;
pub mod safe_text;
pub mod schedule;
pub mod seed;
pub mod similar;
pub mod statistics;

pub use autoreset::Autoreset;
pub use budget::{Budget, Limit, Stop};
pub use diagnostic::{Diagnostic, Position, Severity};
pub use safe_text::{deceives, escaped, escaped_json, escaped_line, safe_cell};
pub use schedule::{Parallelism, strict};
pub use seed::{SplitMix64, derive_seed};
