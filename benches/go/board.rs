//! Bench of the board: random moves on a 9x9 board, with and without undo.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use tengen_core::SplitMix64;
use tengen_go::board::{Board, Color, Vertex};

const MOVES: u64 = 100;

/// Plays up to [`MOVES`] random legal moves that fill no own one-point eye; returns how many.
fn playout(board: &mut Board, random: &mut SplitMix64) -> u64 {
    let mut color = Color::Black;
    let mut played = 0;
    for _ in 0..MOVES {
        let v = Vertex::from_index(random.below(81) as usize, 9);
        let eye = board.neighbors4(v).all(|n| board.color_at(n) == Some(color));
        if !eye && board.play(color, v).is_ok() {
            played += 1;
            color = color.other();
        }
    }
    played
}

pub(crate) fn bench(c: &mut Criterion) {
    let mut random = SplitMix64::new(7);
    let moves = playout(&mut Board::new(9), &mut random);
    assert!(moves > 50);
    let mut group = c.benchmark_group("go/board");
    group.throughput(Throughput::Elements(MOVES));
    group.bench_function("play/9x9-random-tries", |b| {
        let mut random = SplitMix64::new(7);
        let empty = Board::new(9);
        b.iter(|| {
            let mut board = empty.clone();
            black_box(playout(&mut board, &mut random))
        });
    });
    group.bench_function("play-undo/9x9-random-tries", |b| {
        let mut random = SplitMix64::new(7);
        let mut board = Board::new(9);
        b.iter(|| {
            black_box(playout(&mut board, &mut random));
            board.undo_to(0);
        });
    });
    group.finish();
}
