//! What is known of a position when its moves are thought about.

use crate::board::{Board, Color, Vertex};
use crate::dragons::{Dragon, DragonMap, Status};
use crate::influence::{InfluenceMap, Kind, Pass, Spreader, StoneStatus};
use crate::tactics::TacticsMap;
use crate::worms::WormMap;

/// What the stages before found, for the moves of one colour.
pub struct Facts<'a> {
    /// The position.
    pub board: &'a Board,
    /// Whose moves.
    pub color: Color,
    /// Strings and cavities.
    pub worms: &'a WormMap,
    /// What reading says of strings.
    pub tactics: &'a TacticsMap,
    /// Dragons and whether they live.
    pub dragons: &'a DragonMap,
    /// Influence with the opponent to move.
    pub influence: &'a InfluenceMap,
    /// Per padded vertex: whether the stone counts as alive when the opponent moves first, and how strong it is.
    pub status: &'a [StoneStatus],
}

impl Facts<'_> {
    /// The dragon at a vertex.
    #[must_use]
    pub fn dragon(&self, v: Vertex) -> Option<&Dragon> {
        self.dragons.at(v)
    }

    /// The effective size of the string at a vertex.
    #[must_use]
    pub fn effective_size(&self, v: Vertex) -> f32 {
        self.worms.get(v).map_or(0.0, |w| w.effective_size)
    }

    /// How weak the dragon at a vertex is: 0 safe, 1 dead.
    #[must_use]
    pub fn weakness(&self, v: Vertex) -> f32 {
        self.dragon(v).map_or(0.0, |d| d.weakness)
    }

    /// Whether the colour to move has a dragon that is not lost.
    #[must_use]
    pub fn has_living_dragon(&self) -> bool {
        self.dragons.dragons.iter().any(|d| d.color == self.color && d.status != Status::Dead)
    }

    /// How safe a new stone is at `v` in its surroundings, 0 to 1: the share of its colour in the influence there, in
    /// a scale on which half is safe enough. In the open it is safe.
    #[must_use]
    pub fn footing(&self, v: Vertex) -> f32 {
        let at = |color: Color| self.influence.influence[color.index()].get(v.at()).copied().unwrap_or(0.0);
        let (own, enemy) = (at(self.color), at(self.color.other()));
        // Below this nobody is near.
        const OPEN: f32 = 4.0;
        ((own + OPEN / 2.0) / (own + enemy + OPEN) * 2.0).clamp(0.1, 1.0)
    }

    /// Territory (padded, White positive) of a board with the opponent to move.
    pub(super) fn territory(
        &self,
        board: &Board,
        status: &[StoneStatus],
        spreader: &mut Spreader,
    ) -> Vec<f32> {
        let pass = Pass { board, to_move: Some(self.color.other()), status, kind: Kind::Territorial };
        pass.compute(spreader, pass.field(), Vec::new()).territory
    }
}
