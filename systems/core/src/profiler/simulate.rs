//! Replays recorded searches on more workers than the machine has.
//!
//! # Source
//! R. Graham, "Bounds on multiprocessing timing anomalies" (1969): list scheduling. The list has the order of the real
//! scheduler: searches in their order, and jobs in the order in which they were armed.
//!
//! # Notation
//! A *tree operation* is a selection or a backup. `T(n)` is the time until all work is done on `n` workers.
//!
//! # Steps
//! 1. From the spans, build for each search the chain of its tree operations, and its jobs between them.
//! 2. Distribute the time of the scheduler itself evenly over the tree operations.
//! 3. A free worker takes a tree operation that is ready, if no other worker holds the World. Otherwise it takes the
//!    first job of the earliest search.
//!
//! # Departures
//! Durations are the recorded ones, so the replay leaves out the cost that threads cause each other in caches and
//! memory. Work outside searches (reading scenes, writing records) is not replayed.
//!
//! # Cost
//! `n log n` for `n` spans.

use super::{Kind, Profile, Span};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::time::Duration;

/// The simulated run on a number of workers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replay {
    /// Workers.
    pub workers: usize,
    /// `T(1) / T(workers)`.
    pub speed_up: f64,
    /// The share of the workers' time in jobs and tree operations.
    pub utilisation: f64,
    /// The share of the time in which a worker holds the World.
    pub world_busy: f64,
    /// `T(workers)`.
    pub time: Duration,
}

/// The graph of all searches.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    searches: Vec<Vec<Operation>>,
    jobs: Vec<Job>,
    /// All durations together: `T(1)`.
    pub work: Duration,
    /// The scheduler's own time, which is part of it.
    pub scheduling: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Operation {
    nanos: u64,
    /// The job merged.
    merges: Option<usize>,
    /// The jobs armed: from, to.
    arms: (usize, usize),
}

#[derive(Clone, Copy, Debug, Default)]
struct Job {
    nanos: u64,
    search: usize,
}

impl Graph {
    /// Steps 1 and 2. A span inside a job (a World of its own, say) is part of the job.
    #[must_use]
    pub fn of(names: &[String], spans: &[Span]) -> Self {
        let mut graph = Self::default();
        let mut searches: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        let mut numbered: HashMap<(usize, u32), usize> = HashMap::new();
        let outer = outside_jobs(spans);
        searches.extend(outer.iter().filter_map(|s| s.link).map(|link| ((link.world, link.search), 0)));
        searches.values_mut().enumerate().for_each(|(index, search)| *search = index);
        graph.searches.resize(searches.len(), Vec::new());
        for span in &outer {
            let Some(link) = span.link else { continue };
            let Some(&search) = searches.get(&(link.world, link.search)) else { continue };
            let nanos = u64::try_from(span.took.as_nanos()).unwrap_or(u64::MAX);
            match span.kind {
                Kind::Select => {
                    let from = graph.jobs.len();
                    for number in link.first..link.first + link.jobs {
                        numbered.insert((search, number), graph.jobs.len());
                        graph.jobs.push(Job { nanos: 0, search });
                    }
                    let arms = (from, graph.jobs.len());
                    graph.searches[search].push(Operation { nanos, merges: None, arms });
                }
                Kind::Backup => {
                    let merges = numbered.get(&(search, link.first)).copied();
                    graph.searches[search].push(Operation { nanos, merges, arms: (0, 0) });
                }
                Kind::Job => {
                    if let Some(&job) = numbered.get(&(search, link.first)) {
                        graph.jobs[job].nanos = nanos;
                    }
                }
                _ => {}
            }
        }
        let spans: Vec<Span> = outer.into_iter().copied().collect();
        graph.scheduling = Profile::of(names, &spans).scheduling();
        graph.share_out();
        graph
    }

    /// Step 2.
    fn share_out(&mut self) {
        let operations: u64 = self.searches.iter().map(|s| s.len() as u64).sum();
        let each = self.scheduling.as_nanos() as u64 / operations.max(1);
        let mut nanos: u64 = self.jobs.iter().map(|j| j.nanos).sum();
        for operation in self.searches.iter_mut().flatten() {
            operation.nanos += each;
            nanos += operation.nanos;
        }
        self.work = Duration::from_nanos(nanos);
    }

    /// Whether there is nothing to replay.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The longest chain of dependent work: no number of workers finishes in less time.
    #[must_use]
    pub fn critical_path(&self) -> Duration {
        let longest = self.searches.iter().map(|operations| {
            let mut ready: HashMap<usize, u64> = HashMap::new();
            let mut at = 0;
            for operation in operations {
                at = at.max(operation.merges.and_then(|job| ready.remove(&job)).unwrap_or(0))
                    + operation.nanos;
                ready
                    .extend((operation.arms.0..operation.arms.1).map(|job| (job, at + self.jobs[job].nanos)));
            }
            ready.into_values().fold(at, u64::max)
        });
        Duration::from_nanos(longest.max().unwrap_or(0))
    }

    /// Step 3.
    #[must_use]
    pub fn replay(&self, workers: usize) -> Replay {
        let mut floor = Floor::new(self, workers.max(1));
        let (time, world) = floor.run();
        let work = self.work.as_nanos() as f64;
        let speed_up = if time == 0 { 1.0 } else { work / time as f64 };
        Replay {
            workers,
            speed_up,
            utilisation: speed_up / workers.max(1) as f64,
            world_busy: world as f64 / time.max(1) as f64,
            time: Duration::from_nanos(time),
        }
    }
}

/// The spans outside all jobs of other spans, in the order of their beginnings.
fn outside_jobs(spans: &[Span]) -> Vec<&Span> {
    let mut order: Vec<&Span> = spans.iter().collect();
    order.sort_by_key(|s| (s.start, Reverse(s.took)));
    let mut busy_until = HashMap::new();
    order.retain(|span| {
        let inside = busy_until.get(&span.thread).is_some_and(|&until| span.start < until);
        if span.kind == Kind::Job && !inside {
            busy_until.insert(span.thread, span.start + span.took);
        }
        !inside
    });
    order
}

/// The task of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Operation(usize),
    Job(usize),
}

/// The workers, at one moment.
struct Floor<'a> {
    graph: &'a Graph,
    free: usize,
    now: u64,
    world_is_taken: bool,
    world: u64,
    /// Per search the next tree operation.
    next: Vec<usize>,
    done: Vec<bool>,
    /// Searches whose next tree operation may begin.
    open: BTreeSet<usize>,
    /// Jobs that may begin: those of early searches first.
    ready: BTreeSet<(usize, usize)>,
    ends: BinaryHeap<Reverse<(u64, At)>>,
}

impl<'a> Floor<'a> {
    fn new(graph: &'a Graph, workers: usize) -> Self {
        Self {
            graph,
            free: workers,
            now: 0,
            world_is_taken: false,
            world: 0,
            next: vec![0; graph.searches.len()],
            done: vec![false; graph.jobs.len()],
            open: (0..graph.searches.len()).filter(|&s| !graph.searches[s].is_empty()).collect(),
            ready: BTreeSet::new(),
            ends: BinaryHeap::new(),
        }
    }

    /// The end time, and the time in which a worker held the World.
    fn run(&mut self) -> (u64, u64) {
        loop {
            self.assign();
            let Some(Reverse((at, what))) = self.ends.pop() else { return (self.now, self.world) };
            self.now = at;
            self.free += 1;
            self.end(what);
        }
    }

    fn assign(&mut self) {
        while self.free > 0 {
            let (what, nanos) =
                if let Some(search) = self.open.first().copied().filter(|_| !self.world_is_taken) {
                    self.open.remove(&search);
                    self.world_is_taken = true;
                    let nanos = self.graph.searches[search][self.next[search]].nanos;
                    self.world += nanos;
                    (At::Operation(search), nanos)
                } else if let Some((_, job)) = self.ready.pop_first() {
                    (At::Job(job), self.graph.jobs[job].nanos)
                } else {
                    return;
                };
            self.free -= 1;
            self.ends.push(Reverse((self.now + nanos, what)));
        }
    }

    fn end(&mut self, what: At) {
        let search = match what {
            At::Operation(search) => {
                self.world_is_taken = false;
                let (from, to) = self.graph.searches[search][self.next[search]].arms;
                self.ready.extend((from..to).map(|job| (search, job)));
                self.next[search] += 1;
                search
            }
            At::Job(job) => {
                self.done[job] = true;
                self.graph.jobs[job].search
            }
        };
        let Some(next) = self.graph.searches[search].get(self.next[search]) else { return };
        let is_at_it = self.ends.iter().any(|Reverse((_, at))| *at == At::Operation(search));
        if !is_at_it && next.merges.is_none_or(|job| self.done[job]) {
            self.open.insert(search);
        }
    }
}
