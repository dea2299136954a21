//! The summary of self-play: wins, draws, scores, and their uncertainty.

use crate::batch::selfplay::sequential::first_share;
use crate::batch::selfplay::{End, Entry, Plan};
use crate::number_text::counted;
use crate::record::rounded;
use crate::scene::Player;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use tengen_core::statistics::{Estimate, Games, Hypothesis, Pairs, Sprt};

/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// Counts of a run's games.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    games: usize,
    sides: Vec<Score>,
    /// One a player; empty if there is but one.
    players: Vec<Score>,
    /// The results of the first of two players.
    versus: Versus,
    sprt: Option<Sprt>,
    /// Games that repeat an earlier one move for move.
    repeated: usize,
    /// Whether repeated games count; they do not with deterministic players.
    repeats_count: bool,
    adjudication: Option<String>,
    ends: BTreeMap<End, usize>,
    moves: usize,
    /// White's points less Black's, and the games that were counted.
    white_lead: (f64, usize),
    disputed: usize,
}

/// The result of the first of two players.
#[derive(Clone, Debug, Default, PartialEq)]
struct Versus {
    games: Games,
    /// Pairs of games from one opening with the sides exchanged.
    pairs: Pairs,
    /// The first game of a pair, while its partner is not there: its round and the share.
    half: Option<(usize, f64)>,
}

impl Versus {
    fn add(&mut self, round: usize, share: f64) {
        self.games.add(share);
        self.half = match self.half {
            Some((other, before)) if other == round => {
                self.pairs.add((before + share) / 2.0);
                None
            }
            _ => Some((round, share)),
        };
    }

    /// Elo by pairs where there are any.
    fn elo(&self) -> Estimate {
        if self.pairs.units() > 0 { self.pairs.elo() } else { self.games.elo() }
    }

    /// Games whose partner was not played, or does not count.
    fn alone(&self) -> u32 {
        self.games.units() - 2 * self.pairs.units()
    }
}

/// The results of a side or a player.
#[derive(Clone, Debug, PartialEq)]
struct Score {
    name: String,
    games: usize,
    wins: usize,
    points: f64,
    /// Games lost by a fault, by its kind.
    faults: BTreeMap<End, usize>,
}

impl Score {
    fn new(name: String) -> Self {
        Self { name, games: 0, wins: 0, points: 0.0, faults: BTreeMap::new() }
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
            "faults": counts(&self.faults),
            "share": rounded(share), "interval95": [rounded(low), rounded(high)],
        })
    }

    fn write(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let (share, (low, high)) = self.share();
        let [share, low, high] = [share, low, high].map(|x| 100.0 * x);
        writeln!(out, "{:width$} {:>6} {share:>7.1}%  {low:.1}% to {high:.1}%", self.name, self.wins)
    }
}

/// Counts by the names of ends.
fn counts(ends: &BTreeMap<End, usize>) -> Value {
    ends.iter().map(|(end, &n)| (end.name().to_owned(), n.into())).collect::<serde_json::Map<_, _>>().into()
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
            sides: plan.seats().map(|side| Score::new(plan.sides[side].clone())).collect(),
            players: players.iter().map(|p| Score::new(p.name())).collect(),
            versus: Versus::default(),
            sprt: plan.sprt.map(|s| s.test()),
            repeated: 0,
            repeats_count: !plan.players.iter().all(Player::is_deterministic),
            adjudication: plan.adjudication.map(|a| a.words()),
            ends: BTreeMap::new(),
            moves: 0,
            white_lead: (0.0, 0),
            disputed: 0,
        };
        let (mut games, mut seatings) = (HashSet::new(), HashSet::new());
        for (number, entry) in entries {
            let is_new = games.insert(entry.game);
            // With the players on other sides the same moves are news of another kind.
            let counts = seatings.insert((entry.game, plan.player_of(0, number))) || summary.repeats_count;
            summary.repeated += usize::from(!is_new);
            summary.add(plan, number, entry, counts);
        }
        summary
    }

    /// Adds a game. A game that does not count is only listed.
    fn add(&mut self, plan: &Plan, number: u32, entry: &Entry, counts: bool) {
        self.games += 1;
        *self.ends.entry(entry.end).or_default() += 1;
        self.moves += entry.moves;
        self.disputed += usize::from(entry.disputed);
        if let Some(lead) = entry.white_lead {
            self.white_lead.0 += f64::from(lead);
            self.white_lead.1 += 1;
        }
        if !counts {
            return;
        }
        for (score, side) in self.sides.iter_mut().zip(plan.seats()) {
            let Some(&points) = entry.points.get(side) else { continue };
            let fault = Some(entry.end).filter(|end| end.is_fault() && points == 0.0);
            score.add(points);
            fault.into_iter().for_each(|end| *score.faults.entry(end).or_default() += 1);
            if let Some(score) = self.players.get_mut(plan.player_of(side, number)) {
                score.add(points);
                fault.into_iter().for_each(|end| *score.faults.entry(end).or_default() += 1);
            }
        }
        if plan.is_duel() {
            self.versus.add(plan.round(number), first_share(plan, number, entry));
        }
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
        self.players.len() == 2 && self.versus.games.units() > 0
    }

    /// The summary as `summary.json` holds it.
    #[must_use]
    pub fn json(&self) -> Value {
        let scores = |scores: &[Score]| scores.iter().map(Score::json).collect::<Vec<_>>();
        let elo = self.is_match().then(|| {
            let Estimate { low, middle, high } = self.versus.elo();
            let [losses, draws, wins] = self.versus.games.0;
            json!({
                "wins": wins, "draws": draws, "losses": losses, "pairs": self.versus.pairs.0,
                "without_partner": self.versus.alone(),
                "elo": rounded(middle), "interval95": [rounded(low), rounded(high)],
            })
        });
        let sprt = self.sprt.filter(|_| self.is_match()).map(|test| {
            let ratio = self.versus.pairs.log_likelihood_ratio(&test);
            let (lower, upper) = test.bounds();
            let accepted = test.verdict(ratio).map(|h| if h == Hypothesis::H1 { "H1" } else { "H0" });
            json!({
                "low": test.low, "high": test.high, "alpha": test.alpha, "beta": test.beta,
                "log_likelihood_ratio": rounded(ratio), "bounds": [rounded(lower), rounded(upper)],
                "accepted": accepted,
            })
        });
        json!({
            "schema": "tengen.selfplay.summary/3",
            "games": self.games,
            "sides": scores(&self.sides),
            "players": scores(&self.players),
            "first_against_second": elo,
            "sprt": sprt,
            "repeated": self.repeated,
            "repeated_counted": self.repeats_count,
            "adjudication": self.adjudication,
            "ends": counts(&self.ends),
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
        format!("{}, {}", counted("game", self.games), sides.join(", "))
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
            let Estimate { low, middle, high } = self.versus.elo();
            let [losses, draws, wins] = self.versus.games.0;
            writeln!(
                out,
                "\n{} against {}: +{wins} ={draws} -{losses}, Elo {middle:+.0} (95 %: {low:+.0} to {high:+.0})",
                self.players[0].name, self.players[1].name
            )?;
            let pairs = self.versus.pairs.0.map(|n| n.to_string()).join(" ");
            writeln!(out, "pairs of games by the first one's points, 0 to 2: {pairs}")?;
            if self.versus.alone() > 0 && self.versus.pairs.units() > 0 {
                writeln!(out, "games without a partner, left out of Elo: {}", self.versus.alone())?;
            }
        }
        if let Some(test) = self.sprt.filter(|_| self.is_match()) {
            self.write_test(out, &test)?;
        }
        for score in self.players.iter().chain(self.sides.iter().filter(|_| self.players.is_empty())) {
            for (end, n) in &score.faults {
                writeln!(out, "{} lost by {}: {n}", score.name, end.name())?;
            }
        }
        if self.repeated > 0 {
            let counted =
                if self.repeats_count { "they count, since players draw" } else { "counted once each" };
            writeln!(out, "games that repeat an earlier one move for move: {}; {counted}", self.repeated)?;
        }
        let ends: Vec<String> = self.ends.iter().map(|(end, n)| format!("{n} by {}", end.name())).collect();
        write!(out, "\n{}, {:.1} moves in the mean; ", counted("game", self.games), self.mean_moves())?;
        if let Some(lead) = self.mean_white_lead() {
            write!(out, "{lead:+.2} points for White in the mean; ")?;
        }
        writeln!(out, "ended {}", ends.join(", "))?;
        if self.disputed > 0 {
            let games = counted("game", self.disputed);
            writeln!(out, "{games} whose winner the other program judges otherwise")?;
        }
        Ok(())
    }

    fn write_test(&self, out: &mut impl Write, test: &Sprt) -> io::Result<()> {
        let ratio = self.versus.pairs.log_likelihood_ratio(test);
        let (lower, upper) = test.bounds();
        let name = &self.players[0].name;
        let verdict = match test.verdict(ratio) {
            Some(Hypothesis::H1) => format!("H1 is accepted: {name} is at least {} Elo better", test.high),
            Some(Hypothesis::H0) => format!("H0 is accepted: {name} is at most {} Elo better", test.low),
            None => "not decided yet".into(),
        };
        writeln!(
            out,
            "SPRT {} to {} Elo: log-likelihood ratio {ratio:.2} ({lower:.2} to {upper:.2}), {verdict}",
            test.low, test.high
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
