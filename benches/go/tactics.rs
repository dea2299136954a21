//! Reading of all strings: `go/tactics/read/<input>`.

use criterion::Criterion;
use std::hint::black_box;
use tengen_benches::midgame;
use tengen_go::tactics::{Reader, map};

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/tactics/read");
    group.sample_size(10);
    let mut reader = Reader::default();
    let board = midgame(9).board;
    let once = map::read(&mut reader, &mut board.clone());
    assert_eq!(once, map::read(&mut reader, &mut board.clone()), "what was read before changes nothing");
    group.bench_function("9x9-midgame", |b| {
        b.iter(|| map::read(&mut reader, &mut black_box(&board).clone()));
    });
    group.finish();
}
