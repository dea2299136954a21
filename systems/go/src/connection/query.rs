//! A question of connection reading: the string, the target that it should reach, and the demand.

use super::distance::{Ground, Sight};
use crate::board::{Board, Color, Vertex};
use crate::tactics::Code;
use crate::tactics::ko::KoState;

/// The target of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The string at a vertex, of the same owner.
    String(Vertex),
    /// The reader's area.
    Area,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub(super) string: Vertex,
    pub(super) target: Target,
    pub(super) owner: Color,
}

impl Query {
    pub(super) const fn target_string(&self) -> Option<Vertex> {
        match self.target {
            Target::String(b) => Some(b),
            Target::Area => None,
        }
    }

    /// Whether one of the strings is off the board.
    pub(super) fn lost(&self, board: &Board) -> bool {
        let gone = |v| board.color_at(v) != Some(self.owner);
        gone(self.string) || self.target_string().is_some_and(gone)
    }
}

/// One question under one demand.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) q: &'a Query,
    pub(super) demand: Code,
    /// The greatest distance, with the cutter to move, that is not given up.
    pub(super) reach: u8,
}

impl Task<'_> {
    /// The place where distances are measured.
    pub(super) fn ground<'g>(
        &self,
        board: &'g mut Board,
        sight: &'g mut Sight,
        ko: KoState,
        snares: bool,
    ) -> Ground<'g> {
        let ends = [self.q.string, self.q.target_string().unwrap_or(Vertex::PASS)];
        let snares = snares && self.q.target != Target::Area;
        Ground { board, owner: self.q.owner, sight, ends, ko, demand: self.demand, snares }
    }

    /// Whether a side may take a ko back against the rules and still reach the code it needs.
    pub(super) fn may_threaten(&self, owner: bool) -> bool {
        self.demand == if owner { Code::KoB } else { Code::Win }
    }
}
