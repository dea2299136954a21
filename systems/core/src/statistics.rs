//! Statistics of a match: the difference in Elo with its interval, and a sequential test.
//!
//! # Source
//! - The generalised sequential probability ratio test on pairs of games, and the maximum likelihood of a distribution
//!   with a given mean: M. Van den Bergh, "A practical introduction to the GSPRT" (2020) and "Normal approximation of
//!   the GSPRT", notes on the testing of chess engines.
//! - The bounds: A. Wald, *Sequential Analysis* (1947).
//! - The interval: A. B. Owen, "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75
//!   (1988).
//! - Elo's logistic model.
//!
//! # Notation
//! A *unit* is a game or a *pair* of games. The games of a pair have the same opening, with the sides exchanged. An
//! *outcome* is the share of the unit's points that a player scores. The outcomes of a game are 0, 1/2 and 1. Those of
//! a pair are 0, 1/4, 1/2, 3/4 and 1 (the pentanomial model). The games of a pair depend on each other, but pairs do
//! not. So units are pairs wherever games come in pairs. `p` is the observed distribution, and `s` is a mean.
//!
//! # Steps
//! 1. Regularise: an outcome that was never seen counts as `UNSEEN` of a unit, so that no likelihood is zero.
//! 2. The most likely distribution with the mean s is p_i / (1 + t (a_i - s)), with t so that its mean is s.
//! 3. The log-likelihood ratio of two means is the number of units times the sum of p_i ln(p_i(s1) / p_i(s0)).
//! 4. The test ends when the ratio leaves the interval from ln(b / (1 - a)) to ln((1 - b) / a), for errors a and b.
//! 5. The 95 % interval holds every s whose likelihood is at least e^-1.92 times the greatest likelihood.
//!
//! # Departures
//! For Elo and its interval, half a unit is added, divided evenly between the best and the worst outcome. So a result
//! of 22 to 0 has a finite Elo and a finite interval. The test does not count it.
//!
//! # Cost
//! About ten thousand additions for each call. Nothing is stored between calls.

/// The weight of an outcome that was never seen, in units.
const UNSEEN: f64 = 1e-3;

/// The weight added to each of the best and the worst outcome, for Elo.
const PRIOR: f64 = 0.25;

/// Half the 95 % quantile of the chi-squared distribution with one degree of freedom.
const HALF_CHI: f64 = 1.920_729_410_347_062;

/// A sequential test of "at least `high` Elo better" (H1) against "at most `low`" (H0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The null hypothesis.
    pub low: f64,
    /// The alternative.
    pub high: f64,
    /// The probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 although H1 holds.
    pub beta: f64,
}

impl Sprt {
    /// The ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision for a ratio, if it gives one.
    #[must_use]
    pub fn verdict(&self, ratio: f64) -> Option<Hypothesis> {
        let (low, high) = self.bounds();
        match ratio {
            r if r >= high => Some(Hypothesis::H1),
            r if r <= low => Some(Hypothesis::H0),
            _ => None,
        }
    }
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    /// The first player is at most `low` Elo better.
    H0,
    /// The first player is at least `high` Elo better.
    H1,
}

/// Elo with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The lower end.
    pub low: f64,
    /// The most likely value.
    pub middle: f64,
    /// The upper end.
    pub high: f64,
}

/// The count of each outcome, from the worst for the first player to the best: 3 for games, 5 for pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally<const N: usize>(pub [u32; N]);

/// Pairs of games.
pub type Pairs = Tally<5>;

/// Single games.
pub type Games = Tally<3>;

impl<const N: usize> Default for Tally<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

/// The difference in strength for an expected share of the points.
#[must_use]
pub fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points for a difference in strength.
#[must_use]
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl<const N: usize> Tally<N> {
    /// Adds a unit in which the first player got this share of the points, rounded to the nearest outcome.
    pub fn add(&mut self, share: f64) {
        let most = N - 1;
        self.0[((share * most as f64).round().max(0.0) as usize).min(most)] += 1;
    }

    /// The number of units.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The observed counts with `prior` more of the best and the worst, and none of them zero.
    fn regularised(&self, prior: f64) -> Distribution<N> {
        let mut counts = self.0.map(f64::from);
        counts[0] += prior;
        counts[N - 1] += prior;
        counts.iter_mut().filter(|c| **c < UNSEEN).for_each(|c| *c = UNSEEN);
        let units: f64 = counts.iter().sum();
        Distribution { shares: counts.map(|c| c / units), units }
    }

    /// The difference in strength with its 95 % interval, always finite.
    #[must_use]
    pub fn elo(&self) -> Estimate {
        let seen = self.regularised(PRIOR);
        let mean = seen.mean();
        // Step 5: the likelihood falls on both sides of the mean.
        let within = |s: f64| seen.units * seen.fall(s) <= HALF_CHI;
        Estimate { low: elo(edge(mean, 0.0, within)), middle: elo(mean), high: elo(edge(mean, 1.0, within)) }
    }

    /// The log-likelihood ratio of H1 to H0.
    #[must_use]
    pub fn log_likelihood_ratio(&self, test: &Sprt) -> f64 {
        if self.units() == 0 {
            return 0.0;
        }
        let seen = self.regularised(0.0);
        let (zero, one) = (seen.with_mean(expected(test.low)), seen.with_mean(expected(test.high)));
        let parts = seen.shares.iter().zip(zero.iter().zip(&one));
        seen.units * parts.map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }
}

/// The last value from `inside` towards `outside` for which `within` holds.
fn edge(inside: f64, outside: f64, within: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (inside, outside);
    for _ in 0..100 {
        let middle = (inside + outside) / 2.0;
        if within(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}

/// A distribution over the outcomes, none of them impossible.
struct Distribution<const N: usize> {
    shares: [f64; N],
    units: f64,
}

impl<const N: usize> Distribution<N> {
    fn outcome(i: usize) -> f64 {
        i as f64 / (N - 1) as f64
    }

    fn mean(&self) -> f64 {
        self.shares.iter().enumerate().map(|(i, p)| p * Self::outcome(i)).sum()
    }

    /// Step 2. The mean of the distribution with t falls as t grows, between the poles at the two ends.
    fn with_mean(&self, s: f64) -> [f64; N] {
        let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
        let off = |t: f64| -> f64 {
            let parts = self.shares.iter().enumerate();
            parts.map(|(i, p)| p * (Self::outcome(i) - s) / (1.0 + t * (Self::outcome(i) - s))).sum()
        };
        for _ in 0..100 {
            let t = (low + high) / 2.0;
            if off(t) > 0.0 {
                low = t;
            } else {
                high = t;
            }
        }
        let t = (low + high) / 2.0;
        std::array::from_fn(|i| self.shares[i] / (1.0 + t * (Self::outcome(i) - s)))
    }

    /// The loss of log-likelihood of a unit from the best distribution to the best with this mean.
    fn fall(&self, s: f64) -> f64 {
        let constrained = self.with_mean(s);
        self.shares.iter().zip(constrained).map(|(p, q)| p * (p / q).ln()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt = Sprt { low: 0.0, high: 10.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn a_shut_out_has_a_finite_elo_and_a_finite_interval() {
        let (best, worst) = (Tally([0, 0, 0, 0, 11]).elo(), Tally([11, 0, 0, 0, 0]).elo());
        assert!(best.low > 100.0 && best.low < best.middle && best.middle < best.high, "{best:?}");
        assert!(best.high < 5000.0, "{best:?}");
        assert!((best.low + worst.high).abs() < 1e-6 && (best.high + worst.low).abs() < 1e-6, "{worst:?}");
        let none = Games::default().elo();
        assert!(none.middle.abs() < 1e-9 && none.low.is_finite() && none.high.is_finite(), "{none:?}");
    }

    #[test]
    fn many_games_have_the_interval_of_the_normal_distribution() {
        let tally = Tally([2000, 3000, 5000]);
        let Estimate { low, middle, high } = tally.elo();
        let share = 0.65_f64;
        let deviation =
            ((0.2 * share.powi(2) + 0.3 * 0.15_f64.powi(2) + 0.5 * 0.35_f64.powi(2)) / 1e4).sqrt();
        assert!((middle - elo(share)).abs() < 0.1, "{middle}");
        assert!((low - elo(share - 1.96 * deviation)).abs() < 0.1, "{low}");
        assert!((high - elo(share + 1.96 * deviation)).abs() < 0.1, "{high}");
    }

    #[test]
    fn the_ratio_is_that_of_the_normal_approximation_where_that_is_good() {
        // Of the source: N (s1 - s0) (2 s - s0 - s1) / (2 v), with v the variance of a unit's share.
        let tally = Tally([100, 800, 2000, 900, 130]);
        let seen = tally.regularised(0.0);
        let (mean, s0, s1) = (seen.mean(), expected(TEST.low), expected(TEST.high));
        let variance: f64 =
            seen.shares.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
        let approximation = seen.units * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = tally.log_likelihood_ratio(&TEST);
        assert!(
            (ratio - approximation).abs() < 0.02 * approximation.abs().max(1.0),
            "{ratio} {approximation}"
        );
    }

    #[test]
    fn a_test_decides_for_one_hypothesis_or_the_other_or_waits() {
        let wide = Sprt { high: 50.0, ..TEST };
        for (counts, wanted) in [
            ([0, 0, 0, 0, 0], None),
            ([1, 0, 0, 0, 0], None),
            ([0, 0, 0, 0, 23], Some(Hypothesis::H1)),
            ([22, 0, 0, 0, 0], Some(Hypothesis::H0)),
            ([5, 10, 20, 10, 5], None),
            ([10, 40, 400, 40, 10], Some(Hypothesis::H0)),
        ] {
            let ratio = Tally(counts).log_likelihood_ratio(&wide);
            assert!(ratio.is_finite());
            assert_eq!(wide.verdict(ratio), wanted, "{counts:?}: {ratio}");
        }
    }

    #[test]
    fn pairs_that_are_always_even_say_more_than_their_games_alone() {
        // 100 pairs of a win each: the games vary, the pairs do not.
        let games = Tally([100, 0, 100]).elo();
        let pairs = Tally([0, 0, 100, 0, 0]).elo();
        assert!(pairs.high - pairs.low < (games.high - games.low) / 3.0, "{games:?} {pairs:?}");
    }

    /// The errors of the test are about those requested, over 500 matches of equal players and 500 of players who differ
    /// as H1 says.
    #[test]
    fn the_errors_of_the_test_are_about_what_was_asked_for() {
        let test = Sprt { low: 0.0, high: 60.0, alpha: 0.05, beta: 0.05 };
        for (strength, wrong) in [(0.0, Hypothesis::H1), (60.0, Hypothesis::H0)] {
            let mut random = crate::SplitMix64::new(1);
            let mut errors = 0;
            for _ in 0..500 {
                let mut tally = Pairs::default();
                let verdict = loop {
                    let mut won = || f64::from(random.below(1_000_000)) < 1e6 * expected(strength);
                    tally.add((f64::from(u8::from(won())) + f64::from(u8::from(won()))) / 2.0);
                    if let Some(verdict) = test.verdict(tally.log_likelihood_ratio(&test)) {
                        break verdict;
                    }
                };
                errors += u32::from(verdict == wrong);
            }
            assert!(errors <= 40, "{errors} of 500 at {strength}");
        }
    }
}
