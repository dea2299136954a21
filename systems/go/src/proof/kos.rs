//! The ko rule of a search: one side may take every ko back at once, or neither may.

use crate::board::{Board, Color, Vertex};

/// Who may retake, and whether a ko has mattered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kos {
    /// Who may retake any ko at once.
    pub favoured: Option<Color>,
    /// Whether somebody wanted to retake one.
    pub seen: bool,
}

impl Kos {
    /// Before anything was played.
    #[must_use]
    pub const fn new(favoured: Option<Color>) -> Self {
        Self { favoured, seen: false }
    }

    /// Plays a move or a pass, if it is legal under this rule.
    pub fn play(&mut self, board: &mut Board, color: Color, v: Vertex) -> bool {
        if v != Vertex::PASS && board.ko_point() == Some(v) {
            self.seen = true;
            if self.favoured == Some(color) {
                return board.play_ignoring_ko(color, v).is_ok();
            }
        }
        board.play(color, v).is_ok()
    }

    /// The moves of a colour that can be played, with the keys of the positions after them.
    pub fn children(&mut self, board: &mut Board, color: Color, moves: &[Vertex]) -> Vec<(Vertex, u64)> {
        let mut children = Vec::with_capacity(moves.len() + 1);
        for &v in moves {
            if self.play(board, color, v) {
                children.push((v, board.situation_hash(color.other())));
                board.undo();
            }
        }
        children
    }
}
