//! The search area: the vertices to which a controller limits the choice of moves.

use tengen_go::board::{Board, Vertex};

/// The marked vertices, and whether they limit the choice of moves.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchArea {
    pub(super) is_limited: bool,
    pub(super) marked: Vec<Vertex>,
}

impl SearchArea {
    /// The vertices that may be played, if not all.
    pub(super) fn allowed(&self) -> Option<&[Vertex]> {
        self.is_limited.then_some(&self.marked[..])
    }

    pub(super) fn mark(&mut self, v: Vertex) {
        if !self.marked.contains(&v) {
            self.marked.push(v);
        }
    }

    /// The board with `#` on marked vertices.
    pub(super) fn drawing(&self, board: &Board) -> String {
        let size = board.size();
        let sign = |v: Vertex| if self.marked.contains(&v) { " #" } else { " ." };
        let row = |r: usize| (0..size).map(|c| sign(Vertex::new(r, c, size))).collect::<String>();
        (0..size).map(|r| row(r) + "\n").collect()
    }
}
