//! Searches that run in a World of their own, outside a batch.
//!
//! # Cost
//! Making a World and its schedule takes as long as a short search (0.2 ms). So a thread makes one a kind of search, and
//! keeps it.

use super::{Expand, ExpandPlugin, Recorded, Searcher, run_to_end, start, take};
use bevy_app::App;
use bevy_ecs::prelude::*;
use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tengen_core::Parallelism;
use tengen_core::profiler::Recorder;

/// How long the calling thread of [`run_beside`] waits between two looks.
const LOOK: Duration = Duration::from_millis(1);

thread_local! {
    /// Idle Worlds of this thread, by the kind of search.
    static IDLE: RefCell<HashMap<TypeId, World>> = RefCell::default();
}

/// Runs searches of one kind to their ends; they come back in order. With [`Parallelism::Inside`] on all threads of
/// rayon's current pool.
///
/// # Panics
/// If a search does.
#[must_use]
pub fn run_all<S: Searcher>(searches: Vec<S>, parallelism: Parallelism) -> Vec<S> {
    let kind = TypeId::of::<S>();
    let idle = IDLE.with_borrow_mut(|idle| idle.remove(&kind));
    let mut world = idle.filter(serves).unwrap_or_else(make::<S>);
    world.insert_resource(parallelism);
    if let Some(recorder) = world.get_resource::<Recorder>() {
        // In a profile the searches of one run are a World of their own.
        let number = Recorded(recorder.world());
        world.insert_resource(number);
    }
    let entities: Vec<Entity> = searches
        .into_iter()
        .enumerate()
        .map(|(order, search)| start(&mut world, order as u64, search))
        .collect();
    run_to_end(&mut world);
    let done = entities.into_iter().filter_map(|entity| take(&mut world, entity)).collect();
    // A World that a panic left behind is gone with it.
    IDLE.with_borrow_mut(|idle| idle.insert(kind, world));
    done
}

/// Runs searches as [`run_all`] does, on all threads of rayon's current pool, while the calling thread calls `meanwhile`
/// about every millisecond: it may ask a clock or a wire, and tell the searches to stop. (In a pool of one thread, which
/// is then the caller's, nobody is left to call.)
///
/// # Panics
/// If a search does.
#[must_use]
pub fn run_beside<S: Searcher>(searches: Vec<S>, meanwhile: &mut dyn FnMut()) -> Vec<S> {
    let (send, receive) = mpsc::channel();
    rayon::in_place_scope(|scope| {
        scope.spawn(move |_| drop(send.send(run_all(searches, Parallelism::Inside))));
        loop {
            // A caller that is one of the pool's threads works too.
            let worked = rayon::yield_now() == Some(rayon::Yield::Executed);
            match receive.recv_timeout(if worked { Duration::ZERO } else { LOOK }) {
                Ok(done) => return done,
                // It panicked, and so does the scope.
                Err(RecvTimeoutError::Disconnected) => return Vec::new(),
                Err(RecvTimeoutError::Timeout) => meanwhile(),
            }
        }
    })
}

fn make<S: Searcher>() -> World {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin::<S>::default());
    std::mem::take(app.world_mut())
}

/// Whether whoever records now is who the World's systems tell.
fn serves(world: &World) -> bool {
    debug_assert!(world.resource::<Schedules>().contains(Expand), "an idle World has its schedule");
    match (world.get_resource::<Recorder>(), Recorder::current()) {
        (Some(known), Some(current)) => known.is(&current),
        (None, None) => true,
        _ => false,
    }
}
