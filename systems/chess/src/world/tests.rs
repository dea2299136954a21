//! Tests of the published components of chess searches: they agree with the report of the search, and publishing
//! changes no search.

use super::*;
use crate::evaluation::Weights;
use crate::search::{Info, Limits, Observer, Table};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use tengen_core::Parallelism;
use tengen_search::{ExpandPlugin, StopSearch, add_to_worlds, run_all, run_to_end, start, take};

/// The lines that a search reports to its observer.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<Info>>>);

impl Observer for Heard {
    fn iteration(&mut self, info: &Info) -> bool {
        self.0.lock().unwrap().push(info.clone());
        true
    }
}

fn kiwipete() -> Game {
    Game::from_text("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", []).unwrap()
}

/// A search of this depth with three lines, and what it says.
fn think(threads: usize, depth: u32) -> (Think, Heard) {
    let options = Options { threads, multi_pv: 3, ..Options::default() };
    let (limits, heard) = (Limits { depth: Some(depth), ..Limits::default() }, Heard::default());
    let table = Arc::new(Table::with_entries(1 << 14).unwrap());
    let weights = Arc::new(Weights::default());
    (Think::new(&kiwipete(), limits, options, table, weights, Box::new(heard.clone())), heard)
}

/// A World with these plugins.
fn app(plugins: impl PluginGroup) -> App {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin).add_plugins(plugins);
    app
}

/// What is published of the iterations of a search, as the search reports it.
fn published(world: &World, search: Entity) -> Vec<Info> {
    let game = &world.get::<ChessPosition>(search).unwrap().0;
    let of_one = |iteration: Entity| {
        let of = world.entity(iteration);
        let (score, spent) = (of.get::<Score>().unwrap(), of.get::<Spent>().unwrap());
        let key = of.get::<Iteration>().unwrap();
        Info {
            depth: key.depth,
            seldepth: spent.deepest,
            multi_pv: key.rank,
            score: score.value,
            bound: crate::search::ScoreBound::Exact,
            path: of.get::<RestsOn>().unwrap().0,
            shadow: score.shadow,
            nodes: spent.nodes,
            full: 0,
            pv: game.line_texts(&of.get::<Line>().unwrap().0),
        }
    };
    world.get::<Iterations>(search).unwrap().lines().iter().map(|&line| of_one(line)).collect()
}

#[test]
fn what_is_published_is_what_the_search_tells_its_observer_and_reports() {
    let mut app = app(ChessPlugins);
    let world = app.world_mut();
    let (think, heard) = think(1, 5);
    let search = start(world, 0, think);
    run_to_end(world);
    let published = published(world, search);
    let mut told = heard.0.lock().unwrap().clone();
    let full = told[12..].iter().map(|info| info.full).max();
    told.iter_mut().for_each(|info| info.full = 0);
    assert_eq!((published.len(), &published), (15, &told));
    let of = world.entity(search);
    let (table, state) = (*of.get::<TableUse>().unwrap(), of.get::<ChessSearch>().unwrap().clone());
    assert_eq!((table.entries, Some(table.full)), (1 << 14, full));
    let report = take::<Think>(world, search).unwrap().report();
    assert_eq!((state.depth, state.nodes, state.deepest), (report.depth, report.nodes, report.seldepth));
    assert_eq!((state.ended_by, state.options.multi_pv), (Some(report.ended_by), 3));
    assert_eq!(state.best.map(|mv| mv.to_string()), report.best);
    assert_eq!(published[12..].iter().map(|info| &info.pv).collect::<Vec<_>>(), {
        report.lines.iter().map(|info| &info.pv).collect::<Vec<_>>()
    });
    assert_eq!(world.query::<&Iteration>().iter(world).count(), 0, "iterations go with their search");
}

/// The report of a search in a World with these plugins, and the number of entities with what each plugin writes.
fn of_world(plugins: impl PluginGroup) -> (String, [usize; 4]) {
    let mut app = app(plugins);
    let world = app.world_mut();
    let search = start(world, 0, think(1, 4).0);
    run_to_end(world);
    let counts = [
        world.query::<&ChessPosition>().iter(world).count(),
        world.query::<&ChessSearch>().iter(world).count(),
        world.query::<&Iteration>().iter(world).count(),
        world.query::<&TableUse>().iter(world).count(),
    ];
    let report = take::<Think>(world, search).unwrap().report();
    (serde_json::to_string(&report).unwrap(), counts)
}

#[test]
fn without_a_plugin_only_its_components_are_absent_and_every_search_is_the_same() {
    let (report, all) = of_world(ChessPlugins);
    assert_eq!(all, [1, 1, 12, 1]);
    let without: [PluginGroupBuilder; 4] = [
        ChessPlugins.build().disable::<PositionPlugin>(),
        ChessPlugins.build().disable::<SearchPlugin>(),
        ChessPlugins.build().disable::<IterationsPlugin>(),
        ChessPlugins.build().disable::<TablePlugin>(),
    ];
    for (disabled, plugins) in without.into_iter().enumerate() {
        let mut left = all;
        left[disabled] = 0;
        assert_eq!(of_world(plugins), (report.clone(), left), "plugin {disabled}");
    }
    assert_eq!(of_world(bevy_app::NoopPluginGroup), (report, [0; 4]));
}

/// Stops every search whose third iteration is finished.
fn stop_after_three(iterations: Query<(&IterationOf, &Iteration), Added<Iteration>>, mut commands: Commands) {
    for (of, iteration) in &iterations {
        if iteration.depth == 3 {
            commands.entity(of.0).insert(StopSearch);
        }
    }
}

#[test]
fn a_system_stops_a_search_after_an_iteration_and_its_end_is_published() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut app = app(ChessPlugins);
        app.insert_resource(if threads > 1 { Parallelism::Inside } else { Parallelism::Shards });
        app.add_systems(Expand, stop_after_three.in_set(ExpandSystems::Watch));
        let world = app.world_mut();
        let search = start(world, 0, think(threads, 60).0);
        pool.install(|| run_to_end(world));
        let state = world.get::<ChessSearch>(search).unwrap();
        assert_eq!((state.depth, state.ended_by), (3, Some("stop")));
        let report = take::<Think>(world, search).unwrap().report();
        assert_eq!((report.depth, report.ended_by, report.lines.len()), (3, "stop", 3));
        if threads == 1 {
            let short = of_depth(3);
            assert_eq!((report.nodes, &report.lines), (short.nodes, &short.lines));
        }
    }
}

fn of_depth(depth: u32) -> crate::search::SearchReport {
    tengen_search::run_all(vec![think(1, depth).0], Parallelism::Shards)[0].report()
}

#[test]
fn a_search_that_is_stopped_before_it_begins_answers_a_legal_move() {
    let mut app = app(ChessPlugins);
    let world = app.world_mut();
    let search = start(world, 0, think(1, 60).0);
    world.entity_mut(search).insert(StopSearch);
    run_to_end(world);
    assert!(world.get::<Iterations>(search).is_none());
    let report = take::<Think>(world, search).unwrap().report();
    assert_eq!((report.nodes, report.depth, report.ended_by), (0, 0, "stop"));
    assert!(report.best.is_some());
}

#[test]
fn searches_in_one_world_keep_their_iterations_apart() {
    let mut app = app(ChessPlugins);
    let world = app.world_mut();
    let searches = [2, 4].map(|depth| start(world, u64::from(depth), think(1, depth).0));
    run_to_end(world);
    let counts = searches.map(|search| world.get::<Iterations>(search).unwrap().lines().len());
    assert_eq!(counts, [6, 12]);
    take::<Think>(world, searches[0]).unwrap();
    assert_eq!(world.query::<&Iteration>().iter(world).count(), 12);
}

#[test]
fn searches_in_worlds_of_the_process_are_published_once_the_plugins_are_added() {
    const ENDING: &str = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1";
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    fn count(lines: Query<&IterationOf, Added<Line>>, positions: Query<&ChessPosition>) {
        // Other tests may search other positions in this process.
        let of_this =
            |of: &&IterationOf| positions.get(of.0).is_ok_and(|p| p.0.board().to_string() == ENDING);
        SEEN.fetch_add(lines.iter().filter(of_this).count(), Relaxed);
    }
    add_to_worlds(|app| {
        app.add_plugins(ChessPlugins).add_systems(Expand, count.in_set(ExpandSystems::Watch));
    });
    let game = Game::from_text(ENDING, []).unwrap();
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let think = Think::of_table_size(&game, limits, Options::default(), 1);
    let done = run_all(vec![think], Parallelism::Shards);
    assert_eq!((done[0].report().depth, SEEN.load(Relaxed)), (5, 5));
}
