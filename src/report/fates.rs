//! Finds the groups that were lost in a game, each with the move that decided its fate.
//!
//! # Steps
//! 1. Each stone is followed from its move to the end of the game, or until its capture.
//! 2. A stone is lost at the first position from which on its group is dead in nine of ten positions. After it, the
//!    group may not have another status in `BACK` positions in a row. A stone without such a position is lost at its
//!    capture. A stone that lives at the end is not lost.
//! 3. Lost stones of one colour form a group if they touch or stood in one dragon, and if they also end together.
//!    Stones end together if one move captures them, or if they are dead at the end. A group is lost at the position at
//!    which half of its stones are lost. Groups of fewer than three stones are left out.
//!
//! # Cost
//! Linear in the vertices of all positions.

use crate::record::findings::Findings;
use std::collections::BTreeMap;
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::Status;

/// The least number of stones of a reported group.
const LEAST: usize = 3;
/// Positions in turn in which a group that is not called dead has come back.
const BACK: usize = 3;

/// A group that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The number of the move after which it was lost for good.
    pub number: usize,
    /// Its colour.
    pub color: Color,
    /// Its stones, in vertex order.
    pub stones: Vec<Vertex>,
    /// Whether all of them were taken off at once; else they are dead on the board.
    pub is_taken: bool,
}

/// A stone in a position: its colour, whether its group is dead, and the origin of the group.
type Stone = Option<(Color, bool, Vertex)>;

/// Follows the stones of a game from position to position.
#[derive(Clone, Debug, Default)]
pub struct Fates {
    size: usize,
    positions: Vec<(usize, Vec<Stone>)>,
}

impl Fates {
    /// Takes the next position in.
    pub fn follow(&mut self, findings: &Findings) {
        let board = &findings.position.board;
        self.size = board.size();
        let stone = |v: Vertex| {
            let color = board.color_at(v)?;
            let dragon = findings.dragons.as_ref().and_then(|map| map.at(v));
            let is_dead = dragon.is_some_and(|d| d.status == Status::Dead);
            Some((color, is_dead, dragon.map_or(board.origin(v), |d| d.origin)))
        };
        self.positions.push((findings.moves_played, board.vertices().map(stone).collect()));
    }

    /// The groups that were lost, in the order of the moves.
    #[must_use]
    pub fn lost(&self) -> Vec<Lost> {
        // By the position that ends them, and colour.
        let mut ends: BTreeMap<(usize, usize), Vec<LostStone>> = BTreeMap::new();
        for place in 0..self.size * self.size {
            for (from, to) in self.episodes(place) {
                let Some((color, _, _)) = self.positions[from].1[place] else { continue };
                let Some((at, is_taken)) = self.lost_at(place, from, to) else { continue };
                let origin = self.positions[to - 1].1[place].map_or(Vertex::PASS, |stone| stone.2);
                let stone = LostStone { place, origin, at, is_taken };
                ends.entry((to, color.index())).or_default().push(stone);
            }
        }
        let mut lost = Vec::new();
        for ((_, color), lost_stones) in ends {
            for group in grouped(lost_stones, self.size).into_iter().filter(|group| group.len() >= LEAST) {
                let mut at: Vec<usize> = group.iter().map(|stone| stone.at).collect();
                at.sort_unstable();
                let at = at[at.len() / 2];
                let is_taken = group.iter().all(|stone| stone.is_taken);
                let stones = group.iter().map(|stone| Vertex::from_index(stone.place, self.size)).collect();
                lost.push(Lost { number: self.positions[at].0, color: Color::BOTH[color], stones, is_taken });
            }
        }
        lost.sort_by_key(|lost: &Lost| (lost.number, lost.stones.first().copied()));
        lost
    }

    /// The spans of positions in which one stone stands on a place: the first, and the one after the last.
    fn episodes(&self, place: usize) -> Vec<(usize, usize)> {
        let color = |n: usize| self.positions[n].1[place].map(|stone| stone.0);
        let (mut spans, mut from) = (Vec::new(), 0);
        for n in 1..=self.positions.len() {
            if n == self.positions.len() || color(n) != color(from) {
                if color(from).is_some() {
                    spans.push((from, n));
                }
                from = n;
            }
        }
        spans
    }

    /// The position at which the stone of a span is lost, and whether by capture.
    fn lost_at(&self, place: usize, from: usize, to: usize) -> Option<(usize, bool)> {
        let is_dead = |n: usize| self.positions[n].1[place].is_some_and(|stone| stone.1);
        let (mut found, mut dead, mut other_in_turn) = (None, 0, 0);
        for n in (from..to).rev() {
            if is_dead(n) {
                (dead, other_in_turn) = (dead + 1, 0);
                if 10 * dead >= 9 * (to - n) {
                    found = Some(n);
                }
            } else {
                other_in_turn += 1;
            }
            if other_in_turn == BACK {
                break;
            }
        }
        let is_taken = to < self.positions.len();
        match found {
            Some(at) if is_taken || is_dead(to - 1) => Some((at, false)),
            _ => is_taken.then_some((to, true)),
        }
    }
}

/// A lost stone.
#[derive(Clone, Copy, Debug)]
struct LostStone {
    place: usize,
    /// The origin of its dragon in its last position.
    origin: Vertex,
    /// The position from which on it is lost.
    at: usize,
    is_taken: bool,
}

/// The lost stones in groups: stones of a group touch or share a dragon.
fn grouped(mut lost_stones: Vec<LostStone>, size: usize) -> Vec<Vec<LostStone>> {
    let joins = |a: &LostStone, b: &LostStone| {
        let apart = (a.place / size).abs_diff(b.place / size) + (a.place % size).abs_diff(b.place % size);
        apart == 1 || a.origin == b.origin
    };
    let mut groups = Vec::new();
    while let Some(first) = lost_stones.pop() {
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            let stone = group[next];
            let (joined, rest) = lost_stones.into_iter().partition(|other| joins(&stone, other));
            group.extend::<Vec<LostStone>>(joined);
            lost_stones = rest;
            next += 1;
        }
        group.sort_by_key(|stone| stone.place);
        groups.push(group);
    }
    groups
}

#[cfg(test)]
#[path = "fates_tests.rs"]
mod tests;
