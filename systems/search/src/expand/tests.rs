use super::*;

/// Counts the leaves of a binary tree of the given depth, one job per node.
struct Count {
    frontier: Vec<u32>,
    open: usize,
    leaves: u64,
    trace: Vec<u32>,
}

impl Searcher for Count {
    type Job = (u32, Vec<u32>);
    const JOB_NANOS: u64 = 20_000;

    fn select(&mut self, room: usize, jobs: &mut Vec<Self::Job>) {
        let take = room.min(self.frontier.len());
        jobs.extend(self.frontier.drain(..take).map(|depth| (depth, Vec::new())));
        self.open = jobs.len();
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
    const JOB_NANOS: u64 = 1;
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

fn traces(parallelism: Parallelism) -> Vec<(u64, Vec<u32>)> {
    let mut app = App::empty();
    app.add_plugins((ExpandPlugin::<Count>::default(), ExpandPlugin::<Down>::default()));
    let world = app.world_mut();
    world.insert_resource(parallelism);
    let counts: Vec<Entity> = (0..5)
        .map(|d| {
            start(world, u64::from(d), Count { frontier: vec![d], open: 0, leaves: 0, trace: Vec::new() })
        })
        .collect();
    let down = start(world, 9, Down(40));
    run_to_end(world);
    assert_eq!(world.get::<Running<Down>>(down).map(|d| d.0.0), Some(0));
    assert_eq!(world.query::<&Job>().iter(world).count(), 0, "finished searches give their jobs back");
    counts
        .iter()
        .map(|&e| {
            let c = &world.get::<Running<Count>>(e).expect("the search entity stays").0;
            (c.leaves, c.trace.clone())
        })
        .collect()
}

#[test]
fn searches_of_two_kinds_finish_together_and_count_right() {
    let leaves: Vec<u64> = traces(Parallelism::Shards).into_iter().map(|(n, _)| n).collect();
    assert_eq!(leaves, [1, 2, 4, 8, 16]);
}

#[test]
fn results_merge_in_the_same_order_at_any_thread_count() {
    let serial = traces(Parallelism::Shards);
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        assert_eq!(pool.install(|| traces(Parallelism::Inside)), serial);
    }
}
