//! The summary of self-play: wins, draws, scores, and how sure they are.

use crate::batch::record::rounded;
use crate::batch::selfplay::{End, Entry};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// Counts of a run's games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Games that were won by Black, and by White.
    pub wins: [usize; 2],
    /// Games without a winner.
    pub draws: usize,
    /// Games that ended because they had as many moves as a game may have.
    pub at_limit: usize,
    /// Moves of all games.
    pub moves: usize,
    /// White's points less Black's, over all games.
    pub white_lead: f64,
}

/// Wilson's 95 % interval of a share: `successes` of `n`, halves allowed.
///
/// # Source
/// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
#[must_use]
pub fn wilson(successes: f64, n: usize) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let n = n as f64;
    let share = successes / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

impl Summary {
    /// The counts of these games, summed in their order.
    pub fn of<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut summary = Self::default();
        for entry in entries {
            match entry.white_lead {
                lead if lead > 0.0 => summary.wins[1] += 1,
                lead if lead < 0.0 => summary.wins[0] += 1,
                _ => summary.draws += 1,
            }
            summary.at_limit += usize::from(entry.end == End::Limit);
            summary.moves += entry.moves;
            summary.white_lead += f64::from(entry.white_lead);
        }
        summary
    }

    /// Games.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// The mean over the games; 0 without games.
    fn mean(&self, total: f64) -> f64 {
        total / self.games().max(1) as f64
    }

    /// The share of a colour (0 Black's, 1 White's), a draw being half a win, with its interval.
    #[must_use]
    pub fn share(&self, color: usize) -> (f64, (f64, f64)) {
        let won = self.wins[color] as f64 + self.draws as f64 / 2.0;
        (self.mean(won), wilson(won, self.games()))
    }

    /// The summary as `summary.json` holds it.
    #[must_use]
    pub fn json(&self) -> Value {
        let side = |color: usize| {
            let (share, (low, high)) = self.share(color);
            json!({
                "wins": self.wins[color],
                "share": rounded(share),
                "interval95": [rounded(low), rounded(high)],
            })
        };
        json!({
            "schema": "tengen.selfplay.summary/1",
            "games": self.games(),
            "black": side(0),
            "white": side(1),
            "draws": self.draws,
            "ended_at_limit": self.at_limit,
            "mean_moves": rounded(self.mean(self.moves as f64)),
            "mean_white_lead": rounded(self.mean(self.white_lead)),
        })
    }

    /// Writes the table.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{:6} {:>6} {:>8}  95 % interval (Wilson)", "", "wins", "share")?;
        for (color, name) in ["Black", "White"].into_iter().enumerate() {
            let (share, (low, high)) = self.share(color);
            let percent = |x: f64| 100.0 * x;
            let (share, low, high) = (percent(share), percent(low), percent(high));
            writeln!(out, "{name:6} {:>6} {share:>7.1}%  {low:.1}% to {high:.1}%", self.wins[color])?;
        }
        writeln!(out, "draws  {:>6}", self.draws)?;
        writeln!(
            out,
            "\n{} games, {:.1} moves and {:+.2} points for White in the mean; {} ended at the move limit",
            self.games(),
            self.mean(self.moves as f64),
            self.mean(self.white_lead),
            self.at_limit
        )
    }
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn wilson_gives_the_interval_of_the_tables() {
        // Of the formula, by hand: no success in 10 is z2 / (n + z2) at most.
        for (successes, n, low, high) in
            [(0.0, 10, 0.0, 0.2775), (10.0, 10, 0.7225, 1.0), (50.0, 100, 0.4038, 0.5962)]
        {
            let (found_low, found_high) = wilson(successes, n);
            assert!((found_low - low).abs() < 1e-4 && (found_high - high).abs() < 1e-4, "{successes} of {n}");
        }
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }
}
