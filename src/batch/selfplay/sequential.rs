//! Checks after each pair of games whether the sequential test is decided, in the order of the games. So the deciding
//! pair is the same at any number of threads.

use super::{Entry, Plan};
use crate::scene::Player;
use std::collections::{BTreeMap, HashSet};
use tengen_core::statistics::{Hypothesis, Pairs, Sprt};

/// A test under way.
#[derive(Clone, Debug)]
pub struct Sequential {
    test: Sprt,
    pairs: Pairs,
    /// The first game of the next pair to look at.
    next: u32,
    decided: Option<(u32, Hypothesis)>,
    /// The seen games, with the sides of the players. With deterministic players a repeated game gives no
    /// information.
    seen: HashSet<(u64, usize)>,
    repeats_count: bool,
}

impl Sequential {
    /// The plan's test, if it has one that can be made: between two players.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        let repeats_count = !plan.players.iter().all(Player::is_deterministic);
        let test = plan.sprt.filter(|_| plan.is_duel())?.test();
        Some(Self {
            test,
            pairs: Pairs::default(),
            next: 1,
            decided: None,
            seen: HashSet::new(),
            repeats_count,
        })
    }

    /// Looks at the pairs that are complete by now; `lost` are games that could not be played, and their pairs do not
    /// count. The last game that counts and the accepted hypothesis, once the test is decided.
    pub fn look(
        &mut self,
        plan: &Plan,
        entries: &BTreeMap<u32, Entry>,
        lost: &[u32],
    ) -> Option<(u32, Hypothesis)> {
        while self.decided.is_none() {
            let pair = [self.next, self.next + 1];
            if !pair.iter().any(|number| lost.contains(number)) {
                let games = [entries.get(&pair[0])?, entries.get(&pair[1])?];
                let key = |n: usize| (games[n].game, plan.player_of(0, pair[n]));
                // A pair of which one game is no news has no two halves.
                let news = [key(0), key(1)].map(|key| self.seen.insert(key));
                if news != [true; 2] && !self.repeats_count {
                    self.next += 2;
                    continue;
                }
                let share = |n: usize| first_share(plan, pair[n], games[n]);
                self.pairs.add((share(0) + share(1)) / 2.0);
                let ratio = self.pairs.log_likelihood_ratio(&self.test);
                self.decided = self.test.verdict(ratio).map(|hypothesis| (pair[1], hypothesis));
            }
            self.next += 2;
        }
        self.decided
    }
}

/// The first player's result of a game.
#[must_use]
pub fn first_share(plan: &Plan, number: u32, entry: &Entry) -> f64 {
    let side = plan.seats().find(|&side| plan.player_of(side, number) == 0).unwrap_or(0);
    entry.points.get(side).copied().unwrap_or(0.5)
}
