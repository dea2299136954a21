//! The first step of a case. After it, either the result is ready, or a search goes on in the World of the batch.

use super::outcome::panic_fault;
use crate::panics::panic_message;
use crate::record::Finding;
use bevy_ecs::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tengen_core::Diagnostic;
use tengen_core::profiler::step;
use tengen_search::{Searcher, start, take};

/// The first step of a case.
pub(super) enum FirstStep {
    /// The case is done already.
    Found(Finding),
    /// A search, whose plugin the batch's World has.
    Search(Box<dyn Begin>),
}

impl FirstStep {
    /// A search, and the function that turns its result into a record.
    pub(super) fn search<S: Searcher>(
        search: S,
        then: impl FnOnce(S) -> Result<Finding, Diagnostic> + Send + 'static,
    ) -> Self {
        Self::Search(Box::new(Beginning { search, then: Box::new(then) }))
    }
}

/// A search of any kind that is about to start.
pub(super) trait Begin: Send {
    /// Starts it in a World; what ends it.
    fn start(self: Box<Self>, world: &mut World, order: u64) -> (Entity, Box<dyn End>);
}

/// The end of a search of any kind.
pub(super) trait End: Send {
    /// Takes the search out of the World and makes its finding.
    fn end(self: Box<Self>, world: &mut World, entity: Entity) -> Result<Finding, Diagnostic>;
}

/// The function that turns a finished search into its finding.
type Finish<S> = Box<dyn FnOnce(S) -> Result<Finding, Diagnostic> + Send>;

struct Beginning<S> {
    search: S,
    then: Finish<S>,
}

impl<S: Searcher> Begin for Beginning<S> {
    fn start(self: Box<Self>, world: &mut World, order: u64) -> (Entity, Box<dyn End>) {
        (start(world, order, self.search), Box::new(Ending(self.then)))
    }
}

struct Ending<S>(Finish<S>);

impl<S: Searcher> End for Ending<S> {
    fn end(self: Box<Self>, world: &mut World, entity: Entity) -> Result<Finding, Diagnostic> {
        let search = take::<S>(world, entity).ok_or_else(|| Diagnostic::error("the search is gone"))?;
        step("batch: results and expectations", || {
            catch_unwind(AssertUnwindSafe(|| (self.0)(search)))
                .unwrap_or_else(|cause| Err(panic_fault(panic_message(&*cause))))
        })
    }
}
