//! Random games of a rulesheet, and the counts of their results.
//!
//! # Steps
//! 1. [`play`]: every role makes a random legal move until the game is over. A game's random numbers come from the
//!    run's seed and the game's number, so it does not matter which games are played together.
//! 2. [`RandomGames`] plays the same games in jobs of the schedule `Expand`, a few games in each job.
//!
//! # Cost
//! Two questions to the machine and one successor state for each step.

use crate::game::{Game, GameError};
use crate::machine::{MachineError, MoveId, State, StateMachine};
use crate::players::pool::Pool;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use tengen_core::{SplitMix64, derive_seed};
use tengen_search::{Searcher, Window};

/// The longest game. A longer game is cut off and counted as cut off.
pub const MAX_STEPS: u64 = 10_000;

/// The sums over random games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Games played.
    pub games: u64,
    /// Per role the sum of its goals.
    pub goals: Vec<f64>,
    /// Per role how often each goal was reached.
    pub counts: Vec<BTreeMap<String, u64>>,
    /// Joint moves made.
    pub steps: u64,
    /// The length of the longest game.
    pub longest: u64,
    /// Games that did not end: too long, or a role had no move.
    pub cut_off: u64,
    /// Games in which a role had no move.
    pub stuck: u64,
    /// The first of those games.
    pub first_stuck: Option<Stuck>,
    /// Per role the games that it ended with several goals, and those of the first such game.
    pub double: Vec<(u64, String)>,
}

/// A role without a move in a state that is not terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The number of the game.
    pub game: u64,
    /// The role.
    pub role: usize,
    /// The facts of the state, sorted.
    pub facts: Vec<String>,
    /// The moves that led there.
    pub steps: u64,
}

/// How a game went.
struct Course {
    steps: u64,
    /// The role that had no move, and the state.
    stuck: Option<(usize, State)>,
}

impl Sums {
    /// Empty sums for this many roles.
    #[must_use]
    pub fn new(roles: usize) -> Self {
        let (counts, double) = (vec![BTreeMap::new(); roles], vec![(0, String::new()); roles]);
        Self { goals: vec![0.0; roles], counts, double, ..Self::default() }
    }

    /// Games that ended in a terminal state.
    #[must_use]
    pub const fn ended(&self) -> u64 {
        self.games - self.cut_off
    }

    /// Adds the sums of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.steps += other.steps;
        self.longest = self.longest.max(other.longest);
        self.cut_off += other.cut_off;
        self.stuck += other.stuck;
        let stuck = self.first_stuck.iter().chain(&other.first_stuck);
        self.first_stuck = stuck.min_by_key(|stuck| stuck.game).cloned();
        for (all, (times, goals)) in self.double.iter_mut().zip(&other.double) {
            if all.0 == 0 {
                all.1.clone_from(goals);
            }
            all.0 += times;
        }
        for (sum, goals) in self.goals.iter_mut().zip(&other.goals) {
            *sum += goals;
        }
        for (all, counts) in self.counts.iter_mut().zip(&other.counts) {
            for (goal, times) in counts {
                *all.entry(goal.clone()).or_default() += times;
            }
        }
    }
}

/// Step 1: plays the games with these numbers. `stop` is asked before every step.
///
/// # Errors
/// The machine's limits.
pub fn play(
    machine: &mut dyn StateMachine,
    from: &State,
    seed: u64,
    numbers: Range<u64>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Sums, MachineError> {
    let mut sums = Sums::new(machine.roles().len());
    for number in numbers {
        let mut random = SplitMix64::new(derive_seed(seed, &[number]));
        let Some(Course { steps, stuck }) = one(machine, from, &mut random, stop)? else { break };
        sums.games += 1;
        sums.steps += steps;
        sums.longest = sums.longest.max(steps);
        if let Some((role, state)) = stuck {
            sums.cut_off += 1;
            sums.stuck += 1;
            if sums.first_stuck.is_none() {
                let facts = machine.describe(&state)?.facts;
                sums.first_stuck = Some(Stuck { game: number, role, facts, steps });
            }
        } else if machine.terminal()? {
            count_goals(machine, &mut sums)?;
        } else {
            sums.cut_off += 1;
        }
    }
    Ok(sums)
}

/// One game. Afterwards the machine stands at its end; `None` if it was stopped.
fn one(
    machine: &mut dyn StateMachine,
    from: &State,
    random: &mut SplitMix64,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<Course>, MachineError> {
    let roles = machine.roles().len();
    let mut steps = 0;
    machine.enter(from)?;
    let mut state = from.clone();
    while !machine.terminal()? && steps < MAX_STEPS {
        if stop() {
            return Ok(None);
        }
        let mut joint: Vec<MoveId> = Vec::with_capacity(roles);
        for role in 0..roles {
            let legal = machine.legal(role)?;
            let choice = random.below(legal.len().max(1) as u32) as usize;
            match legal.get(choice) {
                Some(&id) => joint.push(id),
                None => return Ok(Some(Course { steps, stuck: Some((role, state)) })),
            }
        }
        state = machine.successor(&joint)?;
        machine.enter(&state)?;
        steps += 1;
    }
    Ok(Some(Course { steps, stuck: None }))
}

fn count_goals(machine: &mut dyn StateMachine, sums: &mut Sums) -> Result<(), MachineError> {
    for role in 0..machine.roles().len() {
        let goals = machine.goals(role)?;
        if goals.len() > 1 {
            let (times, first) = &mut sums.double[role];
            if *times == 0 {
                *first = goals.join(" and ");
            }
            *times += 1;
        }
        let goal = goals.into_iter().next();
        sums.goals[role] += goal.as_ref().and_then(|g| g.parse::<f64>().ok()).unwrap_or(0.0);
        *sums.counts[role].entry(goal.unwrap_or_else(|| "none".into())).or_default() += 1;
    }
    Ok(())
}

/// Step 2.
pub struct RandomGames {
    pool: Arc<Pool>,
    from: State,
    seed: u64,
    /// The games not yet handed out.
    open: Range<u64>,
    under_way: usize,
    of_job: u64,
    sums: Sums,
    failed: Option<GameError>,
}

/// A few games.
pub struct GamesJob {
    pool: Arc<Pool>,
    from: State,
    seed: u64,
    numbers: Range<u64>,
    found: Result<Sums, GameError>,
}

impl RandomGames {
    /// This many games from a state of the game's `auto` machines.
    #[must_use]
    pub fn new(game: &Arc<Game>, from: &State, seed: u64, count: u64) -> Self {
        Self {
            pool: Arc::new(Pool::new(game)),
            from: from.clone(),
            seed,
            open: 0..count,
            under_way: 0,
            // Enough jobs for many threads, each large against what it costs to hand it out.
            of_job: (count / 64).clamp(16, 32),
            sums: Sums::new(game.program.roles().len()),
            failed: None,
        }
    }

    /// The sums over the games.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn found(self) -> Result<Sums, GameError> {
        self.failed.map_or(Ok(self.sums), Err)
    }
}

impl Searcher for RandomGames {
    type Job = GamesJob;

    fn name(&self) -> &'static str {
        "propnet/playouts"
    }

    fn window(&self) -> Window {
        Window { jobs: 64, step: 8 }
    }

    fn select(&mut self, room: usize, jobs: &mut Vec<GamesJob>) {
        while jobs.len() < room && !self.open.is_empty() && self.failed.is_none() {
            let end = self.open.end.min(self.open.start + self.of_job);
            jobs.push(GamesJob {
                pool: Arc::clone(&self.pool),
                from: self.from.clone(),
                seed: self.seed,
                numbers: self.open.start..end,
                found: Ok(Sums::default()),
            });
            self.open.start = end;
        }
        self.under_way += jobs.len();
    }

    fn work(job: &mut GamesJob) {
        let GamesJob { pool, from, seed, numbers, found } = job;
        *found = pool.with_machine(|machine| Ok(play(machine, from, *seed, numbers.clone(), &mut || false)?));
    }

    fn backup(&mut self, job: GamesJob) {
        self.under_way -= 1;
        match job.found {
            Ok(sums) => self.sums.add(&sums),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
    }

    fn finished(&self) -> bool {
        self.under_way == 0 && (self.open.is_empty() || self.failed.is_some())
    }
}
