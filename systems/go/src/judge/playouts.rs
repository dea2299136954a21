//! A judge by playouts. It uses the search that picks a move for play, without the values of the candidate moves.

use super::{Answer, Judge, View};
use crate::board::{Color, Vertex};
use crate::playout::{Findings, LADDERS, Limits, PlayoutBoard, Policy, Root, board, search_moves};
use crate::world::Position;

/// The seed of all playouts: the same position is judged the same.
const SEED: u64 = 0x6a75_6467;
/// Playouts that the estimate of the owner leaves out, as a share of all: the search's first moves are guesses.
const WARM_UP_SHARE: u32 = 10;

/// Searches each position with either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playouts {
    /// Playouts for each side to move.
    pub playouts: u32,
}

impl Default for Playouts {
    fn default() -> Self {
        Self { playouts: 100 }
    }
}

impl Judge for Playouts {
    fn name(&self) -> String {
        format!("playouts:{}", self.playouts)
    }

    fn views(&self, positions: &[&Position]) -> Vec<Answer> {
        let judged = |position: &&Position| {
            let size = position.board.size();
            (2..=board::MAX_SIZE).contains(&size).then(|| Color::BOTH.map(|side| self.see(position, side)))
        };
        positions.iter().map(|position| Ok(judged(position))).collect()
    }
}

impl Playouts {
    fn see(self, position: &Position, to_move: Color) -> View {
        let fast = PlayoutBoard::from(&position.board);
        let [last, before] = if position.board.color_at(position.past[0]) == Some(to_move) {
            [Vertex::PASS, position.past[0]]
        } else {
            [position.past[0], position.past[1]]
        };
        let root = Root { board: &fast, color: to_move, last, before, komi: position.komi, owner: None };
        let limits = Limits {
            playouts: self.playouts,
            policy: Policy::default(),
            win_share: 0.0,
            warm_up: self.playouts / WARM_UP_SHARE,
            ladders: LADDERS,
            seed: SEED,
        };
        let found = search_moves(root, &|_| true, &[], &limits, &mut || false);
        view_of(&found, to_move, position.komi, position.board.size())
    }
}

fn view_of(found: &Findings, to_move: Color, komi: f32, size: usize) -> View {
    let mut view = View {
        owner: found.owner.iter().map(|o| -o).collect(),
        likelihood: vec![0.0; size * size],
        pass: 0.0,
        lead: -(found.white_lead + komi),
        win_rate: if to_move == Color::Black { found.win_rate } else { 1.0 - found.win_rate },
    };
    let visits: u32 = found.moves.iter().map(|m| m.visits).sum();
    for m in &found.moves {
        let share = m.visits as f32 / visits.max(1) as f32;
        match m.vertex {
            Vertex::PASS => view.pass = share,
            v => view.likelihood[v.index(size)] = share,
        }
    }
    if visits == 0 {
        view.pass = 1.0;
    }
    view
}
