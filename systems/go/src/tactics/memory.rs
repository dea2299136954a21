//! Keeps the reading of a slot's last position, as far as it still holds.
//!
//! # Steps
//! 1. Find the changes: vertices whose stones differ, and the ko point if it does. Another size, other rules or other
//!    limits change everything.
//! 2. A string keeps its reading if nothing changed in the area that the reading may have looked at
//!    ([`area`](super::area)).
//!
//! # Invariants
//! A kept result equals a new reading to the last count, so no result reveals whether it was kept.

use super::area;
use super::map::{MOST_READ, WormTactics};
use crate::board::{Board, VertexSet};
use crate::effort::Limits;
use bevy_ecs::prelude::Component;

/// The last position of a slot that was read. Written by the tactics plugin; for none but it.
#[derive(Component, Clone, Debug, Default)]
pub(crate) struct TacticsMemory {
    last: Option<Last>,
}

#[derive(Clone, Debug)]
struct Last {
    board: Board,
    limits: Limits,
    /// Per string, by origin in vertex order.
    worms: Vec<(WormTactics, VertexSet)>,
}

impl TacticsMemory {
    /// The readings that still hold on this board under these limits: strings by origin in vertex order.
    pub(super) fn holding(&self, board: &Board, limits: Limits) -> Vec<&(WormTactics, VertexSet)> {
        let Some(last) = &self.last else { return Vec::new() };
        let alike =
            last.limits == limits && last.board.size() == board.size() && last.board.rules() == board.rules();
        if !alike {
            return Vec::new();
        }
        // 1.
        let mut changed = VertexSet::EMPTY;
        for v in board.vertices().filter(|&v| board.color_at(v) != last.board.color_at(v)) {
            changed.insert(v);
        }
        if board.ko() != last.board.ko() {
            [board, &last.board].into_iter().filter_map(Board::ko_point).for_each(|v| changed.insert(v));
        }
        // 2.
        last.worms.iter().filter(|(_, area)| !area.meets(&changed.0)).collect()
    }

    /// Remembers the readings, strings by origin in vertex order.
    pub(super) fn remember(&mut self, board: Board, limits: Limits, worms: Vec<(WormTactics, VertexSet)>) {
        self.last = Some(Last { board, limits, worms });
    }
}

/// The area of a reading that just ended on `board`, whose footprint began with it.
pub(super) fn area_of(board: &Board, worm: &WormTactics) -> VertexSet {
    let played = board.footprint();
    let counted = board.liberties(worm.origin) > MOST_READ;
    if counted && worm.nodes == 0 && *played == VertexSet::EMPTY {
        // Too many liberties: nothing else was looked at. With fewer and no move played, none was legal, which hangs on more.
        area::of_string(board, worm.origin)
    } else {
        area::of_reading(board, worm.origin, played)
    }
}
