//! Counts a finished position by area: stones and surrounded points. No stone is removed as dead.
//!
//! # Source
//! Tromp and Taylor, "The logical rules of Go" (1995).
//!
//! # Cost
//! One flood fill over the board.

use super::{Board, Color};

impl Board {
    /// White's stones and the empty points that reach only White, less Black's; with this komi.
    #[must_use]
    pub fn area_lead(&self, komi: f32) -> f32 {
        let mut points =
            Color::BOTH.map(|c| self.vertices().filter(|&v| self.color_at(v) == Some(c)).count());
        let mut seen = vec![false; self.padded_len()];
        for v in self.vertices().filter(|&v| self.is_empty(v)) {
            if seen[v.at()] {
                continue;
            }
            match self.bordered_region(v, &mut seen, |n| self.color_at(n)) {
                (region, [true, false]) => points[0] += region.len(),
                (region, [false, true]) => points[1] += region.len(),
                _ => {}
            }
        }
        points[1] as f32 - points[0] as f32 + komi
    }
}
