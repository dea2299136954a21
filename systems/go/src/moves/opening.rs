//! The opening: empty corners, enclosures, approaches, extensions.

use super::generators::{Facts, Reasons};
use super::reason::Reason;
use crate::board::{Board, Vertex};

/// Opening moves with reasons.
pub fn generate(facts: &Facts<'_>, reasons: &mut Reasons) {
    let board = facts.board;
    if board.size() < 9 {
        return;
    }
    for corner in 0..4 {
        let corner = Corner { board, corner };
        if corner.is_empty(5.min(board.size() / 2)) {
            for (a, b) in [(4, 4), (3, 4), (4, 3)] {
                reasons.add(corner.at(a, b), Reason::Opening("empty corner"));
            }
        }
    }
}

/// One corner of the board, seen so that it lies at the top left.
pub(super) struct Corner<'a> {
    pub(super) board: &'a Board,
    pub(super) corner: usize,
}

impl Corner<'_> {
    /// The vertex on these lines, counted from 1 at the corner's two edges.
    pub(super) fn at(&self, row: usize, col: usize) -> Vertex {
        let n = self.board.size();
        let flip = |x: usize, far: bool| if far { n - x } else { x - 1 };
        Vertex::new(flip(row, self.corner & 1 != 0), flip(col, self.corner & 2 != 0), n)
    }

    /// Whether the first `lines` lines of it are bare.
    pub(super) fn is_empty(&self, lines: usize) -> bool {
        (1..=lines).all(|r| (1..=lines).all(|c| self.board.is_empty(self.at(r, c))))
    }
}
