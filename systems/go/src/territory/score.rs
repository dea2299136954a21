//! The score as territory has it.

use crate::board::{Board, Color};
use crate::influence::InfluenceMap;
use crate::influence::field::vertices;

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

/// White's lead by one map: territory with dead stones on it, prisoners, komi.
#[must_use]
pub fn white_lead(board: &Board, map: &InfluenceMap, komi: f32) -> f32 {
    let territory: f32 = vertices(map.field.size).map(|v| map.territory[v.at()]).sum();
    let prisoners = f64::from(board.captured(Color::White)) - f64::from(board.captured(Color::Black));
    territory + prisoners as f32 + komi
}

/// The estimate from the maps with Black and with White to move.
#[must_use]
pub fn estimate(board: &Board, maps: &[InfluenceMap; 2], komi: f32) -> Estimate {
    let [lower, upper] = Color::BOTH.map(|c| white_lead(board, &maps[c.index()], komi));
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
