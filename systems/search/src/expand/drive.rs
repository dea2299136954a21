//! Drives the schedule `Expand`: decides which thread ticks and which works.
//!
//! # Steps
//! With one thread, tick until no search is running. The system of the set Work runs the armed jobs itself.
//!
//! With several threads:
//! 1. A tick hands its armed jobs to rayon's pool. The jobs go on one heap. For each job, a task of the pool takes the
//!    first job of the heap. So a thread runs jobs of the earliest search, or of the next search if the earliest has
//!    none.
//! 2. A thread that ends the last job of a chunk runs the next tick, unless another thread is running a tick. In that
//!    case the other thread ticks once more.
//!
//! No thread waits for another, because there is no round over all searches.
//!
//! # Cost
//! A lock of the World for each chunk, and 0.2 us for each job. A sleeping thread needs 10 us to wake.

use super::job_slot::JobSlot;
use super::{Done, Expand, Recorded, SearchOrder, Status};
use bevy_ecs::prelude::*;
use rayon::ScopeFifo;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tengen_core::Parallelism;
use tengen_core::profiler::{Recorder, instrument};

/// Ticks [`Expand`] until every search in the World is over.
///
/// # Panics
/// If a search panics, or if one cannot go on: it selects nothing and is not finished.
pub fn run_to_end(world: &mut World) {
    drive(world, |_| false);
    check_ends(world);
}

/// Panics if a search panicked or cannot go on.
pub(super) fn check_ends(world: &mut World) {
    let mut all = world.query::<&Status>();
    for status in all.iter(world) {
        match status {
            Status::Finished => {}
            Status::Searching => panic!("a search that can't go on"),
            Status::Panicked(message) => std::panic::panic_any(message.clone()),
        }
    }
}

/// Ticks [`Expand`] until no search in the World is running, or none can go on. `after_tick` is called after each tick,
/// and once before the first. `after_tick` may take finished searches out and start new ones. It returns `true` if it
/// started some.
pub fn drive(world: &mut World, after_tick: impl FnMut(&mut World) -> bool + Send) {
    record(world);
    let is_parallel = world.get_resource() == Some(&Parallelism::Inside) && rayon::current_num_threads() > 1;
    let mut clock = Clock { open: world.query(), after_tick };
    if is_parallel { in_parallel(world, clock) } else { while clock.tick(world) && moved(world) {} }
}

/// The same on the calling thread alone, in a World of one thread.
pub fn drive_here(world: &mut World, after_tick: impl FnMut(&mut World) -> bool) {
    record(world);
    let mut clock = Clock { open: world.query(), after_tick };
    while clock.tick(world) && moved(world) {}
}

/// Whether a tick changed anything.
fn moved(world: &mut World) -> bool {
    std::mem::take(&mut world.resource_mut::<Done>().moved)
}

/// Registers the World with the current recorder, if there is one, once.
fn record(world: &mut World) {
    if world.contains_resource::<Recorder>() {
        return;
    }
    let Some(recorder) = Recorder::current() else { return };
    world.schedule_scope(Expand, |_, schedule| instrument(schedule, &recorder));
    world.insert_resource(Recorded(recorder.world()));
    world.insert_resource(recorder);
}

/// The state of the ticks, which run one at a time.
struct Clock<F> {
    open: QueryState<&'static Status>,
    after_tick: F,
}

impl<F: FnMut(&mut World) -> bool> Clock<F> {
    /// One tick, if a search is running.
    fn tick(&mut self, world: &mut World) -> bool {
        let started = (self.after_tick)(world);
        if !started && !self.open.iter(world).any(|s| *s == Status::Searching) {
            return false;
        }
        let recorder = world.get_resource::<Recorder>().cloned();
        match recorder {
            Some(recorder) => {
                let row = recorder.row("Expand (scheduling)");
                let searching = self.open.iter(world).filter(|s| **s == Status::Searching).count();
                recorder.time_run(row, searching as u64, || world.run_schedule(Expand));
            }
            None => world.run_schedule(Expand),
        }
        true
    }
}

/// The set Work: with one thread armed jobs run here.
pub(super) fn work(
    mut done: ResMut<Done>,
    parallelism: Res<Parallelism>,
    recorder: Option<Res<Recorder>>,
    world: Option<Res<Recorded>>,
) {
    if *parallelism == Parallelism::Inside && rayon::current_num_threads() > 1 {
        return;
    }
    let recorder = super::recorder(recorder, world);
    done.moved |= !done.armed.is_empty();
    done.armed.sort_by_key(|slot| slot.order());
    for slot in done.armed.drain(..) {
        slot.run(recorder.as_ref());
    }
}

/// Armed jobs, those of the earliest search first; the last number distinguishes two searches of one order.
#[derive(Default)]
struct Heap {
    jobs: BTreeMap<(SearchOrder, u32, u64), Arc<JobSlot>>,
    pushed: u64,
}

/// The data that the threads share.
struct Floor<'w, F> {
    ticking: Mutex<(&'w mut World, Clock<F>)>,
    again: AtomicBool,
    heap: Mutex<Heap>,
    recorder: Option<(Recorder, u32)>,
}

fn in_parallel<F: FnMut(&mut World) -> bool + Send>(world: &mut World, clock: Clock<F>) {
    let recorder = world.get_resource::<Recorder>().cloned();
    let recorder = recorder.zip(world.get_resource::<Recorded>().map(|r| r.0));
    let floor = Floor {
        ticking: Mutex::new((world, clock)),
        again: AtomicBool::new(false),
        heap: Mutex::default(),
        recorder,
    };
    rayon::scope_fifo(|scope| floor.tick(scope));
}

impl<'w, F: FnMut(&mut World) -> bool + Send> Floor<'w, F> {
    /// Step 2.
    fn tick<'s>(&'s self, scope: &ScopeFifo<'s>)
    where
        'w: 's,
    {
        self.again.store(true, Ordering::SeqCst);
        // Who has the World sees `again` before giving it up, or after.
        while self.again.load(Ordering::SeqCst) {
            let Ok(mut ticking) = self.ticking.try_lock() else { return };
            while self.again.swap(false, Ordering::SeqCst) {
                let (world, clock) = &mut *ticking;
                // A search merges one chunk a tick: it goes on until nothing moves.
                while clock.tick(world) && self.hand_out(world, scope) {}
            }
        }
    }

    /// Step 1; returns whether the tick changed anything.
    fn hand_out<'s>(&'s self, world: &mut World, scope: &ScopeFifo<'s>) -> bool
    where
        'w: 's,
    {
        let done = std::mem::take(&mut *world.resource_mut::<Done>());
        let moved = done.moved || !done.armed.is_empty();
        for slot in done.armed {
            let (order, number) = slot.order();
            let mut heap = self.heap.lock().unwrap_or_else(PoisonError::into_inner);
            heap.pushed += 1;
            let serial = heap.pushed;
            heap.jobs.insert((order, number, serial), slot);
            drop(heap);
            scope.spawn_fifo(|scope| self.run_one(scope));
        }
        moved
    }

    fn run_one<'s>(&'s self, scope: &ScopeFifo<'s>)
    where
        'w: 's,
    {
        let first = self.heap.lock().unwrap_or_else(PoisonError::into_inner).jobs.pop_first();
        if let Some((_, slot)) = first
            && slot.run(self.recorder.as_ref())
        {
            self.tick(scope);
        }
    }
}
