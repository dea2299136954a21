//! Benches of chess. The id of a bench is `chess/<module>/<function>/<input>`. A bench checks its answer before the
//! measurement.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tengen_chess::evaluation::{PawnTable, Placed, Weights, evaluate};
use tengen_chess::exact::{ExactOptions, reference, solve};
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

/// The evaluation from scratch, and kept up along a move.
fn evaluation(c: &mut Criterion) {
    let setup = fen::parse(KIWIPETE).expect("a legal position");
    let weights = Weights::default();
    let mut moves = Vec::new();
    setup.board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    let placed = Placed::new(&setup.board, &weights);
    let mut pawns = PawnTable::default();
    for &mv in &moves {
        let (kept, mut board) = (placed.play(mv, &weights), setup.board.clone());
        board.play_unchecked(mv);
        let anew = Placed::new(&board, &weights);
        assert_eq!(
            evaluate(&kept, &weights, &mut pawns),
            evaluate(&anew, &weights, &mut PawnTable::default()),
            "kept up is from scratch"
        );
    }
    let mut group = c.benchmark_group("chess/evaluation/evaluate");
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("kept-up/kiwipete-moves", |b| {
        b.iter(|| {
            moves.iter().map(|&mv| evaluate(&placed.play(mv, &weights), &weights, &mut pawns)).sum::<i32>()
        });
    });
    group.bench_function("from-scratch/kiwipete-moves", |b| {
        b.iter(|| {
            let one = |&mv: &_| {
                let mut board = setup.board.clone();
                board.play_unchecked(mv);
                evaluate(&Placed::new(&board, &weights), &weights, &mut pawns)
            };
            moves.iter().map(one).sum::<i32>()
        });
    });
    group.finish();
}

/// The exact mode beside its plain reference, which has no table.
fn exact(c: &mut Criterion) {
    let game = Game::from_text(PAWNS, []).expect("a legal position");
    let options = ExactOptions { depth: 5, ..ExactOptions::default() };
    let plain = || reference::value(black_box(&game), 5, options.policy, u64::MAX);
    assert_eq!(Some(solve(&game, options).value), plain(), "the exact mode has the reference's value");
    let mut group = c.benchmark_group("chess/exact/solve");
    group.sample_size(10);
    group.bench_function("exact/pawns-5", |b| b.iter(|| solve(black_box(&game), options)));
    group.bench_function("reference/pawns-5", |b| b.iter(plain));
    group.finish();
}

criterion_group!(chess, perft, evaluation, schemes, exact);
criterion_main!(chess);
