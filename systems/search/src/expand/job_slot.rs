//! The slot of one job. The search arms the job, any thread works on it, and the search merges the result.

use super::{SearchOrder, Searcher};
use bevy_ecs::prelude::Entity;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tengen_core::profiler::{Begun, Kind, Link, Recorder};

/// Jobs that are merged together: those selected together, at most a window's step.
pub(super) struct Chunk {
    pub(super) jobs: Vec<(Entity, Arc<JobSlot>)>,
    open: Arc<AtomicUsize>,
}

impl Chunk {
    pub(super) fn new(jobs: usize) -> Self {
        Self { jobs: Vec::with_capacity(jobs), open: Arc::new(AtomicUsize::new(jobs)) }
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.load(Ordering::Acquire) == 0
    }
}

/// A job of any searcher.
pub(super) trait AnyJob: Any + Send {
    fn run(&mut self);
}

/// The job of searcher `S`. (A type parameter on the job alone would let two searchers share a job type.)
pub(super) struct JobOf<S: Searcher>(pub(super) S::Job);

impl<S: Searcher> AnyJob for JobOf<S> {
    fn run(&mut self) {
        S::work(&mut self.0);
    }
}

/// The place of one job.
#[derive(Default)]
pub(super) struct JobSlot(Mutex<Content>);

#[derive(Default)]
struct Content {
    work: Option<Box<dyn AnyJob>>,
    order: (SearchOrder, u32),
    name: &'static str,
    open: Arc<AtomicUsize>,
    fault: Option<String>,
}

impl JobSlot {
    fn content(&self) -> MutexGuard<'_, Content> {
        // A job that panics is caught inside; nothing else can leave the content half written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn arm(
        &self,
        job: Box<dyn AnyJob>,
        order: (SearchOrder, u32),
        name: &'static str,
        chunk: &Chunk,
    ) {
        *self.content() =
            Content { work: Some(job), order, name, open: Arc::clone(&chunk.open), fault: None };
    }

    /// The rank of the job in the order of running: its search, and its number in the search.
    pub(super) fn order(&self) -> (SearchOrder, u32) {
        self.content().order
    }

    /// The job's number in its search.
    pub(super) fn number(&self) -> u32 {
        self.order().1
    }

    /// Does the work; returns whether the job was the last of its chunk.
    pub(super) fn run(&self, recorder: Option<&(Recorder, u32)>) -> bool {
        let mut content = self.content();
        let Content { work, order, name, open, fault } = &mut *content;
        if let Some(work) = work {
            let begun = recorder.map(|_| Begun::now());
            let mut run = || catch_unwind(AssertUnwindSafe(|| work.run()));
            let result = match recorder {
                Some((recorder, _)) => recorder.scope(run),
                None => run(),
            };
            *fault = result.err().map(|cause| message(&*cause));
            if let (Some(begun), Some((recorder, world))) = (begun, recorder) {
                let link = Link { world: *world, search: order.0.0, first: order.1, jobs: 1 };
                recorder.end(begun, Kind::Job, recorder.row_of(name, Kind::Job), 1, Some(link));
            }
        }
        open.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// The finished job, or the message of its panic.
    pub(super) fn take(&self) -> Result<Box<dyn AnyJob>, String> {
        let mut content = self.content();
        if let Some(fault) = content.fault.take() {
            return Err(fault);
        }
        content.work.take().ok_or_else(|| "an armed job has no work".into())
    }
}

/// The message of a panic.
pub(super) fn message(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message").into()
}
