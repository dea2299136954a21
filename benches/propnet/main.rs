//! Benches of propnets. Ids are `propnet/<module>/<function>/<game>`; elements are state changes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tengen_propnet::game::{Game, LoadLimits};
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

criterion_group!(propnet, set_up, playouts);
criterion_main!(propnet);
