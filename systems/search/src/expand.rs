//! The schedule [`Expand`]: many searches, of any domain, expanded together.
//!
//! # Steps
//! One tick is four sets, chained:
//! 1. **Select**: each running search picks frontier nodes and arms job entities with them, re-using its old ones.
//! 2. **Work**: all armed jobs of all searches of all domains run, spread over rayon's pool in one region.
//! 3. **Backup**: each search merges its results in the order it selected them.
//! 4. **Reap**: finished searches are marked and give their job entities back.
//!
//! # Invariants
//! A job's work depends on the job alone and on what the searcher shares on purpose (a transposition table behind
//! an `Arc`). Jobs run in the order (search, selected) when there is one thread, and merge in that order always; so
//! without shared tables the result is the same at any thread count.
//!
//! # Cost
//! A tick costs 150 ns and 1 to 4 ns a job, waking rayon 7 to 12 us: [`Searcher::JOB_NANOS`] sizes the batch so that
//! this stays under 5 % of the work.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use std::any::Any;
use tengen_core::Parallelism;

#[cfg(test)]
mod tests;

/// One tick of all running searches.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expand;

/// The sets of [`Expand`], chained in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpandSystems {
    /// Searches pick nodes and arm jobs.
    Select,
    /// Jobs run.
    Work,
    /// Results are merged in job order.
    Backup,
    /// Finished searches are marked.
    Reap,
}

/// A search that can be expanded by jobs. Its tree or table is a dense arena inside; nodes are never entities.
///
/// A tick calls [`Self::select`] once, [`Self::work`] once per job (on any thread), [`Self::backup`] once per job in
/// the order selected, then [`Self::finished`].
pub trait Searcher: Send + Sync + 'static {
    /// A frontier node to expand: everything `work` needs, and room for what it finds.
    type Job: Send + Sync + 'static;

    /// What one job costs about, in ns; only the batch size depends on it. It is a constant, not a measurement, so
    /// that results don't depend on the machine.
    const JOB_NANOS: u64;

    /// Picks up to `room` frontier nodes, in an order that depends on the search's own state alone. Selecting none
    /// is fine only when finished after this tick's backup; otherwise the search would never end.
    fn select(&mut self, room: usize, jobs: &mut Vec<Self::Job>);

    /// Expands one node, writing what it finds into the job.
    fn work(job: &mut Self::Job);

    /// Merges one job's result.
    fn backup(&mut self, job: Self::Job);

    /// Whether the search is over: goal found, budget spent, nothing left to expand.
    fn finished(&self) -> bool;
}

/// A search of type `S`: put on an entity by [`start`], read from there when [`Status::Finished`].
#[derive(Component, Debug)]
#[require(Status, SearchOrder, Jobs)]
pub struct Running<S: Searcher>(pub S);

/// The stable sort key of a search among all in the World.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct SearchOrder(pub u64);

/// Whether a search still wants ticks. Written by Reap.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Status {
    /// It does.
    #[default]
    Searching,
    /// Its [`Running`] holds the result.
    Finished,
}

/// The job entities of a search, in the order selected; the first `armed` of them carry work in this tick.
#[derive(Component, Default)]
struct Jobs {
    entities: Vec<Entity>,
    armed: usize,
}

/// A job entity: whose it is in the order of running, and its work. Written by Select, Work and Backup in turn.
#[derive(Component)]
struct Job {
    order: (SearchOrder, usize),
    work: Option<Box<dyn AnyJob>>,
}

/// A job of any searcher.
trait AnyJob: Any + Send + Sync {
    fn run(&mut self);
}

/// The job of searcher `S`. (A type parameter on the job alone would let two searchers share a job type.)
struct JobOf<S: Searcher>(S::Job);

impl<S: Searcher> AnyJob for JobOf<S> {
    fn run(&mut self) {
        S::work(&mut self.0);
    }
}

/// Starts a search; searches run in the order of `order` where order matters.
pub fn start<S: Searcher>(world: &mut World, order: u64, search: S) -> Entity {
    world.spawn((SearchOrder(order), Running(search))).id()
}

/// Ticks [`Expand`] until every search in the World is finished.
pub fn run_to_end(world: &mut World) {
    let mut open = world.query::<&Status>();
    world.schedule_scope(Expand, |world, tick| {
        while open.iter(world).any(|s| *s == Status::Searching) {
            tick.run(world);
        }
    });
}

/// Makes searches of type `S` part of the schedule [`Expand`], and the schedule itself if it isn't there yet.
pub struct ExpandPlugin<S: Searcher>(std::marker::PhantomData<fn() -> S>);

impl<S: Searcher> Default for ExpandPlugin<S> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<S: Searcher> Plugin for ExpandPlugin<S> {
    fn build(&self, app: &mut App) {
        use ExpandSystems as E;
        if app.get_schedule(Expand).is_none() {
            app.init_resource::<Parallelism>().init_schedule(Expand);
            app.edit_schedule(Expand, |schedule| {
                tengen_core::strict(schedule);
                schedule.configure_sets((E::Select, E::Work, E::Backup, E::Reap).chain());
            });
            app.add_systems(Expand, work.in_set(E::Work));
        }
        // Systems of different searchers touch entities of their own only, so their order can't be seen.
        app.add_systems(
            Expand,
            (
                select::<S>.in_set(E::Select).ambiguous_with(E::Select),
                backup::<S>.in_set(E::Backup).ambiguous_with(E::Backup),
                reap::<S>.in_set(E::Reap).ambiguous_with(E::Reap),
            ),
        );
    }
}

/// How many jobs one search may arm in a tick: about 0.2 ms of work, at least 1 and at most 256.
fn room<S: Searcher>() -> usize {
    const TICK_NANOS: u64 = 200_000;
    TICK_NANOS.div_ceil(S::JOB_NANOS.max(1)).clamp(1, 256) as usize
}

/// Step 1.
fn select<S: Searcher>(
    mut searches: Query<(&mut Running<S>, &mut Jobs, &SearchOrder, &Status)>,
    mut slots: Query<&mut Job>,
    mut commands: Commands,
    mut selected: Local<Vec<S::Job>>,
) {
    for (mut search, mut jobs, &order, _) in searches.iter_mut().filter(|(.., s)| **s == Status::Searching) {
        search.0.select(room::<S>(), &mut selected);
        jobs.armed = selected.len();
        for (k, job) in selected.drain(..).enumerate() {
            let work: Option<Box<dyn AnyJob>> = Some(Box::new(JobOf::<S>(job)));
            if let Some(mut slot) = jobs.entities.get(k).and_then(|&e| slots.get_mut(e).ok()) {
                slot.work = work;
            } else {
                jobs.entities.push(commands.spawn(Job { order: (order, k), work }).id());
            }
        }
    }
}

/// Step 2.
fn work(mut jobs: Query<&mut Job>, parallelism: Res<Parallelism>) {
    let mut armed: Vec<Mut<Job>> = jobs.iter_mut().filter(|j| j.work.is_some()).collect();
    armed.sort_by_key(|j| j.order);
    parallelism.for_each(armed, |mut job| {
        if let Some(work) = &mut job.work {
            work.run();
        }
    });
}

/// Step 3.
fn backup<S: Searcher>(
    mut searches: Query<(&mut Running<S>, &mut Jobs)>,
    mut slots: Query<&mut Job>,
) -> Result {
    for (mut search, mut jobs) in &mut searches {
        let armed = std::mem::take(&mut jobs.armed);
        for &entity in &jobs.entities[..armed] {
            let mut slot = slots.get_mut(entity)?;
            let done: Box<dyn Any> = slot.work.take().ok_or("an armed job has work")?;
            let done = done.downcast::<JobOf<S>>().map_err(|_| "a search's jobs are of its own type")?;
            search.0.backup(done.0);
        }
    }
    Ok(())
}

/// Step 4.
fn reap<S: Searcher>(mut searches: Query<(&Running<S>, &mut Jobs, &mut Status)>, mut commands: Commands) {
    for (search, mut jobs, mut status) in &mut searches {
        if *status == Status::Searching && search.0.finished() {
            *status = Status::Finished;
            for entity in jobs.entities.drain(..) {
                commands.entity(entity).despawn();
            }
        }
    }
}
