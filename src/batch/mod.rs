//! Runs cases: many at once, records in order, the same bytes at any number of threads.
//!
//! # Steps
//! 1. The cases are cut into *units*: a few consecutive Go positions that share a World, or one case of another kind.
//! 2. All units run in one World of the schedule `Expand` ([`expand`]), on `--jobs` threads: searches of all domains
//!    beside each other, analyses of Go as jobs with an engine each.
//! 3. The calling thread gets the records and hands them on in the order of the cases.
//!
//! With fewer units than threads the systems spread their items over the idle threads instead. A panic inside a
//! unit becomes an error record of the case that caused it; the others of its unit run again.

pub mod chess;
mod expand;
pub mod gdl;
pub mod go;
pub mod progress;
pub mod record;
pub mod run_folder;
pub mod selfplay;
pub mod store;
#[cfg(test)]
mod tests;

pub use crate::scene::Case;
pub use record::{Checked, Finding, Record, Status};

use crate::scene::{Domain, Input, Task};
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tengen_core::profiler::Recorder;
use tengen_core::{Diagnostic, Parallelism};
use tengen_go::Level;
use tengen_go::patterns::PatternDatabases;

/// Units for each of several threads at least, as long as there are cases: the last one is then a small part of the work.
const UNITS_PER_THREAD: usize = 16;

/// What a run may spend, and how its threads are used.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Nodes of each reading or search; `None` is the task's own limit.
    pub limit_nodes: Option<u64>,
    /// Go: how far to read, whatever a scene says; `None` is what it says.
    pub effort: Option<Level>,
    /// Go positions that share a World at most; results do not depend on it.
    pub boards_per_world: usize,
    /// Who times every system, tree operation and job.
    pub profile: Option<Recorder>,
    /// Go: other pattern databases than our own.
    pub patterns: Option<PatternDatabases>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limit_nodes: None, effort: None, boards_per_world: 8, profile: None, patterns: None }
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

/// One worker's engines, made when first needed.
struct Worker {
    settings: Settings,
    parallelism: Parallelism,
    go: Option<go::GoWorker>,
}

/// Runs the cases of these numbers in this pool and hands each record to `sink`, in the order of `todo`, with the
/// number of its case. Stops early when `interrupted` is set; whoever set it knows.
///
/// # Errors
/// The sink's first error; the run ends there.
pub fn run(
    pool: &rayon::ThreadPool,
    cases: &[Case],
    todo: &[usize],
    settings: &Settings,
    interrupted: &AtomicBool,
    mut sink: impl FnMut(usize, Record, Timing) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = pool.current_num_threads();
    let units = units(cases, todo, settings.boards_per_world.max(1), threads);
    let parallelism = if units.len() < threads { Parallelism::Inside } else { Parallelism::Shards };
    let (mut next, stop) = (0, AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    let batch = expand::Batch { settings: settings.clone(), parallelism, recorder: settings.profile.clone() };
    pool.in_place_scope(|scope| {
        let (units, stop) = (&units, &stop);
        scope.spawn(move |_| {
            let next_unit = || {
                let is_over = interrupted.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
                let unit = units.get(next).filter(|_| !is_over)?;
                next += 1;
                Some((next - 1, cases[unit.clone()].to_vec()))
            };
            // Nobody listens only if the run failed already.
            batch.run(next_unit, |number, records| drop(send.send((number, records))));
        });
        let result = in_order(units, receive, &mut sink);
        stop.store(true, Ordering::Relaxed);
        result
    })
}

/// Step 3: hands the records of the units on in order, keeping those that come too early.
fn in_order(
    units: &[Range<usize>],
    receive: mpsc::Receiver<(usize, Vec<(Record, Timing)>)>,
    sink: &mut impl FnMut(usize, Record, Timing) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut early = BTreeMap::new();
    let mut expected = 0;
    for (number, records) in receive {
        early.insert(number, records);
        while let Some(records) = early.remove(&expected) {
            for (case, (record, timing)) in units[expected].clone().zip(records) {
                sink(case, record, timing)?;
            }
            expected += 1;
        }
    }
    Ok(())
}

/// Step 1: consecutive cases that can share a World; with several threads few enough that none waits long for the last
/// unit of another.
fn units(cases: &[Case], todo: &[usize], most: usize, threads: usize) -> Vec<Range<usize>> {
    let fair = todo.len().div_ceil(threads * UNITS_PER_THREAD).max(1);
    let most = if threads > 1 { most.min(fair) } else { most };
    let mut units: Vec<Range<usize>> = Vec::new();
    for &i in todo {
        match units.last_mut() {
            Some(unit)
                if unit.end == i && unit.len() < most && shares_world(&cases[unit.start], &cases[i]) =>
            {
                unit.end = i + 1
            }
            _ => units.push(i..i + 1),
        }
    }
    units
}

/// Whether both are Go analyses up to the same stage that read as far.
fn shares_world(a: &Case, b: &Case) -> bool {
    let stage = |case: &Case| match (&case.scene, &case.input) {
        (_, Input::Fault(_)) => None,
        (Some(scene), _) if scene.domain() == Domain::Go => match scene.task {
            Task::Analyse { last, .. } => Some((last, scene.effort)),
            _ => None,
        },
        _ => None,
    };
    stage(a).is_some() && stage(a) == stage(b)
}

impl Worker {
    fn new(settings: &Settings, parallelism: Parallelism) -> Self {
        Self { settings: settings.clone(), parallelism, go: None }
    }

    /// Runs a unit; a panic costs only the case that panics.
    fn run_unit(&mut self, cases: &[Case]) -> Vec<(Record, Timing)> {
        let start = Instant::now();
        let records = match catch_unwind(AssertUnwindSafe(|| self.run_cases(cases))) {
            Ok(records) => records,
            Err(cause) => {
                // Its World may be half written.
                self.go = None;
                if let [case] = cases {
                    vec![error(case, &panic_fault(panic_message(&*cause)))]
                } else {
                    return cases.iter().flat_map(|c| self.run_unit(std::slice::from_ref(c))).collect();
                }
            }
        };
        let batch = cases.len();
        let timing = Timing { took: start.elapsed() / u32::try_from(batch).unwrap_or(1).max(1), batch };
        records.into_iter().map(|r| (r, timing)).collect()
    }

    fn run_cases(&mut self, cases: &[Case]) -> Vec<Record> {
        if let [case] = cases
            && let Err(fault) = supported(case)
        {
            return vec![error(case, &fault)];
        }
        if matches!(cases[0].scene.as_ref().map(|s| &s.task), Some(Task::SelfPlay { .. })) {
            return cases.iter().map(|case| finish(case, selfplay::run(case))).collect();
        }
        match cases[0].domain() {
            Some(Domain::Go) => {
                let (settings, parallelism) = (&self.settings, self.parallelism);
                let go = self.go.get_or_insert_with(|| go::GoWorker::new(settings, parallelism));
                cases.iter().zip(go.run(cases)).map(|(case, found)| finish(case, found)).collect()
            }
            // Their tasks are searches.
            _ => Vec::new(),
        }
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

/// The record of a case from what its domain found.
fn finish(case: &Case, found: Result<Finding, Diagnostic>) -> Record {
    match (found, &case.scene) {
        (Ok(finding), Some(scene)) => Record::found(&case.id, scene.domain(), scene.task.name(), finding),
        (Ok(_), None) => error(case, &Diagnostic::error("the case has no scene")),
        (Err(fault), _) => error(case, &fault),
    }
}

fn error(case: &Case, fault: &Diagnostic) -> Record {
    Record::error(&case.id, case.domain(), case.scene.as_ref().map(|s| s.task.name()), fault)
}

fn panic_fault(message: &str) -> Diagnostic {
    Diagnostic::error(format!("this case made the program panic: {message}"))
        .help("this is a fault of the program: please report it with the scene")
}

/// What a panic said.
pub(crate) fn panic_message(cause: &(dyn std::any::Any + Send)) -> &str {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
