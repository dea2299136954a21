//! Bench of the embedded judge: `go/judge/<part>/<size>`. For comparison, a matrix library computes the same number of
//! products.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use tengen_benches::midgame;
use tengen_go::judge::Embedded;
use tengen_go::judge::inputs::Inputs;

/// Channels of the net, and what one 3x3 convolution reads for a vertex.
const CHANNELS: usize = 64;
const READS: usize = 9 * CHANNELS;
/// Convolutions of 3x3.
const LAYERS: usize = 12;

pub(crate) fn benches(c: &mut Criterion) {
    let judge = Embedded::own();
    let mut group = c.benchmark_group("go/judge");
    for size in [9, 13, 19] {
        let position = midgame(size);
        let (board, to_move, past) = (&position.board, position.to_move, position.past);
        let view = judge.see(board, to_move, past, 7.5).expect("it judges this size");
        assert_eq!(view.owner.len(), size * size);
        group.throughput(Throughput::Elements((size * size * READS * CHANNELS * LAYERS) as u64));
        group.bench_function(format!("look/{size}x{size}"), |b| {
            b.iter(|| judge.see(black_box(board), to_move, past, 7.5));
        });
        group.bench_function(format!("inputs/{size}x{size}"), |b| {
            b.iter(|| Inputs::new(black_box(board), to_move, past));
        });
        group.bench_function(format!("matrixmultiply/{size}x{size}"), |b| {
            let (rows, weights) = (vec![0.5f32; size * size * READS], vec![0.25f32; READS * CHANNELS]);
            let mut sums = vec![0.0f32; size * size * CHANNELS];
            b.iter(|| (0..LAYERS).for_each(|_| multiply(black_box(&rows), &weights, &mut sums)));
        });
    }
}

/// One layer as a product of matrices, its inputs already gathered.
fn multiply(rows: &[f32], weights: &[f32], sums: &mut [f32]) {
    let row = |n: usize| ndarray::ArrayView2::from_shape((n / READS, READS), rows).expect("whole rows");
    let columns = ndarray::ArrayView2::from_shape((READS, CHANNELS), weights).expect("whole columns");
    let mut sums =
        ndarray::ArrayViewMut2::from_shape((rows.len() / READS, CHANNELS), sums).expect("whole rows");
    ndarray::linalg::general_mat_mul(1.0, &row(rows.len()), &columns, 0.0, &mut sums);
}
