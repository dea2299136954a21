//! The board kernel: `go/board/<function>/<input>`.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use tengen_core::SplitMix64;
use tengen_go::board::{Board, Color, Vertex};

/// Random moves played before the board is emptied again by undo.
const MOVES: u64 = 60;

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/board/play-and-undo");
    group.throughput(Throughput::Elements(MOVES));
    for size in [9, 19] {
        let mut board = Board::new(size);
        group.bench_function(format!("{size}x{size}-random"), |b| {
            b.iter(|| {
                play(&mut board, black_box(1));
                board.undo_to(0);
                assert_eq!(board.hash(), 0);
            });
        });
    }
    group.finish();
}

/// Tries random vertices; illegal ones count as moves too, which is what playouts do.
fn play(board: &mut Board, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let size = board.size();
    let mut color = Color::Black;
    for _ in 0..MOVES {
        let v = Vertex::from_index(random.below((size * size) as u32) as usize, size);
        if board.play(color, v).is_ok() {
            color = color.other();
        }
    }
}
