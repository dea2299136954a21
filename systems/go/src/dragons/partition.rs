//! The partition of strings into dragons: which strings are one dragon.

use crate::board::{Board, Vertex};

/// A partition of strings into dragons, kept as a forest over vertices.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    parent: Vec<Vertex>,
}

impl Partition {
    /// Whether nothing was joined yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Each string a dragon of its own.
    #[must_use]
    pub fn of_strings(board: &Board) -> Self {
        Self::of(board, |v| board.color_at(v).map(|_| board.origin(v)))
    }

    /// Each part separately: everything that its representative vertex stands for. Vertices that stand for nothing
    /// are left out.
    pub(super) fn of(board: &Board, stands_for: impl Fn(Vertex) -> Option<Vertex>) -> Self {
        let mut parent = vec![Vertex::PASS; board.padded_len()];
        for v in board.vertices() {
            parent[v.at()] = stands_for(v).unwrap_or(Vertex::PASS);
        }
        Self { parent }
    }

    /// The representative vertex of the dragon of the stone at `v`; a pass if there is none.
    #[must_use]
    pub fn root(&self, v: Vertex) -> Vertex {
        let mut at = v;
        while self.parent[at.at()] != at && at != Vertex::PASS {
            at = self.parent[at.at()];
        }
        at
    }

    /// Whether two stones are of one dragon.
    #[must_use]
    pub fn same(&self, a: Vertex, b: Vertex) -> bool {
        let root = self.root(a);
        root != Vertex::PASS && root == self.root(b)
    }

    /// The number of stones of a stone's dragon.
    pub(super) fn stones(&self, board: &Board, v: Vertex) -> usize {
        board.vertices().filter(|&u| self.same(u, v)).count()
    }

    /// Makes one dragon of two.
    pub fn join(&mut self, a: Vertex, b: Vertex) {
        let (a, b) = (self.root(a), self.root(b));
        if a != Vertex::PASS && b != Vertex::PASS && a != b {
            let (low, high) = (a.min(b), a.max(b));
            self.parent[high.at()] = low;
        }
    }
}
