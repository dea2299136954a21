//! Runs searches in a separate World, outside a batch.
//!
//! The Worlds come from [`super::idle`], so a player's search of a move does not create one.

use super::drive::{check_ends, drive_here};
use super::idle::with_world;
use super::{Searcher, run_to_end, start, take};
use bevy_ecs::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use tengen_core::Parallelism;

/// The time that the calling thread of [`run_beside`] waits between two looks.
const LOOK: Duration = Duration::from_millis(1);

/// Runs searches of one kind to their ends and returns them in order. [`Parallelism::Inside`] uses all threads of
/// rayon's current pool.
///
/// # Panics
/// If a search panics.
#[must_use]
pub fn run_all<S: Searcher>(searches: Vec<S>, parallelism: Parallelism) -> Vec<S> {
    with_world(parallelism, |world| {
        let started = searches.into_iter().enumerate();
        let entities: Vec<Entity> =
            started.map(|(order, search)| start(world, order as u64, search)).collect();
        run_to_end(world);
        entities.into_iter().filter_map(|entity| take(world, entity)).collect()
    })
}

/// Runs searches of one kind to their ends on the calling thread, and returns them in order. It calls `between` before
/// each tick. `between` may check a clock or an input, and stop the searches.
///
/// # Panics
/// If a search panics.
#[must_use]
pub fn run_here<S: Searcher>(searches: Vec<S>, between: &mut dyn FnMut()) -> Vec<S> {
    with_world(Parallelism::Shards, |world| {
        let started = searches.into_iter().enumerate();
        let entities: Vec<Entity> =
            started.map(|(order, search)| start(world, order as u64, search)).collect();
        drive_here(world, |_| {
            between();
            false
        });
        check_ends(world);
        entities.into_iter().filter_map(|entity| take(world, entity)).collect()
    })
}

/// Runs searches as [`run_all`] does, on all threads of rayon's current pool. The calling thread calls `meanwhile`
/// about every millisecond. `meanwhile` may check a clock or an input, and stop the searches. (A pool of one thread has
/// no thread left for these calls.)
///
/// # Panics
/// If a search panics.
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
