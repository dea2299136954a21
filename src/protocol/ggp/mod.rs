//! The General Game Playing protocol: a player that a game manager drives over HTTP.
//!
//! # Source
//! The GGP communication protocol, in the form that ggp-base's game manager uses (`docs/ggp.md` restates it). Each
//! connection carries one request and one reply, and is then closed.
//!
//! # Parts
//! - [`http`]: reads a request with limits on size and time, and writes the reply;
//! - [`access`]: refuses requests from foreign pages in a browser;
//! - [`message`]: `INFO`, `PREVIEW`, `START`, `PLAY`, `STOP`, `ABORT` and their arguments;
//! - [`spelling`](crate::client::spelling): answers repeat the spelling that the manager sent;
//! - [`session`]: the current match, on a separate thread, with an answer ready at every deadline;
//! - [`server`]: accepts connections and passes them on;
//! - [`thinking`]: how Tengen's own players think in a match;
//! - [`players`]: the players of `tengen-propnet` behind [`Player`];
//! - [`hidden`]: a player for games of hidden information.
//!
//! # Invariants
//! A bad request never ends the server or the match. There is one match at a time. All other managers get the answer
//! `busy`. A reply is sent before its clock runs out even if the player is still thinking. `STOP` and `ABORT` free the
//! player at once. If a player panics, a player of legal moves replaces it.

pub mod access;
pub mod hidden;
pub mod http;
pub mod message;
pub mod players;
pub mod server;
pub mod session;
#[cfg(test)]
mod tests;
pub mod thinking;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tengen_core::Stop;

/// The data of a match that a player needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchStart {
    /// The role to play, in lower case.
    pub role: String,
    /// The rulesheet, as text, in lower case.
    pub rules: String,
    /// The time for each move.
    pub play_clock: Duration,
}

/// A manager's account of the previous step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// Nothing: this is the first turn of a game in which all players receive all moves.
    Begin,
    /// The moves of all roles.
    Joint(Vec<String>),
    /// GDL-II: what one role knows.
    Own {
        /// The turn, from 0.
        turn: u64,
        /// The move that was made for the role; `None` at the first turn.
        own: Option<String>,
        /// The percepts of the role.
        percepts: Vec<String>,
    },
}

impl Made {
    /// Whether no move was made yet.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        matches!(self, Self::Begin | Self::Own { own: None, .. })
    }

    /// The same with all words in lower case.
    #[must_use]
    pub fn lower(self) -> Self {
        let lower = |texts: Vec<String>| texts.into_iter().map(|t| t.to_ascii_lowercase()).collect();
        match self {
            Self::Begin => Self::Begin,
            Self::Joint(moves) => Self::Joint(lower(moves)),
            Self::Own { turn, own, percepts } => {
                Self::Own { turn, own: own.map(|m| m.to_ascii_lowercase()), percepts: lower(percepts) }
            }
        }
    }
}

/// A move to send when the clock runs out before the player has answered: kept up to date by the player.
#[derive(Clone, Debug, Default)]
pub struct Fallback(Arc<Mutex<Option<String>>>);

impl Fallback {
    /// Sets the move (a legal move of the current state, best known first), or forgets it.
    pub fn set(&self, text: Option<String>) {
        // A poisoned lock still holds a whole value: the only write is this assignment.
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = text;
    }

    /// The move, if there is one.
    #[must_use]
    pub fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

/// The end of a player's thinking: a moment, or the end of its match, whichever comes first.
#[derive(Clone, Debug)]
pub struct Time {
    until: Instant,
    ended: Arc<AtomicBool>,
}

impl Time {
    /// Until this moment, or until the flag is set.
    #[must_use]
    pub const fn new(until: Instant, ended: Arc<AtomicBool>) -> Self {
        Self { until, ended }
    }

    /// The moment.
    #[must_use]
    pub const fn until(&self) -> Instant {
        self.until
    }

    /// Whether it is up.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    /// A slightly earlier deadline: a tenth of the time left, half a second at most, is reserved.
    #[must_use]
    pub fn with_margin(&self) -> Self {
        let left = self.until.saturating_duration_since(Instant::now());
        let until = self.until.checked_sub((left / 10).min(Duration::from_millis(500))).unwrap_or(self.until);
        Self { until, ended: Arc::clone(&self.ended) }
    }

    /// The question that long work asks.
    #[must_use]
    pub fn stop(&self) -> Stop {
        let time = self.clone();
        Stop::when(move || time.is_up())
    }
}

/// Plays one match. Runs on the match's own thread.
pub trait Player {
    /// Uses the start clock, for `time` at the most.
    ///
    /// # Errors
    /// The reason why it cannot play this game. The match goes on with moves from the fallback.
    fn prepare(&mut self, time: &Time, fallback: &Fallback) -> anyhow::Result<()>;

    /// Takes the last step, and returns the next move within `time`. The fallback must be set to a legal move as soon
    /// as the new state is known.
    ///
    /// # Errors
    /// If the joint move is impossible or the rules cannot be evaluated.
    fn play(&mut self, made: &Made, time: &Time, fallback: &Fallback) -> anyhow::Result<String>;

    /// Thinks on while the others move, after its own move was sent, until `stop` says that the next message is there.
    /// By default it does nothing.
    ///
    /// # Errors
    /// As for [`Player::play`]; the match goes on.
    fn ponder(&mut self, stop: &Stop) -> anyhow::Result<()> {
        let _ = stop;
        Ok(())
    }

    /// Takes the last step of a finished match, and returns the goal value of each role if it is known.
    ///
    /// # Errors
    /// As for [`Player::play`].
    fn finish(&mut self, made: &Made) -> anyhow::Result<Vec<Option<i64>>>;
}

/// Makes the player of a match.
pub trait PlayerFactory: Send + Sync {
    /// A player for this match. Called on the match's thread; must return soon, and give up when `time` is up.
    ///
    /// # Errors
    /// If the match cannot be played at all (an unreadable rulesheet, an unknown role).
    fn create(&self, start: &MatchStart, time: &Time) -> anyhow::Result<Box<dyn Player>>;

    /// A player that replaces one that panicked. By default it plays the first legal move.
    ///
    /// # Errors
    /// As for [`create`](Self::create).
    fn substitute(&self, start: &MatchStart, time: &Time) -> anyhow::Result<Box<dyn Player>> {
        players::Simple { seed: None }.create(start, time)
    }
}

/// Limits and names of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name given in the answer to `INFO`.
    pub name: String,
    /// The largest body that is read, in bytes.
    pub max_body: usize,
    /// The time that a request may take to arrive.
    pub read_timeout: Duration,
    /// Connections served at the same time; for one more the oldest that has not sent its request is closed.
    pub max_connections: usize,
    /// The access control.
    pub access: access::Access,
    /// Stop after this many matches; 0 is never.
    pub matches: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: "Tengen".into(),
            max_body: 8 << 20,
            read_timeout: Duration::from_secs(20),
            max_connections: 32,
            access: access::Access::default(),
            matches: 0,
        }
    }
}
