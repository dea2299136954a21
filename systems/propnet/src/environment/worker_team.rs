//! A team of threads that works through one list of jobs. It consists of the calling thread and its helpers.
//!
//! # Steps
//! 1. The calling thread calls the helpers and begins at once.
//! 2. Each thread claims jobs of its own part first, so that the data of a job stays in the cache of one core. Then it
//!    claims jobs of other parts that no thread has begun, the last ones first.
//! 3. A thread that finds no job waits until all claimed jobs are done, and goes on with the next phase.
//! 4. A helper without work stays awake for a while, because the next call is often near.
//!
//! # Invariants
//! A phase begins when all jobs of the previous phase are done. Jobs never wait for a helper that has not started,
//! because the other threads do its part. The call ends when every helper has started, even if it finds no work left. A
//! job that panics counts as done, and the panic reaches the caller.
//!
//! # Cost
//! An awake helper begins two microseconds after the call, a sleeping one some ten microseconds later. On a machine
//! with other work, a thread that sleeps or yields may not run again for milliseconds. So waiting threads spin first.

use super::EnvironmentError;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The helpers of a calling thread.
pub(super) struct WorkerTeam {
    threads: usize,
    helpers: Option<rayon::ThreadPool>,
    /// The number of calls so far.
    calls: Arc<AtomicUsize>,
    /// Rounds of waiting before a thread lets others run; 0 where there are fewer cores than threads.
    spins: usize,
    /// The process that started the helpers.
    process: u32,
}

/// The work on each job.
pub(super) type Phase<'a, J> = &'a (dyn Fn(&mut J) + Sync);

impl WorkerTeam {
    /// The caller and `threads - 1` helpers.
    pub(super) fn new(threads: usize) -> Result<Self, EnvironmentError> {
        let helpers = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build())
            .transpose()
            .map_err(|e| EnvironmentError::Threads(e.to_string()))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let spins = if cores < threads { 0 } else { SPINS };
        Ok(Self { threads, helpers, calls: Arc::default(), spins, process: std::process::id() })
    }

    /// The number of threads, the caller included.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Starts the helpers anew in a process that was forked from theirs: threads do not follow a fork.
    pub(super) fn renew(&mut self) -> Result<(), EnvironmentError> {
        if self.helpers.is_none() || self.process == std::process::id() {
            return Ok(());
        }
        let old = std::mem::replace(self, Self::new(self.threads)?);
        // To end threads that are not there might wait for them for ever.
        std::mem::forget(old);
        Ok(())
    }

    /// Takes every job through all phases.
    pub(super) fn run<J: Send>(&self, mut jobs: Vec<J>, phases: &[Phase<'_, J>]) -> Vec<J> {
        let Some(pool) = self.helpers.as_ref().filter(|_| jobs.len() > 1) else {
            phases.iter().for_each(|phase| jobs.iter_mut().for_each(phase));
            return jobs;
        };
        let threads = self.threads.min(jobs.len());
        let table = Table::new(jobs, phases, threads, self.spins);
        let call = self.calls.load(Ordering::Relaxed) + 1;
        pool.in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| {
                    // The same helper begins with the same jobs in every call.
                    let helper = rayon::current_thread_index().unwrap_or(0);
                    table.started.fetch_add(1, Ordering::Relaxed);
                    table.work(1 + helper % (threads - 1));
                    self.stay_awake(call);
                    table.left.fetch_add(1, Ordering::Release);
                });
            }
            // Those awake look for work when they see this.
            self.calls.store(call, Ordering::Release);
            table.work(0);
            table.see_helpers_leave();
        });
        table.jobs.into_iter().map(|job| job.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Step 4, when the helper has left this call.
    fn stay_awake(&self, call: usize) {
        let (calls, spins) = (Arc::clone(&self.calls), self.spins);
        rayon::spawn(move || {
            let mut rounds = 0;
            while rounds < spins && calls.load(Ordering::Acquire) <= call {
                rounds += 1;
                std::hint::spin_loop();
            }
        });
    }
}

/// Rounds of waiting before a thread lets others run: some 50 microseconds.
const SPINS: usize = 3000;

/// Rounds in which a helper that is done leaves the call.
const LEAVING_SPINS: usize = 8;

/// The jobs of one call.
struct Table<'a, J> {
    jobs: Vec<Mutex<J>>,
    phases: &'a [Phase<'a, J>],
    /// Per phase and job whether a thread has claimed it.
    claimed: Vec<AtomicBool>,
    /// The number of finished jobs of each phase.
    done: Vec<AtomicUsize>,
    threads: usize,
    spins: usize,
    /// Helpers that began, and those of them that are done.
    started: AtomicUsize,
    left: AtomicUsize,
}

/// Counts a job as done, even if it panics.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

impl<'a, J: Send> Table<'a, J> {
    fn new(jobs: Vec<J>, phases: &'a [Phase<'a, J>], threads: usize, spins: usize) -> Self {
        Self {
            claimed: (0..jobs.len() * phases.len()).map(|_| AtomicBool::new(false)).collect(),
            done: phases.iter().map(|_| AtomicUsize::new(0)).collect(),
            jobs: jobs.into_iter().map(Mutex::new).collect(),
            phases,
            threads,
            spins,
            started: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
        }
    }

    /// Waits until the helpers that began have left. It spins, because sleeping would take longer.
    fn see_helpers_leave(&self) {
        let mut rounds = 0;
        while rounds < self.spins && self.left.load(Ordering::Acquire) < self.started.load(Ordering::Relaxed)
        {
            rounds += 1;
            std::hint::spin_loop();
        }
        (0..LEAVING_SPINS).for_each(|_| std::hint::spin_loop());
    }

    /// All phases, as the thread with this number.
    fn work(&self, thread: usize) {
        for phase in 0..self.phases.len() {
            self.part(thread).for_each(|job| self.attempt(phase, job));
            for other in 1..self.threads {
                let left = self.part((thread + other) % self.threads);
                left.rev().for_each(|job| self.attempt(phase, job));
            }
            self.wait(phase);
        }
    }

    /// The jobs a thread begins with.
    fn part(&self, thread: usize) -> Range<usize> {
        let start = |thread: usize| thread * self.jobs.len() / self.threads;
        start(thread)..start(thread + 1)
    }

    /// Does a job that no thread has claimed.
    fn attempt(&self, phase: usize, job: usize) {
        let claimed = &self.claimed[phase * self.jobs.len() + job];
        if claimed.load(Ordering::Relaxed) || claimed.swap(true, Ordering::Relaxed) {
            return;
        }
        let _done = Done(&self.done[phase]);
        self.phases[phase](&mut self.jobs[job].lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until all jobs of a phase are done.
    fn wait(&self, phase: usize) {
        let mut rounds = 0;
        while self.done[phase].load(Ordering::Acquire) < self.jobs.len() {
            rounds += 1;
            if rounds < self.spins { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_begins_when_all_jobs_are_done_with_the_one_before() {
        for threads in [1, 2, 3, 5] {
            let team = WorkerTeam::new(threads).unwrap();
            for count in [0, 1, 2, 7, 40] {
                let first = AtomicUsize::new(0);
                let one = |job: &mut (usize, usize)| {
                    job.0 += 1;
                    first.fetch_add(1, Ordering::Relaxed);
                };
                let two = |job: &mut (usize, usize)| {
                    assert_eq!(first.load(Ordering::Relaxed), count, "{threads} threads");
                    job.1 += job.0;
                };
                let jobs = team.run((0..count).map(|n| (n, 0)).collect(), &[&one, &two]);
                assert!(
                    jobs.iter().enumerate().all(|(n, job)| *job == (n + 1, n + 1)),
                    "{threads}: {jobs:?}"
                );
            }
        }
    }

    #[test]
    fn a_job_that_panics_ends_the_call_and_not_the_crew() {
        let team = WorkerTeam::new(3).unwrap();
        let bad = |job: &mut usize| assert!(*job != 5, "job five");
        let call = std::panic::AssertUnwindSafe(|| team.run((0..9).collect(), &[&bad, &|job| *job += 1]));
        assert!(std::panic::catch_unwind(call).is_err());
        let jobs = team.run((10..19).collect(), &[&bad, &|job| *job += 1]);
        assert_eq!(jobs, (11..20).collect::<Vec<_>>());
    }
}
