//! A search that runs as a single job, for work that cannot be split.

use super::{Searcher, Window};
use std::sync::{Mutex, PoisonError};

/// The work of a [`SingleJob`].
type Work<T> = Box<dyn FnOnce() -> T + Send>;

/// A search with a single job.
pub struct SingleJob<T> {
    name: &'static str,
    work: Mutex<Option<Work<T>>>,
    found: Mutex<Option<T>>,
}

impl<T: Send + 'static> SingleJob<T> {
    /// A search that does this work, under a name (see [`Searcher::name`]).
    pub fn new(name: &'static str, work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self { name, work: Mutex::new(Some(Box::new(work))), found: Mutex::default() }
    }

    /// The return value of the work, once it is finished.
    #[must_use]
    pub fn found(self) -> Option<T> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The job of a [`SingleJob`].
pub struct SingleWork<T> {
    work: Option<Work<T>>,
    found: Option<T>,
}

impl<T: Send + 'static> Searcher for SingleJob<T> {
    type Job = SingleWork<T>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn window(&self) -> Window {
        Window::rounds(1)
    }

    fn select(&mut self, _room: usize, jobs: &mut Vec<Self::Job>) {
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        jobs.extend(work.map(|work| SingleWork { work: Some(work), found: None }));
    }

    fn work(job: &mut Self::Job) {
        job.found = job.work.take().map(|work| work());
    }

    fn backup(&mut self, job: Self::Job) {
        self.found = Mutex::new(job.found);
    }

    fn finished(&self) -> bool {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}
