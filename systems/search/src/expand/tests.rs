//! Tests of the schedule `Expand`: order, threads, faults, and the profiler.

use super::*;
use tengen_core::profiler::Profile;
use tengen_core::profiler::simulate::Graph;

/// Counts the leaves of a binary tree of the given depth, one job per node.
struct Count {
    frontier: Vec<u32>,
    open: usize,
    leaves: u64,
    trace: Vec<u32>,
    window: Window,
}

impl Searcher for Count {
    type Job = (u32, Vec<u32>);

    fn name(&self) -> &'static str {
        "test/count"
    }

    fn window(&self) -> Window {
        self.window
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Self::Job>) {
        let take = room.min(self.frontier.len());
        jobs.extend(self.frontier.drain(..take).map(|depth| (depth, Vec::new())));
        self.open += take;
    }

    fn work((depth, children): &mut Self::Job) {
        if *depth > 0 {
            children.extend([*depth - 1, *depth - 1]);
        }
    }

    fn backup(&mut self, (depth, children): Self::Job) {
        self.trace.push(depth);
        self.leaves += u64::from(children.is_empty());
        self.frontier.extend(children);
        self.open -= 1;
    }

    fn finished(&self) -> bool {
        self.frontier.is_empty() && self.open == 0
    }
}

/// A second searcher with the same job type, to share the schedule with.
struct Down(u32);

impl Searcher for Down {
    type Job = (u32, Vec<u32>);
    fn name(&self) -> &'static str {
        "test/down"
    }
    fn window(&self) -> Window {
        Window::rounds(1)
    }
    fn select(&mut self, _: usize, jobs: &mut Vec<Self::Job>) {
        jobs.push((self.0, Vec::new()));
    }
    fn work(job: &mut Self::Job) {
        job.0 -= 1;
    }
    fn backup(&mut self, job: Self::Job) {
        self.0 = job.0;
    }
    fn finished(&self) -> bool {
        self.0 == 0
    }
}

fn traces(parallelism: Parallelism, window: Window) -> Vec<(u64, Vec<u32>)> {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin);
    let world = app.world_mut();
    world.insert_resource(parallelism);
    let counts: Vec<Entity> = (0..5)
        .map(|d| {
            let count = Count { frontier: vec![d], open: 0, leaves: 0, trace: Vec::new(), window };
            start(world, u64::from(d), count)
        })
        .collect();
    let down = start(world, 9, Down(40));
    run_to_end(world);
    assert_eq!(world.get::<Running>(down).and_then(Running::search::<Down>).map(|d| d.0), Some(0));
    assert_eq!(world.query::<&Job>().iter(world).count(), 0, "finished searches give their jobs back");
    counts
        .iter()
        .map(|&e| {
            let running = world.get::<Running>(e).expect("the search entity stays");
            let c: &Count = running.search().expect("a count");
            (c.leaves, c.trace.clone())
        })
        .collect()
}

#[test]
fn searches_of_two_kinds_finish_together_and_count_right() {
    let leaves: Vec<u64> =
        traces(Parallelism::Shards, Window::rounds(10)).into_iter().map(|(n, _)| n).collect();
    assert_eq!(leaves, [1, 2, 4, 8, 16]);
}

#[test]
fn results_merge_in_the_same_order_at_any_thread_count() {
    for window in
        [Window::rounds(10), Window { jobs: 6, step: 2 }, Window { jobs: 7, step: 3 }, Window::for_threads(2)]
    {
        let serial = traces(Parallelism::Shards, window);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            assert_eq!(
                pool.install(|| traces(Parallelism::Inside, window)),
                serial,
                "{threads} threads, {window:?}"
            );
        }
    }
}

#[test]
fn a_carried_search_goes_the_rounds_it_would_have_gone_in_the_world() {
    let window = Window::rounds(3);
    let count = || Count { frontier: vec![9], open: 0, leaves: 0, trace: Vec::new(), window };
    let plain = run_all(vec![count()], Parallelism::Shards).remove(0);
    let carried = run_all(vec![TreeJob::new(count())], Parallelism::Shards).remove(0);
    let carried = carried.found().expect("it is over, and at home");
    assert_eq!((carried.leaves, carried.trace), (512, plain.trace));
}

fn app() -> App {
    let mut app = App::empty();
    app.add_plugins(ExpandPlugin);
    app
}

#[test]
fn a_search_that_panics_costs_no_other_search() {
    for parallelism in [Parallelism::Shards, Parallelism::Inside] {
        let mut app = app();
        let world = app.world_mut();
        world.insert_resource(parallelism);
        let broken = start(world, 0, SingleJob::<u32>::new("test/broken", || panic!("no {}", 7)));
        let whole = start(world, 0, SingleJob::new("test/whole", || 7_u32));
        drive(world, |_| false);
        assert_eq!(world.get::<Status>(broken), Some(&Status::Panicked("no 7".into())));
        assert_eq!(take::<SingleJob<u32>>(world, whole).and_then(SingleJob::found), Some(7));
        assert!(take::<SingleJob<u32>>(world, broken).is_none());
    }
}

#[test]
fn a_driven_world_takes_searches_in_and_out_while_it_runs() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    for parallelism in [Parallelism::Shards, Parallelism::Inside] {
        let mut app = app();
        let world = app.world_mut();
        world.insert_resource(parallelism);
        let (mut open, mut begun, mut found) = (Vec::new(), 0_u32, Vec::new());
        pool.install(|| {
            drive(world, |world| {
                open.retain(|&entity| {
                    let taken = take::<SingleJob<u32>>(world, entity).and_then(SingleJob::found);
                    found.extend(taken);
                    taken.is_none()
                });
                let before = begun;
                while open.len() < 3 && begun < 20 {
                    let n = begun;
                    open.push(start(world, u64::from(n), SingleJob::new("test/whole", move || n)));
                    begun += 1;
                }
                begun > before
            });
        });
        found.sort_unstable();
        assert_eq!(found, (0..20).collect::<Vec<u32>>());
    }
}

#[test]
fn a_recorded_world_names_systems_tree_operations_and_jobs() {
    let recorder = Recorder::default();
    recorder.scope(|| traces(Parallelism::Shards, Window::rounds(10)));
    let spans = recorder.take();
    let profile = Profile::of(&recorder.names(), &spans);
    let calls = |name: &str| profile.rows.iter().find(|r| r.name == name).map(|r| r.calls);
    // Five trees with 1, 3, 7, 15, 31 nodes, one job a node.
    assert_eq!((calls("test/count job"), calls("test/count backup")), (Some(57), Some(57)));
    assert_eq!(calls("test/down job"), Some(40));
    assert!(profile.rows.iter().any(|r| r.name.ends_with("drive::work")), "systems have rows");
    let graph = Graph::of(&recorder.names(), &spans);
    let (one, many) = (graph.replay(1), graph.replay(64));
    assert!((one.speed_up - 1.0).abs() < 1e-9, "{one:?}");
    assert!(many.speed_up >= 1.0 && many.time >= graph.critical_path(), "{many:?}");
}

/// A search that finds only while it selects that it is over.
struct Late(bool);

impl Searcher for Late {
    type Job = ();
    fn name(&self) -> &'static str {
        "test/late"
    }
    fn window(&self) -> Window {
        Window::rounds(1)
    }
    fn select(&mut self, _: usize, _: &mut Vec<()>) {
        self.0 = true;
    }
    fn work((): &mut ()) {}
    fn backup(&mut self, (): ()) {}
    fn finished(&self) -> bool {
        self.0
    }
}

#[test]
fn a_search_that_selects_nothing_because_it_is_over_is_reaped() {
    for parallelism in [Parallelism::Shards, Parallelism::Inside] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let done = pool.install(|| run_all(vec![Late(false)], parallelism));
        assert_eq!(done.len(), 1);
    }
}

#[test]
fn searches_that_run_alone_come_back_in_order_run_after_run_and_after_a_panic() {
    let answers = |of: std::ops::Range<u32>| {
        let searches = of.map(|n| SingleJob::new("test/whole", move || n)).collect();
        run_all(searches, Parallelism::Shards).into_iter().filter_map(SingleJob::found).collect::<Vec<_>>()
    };
    assert_eq!(answers(0..3), [0, 1, 2]);
    assert_eq!(answers(5..7), [5, 6]);
    let broken = catch_unwind(|| {
        run_all(vec![SingleJob::<u32>::new("test/broken", || panic!("no {}", 7))], Parallelism::Shards).len()
    });
    assert_eq!(broken.map_err(|cause| job_slot::message(&*cause)), Err("no 7".into()));
    assert_eq!(answers(1..2), [1]);
}

#[test]
fn each_recorder_hears_of_the_searches_that_run_alone_under_it() {
    let run = || drop(run_all(vec![SingleJob::new("test/whole", || 1_u32)], Parallelism::Shards));
    run();
    for _ in 0..2 {
        let recorder = Recorder::default();
        recorder.scope(|| {
            run();
            run();
        });
        let profile = Profile::of(&recorder.names(), &recorder.take());
        let jobs = profile.rows.iter().find(|r| r.name == "test/whole job").map(|r| r.calls);
        assert_eq!((jobs, profile.searches.len()), (Some(2), 2));
    }
    run();
}
