//! Counts perft: the number of move sequences of a given length. This is the standard test of a move generator.
//!
//! # Cost
//! The moves of the last ply are counted, not played (bulk counting). So the work is about perft(depth - 1) boards.
//! With every ply, the count is multiplied by the number of moves. So the depth is limited, and a long count regularly
//! asks whether to stop.

use cozy_chess::{Board, Move};
use tengen_search::{Searcher, Window};

/// The deepest count. From the initial position no machine can reach depth 15; only forced lines go deeper.
pub const MAX_DEPTH: u32 = 64;

/// Boards between two checks of `stop`.
pub const LOOK: u32 = 4096;

/// Leaves of the tree of legal moves of this depth; depth 0 is one leaf. Depths above [`MAX_DEPTH`] count as that.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    perft_until(board, depth, &mut || false).unwrap_or_default()
}

/// The same; `None` once `stop` says so. `stop` is asked every few thousand boards.
pub fn perft_until(board: &Board, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    Count { stop, unasked: 0 }.below(board, depth.min(MAX_DEPTH))
}

struct Count<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    unasked: u32,
}

impl Count<'_> {
    fn below(&mut self, board: &Board, depth: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        self.unasked += 1;
        if self.unasked >= LOOK {
            self.unasked = 0;
            if (self.stop)() {
                return None;
            }
        }
        let mut nodes = Some(0_u64);
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes = nodes.map(|n| n.saturating_add(moves.len() as u64));
                return false;
            }
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes = nodes.zip(self.below(&child, depth - 1)).map(|(n, more)| n.saturating_add(more));
                if nodes.is_none() {
                    return true;
                }
            }
            false
        });
        nodes
    }
}

/// As [`perft`]. `spend` gets the number of moves of each position entered and says whether to stop; `None` if it did.
#[must_use]
pub fn perft_spending(board: &Board, depth: u32, spend: &mut dyn FnMut(u64) -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let moves = super::notation::legal_moves(board);
    if spend(moves.len() as u64) {
        return None;
    }
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    moves.into_iter().try_fold(0, |nodes, mv| {
        let mut child = board.clone();
        child.play_unchecked(mv);
        Some(nodes + perft_spending(&child, depth - 1, spend)?)
    })
}

/// Perft of every root move, in the generator's order.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let mut parts = Vec::new();
    divide_until(board, depth, &mut || false, |mv, nodes| parts.push((mv, nodes)));
    parts
}

/// The same, each part as soon as it is counted. Returns their sum, or `None` once `stop` says so.
pub fn divide_until(
    board: &Board,
    depth: u32,
    stop: &mut dyn FnMut() -> bool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let mut sum = 0_u64;
    for mv in super::notation::legal_moves(board) {
        let mut child = board.clone();
        child.play_unchecked(mv);
        let nodes = perft_until(&child, depth.min(MAX_DEPTH).saturating_sub(1), stop)?;
        each(mv, nodes);
        sum = sum.saturating_add(nodes);
    }
    Some(sum)
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
