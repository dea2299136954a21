//! Liberties counted where reading would cost too much.

use crate::board::{Board, Color, Vertex};
use crate::eyes::Tactics;
use crate::tactics::Code;

/// Reading replaced by counting liberties: what a search node can afford.
pub(crate) struct QuickTactics<'a> {
    pub(crate) board: &'a Board,
    /// Per padded cell: attacker's stones that are no part of an eye space.
    pub(crate) visible: &'a [bool],
    pub(crate) defender: Color,
}

impl Tactics for QuickTactics<'_> {
    fn capture(&self, v: Vertex) -> Code {
        let hidden = self.board.color_at(v) != Some(self.defender) && !self.visible[v.at()];
        if hidden || self.board.liberties(v) == 1 { Code::Win } else { Code::Fail }
    }

    fn rescue(&self, v: Vertex) -> Code {
        if self.board.color_at(v) != Some(self.defender) && !self.visible[v.at()] {
            return Code::Fail;
        }
        let Some(color) = self.board.color_at(v) else { return Code::Fail };
        let Some(out) = self.capture_point(v) else { return Code::Fail };
        if self.board.liberties_after(color, out) >= 2 {
            return Code::Win;
        }
        let mut saved = Code::Fail;
        self.board.each_adjacent(v, |foe| {
            if self.board.liberties(foe) == 1 {
                saved = Code::Win;
            }
        });
        saved
    }

    fn safe_move(&self, v: Vertex, color: Color) -> Code {
        if self.board.liberties_after(color, v) >= 2 {
            return Code::Win;
        }
        // A stone that is left with one liberty by a capture: a ko, or it has taken more than it may lose.
        let mut taken = 0;
        for n in self.board.strings_next_to(v, color.other()).filter(|&n| self.board.liberties(n) == 1) {
            taken += self.board.string_size(n);
        }
        match taken {
            0 => Code::Fail,
            1 => Code::KoA,
            _ => Code::Win,
        }
    }

    fn capture_point(&self, v: Vertex) -> Option<Vertex> {
        self.board.liberty_vertices(v).next()
    }

    fn rescue_point(&self, v: Vertex) -> Option<Vertex> {
        self.board.liberty_vertices(v).next()
    }
}
