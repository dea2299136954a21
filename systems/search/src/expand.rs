//! The schedule [`Expand`], which expands many searches of any domain together.
//!
//! # Steps
//! A search repeats three steps: select, work, backup. One tick runs six sets of systems, one after the other:
//! 1. **Backup**: each search merges its earliest finished jobs, in the order in which it selected them.
//! 2. **Publish**: plugins of the domains copy new results to components and entities.
//! 3. **Watch**: systems of users read the published results, and may stop a search by [`StopSearch`].
//! 4. **Reap**: finished searches are marked and return their job entities.
//! 5. **Select**: each running search that has room for jobs picks frontier nodes and arms job entities. It reuses its
//!    old job entities.
//! 6. **Work**: armed jobs run here, in order, or go to the threads of [`mod@drive`].
//!
//! The sets Publish and Watch run only in ticks in which a search has [`News`]. A system there finds these searches by
//! `Changed<News>`. It sees each search at its start and once more after its end, before the search is reaped.
//!
//! # Invariants
//! A job's work depends only on the job and on data that the searcher shares on purpose (a transposition table behind
//! an `Arc`). A search selects and merges in the same order at any timing of the threads ([`Window`]). So without
//! shared tables, the result is the same at any number of threads.
//!
//! # Cost
//! A tick takes 3 us with a profiler, and 0.1 to 0.2 us for each job. A searcher must make its jobs large enough, or
//! merge enough jobs at a time ([`Window::step`]), to keep this under 2 % of the work.

pub mod drive;
pub mod idle;
pub mod job_slot;
pub mod single_job;
pub mod standalone;
#[cfg(test)]
mod tests;
pub mod tree_job;
#[cfg(test)]
mod watch_tests;

pub use drive::{drive, drive_here, run_to_end};
pub use idle::{add_to_worlds, with_world};
pub use single_job::SingleJob;
pub use standalone::{run_all, run_beside, run_here};
pub use tree_job::TreeJob;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use job_slot::{AnyJob, Chunk, JobOf, JobSlot};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tengen_core::Parallelism;
use tengen_core::profiler::{Begun, Kind, Link, Recorder};

/// One tick of all running searches.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expand;

/// The sets of [`Expand`], which run in this order. A tick begins with the results of the previous tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpandSystems {
    /// Results are merged in job order.
    Backup,
    /// Plugins of the domains publish what was merged. The set runs only if a search has [`News`].
    Publish,
    /// Systems of users read the published results, in the same ticks. The schedule itself has no system in this set.
    Watch,
    /// Finished searches are marked. Searches with a [`StopSearch`] are stopped.
    Reap,
    /// Searches pick nodes and arm jobs.
    Select,
    /// Jobs run, or go to the threads.
    Work,
}

/// The number of jobs of a search that are under way at once, and the number that are merged at a time.
///
/// These two numbers alone determine the order of a search's tree operations. A search selects until `jobs` are under
/// way. When the first `step` of them are done, it merges these and selects again. With `step` equal to `jobs`, a
/// search works in rounds. With a smaller step, the threads never wait for a round's slowest job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The most jobs under way.
    pub jobs: usize,
    /// The number of jobs merged at a time.
    pub step: usize,
}

impl Window {
    /// Rounds of this many jobs.
    #[must_use]
    pub const fn rounds(jobs: usize) -> Self {
        Self { jobs, step: jobs }
    }

    /// Enough jobs for this number of threads, so that no thread waits. They are merged one at a time.
    #[must_use]
    pub const fn for_threads(threads: usize) -> Self {
        Self { jobs: 3 * threads, step: 1 }
    }
}

/// A search that can be expanded by jobs. It stores its tree or table as dense arrays. Nodes are never entities.
///
/// The schedule calls [`Self::select`] while there is room for jobs. It calls [`Self::work`] once for each job, on any
/// thread. It calls [`Self::backup`] once for each job, in the order of selection. A search ends when
/// [`Self::finished`] is true and all jobs are merged.
pub trait Searcher: Send + Sync + 'static {
    /// A frontier node to expand: the input of `work`, and room for its result.
    type Job: Send + 'static;

    /// The search's name in profiles: the domain, a slash, and the kind of search.
    fn name(&self) -> &'static str;

    /// The window of the search. The schedule asks for it before every selection. It must depend only on the search's
    /// own state.
    fn window(&self) -> Window;

    /// Picks up to `room` frontier nodes, in an order that depends only on the search's own state. It may pick none
    /// only while jobs are under way or when the search is finished. Otherwise the search would never end.
    fn select(&mut self, room: usize, jobs: &mut Vec<Self::Job>);

    /// Expands one node, and writes the result into the job.
    fn work(job: &mut Self::Job);

    /// Merges one job's result.
    fn backup(&mut self, job: Self::Job);

    /// Whether the search is over: the goal is found, the budget is spent, or nothing is left to expand.
    fn finished(&self) -> bool;

    /// A number that changes when a merged job brings something new to publish (see [`News`]). By default it never
    /// changes.
    fn news(&self) -> u64 {
        0
    }

    /// Ends the search early with its current result. The schedule calls it in every tick while a [`StopSearch`] is on
    /// the search's entity, also while jobs are under way. By default it does nothing, and the search runs to its end.
    fn stop(&mut self) {}
}

/// A search of any kind. [`start`] puts it on an entity, and the caller reads it from there when its status is
/// [`Status::Finished`].
///
/// One component serves all kinds of searches, so each set needs only one system. With separate systems for each kind,
/// making the schedule would take 0.5 ms, as long as a short search.
#[derive(Component)]
#[require(Status, SearchOrder, Jobs, News)]
pub struct Running(Box<dyn AnySearch>);

impl Running {
    /// The search, if it is of this type.
    #[must_use]
    pub fn search<S: Searcher>(&self) -> Option<&S> {
        let search: &dyn Any = &*self.0;
        search.downcast_ref()
    }
}

/// A [`Searcher`] of any type.
trait AnySearch: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn window(&self) -> Window;
    fn select(&mut self, room: usize, jobs: &mut VecDeque<Box<dyn AnyJob>>);
    fn backup(&mut self, job: Box<dyn AnyJob>);
    fn finished(&self) -> bool;
    fn news(&self) -> u64;
    fn stop(&mut self);
}

impl<S: Searcher> AnySearch for S {
    fn name(&self) -> &'static str {
        Searcher::name(self)
    }

    fn window(&self) -> Window {
        Searcher::window(self)
    }

    fn select(&mut self, room: usize, jobs: &mut VecDeque<Box<dyn AnyJob>>) {
        let mut selected = Vec::new();
        Searcher::select(self, room, &mut selected);
        jobs.extend(selected.into_iter().map(|job| Box::new(JobOf::<S>(job)) as Box<dyn AnyJob>));
    }

    fn backup(&mut self, job: Box<dyn AnyJob>) {
        let job: Box<dyn Any> = job;
        let job = job.downcast::<JobOf<S>>().expect("a search's slots hold its own jobs");
        Searcher::backup(self, job.0);
    }

    fn finished(&self) -> bool {
        Searcher::finished(self)
    }

    fn news(&self) -> u64 {
        Searcher::news(self)
    }

    fn stop(&mut self) {
        Searcher::stop(self);
    }
}

/// The stable sort key of a search among all searches in the World.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct SearchOrder(pub u64);

/// A component that changes when a search has something new to publish: at its start, when [`Searcher::news`] changes,
/// and at its end. Only the schedule writes it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    number: u64,
    is_finished: bool,
}

impl News {
    /// The news of a search with this number of jobs under way. It ends when the last one is merged.
    fn of(search: &dyn AnySearch, under_way: usize) -> Self {
        Self { number: search.news(), is_finished: under_way == 0 && search.finished() }
    }
}

/// Asks a search to end with its current result. A system in [`ExpandSystems::Watch`] inserts it on the search's
/// entity. The search selects no more jobs, and the next tick reaps it. Searches whose [`Searcher::stop`] does nothing
/// ignore this component.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopSearch;

/// Whether a search still needs ticks. Systems of the set Reap write it.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// The search needs more ticks.
    #[default]
    Searching,
    /// Its [`Running`] holds the result.
    Finished,
    /// The search panicked with this message, and its [`Running`] may be half written. Other searches are not affected.
    Panicked(String),
}

/// The job entities of a search: the working ones as chunks in the order selected, and the free ones.
#[derive(Component, Default)]
struct Jobs {
    chunks: VecDeque<Chunk>,
    free: Vec<(Entity, Arc<JobSlot>)>,
    armed: u32,
    under_way: usize,
    fault: Option<String>,
}

/// A job entity: the place of its work. Written by Select, Work and Backup in turn.
#[derive(Component)]
struct Job(#[expect(dead_code, reason = "who looks at a World's entities finds the work here")] Arc<JobSlot>);

/// The effect of a tick: the jobs armed and not yet handed out, and whether anything was merged or reaped.
#[derive(Resource, Default)]
struct Done {
    armed: Vec<Arc<JobSlot>>,
    moved: bool,
}

/// The number of this World in the profile.
#[derive(Resource, Clone, Copy, Debug, Default)]
struct Recorded(u32);

/// Starts a search. Where the order of searches matters, they run in the order of `order`.
pub fn start<S: Searcher>(world: &mut World, order: u64, search: S) -> Entity {
    world.spawn((SearchOrder(order), Running(Box::new(search)))).id()
}

/// Takes a finished search and its entity out of the World. `None` if the entity has no finished search of this type.
pub fn take<S: Searcher>(world: &mut World, entity: Entity) -> Option<S> {
    if world.get::<Status>(entity) != Some(&Status::Finished) {
        return None;
    }
    world.get::<Running>(entity)?.search::<S>()?;
    let search: Box<dyn Any> = world.entity_mut(entity).take::<Running>()?.0;
    world.despawn(entity);
    search.downcast().ok().map(|search| *search)
}

/// Adds the schedule [`Expand`], for searches of all kinds.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpandPlugin;

impl Plugin for ExpandPlugin {
    fn build(&self, app: &mut App) {
        use ExpandSystems as E;
        app.init_resource::<Parallelism>().init_resource::<Done>().init_schedule(Expand);
        app.edit_schedule(Expand, |schedule| {
            tengen_core::strict(schedule);
            schedule
                .configure_sets((E::Backup, E::Publish, E::Watch, E::Reap, E::Select, E::Work).chain())
                .configure_sets((E::Publish, E::Watch).run_if(any_news));
        });
        app.add_systems(
            Expand,
            (
                backup.in_set(E::Backup),
                (stop, reap).chain().in_set(E::Reap),
                select.in_set(E::Select),
                drive::work.in_set(E::Work),
            ),
        );
    }
}

/// Whether a search has news since the last tick.
fn any_news(searches: Query<(), Changed<News>>) -> bool {
    !searches.is_empty()
}

/// A tree operation, timed if there is a recorder.
fn operation<R>(
    recorder: Option<&(Recorder, u32)>,
    search: &mut dyn AnySearch,
    kind: Kind,
    order: SearchOrder,
    run: impl FnOnce(&mut dyn AnySearch) -> (R, u32, u32),
) -> R {
    let Some((recorder, world)) = recorder else { return run(search).0 };
    let row = recorder.row_of(search.name(), kind);
    let begun = Begun::now();
    let (result, first, jobs) = recorder.scope(|| run(search));
    let link = Link { world: *world, search: order.0, first, jobs };
    recorder.end(begun, kind, row, u64::from(jobs), Some(link));
    result
}

fn recorder(recorder: Option<Res<Recorder>>, world: Option<Res<Recorded>>) -> Option<(Recorder, u32)> {
    Some((recorder?.clone(), world?.0))
}

/// Step 5.
fn select(
    mut searches: Query<(&mut Running, &mut Jobs, &SearchOrder, &Status)>,
    mut done: ResMut<Done>,
    mut commands: Commands,
    mut selected: Local<VecDeque<Box<dyn AnyJob>>>,
    profiler: (Option<Res<Recorder>>, Option<Res<Recorded>>),
) {
    let recorder = recorder(profiler.0, profiler.1);
    for (mut search, mut jobs, &order, status) in &mut searches {
        if *status != Status::Searching || jobs.fault.is_some() || search.0.finished() {
            continue;
        }
        let window = search.0.window();
        let room = window.jobs.saturating_sub(jobs.under_way);
        if room == 0 || (jobs.under_way > 0 && room < window.step) {
            continue;
        }
        let first = jobs.armed;
        let picked = catch_unwind(AssertUnwindSafe(|| {
            operation(recorder.as_ref(), &mut *search.0, Kind::Select, order, |search| {
                search.select(room, &mut selected);
                ((), first, selected.len() as u32)
            });
        }));
        if let Err(cause) = picked {
            selected.clear();
            jobs.fault = Some(job_slot::message(&*cause));
            continue;
        }
        // Who finds that nothing is left to do has to be reaped.
        done.moved |= selected.is_empty() && search.0.finished();
        let name = search.0.name();
        while !selected.is_empty() {
            let of_chunk = window.step.clamp(1, selected.len());
            let mut chunk = Chunk::new(of_chunk);
            for job in selected.drain(..of_chunk) {
                let (entity, slot) = jobs.free.pop().unwrap_or_else(|| {
                    let slot = Arc::new(JobSlot::default());
                    (commands.spawn(Job(Arc::clone(&slot))).id(), slot)
                });
                slot.arm(job, (order, jobs.armed), name, &chunk);
                done.armed.push(Arc::clone(&slot));
                chunk.jobs.push((entity, slot));
                jobs.armed += 1;
                jobs.under_way += 1;
            }
            jobs.chunks.push_back(chunk);
        }
    }
}

/// Step 1.
fn backup(
    mut searches: Query<(&mut Running, &mut Jobs, &mut News, &SearchOrder)>,
    mut done: ResMut<Done>,
    profiler: (Option<Res<Recorder>>, Option<Res<Recorded>>),
) {
    let recorder = recorder(profiler.0, profiler.1);
    for (mut search, mut jobs, mut news, &order) in &mut searches {
        if !jobs.chunks.front().is_some_and(Chunk::is_done) {
            continue;
        }
        let Some(chunk) = jobs.chunks.pop_front() else { continue };
        done.moved = true;
        for (entity, slot) in chunk.jobs {
            let number = slot.number();
            jobs.under_way -= 1;
            let merged = slot.take().and_then(|job| {
                if jobs.fault.is_some() {
                    return Ok(());
                }
                catch_unwind(AssertUnwindSafe(|| {
                    operation(recorder.as_ref(), &mut *search.0, Kind::Backup, order, |search| {
                        search.backup(job);
                        ((), number, 1)
                    });
                }))
                .map_err(|cause| job_slot::message(&*cause))
            });
            if let Err(fault) = merged {
                jobs.fault = Some(fault);
            }
            jobs.free.push((entity, slot));
        }
        // A search that panicked may be half written.
        if jobs.fault.is_none() {
            news.set_if_neq(News::of(&*search.0, jobs.under_way));
        }
    }
}

/// Step 4, for searches that a system stops.
fn stop(mut searches: Query<(&mut Running, &mut Jobs, &Status), With<StopSearch>>) {
    for (mut search, mut jobs, status) in &mut searches {
        if *status != Status::Searching || jobs.fault.is_some() || search.0.finished() {
            continue;
        }
        if let Err(cause) = catch_unwind(AssertUnwindSafe(|| search.0.stop())) {
            jobs.fault = Some(job_slot::message(&*cause));
        }
    }
}

/// Step 4. A search that ends without a merged job, because it is stopped or its time is over, is reaped in the next
/// tick. So its end is published too.
fn reap(
    mut searches: Query<(&Running, &mut Jobs, &mut News, &mut Status)>,
    mut done: ResMut<Done>,
    mut commands: Commands,
) {
    for (search, mut jobs, mut news, mut status) in &mut searches {
        if *status != Status::Searching || jobs.under_way > 0 {
            continue;
        }
        *status = match jobs.fault.take() {
            Some(fault) => Status::Panicked(fault),
            None if search.0.finished() => {
                done.moved = true;
                if news.set_if_neq(News::of(&*search.0, 0)) {
                    continue;
                }
                Status::Finished
            }
            None => continue,
        };
        done.moved = true;
        for (entity, _) in jobs.free.drain(..) {
            commands.entity(entity).despawn();
        }
    }
}
