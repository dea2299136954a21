//! The same search for many threads: playouts as jobs of the schedule Expand.
//!
//! # Source
//! G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search" (2008): one tree, with a virtual loss.
//!
//! # Steps
//! 1. Select: ways down as step 1 of [`super`]. Each counts at once as a visit that brought nothing, so that the next goes
//!    elsewhere. A few of them are a job.
//! 2. Work: the job rates the moves of the leaves that get children, and plays out.
//! 3. Backup, in the order selected: children, values, all-moves-as-first values.
//!
//! # Invariants
//! The result depends on the position, the limits and the number of threads asked for: not on the threads there are, nor
//! on their speed. For one thread it is not what [`super::search`] finds: that sees each playout before the next.
//!
//! # Cost
//! The tree's owner walks, adds and hands out; playouts and predictions are made in jobs.

use super::super::ownership::play_out;
use super::super::policy::Policy;
use super::super::prediction::{Model, Rated};
use super::{Aim, EXPAND, Findings, Limits, PlayoutBoard, Prior, Root, Search, ranked};
use crate::board::Vertex;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tengen_core::{SplitMix64, derive_seed};
use tengen_search::{Searcher, Window, run_beside};

/// Playouts of a job.
const LEAVES: u32 = 4;

/// Searches the moves of a position as [`super::search`] does, for so many threads, on those of rayon's current pool. `stop`
/// is asked about every millisecond.
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

/// A way down, and the playout from its end.
struct Leaf {
    path: Vec<usize>,
    moves: Vec<(usize, u8)>,
    board: PlayoutBoard,
    /// Who is to move.
    color: u8,
    last: usize,
    open: Option<Open>,
}

/// What a leaf that gets children is rated by, and its moves, ranked.
struct Open {
    before: usize,
    moves: Vec<Rated>,
}

/// A few playouts.
struct Job {
    leaves: Vec<Leaf>,
    owner: Arc<[f32]>,
    policy: Policy,
    random: SplitMix64,
}

impl Weighing {
    /// Step 1.
    fn descend(&mut self) -> Leaf {
        let search = &mut self.search;
        let (mut at, mut passes) = (0, 0);
        let mut leaf = Leaf {
            path: vec![at],
            moves: Vec::with_capacity(400),
            board: search.root.clone(),
            color: search.color,
            last: search.nodes[at].vertex as usize,
            open: None,
        };
        search.nodes[at].visit();
        while search.nodes[at].children > 0 && passes < 2 {
            let before = search.nodes[at].vertex as usize;
            at = search.select(at);
            search.nodes[at].visit();
            let v = search.nodes[at].vertex as usize;
            leaf.path.push(at);
            if v == 0 {
                leaf.board.pass();
                passes += 1;
            } else {
                leaf.board.play(v, leaf.color);
                passes = 0;
            }
            leaf.moves.push((v, leaf.color));
            (leaf.last, leaf.color) = (v, 3 - leaf.color);
            let node = &search.nodes[at];
            if node.children == 0 && node.visits >= EXPAND && passes < 2 {
                // Who comes to it meanwhile plays out only.
                leaf.open = self.opening.insert(at).then_some(Open { before, moves: Vec::new() });
                break;
            }
        }
        leaf
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
                leaves: (0..leaves).map(|_| self.descend()).collect(),
                owner: Arc::clone(&owner),
                policy: self.search.limits.policy,
                random: SplitMix64::new(derive_seed(self.search.limits.seed, &[self.jobs])),
            });
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut Job) {
        let Job { leaves, owner, policy, random } = job;
        for Leaf { moves, board, color, last, open, .. } in leaves {
            if let Some(open) = open {
                open.moves = ranked(Model::own().rate(board, *color, [*last, open.before], &|i| owner[i]));
            }
            play_out(board, *color, *last, policy, random, |v, c, _| moves.push((v, c)));
        }
    }

    fn backup(&mut self, job: Job) {
        self.under_way -= 1;
        for Leaf { path, moves, board, open, .. } in job.leaves {
            if let (Some(open), Some(&at)) = (open, path.last()) {
                self.opening.remove(&at);
                self.search.adopt(at, open.moves);
            }
            self.search.settle(&path, &moves, &board, 0);
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && self.is_over()
    }
}

#[cfg(test)]
mod tests;
