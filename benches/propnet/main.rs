//! Benches of propnets. Ids are `propnet/<module>/<function>/<game>`; elements are state changes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism};
use tengen_propnet::environment::{BitOrder, Environment, Layout, Screens, Settings};
use tengen_propnet::game::{Game, LoadLimits};
use tengen_propnet::players::uct::{self, Uct};
use tengen_propnet::propagate::playout;

const NOUGHTS: &str = include_str!("../../resources/gdl/noughts.kif");
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

/// Every way to play games out, beside each other.
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

/// The questions of one state, of the net and of the prover, beside each other.
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

criterion_group!(propnet, set_up, machines, playouts, environments, uct);
criterion_main!(propnet);
