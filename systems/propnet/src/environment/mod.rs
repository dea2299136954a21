//! A vector environment for learners: it plays many games of one rulesheet at once, and the caller chooses the moves.
//!
//! A game is one bit in blocks of machine words (see [`crate::propagate::lanes`]). A caller sees rows of bytes, or of
//! bits packed into bytes ([`Layout`]).
//!
//! # Notation
//! N is the number of games. A is the number of actions, the distinct moves of all roles. P is the number of columns of
//! an observation, one for each fact. R is the number of roles. Where roles take turns, the caller gives one action for
//! each game: that of the role on turn. The other roles make their only move. In other games the caller gives one
//! action for each role. G is 1 or R accordingly.
//!
//! ```
//! use tengen_propnet::environment::{Environment, Screens, Settings};
//! use tengen_propnet::game::{Game, LoadLimits};
//!
//! let text = include_str!("../../../../resources/gdl/noughts.kif");
//! let game = Game::load(text, LoadLimits::default(), &mut || false)?;
//! let mut games = Environment::new(&game, &Settings { games: 100, ..Settings::default() })?;
//! let mut screens = Screens::new(&games);
//! games.reset(None, &mut screens.buffers())?;
//! let mut actions = vec![0; 100];
//! let mut ended = 0;
//! for _ in 0..20 {
//!     games.sample(&mut actions)?;
//!     games.step(&actions, &mut screens.buffers())?;
//!     ended += screens.terminated.iter().filter(|&&t| t == 1).count();
//! }
//! assert!(ended >= 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod buffers;
mod engine;
mod forest;
mod plan;
mod rows;
mod sampled_actions;
mod saved;
#[cfg(test)]
mod saved_tests;
mod schema;
mod single;
mod spread;
#[cfg(test)]
mod tests;
mod worker_team;

pub use board::{Grid, NO_FACT};
pub use buffers::{Buffers, Screens};
pub use forest::{Forest, Leaves, Roots, SearchSettings};
pub use rows::{BitOrder, Layout};
pub use schema::Schema;
pub use single::{Numbers, Outlook, Single, SingleError};

use crate::game::{Game, NoNet};
use crate::machine::State;
use engine::{Engine, Games, Rules};
use plan::Plan;
use rows::View;
use sampled_actions::SampledActions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub use tengen_core::Autoreset;
use tengen_core::seed::derive_seed;
use worker_team::WorkerTeam;

/// The effect of an illegal action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// It is an error, and no game moves.
    #[default]
    Raise,
    /// It ends its game: the role that made it gets 0, the others 1.
    Lose,
}

/// The settings of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// N.
    pub games: usize,
    /// The seed of [`Environment::sample`].
    pub seed: u64,
    /// The number of threads that step; the result does not depend on it.
    pub threads: usize,
    /// When ended games start again.
    pub autoreset: Autoreset,
    /// The effect of an illegal action.
    pub illegal: Illegal,
    /// A game of more moves is truncated; 0 is no limit.
    pub max_steps: u32,
    /// Whether the caller gives an action for each role even where roles take turns.
    pub joint: bool,
    /// Whether `terminated` and `truncated` of a game that is over stay set until it starts again. Without, they are
    /// set by the step that ended it alone. It matters under [`Autoreset::Disabled`].
    pub lasting: bool,
    /// The layout of legal actions and observations.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            games: 1,
            seed: 0,
            threads: 1,
            autoreset: Autoreset::default(),
            illegal: Illegal::default(),
            max_steps: 0,
            joint: false,
            lasting: false,
            layout: Layout::default(),
        }
    }
}

/// Why an environment could not be made or could not step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The game has no net.
    #[error("the game has no net, and environments run on nets: {0}")]
    NoNet(NoNet),
    /// Too few or too many games or roles.
    #[error("{what}: {got}, but it must be from {least} to {most}")]
    OutOfRange {
        /// The counted thing.
        what: &'static str,
        /// The count.
        got: usize,
        /// The least.
        least: usize,
        /// The most.
        most: usize,
    },
    /// The initial state is terminal.
    #[error("the initial state is terminal, or a role has no legal move in it: there is nothing to step")]
    NothingToPlay,
    /// A buffer of the wrong length.
    #[error("the buffer `{name}` has {got} items, {wanted} are needed")]
    BufferLength {
        /// The buffer.
        name: &'static str,
        /// Its length.
        got: usize,
        /// The length it must have.
        wanted: usize,
    },
    /// An action that is not legal.
    #[error("game {game}: action {action} ({text}) is not legal for {role}; no game has moved")]
    Illegal {
        /// The game.
        game: usize,
        /// The number given.
        action: i32,
        /// The move it stands for.
        text: String,
        /// The role that was to move.
        role: String,
    },
    /// Two roles had a choice in a game whose roles seemed to take turns.
    #[error(
        "game {game}: two roles have a choice here; make the environment with an action per role (joint)"
    )]
    NotTurns {
        /// The game.
        game: usize,
    },
    /// A lane that there is not.
    #[error("lane {lane}: there are {games} games")]
    NoLane {
        /// The lane.
        lane: usize,
        /// The games that there are.
        games: usize,
    },
    /// A saved state that no game of these rules has.
    #[error("state {row}: {why}")]
    State {
        /// The row of the saved states.
        row: usize,
        /// The fault.
        why: &'static str,
    },
    /// A network's answer that is no number.
    #[error("{name} of game {game}: they must be numbers, and priors not negative")]
    Evaluation {
        /// `priors` or `values`.
        name: &'static str,
        /// The game.
        game: usize,
    },
    /// Random numbers of another environment.
    #[error("the random numbers are of an environment with another number of games")]
    Random,
    /// No threads.
    #[error("the threads could not be started: {0}")]
    Threads(String),
}

/// Games of one shard: one block of 512 bits per node.
const SHARD: usize = 512;

/// The most games.
const MAX_GAMES: usize = 1 << 24;

/// The number of random moves that decide whether roles take turns.
const SURVEY_STEPS: usize = 128;

/// N games of one rulesheet.
pub struct Environment {
    schema: Arc<Schema>,
    shards: Vec<Box<dyn Games + Send>>,
    games: usize,
    turns: bool,
    rules: Rules,
    bases: usize,
    illegal: Illegal,
    layout: Layout,
    seed: u64,
    team: WorkerTeam,
    /// The actions drawn last.
    drawn: SampledActions,
    /// Whether no game has moved or was reset since the draw.
    fresh: bool,
    /// Whether the drawn actions are those of the next call of [`sample`](Self::sample).
    ahead: bool,
    /// Whether actions were drawn since the last step. The next step then draws the actions of the step after it.
    sampled: bool,
}

/// The work of a thread at one time: a shard and its part of every buffer.
struct Job<'a> {
    shard: &'a mut (dyn Games + Send),
    /// The first of its games.
    first: usize,
    out: Buffers<'a>,
    drawn: &'a mut [u8],
    /// The lane and group of the first illegal action.
    wrong: Option<(usize, usize)>,
    /// A lane in which two roles have a choice though roles take turns.
    clash: Option<usize>,
}

impl Environment {
    /// N games in the initial state. Random games decide whether roles take turns: they do if no state of some thousand
    /// gave two roles a choice.
    ///
    /// # Errors
    /// A game without a net, or with nothing to play; numbers out of range; no threads.
    pub fn new(game: &Game, settings: &Settings) -> Result<Self, EnvironmentError> {
        let topology = game.topology.as_ref().map_err(|why| EnvironmentError::NoNet(why.clone()))?;
        let schema = Schema::new(topology);
        in_range("games", settings.games, 1, MAX_GAMES)?;
        in_range("threads", settings.threads, 1, 1024)?;
        in_range("roles", schema.roles.len(), 1, 255)?;
        in_range("actions", schema.action_count(), 1, 1 << 30)?;
        let plan = Plan::new(topology, &schema);
        let (plan, turns) = with_turns(plan, settings.joint)?;
        let view = Arc::new(View::new(&plan, settings.layout));
        let plan = Arc::new(plan);
        let sizes = (0..settings.games.div_ceil(SHARD)).map(|s| (settings.games - s * SHARD).min(SHARD));
        let shards = sizes.map(|lanes| -> Box<dyn Games + Send> {
            match lanes {
                ..=64 => Box::new(Engine::<1>::new(Arc::clone(&plan), Arc::clone(&view), lanes, 0)),
                _ => Box::new(Engine::<8>::new(Arc::clone(&plan), Arc::clone(&view), lanes, 0)),
            }
        });
        let groups = if turns { 1 } else { schema.roles.len() };
        let actions = schema.action_count();
        let lasting = settings.lasting && settings.autoreset == Autoreset::Disabled;
        let mut environment = Self {
            schema: Arc::new(schema),
            shards: shards.collect(),
            games: settings.games,
            turns,
            rules: Rules { autoreset: settings.autoreset, max_steps: settings.max_steps, lasting },
            bases: topology.net.bases(),
            illegal: settings.illegal,
            layout: settings.layout,
            seed: settings.seed,
            team: WorkerTeam::new(settings.threads)?,
            drawn: SampledActions::new(settings.games * groups, SHARD * groups, actions),
            fresh: false,
            ahead: false,
            sampled: false,
        };
        environment.reseed(settings.seed);
        Ok(environment)
    }

    /// The names behind the numbers.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// N.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Whether callers give one action for each game: that of the role on turn.
    #[must_use]
    pub fn takes_turns(&self) -> bool {
        self.turns
    }

    /// G: 1 where roles take turns, else R.
    #[must_use]
    pub fn actions_per_game(&self) -> usize {
        if self.turns { 1 } else { self.schema.roles.len() }
    }

    /// The seed set last.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Seeds the random numbers of [`sample`](Self::sample) anew.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.ahead = false;
        self.shards.iter_mut().enumerate().for_each(|(n, s)| s.reseed(derive_seed(seed, &[n as u64])));
    }

    /// Items per game of the buffers of legal actions, observations and rewards.
    fn sizes(&self) -> [usize; 3] {
        let (schema, layout) = (&self.schema, self.layout);
        let legal = self.actions_per_game() * layout.row(schema.action_count());
        [legal, layout.row(schema.width()), schema.roles.len()]
    }

    /// A job per shard, each with its part of the buffers.
    fn jobs<'a>(&'a mut self, out: &mut Buffers<'a>) -> (&'a WorkerTeam, Vec<Job<'a>>) {
        let (sizes, games) = (self.sizes(), self.games);
        let shards = self.shards.iter_mut().zip(self.drawn.shards());
        let job = |(n, (shard, drawn)): (usize, (&'a mut Box<dyn Games + Send>, &'a mut [u8]))| Job {
            shard: shard.as_mut(),
            first: n * SHARD,
            out: out.cut(SHARD.min(games - n * SHARD), sizes),
            drawn,
            wrong: None,
            clash: None,
        };
        (&self.team, shards.enumerate().map(job).collect())
    }

    /// Takes back the actions drawn ahead, if the caller has not asked for them.
    fn forget_drawn(&mut self) {
        if std::mem::take(&mut self.ahead) {
            self.shards.iter_mut().for_each(|shard| shard.draw_back());
        }
    }

    /// Sets games back to the start: all, or those marked. The random numbers of [`sample`](Self::sample) go on.
    ///
    /// # Errors
    /// Buffers or marks of the wrong length.
    pub fn reset(&mut self, which: Option<&[bool]>, out: &mut Buffers<'_>) -> Result<(), EnvironmentError> {
        out.check(self.games, self.sizes())?;
        if let Some(which) = which {
            length("mask", which.len(), self.games)?;
        }
        self.team.renew()?;
        self.forget_drawn();
        self.fresh = false;
        let (team, jobs) = self.jobs(&mut out.reborrow());
        let reset = |job: &mut Job<'_>| {
            let games = job.out.terminated.len();
            job.shard.reset(which.map(|w| &w[job.first..][..games]), &mut job.out);
        };
        team.run(jobs, &[&reset]);
        out.rewards.fill(0.0);
        out.terminated.fill(0);
        out.truncated.fill(0);
        if self.rules.lasting {
            let (_, jobs) = self.jobs(&mut out.reborrow());
            jobs.into_iter().for_each(|mut job| job.shard.write_flags(&mut job.out));
        }
        Ok(())
    }

    /// Makes a move in every game: N x G numbers of actions.
    ///
    /// # Errors
    /// Lengths that do not fit. An illegal action under [`Illegal::Raise`]; then no game has moved. Two roles with a
    /// choice although roles seemed to take turns; then all games have moved.
    pub fn step(&mut self, actions: &[i32], out: &mut Buffers<'_>) -> Result<(), EnvironmentError> {
        let groups = self.actions_per_game();
        out.check(self.games, self.sizes())?;
        length("actions", actions.len(), self.games * groups)?;
        self.team.renew()?;
        self.forget_drawn();
        let (rules, raise, draw) = (self.rules, self.illegal == Illegal::Raise, self.sampled);
        let refused = AtomicBool::new(false);
        // To compare them here keeps the other threads from fetching them.
        let as_drawn = std::mem::take(&mut self.fresh) && self.drawn.are(actions);
        let take = |job: &mut Job<'_>| {
            if as_drawn {
                job.shard.take_drawn();
                return;
            }
            job.wrong = job.shard.take(&actions[job.first * groups..][..job.out.terminated.len() * groups]);
            if raise && job.wrong.is_some() {
                refused.store(true, Ordering::Relaxed);
            }
        };
        let advance = |job: &mut Job<'_>| {
            if !refused.load(Ordering::Relaxed) {
                job.clash = job.shard.advance(&rules, &mut job.out);
                if draw {
                    job.shard.sample(job.drawn);
                }
            }
        };
        let both = |job: &mut Job<'_>| {
            take(job);
            advance(job);
        };
        let (team, jobs) = self.jobs(&mut out.reborrow());
        // Where one shard is wrong the others must not move.
        let done =
            if raise && !as_drawn { team.run(jobs, &[&take, &advance]) } else { team.run(jobs, &[&both]) };
        let wrong = done.iter().find_map(|job| job.wrong.map(|(lane, group)| (job.first + lane, group)));
        let clash = done.iter().find_map(|job| job.clash.map(|lane| job.first + lane));
        if let Some((game, group)) = wrong.filter(|_| raise) {
            return Err(self.refuse(actions[game * groups + group], game, group));
        }
        (self.fresh, self.ahead, self.sampled) = (draw, draw, false);
        clash.map_or(Ok(()), |game| Err(EnvironmentError::NotTurns { game }))
    }

    /// The error about an illegal action.
    fn refuse(&self, action: i32, game: usize, group: usize) -> EnvironmentError {
        let known = usize::try_from(action).ok().and_then(|a| self.schema.actions.get(a));
        let text = known.cloned().unwrap_or_else(|| "no move has this number".to_owned());
        let role = if self.turns { "the role on turn".to_owned() } else { self.schema.roles[group].clone() };
        EnvironmentError::Illegal { game, action, text, role }
    }

    /// Draws a legal action for every game (and role), all equally likely; 0 without a legal action.
    ///
    /// A caller that draws before a step will probably draw after it too. The step then draws ahead.
    ///
    /// # Errors
    /// A buffer of the wrong length.
    pub fn sample(&mut self, actions: &mut [i32]) -> Result<(), EnvironmentError> {
        length("actions", actions.len(), self.drawn.len())?;
        self.team.renew()?;
        if !std::mem::take(&mut self.ahead) {
            let (team, jobs) = self.jobs(&mut Buffers::default());
            team.run(jobs, &[&|job| job.shard.sample(job.drawn)]);
        }
        self.drawn.copy_to(actions);
        (self.fresh, self.sampled) = (true, true);
        Ok(())
    }

    /// The state of a game: the numbers of its facts are those of the net's bases.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn state(&mut self, game: usize) -> State {
        assert!(game < self.games, "there are {} games", self.games);
        self.shards[game / SHARD].state(game % SHARD)
    }

    /// The facts of a game that an observation has columns for, sorted.
    ///
    /// # Panics
    /// If there is no such game.
    #[must_use]
    pub fn facts(&mut self, game: usize) -> Vec<String> {
        let state = self.state(game);
        let numbers = state.facts_in(self.shards[game / SHARD].numbering()).expect("it is its own state");
        let named = self.schema.columns.iter().zip(&self.schema.facts);
        let mut facts: Vec<String> = named
            .filter(|(fact, _)| numbers.contains(**fact as usize))
            .map(|(_, text)| text.clone())
            .collect();
        facts.sort_unstable();
        facts
    }
}

fn length(name: &'static str, got: usize, wanted: usize) -> Result<(), EnvironmentError> {
    if got == wanted { Ok(()) } else { Err(EnvironmentError::BufferLength { name, got, wanted }) }
}

fn in_range(what: &'static str, got: usize, least: usize, most: usize) -> Result<(), EnvironmentError> {
    if (least..=most).contains(&got) {
        Ok(())
    } else {
        Err(EnvironmentError::OutOfRange { what, got, least, most })
    }
}

/// Plays random games on the plan, to find whether roles take turns and which moves they wait with.
fn with_turns(plan: Plan, joint: bool) -> Result<(Plan, bool), EnvironmentError> {
    let view = Arc::new(View::new(&plan, Layout::Bytes));
    let plan = Arc::new(plan);
    let (games, roles) = (64, plan.inputs.len());
    let mut engine: Engine<1> = Engine::new(Arc::clone(&plan), view, games, 1);
    if engine.is_over() {
        return Err(EnvironmentError::NothingToPlay);
    }
    let mut idle = vec![false; plan.net.inputs()];
    let mut turns = !joint;
    let rules = Rules { autoreset: Autoreset::SameStep, max_steps: 0, lasting: false };
    let mut drawn = SampledActions::new(games * roles, games * roles, plan.actions);
    let (mut rewards, mut terminated, mut truncated) =
        (vec![0.0; games * roles], vec![0; games], vec![0; games]);
    for _ in 0..SURVEY_STEPS {
        turns &= !Games::survey(&mut engine, &mut idle);
        if !turns {
            break;
        }
        drawn.shards().for_each(|bytes| Games::sample(&mut engine, bytes));
        let mut out = Buffers {
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            ..Buffers::default()
        };
        Games::take_drawn(&mut engine);
        Games::advance(&mut engine, &rules, &mut out);
    }
    drop(engine);
    let plan = Arc::into_inner(plan).expect("the engine that shared it is gone");
    Ok(if turns { (plan.taking_turns(&idle), true) } else { (plan, false) })
}
