//! Benches of whole batches on one thread and on two threads: self-play games of scenes, and mixed cases of every kind.

use criterion::Criterion;
use std::path::Path;
use tengen::batch::{self, Event, Settings};
use tengen::record::Status;
use tengen::scene::{Case, PlainFiles, cases};
use tengen_core::Stop;

/// The cases of a scene file of the repository.
fn scene(path: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes").join(path);
    cases::of_files(&[path], 0, &PlainFiles::default())
}

/// Runs the cases; how many of them were as expected.
fn run(pool: &rayon::ThreadPool, cases: &[Case]) -> usize {
    let (all, mut passed): (Vec<usize>, usize) = ((0..cases.len()).collect(), 0);
    let result = batch::run(pool, cases, &all, &Settings::default(), &Stop::NEVER, |event| {
        if let Event::Done { record, .. } = event {
            passed += usize::from(record.status == Status::Ok);
        }
        Ok(())
    });
    result.expect("the sink takes everything");
    passed
}

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search/batch");
    group.sample_size(10);
    for (name, path) in [
        ("games/chess", "selfplay/chess.ron"),
        ("games/noughts", "selfplay/noughts.ron"),
        ("mixed", "mixed/all.ron"),
    ] {
        let cases = scene(path);
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            assert_eq!(run(&pool, &cases), cases.len(), "every case of {path} passes");
            group.bench_function(format!("{name}/{threads}-threads"), |b| b.iter(|| run(&pool, &cases)));
        }
    }
    group.finish();
}
