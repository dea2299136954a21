//! The same search for many threads: playouts as jobs of the schedule Expand.
//!
//! # Source
//! G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search" (2008): one tree, with a virtual loss.
//!
//! # Steps
//! 1. Select: descend as in step 1 of [`super`]. Each descent counts at once as a visit that brought nothing, so that
//!    the next goes elsewhere. A few of them are a job.
//! 2. Work: the job rates the moves of the leaves that get children, and plays out.
//! 3. Backup, in the order selected: children, values, all-moves-as-first values.
//!
//! # Invariants
//! The result depends on the position, the limits and the requested number of threads. It does not depend on the
//! threads of the machine, nor on their speed. For one thread it differs from that of [`super::search`], which sees
//! each playout before the next.
//!
//! # Cost
//! The tree's owner walks, adds and hands out; playouts and predictions are made in jobs.

use super::super::prediction::{Model, Rated};
use super::{Aim, Findings, Leaf, Limits, Prior, Root, Search, ranked};
use crate::board::Vertex;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{SplitMix64, derive_seed};
use tengen_search::{Searcher, Window, run_beside};

/// Playouts of a job.
const LEAVES: u32 = 4;

/// Searches the moves of a position as [`super::search`] does, with the given number of threads of rayon's current
/// pool. `stop` is asked about every millisecond.
pub fn search_on_threads(
    root: Root<'_>,
    allowed: &dyn Fn(Vertex) -> bool,
    priors: &[Prior],
    limits: &Limits,
    threads: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Findings {
    let mut search = Search::new(&root, Aim::Lead(root.komi), limits);
    search.keep_root_moves(allowed, priors);
    let halt = Arc::new(AtomicBool::new(false));
    let weighing = Weighing {
        search,
        threads: threads.max(1),
        asked: 0,
        jobs: 0,
        under_way: 0,
        opening: HashSet::new(),
        halt: Arc::clone(&halt),
    };
    let done = run_beside(vec![weighing], &mut || halt.store(stop(), Ordering::Relaxed));
    done.into_iter().next().map(|weighing| weighing.search.findings()).unwrap_or_default()
}

/// A search under way.
struct Weighing {
    search: Search<'static>,
    threads: usize,
    /// Playouts that are made or under way.
    asked: u32,
    jobs: u64,
    under_way: usize,
    /// Leaves whose moves are being rated.
    opening: HashSet<usize>,
    halt: Arc<AtomicBool>,
}

/// A way down; the moves of its end, ranked, if that gets children.
struct Way {
    leaf: Leaf,
    opened: Vec<Rated>,
}

/// A few playouts.
struct Job {
    ways: Vec<Way>,
    owner: Arc<[f32]>,
    limits: Limits,
    random: SplitMix64,
}

impl Weighing {
    /// Step 1.
    fn descend(&mut self) -> Way {
        let mut leaf = self.search.descend(true);
        // Who comes to it meanwhile plays out only.
        leaf.opens = leaf.opens.filter(|_| leaf.path.last().is_some_and(|&at| self.opening.insert(at)));
        Way { leaf, opened: Vec::new() }
    }

    fn is_over(&self) -> bool {
        self.asked >= self.search.limits.playouts || (self.asked > 0 && self.halt.load(Ordering::Relaxed))
    }
}

impl Searcher for Weighing {
    type Job = Job;

    fn name(&self) -> &'static str {
        "go/search"
    }

    fn window(&self) -> Window {
        Window::for_threads(self.threads)
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        let points = self.search.first_owner.len();
        let owner: Arc<[f32]> = (0..points).map(self.search.owner()).collect();
        while jobs.len() < room && !self.is_over() {
            let leaves = LEAVES.min(self.search.limits.playouts - self.asked);
            self.asked += leaves;
            self.jobs += 1;
            jobs.push(Job {
                ways: (0..leaves).map(|_| self.descend()).collect(),
                owner: Arc::clone(&owner),
                limits: self.search.limits,
                random: SplitMix64::new(derive_seed(self.search.limits.seed, &[self.jobs])),
            });
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { ways, owner, limits, random } = job;
        for Way { leaf, opened } in ways {
            if let Some(before) = leaf.opens {
                let (lasts, owner) = ([leaf.last, before], |i: usize| owner[i]);
                let rated = Model::own().rate(&leaf.board, leaf.color, lasts, &owner, limits.ladders);
                *opened = ranked(rated);
            }
            leaf.play_out(&limits.policy, random);
        }
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        for Way { leaf, opened } in job.ways {
            if let (Some(_), Some(&at)) = (leaf.opens, leaf.path.last()) {
                self.opening.remove(&at);
                self.search.adopt(at, opened);
            }
            self.search.settle(&leaf.path, &leaf.moves, &leaf.board, 0);
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && self.is_over()
    }
}

#[cfg(test)]
mod tests;
