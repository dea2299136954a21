//! Records every variation that a reader looks at as a game tree, for GTP's `start_sgftrace`.

use super::code::Code;
use crate::board::sgf::{self, NodeId, Tree};
use crate::board::{Board, Color, Vertex};

/// A tree that grows with the reading. Its root is the position of the first question.
#[derive(Clone, Debug)]
pub struct Trace {
    tree: Tree,
    at: NodeId,
    size: usize,
}

impl Trace {
    /// An empty trace from this position on.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self { tree: sgf::record(&board.without_history(), &[], |_| None), at: 0, size: board.size() }
    }

    /// The variations so far.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// A note at the present node.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.tree.nodes[self.at].add("C", text);
    }

    /// A move that is tried.
    pub(crate) fn enter(&mut self, color: Color, v: Vertex) {
        self.at = self.tree.add_child(self.at);
        let size = self.size;
        self.tree.nodes[self.at].add(sgf::move_name(color), sgf::vertex_to_sgf(v, size));
    }

    /// Back from it, with the mover's result.
    pub(crate) fn leave(&mut self, code: Code) {
        self.note(format!("{code:?}"));
        self.at = self.tree.nodes[self.at].parent.unwrap_or(0);
    }
}
