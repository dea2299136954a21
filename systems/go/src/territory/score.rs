//! The estimate of the score from territory, and the counting rules.

use crate::board::{Board, Color, Vertex};
use crate::spread::InfluenceMap;

/// An estimate of the score, White positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Half way between the bounds.
    pub score: f32,
    /// If White moves first everywhere.
    pub upper: f32,
    /// If Black moves first everywhere.
    pub lower: f32,
}

/// The counting rules of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scoring {
    /// Surrounded points and prisoners (Japanese).
    #[default]
    Territory,
    /// Surrounded points and stones (Chinese).
    Area,
}

impl Scoring {
    /// The name as SGF and controllers spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Territory => "Japanese",
            Self::Area => "Chinese",
        }
    }

    /// The scoring of rules of this (lower case) name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "japanese" | "korean" => Some(Self::Territory),
            "chinese" | "aga" | "new_zealand" | "tromp-taylor" => Some(Self::Area),
            _ => None,
        }
    }
}

/// White's lead by one map: territory with dead stones on it and prisoners, or territory and living stones; komi.
#[must_use]
pub fn white_lead(board: &Board, map: &InfluenceMap, komi: f32, scoring: Scoring) -> f32 {
    let prisoners = f64::from(board.captured(Color::White)) - f64::from(board.captured(Color::Black));
    let points: f32 = match scoring {
        Scoring::Territory => board.vertices().map(|v| map.territory[v.at()]).sum::<f32>() + prisoners as f32,
        Scoring::Area => board.vertices().map(|v| area_value(board, map, v)).sum(),
    };
    points + komi
}

/// A vertex as area counts it: a living stone is its owner's, a dead one is no prisoner besides.
fn area_value(board: &Board, map: &InfluenceMap, v: Vertex) -> f32 {
    match board.color_at(v) {
        Some(Color::White) if map.field.blocked[v.at()] => 1.0,
        Some(Color::Black) if map.field.blocked[v.at()] => -1.0,
        _ => map.territory[v.at()].clamp(-1.0, 1.0),
    }
}

/// The estimate from the maps with Black and with White to move.
#[must_use]
pub fn estimate(board: &Board, maps: &[InfluenceMap; 2], komi: f32, scoring: Scoring) -> Estimate {
    let [lower, upper] = Color::BOTH.map(|c| white_lead(board, &maps[c.index()], komi, scoring));
    Estimate { score: f32::midpoint(upper, lower), upper, lower }
}

impl std::fmt::Display for Estimate {
    /// `W+3.3 (upper bound: 3.3, lower: 3.3)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let winner = if self.score > 0.0 { 'W' } else { 'B' };
        write!(
            f,
            "{winner}+{:.1} (upper bound: {:.1}, lower: {:.1})",
            self.score.abs(),
            self.upper,
            self.lower
        )
    }
}
