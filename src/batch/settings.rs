//! The settings of a run (its limits and its use of threads), and the time that a case took.

use crate::extension::Extensions;
use crate::limits::CaseLimits;
use std::time::{Duration, Instant};
use tengen_core::profiler::Recorder;
use tengen_go::Level;
use tengen_go::judge::JudgeInForce;
use tengen_go::patterns::PatternDatabases;

/// The limits of a run, and its use of threads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes of each reading or search; `None` is the task's own limit.
    pub limit_nodes: Option<u64>,
    /// Go: the effort in place of that of the scenes; `None` uses the scenes' own.
    pub effort: Option<Level>,
    /// Go: the judge in place of that of the scenes; `None` uses the scenes' own.
    pub judge: Option<JudgeInForce>,
    /// Whether a scene may name a program as its judge.
    pub allow_commands: bool,
    /// The limits of each case.
    pub limits: CaseLimits,
    /// Go positions that share a World at most; results do not depend on it.
    pub boards_per_world: usize,
    /// The number of threads for which units are cut, if it exceeds that of the pool; results do not depend on it.
    pub cut_for: usize,
    /// Go: an illegal move of a record is a warning, and the position before it is analysed. Otherwise it is an
    /// error.
    pub illegal_moves_pass: bool,
    /// Every warning makes its case an error.
    pub strict: bool,
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
            judge: None,
            allow_commands: false,
            limits: CaseLimits::default(),
            boards_per_world: 8,
            cut_for: 1,
            illegal_moves_pass: false,
            strict: false,
            profile: None,
            extensions: Extensions::default(),
            patterns: None,
        }
    }
}

/// The time of a case. A batch of boards is timed together, and the time is divided evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Its share of the wall time.
    pub took: Duration,
    /// Cases timed together.
    pub batch: usize,
}

impl Timing {
    /// This time, or where none was taken that since a moment.
    pub(super) fn or_since(self, since: Instant) -> Self {
        if self.batch > 0 { self } else { Self { took: since.elapsed(), batch: 1 } }
    }
}
