//! The effects of a move for or against one side of a fight, in points.
//!
//! # Steps
//! A move collects points for vital points of eye spaces and half eyes, for margins and the vertices before them. It
//! also collects points for liberties of strings in danger on either side, for cutting points, and for the way out.
//! [`Fight::quality`] counts against a move.

use super::{Escape, Ground, Marks, Tally};
use crate::board::{Board, Color, Vertex};
use crate::eyes::EyeSpace;

/// The penalty of a move that is not to be tried.
pub(crate) const NEVER: i32 = -10_000;

/// The number of candidates of a position of a search, this many moves deep.
pub(crate) const fn width(depth: u32) -> usize {
    match depth {
        0 => 14,
        1..=2 => 8,
        3..=5 => 6,
        6..=9 => 4,
        _ => 3,
    }
}

/// One side of a fight, as its moves and those against it are looked for.
pub(crate) struct Fight<'a> {
    pub(crate) board: &'a Board,
    /// The part of the board where it takes place.
    pub(crate) ground: &'a Ground,
    /// The colour of the dragon in danger.
    pub(crate) color: Color,
    /// Per padded cell: its stones.
    pub(crate) dragon: &'a [bool],
    /// The eye spaces of its colour.
    pub(crate) spaces: &'a [EyeSpace],
    /// Per padded cell: friends that live, and attackers that can't be captured.
    pub(crate) safe: [&'a Marks; 2],
    /// For each padded cell: the value of reaching it.
    pub(crate) escape: &'a Escape,
}

impl Fight<'_> {
    fn is_dragon(&self, v: Vertex) -> bool {
        self.dragon[v.at()]
    }

    /// Eye spaces: vital points, half eyes, margins.
    pub(crate) fn eyes(&self, tally: &mut Tally<'_>, attacking: bool) {
        let board = self.board;
        for space in self.spaces.iter().filter(|space| space.touches(board, |n| self.is_dragon(n))) {
            tally.add_vital_points(space, attacking, [40, 15, 20]);
            let size = space.vertices.len();
            for (&v, &marginal) in space.vertices.iter().zip(&space.marginal) {
                if marginal {
                    // Before a space that can hold no eye there is little to gain.
                    let (at, beyond) = if space.value.d == 0 { (8, 3) } else { (24, 10) };
                    tally.add(v, at);
                    for n in board.neighbors4(v) {
                        if self.ground.inside[n.at()] && !space.holds(n) {
                            tally.add(n, beyond);
                        }
                    }
                } else if size <= 9 && space.value.d > 0 {
                    let links = board.neighbors4(v).filter(|&n| space.holds(n)).count();
                    tally.add(v, 6 + 4 * links as i32);
                } else {
                    tally.add(v, 3);
                }
            }
        }
    }

    /// Strings of both sides with at most `most` liberties: liberties in danger; and cutting points.
    pub(crate) fn strings(&self, tally: &mut Tally<'_>, attacking: bool, most: usize) {
        let board = self.board;
        let [safe_friend, safe_foe] = self.safe;
        for v in self.ground.strings(board, |v| board.liberties(v) <= most) {
            let liberties = board.liberties(v);
            let own = board.color_at(v) == Some(self.color);
            if own && self.is_dragon(v) {
                tally.add_all(board.liberty_vertices(v), [0, 45, 22, 8, 4, 2][liberties.min(5)]);
            } else if own && !safe_friend[v.at()] {
                tally.add_all(board.liberty_vertices(v), 3);
            } else if !own && !safe_foe[v.at()] {
                let mut touching = false;
                board.each_adjacent(v, |s| touching |= self.is_dragon(s));
                if !touching {
                    continue;
                }
                let points = [2, 50, 24, 11, 5].get(liberties).copied().unwrap_or(2);
                for l in board.liberty_vertices(v) {
                    tally.add(l, points + 2 * board.string_size(v).min(5) as i32);
                    // Saving or catching a string may also mean the vertex beyond the liberty.
                    if liberties <= 2 && attacking {
                        tally.add_all(board.neighbors4(l), 3);
                    }
                }
                if attacking && liberties <= 2 {
                    board.each_adjacent(v, |s| {
                        if board.liberties(s) == 1 {
                            tally.add_all(board.liberty_vertices(s), 35);
                        }
                    });
                }
            }
        }
        for &v in self.ground.cells.iter().filter(|&&v| board.is_empty(v)) {
            if board.strings_next_to(v, self.color).filter(|&n| self.is_dragon(n)).count() >= 2 {
                tally.add(v, 12);
            }
        }
    }

    /// The way out: liberties of the dragon away from the attacker, and the next step.
    pub(crate) fn ways_out(&self, tally: &mut Tally<'_>) {
        let board = self.board;
        let beside = |v: Vertex| board.neighbors4(v).any(|n| self.is_dragon(n));
        for &v in self.ground.cells.iter().filter(|&&v| board.is_empty(v) && beside(v)) {
            tally.add(v, 8);
            if board.neighbors4(v).any(|n| self.safe[0][n.at()]) {
                tally.add(v, 30);
            }
            for n in board.neighbors8(v) {
                if board.is_empty(n) && self.ground.inside[n.at()] && !beside(n) {
                    tally.add(n, 6 + i32::from(self.escape.at(n)));
                }
            }
        }
    }

    /// The penalty of a move: self-atari, filling an own eye. Illegal moves get a sum below zero.
    pub(crate) fn quality(&self, to_move: Color, v: Vertex) -> i32 {
        let board = self.board;
        if board.is_suicide(to_move, v) {
            return NEVER;
        }
        if board.strings_next_to(v, to_move.other()).any(|n| board.liberties(n) == 1) {
            return 0;
        }
        let own = to_move == self.color;
        if own && self.spaces.iter().any(|s| s.is_eye_at(v)) {
            return NEVER;
        }
        if board.liberties_after(to_move, v) != 1 {
            return 0;
        }
        let stones: usize =
            1 + board.strings_next_to(v, to_move).map(|n| board.string_size(n)).sum::<usize>();
        if own { -25 } else { -6 - 4 * stones.min(8) as i32 }
    }
}
