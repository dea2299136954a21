//! A profiler that measures the time of every system, tree operation and job without changing them.
//!
//! A [`Recorder`] collects [`Span`]s. [`Recorder::scope`] makes a recorder the current recorder of a thread. Code that
//! makes a World on this thread gets the recorder from [`Recorder::current`], and wraps the World's schedule by
//! [`instrument`]. Run conditions, commands and the order of systems stay unchanged. [`Profile`] adds the spans up.
//! [`simulate`] replays them on more workers than the machine has. [`trace`] writes them for a viewer. This module is
//! the only place below `src` that reads a clock. No result depends on its measurements.
//!
//! # Cost
//! A span takes 60 ns, nearly all of it for reading the clock twice. Without a current recorder, the cost is one access
//! to a thread-local cell.

#![expect(
    unsafe_code,
    reason = "`System` and `GlobalAlloc` have unsafe methods, and a wrapper must pass their contracts on"
)]

pub mod allocations;
pub mod profile;
pub mod simulate;
#[cfg(test)]
mod tests;
pub mod trace;

pub use profile::{Profile, RowCost, SearchCost};

use bevy_ecs::change_detection::{CheckChangeTicks, Tick};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedSystemSet, SystemKey, SystemWithAccess};
use bevy_ecs::system::{RunSystemError, System, SystemAccess, SystemIn, SystemStateFlags};
use bevy_ecs::utils::prelude::DebugName;
use bevy_ecs::world::{DeferredWorld, unsafe_world_cell::UnsafeWorldCell};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A whole run of a schedule.
    Run,
    /// A call of a system.
    System,
    /// A search picks nodes; its [`Link`] names the jobs it armed.
    Select,
    /// A search merges a job; its [`Link`] names the job.
    Backup,
    /// A job; its [`Link`] names it.
    Job,
    /// Anything else: reading a file, checking expectations.
    Step,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Run, Self::System, Self::Select, Self::Backup, Self::Job, Self::Step];
}

/// The place of a span in the graph of a search. A search's tree operations follow each other. A job follows the
/// selection that armed it, and its backup follows the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The World, as [`Recorder::world`] numbered it.
    pub world: u32,
    /// The search's order in it.
    pub search: u64,
    /// The job's number in its search, or the first of those armed.
    pub first: u32,
    /// The number of jobs.
    pub jobs: u32,
}

/// One recorded call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The row of a profile that it counts for: an index into [`Recorder::names`].
    pub row: u32,
    /// Its kind.
    pub kind: Kind,
    /// The thread, numbered as threads first recorded something.
    pub thread: u32,
    /// The number of items of the call (boards, jobs).
    pub items: u64,
    /// Allocations of its thread during the call; 0 without [`allocations::Counting`].
    pub allocations: u64,
    /// When it began.
    pub start: Instant,
    /// Its duration.
    pub took: Duration,
    /// Its place in a search's graph.
    pub link: Option<Link>,
}

/// Collects spans and counts. Cheap to clone; clones share.
#[derive(Resource, Clone, Debug, Default)]
pub struct Recorder(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    spans: Mutex<Vec<Span>>,
    names: Mutex<Names>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    worlds: AtomicU32,
}

#[derive(Debug, Default)]
struct Names {
    names: Vec<String>,
    rows: HashMap<String, u32>,
    of_searches: HashMap<(&'static str, Kind), u32>,
}

impl Names {
    fn row(&mut self, name: &str) -> u32 {
        if let Some(&row) = self.rows.get(name) {
            return row;
        }
        let row = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.into());
        self.rows.insert(name.into(), row);
        row
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    static THREAD: Cell<Option<u32>> = const { Cell::new(None) };
    static ITEMS: Cell<u64> = const { Cell::new(0) };
}

/// The number of this thread. Threads get numbers in the order in which they first ask.
fn thread() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    THREAD.get().unwrap_or_else(|| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        THREAD.set(Some(number));
        number
    })
}

/// A span that has begun and not ended.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    start: Instant,
    allocations: u64,
}

impl Begun {
    /// Begins a span now.
    #[must_use]
    pub fn now() -> Self {
        Self { allocations: allocations::of_this_thread(), start: Instant::now() }
    }
}

impl Recorder {
    /// The recorder of this thread, if it has one.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Whether both are clones of one recorder.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Makes this the current recorder of the thread while `run` runs.
    pub fn scope<R>(&self, run: impl FnOnce() -> R) -> R {
        /// Restores the previous recorder, also when `run` panics.
        struct Back(Option<Recorder>);
        impl Drop for Back {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _back = Back(CURRENT.replace(Some(self.clone())));
        run()
    }

    /// The row of this name; it is added if there is none.
    #[must_use]
    pub fn row(&self, name: &str) -> u32 {
        lock(&self.0.names).row(name)
    }

    /// The row for a part of a search: the search's name, and `select`, `backup` or `job`.
    #[must_use]
    pub fn row_of(&self, search: &'static str, kind: Kind) -> u32 {
        let mut names = lock(&self.0.names);
        if let Some(&row) = names.of_searches.get(&(search, kind)) {
            return row;
        }
        let row = names.row(&format!("{search} {}", format!("{kind:?}").to_lowercase()));
        names.of_searches.insert((search, kind), row);
        row
    }

    /// The names of the rows.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        lock(&self.0.names).names.clone()
    }

    /// A number for a World whose searches are recorded.
    #[must_use]
    pub fn world(&self) -> u32 {
        self.0.worlds.fetch_add(1, Ordering::Relaxed)
    }

    /// Runs `run` as one run of the schedule of this row about this many items. The systems it runs count the same
    /// number of items.
    pub fn time_run<R>(&self, row: u32, items: u64, run: impl FnOnce() -> R) -> R {
        let outer = ITEMS.replace(items);
        let begun = Begun::now();
        let result = run();
        self.end(begun, Kind::Run, row, items, None);
        ITEMS.set(outer);
        result
    }

    /// Ends a span that began with [`Begun::now`].
    pub fn end(&self, begun: Begun, kind: Kind, row: u32, items: u64, link: Option<Link>) {
        let took = begun.start.elapsed();
        let allocations = allocations::of_this_thread().wrapping_sub(begun.allocations);
        let span = Span { row, kind, thread: thread(), items, allocations, start: begun.start, took, link };
        lock(&self.0.spans).push(span);
    }

    /// Adds to a count (nodes, visits, reads) that does not depend on the machine.
    pub fn count(&self, what: &'static str, add: u64) {
        *lock(&self.0.counts).entry(what).or_default() += add;
    }

    /// The counts so far, by name.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, u64> {
        lock(&self.0.counts).clone()
    }

    /// Takes all spans recorded so far.
    #[must_use]
    pub fn take(&self) -> Vec<Span> {
        std::mem::take(&mut *lock(&self.0.spans))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere leaves whole spans behind: they're as good as before.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `run` as a [`Kind::Step`] of the current recorder. Without a recorder it only runs `run`.
pub fn step<R>(name: &str, run: impl FnOnce() -> R) -> R {
    let Some(recorder) = Recorder::current() else { return run() };
    let row = recorder.row(name);
    let begun = Begun::now();
    let result = run();
    recorder.end(begun, Kind::Step, row, 1, None);
    result
}

/// Adds to a count of the current recorder, if there is one.
pub fn count(what: &'static str, add: u64) {
    CURRENT.with_borrow(|current| {
        if let Some(recorder) = current {
            recorder.count(what, add);
        }
    });
}

/// Wraps every system of `schedule` so that `recorder` sees its calls. Call it once, after the last `add_systems` and
/// before the first run.
pub fn instrument(schedule: &mut Schedule, recorder: &Recorder) {
    let keys: Vec<SystemKey> = schedule.graph().systems.iter().map(|(key, ..)| key).collect();
    for key in keys {
        let Some(slot) = schedule.graph_mut().systems.get_mut(key) else { continue };
        let hole = SystemWithAccess::new(Box::new(IntoSystem::<(), (), _>::into_system(|| {})));
        let inner = std::mem::replace(slot, hole);
        let row = recorder.row(&inner.name().to_string());
        *slot = SystemWithAccess::new(Box::new(Timed { inner, row, recorder: recorder.clone() }));
    }
}

/// A system and a stopwatch.
struct Timed {
    inner: SystemWithAccess,
    row: u32,
    recorder: Recorder,
}

impl System for Timed {
    type In = ();
    type Out = ();

    unsafe fn run_unsafe(
        &mut self,
        input: SystemIn<'_, Self>,
        world: UnsafeWorldCell,
    ) -> Result<(), RunSystemError> {
        let begun = Begun::now();
        // SAFETY: the caller keeps the contract of `run_unsafe` for this system, whose access, initialisation and
        // state are those of `inner`: every method here hands on to it.
        let result = unsafe { self.inner.run_unsafe(input, world) };
        self.recorder.end(begun, Kind::System, self.row, ITEMS.get(), None);
        result
    }

    fn name(&self) -> DebugName {
        self.inner.name()
    }
    fn flags(&self) -> SystemStateFlags {
        self.inner.flags()
    }
    fn system_type(&self) -> std::any::TypeId {
        self.inner.system_type()
    }
    fn apply_deferred(&mut self, world: &mut World) {
        self.inner.apply_deferred(world);
    }
    fn queue_deferred(&mut self, world: DeferredWorld) {
        self.inner.queue_deferred(world);
    }
    fn initialize(&mut self, world: &mut World) -> SystemAccess {
        self.inner.initialize(world)
    }
    fn check_change_tick(&mut self, check: CheckChangeTicks) {
        self.inner.check_change_tick(check);
    }
    fn default_system_sets(&self) -> Vec<InternedSystemSet> {
        self.inner.default_system_sets()
    }
    fn get_last_run(&self) -> Tick {
        self.inner.get_last_run()
    }
    fn set_last_run(&mut self, last_run: Tick) {
        self.inner.set_last_run(last_run);
    }
}
