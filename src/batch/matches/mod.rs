//! Matches of rulesheets between players that speak GGP, under Tengen's own game manager.
//!
//! # Source
//! M. Genesereth and M. Thielscher, "General Game Playing", Morgan & Claypool, 2014: game management. The treatment of
//! bad players follows ggp-base's game manager. `docs/ggp.md` restates both.
//!
//! # Steps
//! 1. All players get `START` at the same time. The match begins when all have answered or the start clock has run out.
//! 2. For each step, all players get `PLAY` with the moves of the previous step at the same time.
//! 3. [`rules::settle`] turns each answer into a move. A legal move counts. An illegal, late or missing move is
//!    replaced by a random legal move, and the record notes the fault.
//! 4. At the end the players get `STOP`, or `ABORT` if the match is broken off.
//!
//! # Parts
//! | module | what |
//! | --- | --- |
//! | [`rules`] | the rules of a match, as pure functions |
//! | `manager` | one match: clocks, messages, answers |
//! | [`table`] | the table of many matches |
//! | [`folder`] | the records of a run, and how a run is resumed |
//!
//! # Invariants
//! No player can end a match or the run. If no player answers, the match is played to its end with random moves. With
//! the same random seed and the same answers, only the milliseconds of the record differ.

pub mod folder;
mod manager;
pub mod rules;
pub mod table;
#[cfg(test)]
mod tests;

use crate::client::ggp::Client;
use crate::client::ggp::program::{PORT, Program};
use crate::client::process::EngineError;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tengen_core::Stop;
use tengen_propnet::game::Game;

pub use manager::play;

/// The version of a record.
pub const SCHEMA: &str = "tengen.ggp-match/1";

/// The time in which a player that listens must answer `INFO` before the first match.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a player is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The manager makes random moves.
    Random,
    /// The manager makes the first legal move in the order of spelling.
    Legal,
    /// It listens at an address, `host:port`.
    Address(String),
    /// It is started by a command, and listens at the port that stands for `{port}`.
    Command(String),
}

/// A player of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its name in records and tables.
    pub name: String,
    /// How it is reached.
    pub way: Way,
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// A command that does not say where its port goes.
    #[error("the command `{0}` does not say where the port goes: write {PORT} in its place")]
    NoPort(String),
    /// An address without a port.
    #[error("`{0}` is no address: write host:port, as in ggp:127.0.0.1:9147")]
    NoAddress(String),
}

impl Player {
    /// The player of another program that a text names, if it names one: `ggp:host:port`, `host:port`, or a command
    /// with `{port}` in it.
    ///
    /// # Errors
    /// If the text names one, but wrongly.
    pub fn outside(text: &str) -> Result<Option<Self>, PlayerError> {
        let named = |way| Ok(Some(Self { name: text.to_owned(), way }));
        if text.contains(PORT) {
            return named(Way::Command(text.to_owned()));
        }
        if text.contains(char::is_whitespace) {
            return Err(PlayerError::NoPort(text.to_owned()));
        }
        let marked = text.strip_prefix("ggp:");
        let address = marked.unwrap_or(text);
        match address.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                named(Way::Address(address.to_owned()))
            }
            None if marked.is_none() => Ok(None),
            _ => Err(PlayerError::NoAddress(text.to_owned())),
        }
    }

    /// The names in a list: split at commas, except in quotes.
    #[must_use]
    pub fn names(list: &str) -> Vec<String> {
        let (mut names, mut name, mut quote) = (Vec::new(), String::new(), None);
        for c in list.chars() {
            match (c, quote) {
                (',', None) => names.push(std::mem::take(&mut name)),
                (c, Some(open)) if c == open => {
                    quote = None;
                    name.push(c);
                }
                ('"' | '\'', None) => {
                    quote = Some(c);
                    name.push(c);
                }
                (c, _) => name.push(c),
            }
        }
        names.push(name);
        names.into_iter().map(|name| name.trim().to_owned()).collect()
    }
}

/// The clocks of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocks {
    /// The time until a player must be ready.
    pub start: Duration,
    /// The time for a move.
    pub play: Duration,
    /// The time after a clock in which an answer still counts: the network's part.
    pub margin: Duration,
}

impl Clocks {
    /// A clock in whole seconds, as messages have it.
    fn seconds(clock: Duration) -> u64 {
        clock.as_secs() + u64::from(clock.subsec_nanos() > 0)
    }
}

/// A rulesheet, loaded.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Its file's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The game.
    pub game: Arc<Game>,
}

/// What all matches of a run have in common.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The players.
    pub players: Vec<Player>,
    /// The clocks.
    pub clocks: Clocks,
    /// The seed of match 0; the next match has the next seed.
    pub seed: u64,
    /// Whether the players change roles after every match.
    pub swap: bool,
    /// Whether the words of the games are scrambled.
    pub scramble: bool,
    /// The most steps of a match.
    pub most_steps: usize,
}

impl Plan {
    /// The seed of a match.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }

    /// Asks every player that listens, and starts every command once, before the first match.
    ///
    /// # Errors
    /// The first player that does not answer.
    pub fn try_players(&self, stop: &Stop) -> Result<(), EngineError> {
        for (n, player) in self.players.iter().enumerate() {
            if self.players[..n].iter().any(|other| other.way == player.way) {
                continue;
            }
            match &player.way {
                Way::Random | Way::Legal => {}
                Way::Address(address) => {
                    drop(Client::new(address, stop).ask("( INFO )", Instant::now() + PATIENCE)?);
                }
                Way::Command(command) => drop(Program::start(command, self.seed, stop)?),
            }
        }
        Ok(())
    }
}

/// A fault of a player, and what was done for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// The step, from 1; 0 is the start.
    pub step: usize,
    /// The role.
    pub role: String,
    /// `illegal`, `late` or `missing`; of the start `not ready`.
    pub fault: String,
    /// The answer, cut, or why there was none.
    pub answer: String,
    /// The random move that was made; none at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
}

/// The record of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// The rulesheet's file.
    pub rules: String,
    /// The number of the match of this rulesheet, from 0.
    pub number: u64,
    /// Its seed.
    pub seed: u64,
    /// Whether its words were scrambled.
    pub scrambled: bool,
    /// The clocks in milliseconds: start, play, margin.
    pub clocks: [u64; 3],
    /// The roles.
    pub roles: Vec<String>,
    /// For each role the number of its player among those of the run; none for a role that moves at random.
    pub seats: Vec<Option<usize>>,
    /// For each role the name of its player.
    pub players: Vec<String>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// What each role perceived of each; empty in a game without percepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sees: Vec<Vec<Vec<String>>>,
    /// The goals of each role; none if the rules give no number.
    pub goals: Vec<Option<i64>>,
    /// `terminal`, `stuck` (a role had no move) or `limit` (too long).
    pub end: String,
    /// The faults, in their order.
    pub faults: Vec<Noted>,
    /// For each role the longest time of an answer to `PLAY`, in milliseconds; none for a role without a player.
    pub slowest_ms: Vec<Option<u64>>,
}
