//! Counts liberties where reading would cost too much.

use crate::board::{Board, Color, Vertex};
use crate::eyes::Tactics;
use crate::tactics::{Answer, Code};

/// Counts liberties in place of reading, at a cost that a search node can afford.
pub(crate) struct QuickTactics<'a> {
    pub(crate) board: &'a Board,
    /// Per padded cell: attacker's stones that are no part of an eye space.
    pub(crate) visible: &'a [bool],
    pub(crate) defender: Color,
}

impl QuickTactics<'_> {
    fn is_hidden(&self, v: Vertex) -> bool {
        self.board.color_at(v) != Some(self.defender) && !self.visible[v.at()]
    }

    /// The move is on the first liberty, for either side.
    fn answer(&self, v: Vertex, works: bool) -> Answer {
        let point = self.board.liberty_vertices(v).next().unwrap_or(Vertex::PASS);
        Answer { code: if works { Code::Win } else { Code::Fail }, point }
    }
}

impl Tactics for QuickTactics<'_> {
    fn attack(&self, v: Vertex) -> Answer {
        self.answer(v, self.is_hidden(v) || self.board.liberties(v) == 1)
    }

    fn defence(&self, v: Vertex) -> Answer {
        let mut saved = false;
        if let Some(color) = self.board.color_at(v).filter(|_| !self.is_hidden(v))
            && let Some(out) = self.board.liberty_vertices(v).next()
        {
            saved = self.board.liberties_after(color, out) >= 2;
            if !saved {
                self.board.each_adjacent(v, |foe| saved |= self.board.liberties(foe) == 1);
            }
        }
        self.answer(v, saved)
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
}
