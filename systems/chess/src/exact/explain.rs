//! Runs one exact search and records its tree.
//!
//! # Steps
//! 1. Search as usual, under any repetition scheme. The schemes of shadow scores compute their own ranges. Under the
//!    exact scheme, the recorder computes these ranges as well ([`Followed`]).
//! 2. In the last iteration, record the nodes of the first plies.

use super::report::{ExactOptions, ExactReport};
use super::search::{Searcher, Team};
use super::tree::{Node, Recorder};
use crate::history::Game;
use crate::repetition::added::{AddedScheme, Compiled};
use crate::repetition::exact::Exact;
use crate::repetition::followed::Followed;
use crate::repetition::keep::Keep;
use crate::repetition::key_stack::KeyStack;
use crate::repetition::{Detect, Scheme, SchemeVisitor};
use serde::Serialize;
use tengen_core::Stop;

/// A search and its tree.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// The report of the search.
    pub report: ExactReport,
    /// The root.
    pub tree: Node,
    /// Nodes of the requested plies that were left out because there were too many.
    pub left_out: usize,
}

/// Searches as [`super::solve`] with one worker, and records the nodes of the first `plies`.
#[must_use]
pub fn explain(game: &Game, options: ExactOptions, plies: u32) -> Explained {
    let explain = Explain { game, options: ExactOptions { threads: 1, ..options }, plies };
    match options.scheme {
        Scheme::Exact => explain.visit::<KeyStack, Followed<Exact>>(),
        other => other.visit(explain),
    }
}

/// The function for each added scheme.
static EXPLAIN: Compiled<fn(Explain<'_>) -> Explained> = Compiled::new();

/// Compiles the function for an added scheme.
pub(crate) fn compile<D: Detect, K: Keep>(scheme: AddedScheme) {
    EXPLAIN.add(scheme, |explain| explain.visit::<D, K>());
}

/// Searches with one worker and records the first plies.
struct Explain<'a> {
    game: &'a Game,
    options: ExactOptions,
    plies: u32,
}

impl SchemeVisitor for Explain<'_> {
    type Output = Explained;

    fn visit<D: Detect, K: Keep>(self) -> Explained {
        let team = Team::new(self.options, &Stop::NEVER);
        let mut searcher = Searcher::<D, K>::new(self.game, self.options, &team, 0);
        searcher.recorder = Some(Recorder::new(self.plies, self.game.chess960()));
        searcher.iterate(self.game.board());
        let recorder = searcher.recorder.take().unwrap_or_default();
        let (report, ..) = searcher.conclude();
        let root = Node { value: report.value, end: "leaf", ..Node::default() };
        Explained { report, tree: recorder.root.unwrap_or(root), left_out: recorder.left_out }
    }

    fn own(self, scheme: AddedScheme) -> Explained {
        EXPLAIN.of(scheme)(self)
    }
}
