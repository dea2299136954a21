//! One influence pass: it computes sources, effects of patterns, permeability, propagation and territory.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", section "Where influence gets used in the engine". The order of the whole
//! computation and the double blocks are measured against GNU Go 3.8's answers.
//!
//! # Steps
//! 1. Sources and permeabilities of the stones.
//! 2. The effects of patterns, except intrusions.
//! 3. Intrusions.
//! 4. Permeability is reduced beside safe stones. Then the vertices of sources are permeable again.
//! 5. Propagation.
//! 6. Territory.
//! 7. Double blocks of the side to move.
//! 8. Territory again.

use crate::board::{Board, Color, Vertex};
use crate::patterns::status::{ALIVE, CRITICAL, DEAD, UNKNOWN};
use crate::spread::effects::{self, INTRUSION_SHARE};
use crate::spread::field::{ESCAPE_DIAGONAL, Field};
use crate::spread::{Cause, InfluenceMap, Spreader, permeability};

/// Strength of a stone of which nothing bad is known.
pub const FULL_STRENGTH: f32 = 100.0;
/// Attenuation of a stone in escape influence.
pub const ESCAPE_ATTENUATION: f32 = 6.0;

/// The data of a pass about the stone on a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StoneStatus {
    /// It counts as alive: it blocks influence of both colours.
    pub safe: bool,
    /// Its strength as a source; without meaning if it is not safe.
    pub strength: f32,
}

/// A safe stone of full strength.
pub const LIVELY: StoneStatus = StoneStatus { safe: true, strength: FULL_STRENGTH };

/// The status of every stone before dragons are known, padded: lively stones are those that can't be captured, or that
/// `to_move` can save. `reading` says of a string, by one of its stones, whether it can be attacked and defended.
#[must_use]
pub fn lively(
    board: &Board,
    to_move: Option<Color>,
    mut reading: impl FnMut(Vertex) -> (bool, bool),
) -> Vec<StoneStatus> {
    let mut status = vec![StoneStatus::default(); board.padded_len()];
    for v in board.strings() {
        let (attacked, defended) = reading(v);
        if !attacked || (defended && board.color_at(v) == to_move) {
            for stone in board.stones(v) {
                status[stone.at()] = LIVELY;
            }
        }
    }
    status
}

/// The value of the patterns' `status(x)` for each padded vertex. A dragon without data counts as a living one.
#[must_use]
pub fn pattern_statuses(board: &Board, statuses: &[Vec<StoneStatus>; 2]) -> Vec<i32> {
    let mut known = vec![UNKNOWN; board.padded_len()];
    for v in board.vertices().filter(|&v| !board.is_empty(v)) {
        known[v.at()] = match [statuses[0][v.at()].safe, statuses[1][v.at()].safe] {
            [true, true] => ALIVE,
            [false, false] => DEAD,
            _ => CRITICAL,
        };
    }
    known
}

/// Step 1 for one vertex: a stone, or none, in a field without patterns.
pub(super) fn put_stone(field: &mut Field, v: Vertex, stone: Option<Color>, status: StoneStatus) {
    field.blocked[v.at()] = stone.is_some() && status.safe;
    for color in Color::BOTH {
        let c = color.index();
        let own = stone == Some(color);
        let closed = stone.is_some() && own != status.safe;
        field.permeability[c][v.at()] = if closed { 0.0 } else { 1.0 };
        field.strength[c][v.at()] = if own && status.safe { status.strength } else { 0.0 };
    }
}

/// The kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// For territory.
    Territorial,
    /// For escape routes and weakness.
    Escape,
}

/// The input of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'a> {
    /// The position.
    pub board: &'a Board,
    /// The side that moves first everywhere; `None` for escape influence.
    pub to_move: Option<Color>,
    /// The data about the stones, padded.
    pub status: &'a [StoneStatus],
    /// The kind of map.
    pub kind: Kind,
}

impl Pass<'_> {
    /// The padded stones.
    #[must_use]
    pub fn stones(&self) -> Vec<Option<Color>> {
        let mut stones = vec![None; self.board.padded_len()];
        for v in self.board.vertices() {
            stones[v.at()] = self.board.color_at(v);
        }
        stones
    }

    /// Step 1: the field that the stones alone make. Patterns look at its sources.
    #[must_use]
    pub fn field(&self) -> Field {
        let mut field = Field::new(self.board.size());
        let escape = self.kind == Kind::Escape;
        if escape {
            field.diagonal = ESCAPE_DIAGONAL;
        }
        for v in self.board.vertices() {
            let Some(color) = self.board.color_at(v) else { continue };
            let status = self.status[v.at()];
            put_stone(&mut field, v, Some(color), status);
            if escape && status.safe {
                field.attenuation[color.index()][v.at()] = ESCAPE_ATTENUATION;
            }
        }
        field
    }

    /// Computes the map from the field of [`Self::field`] and what patterns do to it.
    #[must_use]
    pub fn compute(&self, spreader: &mut Spreader, mut field: Field, causes: Vec<Cause>) -> InfluenceMap {
        let stones = self.stones();
        let mut non_territory = vec![0; self.board.padded_len()];
        effects::apply(&causes, &mut field, &mut non_territory); // step 2
        effects::apply_intrusions(&causes, INTRUSION_SHARE, &mut field); // step 3
        permeability::reduce_beside_stones(&mut field, &stones); // step 4
        permeability::open_sources(&mut field);
        let mut map = InfluenceMap {
            to_move: self.to_move,
            field,
            stones,
            non_territory,
            causes,
            ..InfluenceMap::default()
        };
        spreader.spread(&map.field, &mut map.influence); // step 5
        if self.kind == Kind::Escape {
            map.territory = vec![0.0; self.board.padded_len()];
            return map;
        }
        map.settle_territory(); // steps 6 to 8
        map
    }
}
