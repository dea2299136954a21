//! Runs cases: many at once, records in order, the same bytes at any number of threads.
//!
//! | module | what |
//! | --- | --- |
//! | [`runner`] | units of cases on workers; limits, interruption, order |
//! | `expand` | all units in one World of the schedule `Expand` |
//! | `worker` | one unit on one thread; a panic costs only its case |
//! | [`store`], [`run_folder`] | files of records; the folder of a run |
//! | [`shard`], [`merge`] | a run shared out among processes, and put together |
//! | [`go`], [`chess`], [`gdl`], [`selfplay`] | what each domain does with a case |

pub mod chess;
mod expand;
pub mod gdl;
pub mod go;
pub mod merge;
pub mod progress;
pub mod run_folder;
pub mod runner;
pub mod selfplay;
pub mod shard;
pub mod store;
#[cfg(test)]
mod tests;
mod worker;

pub use crate::limits::{CaseLimits, Watch};
pub use crate::record::{Checked, Finding, Record, Status};
pub use crate::scene::Case;
pub use runner::{Event, run};

use crate::extension::Extensions;
use crate::scene::{Domain, Input, Task};
use std::time::{Duration, Instant};
use tengen_chess::rules::perft::MAX_DEPTH;
use tengen_core::Diagnostic;
use tengen_core::profiler::Recorder;
use tengen_go::Level;
use tengen_go::patterns::PatternDatabases;
use worker::{Worker, error, finish, panic_fault};

/// What a run may spend, and how its threads are used.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes of each reading or search; `None` is the task's own limit.
    pub limit_nodes: Option<u64>,
    /// Go: how far to read, whatever a scene says; `None` is what it says.
    pub effort: Option<Level>,
    /// What each case may cost.
    pub limits: CaseLimits,
    /// Go positions that share a World at most; results do not depend on it.
    pub boards_per_world: usize,
    /// Units are cut for so many threads, if that is more than there are; results do not depend on it.
    pub cut_for: usize,
    /// Go: a move of a record that can't be played is a warning, and the position is the one before it; else it is an
    /// error.
    pub illegal_moves_pass: bool,
    /// Who times every system, tree operation and job.
    pub profile: Option<Recorder>,
    /// Go: what users add to every World.
    pub extensions: Extensions,
    /// Go: other pattern databases than our own.
    pub patterns: Option<PatternDatabases>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limit_nodes: None,
            effort: None,
            limits: CaseLimits::default(),
            boards_per_world: 8,
            cut_for: 1,
            illegal_moves_pass: false,
            profile: None,
            extensions: Extensions::default(),
            patterns: None,
        }
    }
}

/// How long a case took. A batch of boards is timed together and shared out evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Its share of the wall time.
    pub took: Duration,
    /// Cases timed together.
    pub batch: usize,
}

impl Timing {
    /// This time, or where none was taken that since a moment.
    fn or_since(self, since: Instant) -> Self {
        if self.batch > 0 { self } else { Self { took: since.elapsed(), batch: 1 } }
    }
}

/// Whether a case can be run at all; if not, why.
///
/// # Errors
/// The fault its input had, or that its task means nothing for its game.
pub fn supported(case: &Case) -> Result<(), Diagnostic> {
    if let Input::Fault(fault) = &case.input {
        return Err(fault.clone());
    }
    let Some(scene) = &case.scene else { return Ok(()) };
    if let Task::Perft { depth } = scene.task
        && depth > MAX_DEPTH
    {
        return Err(chess::too_deep(case, depth));
    }
    let choices = match (scene.domain(), &scene.task) {
        (Domain::Go, Task::Search { .. } | Task::Perft { .. }) => {
            "`Analyse`, `SelfPlay`, `Playouts` and `Influence`"
        }
        (Domain::Chess, Task::Analyse { .. } | Task::Playouts { .. } | Task::Influence { .. }) => {
            "`Search`, `Perft` and `SelfPlay`"
        }
        (Domain::Gdl, Task::Analyse { .. } | Task::Influence { .. }) => {
            "`Playouts`, `Perft`, `Search` and `SelfPlay`"
        }
        _ => return Ok(()),
    };
    Err(case
        .fault("task:", format!("the task `{}` means nothing for this game", scene.task.name()))
        .help(format!("the tasks of this game are {choices}")))
}
