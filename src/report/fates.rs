//! The groups that were lost in a game, each with the move that decided it.
//!
//! # Steps
//! 1. Each stone is followed from the move that put it there to the end, or until it is taken off.
//! 2. A stone is lost at the first position from which on its group is called dead in every position to the end; if it
//!    is taken off before that, when it is taken off. A stone that lives again is not lost.
//! 3. Stones of one colour that are lost at the same position and touch, or stand in one dragon there, are a group. One of
//!    fewer than three stones is left out.
//!
//! # Cost
//! Linear in the vertices of all positions.

use crate::record::findings::Findings;
use std::collections::BTreeMap;
use tengen_go::board::{Color, Vertex};
use tengen_go::dragons::Status;

/// Stones below which a group is not told.
const LEAST: usize = 3;

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
        // By position, colour, whether taken off: the stones, each with the origin of its group before it was lost.
        let mut found: BTreeMap<(usize, usize, bool), Vec<(Vertex, Vertex)>> = BTreeMap::new();
        for place in 0..self.size * self.size {
            for (from, to) in self.episodes(place) {
                let Some((color, _, _)) = self.positions[from].1[place] else { continue };
                let Some((at, is_taken)) = self.lost_at(place, from, to) else { continue };
                let known = if is_taken { at - 1 } else { at };
                let origin = self.positions[known].1[place].map_or(Vertex::PASS, |stone| stone.2);
                let v = Vertex::from_index(place, self.size);
                found.entry((at, color.index(), is_taken)).or_default().push((v, origin));
            }
        }
        let mut lost = Vec::new();
        for ((at, color, is_taken), stones) in found {
            for stones in together(&stones).into_iter().filter(|stones| stones.len() >= LEAST) {
                lost.push(Lost { number: self.positions[at].0, color: Color::BOTH[color], stones, is_taken });
            }
        }
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

    /// Where the stone of a span is lost for good, and whether by being taken off.
    fn lost_at(&self, place: usize, from: usize, to: usize) -> Option<(usize, bool)> {
        let is_dead = |n: &usize| self.positions[*n].1[place].is_some_and(|stone| stone.1);
        let dead = (from..to).rev().take_while(is_dead).last();
        // A stone put where it is dead from the first is a throw-in, if it was not there at the beginning.
        match dead {
            Some(at) => Some((at, false)),
            None if to < self.positions.len() => Some((to, true)),
            None => None,
        }
    }
}

/// Stones by the group they stood in.
fn together(stones: &[(Vertex, Vertex)]) -> Vec<Vec<Vertex>> {
    let mut groups: BTreeMap<Vertex, Vec<Vertex>> = BTreeMap::new();
    for &(v, origin) in stones {
        groups.entry(origin).or_default().push(v);
    }
    groups.into_values().collect()
}

#[cfg(test)]
#[path = "fates_tests.rs"]
mod tests;
