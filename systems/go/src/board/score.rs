//! Counting a finished position: area (stones and surrounded points) and territory (surrounded points and prisoners).
//!
//! # Source
//! Tromp and Taylor, "The logical rules of Go" (1995), for area; the Japanese rules of 1949 for territory, with the
//! dead stones named by the caller and seki not looked for.
//!
//! # Cost
//! One flood fill over the board.

use super::{Board, Color, Vertex};

/// Points by colour under area scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AreaScore {
    /// Stones on the board and empty points that reach only this colour; indexed by [`Color::index`].
    pub points: [u32; 2],
    /// Empty points that reach both colours or none.
    pub neutral: u32,
}

/// Points by colour under territory scoring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TerritoryScore {
    /// Surrounded points, two for each dead enemy stone among them; indexed by [`Color::index`].
    pub territory: [u32; 2],
    /// Stones taken in play.
    pub prisoners: [u32; 2],
    /// Points of nobody.
    pub neutral: u32,
}

impl AreaScore {
    /// White's points less Black's, with this komi.
    #[must_use]
    pub fn white_lead(&self, komi: f32) -> f32 {
        self.points[1] as f32 - self.points[0] as f32 + komi
    }
}

impl TerritoryScore {
    /// White's points less Black's, with this komi.
    #[must_use]
    pub fn white_lead(&self, komi: f32) -> f32 {
        let total = |c: usize| (self.territory[c] + self.prisoners[c]) as f32;
        total(1) - total(0) + komi
    }
}

impl Board {
    /// Area score; `dead(v)` tells stones that are to be taken off first.
    pub fn area_score(&self, dead: impl Fn(Vertex) -> bool) -> AreaScore {
        let mut score = AreaScore::default();
        for (owner, region) in self.regions(&dead) {
            match owner {
                Some(color) => score.points[color.index()] += region.len() as u32,
                None => score.neutral += region.len() as u32,
            }
        }
        for v in self.vertices().filter(|&v| !dead(v)) {
            if let Some(color) = self.color_at(v) {
                score.points[color.index()] += 1;
            }
        }
        score
    }

    /// Territory score; `dead(v)` tells dead stones, which count as empty and as prisoners.
    pub fn territory_score(&self, dead: impl Fn(Vertex) -> bool) -> TerritoryScore {
        let mut score = TerritoryScore { prisoners: self.captured, ..TerritoryScore::default() };
        for (owner, region) in self.regions(&dead) {
            match owner {
                Some(color) => {
                    let foes = region.iter().filter(|&&v| self.color_at(v) == Some(color.other())).count();
                    score.territory[color.index()] += (region.len() + foes) as u32;
                }
                None => score.neutral += region.len() as u32,
            }
        }
        score
    }

    /// Maximal regions of empty points and dead stones, each with the one colour around it, if it is one.
    fn regions(&self, dead: &impl Fn(Vertex) -> bool) -> Vec<(Option<Color>, Vec<Vertex>)> {
        let bare = |v: Vertex| self.is_empty(v) || (self.color_at(v).is_some() && dead(v));
        let mut seen = vec![false; self.padded_len()];
        let mut regions = Vec::new();
        for start in self.vertices() {
            if seen[start.at()] || !bare(start) {
                continue;
            }
            seen[start.at()] = true;
            let mut region = vec![start];
            let mut borders = [false; 2];
            let mut next = 0;
            while let Some(&v) = region.get(next) {
                next += 1;
                for n in self.neighbors4(v) {
                    if !bare(n) {
                        borders[self.cells[n.at()] as usize] = true;
                    } else if !seen[n.at()] {
                        seen[n.at()] = true;
                        region.push(n);
                    }
                }
            }
            let owner = match borders {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            };
            regions.push((owner, region));
        }
        regions
    }
}
