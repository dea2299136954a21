//! What a leaf of the search knows of strings: liberties counted, and a short tactical reading where that does not do.

use crate::board::{Board, Color, Vertex};
use crate::eyes::Tactics;
use crate::tactics::{Code, Limits, Reader, Reading};

/// Positions tactical reading may look at for one string of a leaf.
const LEAF_NODES: u64 = 60;

/// A string with more liberties than these is not asked about.
pub(super) const LEAF_LIBERTIES: usize = 3;

/// Tactical reading as a leaf can afford it.
pub(super) struct LeafReader(Reader);

impl Default for LeafReader {
    fn default() -> Self {
        Self(Reader::new(Limits {
            depth: 4,
            branch_depth: 3,
            fourlib_depth: 0,
            loose_depth: 0,
            backfill_depth: 3,
            wide_depth: 0,
            prepare_depth: 0,
            race_depth: 4,
            ko_depth: 2,
            far_moves: 4,
            threat_depth: 4,
            threat_moves: 1,
            chain_depth: 0,
            friends_depth: 0,
            nodes: LEAF_NODES,
            second_nodes: LEAF_NODES,
            threat_nodes: LEAF_NODES,
        }))
    }
}

/// The reader of the first moves.
pub(super) struct RootReader(pub(super) LeafReader);

impl Default for RootReader {
    fn default() -> Self {
        Self(LeafReader::for_the_root())
    }
}

impl LeafReader {
    /// A reader for the first moves of a question, which are few.
    pub(super) fn for_the_root() -> Self {
        Self(Reader::new(Limits {
            depth: 8,
            branch_depth: 6,
            backfill_depth: 5,
            race_depth: 6,
            nodes: 1000,
            ..Limits::default()
        }))
    }

    /// Whether the string at `v` can be saved by its owner, moving first.
    pub(super) fn defend(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.0.defend(board, v)
    }

    /// Whether the string at `v` can be taken by its opponent, moving first.
    pub(super) fn attack(&mut self, board: &mut Board, v: Vertex) -> Reading {
        self.0.attack(board, v)
    }
}

/// Reading replaced by counting liberties: what a search node can afford.
pub(crate) struct QuickTactics<'a> {
    pub(crate) board: &'a Board,
    /// Per padded cell: attacker's stones that are no part of an eye space.
    pub(crate) visible: &'a [bool],
    pub(crate) defender: Color,
}

/// Liberties a stone of `color` at `v` would have, counted up to `limit`; captures add the captured stones' room.
pub(super) fn liberties_after(board: &Board, color: Color, v: Vertex, limit: usize) -> usize {
    let mut found: Vec<Vertex> = Vec::with_capacity(8);
    for n in board.neighbors4(v) {
        match board.color_at(n) {
            None => {
                if !found.contains(&n) {
                    found.push(n);
                }
            }
            Some(c) if c == color => {
                for l in board.liberty_vertices(n) {
                    if l != v && !found.contains(&l) {
                        found.push(l);
                        if found.len() >= limit {
                            return limit;
                        }
                    }
                }
            }
            Some(_) => {
                if board.liberties(n) == 1 && !found.contains(&n) {
                    found.push(n);
                }
            }
        }
        if found.len() >= limit {
            return limit;
        }
    }
    found.len()
}

impl Tactics for QuickTactics<'_> {
    fn capture(&self, v: Vertex) -> Code {
        let hidden = self.board.color_at(v) != Some(self.defender) && !self.visible[v.at()];
        if hidden || self.board.liberties(v) == 1 { Code::Win } else { Code::Fail }
    }

    fn rescue(&self, v: Vertex) -> Code {
        if self.board.color_at(v) != Some(self.defender) && !self.visible[v.at()] {
            return Code::Fail;
        }
        let Some(color) = self.board.color_at(v) else { return Code::Fail };
        let Some(out) = self.capture_point(v) else { return Code::Fail };
        if liberties_after(self.board, color, out, 3) >= 2 {
            return Code::Win;
        }
        let mut saved = Code::Fail;
        self.board.each_adjacent(v, |foe| {
            if self.board.liberties(foe) == 1 {
                saved = Code::Win;
            }
        });
        saved
    }

    fn safe_move(&self, v: Vertex, color: Color) -> Code {
        if liberties_after(self.board, color, v, 2) >= 2 {
            return Code::Win;
        }
        // A stone that is left with one liberty by a capture: a ko, or it has taken more than it may lose.
        let mut taken = 0;
        for n in self.board.strings_next_to(v, color.other()).filter(|&n| self.board.liberties(n) == 1) {
            taken += self.board.string_size(n);
        }
        match taken {
            0 => Code::Fail,
            1 => Code::KoA,
            _ => Code::Win,
        }
    }

    fn capture_point(&self, v: Vertex) -> Option<Vertex> {
        self.board.liberty_vertices(v).next()
    }

    fn rescue_point(&self, v: Vertex) -> Option<Vertex> {
        self.board.liberty_vertices(v).next()
    }
}
