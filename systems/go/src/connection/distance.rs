//! The connection distance: how many stones in a row a colour needs to join a vertex to a start.
//!
//! # Notation
//! The *owner* places stones, the opponent passes. An opponent's string is passed through by filling its liberties, or,
//! where tactical reading says that it can be captured, by one stone; by none where it can't be saved either.
//!
//! # Steps
//! A breadth-first search by levels: level *n* holds what *n* stones reach.
//! 1. A string of the owner at level *n*: its liberties are at *n + 1*, opponent's strings it touches at *n* plus their
//!    liberties.
//!    A liberty where the opponent's stone would be suicide counts nothing.
//! 2. An empty vertex at level *n* (its stone is counted): empty neighbours at *n + 1*, own strings at *n*, opponent's
//!    strings at *n* plus their other liberties.
//! 3. A captured string at level *n*: own strings and liberties around it are at *n*.
//!
//! # Departures
//! Not quite a lower bound: two stones of a way that fill liberties of one string are counted twice, and step 3 takes
//! the emptied vertices as joined. A search that has fewer moves left than the distance may stop all the same.
//!
//! # Cost
//! Grows with what the limit reaches: a microsecond or two for three stones.

use super::zone::Zone;
use crate::board::{Board, Color, Vertex};

/// Not within the limit.
pub(super) const FAR: u8 = 100;

/// Distances from one start, up to a limit.
#[derive(Clone, Default)]
pub(super) struct Field {
    /// Per padded vertex; of a string only the entry of its origin counts.
    cost: Vec<u8>,
    /// What the levels hold.
    levels: Vec<Vec<Vertex>>,
    /// Everything that was reached, once or more.
    pub(super) reached: Vec<Vertex>,
    limit: u8,
}

/// What it takes to capture strings of the opponent: origin and stones, as far as tactical reading was asked.
#[derive(Clone, Default)]
pub(super) struct Captures {
    known: Vec<(Vertex, u8)>,
}

impl Captures {
    /// Forgets everything: a new position.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    pub(super) fn add(&mut self, origin: Vertex, stones: u8) {
        self.known.push((origin, stones));
    }

    /// All strings that can be captured, with the stones it takes: 0 or 1.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Vertex, u8)> + '_ {
        self.known.iter().copied()
    }

    /// Stones to capture the string at `t`.
    #[inline]
    fn stones(&self, board: &Board, t: Vertex) -> usize {
        let liberties = board.liberties(t);
        if liberties > 2 || self.known.is_empty() {
            return liberties;
        }
        let origin = board.origin(t);
        self.known.iter().find(|k| k.0 == origin).map_or(liberties, |k| usize::from(k.1))
    }
}

/// Where distances are measured from.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// The string at a vertex.
    String(Vertex),
    /// Any vertex of an area, by a stone on it.
    Area(&'a Zone),
}

impl Field {
    /// Measures from a start.
    pub(super) fn measure(
        &mut self,
        board: &Board,
        owner: Color,
        start: Start<'_>,
        limit: u8,
        captures: &Captures,
    ) {
        self.cost.clear();
        self.cost.resize(board.padded_len(), FAR);
        self.reached.clear();
        self.limit = limit;
        if self.levels.len() <= limit as usize {
            self.levels.resize(limit as usize + 1, Vec::new());
        }
        self.levels.iter_mut().for_each(Vec::clear);
        match start {
            Start::String(v) => self.relax(board.origin(v), 0),
            Start::Area(zone) => zone.iter().for_each(|v| match board.color_at(v) {
                None => self.relax(v, 1),
                Some(color) if color == owner => self.relax(board.origin(v), 0),
                Some(_) => self.relax(board.origin(v), captures.stones(board, v) as u8),
            }),
        }
        for level in 0..=limit {
            while let Some(v) = self.levels[level as usize].pop() {
                if self.cost[v.at()] == level {
                    self.expand(board, owner, v, level, captures);
                }
            }
        }
    }

    /// The distance of the string or empty vertex at `v`.
    #[inline]
    pub(super) fn to(&self, board: &Board, v: Vertex) -> u8 {
        self.cost[board.origin(v).at()]
    }

    #[inline]
    fn relax(&mut self, v: Vertex, cost: u8) {
        if cost <= self.limit && cost < self.cost[v.at()] {
            if self.cost[v.at()] == FAR {
                self.reached.push(v);
            }
            self.cost[v.at()] = cost;
            self.levels[cost as usize].push(v);
        }
    }

    fn expand(&mut self, board: &Board, owner: Color, v: Vertex, level: u8, captures: &Captures) {
        match board.color_at(v) {
            // 1.
            Some(color) if color == owner => {
                board.liberty_vertices(v).for_each(|l| self.relax(l, level + stones_at(board, owner, l)));
                board.each_adjacent(v, |t| {
                    let fill = captures.stones(board, t);
                    if fill <= usize::from(self.limit - level) {
                        self.relax(board.origin(t), level + fill as u8);
                    }
                });
            }
            // 2.
            None => {
                for n in board.around(v) {
                    match board.color_at(n) {
                        Some(color) if color == owner => self.relax(board.origin(n), level),
                        Some(_) => {
                            let fill = captures.stones(board, n).min(board.liberties(n) - 1);
                            if fill <= usize::from(self.limit - level) {
                                self.relax(board.origin(n), level + fill as u8);
                            }
                        }
                        None if board.on_board(n) => self.relax(n, level + stones_at(board, owner, n)),
                        None => {}
                    }
                }
            }
            // 3.
            Some(_) => {
                board.liberty_vertices(v).for_each(|l| self.relax(l, (level + 1).min(self.limit + 1)));
                board.each_adjacent(v, |s| self.relax(board.origin(s), level));
            }
        }
    }
}

/// What a stone at an empty vertex counts: nothing where the opponent can't go himself.
///
/// # Source
/// GNU Go manual, "Superstrings", 2, without its self-ataris: those can be sacrifices.
#[inline]
fn stones_at(board: &Board, owner: Color, v: Vertex) -> u8 {
    let takes = || board.strings_next_to(v, owner).any(|s| board.liberties(s) == 1);
    u8::from(board.liberties_after(owner.other(), v) > 0 || takes())
}
