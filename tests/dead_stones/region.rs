//! Play on a *region*: a few vertices of a board between strings that certainly live. The module has the rules, the
//! counting, and the certain vertices.
//!
//! # Source
//! D. B. Benson, "Life in the game of Go" (1976), for immortal strings and certain vertices. Area counting follows
//! the rules of Tromp and Taylor. This module shares only the names of colours and vertices with the tested code.
//!
//! # Notation
//! The *cells* are the vertices of the region, with one bit each. A set of cells is a word. Black is 0 and White is 1.
//! An *area* is the area of one colour minus that of the other.

use std::collections::BTreeSet;
use tengen_go::board::{Board, Color, Vertex};

/// The most cells of a region.
const MOST: usize = 64;

/// Some vertices of a board, with the immortal strings around them.
pub(crate) struct Region {
    pub(crate) cells: Vec<Vertex>,
    /// Per cell the cells next to it.
    next: Vec<u64>,
    /// By colour: the cells next to its immortal strings.
    beside: [u64; 2],
    all: u64,
}

/// A position of the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// By colour.
    pub(crate) stones: [u64; 2],
    /// The cell where the player to move may not take a ko.
    pub(crate) ko: u64,
    pub(crate) to_move: usize,
    /// Passes in a row; two end the game.
    pub(crate) passes: u8,
}

/// The cells of a set, one by one.
fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

impl Region {
    /// All regions of a board: the connected sets of vertices without immortal stones that hold stones.
    pub(crate) fn of(board: &Board) -> Vec<(Self, Position)> {
        let immortal = Color::BOTH.map(|color| immortal(board, color));
        let mut seen: BTreeSet<Vertex> = immortal.iter().flatten().copied().collect();
        let mut found = Vec::new();
        for v in board.vertices() {
            let cells = connected(board, v, &mut seen, |_| true);
            if cells.iter().any(|&v| !board.is_empty(v)) {
                found.push(Self::new(board, cells, &immortal));
            }
        }
        found
    }

    fn new(board: &Board, cells: Vec<Vertex>, immortal: &[BTreeSet<Vertex>; 2]) -> (Self, Position) {
        assert!(cells.len() <= MOST, "a region of {} cells\n{board}", cells.len());
        let set = |wanted: &dyn Fn(Vertex) -> bool| {
            cells.iter().enumerate().filter(|(_, v)| wanted(**v)).map(|(i, _)| 1 << i).sum::<u64>()
        };
        let next = cells.iter().map(|&v| set(&|u| board.neighbors4(v).any(|n| n == u))).collect();
        let beside = [0, 1].map(|c: usize| set(&|v| board.neighbors4(v).any(|n| immortal[c].contains(&n))));
        let stones = Color::BOTH.map(|color| set(&|v| board.color_at(v) == Some(color)));
        let all = set(&|_| true);
        (Self { cells, next, beside, all }, Position { stones, ko: 0, to_move: 0, passes: 0 })
    }

    /// The bit of a vertex, if it is a cell.
    pub(crate) fn bit(&self, v: Vertex) -> Option<u64> {
        self.cells.iter().position(|&c| c == v).map(|i| 1 << i)
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> i32 {
        self.cells.len() as i32
    }

    fn around(&self, set: u64) -> u64 {
        each(set).fold(0, |sum, bit| sum | self.next[bit.trailing_zeros() as usize])
    }

    /// The connected part of `within` that contains `from`.
    fn grow(&self, from: u64, within: u64) -> u64 {
        let mut set = from;
        loop {
            let grown = set | self.around(set) & within;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }

    /// The connected parts of a set.
    fn parts(&self, mut set: u64) -> Vec<u64> {
        let mut parts = Vec::new();
        while set != 0 {
            let part = self.grow(set & set.wrapping_neg(), set);
            set &= !part;
            parts.push(part);
        }
        parts
    }

    /// The strings of a colour.
    pub(crate) fn strings(&self, position: &Position, color: usize) -> Vec<u64> {
        self.parts(position.stones[color])
    }

    /// All moves of the player to move, the pass last. Who is `free` has threats for every ko.
    pub(crate) fn moves(&self, position: &Position, free: Option<usize>) -> Vec<Position> {
        let empty = self.all & !(position.stones[0] | position.stones[1]);
        let mut after: Vec<Position> =
            each(empty).filter_map(|cell| self.play(position, cell, free)).collect();
        after.push(Position {
            ko: 0,
            to_move: 1 - position.to_move,
            passes: position.passes + 1,
            ..*position
        });
        after
    }

    fn play(&self, position: &Position, cell: u64, free: Option<usize>) -> Option<Position> {
        let (own, enemy) = (position.to_move, 1 - position.to_move);
        if position.ko == cell && free != Some(own) {
            return None;
        }
        let mut stones = position.stones;
        stones[own] |= cell;
        let bare = |stones: &[u64; 2], string: u64, color: usize| {
            let liberties = self.around(string) & !(stones[0] | stones[1]);
            liberties == 0 && string & self.beside[color] == 0
        };
        let mut taken = 0;
        for part in self.parts(self.grow(self.around(cell) & stones[enemy], stones[enemy])) {
            if bare(&stones, part, enemy) {
                taken |= part;
            }
        }
        stones[enemy] &= !taken;
        let string = self.grow(cell, stones[own]);
        if bare(&stones, string, own) {
            return None;
        }
        let alone = string == cell
            && string & self.beside[own] == 0
            && self.around(cell) & !(stones[0] | stones[1]) == taken;
        let ko = if taken.count_ones() == 1 && alone { taken } else { 0 };
        Some(Position { stones, ko, to_move: enemy, passes: 0 })
    }

    /// Black's area less White's: stones, and empty cells that reach one colour alone.
    pub(crate) fn area(&self, stones: [u64; 2]) -> i32 {
        let mut area = stones[0].count_ones() as i32 - stones[1].count_ones() as i32;
        for part in self.parts(self.all & !(stones[0] | stones[1])) {
            area += part.count_ones() as i32 * self.owner(part, stones);
        }
        area
    }

    /// Who is reached from a part of the empty cells: 1 Black alone, -1 White alone, 0 both.
    pub(crate) fn owner(&self, part: u64, stones: [u64; 2]) -> i32 {
        let [black, white] = [0, 1]
            .map(|c: usize| i32::from(part & self.beside[c] != 0 || self.around(part) & stones[c] != 0));
        black - white
    }

    /// The empty parts of a position.
    pub(crate) fn empty_parts(&self, stones: [u64; 2]) -> Vec<u64> {
        self.parts(self.all & !(stones[0] | stones[1]))
    }

    /// Cells that are a colour's against any play of the other side. These are its unconditionally alive strings, and
    /// strings that two empty cells of their own join to those. Cells between them belong to it if nothing inside can
    /// have two eyes: all cells without such a neighbour touch each other. With `answered` off, joined strings do not
    /// count.
    pub(crate) fn sure(&self, position: &Position, color: usize, answered: bool) -> u64 {
        let empty = self.all & !(position.stones[0] | position.stones[1]);
        let mut alive = self.unconditional(position, color, empty);
        let mut near = self.around(alive) | self.beside[color];
        let mut others = self.strings(position, color);
        others.retain(|string| answered && string & alive == 0);
        let mut taken = 0;
        while let Some(i) = others.iter().position(|&string| {
            let ways = self.around(string) & empty & near & !taken;
            ways.count_ones() >= 2
        }) {
            let string = others.swap_remove(i);
            taken |= each(self.around(string) & empty & near & !taken).take(2).sum::<u64>();
            alive |= string;
            near |= self.around(string);
        }
        let one_eye = |inner: u64| each(inner).all(|cell| inner & !cell & !self.around(cell) == 0);
        let closed = self.parts(self.all & !alive);
        let closed = closed.iter().filter(|&&r| r & self.beside[1 - color] == 0 && one_eye(r & !near));
        closed.fold(alive, |sum, region| sum | region)
    }

    /// Benson's strings: each with two regions that only such strings enclose and whose empty cells all are its liberties.
    fn unconditional(&self, position: &Position, color: usize, empty: u64) -> u64 {
        let mut strings = self.strings(position, color);
        let mut regions = self.parts(self.all & !position.stones[color]);
        regions.retain(|region| region & self.beside[1 - color] == 0);
        loop {
            let before = strings.len();
            strings.retain(|&string| {
                let vital = |&&region: &&u64| {
                    let open = region & empty;
                    open != 0 && open & !self.around(string) == 0
                };
                string & self.beside[color] != 0 || regions.iter().filter(vital).count() >= 2
            });
            let alive = strings.iter().fold(0, |sum, s| sum | s);
            if strings.len() == before {
                return alive;
            }
            regions.retain(|&region| self.around(region) & position.stones[color] & !alive == 0);
        }
    }
}

/// The vertices that are connected with `v` and were not seen before.
fn connected(
    board: &Board,
    v: Vertex,
    seen: &mut BTreeSet<Vertex>,
    within: impl Fn(Vertex) -> bool,
) -> Vec<Vertex> {
    let (mut found, mut open) = (Vec::new(), vec![v]);
    while let Some(u) = open.pop() {
        if within(u) && seen.insert(u) {
            found.push(u);
            open.extend(board.neighbors4(u));
        }
    }
    found.sort_unstable();
    found
}

/// Stones of a colour with two eyes each in Benson's sense; only regions without stones count as eyes. They live even
/// if their owner fills everything else.
fn immortal(board: &Board, color: Color) -> BTreeSet<Vertex> {
    let (mut seen, mut strings, mut eyes) = (BTreeSet::new(), Vec::new(), Vec::new());
    for v in board.vertices() {
        let own = board.color_at(v) == Some(color);
        let part = connected(board, v, &mut seen, |u| (board.color_at(u) == Some(color)) == own);
        if own && !part.is_empty() {
            strings.push(part);
        } else if !part.is_empty() && part.iter().all(|&u| board.is_empty(u)) {
            eyes.push(part);
        }
    }
    loop {
        let before = strings.len();
        strings.retain(|string| {
            let next = |v: &Vertex| board.neighbors4(*v).any(|n| string.contains(&n));
            eyes.iter().filter(|eye| eye.iter().all(next)).count() >= 2
        });
        if strings.len() == before {
            return strings.concat().into_iter().collect();
        }
        let alive: BTreeSet<Vertex> = strings.concat().into_iter().collect();
        eyes.retain(|eye| {
            let around = eye.iter().flat_map(|&v| board.neighbors4(v));
            around.filter(|&n| !board.is_empty(n)).all(|n| alive.contains(&n))
        });
    }
}
