//! The World of a batch. All units of cases run in it on the schedule `Expand`, together with the searches of all
//! domains.
//!
//! # Steps
//! 1. A unit of cases begins as one job. The job reads the files that the case names. It also performs the task, unless
//!    the task is a search.
//! 2. A search goes on in the same World, tick by tick. The result of its last tick becomes the record.
//! 3. Units begin in order. A few more units are open than there are threads. A thread takes the jobs of the earliest
//!    unit first, so records come nearly in order.

use super::first_step::{Begin, End, FirstStep};
use super::outcome::{error, finish, panic_fault};
use super::settings::{Settings, Timing};
use super::supported::supported;
use super::worker::Worker;
use super::{chess, gdl, selfplay};
use crate::limits::Watch;
use crate::record::Record;
use crate::scene::{Case, Domain, Task};
use bevy_ecs::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tengen_core::profiler::{Recorder, count, step};
use tengen_core::{Diagnostic, Parallelism};
use tengen_search::{SingleJob, Status, drive, start, take, with_world};

/// The result of the first job of a unit.
enum First {
    Records(Vec<(Record, Timing)>),
    Search(Case, Box<dyn Begin>, bool),
}

/// A unit that has begun.
struct Unit {
    number: usize,
    entity: Entity,
    since: Instant,
    stage: Stage,
}

enum Stage {
    First(Vec<Case>),
    Search(Box<Case>, Box<dyn End>, bool),
}

/// Runs units in a World of their own, on the threads of the current pool.
pub(super) struct Batch {
    /// The limits of the cases.
    pub(super) settings: Settings,
    /// Whether the systems of Go spread their items over threads.
    pub(super) parallelism: Parallelism,
    /// The recorder, if the run is profiled.
    pub(super) recorder: Option<Recorder>,
}

impl Batch {
    /// Asks `next` for units, by number, until it gives none. Passes on the records of each finished unit.
    pub(super) fn run(
        self,
        mut next: impl FnMut() -> Option<(usize, Vec<Case>)> + Send,
        mut emit: impl FnMut(usize, Vec<(Record, Timing)>) + Send,
    ) {
        let threads = rayon::current_num_threads();
        let most = if threads == 1 { 1 } else { 2 * threads };
        let recorder = self.recorder.clone();
        let parallelism = if threads > 1 { Parallelism::Inside } else { Parallelism::Shards };
        let idle = Arc::new(Mutex::new(Vec::new()));
        let batch = Arc::new(self);
        let mut open: Vec<Unit> = Vec::new();
        let advance = |world: &mut World| {
            let mut still = Vec::with_capacity(open.len());
            let mut moved = false;
            for unit in open.drain(..) {
                match unit.go_on(world) {
                    Ok(unit) => still.push(unit),
                    Err((number, Ok(records))) => {
                        moved = true;
                        emit(number, records);
                    }
                    Err((_, Err(unit))) => {
                        moved = true;
                        still.push(unit);
                    }
                }
            }
            open = still;
            while open.len() < most
                && let Some((number, cases)) = next()
            {
                moved = true;
                open.push(begin(world, &batch, &idle, number, cases));
            }
            moved
        };
        let run = || with_world(parallelism, |world| drive(world, advance));
        match recorder {
            Some(recorder) => recorder.scope(|| step("batch", run)),
            None => run(),
        }
    }
}

/// Step 1.
fn begin(
    world: &mut World,
    batch: &Arc<Batch>,
    idle: &Arc<Mutex<Vec<Worker>>>,
    number: usize,
    cases: Vec<Case>,
) -> Unit {
    let stage = Stage::First(cases.clone());
    let (batch, idle) = (Arc::clone(batch), Arc::clone(idle));
    let lock = |idle: &Mutex<Vec<Worker>>| idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let whole = SingleJob::new(name(&cases[0]), move || {
        if let [case] = &cases[..]
            && let Some(first_step) = search(case, &batch.settings)
        {
            let alone = |record| First::Records(vec![(record, Timing::default())]);
            return match first_step {
                Ok(FirstStep::Search(search)) => First::Search(case.clone(), search, batch.settings.strict),
                Ok(FirstStep::Found(finding)) => alone(finish(case, Ok(finding), batch.settings.strict)),
                Err(fault) => alone(error(case, &fault)),
            };
        }
        let mut worker = lock(&idle).unwrap_or_else(|| Worker::new(&batch.settings, batch.parallelism));
        let records = worker.run_unit(&cases, &Watch::default());
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        First::Records(records)
    });
    Unit { number, entity: start(world, number as u64, whole), since: Instant::now(), stage }
}

/// The search that a case is, if it is one.
fn search(case: &Case, settings: &Settings) -> Option<Result<FirstStep, Diagnostic>> {
    if supported(case).is_err() {
        return None;
    }
    match (case.domain()?, &case.scene.as_ref()?.task) {
        (_, Task::SelfPlay { .. }) => Some(selfplay::begin(case, settings)),
        (Domain::Go, _) => None,
        (Domain::Chess, _) => Some(chess::begin(case, settings)),
        (Domain::Gdl, _) => Some(gdl::begin(case, settings)),
    }
}

/// The name of a case's first job in profiles.
fn name(case: &Case) -> &'static str {
    match (case.domain(), case.scene.as_ref().map(|s| &s.task)) {
        (_, Some(Task::SelfPlay { .. })) => "games/set up",
        (Some(Domain::Go), Some(Task::Analyse { .. })) => "go/analyse",
        (Some(Domain::Go), Some(Task::Playouts { .. })) => "go/playouts",
        (Some(Domain::Go), _) => "go/influence",
        (Some(Domain::Chess), Some(Task::Search { exact: true, .. })) => "chess/exact",
        (Some(Domain::Chess), _) => "chess/set up",
        (Some(Domain::Gdl), _) => "propnet/set up",
        (None, _) => "batch/fault",
    }
}

/// A unit that goes on as it is, or else its number with its records or with its next stage.
type Step = Result<Unit, (usize, Result<Vec<(Record, Timing)>, Unit>)>;

impl Unit {
    /// Step 2.
    fn go_on(self, world: &mut World) -> Step {
        match world.get::<Status>(self.entity).cloned() {
            Some(Status::Searching) => return Ok(self),
            Some(Status::Panicked(message)) => {
                world.despawn(self.entity);
                let cases = match &self.stage {
                    Stage::First(cases) => cases.clone(),
                    Stage::Search(case, ..) => vec![Case::clone(case)],
                };
                let records = cases.iter().map(|case| error(case, &panic_fault(&message))).collect();
                return self.done(records);
            }
            _ => {}
        }
        let Self { number, entity, since, stage } = self;
        match stage {
            Stage::First(_) => match take::<SingleJob<First>>(world, entity).and_then(SingleJob::found) {
                Some(First::Records(records)) => {
                    Err((number, Ok(records.into_iter().map(|(r, t)| (r, t.or_since(since))).collect())))
                }
                Some(First::Search(case, search, strict)) => {
                    let (entity, end) = search.start(world, number as u64);
                    let stage = Stage::Search(Box::new(case), end, strict);
                    Err((number, Err(Self { number, entity, since, stage })))
                }
                None => Err((number, Ok(Vec::new()))),
            },
            Stage::Search(case, end, strict) => {
                let found = end.end(world, entity);
                count("searches", 1);
                let timing = Timing { took: since.elapsed(), batch: 1 };
                Err((number, Ok(vec![(finish(&case, found, strict), timing)])))
            }
        }
    }

    fn done(&self, records: Vec<Record>) -> Step {
        let timing = Timing { took: self.since.elapsed(), batch: records.len() };
        Err((self.number, Ok(records.into_iter().map(|r| (r, timing)).collect())))
    }
}
