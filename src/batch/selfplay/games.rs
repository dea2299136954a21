//! The games of a scene as jobs of the schedule Expand, so that they run beside each other and beside all else of a batch.

use super::{Plan, Played, Worker};
use crate::scene::Domain;
use std::cell::Cell;
use std::sync::Arc;
use tengen_core::{Parallelism, Stop};
use tengen_search::{Searcher, Window};

/// Games under way at most; they are handed out in order.
const UNDER_WAY: usize = 64;

/// The games of a scene.
pub(in crate::batch) struct Games {
    plan: Arc<Plan>,
    /// The next game, and the last.
    next: u32,
    last: u32,
    under_way: usize,
    played: Vec<Played>,
}

/// One game.
pub(in crate::batch) struct Job {
    plan: Arc<Plan>,
    number: u32,
    played: Option<Played>,
}

impl Games {
    pub(super) fn new(plan: Plan, games: u32) -> Self {
        Self { plan: Arc::new(plan), next: 1, last: games, under_way: 0, played: Vec::new() }
    }

    /// The plan, and the games in their order.
    pub(super) fn found(self) -> (Arc<Plan>, Vec<Played>) {
        (self.plan, self.played)
    }
}

impl Searcher for Games {
    type Job = Job;

    fn name(&self) -> &'static str {
        match self.plan.domain {
            Domain::Go => "go/games",
            Domain::Chess => "chess/games",
            Domain::Gdl => "propnet/games",
        }
    }

    fn window(&self) -> Window {
        Window { jobs: UNDER_WAY, step: 1 }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        while jobs.len() < room && self.next <= self.last {
            jobs.push(Job { plan: Arc::clone(&self.plan), number: self.next, played: None });
            self.next += 1;
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { plan, number, played } = job;
        let worker = Worker { plan, slots: 1, parallelism: Parallelism::Shards, interrupted: &Stop::NEVER };
        let next = Cell::new(Some(*number));
        worker.work(&|| next.take(), &|| false, &mut |game| *played = Some(game));
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        self.played.extend(job.played);
    }

    fn finished(&self) -> bool {
        self.next > self.last && self.under_way == 0
    }
}
