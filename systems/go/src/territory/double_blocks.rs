//! Double blocks: two barriers beside one source. The side to move breaks through one of them.
//!
//! # Source
//! Measured against GNU Go 3.8's answers.

use crate::board::Color;
use crate::spread::InfluenceMap;
use crate::spread::field::vertices;

impl InfluenceMap {
    /// Values territory; if the side to move breaks through a double block, again after that.
    pub fn settle_territory(&mut self) {
        self.territory = self.value_territory();
        if self.to_move.is_some_and(|color| self.open_double_blocks(color)) {
            self.territory = self.value_territory();
        }
    }

    /// A side to move that meets two barriers beside one of its empty sources breaks through the one that costs
    /// the opponent least. Returns whether there was any.
    pub fn open_double_blocks(&mut self, color: Color) -> bool {
        let c = color.index();
        let stride = self.field.size + 1;
        let around = |at: usize| [at + stride, at - 1, at - stride, at + 1];
        let sign = if color == Color::White { -1.0 } else { 1.0 };
        let mut opened = false;
        for v in vertices(self.field.size) {
            if self.stones[v.at()].is_some() || self.field.strength[c][v.at()] == 0.0 {
                continue;
            }
            let on_board = |n: usize| self.on_board(n);
            let blocks: Vec<usize> = around(v.at())
                .into_iter()
                .filter(|&n| on_board(n) && self.stones[n].is_none() && self.field.permeability[c][n] == 0.0)
                .collect();
            if blocks.len() < 2 {
                continue;
            }
            let worth = |at: usize| {
                let neighbours = around(at).into_iter().filter(|&n| on_board(n));
                let sum: f32 = self.territory[at] + neighbours.map(|n| self.territory[n]).sum::<f32>();
                sign * sum
            };
            let least = blocks.iter().copied().reduce(|a, b| if worth(b) < worth(a) { b } else { a });
            if let Some(least) = least.filter(|&b| worth(b) < 20.0) {
                self.field.permeability[c][least] = 1.0;
                opened = true;
            }
        }
        opened
    }

    fn on_board(&self, at: usize) -> bool {
        let stride = self.field.size + 1;
        (stride..stride * (self.field.size + 1)).contains(&at) && !at.is_multiple_of(stride)
    }
}
