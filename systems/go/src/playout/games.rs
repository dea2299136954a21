//! A vector environment for learners: it plays many games of Go at once, and the caller chooses the moves.
//!
//! # Notation
//! N is the number of games, V the number of vertices. An action below V is the vertex with that number, row by row
//! from the top left. The action V is a pass. An observation has [`PLANES`] planes of V bytes, 0 or 1, for the side to
//! move:
//!
//! | plane | what |
//! | ---: | --- |
//! | 0, 1 | own stones, the other side's |
//! | 2 | empty vertices that may not be played at: by ko, as suicide, by superko |
//! | 3, 4, 5 | stones of strings with one liberty, with two, with three and more |
//! | 6 | the last stone played |
//! | 7 | 1 everywhere if Black is to move |
//!
//! # Rules
//! No suicide; simple ko, or positional superko. Two passes in turn end a game. The game is counted by area with all
//! stones alive, as in Tromp and Taylor's rules (<https://tromp.github.io/go.html>). Tromp and Taylor's rules allow
//! suicide.
//!
//! # Steps
//! 1. All actions are checked, so that no game moves where one of them is an error.
//! 2. Each game moves, or starts again, and writes its rows. The games are divided among the threads.
//!
//! # Invariants
//! The result depends only on the random seed and the actions, not on the threads.
//!
//! # Cost
//! About 0.7 microseconds for a random move on 9x9, including its draw and the observation. From the first capture on,
//! superko adds a comparison for each empty vertex: one key with the keys of all earlier positions. A game takes 27 kB.

mod lane;
#[cfg(test)]
mod tests;

use lane::{Lane, Outcome};
use rayon::prelude::*;
pub use tengen_core::Autoreset;
use tengen_core::derive_seed;

/// The planes of an observation.
pub const PLANES: usize = 8;

/// The settings of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// N.
    pub games: usize,
    /// Vertices a side, 1 to 19.
    pub size: usize,
    /// Points White gets.
    pub komi: f32,
    /// Whether no position may come up again (positional superko); without, a ko alone may not be taken back at once.
    pub superko: bool,
    /// The seed of [`Games::sample`].
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// When ended games start again.
    pub autoreset: Autoreset,
    /// Whether an illegal action loses its game; without, it is an error.
    pub illegal_loses: bool,
    /// A game of this many moves is truncated; 0 is no limit.
    pub max_moves: u32,
}

/// Why games could not be made or could not step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GamesError {
    /// A number out of its range.
    #[error("{what} must be from {least} to {most}, not {got}")]
    OutOfRange {
        /// The parameter.
        what: &'static str,
        /// Its value.
        got: usize,
        /// The least value.
        least: usize,
        /// The greatest value.
        most: usize,
    },
    /// An array of another length.
    #[error("{what} must have {wanted} values, not {got}")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// An action that is not legal; no game has moved.
    #[error("game {game}: action {action} is not legal for {role}; no game has moved")]
    Illegal {
        /// The game.
        game: usize,
        /// The action.
        action: i64,
        /// Who is to move.
        role: &'static str,
    },
    /// Threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
}

/// The arrays a step writes, flat, game after game. An array of length 0 is not written, except for those of one value a game.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// N times V + 1: which actions are legal.
    pub legal: &'a mut [u8],
    /// N times [`PLANES`] times V.
    pub observation: &'a mut [u8],
    /// The same, of the end of games that started again in the same step.
    pub last_observation: &'a mut [u8],
    /// N times 2: 1 for the winner of a game that ended, -1 for the loser.
    pub rewards: &'a mut [f32],
    /// N: White's points less Black's in a game that ended by two passes, else 0.
    pub lead: &'a mut [f32],
    /// N
    pub terminated: &'a mut [u8],
    /// N
    pub truncated: &'a mut [u8],
    /// N: 0 for Black, 1 for White.
    pub turn: &'a mut [i32],
}

/// A game as it is saved: its moves are played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The actions played.
    pub moves: Vec<u16>,
    /// Whether an illegal action ended it.
    pub forfeited: bool,
    /// The random actions drawn so far.
    pub drawn: u64,
}

/// N games.
pub struct Games {
    settings: Settings,
    lanes: Vec<Lane>,
    empty: Lane,
    pool: Option<rayon::ThreadPool>,
    /// The process that started the threads.
    process: u32,
}

/// What one game reads and writes.
struct Row<'a> {
    lane: &'a mut Lane,
    action: i32,
    legal: &'a mut [u8],
    observation: &'a mut [u8],
    last_observation: &'a mut [u8],
    rewards: &'a mut [f32],
    lead: &'a mut f32,
    terminated: &'a mut u8,
    truncated: &'a mut u8,
    turn: &'a mut i32,
}

impl Games {
    /// Games on empty boards.
    ///
    /// # Errors
    /// A number out of its range; threads that cannot be started.
    pub fn new(settings: Settings) -> Result<Self, GamesError> {
        let within = |what, got, most| match got {
            n if (1..=most).contains(&n) => Ok(()),
            _ => Err(GamesError::OutOfRange { what, got, least: 1, most }),
        };
        within("num_envs", settings.games, 1 << 20)?;
        within("size", settings.size, super::board::MAX_SIZE)?;
        within("threads", settings.threads, 256)?;
        let empty = Lane::new(settings.size, settings.superko, 0);
        let lanes = (0..settings.games).map(|n| {
            let mut lane = empty.clone();
            lane.seed = derive_seed(settings.seed, &[n as u64]);
            lane
        });
        let lanes = lanes.collect();
        let mut games = Self { lanes, empty, pool: None, process: 0, settings };
        games.renew()?;
        Ok(games)
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same games once more, with threads of their own.
    ///
    /// # Errors
    /// Threads that cannot be started.
    pub fn try_clone(&self) -> Result<Self, GamesError> {
        let mut copy = Self {
            settings: self.settings.clone(),
            lanes: self.lanes.clone(),
            empty: self.empty.clone(),
            pool: None,
            process: 0,
        };
        copy.renew()?;
        Ok(copy)
    }

    /// Starts the threads, also anew in a process that was forked from theirs.
    fn renew(&mut self) -> Result<(), GamesError> {
        if self.settings.threads < 2 || self.process == std::process::id() {
            return Ok(());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.settings.threads).build();
        let pool = pool.map_err(|error| GamesError::Threads(error.to_string()))?;
        if let Some(old) = self.pool.replace(pool) {
            // The threads of a parent process are not here: to wait for them would take for ever.
            std::mem::forget(old);
        }
        self.process = std::process::id();
        Ok(())
    }

    /// Seeds [`Self::sample`] again.
    pub fn reseed(&mut self, seed: u64) {
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            (lane.seed, lane.drawn) = (derive_seed(seed, &[n as u64]), 0);
        }
    }

    /// Sets games back to the empty board: all, or those marked.
    ///
    /// # Errors
    /// An array of another length.
    pub fn reset(&mut self, which: Option<&[bool]>, buffers: &mut Buffers<'_>) -> Result<(), GamesError> {
        if let Some(which) = which {
            length("mask", which.len(), self.lanes.len())?;
        }
        let empty = &self.empty;
        for (n, lane) in self.lanes.iter_mut().enumerate() {
            if which.is_none_or(|which| which[n]) {
                lane.start(empty);
            }
        }
        self.write(None, buffers)
    }

    /// The moves of all games, to be saved.
    #[must_use]
    pub fn saved(&self) -> Vec<Saved> {
        self.lanes.iter().map(Lane::saved).collect()
    }

    /// Sets games to saved ones and writes them: all in order, or game `chosen[n]` to `saved[n]`. Their flags and rewards
    /// become those of no step. Of a game that is chosen twice the last counts.
    ///
    /// # Errors
    /// An array of another length, a game that there is not, or a move that is not legal; then no game has changed.
    pub fn load(
        &mut self,
        chosen: Option<&[usize]>,
        saved: &[Saved],
        buffers: &mut Buffers<'_>,
    ) -> Result<(), GamesError> {
        let most = self.lanes.len() - 1;
        length("games", saved.len(), chosen.map_or(self.lanes.len(), <[usize]>::len))?;
        let mut lanes = Vec::with_capacity(saved.len());
        for (n, saved) in saved.iter().enumerate() {
            let game = chosen.map_or(n, |chosen| chosen[n]);
            let lane = self.lanes.get(game);
            let lane = lane.ok_or(GamesError::OutOfRange { what: "lanes", got: game, least: 0, most })?;
            let mut fresh = self.empty.clone();
            (fresh.seed, fresh.drawn) = (lane.seed, saved.drawn);
            for &action in &saved.moves {
                let at = usize::from(action);
                if fresh.outcome(&self.settings).is_some() || !fresh.is_legal(at) {
                    return Err(GamesError::Illegal { game, action: action.into(), role: fresh.role() });
                }
                fresh.play(at);
            }
            fresh.forfeited = saved.forfeited;
            lanes.push((game, fresh));
        }
        let mut which = vec![false; self.lanes.len()];
        for (game, fresh) in lanes {
            self.lanes[game] = fresh;
            which[game] = true;
        }
        self.write(Some(&which), buffers)
    }

    /// A legal action of each game, all equally likely; a pass where the game is over.
    ///
    /// # Errors
    /// An array of another length.
    pub fn sample(&mut self, actions: &mut [i32]) -> Result<(), GamesError> {
        length("actions", actions.len(), self.lanes.len())?;
        self.renew()?;
        let settings = &self.settings;
        let draw = |(lane, action): (&mut Lane, &mut i32)| *action = lane.sample(settings) as i32;
        let both = (&mut self.lanes, actions);
        match &self.pool {
            Some(pool) => pool.install(|| both.into_par_iter().with_min_len(64).for_each(draw)),
            None => both.0.iter_mut().zip(both.1).for_each(draw),
        }
        Ok(())
    }

    /// One move of every game.
    ///
    /// # Errors
    /// An array of another length; an illegal action, unless it loses. Then no game has moved.
    pub fn step(&mut self, actions: &[i32], buffers: &mut Buffers<'_>) -> Result<(), GamesError> {
        length("actions", actions.len(), self.lanes.len())?;
        self.renew()?;
        // 1.
        if !self.settings.illegal_loses {
            let wrong = |(game, (lane, &action)): (usize, (&Lane, &i32))| {
                let legal = usize::try_from(action).is_ok_and(|action| lane.is_legal(action));
                let fault = GamesError::Illegal { game, action: action.into(), role: lane.role() };
                (!legal && lane.outcome(&self.settings).is_none()).then_some(fault)
            };
            if let Some(error) = self.lanes.iter().zip(actions).enumerate().find_map(wrong) {
                return Err(error);
            }
        }
        // 2.
        let (settings, empty) = (&self.settings, &self.empty);
        let rows = rows(&mut self.lanes, actions, settings, buffers)?;
        let work = |row: Row<'_>| row.step(settings, empty);
        match &self.pool {
            Some(pool) => pool.install(|| rows.into_par_iter().with_min_len(64).for_each(work)),
            None => rows.into_iter().for_each(work),
        }
        Ok(())
    }

    /// Writes games as they are, all or those marked; rewards become 0.
    fn write(&mut self, which: Option<&[bool]>, buffers: &mut Buffers<'_>) -> Result<(), GamesError> {
        let actions = vec![0; self.lanes.len()];
        let settings = &self.settings;
        for (n, row) in rows(&mut self.lanes, &actions, settings, buffers)?.into_iter().enumerate() {
            if which.is_some_and(|which| !which[n]) {
                continue;
            }
            let outcome = row.lane.outcome(settings);
            row.rewards.fill(0.0);
            *row.lead = 0.0;
            *row.terminated = u8::from(outcome.is_some_and(|outcome| !outcome.truncated));
            *row.truncated = u8::from(outcome.is_some_and(|outcome| outcome.truncated));
            row.show(outcome.is_some());
        }
        Ok(())
    }
}

fn length(what: &'static str, got: usize, wanted: usize) -> Result<(), GamesError> {
    if got == wanted { Ok(()) } else { Err(GamesError::Length { what, got, wanted }) }
}

/// The arrays, game by game.
fn rows<'a>(
    lanes: &'a mut [Lane],
    actions: &[i32],
    settings: &Settings,
    buffers: &'a mut Buffers<'_>,
) -> Result<Vec<Row<'a>>, GamesError> {
    let (n, vertices) = (lanes.len(), settings.size * settings.size);
    let planes = PLANES * vertices;
    length("legal", buffers.legal.len(), n * (vertices + 1))?;
    length("rewards", buffers.rewards.len(), 2 * n)?;
    length("lead", buffers.lead.len(), n)?;
    length("terminated", buffers.terminated.len(), n)?;
    length("truncated", buffers.truncated.len(), n)?;
    length("turn", buffers.turn.len(), n)?;
    for (what, array) in
        [("observation", &*buffers.observation), ("last_observation", &*buffers.last_observation)]
    {
        length(what, array.len(), if array.is_empty() { 0 } else { n * planes })?;
    }
    let mut shown = buffers.observation.chunks_exact_mut(planes);
    let mut last = buffers.last_observation.chunks_exact_mut(planes);
    let mut legal = buffers.legal.chunks_exact_mut(vertices + 1);
    let mut rewards = buffers.rewards.chunks_exact_mut(2);
    let one = lanes.iter_mut().zip(actions).zip(buffers.lead.iter_mut());
    let one = one.zip(buffers.terminated.iter_mut().zip(buffers.truncated.iter_mut()));
    let row = |((((lane, &action), lead), (terminated, truncated)), turn)| Row {
        lane,
        action,
        legal: legal.next().unwrap_or_default(),
        observation: shown.next().unwrap_or_default(),
        last_observation: last.next().unwrap_or_default(),
        rewards: rewards.next().unwrap_or_default(),
        lead,
        terminated,
        truncated,
        turn,
    };
    Ok(one.zip(buffers.turn.iter_mut()).map(row).collect())
}

impl Row<'_> {
    /// Step 2 of one game.
    fn step(self, settings: &Settings, empty: &Lane) {
        self.rewards.fill(0.0);
        *self.lead = 0.0;
        if self.lane.outcome(settings).is_some() {
            if settings.autoreset == Autoreset::Disabled {
                return;
            }
            (*self.terminated, *self.truncated) = (0, 0);
            self.lane.start(empty);
            return self.show(false);
        }
        match usize::try_from(self.action) {
            Ok(action) if self.lane.is_legal(action) => self.lane.play(action),
            _ => self.lane.forfeited = true,
        }
        let Some(Outcome { truncated, lead, winner }) = self.lane.outcome(settings) else {
            (*self.terminated, *self.truncated) = (0, 0);
            return self.show(false);
        };
        (*self.terminated, *self.truncated) = (u8::from(!truncated), u8::from(truncated));
        *self.lead = lead;
        if let Some(winner) = winner {
            (self.rewards[winner], self.rewards[1 - winner]) = (1.0, -1.0);
        }
        if settings.autoreset != Autoreset::SameStep {
            return self.show(true);
        }
        self.lane.show(&mut [], self.last_observation, true);
        self.lane.start(empty);
        self.show(false);
    }

    fn show(self, over: bool) {
        *self.turn = self.lane.turn();
        self.lane.show(self.legal, self.observation, over);
    }
}
