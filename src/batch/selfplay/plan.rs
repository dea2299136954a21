//! The plan of the games: their starting positions, players and seeds.

use super::file_name::file_name;
use super::live::{Live, Watched};
use super::start::Start;
use crate::scene::{Adjudication, Domain, Player, Sprt};
use std::sync::Arc;
use tengen_core::derive_seed;
use tengen_go::Level;
use tengen_go::judge::JudgeInForce;

/// The plan of the games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub domain: Domain,
    /// The starts of the games, in turn.
    pub starts: Vec<Start>,
    /// The players: one for all sides, or one for each side.
    pub players: Vec<Player>,
    /// The sides: `Black` and `White`, `White` and `Black`, or the roles.
    pub sides: Vec<String>,
    /// GDL-II: the side that is the role `random`. No player has it.
    pub chance: Option<usize>,
    /// The sequential test to report, if any.
    pub sprt: Option<Sprt>,
    /// When games of chess end before the rules end them; `None`: never.
    pub adjudication: Option<Adjudication>,
    /// The run's seed; that of game n derives from it.
    pub seed: u64,
    /// Go: the level of reading. Without it, the level of a player decides, if it has one.
    pub effort: Option<Level>,
    /// Go: who judges; `None` is the embedded judge.
    pub judge: Option<JudgeInForce>,
    /// The day that game records bear, as `2026.11.25`. The clock is not asked, so that a run's records are the same
    /// on any day.
    pub date: Option<String>,
    /// All game records go into one file instead of one each.
    pub one_file: bool,
    /// The folder in which running games are shown.
    pub live: Option<Arc<Live>>,
}

impl Plan {
    /// The number of successive games with the same opening and the players on other sides: a pair, with two players.
    #[must_use]
    pub fn cycle(&self) -> usize {
        if self.players.len() > 1 { self.seats().count() } else { 1 }
    }

    /// The sides that players have.
    pub fn seats(&self) -> impl Iterator<Item = usize> {
        (0..self.sides.len()).filter(|&side| self.chance != Some(side))
    }

    /// Whether two players play on two sides.
    #[must_use]
    pub fn is_duel(&self) -> bool {
        self.players.len() == 2 && self.seats().count() == 2
    }

    /// Which opening game `number` has, from 0: that of the games before and after it in its cycle.
    #[must_use]
    pub fn round(&self, number: u32) -> usize {
        (number as usize - 1) / self.cycle()
    }

    /// The start of game `number`, from 1.
    #[must_use]
    pub fn start(&self, number: u32) -> &Start {
        &self.starts[self.round(number) % self.starts.len()]
    }

    fn base_seed(&self, number: u32) -> u64 {
        self.start(number).seed.unwrap_or(self.seed)
    }

    /// The random seed of the opening moves of game `number`. It derives from the round and the start's own seed, or
    /// the run's seed if the start has none.
    #[must_use]
    pub fn opening_seed(&self, number: u32) -> u64 {
        derive_seed(self.base_seed(number), &[self.round(number) as u64 + 1])
    }

    /// The random seed of the players of game `number`; no two games share it.
    #[must_use]
    pub fn seed(&self, number: u32) -> u64 {
        derive_seed(self.base_seed(number), &[self.round(number) as u64 + 1, u64::from(number)])
    }

    /// Which player, by index, has `side` in game `number`; of `random`'s side that of the next one.
    #[must_use]
    pub fn player_of(&self, side: usize, number: u32) -> usize {
        let seat = side - usize::from(self.chance.is_some_and(|chance| chance < side));
        (seat + (number as usize - 1) % self.cycle()) % self.players.len()
    }

    /// The player of `side` in game `number`.
    #[must_use]
    pub fn player(&self, side: usize, number: u32) -> &Player {
        if self.chance == Some(side) {
            return &Player::Random;
        }
        &self.players[self.player_of(side, number)]
    }

    /// The command lines of the programs among the players.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.players.iter().filter_map(Player::command)
    }

    /// The name of the game with this number in its record.
    #[must_use]
    pub fn game_name(&self, number: u32) -> String {
        format!("{} {number}", self.start(number).event())
    }

    /// The extension of a game's record.
    #[must_use]
    pub const fn extension(&self) -> &'static str {
        match self.domain {
            Domain::Go => "sgf",
            Domain::Chess => "pgn",
            Domain::Gdl => "json",
        }
    }

    /// The game of this number as one that may be watched; `None` if the games are not shown.
    pub(super) fn watched(&self, number: u32) -> Option<Watched<'_>> {
        self.live.as_deref().map(|live| Watched::new(live, file_name(number, self.extension())))
    }
}
