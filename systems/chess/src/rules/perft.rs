//! Perft: the number of move sequences of a length, the standard proof of a move generator.
//!
//! # Cost
//! The last ply is counted, not played (bulk counting), so work is about perft(depth - 1) boards.

use cozy_chess::{Board, Move};
use tengen_search::{Searcher, Window};

/// Leaves of the tree of legal moves of this depth; depth 0 is one leaf.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

/// Perft of every root move, in the generator's order.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    super::notation::legal_moves(board)
        .into_iter()
        .map(|mv| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            (mv, perft(&child, depth.saturating_sub(1)))
        })
        .collect()
}

/// Depth left below a job of [`Perft`]: a job is then about a millisecond.
const JOB_DEPTH: u32 = 4;

/// The same count as [`perft`], by sub-trees as jobs of the schedule Expand.
#[derive(Clone, Debug)]
pub struct Perft {
    /// Boards not yet counted, with the depth left.
    open: Vec<(Board, u32)>,
    under_way: usize,
    nodes: u64,
}

impl Perft {
    /// The count of a position to this depth.
    #[must_use]
    pub fn new(board: &Board, depth: u32) -> Self {
        Self { open: vec![(board.clone(), depth)], under_way: 0, nodes: 0 }
    }

    /// Leaves counted so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Opens boards, the last first, until the last one is small enough for a job.
    fn open_last(&mut self) {
        while let Some((board, depth)) = self.open.pop_if(|(_, depth)| *depth > JOB_DEPTH) {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    self.open.push((child, depth - 1));
                }
                false
            });
        }
    }
}

/// A sub-tree to count.
#[derive(Clone, Debug)]
pub struct PerftJob {
    board: Board,
    depth: u32,
    nodes: u64,
}

impl Searcher for Perft {
    type Job = PerftJob;

    fn name(&self) -> &'static str {
        "chess/perft"
    }

    fn window(&self) -> Window {
        Window { jobs: 64, step: 8 }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<PerftJob>) {
        while jobs.len() < room {
            self.open_last();
            let Some((board, depth)) = self.open.pop() else { break };
            jobs.push(PerftJob { board, depth, nodes: 0 });
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut PerftJob) {
        job.nodes = perft(&job.board, job.depth);
    }

    fn backup(&mut self, job: PerftJob) {
        self.nodes += job.nodes;
        self.under_way -= 1;
    }

    fn finished(&self) -> bool {
        self.open.is_empty() && self.under_way == 0
    }
}
