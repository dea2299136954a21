//! The result of an influence pass: influence of both colours, territory values, and the effects of patterns.

use super::effects::Cause;
use super::field::{Field, PerColor};
use crate::board::{Board, Color};

/// One influence map: for one player to move, or for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceMap {
    /// The side that is assumed to move first everywhere; `None` for escape influence.
    pub to_move: Option<Color>,
    /// Sources, attenuation, permeability, blocking.
    pub field: Field,
    /// Padded stones of the position.
    pub stones: Vec<Option<Color>>,
    /// The influence of both colours, padded.
    pub influence: PerColor<Vec<f32>>,
    /// Territory values, padded, White positive.
    pub territory: Vec<f32>,
    /// Marks of non-territory, padded: 1 not White's, 2 not Black's, 3 nobody's.
    pub non_territory: Vec<u8>,
    /// The effects of patterns, with their names.
    pub causes: Vec<Cause>,
}

impl InfluenceMap {
    /// Whether it is of a board of this size. A map that nothing wrote is of none.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        self.stones.len() == board.padded_len()
    }
}
