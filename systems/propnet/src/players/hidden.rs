//! A player for games with hidden information. It samples states that agree with what its role knows, and asks an
//! ordinary search about each of them.
//!
//! # Source
//! "Determinisation": M. Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14 (2001);
//! Y. Björnsson, S. Schiffel, "Comparison of GDL reasoners and players", GIGA 2013, for GDL-II.
//!
//! # Steps
//! 1. The belief of the role follows its moves and percepts ([`Belief`]).
//! 2. Some of the states are drawn by their probabilities: all of them if there are few. Each gets an equal part of the
//!    budget.
//! 3. The search of the kind asked for values each move in each state. The move with the best mean is played. Of equal
//!    moves the first by its spelling is played.
//!
//! # Departures
//! The search sees the whole state that it is asked about. So the player gives no value to information, and does not
//! hide information.

use super::pool::Pool;
use super::{Choice, Kind, flat, uct};
use crate::game::{Game, GameError};
use crate::information::{Belief, drawn};
use crate::machine::{MoveId, State, StateMachine};
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, SplitMix64, derive_seed};
use tengen_search::run_all;

/// The most states that one move is decided on.
///
/// Origin: own choice, unmeasured.
const MOST_WORLDS: usize = 40;
/// Fewer visits for each move of a state tell nothing.
///
/// Origin: own choice, unmeasured.
const LEAST_VISITS: u64 = 8;

/// Plays one role of a game, knowing only its own moves and percepts. The game must be read by
/// [`crate::information::read`].
pub struct HiddenPlayer {
    game: Arc<Game>,
    kind: Kind,
    role: usize,
    seed: u64,
    moves: u64,
    parallelism: Parallelism,
    machine: Box<dyn StateMachine + Send>,
    belief: Belief,
    pool: Arc<Pool>,
}

impl HiddenPlayer {
    /// A player of a role (index as in the rulesheet).
    ///
    /// # Errors
    /// The machine's limits.
    pub fn new(
        game: Arc<Game>,
        kind: Kind,
        role: usize,
        seed: u64,
        parallelism: Parallelism,
    ) -> Result<Self, GameError> {
        let machine = game.machine("auto")?;
        let belief = Belief::new(machine.as_ref(), role, derive_seed(seed, &[0]));
        let pool = Arc::new(Pool::new(&game));
        Ok(Self { game, kind, role, seed, moves: 0, parallelism, machine, belief, pool })
    }

    /// The states that it thinks possible.
    #[must_use]
    pub const fn belief(&self) -> &Belief {
        &self.belief
    }

    /// Step 1: its role made this move and then perceived this. Returns whether a state agrees with it.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn observe(&mut self, own: &str, percepts: &[String], budget: &Budget) -> Result<bool, GameError> {
        self.machine.set_stop(budget.stop.clone());
        Ok(self.belief.advance(self.machine.as_mut(), own, percepts, &budget.stop)?)
    }

    /// The same where the moves of all roles are told.
    ///
    /// # Errors
    /// The machine's limits; moves that no state allows.
    pub fn observe_all(&mut self, joint: &[String], budget: &Budget) -> Result<bool, GameError> {
        self.machine.set_stop(budget.stop.clone());
        Ok(self.belief.advance_all(self.machine.as_mut(), joint)?)
    }

    /// The goal of each role, where all states agree about it; `None` where they do not.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn goals(&mut self) -> Result<Vec<Option<String>>, GameError> {
        let mut found: Option<Vec<Option<String>>> = None;
        for (state, _) in self.belief.states() {
            self.machine.enter(state)?;
            let mut here = Vec::new();
            for role in 0..self.machine.roles().len() {
                let goals = self.machine.goals(role)?;
                here.push(if let [one] = &goals[..] { Some(one.clone()) } else { None });
            }
            match &mut found {
                None => found = Some(here),
                Some(all) => all.iter_mut().zip(here).filter(|(a, b)| **a != *b).for_each(|(a, _)| *a = None),
            }
        }
        Ok(found.unwrap_or_default())
    }

    /// The legal moves as far as the role knows, by their spelling; none if no state is known.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn legal(&mut self) -> Result<Vec<(String, MoveId)>, GameError> {
        let Some((state, _)) = self.belief.states().first() else { return Ok(Vec::new()) };
        self.machine.enter(state)?;
        let legal = self.machine.legal(self.role)?;
        let mut named: Vec<(String, MoveId)> =
            legal.into_iter().map(|id| (self.machine.move_text(self.role, id), id)).collect();
        named.sort_unstable();
        Ok(named)
    }

    /// The move to make now.
    ///
    /// # Errors
    /// The machine's limits; no state that is known, or no legal move in it.
    pub fn choose(&mut self, budget: &Budget) -> Result<Choice, GameError> {
        self.moves += 1;
        let seed = derive_seed(self.seed, &[self.moves]);
        self.machine.set_stop(budget.stop.clone());
        let legal = self.legal()?;
        let Some(first) = legal.first() else { return Err(GameError::NoMove { role: self.role }) };
        let plain = |(text, id): &(String, MoveId)| Choice {
            id: *id,
            text: text.clone(),
            value: None,
            spent: 0,
            solved: false,
        };
        match self.kind {
            Kind::Legal => Ok(plain(first)),
            _ if legal.len() == 1 => Ok(plain(first)),
            Kind::Random => {
                let drawn = SplitMix64::new(seed).below(u32::try_from(legal.len()).unwrap_or(u32::MAX));
                Ok(plain(&legal[drawn as usize]))
            }
            Kind::MonteCarlo | Kind::Uct | Kind::AlphaBeta | Kind::Auto => {
                // Step 2.
                let worlds = self.worlds(legal.len(), seed, budget);
                let visits = budget.visits.map(|all| (all / worlds.len().max(1) as u64).max(1));
                let budget = Budget { visits, ..budget.clone() };
                // Step 3.
                let (sums, spent) = match self.kind {
                    Kind::MonteCarlo => self.playouts(&worlds, &legal, seed, &budget)?,
                    _ => self.trees(&worlds, &legal, seed, &budget)?,
                };
                let best = (0..legal.len()).rev().max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
                Ok(Choice { value: Some(sums[best]), spent, ..plain(&legal[best]) })
            }
        }
    }

    /// Step 2: states with their shares, which add up to 1.
    fn worlds(&self, moves: usize, seed: u64, budget: &Budget) -> Vec<(State, f64)> {
        let afford = budget.visits.map_or(u64::MAX, |all| all / (LEAST_VISITS * moves as u64).max(1));
        let most = usize::try_from(afford).unwrap_or(usize::MAX).clamp(1, MOST_WORLDS);
        let mut random = SplitMix64::new(derive_seed(seed, &[1]));
        drawn(self.belief.states().to_vec(), most, &mut random)
    }

    /// The mean of each move by trees.
    fn trees(
        &self,
        worlds: &[(State, f64)],
        legal: &[(String, MoveId)],
        seed: u64,
        budget: &Budget,
    ) -> Result<(Vec<f64>, u64), GameError> {
        let mut searches = Vec::with_capacity(worlds.len());
        for (number, (state, _)) in worlds.iter().enumerate() {
            let seed = derive_seed(seed, &[2, number as u64]);
            searches.push(uct::Uct::new(&self.game, state, seed, budget.clone())?);
        }
        let done = uct::run(searches, self.parallelism);
        let (mut sums, mut spent) = (vec![0.0; legal.len()], 0);
        for (search, (_, share)) in done.iter().zip(worlds) {
            spent += search.visits();
            for line in search.lines(self.role) {
                if let Some(at) = legal.iter().position(|(_, id)| *id == line.id) {
                    sums[at] += share * line.value;
                }
            }
        }
        Ok((sums, spent))
    }

    /// The mean of each move by playouts.
    fn playouts(
        &self,
        worlds: &[(State, f64)],
        legal: &[(String, MoveId)],
        seed: u64,
        budget: &Budget,
    ) -> Result<(Vec<f64>, u64), GameError> {
        let ids: Vec<MoveId> = legal.iter().map(|(_, id)| *id).collect();
        let threads = self.parallelism.threads();
        let searches = worlds.iter().enumerate().map(|(number, (state, _))| {
            let seed = derive_seed(seed, &[3, number as u64]);
            flat::Flat::new(&self.pool, state, (self.role, ids.clone()), seed, budget.clone(), threads)
        });
        let done = run_all(searches.collect(), self.parallelism);
        let (mut sums, mut spent) = (vec![0.0; legal.len()], 0);
        for (search, (_, share)) in done.into_iter().zip(worlds) {
            let (means, games) = search.means()?;
            spent += games;
            sums.iter_mut().zip(means).for_each(|(sum, mean)| *sum += share * mean);
        }
        Ok((sums, spent))
    }
}
