//! The features of a move that are known before any reading or playout.
//!
//! # Source
//! R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go" (2007), section 4: the kinds of features.
//!
//! # Notation
//! `last` is the opponent's last move, and `before` is the mover's own last move. A feature is an index into a row of
//! weights; [`GROUPS`] names the places. Sizes of strings come in three classes: one stone, two to four, more.
//!
//! # Departures
//! Four kinds are added: liberties after the move, joined strings, three liberties made two, and answers to the last
//! move. The owner by playouts comes from the caller.
//!
//! # Cost
//! Each string with two liberties or fewer costs a ladder or two, read once for a position.

use super::super::board::{PlayoutBoard, cell};
use super::super::nakade;
use super::ladder::Stones;
use super::shapes::Shapes;
use crate::board::Vertex;

/// The groups of plain features in the order of their weights, with their lengths.
pub const GROUPS: [(&str, usize); 14] = [
    // The string just played is taken.
    ("recapture", 1),
    // Saves a string of ours in atari; takes what could run; takes what could not: by size of what is taken.
    ("capture", 9),
    // A string in atari runs and gets away; runs into a ladder: by its size.
    ("run", 6),
    // One stone; two to five that fill a dead shape; other two to five; more; taking a ko.
    ("self-atari", 5),
    // Catches in a ladder; doesn't: by the size of the prey.
    ("atari", 6),
    // A string that a ladder threatens gets three liberties: by its size.
    ("escape", 3),
    // An enemy string is left with two liberties: by its size.
    ("pressure", 3),
    // Liberties of the string after the move, if it joins one: one or two, three, four, more.
    ("liberties", 4),
    // Two strings joined, more; and the same if one of them has two liberties or fewer.
    ("join", 4),
    // Three phases; stones near or none; lines one to six (and beyond).
    ("line", 36),
    // By distance: 2 to 17 and farther, or unknown.
    ("last", 17),
    ("before", 17),
    // A liberty of the string just played, of ours next to it: by its liberties, one to four and more.
    ("answer", 8),
    // Whose the vertex is when playouts end, the enemy's to ours.
    ("owner", 8),
];

/// Number of plain features.
pub const PLAIN: usize = {
    let (mut sum, mut i) = (0, 0);
    while i < GROUPS.len() {
        sum += GROUPS[i].1;
        i += 1;
    }
    sum
};

/// The first place of each group.
const BASE: [usize; GROUPS.len()] = {
    let mut base = [0; GROUPS.len()];
    let mut i = 1;
    while i < GROUPS.len() {
        base[i] = base[i - 1] + GROUPS[i - 1].1;
        i += 1;
    }
    base
};

const RECAPTURE: usize = BASE[0];
const CAPTURE: usize = BASE[1];
const RUN: usize = BASE[2];
const SELF_ATARI: usize = BASE[3];
const ATARI: usize = BASE[4];
const ESCAPE: usize = BASE[5];
const PRESSURE: usize = BASE[6];
const LIBERTIES: usize = BASE[7];
const JOIN: usize = BASE[8];
const LINE: usize = BASE[9];
const LAST: usize = BASE[10];
const BEFORE: usize = BASE[11];
const ANSWER: usize = BASE[12];
const OWNER: usize = BASE[13];

/// A receiver of features.
pub trait Sink {
    /// A plain feature.
    fn plain(&mut self, index: usize);
    /// A shape; whether larger ones are of interest.
    fn shape(&mut self, level: usize, key: u64) -> bool;
}

/// The owner of a vertex (by its place in vertex order) at the end of playouts, from -1 (Black) to 1 (White).
pub type Owner<'a> = dyn Fn(usize) -> f32 + 'a;

/// The results of ladders for a string.
#[derive(Clone, Copy)]
struct Chase {
    head: usize,
    /// In atari: moves and gets away. Two liberties: each of them, played by the hunter, catches it.
    escapes: bool,
    catches: [bool; 2],
    liberties: [usize; 2],
}

/// A position whose moves get features.
pub struct Scene<'a> {
    board: &'a PlayoutBoard,
    color: u8,
    last: usize,
    before: usize,
    shapes: Shapes<'a>,
    stones: Stones,
    ladders: u32,
    phase: usize,
    owner: &'a Owner<'a>,
    chases: Vec<Chase>,
}

/// One stone, two to four, more.
fn class(stones: u16) -> usize {
    match stones {
        0 | 1 => 0,
        2..=4 => 1,
        _ => 2,
    }
}

impl<'a> Scene<'a> {
    /// The moves of `color` (a code). `last` and `before`: padded indices, 0 for a pass or none. `ladders`: the most
    /// positions of one ladder.
    #[must_use]
    pub fn new(
        board: &'a PlayoutBoard,
        color: u8,
        [last, before]: [usize; 2],
        owner: &'a Owner<'a>,
        ladders: u32,
    ) -> Self {
        let area = board.size() * board.size();
        let stones = area - board.empty_count();
        let phase = usize::from(stones * 8 > area) + usize::from(stones * 5 > area * 2);
        Self {
            board,
            color,
            last,
            before,
            shapes: Shapes::new(board, color),
            stones: Stones::from(board),
            ladders,
            phase,
            owner,
            chases: Vec::with_capacity(16),
        }
    }

    /// The shape of this level around a vertex, as it is written in a file of weights.
    #[must_use]
    pub fn shape_text(&self, v: usize, level: usize) -> String {
        self.shapes.text(v, level)
    }

    /// The distance of a move to one of the last moves, as a place in their groups.
    fn distance(&self, v: usize, to: usize) -> usize {
        if to == 0 {
            return 16;
        }
        let stride = self.board.size() + 1;
        let (dx, dy) = ((v % stride).abs_diff(to % stride), (v / stride).abs_diff(to / stride));
        (dx + dy + dx.max(dy)).clamp(2, 17) - 2
    }

    /// Ladders of the string on `v`, which has one or two liberties.
    fn chase(&mut self, v: usize) -> Chase {
        let head = self.board.head(v);
        if let Some(known) = self.chases.iter().find(|c| c.head == head) {
            return *known;
        }
        let mut chase = Chase { head, escapes: false, catches: [false; 2], liberties: [0; 2] };
        if self.board.liberty_count(v) == 1 {
            chase.escapes = self.stones.flee(v, &mut { self.ladders });
        } else {
            for (i, at) in self.board.liberties(v).iter().map(Vertex::at).take(2).enumerate() {
                chase.liberties[i] = at;
                chase.catches[i] = self.stones.hunt(v, at, &mut { self.ladders });
            }
        }
        self.chases.push(chase);
        chase
    }

    /// Gives `sink` all features of the legal move `v`.
    pub fn tell(&mut self, v: usize, sink: &mut impl Sink) {
        let board = self.board;
        let (own, enemy) = (self.color, 3 - self.color);
        let (liberties, stones) = board.after_play(v, own);
        let mut heads = [0usize; 4];
        let (mut joined, mut weak, mut taken) = (0, false, 0);
        for (i, n) in board.neighbours(v).into_iter().enumerate() {
            let c = board.color[n];
            if c != own && c != enemy {
                continue;
            }
            let head = board.head(n);
            if heads.contains(&head) {
                continue;
            }
            heads[i] = head;
            let size = class(board.string_size(n));
            let count = board.liberty_count(n);
            if c == own {
                joined += 1;
                weak |= count <= 2;
                match count {
                    1 if liberties >= 2 => {
                        let away = self.chase(n).escapes;
                        sink.plain(RUN + if away { 0 } else { 3 } + size);
                    }
                    2 if liberties >= 3 && self.chase(n).catches.contains(&true) => {
                        sink.plain(ESCAPE + size);
                    }
                    _ => {}
                }
            } else {
                match count {
                    1 => {
                        taken += board.string_size(n);
                        if self.last != 0 && board.color[self.last] == enemy && board.head(self.last) == head
                        {
                            sink.plain(RECAPTURE);
                        }
                        let kind = if self.saves(n) {
                            0
                        } else if self.chase(n).escapes {
                            1
                        } else {
                            2
                        };
                        sink.plain(CAPTURE + 3 * kind + size);
                    }
                    2 => {
                        let chase = self.chase(n);
                        let caught = (0..2).any(|k| chase.liberties[k] == v && chase.catches[k]);
                        sink.plain(ATARI + if caught { 0 } else { 3 } + size);
                    }
                    3 => sink.plain(PRESSURE + size),
                    _ => {}
                }
            }
        }
        if liberties <= 1 {
            sink.plain(SELF_ATARI + self.self_atari(v, stones, taken));
        }
        if joined > 0 {
            sink.plain(LIBERTIES + usize::from(liberties.clamp(2, 5) - 2));
        }
        if joined > 1 {
            sink.plain(JOIN + usize::from(joined > 2) + if weak { 2 } else { 0 });
        }
        self.tell_answers(v, sink);
        self.tell_place(v, sink);
        self.shapes.each(v, |level, key| sink.shape(level, key));
    }

    fn tell_place(&self, v: usize, sink: &mut impl Sink) {
        let size = self.board.size();
        let vertex = Vertex(v as u16);
        let (r, c) = (vertex.row(size), vertex.col(size));
        let line = r.min(c).min(size - 1 - r).min(size - 1 - c).min(5);
        let near = usize::from(!self.shapes.is_lonely(v));
        sink.plain(LINE + 12 * self.phase + 6 * near + line);
        let owner = (self.owner)(vertex.index(size));
        let ours = if self.color == 2 { owner } else { -owner };
        sink.plain(OWNER + ((ours + 1.0) * 4.0).clamp(0.0, 7.0) as usize);
        sink.plain(LAST + self.distance(v, self.last));
        sink.plain(BEFORE + self.distance(v, self.before));
    }

    /// Liberties of the string just played and of own strings next to it.
    fn tell_answers(&self, v: usize, sink: &mut impl Sink) {
        let board = self.board;
        if self.last == 0 || board.color[self.last] != 3 - self.color {
            return;
        }
        let class = |s: usize| usize::from(board.liberty_count(s).clamp(1, 4) - 1);
        if board.liberties(self.last).holds(cell(v)) {
            sink.plain(ANSWER + class(self.last));
        }
        let mut least = 4;
        for n in board.neighbours(self.last) {
            if board.color[n] == self.color && board.liberties(n).holds(cell(v)) {
                least = least.min(class(n));
            }
        }
        if least < 4 {
            sink.plain(ANSWER + 4 + least);
        }
    }

    /// Whether capturing the enemy string on `v` saves an own string in atari next to it.
    fn saves(&self, v: usize) -> bool {
        let mut found = false;
        self.board.for_each_stone(v, |s| {
            found |= self
                .board
                .neighbours(s)
                .into_iter()
                .any(|n| self.board.color[n] == self.color && self.board.liberty_count(n) == 1);
        });
        found
    }

    fn self_atari(&self, v: usize, stones: u16, taken: u16) -> usize {
        match stones {
            1 if taken == 1 => 4,
            0 | 1 => 0,
            2..=5 if nakade::fills_dead_shape(self.board, v, self.color) => 1,
            2..=5 => 2,
            _ => 3,
        }
    }

    /// The moves worth a thought: legal, no own eye filled.
    #[must_use]
    pub fn moves(&self) -> Vec<usize> {
        let mut moves: Vec<usize> = (0..self.board.empty_count())
            .map(|i| self.board.empty(i))
            .filter(|&v| !self.board.is_eye(v, self.color) && self.board.is_legal(v, self.color))
            .collect();
        moves.sort_unstable();
        moves
    }
}
