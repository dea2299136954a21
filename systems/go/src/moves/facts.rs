//! The facts about a position that the move generators use.

use super::steps::within;
use crate::board::{Board, Color, Vertex};
use crate::dragons::{DragonMap, Status};
use crate::influence::after_moves::AfterMoves;
use crate::influence::{BreakIns, FirstInfluence, SecondInfluence, StoneStatus, pattern_statuses};
use crate::memory::ReadingMemory;
use crate::patterns::{EngineQueries, PatternDatabases};
use crate::spread::{InfluenceMap, Spreader};
use crate::tactics::{Reader, TacticsMap};
use crate::worms::WormMap;

/// A vertex with more opponent's territory than this is too hostile for a stone without friends.
///
/// Origin: fit, part `choose` of the truth positions, commit 0a3aeae; no table is kept.
const HOPELESS: f32 = 0.4;
/// The most steps to a friend that helps such a stone.
///
/// Origin: fit, part `choose` of the truth positions, commit 0a3aeae; no table is kept.
const NEAR: usize = 2;
/// The dragon of such a friend is less weak than this.
///
/// Origin: fit, part `choose` of the truth positions, commit 0a3aeae; no table is kept.
const WEAK: f32 = 0.5;
/// Influence of both colours together below which nobody is near.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `footing`.
const OPEN: f32 = 4.0;
/// The least safety of a new stone.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `footing`.
const LEAST_FOOTING: f32 = 0.1;

/// The findings of the earlier stages, for the moves of one colour.
pub struct Facts<'a> {
    /// The position.
    pub board: &'a Board,
    /// The mover.
    pub color: Color,
    /// Strings and cavities.
    pub worms: &'a WormMap,
    /// The tactical readings of strings.
    pub tactics: &'a TacticsMap,
    /// Dragons and whether they live.
    pub dragons: &'a DragonMap,
    /// Influence before dragons were known: what conditions of patterns look at.
    pub first: &'a FirstInfluence,
    /// Influence with dragons known.
    pub second: &'a SecondInfluence,
    /// Break-ins into territories.
    pub break_ins: &'a BreakIns,
    /// The matched databases.
    pub databases: &'a PatternDatabases,
}

impl<'a> Facts<'a> {
    /// Influence with the opponent to move.
    #[must_use]
    pub const fn influence(&self) -> &'a InfluenceMap {
        &self.second.maps[self.color.other().index()]
    }

    /// Per padded vertex: whether the stone counts as alive when the opponent moves first, and how strong it is.
    #[must_use]
    pub fn status(&self) -> &'a [StoneStatus] {
        &self.second.status[self.color.other().index()]
    }

    /// The effective size of the string at a vertex.
    #[must_use]
    pub fn effective_size(&self, v: Vertex) -> f32 {
        self.worms.get(v).map_or(0.0, |w| w.effective_size)
    }

    /// The weakness of the dragon at a vertex: 0 safe, 1 dead.
    #[must_use]
    pub fn weakness(&self, v: Vertex) -> f32 {
        self.dragons.at(v).map_or(0.0, |d| d.weakness)
    }

    /// Whether the colour to move has a dragon that is not lost.
    #[must_use]
    pub fn has_living_dragon(&self) -> bool {
        self.dragons.dragons.iter().any(|d| d.color == self.color && d.status != Status::Dead)
    }

    /// Whether a stone at `v` has no hope to live, although its colour lives elsewhere. No living friend is near. The
    /// vertex is the opponent's territory even if this colour moves first everywhere, with invasions and intrusions.
    #[must_use]
    pub fn is_hopeless(&self, v: Vertex) -> bool {
        let value = self.second.maps[self.color.index()].territory[v.at()];
        let theirs = if self.color == Color::White { -value } else { value };
        let lives = |s: Vertex| {
            self.board.color_at(s) == Some(self.color)
                && self.status()[s.at()].safe
                && self.weakness(s) < WEAK
        };
        self.has_living_dragon() && theirs > HOPELESS && !within(self.board, v, NEAR).any(lives)
    }

    /// The safety of a new stone at `v` in its surroundings, 0 to 1. It is its colour's share of the influence there,
    /// on a scale on which a half is safe enough. In the open it is safe.
    #[must_use]
    pub fn footing(&self, v: Vertex) -> f32 {
        let map = self.influence();
        let at = |color: Color| map.influence[color.index()].get(v.at()).copied().unwrap_or(0.0);
        let (own, enemy) = (at(self.color), at(self.color.other()));
        ((own + OPEN / 2.0) / (own + enemy + OPEN) * 2.0).clamp(LEAST_FOOTING, 1.0)
    }

    /// Moves of `mover` to be tried, his opponent moving first everywhere before and after.
    pub(super) fn trials(
        &self,
        mover: Color,
        (reader, memory): (&'a mut Reader, &ReadingMemory),
        spreader: &mut Spreader,
    ) -> AfterMoves<'a> {
        let next = mover.other().index();
        let queries = EngineQueries {
            worms: Some(self.worms),
            tactics: Some(self.tactics),
            influence: Some(&self.first.maps[next]),
            statuses: pattern_statuses(self.board, &self.second.status),
            memo: self.first.readings.clone(),
            memory: memory.clone(),
            ..EngineQueries::new(self.board.without_history(), reader)
        };
        AfterMoves::new(self.databases, queries, mover, &self.second.status[next], spreader)
    }
}
