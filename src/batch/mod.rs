//! Runs cases. Many cases run at once, but the records come in order, and have the same bytes at any number of threads.
//!
//! | module | what |
//! | --- | --- |
//! | [`runner`] | units of cases on workers; limits, interruption, order |
//! | `settings`, `supported` | the limits of a run; whether a task is defined for a game |
//! | `first_step`, `outcome` | the first step of a case; the record of its outcome |
//! | `expand` | all units in one World of the schedule `Expand` |
//! | `worker` | one unit on one thread; a panic affects only its case |
//! | [`store`], [`run_folder`] | files of records; the folder of a run |
//! | [`shard`], [`merge`] | a run that is split among processes, and the merging of its parts |
//! | [`matches`](mod@matches) | matches of rulesheets under Tengen's own game manager |
//! | [`go`], [`chess`], [`gdl`], [`selfplay`] | how each domain runs a case |

pub mod chess;
mod expand;
mod first_step;
pub mod gdl;
pub mod go;
pub mod matches;
pub mod merge;
mod outcome;
pub mod progress;
pub mod run_folder;
pub mod runner;
pub mod selfplay;
mod settings;
pub mod shard;
pub mod store;
mod supported;
#[cfg(test)]
mod tests;
mod worker;

pub use runner::{Event, run};
pub use settings::{Settings, Timing};
pub use supported::supported;
