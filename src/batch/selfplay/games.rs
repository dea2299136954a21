//! Runs games as jobs of the schedule `Expand`, in parallel with each other and with all other work of a batch.

use super::{Plan, Played, Worker};
use crate::scene::Domain;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use tengen_core::{Parallelism, Stop};
use tengen_search::{Searcher, Window};

/// Games handed out at most before the first of them is over; they are handed out in order.
const UNDER_WAY: usize = 1024;

/// The settings for the games of a run.
pub(super) struct Course {
    pub(super) plan: Plan,
    /// Whether a game may have other threads than its own.
    pub(super) parallelism: Parallelism,
    /// Games that are going on are given up.
    pub(super) interrupted: Stop,
    /// No more games are begun.
    pub(super) halt: Stop,
    /// The receiver of each finished game; without one the games are kept.
    pub(super) listener: Option<mpsc::Sender<Played>>,
}

impl Course {
    /// All games of a plan, kept.
    pub(super) fn whole(plan: Plan) -> Self {
        let (interrupted, halt) = (Stop::NEVER, Stop::NEVER);
        Self { plan, parallelism: Parallelism::Shards, interrupted, halt, listener: None }
    }
}

/// Games of these numbers.
pub(super) struct Games {
    course: Arc<Course>,
    numbers: VecDeque<u32>,
    under_way: usize,
    played: Vec<Played>,
}

/// One game.
pub(super) struct Job {
    course: Arc<Course>,
    number: u32,
    played: Option<Played>,
}

impl Games {
    pub(super) fn new(course: Course, numbers: impl IntoIterator<Item = u32>) -> Self {
        let numbers = numbers.into_iter().collect();
        Self { course: Arc::new(course), numbers, under_way: 0, played: Vec::new() }
    }

    /// The settings, and the kept games in their order.
    pub(super) fn found(self) -> (Arc<Course>, Vec<Played>) {
        (self.course, self.played)
    }
}

impl Searcher for Games {
    type Job = Job;

    fn name(&self) -> &'static str {
        match self.course.plan.domain {
            Domain::Go => "go/games",
            Domain::Chess => "chess/games",
            Domain::Gdl => "propnet/games",
        }
    }

    fn window(&self) -> Window {
        Window { jobs: UNDER_WAY, step: 1 }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        if self.course.halt.now() {
            self.numbers.clear();
        }
        let numbers = self.numbers.drain(..room.min(self.numbers.len()));
        jobs.extend(numbers.map(|number| Job { course: Arc::clone(&self.course), number, played: None }));
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { course, number, played } = job;
        let Course { plan, parallelism, interrupted, halt, listener } = &**course;
        let worker = Worker { plan, slots: 1, parallelism: *parallelism, interrupted };
        let next = Cell::new(Some(*number));
        worker.work(&|| next.take(), &|| halt.now(), &mut |game| match listener {
            // Nobody listens only if the run failed already.
            Some(listener) => drop(listener.send(game)),
            None => *played = Some(game),
        });
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        self.played.extend(job.played);
    }

    fn finished(&self) -> bool {
        self.numbers.is_empty() && self.under_way == 0
    }
}
