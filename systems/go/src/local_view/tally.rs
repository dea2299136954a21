//! Adds up points for the candidate moves of a fight.

use crate::board::{Board, Vertex};
use crate::eyes::EyeSpace;

/// Points per empty vertex.
pub(crate) struct Tally<'a> {
    board: &'a Board,
    /// Per padded cell.
    pub(crate) score: Vec<i32>,
    touched: Vec<Vertex>,
}

impl<'a> Tally<'a> {
    /// No points yet.
    pub(crate) fn new(board: &'a Board) -> Self {
        Self { board, score: vec![0; board.padded_len()], touched: Vec::new() }
    }

    /// Adds points; stones and walls get none.
    pub(crate) fn add(&mut self, v: Vertex, points: i32) {
        if self.board.is_empty(v) {
            if self.score[v.at()] == 0 {
                self.touched.push(v);
            }
            self.score[v.at()] += points;
        }
    }

    /// The same for several.
    pub(crate) fn add_all(&mut self, vertices: impl IntoIterator<Item = Vertex>, points: i32) {
        vertices.into_iter().for_each(|v| self.add(v, points));
    }

    /// The moves that decide a space for the given side, those that decide it for the other, and those of its half
    /// eyes.
    pub(crate) fn add_vital_points(&mut self, space: &EyeSpace, attacking: bool, points: [i32; 3]) {
        let sides = [&space.defence_points, &space.attack_points];
        self.add_all(sides[usize::from(attacking)].iter().copied(), points[0]);
        self.add_all(sides[usize::from(!attacking)].iter().copied(), points[1]);
        for half in &space.half_eyes {
            self.add_all(half.attack_points.iter().chain(&half.defence_points).copied(), points[2]);
        }
    }

    /// The moves with points, best first, at most `most`; `more` adds to the points of each.
    pub(crate) fn best(self, most: usize, more: impl Fn(Vertex) -> i32) -> Vec<Vertex> {
        let Self { score, touched, .. } = self;
        let points = touched.into_iter().map(|v| (score[v.at()] + more(v), v));
        let mut moves: Vec<(i32, Vertex)> = points.filter(|&(points, _)| points > 0).collect();
        moves.sort_unstable_by_key(|&(points, v)| (-points, v));
        moves.truncate(most);
        moves.into_iter().map(|(_, v)| v).collect()
    }
}
