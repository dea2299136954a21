//! The result of an influence pass: influence of both colours, territory values, and the effects of patterns.

use super::effects::Effect;
use super::field::{Field, PerColor};
use crate::board::{Board, Color, Vertex};
use std::sync::Arc;

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

/// Which pattern did what.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The pattern's name.
    pub pattern: Arc<str>,
    /// Its class that has the effect: A, D, B, t, I or E.
    pub class: char,
    /// Where.
    pub at: Vertex,
    /// The colour whose influence or territory it affects. For a source or an intrusion, its colour.
    pub color: Color,
    /// The effect.
    pub effect: Effect,
}

impl Cause {
    /// The cause in words: the pattern, its effect, the vertex, the colour, the strength.
    #[must_use]
    pub fn text(&self, size: usize) -> String {
        let more = match self.effect {
            Effect::Source { strength, .. } => format!(" {strength}"),
            Effect::Intrusion { from, strength } => format!(" {strength} from {}", from.to_gtp(size)),
            Effect::Barrier | Effect::WeakPoint | Effect::NonTerritory => String::new(),
        };
        let (what, at) = (self.effect.name(), self.at.to_gtp(size));
        format!("{} {what} {at} {}{more}", self.pattern, self.color)
    }
}
