//! Benches of the scheduler of searches. The id of a bench is `search/<module>/<function>/<input>`. A bench checks its
//! answer before the measurement.

mod batch;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use tengen_core::Parallelism;
use tengen_search::{Searcher, Window, run_all};

/// A search with this number of jobs, each of which adds up a few numbers.
struct Sum {
    left: u64,
    under_way: u64,
    work: u64,
    window: Window,
    sum: u64,
}

impl Sum {
    const JOBS: u64 = 2_000;

    fn new(work: u64, window: Window) -> Self {
        Self { left: Self::JOBS, under_way: 0, work, window, sum: 0 }
    }
}

/// How many numbers a job adds up, and their sum.
struct Job(u64, u64);

impl Searcher for Sum {
    type Job = Job;

    fn name(&self) -> &'static str {
        "bench/sum"
    }

    fn window(&self) -> Window {
        self.window
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        let take = self.left.min(room as u64);
        self.left -= take;
        self.under_way += take;
        jobs.extend((0..take).map(|_| Job(self.work, 0)));
    }

    fn work(job: &mut Job) {
        job.1 = (0..black_box(job.0)).fold(0, |sum, n| sum + black_box(n));
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        self.sum += job.1;
    }

    fn finished(&self) -> bool {
        self.left == 0 && self.under_way == 0
    }
}

/// What the searches of one World add up to.
fn run(searches: u64, work: u64, window: Window) -> u64 {
    let searches = (0..searches).map(|_| Sum::new(work, window)).collect();
    run_all(searches, Parallelism::Shards).iter().map(|search: &Sum| search.sum).sum()
}

/// The same work in a plain loop: what the scheduler's cost is measured against.
fn plain(searches: u64, work: u64) -> u64 {
    let mut sum = 0;
    for _ in 0..searches * Sum::JOBS {
        let mut job = Job(work, 0);
        Sum::work(&mut job);
        sum += job.1;
    }
    sum
}

fn expand(c: &mut Criterion) {
    let mut group = c.benchmark_group("search/expand");
    group.sample_size(10);
    for (name, work) in [("job-of-nothing", 0), ("job-of-10us", 20_000)] {
        group.throughput(Throughput::Elements(Sum::JOBS));
        group.bench_function(BenchmarkId::new("plain", name), |b| b.iter(|| plain(1, work)));
        let windows = [
            ("rounds-of-2", Window::rounds(2)),
            ("rounds-of-64", Window::rounds(64)),
            ("window-of-48", Window::for_threads(16)),
        ];
        for (way, window) in windows {
            assert_eq!(run(1, work, window), plain(1, work), "{way}");
            group.bench_function(BenchmarkId::new(way, name), |b| b.iter(|| run(1, work, window)));
        }
    }
    group.throughput(Throughput::Elements(8 * Sum::JOBS));
    assert_eq!(run(8, 100, Window::rounds(8)), plain(8, 100));
    group.bench_function("eight-searches/rounds-of-8", |b| b.iter(|| run(8, 100, Window::rounds(8))));
    group.finish();
}

criterion_group!(search, expand, batch::benches);
criterion_main!(search);
