//! Benches of every single system of the schedule `Analyse`: `go/system/<name>/<input>`. The figure is the time of the
//! system in an analysis of a game position by a fresh engine. A new system of the schedule gets its bench without
//! further code. The other modules have the benches of single functions.

use criterion::Criterion;
use std::time::Duration;
use tengen_benches::game_position;
use tengen_core::profiler::profile::Profile;
use tengen_core::profiler::{Kind, Recorder};
use tengen_go::moves::MoveList;
use tengen_go::{AnalyseSystems, GoEngine};

/// What the systems of one whole analysis took, by name.
fn analysed() -> Vec<(String, Duration)> {
    let recorder = Recorder::default();
    recorder.scope(|| {
        let mut engine = GoEngine::new(1);
        engine.put(0, game_position());
        engine.analyse(AnalyseSystems::MoveEvaluation);
        let moves = engine.result::<MoveList>(0, AnalyseSystems::MoveEvaluation);
        assert!(moves.is_some_and(|moves| moves.candidates.len() > 10), "a game position has moves");
    });
    let rows = Profile::of(&recorder.names(), &recorder.take()).rows;
    rows.into_iter().filter(|row| row.kind == Kind::System).map(|row| (row.name, row.total)).collect()
}

/// A system's name without its modules.
fn short(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/system");
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    let mut names: Vec<String> = analysed().into_iter().map(|(name, _)| name).collect();
    names.sort();
    for name in names.iter().filter(|name| name.starts_with("tengen_go")) {
        group.bench_function(format!("{}/13x13-game", short(name)), |b| {
            b.iter_custom(|times| {
                let took = (0..times).map(|_| {
                    let rows = analysed().into_iter().filter(|(row, _)| row == name);
                    rows.map(|(_, took)| took).sum::<Duration>()
                });
                // Below the clock's step it is the step.
                took.sum::<Duration>().max(Duration::from_nanos(1))
            });
        });
    }
    group.finish();
}
