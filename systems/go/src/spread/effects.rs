//! The effects of patterns on an influence map: barriers, extra sources, intrusions and non-territory.
//!
//! # Source
//! GNU Go 3.8 manual, "Influence", section "Patterns used by the Influence module". The strengths and permeabilities
//! are measured against GNU Go 3.8's answers.

use super::field::{Field, TERRITORIAL_ATTENUATION};
use super::permeability::WEAK_POINT;
use crate::board::{Color, Vertex};
use std::sync::Arc;

/// Attenuation of an invasion source.
pub const INVASION_ATTENUATION: f32 = 1.5;
/// Attenuation of an enhancement source in escape influence.
pub const ENHANCEMENT_ATTENUATION: f32 = 3.0;
/// The intrusions that start from one stone have together this share of its strength.
pub const INTRUSION_SHARE: f32 = 0.6;

/// The mark of a vertex that can't be White's territory.
pub const NOT_WHITES: u8 = 1;
/// The mark of a vertex that can't be Black's territory.
pub const NOT_BLACKS: u8 = 2;

/// The mark of a vertex that can't be this colour's territory.
const fn not_territory_of(color: Color) -> u8 {
    match color {
        Color::White => NOT_WHITES,
        Color::Black => NOT_BLACKS,
    }
}

/// One effect of a pattern on a vertex, for a colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// The colour's influence does not get beyond the vertex.
    Barrier,
    /// The colour's influence gets through weakened.
    WeakPoint,
    /// An extra source.
    Source {
        /// Its strength.
        strength: f32,
        /// Its attenuation.
        attenuation: f32,
    },
    /// A place where a stone can intrude next.
    Intrusion {
        /// The stone it starts from.
        from: Vertex,
        /// The strength that the pattern gives, before it is scaled to the stone.
        strength: f32,
    },
    /// The colour gets no territory there.
    NonTerritory,
}

impl Effect {
    /// The name in records and in GTP.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::WeakPoint => "weak_point",
            Self::Source { .. } => "source",
            Self::Intrusion { .. } => "intrusion",
            Self::NonTerritory => "non_territory",
        }
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

/// Applies everything but intrusions, in the order given.
pub fn apply(causes: &[Cause], field: &mut Field, non_territory: &mut [u8]) {
    for &Cause { at, color, effect, .. } in causes {
        match effect {
            Effect::Barrier => field.permeability[color.index()][at.at()] = 0.0,
            Effect::WeakPoint => field.permeability[color.index()][at.at()] *= WEAK_POINT,
            Effect::Source { strength, attenuation } => field.add_source(color, at, strength, attenuation),
            Effect::NonTerritory => non_territory[at.at()] |= not_territory_of(color),
            Effect::Intrusion { .. } => {}
        }
    }
}

/// Adds the intrusions as sources. Intrusions from one stone share `share` of its strength. Of several at one vertex
/// from one stone the smallest counts, as in GNU Go.
pub fn apply_intrusions(causes: &[Cause], share: f32, field: &mut Field) {
    let mut list: Vec<(Vertex, Color, Vertex, f32)> = causes
        .iter()
        .filter_map(|cause| match cause.effect {
            Effect::Intrusion { from, strength } => Some((from, cause.color, cause.at, strength)),
            _ => None,
        })
        .collect();
    list.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(a.3.total_cmp(&b.3)));
    list.dedup_by_key(|(from, color, at, _)| (*from, *color, *at));
    let strengths = field.strength.clone();
    for group in list.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (from, color) = (group[0].0, group[0].1);
        let allowed = share * strengths[color.index()][from.at()];
        let sum: f32 = group.iter().map(|entry| entry.3).sum();
        let scale = if sum > allowed { allowed / sum } else { 1.0 };
        for &(_, _, at, strength) in group {
            field.add_source(color, at, strength * scale, TERRITORIAL_ATTENUATION);
        }
    }
}
