//! Benches of further hot functions of Go: connection, eye spaces, races, patterns, playouts.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use tengen_benches::midgame;
use tengen_go::board::{Color, Vertex};
use tengen_go::connection::ConnectionReader;
use tengen_go::eyes::{EyeGraph, EyeSolver};
use tengen_go::goban;
use tengen_go::patterns::PatternDatabases;
use tengen_go::playout::{
    LADDERS, Limits, PlayoutBoard, Policy, Root, estimate, search_moves, search_on_threads,
};
use tengen_go::semeai::RaceReader;
use tengen_go::tactics::Code;

/// A cut that takes reading: a diagonal with one of its two vertices gone.
fn connection(c: &mut Criterion) {
    let (board, _) = goban!(". . . . .", ". O X . .", ". X . . .", "O O O . .", ". . . . .");
    let ends = ["C4", "B3"].map(|name| Vertex::from_gtp(name, 5).expect("a vertex"));
    let ask = |reader: &mut ConnectionReader| reader.disconnect(black_box(&board), ends[0], ends[1]).code;
    assert_eq!(ask(&mut ConnectionReader::default()), Code::Win);
    c.bench_function("go/connection/disconnect/diagonal", |b| {
        b.iter_batched(
            ConnectionReader::default,
            |mut reader| ask(&mut reader),
            criterion::BatchSize::SmallInput,
        );
    });
}

/// Eye spaces for a fresh solver that has not seen them.
fn eyes(c: &mut Criterion) {
    let line: &[(usize, usize)] = &[(0, 1), (1, 2)];
    let square = &[(0, 1), (1, 2), (2, 3), (3, 0)];
    for (name, vertices, edges, eyes) in
        [("three-in-line", 3, line, (1, 2)), ("square-four", 4, square, (1, 1))]
    {
        let mut graph = EyeGraph::with_vertices(vertices);
        edges.iter().for_each(|&(a, b)| graph.join(a, b));
        let value = EyeSolver::default().solve(&graph).value;
        assert_eq!((value.b, value.c), eyes, "{name}: eyes if the attacker or the defender begins");
        c.bench_function(&format!("go/eyes/solve/{name}"), |b| {
            b.iter_batched(
                EyeSolver::default,
                |mut solver| solver.solve(black_box(&graph)),
                criterion::BatchSize::SmallInput,
            );
        });
    }
}

/// Two rows of nine stones with three liberties each.
fn race(c: &mut Criterion) {
    let (board, _) = goban!(
        ". . . . . . . . .",
        "X X X X X X X X X",
        ". . . X X X X X X",
        "O O O O O O O O O",
        "X X X X X X X X X",
        ". . . O O O O O O",
        "O O O O O O O O O",
        ". . . . . . . . .",
        ". . . . . . . . ."
    );
    let row = |row: usize| board.vertices().filter(|v| v.row(9) == row).collect::<Vec<_>>();
    let (mine, theirs) = (row(4), row(3));
    let mut alive = vec![false; board.padded_len()];
    let outside = |v: &Vertex| board.color_at(*v).is_some() && !mine.contains(v) && !theirs.contains(v);
    board.vertices().filter(outside).for_each(|v| alive[v.at()] = true);
    let dead = vec![false; board.padded_len()];
    let ask = |reader: &mut RaceReader| {
        reader.analyse(black_box(&board), &mine, &theirs, (&alive, &dead), 2000).attack
    };
    assert_eq!(ask(&mut RaceReader::default()), Code::Win, "who is first wins an equal race");
    c.bench_function("go/semeai/analyse/rows-3-3", |b| {
        b.iter_batched(RaceReader::default, |mut reader| ask(&mut reader), criterion::BatchSize::SmallInput);
    });
}

/// All patterns of the databases on a busy board.
fn patterns(c: &mut Criterion) {
    let position = midgame(19);
    let matcher = PatternDatabases::default().connections;
    let found = || matcher.find(black_box(&position.board), Color::Black, |_| true).len();
    assert!(found() > 0, "a busy board has matches");
    c.bench_function("go/patterns/find/19x19-midgame", |b| b.iter(found));
}

fn playouts(c: &mut Criterion) {
    const PLAYOUTS: u32 = 10;
    let mut group = c.benchmark_group("go/playout/estimate");
    group.throughput(Throughput::Elements(PLAYOUTS.into()));
    group.measurement_time(Duration::from_secs(2));
    for size in [9, 19] {
        let position = midgame(size);
        let board = PlayoutBoard::from(&position.board);
        let owned = estimate(&board, Color::Black, &Policy::default(), PLAYOUTS, 1);
        assert_eq!(owned.owner.len(), size * size);
        assert!(owned.owner.iter().all(|owner| (-1.0..=1.0).contains(owner)), "shares of playouts");
        group.bench_function(format!("{size}x{size}-midgame"), |b| {
            b.iter(|| estimate(black_box(&board), Color::Black, &Policy::default(), PLAYOUTS, 1));
        });
    }
    group.finish();
}

/// The search that weighs moves: its playouts as jobs, beside the plain loop, which is another search.
fn weighing(c: &mut Criterion) {
    const PLAYOUTS: u32 = 200;
    let mut group = c.benchmark_group("go/playout/search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PLAYOUTS.into()));
    let board = PlayoutBoard::from(&midgame(9).board);
    let root = Root {
        board: &board,
        color: Color::Black,
        last: Vertex::PASS,
        before: Vertex::PASS,
        komi: 7.5,
        owner: None,
    };
    let limits = Limits {
        playouts: PLAYOUTS,
        policy: Policy::default(),
        win_share: 0.8,
        warm_up: 0,
        ladders: LADDERS,
        seed: 1,
    };
    let jobs = || search_on_threads(root, &|_| true, &[], &limits, 2, &mut || false);
    let plain = || search_moves(root, &|_| true, &[], &limits, &mut || false);
    for findings in [jobs(), plain()] {
        let visits: u32 = findings.moves.iter().map(|m| m.visits).sum();
        assert!(visits > 0 && visits <= PLAYOUTS, "{visits} visits of the root's moves");
    }
    group.bench_function("jobs/9x9-midgame", |b| b.iter(jobs));
    group.bench_function("plain/9x9-midgame", |b| b.iter(plain));
    group.finish();
}

pub(crate) fn benches(c: &mut Criterion) {
    weighing(c);
    connection(c);
    eyes(c);
    race(c);
    patterns(c);
    playouts(c);
}
