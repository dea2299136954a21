//! The parts of Tengen that Go, chess and general game playing share: diagnostics, random seeds, budgets, match
//! statistics, schedules and their profiler.
//!
//! **Invariant:** this crate knows no game and reads no clock outside the profiler.
//!
//! # Modules
//! Each module imports only modules above it. A test of the workspace reads this table.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`safe_text`] | makes untrusted texts safe for terminals, JSON and spreadsheets |
//! | [`similar`] | the known name that is nearest to a misspelt one |
//! | [`autoreset`] | when the games of a vector environment start again |
//! | [`diagnostic`] | one type for every fault of an input |
//! | [`seed`] | random seeds, and the generator of random numbers |
//! | [`budget`] | how much work a search or a reading may do |
//! | [`statistics`] | statistics of a match |
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
