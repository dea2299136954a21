//! Idle Worlds with the schedule `Expand`, which are stored for reuse.
//!
//! # Cost
//! Making a World and its schedule takes 0.1 ms, as long as a short search. A process makes only as many Worlds as are
//! in use at once.

use super::{Expand, ExpandPlugin, Recorded, Status};
use bevy_app::App;
use bevy_ecs::prelude::*;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tengen_core::Parallelism;
use tengen_core::profiler::Recorder;

/// What is added to each World.
type Addition = Arc<dyn Fn(&mut App) + Send + Sync>;

/// In the order they were added; none is ever removed.
static ADDITIONS: RwLock<Vec<Addition>> = RwLock::new(Vec::new());

/// The unused Worlds.
static IDLE: Mutex<Vec<World>> = Mutex::new(Vec::new());

/// The number of additions that a World has.
#[derive(Resource)]
struct Added(usize);

/// Adds plugins or systems to every World of [`with_world`] from now on, for the whole process. Systems that watch
/// searches run in [`ExpandSystems::Watch`](super::ExpandSystems::Watch).
pub fn add_to_worlds(add: impl Fn(&mut App) + Send + Sync + 'static) {
    ADDITIONS.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(add));
}

fn additions() -> Vec<Addition> {
    ADDITIONS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Calls `run` with a World that has the schedule [`Expand`] and no search. The current recorder counts it as a
/// separate World.
pub fn with_world<R>(parallelism: Parallelism, run: impl FnOnce(&mut World) -> R) -> R {
    let mut world = take().unwrap_or_else(make);
    world.insert_resource(parallelism);
    if let Some(recorder) = world.get_resource::<Recorder>() {
        let number = Recorded(recorder.world());
        world.insert_resource(number);
    }
    let result = run(&mut world);
    // A World notes what is removed from it until somebody has had time to look: nobody does.
    world.clear_trackers();
    // A World that a panic left behind is gone with it; one with a search that can't go on goes too.
    if world.query::<&Status>().iter(&world).next().is_none() {
        idle().push(world);
    }
    result
}

fn idle() -> std::sync::MutexGuard<'static, Vec<World>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An idle World whose systems report to the current recorder. Worlds that report to another are dropped, because their
/// recorder has mostly ended. So are Worlds that lack an addition.
fn take() -> Option<World> {
    let added = additions().len();
    let mut idle = idle();
    idle.retain(|world| world.get_resource::<Added>().is_some_and(|known| known.0 == added));
    idle.retain(|world| serves(world) || !world.contains_resource::<Recorder>());
    let at = idle.iter().rposition(serves)?;
    Some(idle.swap_remove(at))
}

fn make() -> World {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin);
    let additions = additions();
    additions.iter().for_each(|add| add(&mut app));
    app.insert_resource(Added(additions.len()));
    std::mem::take(app.world_mut())
}

/// Whether the World's systems report to the current recorder.
fn serves(world: &World) -> bool {
    debug_assert!(world.resource::<Schedules>().contains(Expand), "an idle World has its schedule");
    match (world.get_resource::<Recorder>(), Recorder::current()) {
        (Some(known), Some(current)) => known.is(&current),
        (None, None) => true,
        _ => false,
    }
}
