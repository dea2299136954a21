//! The effects of a move for or against one side of a fight, in points.
//!
//! # Steps
//! A move gets points at vital points of eye spaces and half eyes, at margins, and at the vertices before them. It also
//! gets points for liberties of strings in danger on either side, for cutting points, and for the way out.
//! [`Fight::quality`] takes points off bad moves.

use super::{Escape, Ground, Marks, Tally};
use crate::board::{Board, Color, Vertex};
use crate::eyes::EyeSpace;

/// The penalty of a move that is not to be tried.
///
/// Origin: definition, below any sum of points.
pub(crate) const NEVER: i32 = -10_000;

/// The number of candidates of a position of a search: for the first move, and from each further depth of [`width`] on.
///
/// Origin: measured, `experiments/2026-11-22-go-life-and-death.md`, "Single changes with the surroundings fixed": two
/// moves more at each node.
const WIDTHS: [usize; 5] = [14, 8, 6, 4, 3];

/// The number of candidates of a position of a search, this many moves deep.
pub(crate) const fn width(depth: u32) -> usize {
    match depth {
        0 => WIDTHS[0],
        1..=2 => WIDTHS[1],
        3..=5 => WIDTHS[2],
        6..=9 => WIDTHS[3],
        _ => WIDTHS[4],
    }
}

/// Points of a margin of a space that can hold no eye, and of a vertex beyond it: there is little to gain.
///
/// Origin: ablation, `experiments/2026-11-22-go-life-and-death.md`, "Single changes with the surroundings fixed".
const EMPTY_MARGIN: [i32; 2] = [8, 3];

/// Points of moves for their effects in a fight.
struct Points {
    /// A vital point of an eye space for this side, one for the other side, and a point of a half eye.
    vital: [i32; 3],
    /// A margin, and a vertex beyond it.
    margin: [i32; 2],
    /// The most vertices of an eye space whose inner vertices count one by one.
    small: usize,
    /// A vertex inside such a space, and more for each neighbour inside.
    inner: i32,
    inner_link: i32,
    /// Another vertex of an eye space.
    other: i32,
    /// A liberty of the dragon, by the number of its string's liberties.
    dragon: [i32; 6],
    /// A liberty of another string of the dragon's colour.
    friend: i32,
    /// A liberty of an attacking string, by the number of the string's liberties, and with more liberties.
    foe: [i32; 5],
    foe_free: i32,
    /// More for each stone of that string, up to a number of stones.
    foe_stone: i32,
    foe_stones: usize,
    /// A vertex beyond a liberty of an attacking string that is short of liberties.
    beyond: i32,
    /// The capture of a string that keeps such an attacking string short of liberties.
    rescue: i32,
    /// A vertex next to two strings of the dragon.
    join: i32,
    /// A liberty of the dragon, if it runs.
    run: i32,
    /// More for a living friend beside it.
    to_friend: i32,
    /// A step beyond such a liberty.
    step: i32,
    /// A self-atari of the dragon's side.
    own_atari: i32,
    /// A self-atari of the other side, and for each stone in it, up to a number of stones.
    atari: i32,
    atari_stone: i32,
    atari_stones: usize,
}

/// The points in use.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `points`.
const POINTS: Points = Points {
    vital: [40, 15, 20],
    margin: [24, 10],
    small: 9,
    inner: 6,
    inner_link: 4,
    other: 3,
    dragon: [0, 45, 22, 8, 4, 2],
    friend: 3,
    foe: [2, 50, 24, 11, 5],
    foe_free: 2,
    foe_stone: 2,
    foe_stones: 5,
    beyond: 3,
    rescue: 35,
    join: 12,
    run: 8,
    to_friend: 30,
    step: 6,
    own_atari: -25,
    atari: -6,
    atari_stone: -4,
    atari_stones: 8,
};

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
            tally.add_vital_points(space, attacking, POINTS.vital);
            let size = space.vertices.len();
            for (&v, &marginal) in space.vertices.iter().zip(&space.marginal) {
                if marginal {
                    let [at, beyond] = if space.value.d == 0 { EMPTY_MARGIN } else { POINTS.margin };
                    tally.add(v, at);
                    for n in board.neighbors4(v) {
                        if self.ground.inside[n.at()] && !space.holds(n) {
                            tally.add(n, beyond);
                        }
                    }
                } else if size <= POINTS.small && space.value.d > 0 {
                    let links = board.neighbors4(v).filter(|&n| space.holds(n)).count();
                    tally.add(v, POINTS.inner + POINTS.inner_link * links as i32);
                } else {
                    tally.add(v, POINTS.other);
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
                tally.add_all(board.liberty_vertices(v), POINTS.dragon[liberties.min(5)]);
            } else if own && !safe_friend[v.at()] {
                tally.add_all(board.liberty_vertices(v), POINTS.friend);
            } else if !own && !safe_foe[v.at()] {
                let mut touching = false;
                board.each_adjacent(v, |s| touching |= self.is_dragon(s));
                if !touching {
                    continue;
                }
                let points = POINTS.foe.get(liberties).copied().unwrap_or(POINTS.foe_free);
                for l in board.liberty_vertices(v) {
                    tally.add(
                        l,
                        points + POINTS.foe_stone * board.string_size(v).min(POINTS.foe_stones) as i32,
                    );
                    // Saving or catching a string may also mean the vertex beyond the liberty.
                    if liberties <= 2 && attacking {
                        tally.add_all(board.neighbors4(l), POINTS.beyond);
                    }
                }
                if attacking && liberties <= 2 {
                    board.each_adjacent(v, |s| {
                        if board.liberties(s) == 1 {
                            tally.add_all(board.liberty_vertices(s), POINTS.rescue);
                        }
                    });
                }
            }
        }
        for &v in self.ground.cells.iter().filter(|&&v| board.is_empty(v)) {
            if board.strings_next_to(v, self.color).filter(|&n| self.is_dragon(n)).count() >= 2 {
                tally.add(v, POINTS.join);
            }
        }
    }

    /// The way out: liberties of the dragon away from the attacker, and the next step.
    pub(crate) fn ways_out(&self, tally: &mut Tally<'_>) {
        let board = self.board;
        let beside = |v: Vertex| board.neighbors4(v).any(|n| self.is_dragon(n));
        for &v in self.ground.cells.iter().filter(|&&v| board.is_empty(v) && beside(v)) {
            tally.add(v, POINTS.run);
            if board.neighbors4(v).any(|n| self.safe[0][n.at()]) {
                tally.add(v, POINTS.to_friend);
            }
            for n in board.neighbors8(v) {
                if board.is_empty(n) && self.ground.inside[n.at()] && !beside(n) {
                    tally.add(n, POINTS.step + i32::from(self.escape.at(n)));
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
        if own {
            POINTS.own_atari
        } else {
            POINTS.atari + POINTS.atari_stone * stones.min(POINTS.atari_stones) as i32
        }
    }
}
