//! Bench of measuring worms from scratch: `go/worms/build/<input>`.

use criterion::Criterion;
use std::hint::black_box;
use tengen_benches::midgame;
use tengen_go::worms::build;

pub(crate) fn benches(c: &mut Criterion) {
    for size in [9, 19] {
        let position = midgame(size);
        let worms = build(&position.board);
        assert_eq!(worms.worms.iter().map(|w| usize::from(w.size)).sum::<usize>(), size * size);
        c.bench_function(&format!("go/worms/build/{size}x{size}-midgame"), |b| {
            b.iter(|| build(black_box(&position.board)));
        });
    }
}
