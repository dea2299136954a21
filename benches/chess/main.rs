//! Benches of chess. Ids are `chess/<module>/<function>/<input>`; a bench checks its answer before it is measured.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tengen_chess::history::Game;
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::{fen, perft};
use tengen_chess::search::{Limits, Options, search};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PAWNS: &str = "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 0 1";

fn perft(c: &mut Criterion) {
    let setup = fen::parse(KIWIPETE).expect("a legal position");
    assert_eq!(perft::perft(&setup.board, 3), 97_862);
    let mut group = c.benchmark_group("chess/rules/perft");
    group.throughput(Throughput::Elements(97_862));
    group.bench_function("kiwipete-3", |b| b.iter(|| perft::perft(black_box(&setup.board), 3)));
    group.finish();
}

/// The cost of being right: the exact scheme beside the plain key stack, on equal depth and equal trees.
fn schemes(c: &mut Criterion) {
    let mut group = c.benchmark_group("chess/search/scheme");
    group.sample_size(10);
    for (name, text, depth) in [("kiwipete-5", KIWIPETE, 5), ("pawns-9", PAWNS, 9)] {
        let game = Game::from_text(text, []).expect("a legal position");
        for scheme in [Scheme::Walk, Scheme::Shadow, Scheme::Exact] {
            let options = Options { scheme, selective: false, ..Options::default() };
            let limits = || Limits { depth: Some(depth), ..Limits::default() };
            let nodes = search(&game, limits(), options.clone(), 16).nodes;
            assert!(nodes > 0, "a search visits nodes");
            group.throughput(Throughput::Elements(nodes));
            group.bench_function(BenchmarkId::new(format!("{scheme:?}").to_lowercase(), name), |b| {
                b.iter(|| search(black_box(&game), limits(), options.clone(), 16).nodes);
            });
        }
    }
    group.finish();
}

criterion_group!(chess, perft, schemes);
criterion_main!(chess);
