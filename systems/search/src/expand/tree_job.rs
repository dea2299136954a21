//! Moves a whole search with its tree to a thread. This is for searches that spend most of their time in tree
//! operations.
//!
//! The tree operations of all searches in one World run one after the other. If the selection took as long as the jobs,
//! many parallel searches would wait for the World.
//!
//! # Steps
//! The one job is the search itself, for some rounds of select, work and backup on one thread. The rounds are the same
//! as in the World, so the result is the same.

use super::{Searcher, Window};

/// Rounds of one job: long compared with a tick, short compared with a search.
const ROUNDS: usize = 32;

/// A search whose job is the search itself.
pub struct TreeJob<S> {
    name: &'static str,
    /// `None` while a job has it.
    search: Option<Box<S>>,
}

impl<S: Searcher> TreeJob<S> {
    /// Makes a tree job of a search that works in rounds: its window's step is its number of jobs.
    #[must_use]
    pub fn new(search: S) -> Self {
        debug_assert_eq!(search.window().step, search.window().jobs, "a carried search goes in rounds");
        Self { name: search.name(), search: Some(Box::new(search)) }
    }

    /// The search, unless a job has it.
    #[must_use]
    pub fn get(&self) -> Option<&S> {
        self.search.as_deref()
    }

    /// The search by value, unless a job has it.
    #[must_use]
    pub fn found(self) -> Option<S> {
        self.search.map(|search| *search)
    }
}

impl<S: Searcher> Searcher for TreeJob<S> {
    type Job = Box<S>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn window(&self) -> Window {
        Window::rounds(1)
    }

    fn select(&mut self, _room: usize, jobs: &mut Vec<Self::Job>) {
        jobs.extend(self.search.take());
    }

    fn work(search: &mut Self::Job) {
        let mut jobs = Vec::new();
        for _ in 0..ROUNDS {
            if search.finished() {
                return;
            }
            search.select(search.window().jobs, &mut jobs);
            jobs.iter_mut().for_each(S::work);
            jobs.drain(..).for_each(|job| search.backup(job));
        }
    }

    fn backup(&mut self, search: Self::Job) {
        self.search = Some(search);
    }

    fn finished(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.finished())
    }

    fn news(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.news())
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stop();
        }
    }
}
