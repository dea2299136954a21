//! Benches of propnets. The id of a bench is `propnet/<module>/<function>/<game>`. Throughput is counted in state
//! changes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism};
use tengen_propnet::environment::{BitOrder, Environment, Layout, Screens, Settings};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::perft::{self, Perft};
use tengen_propnet::players::uct::{self, Uct};
use tengen_propnet::players::{GamePlayer, Kind, alphabeta};
use tengen_propnet::propagate::playout;
use tengen_propnet::random_games::{self, RandomGames};
use tengen_search::run_all;

const NOUGHTS: &str = include_str!("../../resources/gdl/noughts.kif");
const HEAPS: &str = include_str!("../../resources/gdl/heaps.kif");
const RELAY: &str = include_str!("../../resources/gdl/relay.kif");

fn load(text: &str) -> Game {
    Game::load(text, LoadLimits::default(), &mut || false).expect("our own rulesheets are sound")
}

/// From text to net.
fn set_up(c: &mut Criterion) {
    let mut group = c.benchmark_group("propnet/game/load");
    group.sample_size(10);
    for (name, text) in [("noughts", NOUGHTS), ("relay", RELAY)] {
        assert!(load(text).topology.is_ok(), "{name} has a net");
        group.bench_function(name, |b| b.iter(|| load(black_box(text))));
    }
    group.finish();
}

/// Every way to play games out, in one run.
fn playouts(c: &mut Criterion) {
    const CHANGES: u64 = 10_000;
    let mut group = c.benchmark_group("propnet/propagate/playouts");
    group.sample_size(10);
    for (name, text) in [("noughts", NOUGHTS), ("relay", RELAY)] {
        let game = load(text);
        for way in &playout::NAMES[..] {
            let mut player = game.playouts(way, 1).expect("the way is there");
            player.play(1);
            group.throughput(Throughput::Elements(CHANGES));
            group.bench_function(BenchmarkId::new(*way, name), |b| b.iter(|| player.play(CHANGES)));
        }
    }
    group.finish();
}

/// The questions of one state, to the net and to the prover, in one run.
fn machines(c: &mut Criterion) {
    let mut group = c.benchmark_group("propnet/machine/describe");
    for (name, text) in [("noughts", NOUGHTS), ("relay", RELAY)] {
        let game = load(text);
        let described = |kind: &str| {
            let mut machine = game.machine(kind).expect("the machine is there");
            let state = machine.initial();
            machine.enter(&state).expect("a state of its own");
            let mut described = machine.describe(&state).expect("the initial state");
            described.legal.iter_mut().for_each(|moves| moves.sort());
            (described.terminal, described.legal)
        };
        assert_eq!(described("auto"), described("prover"), "{name}: both allow the same");
        for kind in ["auto", "prover"] {
            let mut machine = game.machine(kind).expect("the machine is there");
            let state = machine.initial();
            group.bench_function(BenchmarkId::new(if kind == "auto" { "net" } else { kind }, name), |b| {
                b.iter(|| {
                    machine.enter(black_box(&state)).expect("a state of its own");
                    machine.describe(black_box(&state)).expect("the initial state")
                });
            });
        }
    }
    group.finish();
}

/// Many games moved from outside by actions they draw themselves, on one thread and on two.
fn environments(c: &mut Criterion) {
    const GAMES: usize = 4096;
    let mut group = c.benchmark_group("propnet/environment/step");
    group.throughput(Throughput::Elements(GAMES as u64));
    for (name, text) in [("noughts", NOUGHTS), ("relay", RELAY)] {
        let game = load(text);
        let mut shown = Vec::new();
        for threads in [1, 2] {
            let layout = Layout::Bits(BitOrder::Big);
            let settings = Settings { games: GAMES, threads, layout, ..Settings::default() };
            let mut games = Environment::new(&game, &settings).expect("it has a net");
            let mut screens = Screens::new(&games);
            games.reset(None, &mut screens.buffers()).expect("the buffers fit");
            let mut actions = vec![0; GAMES * games.actions_per_game()];
            let mut step = || {
                games.sample(&mut actions).expect("the buffer fits");
                games.step(&actions, &mut screens.buffers()).expect("drawn actions are legal");
            };
            (0..20).for_each(|_| step());
            group.bench_function(BenchmarkId::new(format!("{threads}-threads"), name), |b| b.iter(&mut step));
            games.reseed(1);
            games.reset(None, &mut screens.buffers()).expect("the buffers fit");
            games.sample(&mut actions).expect("the buffer fits");
            games.step(&actions, &mut screens.buffers()).expect("drawn actions are legal");
            shown.push(screens.observation);
        }
        assert!(shown[0] == shown[1], "{name}: both show the same");
    }
    group.finish();
}

/// A search of the initial state by its visits.
fn uct(c: &mut Criterion) {
    const VISITS: u64 = 500;
    let mut group = c.benchmark_group("propnet/players/uct");
    group.sample_size(10);
    group.throughput(Throughput::Elements(VISITS));
    let game = Arc::new(load(NOUGHTS));
    let state = game.machine("auto").expect("it has a net").initial();
    let search = || {
        let budget = Budget { visits: Some(VISITS), ..Budget::default() };
        let search = Uct::new(&game, &state, 1, budget).expect("a sound game");
        uct::run(vec![search], Parallelism::Shards).remove(0).visits()
    };
    assert!(search() >= VISITS, "it makes the visits asked for");
    group.bench_function("noughts-500", |b| b.iter(search));
    group.finish();
}

/// Flat Monte Carlo, as jobs.
fn montecarlo(c: &mut Criterion) {
    const PLAYOUTS: u64 = 2_000;
    let mut group = c.benchmark_group("propnet/players/montecarlo");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PLAYOUTS));
    let game = Arc::new(load(NOUGHTS));
    let choose = || {
        let player = GamePlayer::new(Arc::clone(&game), Kind::MonteCarlo, 0, 1, Parallelism::Shards);
        let mut player = player.expect("a sound game");
        let state = player.machine().initial();
        let budget = Budget { visits: Some(PLAYOUTS), ..Budget::default() };
        player.choose(&state, &budget).expect("there are moves")
    };
    let choice = choose();
    assert!(choice.spent >= PLAYOUTS && choice.text == "(put 2 2)", "the middle is best: {choice:?}");
    group.bench_function("noughts-2000", |b| b.iter(choose));
    group.finish();
}

/// Games at random and the number of lines of play, as jobs beside the plain loops.
fn counts(c: &mut Criterion) {
    const GAMES: u64 = 256;
    const DEPTH: u32 = 4;
    let game = Arc::new(load(NOUGHTS));
    let mut machine = game.machine("auto").expect("it has a net");
    let state = machine.initial();

    let mut group = c.benchmark_group("propnet/random_games/play");
    group.sample_size(10);
    group.throughput(Throughput::Elements(GAMES));
    let jobs = || {
        let search = RandomGames::new(&game, &state, 1, GAMES);
        run_all(vec![search], Parallelism::Shards).remove(0).found().expect("a sound game")
    };
    let mut plain =
        || random_games::play(&mut *machine, &state, 1, 0..GAMES, &mut || false).expect("a sound game");
    let (found, wanted) = (jobs(), plain());
    assert_eq!(
        (found.games, found.steps, &found.goals),
        (GAMES, wanted.steps, &wanted.goals),
        "the same games"
    );
    group.bench_function("jobs/noughts", |b| b.iter(jobs));
    group.bench_function("plain/noughts", |b| b.iter(&mut plain));
    group.finish();

    let mut group = c.benchmark_group("propnet/perft/count");
    group.sample_size(10);
    group.throughput(Throughput::Elements(9 * 8 * 7 * 6));
    let jobs = || run_all(vec![Perft::new(&game, &state, DEPTH)], Parallelism::Shards).remove(0).found();
    let mut plain = || perft::perft(&mut *machine, &state, DEPTH, &mut || false).expect("a sound game");
    assert_eq!((jobs().expect("a sound game"), plain()), (9 * 8 * 7 * 6, 9 * 8 * 7 * 6));
    group.bench_function("jobs/noughts-4", |b| b.iter(jobs));
    group.bench_function("plain/noughts-4", |b| b.iter(&mut plain));
    group.finish();
}

/// Alpha-beta until the game is solved: the moves of the root as jobs, beside the plain search.
fn alpha_beta(c: &mut Criterion) {
    let mut group = c.benchmark_group("propnet/players/alphabeta");
    group.sample_size(10);
    let game = Arc::new(load(HEAPS));
    let mut machine = game.machine("auto").expect("it has a net");
    let (state, budget) = (machine.initial(), Budget::default());
    let jobs =
        || alphabeta::threads::search(&game, &state, &budget, 2, Parallelism::Shards).expect("a sound game");
    let mut plain = || alphabeta::search(&mut *machine, &state, &budget).expect("a sound game");
    let (found, wanted) = (jobs(), plain());
    assert!(found.exact && wanted.exact, "the game is solved");
    assert_eq!((found.value, &found.best), (wanted.value, &wanted.best), "both find the same");
    group.bench_function("jobs/heaps", |b| b.iter(jobs));
    group.bench_function("plain/heaps", |b| b.iter(&mut plain));
    group.finish();
}

criterion_group!(propnet, set_up, machines, playouts, environments, uct, montecarlo, counts, alpha_beta);
criterion_main!(propnet);
