//! The search of [`super`] for any number of threads: playouts are jobs of the schedule `Expand`.
//!
//! # Source
//! G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search" (2008): one tree, with a virtual loss.
//!
//! # Steps
//! 1. Select: descend as in step 1 of [`super`]. Each descent counts at once as a visit without gain, so that the next
//!    descent goes elsewhere. A few descents are a job.
//! 2. Work: the job rates the moves of the leaves that get children, and plays the games out.
//! 3. Backup: the results are added in the order of selection, with children, values and all-moves-as-first values.
//!
//! # Invariants
//! The result depends on the position, the limits and the requested number of threads. It does not depend on the
//! threads of the machine, nor on their speed. For one thread the result is that of [`super::search`], because a job is
//! then one playout that is backed up before the next begins.
//!
//! # Cost
//! The thread that owns the tree descends, backs up and hands out jobs. The jobs make playouts and predictions.

use super::super::prediction::{Model, Rated};
use super::{Aim, Findings, Leaf, Limits, Prior, Root, Search, ranked};
use crate::board::Vertex;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{SplitMix64, derive_seed};
use tengen_search::{Searcher, Window, run_beside, run_here};

/// Playouts of a job.
const LEAVES: u32 = 4;

/// Searches the moves of a position as [`super::search`] does, with the given number of threads of rayon's current
/// pool. `stop` is asked after each playout of one thread, about every millisecond with several.
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
    let run = if threads > 1 { run_beside } else { run_here };
    let done = run(vec![weighing], &mut || halt.store(stop(), Ordering::Relaxed));
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
        let mut leaf = self.search.descend(!self.is_alone());
        // Who comes to it meanwhile plays out only.
        leaf.opens = leaf.opens.filter(|_| leaf.path.last().is_some_and(|&at| self.opening.insert(at)));
        Way { leaf, opened: Vec::new() }
    }

    /// Whether each playout is backed up before the next begins.
    const fn is_alone(&self) -> bool {
        self.threads == 1
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
        if self.is_alone() { Window::rounds(1) } else { Window::for_threads(self.threads) }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<Job>) {
        let points = self.search.first_owner.len();
        let owner: Arc<[f32]> = (0..points).map(self.search.owner()).collect();
        while jobs.len() < room && !self.is_over() {
            let leaves = if self.is_alone() { 1 } else { LEAVES };
            let leaves = leaves.min(self.search.limits.playouts - self.asked);
            self.asked += leaves;
            self.jobs += 1;
            let random = if self.is_alone() {
                self.search.random
            } else {
                SplitMix64::new(derive_seed(self.search.limits.seed, &[self.jobs]))
            };
            jobs.push(Job {
                ways: (0..leaves).map(|_| self.descend()).collect(),
                owner: Arc::clone(&owner),
                limits: self.search.limits,
                random,
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
        // The stream of random numbers goes on. A visit of a descent that is alone counts when it has brought a value.
        let visits = u32::from(self.is_alone());
        if self.is_alone() {
            self.search.random = job.random;
        }
        for Way { leaf, opened } in job.ways {
            if let (Some(_), Some(&at)) = (leaf.opens, leaf.path.last()) {
                self.opening.remove(&at);
                self.search.adopt(at, opened);
            }
            self.search.settle(&leaf.path, &leaf.moves, &leaf.board, visits);
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && self.is_over()
    }
}

#[cfg(test)]
mod tests;
