//! Runs cases on workers. Many cases run at once, but the records come in order, and have the same bytes at any number
//! of threads.
//!
//! # Steps
//! 1. The cases are divided into *units*. A unit is a few consecutive Go positions that share a World, or one case of
//!    another kind. If each case has limits, every unit is one case.
//! 2. Without such limits, all units run in one World of the schedule `Expand` (`expand`). With such limits, there are
//!    as many workers as the pool has threads. Each worker takes the next unit in order, and has its own World.
//! 3. The calling thread gets the records and passes them on in the order of the cases.
//! 4. In between, the calling thread supervises the running units. A unit at its limit gets the request to stop through
//!    its [`Watch`]. An interruption stops all units. If a unit does not stop within half a second, the runner abandons
//!    it. Then the runner writes the record without a result, leaves the unit's thread behind and starts a new thread.
//!    So no unit can block the run.
//!
//! If there are fewer units than threads, the systems distribute their items over the idle threads. A panic inside a
//! unit becomes an error record of the case that caused it. The other cases of the unit run again.

use super::expand;
use super::outcome::limited;
use super::settings::{Settings, Timing};
use super::worker::Worker;
use crate::limits::{CaseLimits, Reached, Watch, resident};
use crate::record::Record;
use crate::scene::{Case, Domain, Input, Task};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tengen_core::{Parallelism, Stop};

/// Units for each of several threads at least, as long as there are cases: the last one is then a small part of the work.
const UNITS_PER_THREAD: usize = 16;
/// The time between two checks of the running units by the calling thread.
const TICK: Duration = Duration::from_millis(20);
/// The time that a unit may take to stop before the runner abandons it.
const GRACE: Duration = Duration::from_millis(500);
/// Bytes of a thread's stack, for rulesheets and games that nest deep.
pub const STACK: usize = 16 << 20;

/// A report of a run to its caller, in the order of its cases.
#[derive(Debug)]
pub enum Event {
    /// A case is done.
    Done {
        /// Its number.
        case: usize,
        /// Its record.
        record: Box<Record>,
        /// Its time.
        timing: Timing,
    },
    /// A periodic message without news: the ids of the running units with their running times, slowest first.
    Running(Vec<(String, Duration)>),
}

/// The data that workers and the calling thread share.
struct Shared {
    cases: Vec<Case>,
    units: Vec<Range<usize>>,
    settings: Settings,
    parallelism: Parallelism,
    next: AtomicUsize,
    stop: AtomicBool,
    running: Mutex<BTreeMap<usize, Running>>,
}

/// A unit that is running.
#[derive(Clone)]
struct Running {
    since: Instant,
    watch: Watch,
    /// The process's memory when it began.
    memory: u64,
    /// The time of the request to stop.
    told: Option<Instant>,
}

/// A message of a worker.
enum Message {
    /// The records of a unit.
    Unit(usize, Vec<(Record, Timing)>),
    /// The worker takes no more units.
    Ended,
}

/// Runs the cases of these numbers in this pool and hands each record to `sink`, in the order of `todo`. Stops early
/// when `interrupted` says so; the caller knows that it interrupted the run.
///
/// # Errors
/// The sink's first error, at which the run ends. A failure to start a thread.
pub fn run(
    pool: &rayon::ThreadPool,
    cases: &[Case],
    todo: &[usize],
    settings: &Settings,
    interrupted: &Stop,
    mut sink: impl FnMut(Event) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let threads = pool.current_num_threads().max(1);
    let alone = settings.limits.time.is_some() || settings.limits.memory.is_some();
    let most = if alone { 1 } else { settings.boards_per_world.max(1) };
    let units = units(cases, todo, most, threads.max(settings.cut_for));
    let parallelism = if units.len() < threads { Parallelism::Inside } else { Parallelism::Shards };
    let limited = settings.limits != CaseLimits::default();
    let workers = if limited { threads.min(units.len()) } else { 1 };
    let shared = Arc::new(Shared {
        cases: cases.to_vec(),
        units,
        settings: settings.clone(),
        parallelism,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(interrupted.now()),
        running: Mutex::default(),
    });
    let (send, receive) = mpsc::channel();
    for _ in 0..workers {
        let (shared, send) = (Arc::clone(&shared), send.clone());
        pool.spawn(move || if limited { work(&shared, &send) } else { work_all(&shared, &send) });
    }
    let mut runner = Runner {
        shared: Arc::clone(&shared),
        send,
        early: BTreeMap::new(),
        expected: 0,
        workers,
        interrupted: interrupted.clone(),
        since_interrupted: None,
    };
    let result = runner.look_after(&receive, &mut sink);
    // Whatever still runs is not wanted any more.
    shared.stop.store(true, Ordering::Relaxed);
    shared.running().values().for_each(|unit| unit.watch.interrupt());
    result
}

/// Step 2: takes units and runs them until there are none.
fn work(shared: &Shared, send: &mpsc::Sender<Message>) {
    let mut worker = Worker::new(&shared.settings, shared.parallelism);
    while !shared.stop.load(Ordering::Relaxed) {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(unit) = shared.units.get(number) else { break };
        let watch = Watch::new(shared.settings.limits.nodes);
        let memory = shared.settings.limits.memory.and_then(|_| resident()).unwrap_or(0);
        let running = Running { since: Instant::now(), watch: watch.clone(), memory, told: None };
        shared.running().insert(number, running);
        let records = worker.run_unit(&shared.cases[unit.clone()], &watch);
        // Given up: another worker has this one's place.
        if shared.running().remove(&number).is_none() {
            return;
        }
        if watch.interrupted() || send.send(Message::Unit(number, records)).is_err() {
            break;
        }
    }
    // Nobody listens only if the run ended already.
    let _ = send.send(Message::Ended);
}

/// Step 2 without limits: all units in one World of the schedule `Expand`, on all threads of the pool.
fn work_all(shared: &Shared, send: &mpsc::Sender<Message>) {
    let recorder = shared.settings.profile.clone();
    let settings = shared.settings.clone();
    let batch = expand::Batch { settings, parallelism: shared.parallelism, recorder };
    let next = || {
        let is_over = shared.stop.load(Ordering::Relaxed);
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let unit = shared.units.get(number).filter(|_| !is_over)?;
        let running = Running { since: Instant::now(), watch: Watch::default(), memory: 0, told: None };
        shared.running().insert(number, running);
        Some((number, shared.cases[unit.clone()].to_vec()))
    };
    // Nobody listens only if the run ended already.
    batch.run(next, |number, records| {
        shared.running().remove(&number);
        drop(send.send(Message::Unit(number, records)));
    });
    drop(send.send(Message::Ended));
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, BTreeMap<usize, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calling thread's part.
struct Runner {
    shared: Arc<Shared>,
    send: mpsc::Sender<Message>,
    early: BTreeMap<usize, Vec<(Record, Timing)>>,
    expected: usize,
    workers: usize,
    interrupted: Stop,
    since_interrupted: Option<Instant>,
}

impl Runner {
    /// Steps 3 and 4, until all workers have ended.
    fn look_after(
        &mut self,
        receive: &mpsc::Receiver<Message>,
        sink: &mut impl FnMut(Event) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut looked = Instant::now();
        while self.workers > 0 {
            match receive.recv_timeout(TICK) {
                Ok(Message::Unit(number, records)) => {
                    self.early.insert(number, records);
                    self.hand_on(sink)?;
                }
                Ok(Message::Ended) => self.workers -= 1,
                Err(_) => {}
            }
            if looked.elapsed() >= TICK {
                looked = Instant::now();
                self.limit()?;
                self.hand_on(sink)?;
                sink(Event::Running(self.slowest()))?;
            }
            if self.interrupted.now() && self.since_interrupted.is_none() {
                self.since_interrupted = Some(Instant::now());
                self.shared.stop.store(true, Ordering::Relaxed);
                self.shared.running().values().for_each(|unit| unit.watch.interrupt());
            }
            if self.since_interrupted.is_some_and(|since| since.elapsed() >= GRACE) {
                break;
            }
        }
        Ok(())
    }

    /// Step 3: hands the records of the units on in order, keeping those that come too early.
    fn hand_on(&mut self, sink: &mut impl FnMut(Event) -> anyhow::Result<()>) -> anyhow::Result<()> {
        while let Some(records) = self.early.remove(&self.expected) {
            for (case, (record, timing)) in self.shared.units[self.expected].clone().zip(records) {
                sink(Event::Done { case, record: Box::new(record), timing })?;
            }
            self.expected += 1;
        }
        Ok(())
    }

    /// Step 4: asks units at their limit to stop, and abandons units that do not.
    fn limit(&mut self) -> anyhow::Result<()> {
        let limits = self.shared.settings.limits;
        if self.since_interrupted.is_some() || (limits.time.is_none() && limits.memory.is_none()) {
            return Ok(());
        }
        let memory = limits.memory.and_then(|most| Some((most, resident()?)));
        let mut given_up = Vec::new();
        let mut running = self.shared.running();
        for (&number, unit) in running.iter_mut() {
            if limits.time.is_some_and(|most| unit.since.elapsed() >= most) {
                unit.watch.reach(Reached::Seconds);
            }
            if memory.is_some_and(|(most, now)| now.saturating_sub(unit.memory) > most) {
                unit.watch.reach(Reached::Memory);
            }
            if unit.watch.reached().is_some() {
                let told = *unit.told.get_or_insert_with(Instant::now);
                if told.elapsed() >= GRACE {
                    given_up.push((number, unit.clone()));
                }
            }
        }
        given_up.iter().for_each(|(number, _)| drop(running.remove(number)));
        drop(running);
        given_up.iter().try_for_each(|(number, unit)| self.give_up(*number, unit))
    }

    /// Writes the record of a unit that does not stop, and starts a thread that replaces its thread.
    fn give_up(&mut self, number: usize, unit: &Running) -> anyhow::Result<()> {
        let range = self.shared.units[number].clone();
        let timing = Timing { took: unit.since.elapsed(), batch: range.len() };
        let reached = unit.watch.reached().unwrap_or(Reached::Seconds);
        let limits = &self.shared.settings.limits;
        let records = self.shared.cases[range].iter().map(|c| (limited(c, reached, limits, None), timing));
        self.early.insert(number, records.collect());
        let (shared, send) = (Arc::clone(&self.shared), self.send.clone());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build()?;
        pool.spawn(move || work(&shared, &send));
        Ok(())
    }

    fn slowest(&self) -> Vec<(String, Duration)> {
        let running = self.shared.running();
        let name = |number: usize| {
            let unit = &self.shared.units[number];
            let id = &self.shared.cases[unit.start].id;
            if unit.len() == 1 { id.clone() } else { format!("{id} and {} more", unit.len() - 1) }
        };
        let mut named: Vec<_> = running.iter().map(|(&n, unit)| (name(n), unit.since.elapsed())).collect();
        named.sort_by_key(|&(_, took)| std::cmp::Reverse(took));
        named
    }
}

/// Step 1: consecutive cases that can share a World; with several threads few enough that none waits long for the last
/// unit of another.
pub(super) fn units(cases: &[Case], todo: &[usize], most: usize, threads: usize) -> Vec<Range<usize>> {
    let fair = todo.len().div_ceil(threads * UNITS_PER_THREAD).max(1);
    let most = if threads > 1 { most.min(fair) } else { most };
    let mut units: Vec<Range<usize>> = Vec::new();
    for &i in todo {
        match units.last_mut() {
            Some(unit)
                if unit.end == i && unit.len() < most && shares_world(&cases[unit.start], &cases[i]) =>
            {
                unit.end = i + 1
            }
            _ => units.push(i..i + 1),
        }
    }
    units
}

/// Whether both are Go analyses up to the same stage that read as far.
fn shares_world(a: &Case, b: &Case) -> bool {
    let stage = |case: &Case| match (&case.scene, &case.input) {
        (_, Input::Fault(_)) => None,
        (Some(scene), _) if scene.domain() == Domain::Go => match scene.task {
            Task::Analyse { last, .. } => Some((last, scene.effort, scene.judge.clone())),
            _ => None,
        },
        _ => None,
    };
    stage(a).is_some() && stage(a) == stage(b)
}
