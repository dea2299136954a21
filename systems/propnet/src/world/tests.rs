//! Tests of what is published of searches of nets: it is what the search itself says, and it changes no search.

use super::*;
use crate::game::LoadLimits;
use tengen_core::{Budget, Parallelism};
use tengen_search::{ExpandPlugin, Status, StopSearch, run_to_end};

const NOUGHTS: &str = include_str!("../../../../resources/gdl/noughts.kif");
const STANDOFF: &str = include_str!("../../../../resources/gdl/standoff.kif");

fn load(text: &str) -> Arc<Game> {
    Arc::new(Game::load(text, LoadLimits::default(), &mut || false).unwrap())
}

/// A search of the initial state.
fn uct(game: &Arc<Game>, visits: u64, threads: usize) -> Uct {
    let state = game.machine("auto").unwrap().initial();
    let budget = Budget { visits: Some(visits), ..Budget::default() };
    Uct::new(game, &state, 7, budget).unwrap().with_threads(threads)
}

/// A World with these plugins.
fn app(plugins: impl PluginGroup) -> App {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin).add_plugins(plugins);
    app
}

#[test]
fn what_is_published_is_what_the_search_says() {
    for (text, threads) in [(NOUGHTS, 1), (NOUGHTS, 2), (STANDOFF, 1), (STANDOFF, 2)] {
        let game = load(text);
        let mut app = app(PropnetPlugins);
        let world = app.world_mut();
        let search = start(world, 0, uct(&game, 1000, threads));
        run_to_end(world);
        assert_eq!(world.get::<Status>(search), Some(&Status::Finished));
        let of = world.entity(search);
        let uct = search_of(of.get::<Running>().unwrap()).unwrap();
        let net = &game.topology.as_ref().unwrap().net;
        let parts = of.get::<GameNet>().unwrap().parts.unwrap();
        assert_eq!((parts.bases, parts.inputs, parts.gates), (net.bases(), net.inputs(), net.gates()));
        assert_eq!(&of.get::<RootState>().unwrap().0, uct.state());
        let tree = of.get::<TreeUse>().unwrap();
        assert_eq!((tree.nodes, tree.visits, tree.bytes), (uct.nodes(), uct.visits(), uct.bytes()));
        assert_eq!(tree.solved.as_deref(), uct.solved());
        let playouts = of.get::<Playouts>().unwrap();
        assert_eq!((playouts.states, &playouts.goals), (uct.played().states, &uct.played().means()));
        assert!(playouts.states > 0 && playouts.goals.iter().all(|goal| (0.0..=100.0).contains(goal)));
        let mut moves = of.get::<LegalMoves>().unwrap().moves().iter();
        for role in 0..2 {
            let best = tree.best[role].unwrap();
            assert_eq!(Some(best.line), uct.best(role));
            assert!((0.0..=1.0).contains(&best.share));
            for line in uct.lines(role) {
                let of = world.entity(*moves.next().unwrap());
                assert_eq!(*of.get::<LegalMove>().unwrap(), LegalMove { role, id: line.id });
                assert_eq!(of.get::<Spelling>().unwrap().0, uct.move_text(role, line.id));
                let picks = of.get::<Picks>().unwrap();
                assert_eq!((picks.visits, picks.value), (line.visits, line.value));
            }
        }
        assert!(moves.next().is_none());
    }
}

#[test]
fn a_move_of_the_only_role_with_a_choice_leads_to_the_state_after_it() {
    let game = load(NOUGHTS);
    let mut app = app(PropnetPlugins);
    let world = app.world_mut();
    let search = start(world, 0, uct(&game, 600, 1));
    run_to_end(world);
    let mut machine = game.machine("auto").unwrap();
    let root = &world.get::<RootState>(search).unwrap().0;
    machine.enter(root).unwrap();
    let wait = machine.legal(1).unwrap()[0];
    let mut found = 0;
    for &entity in world.get::<LegalMoves>(search).unwrap().moves() {
        let of = world.entity(entity);
        let legal = of.get::<LegalMove>().unwrap();
        let next = (legal.role == 0).then(|| machine.successor(&[legal.id, wait]).unwrap());
        assert_eq!(of.get::<LeadsTo>().map(|leads| &*leads.0), next.as_ref());
        found += usize::from(next.is_some());
    }
    assert_eq!(found, 9);
}

/// What a search in a World with these plugins finds, and the number of entities with what each plugin writes.
fn of_world(plugins: impl PluginGroup, threads: usize) -> (String, [usize; 5]) {
    let game = load(NOUGHTS);
    let mut app = app(plugins);
    let world = app.world_mut();
    let search = start(world, 0, uct(&game, 700, threads));
    run_to_end(world);
    let counts = [
        world.query::<&GameNet>().iter(world).count(),
        world.query::<&RootState>().iter(world).count(),
        world.query::<(&LegalMove, &Picks, &Spelling)>().iter(world).count(),
        world.query::<&TreeUse>().iter(world).count(),
        world.query::<&Playouts>().iter(world).count(),
    ];
    let uct = take(world, search).unwrap();
    assert_eq!(world.query::<&LegalMove>().iter(world).count(), 0, "moves go with their search");
    let told = (uct.lines(0), uct.lines(1), uct.nodes(), uct.visits(), uct.played().clone());
    (format!("{told:?}"), counts)
}

#[test]
fn without_a_plugin_only_its_components_are_absent_and_every_search_is_the_same() {
    for threads in [1, 3] {
        let (found, all) = of_world(PropnetPlugins, threads);
        assert_eq!(all, [1, 1, 10, 1, 1]);
        let without: [PluginGroupBuilder; 5] = [
            PropnetPlugins.build().disable::<NetPlugin>(),
            PropnetPlugins.build().disable::<StatePlugin>(),
            PropnetPlugins.build().disable::<MovesPlugin>(),
            PropnetPlugins.build().disable::<TreePlugin>(),
            PropnetPlugins.build().disable::<PlayoutsPlugin>(),
        ];
        for (disabled, plugins) in without.into_iter().enumerate() {
            let mut left = all;
            left[disabled] = 0;
            assert_eq!(of_world(plugins, threads), (found.clone(), left), "plugin {disabled}");
        }
        assert_eq!(of_world(bevy_app::NoopPluginGroup, threads), (found, [0; 5]));
    }
}

/// Stops every search with this many visits.
fn stop_after_500(trees: Query<(Entity, &TreeUse), Changed<TreeUse>>, mut commands: Commands) {
    for (entity, tree) in &trees {
        if tree.visits >= 500 {
            commands.entity(entity).insert(StopSearch);
        }
    }
}

#[test]
fn a_system_stops_a_search_by_its_tree() {
    let game = load(STANDOFF);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut app = app(PropnetPlugins);
        app.insert_resource(if threads > 1 { Parallelism::Inside } else { Parallelism::Shards });
        app.add_systems(Expand, stop_after_500.in_set(ExpandSystems::Watch));
        let world = app.world_mut();
        let search = start(world, 0, uct(&game, 1 << 20, threads));
        pool.install(|| run_to_end(world));
        let tree = world.get::<TreeUse>(search).unwrap().clone();
        let uct = take(world, search).unwrap();
        assert_eq!((tree.visits, tree.nodes), (uct.visits(), uct.nodes()), "its end is published");
        assert!((500..2000).contains(&uct.visits()), "{} visits", uct.visits());
        assert!(uct.failure().is_none() && uct.best(0).is_some());
    }
}

#[test]
fn a_search_of_a_game_without_a_net_is_published_too() {
    let whole = load(NOUGHTS);
    let why = crate::game::NoNet::Build(crate::net::build::BuildError::Stopped);
    let game = Arc::new(Game::without_net((*whole.program).clone(), why));
    let mut app = app(PropnetPlugins);
    let world = app.world_mut();
    let search = start(world, 0, uct(&game, 40, 1));
    run_to_end(world);
    assert_eq!(world.get::<GameNet>(search).unwrap().parts, None);
    assert_eq!(world.get::<LegalMoves>(search).unwrap().moves().len(), 10);
    assert!(world.get::<Playouts>(search).unwrap().states > 0);
}
