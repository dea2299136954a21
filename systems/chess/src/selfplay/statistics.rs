//! Match results as Elo with an interval, and a sequential test.
//!
//! # Source
//! Elo's logistic model; Wald, *Sequential Analysis* (1947), with the normal approximation of the log-likelihood ratio
//! on game scores (as in the generalised SPRT used by engine testers).

use serde::{Deserialize, Serialize};

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Won by the first player.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// A sequential test of "at least `high` Elo better" against "at most `low`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The null hypothesis.
    pub low: f64,
    /// The alternative.
    pub high: f64,
}

/// Elo of an expected score.
#[must_use]
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (score / (1.0 - score)).log10()
}

fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Tally {
    /// Games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Adds a result of the first player: 1, 0.5 or 0.
    pub fn add(&mut self, score: f64) {
        if score > 0.75 {
            self.wins += 1;
        } else if score < 0.25 {
            self.losses += 1;
        } else {
            self.draws += 1;
        }
    }

    /// Share of the points.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games())
    }

    fn variance(&self) -> f64 {
        let (n, mean) = (f64::from(self.games().max(1)), self.score());
        let part = |count: u32, value: f64| f64::from(count) / n * (value - mean).powi(2);
        part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0)
    }

    /// Elo difference with the ends of its 95 % interval: (low, middle, high).
    #[must_use]
    pub fn elo(&self) -> (f64, f64, f64) {
        let margin = 1.96 * (self.variance() / f64::from(self.games().max(1))).sqrt();
        (elo(self.score() - margin), elo(self.score()), elo(self.score() + margin))
    }

    /// The log-likelihood ratio of the two hypotheses.
    #[must_use]
    pub fn log_likelihood_ratio(&self, test: Sprt) -> f64 {
        let variance = self.variance();
        if variance <= 0.0 {
            return 0.0;
        }
        let (low, high) = (expected(test.low), expected(test.high));
        f64::from(self.games()) * (high - low) * (2.0 * self.score() - low - high) / (2.0 * variance)
    }

    /// `Some(true)` if the test accepts the alternative, `Some(false)` if it rejects it (5 % errors), else go on.
    #[must_use]
    pub fn decide(&self, test: Sprt) -> Option<bool> {
        let bound = (0.95_f64 / 0.05).ln();
        let ratio = self.log_likelihood_ratio(test);
        if ratio >= bound {
            Some(true)
        } else if ratio <= -bound {
            Some(false)
        } else {
            None
        }
    }
}
