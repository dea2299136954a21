//! The World of a batch: every unit runs on the schedule `Expand`, searches of all domains beside each other.
//!
//! # Steps
//! 1. A unit begins as one job: it reads what the case names and, where the task is no search of its own, does it.
//! 2. A search goes on in the same World, tick by tick; what its last tick found becomes the record.
//! 3. Units begin in order, a few more than there are threads. A thread takes the jobs of the earliest unit first, so
//!    records come nearly in order.

use super::{Case, Finding, Record, Settings, Timing, Watch, Worker, error, finish, panic_fault};
use crate::scene::{Domain, Task};
use bevy_app::App;
use bevy_ecs::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tengen_chess::rules::perft::Perft;
use tengen_chess::search::Think;
use tengen_core::profiler::{Recorder, count, step};
use tengen_core::{Diagnostic, Parallelism};
use tengen_propnet::players::uct::Uct;
use tengen_search::{ExpandPlugin, Searcher, Status, Whole, drive, start, take};

/// What becomes of a search that is over.
pub(super) type Finish<S> = Box<dyn FnOnce(S) -> Result<Finding, Diagnostic> + Send>;

/// How a case begins.
pub(super) enum Begun {
    /// It is done already.
    Found(Finding),
    /// A search of chess.
    Chess(Box<Think>, Finish<Think>),
    /// A count of chess positions.
    Perft(Perft, Finish<Perft>),
    /// A search of a rulesheet.
    Uct(Box<Uct>, Finish<Uct>),
}

/// What the first job of a unit comes to.
enum First {
    Records(Vec<(Record, Timing)>),
    Search(Box<(Case, Begun)>),
}

/// A unit that has begun.
struct Unit {
    number: usize,
    entity: Entity,
    since: Instant,
    stage: Box<Stage>,
}

enum Stage {
    First(Vec<Case>),
    Chess(Case, Finish<Think>),
    Perft(Case, Finish<Perft>),
    Uct(Case, Finish<Uct>),
}

/// Runs units in a World of their own, on the threads of the current pool.
pub(super) struct Batch {
    /// What they may spend.
    pub(super) settings: Settings,
    /// Whether the systems of Go spread their items over threads.
    pub(super) parallelism: Parallelism,
    /// Who listens.
    pub(super) recorder: Option<Recorder>,
}

impl Batch {
    /// Asks `next` for units, by number, until there is none, and hands on the records of each as it ends.
    pub(super) fn run(
        self,
        mut next: impl FnMut() -> Option<(usize, Vec<Case>)> + Send,
        mut emit: impl FnMut(usize, Vec<(Record, Timing)>) + Send,
    ) {
        let threads = rayon::current_num_threads();
        let most = if threads == 1 { 1 } else { 2 * threads };
        let recorder = self.recorder.clone();
        let mut app = App::empty();
        app.insert_resource(if threads > 1 { Parallelism::Inside } else { Parallelism::Shards });
        app.add_plugins((
            ExpandPlugin::<Whole<First>>::default(),
            ExpandPlugin::<Think>::default(),
            ExpandPlugin::<Perft>::default(),
            ExpandPlugin::<Uct>::default(),
        ));
        let idle = Arc::new(Mutex::new(Vec::new()));
        let batch = Arc::new(self);
        let mut open: Vec<Unit> = Vec::new();
        let mut run = || {
            drive(app.world_mut(), |world| {
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
            });
        };
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
    let stage = Box::new(Stage::First(cases.clone()));
    let (batch, idle) = (Arc::clone(batch), Arc::clone(idle));
    let lock = |idle: &Mutex<Vec<Worker>>| idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let whole = Whole::new(name(&cases[0]), move || {
        if let [case] = &cases[..]
            && let Some(begun) = search(case, &batch.settings)
        {
            return match begun {
                Ok(begun) => First::Search(Box::new((case.clone(), begun))),
                Err(fault) => First::Records(vec![(error(case, &fault), Timing::default())]),
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
fn search(case: &Case, settings: &Settings) -> Option<Result<Begun, Diagnostic>> {
    if super::supported(case).is_err() {
        return None;
    }
    match (case.domain()?, &case.scene.as_ref()?.task) {
        (_, Task::SelfPlay { .. }) | (Domain::Go, _) => None,
        (Domain::Chess, _) => Some(super::chess::begin(case, settings)),
        (Domain::Gdl, _) => Some(super::gdl::begin(case, settings)),
    }
}

/// What the first job of a case is called.
fn name(case: &Case) -> &'static str {
    match (case.domain(), case.scene.as_ref().map(|s| &s.task)) {
        (Some(Domain::Go), Some(Task::Analyse { .. })) => "go/analyse",
        (Some(Domain::Go), Some(Task::SelfPlay { .. })) => "go/games",
        (Some(Domain::Go), Some(Task::Playouts { .. })) => "go/playouts",
        (Some(Domain::Go), _) => "go/influence",
        (Some(Domain::Chess), Some(Task::SelfPlay { .. })) => "chess/games",
        (Some(Domain::Chess), Some(Task::Search { exact: true, .. })) => "chess/exact",
        (Some(Domain::Chess), _) => "chess/set up",
        (Some(Domain::Gdl), Some(Task::SelfPlay { .. })) => "propnet/games",
        (Some(Domain::Gdl), Some(Task::Search { .. })) => "propnet/set up",
        (Some(Domain::Gdl), Some(Task::Perft { .. })) => "propnet/perft",
        (Some(Domain::Gdl), _) => "propnet/playouts",
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
                let cases = match &*self.stage {
                    Stage::First(cases) => cases.clone(),
                    Stage::Chess(case, _) | Stage::Perft(case, _) | Stage::Uct(case, _) => vec![case.clone()],
                };
                let records = cases.iter().map(|case| error(case, &panic_fault(&message))).collect();
                return self.done(records);
            }
            _ => {}
        }
        let Self { number, entity, since, stage } = self;
        match *stage {
            Stage::First(_) => match take::<Whole<First>>(world, entity).and_then(Whole::found) {
                Some(First::Records(records)) => {
                    Err((number, Ok(records.into_iter().map(|(r, t)| (r, t.or_since(since))).collect())))
                }
                Some(First::Search(begun)) => next(world, number, since, *begun),
                None => Err((number, Ok(Vec::new()))),
            },
            Stage::Chess(case, then) => end::<Think>(world, entity, number, since, &case, then),
            Stage::Perft(case, then) => end::<Perft>(world, entity, number, since, &case, then),
            Stage::Uct(case, then) => end::<Uct>(world, entity, number, since, &case, then),
        }
    }

    fn done(&self, records: Vec<Record>) -> Step {
        let timing = Timing { took: self.since.elapsed(), batch: records.len() };
        Err((self.number, Ok(records.into_iter().map(|r| (r, timing)).collect())))
    }
}

/// A case whose first job is done.
fn next(world: &mut World, number: usize, since: Instant, (case, begun): (Case, Begun)) -> Step {
    let order = number as u64;
    let (entity, stage) = match begun {
        Begun::Found(finding) => {
            let timing = Timing { took: since.elapsed(), batch: 1 };
            return Err((number, Ok(vec![(finish(&case, Ok(finding)), timing)])));
        }
        Begun::Chess(search, then) => (start(world, order, *search), Stage::Chess(case, then)),
        Begun::Perft(search, then) => (start(world, order, search), Stage::Perft(case, then)),
        Begun::Uct(search, then) => (start(world, order, *search), Stage::Uct(case, then)),
    };
    Err((number, Err(Unit { number, entity, since, stage: Box::new(stage) })))
}

/// A search that is over.
fn end<S: Searcher>(
    world: &mut World,
    entity: Entity,
    number: usize,
    since: Instant,
    case: &Case,
    then: Finish<S>,
) -> Step {
    let found = match take::<S>(world, entity) {
        Some(search) => step("batch: results and expectations", || {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| then(search)))
                .unwrap_or_else(|cause| Err(panic_fault(super::panic_message(&*cause))))
        }),
        None => Err(Diagnostic::error("the search is gone")),
    };
    count("searches", 1);
    let timing = Timing { took: since.elapsed(), batch: 1 };
    Err((number, Ok(vec![(finish(case, found), timing)])))
}
