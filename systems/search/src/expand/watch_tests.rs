//! Tests of the sets Publish and Watch: what a system sees of a search, and that a system can stop a search.

use super::{
    Expand, ExpandPlugin, ExpandSystems, News, Running, Searcher, Status, StopSearch, TreeJob, Window,
    run_to_end, start, take,
};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Counts down, a number each job, and can be stopped if `stops`.
struct Down {
    left: u32,
    stops: bool,
    stopped: bool,
}

impl Down {
    fn new(left: u32, stops: bool) -> Self {
        Self { left, stops, stopped: false }
    }
}

impl Searcher for Down {
    type Job = ();
    fn name(&self) -> &'static str {
        "test/down"
    }
    fn window(&self) -> Window {
        Window::rounds(1)
    }
    fn select(&mut self, _: usize, jobs: &mut Vec<()>) {
        jobs.push(());
    }
    fn work((): &mut ()) {}
    fn backup(&mut self, (): ()) {
        self.left -= 1;
    }
    fn finished(&self) -> bool {
        self.stopped || self.left == 0
    }
    fn news(&self) -> u64 {
        u64::from(self.left)
    }
    fn stop(&mut self) {
        self.stopped = self.stops;
    }
}

/// What the search has left to count down.
fn left(running: &Running) -> Option<u32> {
    let down = running.search::<Down>().or_else(|| running.search::<TreeJob<Down>>()?.get());
    down.map(|down| down.left)
}

/// Stops what has at most 4 to go, and notes what each search with news has left.
fn stop_near_the_end(
    searches: Query<(Entity, &Running, &Status), Changed<News>>,
    mut seen: ResMut<Seen>,
    mut commands: Commands,
) {
    for (entity, running, status) in &searches {
        assert_eq!(status, &Status::Searching, "who watches sees a search before it is reaped");
        let Some(left) = left(running) else { continue };
        seen.0.push(left);
        if left <= 4 {
            commands.entity(entity).insert(StopSearch);
        }
    }
}

#[derive(Resource, Default)]
struct Seen(Vec<u32>);

/// A World in which a system watches.
fn watched() -> App {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin)
        .init_resource::<Seen>()
        .add_systems(Expand, stop_near_the_end.in_set(ExpandSystems::Watch));
    app
}

#[test]
fn a_system_stops_a_search_at_once_sees_its_end_and_another_kind_runs_on() {
    let mut app = watched();
    let world = app.world_mut();
    let stopped = start(world, 0, Down::new(9, true));
    let deaf = start(world, 1, Down::new(9, false));
    run_to_end(world);
    assert_eq!(take::<Down>(world, stopped).map(|down| down.left), Some(4));
    assert_eq!(take::<Down>(world, deaf).map(|down| down.left), Some(0), "it can't be stopped");
    assert_eq!(world.resource::<Seen>().0, [9, 9, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 4, 3, 2, 1, 0]);
}

#[test]
fn a_carried_search_is_stopped_between_its_jobs() {
    let mut app = watched();
    let world = app.world_mut();
    // One job takes 32 rounds.
    let carried = start(world, 0, TreeJob::new(Down::new(100, true)));
    run_to_end(world);
    let left = take::<TreeJob<Down>>(world, carried).and_then(TreeJob::found).map(|down| down.left);
    assert_eq!((left, &world.resource::<Seen>().0[..]), (Some(4), &[100, 68, 36, 4, 4][..]));
}

#[test]
fn a_search_that_is_stopped_before_it_begins_does_nothing() {
    let mut app = watched();
    let world = app.world_mut();
    let search = start(world, 0, Down::new(9, true));
    world.entity_mut(search).insert(StopSearch);
    run_to_end(world);
    assert_eq!(take::<Down>(world, search).map(|down| down.left), Some(9));
}

/// A search without news, which says so only at its end.
struct Quiet(Down);

impl Searcher for Quiet {
    type Job = ();
    fn name(&self) -> &'static str {
        "test/quiet"
    }
    fn window(&self) -> Window {
        self.0.window()
    }
    fn select(&mut self, room: usize, jobs: &mut Vec<()>) {
        self.0.select(room, jobs);
    }
    fn work((): &mut ()) {}
    fn backup(&mut self, (): ()) {
        self.0.backup(());
    }
    fn finished(&self) -> bool {
        self.0.finished()
    }
}

#[test]
fn a_search_without_news_is_seen_at_its_start_and_at_its_end() {
    let mut app = App::empty();
    let note = |searches: Query<&Running>, mut seen: ResMut<Seen>| {
        seen.0.extend(searches.iter().filter_map(Running::search::<Quiet>).map(|quiet| quiet.0.left));
    };
    app.add_plugins(ExpandPlugin)
        .init_resource::<Seen>()
        .add_systems(Expand, note.in_set(ExpandSystems::Watch));
    let world = app.world_mut();
    start(world, 0, Quiet(Down::new(9, false)));
    run_to_end(world);
    assert_eq!(world.resource::<Seen>().0, [9, 0]);
}

/// Seven jobs of which several are under way at once. It is finished as soon as all are selected.
#[derive(Default)]
struct Overlapping {
    selected: u32,
    merged: u32,
}

impl Searcher for Overlapping {
    type Job = ();
    fn name(&self) -> &'static str {
        "test/overlapping"
    }
    fn window(&self) -> Window {
        Window { jobs: 3, step: 1 }
    }
    fn select(&mut self, room: usize, jobs: &mut Vec<()>) {
        let more = (room as u32).min(7 - self.selected);
        self.selected += more;
        jobs.extend((0..more).map(|_| ()));
    }
    fn work((): &mut ()) {}
    fn backup(&mut self, (): ()) {
        self.merged += 1;
    }
    fn finished(&self) -> bool {
        self.selected == 7
    }
}

#[test]
fn the_end_of_a_search_is_seen_when_its_last_job_is_merged() {
    let mut app = App::empty();
    let note = |searches: Query<&Running>, mut seen: ResMut<Seen>| {
        seen.0.extend(searches.iter().filter_map(Running::search::<Overlapping>).map(|search| search.merged));
    };
    app.add_plugins(ExpandPlugin)
        .init_resource::<Seen>()
        .add_systems(Expand, note.in_set(ExpandSystems::Watch));
    let world = app.world_mut();
    start(world, 0, Overlapping::default());
    run_to_end(world);
    assert_eq!(world.resource::<Seen>().0, [0, 7]);
}
