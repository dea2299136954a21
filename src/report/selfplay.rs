//! The summary of self-play: wins, draws, scores, and how sure they are.

use crate::batch::record::rounded;
use crate::batch::selfplay::{End, Entry, Plan};
use crate::scene::Player;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use tengen_chess::selfplay::{Sprt, Tally};

/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// Counts of a run's games.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    games: usize,
    sides: Vec<Score>,
    /// One a player; empty if there is but one.
    players: Vec<Score>,
    /// Games won and lost by the first player, and drawn, of two.
    tally: Tally,
    sprt: Option<Sprt>,
    ends: BTreeMap<End, usize>,
    moves: usize,
    /// White's points less Black's, and the games that were counted.
    white_lead: (f64, usize),
    disputed: usize,
}

/// What a side or a player got.
#[derive(Clone, Debug, PartialEq)]
struct Score {
    name: String,
    games: usize,
    wins: usize,
    points: f64,
}

impl Score {
    fn new(name: String) -> Self {
        Self { name, games: 0, wins: 0, points: 0.0 }
    }

    fn add(&mut self, points: f64) {
        self.games += 1;
        self.wins += usize::from(points >= 1.0);
        self.points += points;
    }

    /// Its share of the points, with the interval.
    fn share(&self) -> (f64, (f64, f64)) {
        (self.points / self.games.max(1) as f64, wilson(self.points, self.games))
    }

    fn json(&self) -> Value {
        let (share, (low, high)) = self.share();
        json!({
            "name": self.name, "games": self.games, "wins": self.wins,
            "share": rounded(share), "interval95": [rounded(low), rounded(high)],
        })
    }

    fn write(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let (share, (low, high)) = self.share();
        let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
        writeln!(out, "{:width$} {:>6} {share:>7.1}%  {low:.1}% to {high:.1}%", self.name, self.wins)
    }
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
    /// The counts of these games, by number, summed in their order.
    pub fn of<'a>(plan: &Plan, entries: impl IntoIterator<Item = (u32, &'a Entry)>) -> Self {
        let players: &[Player] = if plan.players.len() > 1 { &plan.players } else { &[] };
        let mut summary = Self {
            games: 0,
            sides: plan.sides.iter().cloned().map(Score::new).collect(),
            players: players.iter().map(|p| Score::new(p.name())).collect(),
            tally: Tally::default(),
            sprt: plan.sprt.map(|s| Sprt { low: s.low, high: s.high }),
            ends: BTreeMap::new(),
            moves: 0,
            white_lead: (0.0, 0),
            disputed: 0,
        };
        for (number, entry) in entries {
            summary.add(plan, number, entry);
        }
        summary
    }

    fn add(&mut self, plan: &Plan, number: u32, entry: &Entry) {
        self.games += 1;
        for (side, (score, &points)) in self.sides.iter_mut().zip(&entry.points).enumerate() {
            score.add(points);
            let player = plan.player_of(side, number);
            if let Some(score) = self.players.get_mut(player) {
                score.add(points);
                if player == 0 && plan.sides.len() == 2 {
                    self.tally.add(points);
                }
            }
        }
        *self.ends.entry(entry.end).or_default() += 1;
        self.moves += entry.moves;
        if let Some(lead) = entry.white_lead {
            self.white_lead.0 += f64::from(lead);
            self.white_lead.1 += 1;
        }
        self.disputed += usize::from(entry.disputed);
    }

    /// The sides with their mean points, 1 for a win.
    pub fn sides(&self) -> impl ExactSizeIterator<Item = (&str, f64)> {
        self.sides.iter().map(|side| (side.name.as_str(), side.share().0))
    }

    fn mean_moves(&self) -> f64 {
        self.moves as f64 / self.games.max(1) as f64
    }

    fn mean_white_lead(&self) -> Option<f64> {
        (self.white_lead.1 > 0).then(|| self.white_lead.0 / self.white_lead.1 as f64)
    }

    /// Whether two players played each other.
    fn is_match(&self) -> bool {
        self.players.len() == 2 && self.tally.games() > 0
    }

    /// The summary as `summary.json` holds it.
    #[must_use]
    pub fn json(&self) -> Value {
        let scores = |scores: &[Score]| scores.iter().map(Score::json).collect::<Vec<_>>();
        let ends: serde_json::Map<String, Value> =
            self.ends.iter().map(|(end, &n)| (end.name().to_owned(), n.into())).collect();
        let elo = self.is_match().then(|| {
            let (low, middle, high) = self.tally.elo();
            json!({
                "wins": self.tally.wins, "draws": self.tally.draws, "losses": self.tally.losses,
                "elo": rounded(middle), "interval95": [rounded(low), rounded(high)],
            })
        });
        let sprt = self.sprt.filter(|_| self.is_match()).map(|test| {
            json!({
                "low": test.low, "high": test.high,
                "log_likelihood_ratio": rounded(self.tally.log_likelihood_ratio(test)),
                "accepted": self.tally.decide(test),
            })
        });
        json!({
            "schema": "tengen.selfplay.summary/2",
            "games": self.games,
            "sides": scores(&self.sides),
            "players": scores(&self.players),
            "first_against_second": elo,
            "sprt": sprt,
            "ends": ends,
            "mean_moves": rounded(self.mean_moves()),
            "mean_white_lead": self.mean_white_lead().map(rounded),
            "disputed": self.disputed,
        })
    }

    /// A few words for a table.
    #[must_use]
    pub fn words(&self) -> String {
        let sides: Vec<String> =
            self.sides().map(|(name, mean)| format!("{name} {:.0} %", 100.0 * mean)).collect();
        format!("{} games, {}", self.games, sides.join(", "))
    }

    /// Writes the table.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let scores = || self.sides.iter().chain(&self.players);
        let width = scores().map(|s| s.name.chars().count()).max().unwrap_or(0);
        writeln!(out, "{:width$} {:>6} {:>8}  95 % interval (Wilson)", "", "wins", "share")?;
        scores().try_for_each(|score| score.write(out, width))?;
        if self.is_match() {
            let (low, middle, high) = self.tally.elo();
            let Tally { wins, draws, losses } = self.tally;
            writeln!(
                out,
                "\n{} against {}: +{wins} ={draws} -{losses}, Elo {middle:+.0} (95 %: {low:+.0} to {high:+.0})",
                self.players[0].name, self.players[1].name
            )?;
        }
        if let Some(test) = self.sprt.filter(|_| self.is_match()) {
            let verdict = match self.tally.decide(test) {
                Some(true) => "accepted",
                Some(false) => "rejected",
                None => "not decided yet",
            };
            let ratio = self.tally.log_likelihood_ratio(test);
            writeln!(out, "SPRT {} to {} Elo: ratio {ratio:.2}, {verdict}", test.low, test.high)?;
        }
        let ends: Vec<String> = self.ends.iter().map(|(end, n)| format!("{n} by {}", end.name())).collect();
        write!(out, "\n{} games, {:.1} moves in the mean; ", self.games, self.mean_moves())?;
        if let Some(lead) = self.mean_white_lead() {
            write!(out, "{lead:+.2} points for White in the mean; ")?;
        }
        writeln!(out, "ended {}", ends.join(", "))?;
        if self.disputed > 0 {
            writeln!(out, "{} games whose winner the other program judges otherwise", self.disputed)?;
        }
        Ok(())
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
