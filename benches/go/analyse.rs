//! Bench of the whole schedule `Analyse`, stage by stage, in a reused World: `go/analyse/<last stage>/<input>`.

use criterion::Criterion;
use std::hint::black_box;
use tengen_benches::midgame;
use tengen_go::{AnalyseSystems, GoEngine};

/// All stages that find something.
fn stages() -> impl Iterator<Item = AnalyseSystems> {
    let ends = [AnalyseSystems::Read, AnalyseSystems::Publish];
    AnalyseSystems::ALL.into_iter().filter(move |stage| !ends.contains(stage))
}

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/analyse");
    group.sample_size(10);
    for last in stages() {
        let mut engine = GoEngine::new(1);
        let position = midgame(19);
        group.bench_function(format!("{last:?}/19x19-midgame"), |b| {
            b.iter(|| {
                engine.put(0, black_box(&position).clone());
                engine.analyse(last);
                assert!(engine.reached(last));
            });
        });
    }
    group.finish();
}
