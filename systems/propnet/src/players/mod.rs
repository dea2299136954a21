//! Players, which choose a move in a state within a budget.
//!
//! | name | how |
//! | --- | --- |
//! | `legal` | the first legal move in the order of spelling |
//! | `random` | any legal move |
//! | `montecarlo` | `flat`: the move whose random playouts score best |
//! | `uct` | [`uct`]: a tree search with a bandit for each role (decoupled UCT), bit-parallel playouts at its leaves, and solved positions |
//! | `alphabeta` | [`alphabeta`]: depth-first search for two roles that take turns, with goals as a zero sum |
//! | `auto` | for games with one role `planner`, which looks for a whole plan; for others `uct` with the moves of playouts, and with single games where a game is short |
//!
//! In a game of hidden information [`hidden`] asks these players; there `alphabeta` stands for `uct`.

pub mod alphabeta;
mod flat;
pub mod hidden;
mod planner;
pub(crate) mod pool;
pub mod rollouts;
pub mod selfplay;
#[cfg(test)]
mod tests;
pub mod uct;

use crate::game::{Game, GameError};
use crate::machine::{MoveId, State, StateMachine};
use crate::propagate::{one_game_choice, player};
use pool::Pool;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, SplitMix64, derive_seed};
use tengen_search::run_all;

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The first legal move.
    Legal,
    /// Any legal move.
    Random,
    /// Flat Monte Carlo.
    MonteCarlo,
    /// UCT.
    Uct,
    /// Alpha-beta for games with two roles that take turns, else UCT.
    AlphaBeta,
    /// The one that fits the game: plans for one role, else UCT.
    Auto,
}

impl Kind {
    /// All of them, by name.
    pub const NAMES: [(&str, Self); 6] = [
        ("legal", Self::Legal),
        ("random", Self::Random),
        ("montecarlo", Self::MonteCarlo),
        ("uct", Self::Uct),
        ("alphabeta", Self::AlphaBeta),
        ("auto", Self::Auto),
    ];

    /// The player of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|&(_, kind)| kind)
    }
}

/// Plays one role of one game, and keeps its search data from move to move.
pub struct GamePlayer {
    game: Arc<Game>,
    kind: Kind,
    role: usize,
    seed: u64,
    moves: u64,
    parallelism: Parallelism,
    machine: Box<dyn StateMachine + Send>,
    tree: Option<uct::Uct>,
    /// Made when first asked for, if the game fits.
    planner: Option<Option<Box<planner::Planner>>>,
    pool: Arc<Pool>,
    /// Whether single games are played, once it is known.
    single: Option<bool>,
}

/// A move, with the player's reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub id: MoveId,
    /// Its canonical spelling.
    pub text: String,
    /// The expected goal of the role, 0 to 100, if the player has an estimate.
    pub value: Option<f64>,
    /// Visits, playouts or nodes spent.
    pub spent: u64,
    /// Whether the value is proven.
    pub solved: bool,
}

impl GamePlayer {
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
        let pool = Arc::new(Pool::new(&game));
        Ok(Self {
            game,
            kind,
            role,
            seed,
            moves: 0,
            parallelism,
            machine,
            tree: None,
            planner: None,
            pool,
            single: None,
        })
    }

    /// The initial state, and the machine to walk with.
    pub fn machine(&mut self) -> &mut dyn StateMachine {
        self.machine.as_mut()
    }

    /// The move to make in a state.
    ///
    /// # Errors
    /// The machine's limits; a state without a legal move for the role.
    pub fn choose(&mut self, state: &State, budget: &Budget) -> Result<Choice, GameError> {
        self.moves += 1;
        let seed = derive_seed(self.seed, &[self.moves]);
        self.machine.set_stop(budget.stop.clone());
        self.machine.enter(state)?;
        let mut legal = self.machine.legal(self.role)?;
        let role = self.role;
        let machine = &self.machine;
        legal.sort_by_cached_key(|&id| machine.move_text(role, id));
        let Some(&first) = legal.first() else { return Err(GameError::NoMove { role: self.role }) };
        let plain = |id: MoveId| Choice {
            id,
            text: machine.move_text(role, id),
            value: None,
            spent: 0,
            solved: false,
        };
        match self.kind {
            Kind::Legal => Ok(plain(first)),
            _ if legal.len() == 1 && !matches!(self.kind, Kind::Uct | Kind::Auto) => Ok(plain(first)),
            Kind::Random => Ok(plain(legal[SplitMix64::new(seed).below(legal.len() as u32) as usize])),
            Kind::MonteCarlo => self.flat(state, legal, seed, budget),
            Kind::AlphaBeta if alphabeta::fits(self.machine.as_mut())? => {
                self.machine.enter(state)?;
                let found = self.depth_first(state, budget)?;
                Ok(Choice {
                    id: found.best[role],
                    text: self.machine.move_text(role, found.best[role]),
                    value: Some(if role == 0 { found.value } else { 100.0 - found.value }),
                    spent: found.nodes,
                    solved: found.exact,
                })
            }
            Kind::Auto => match self.plan(state, budget)? {
                Some(choice) => Ok(choice),
                None => self.search(state, seed, budget),
            },
            Kind::Uct | Kind::AlphaBeta => self.search(state, seed, budget),
        }
    }

    /// Thinks about a state before its move is asked for, as on a start clock. What it finds serves the next move. The
    /// players without a memory do nothing.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn prepare(&mut self, state: &State, budget: &Budget) -> Result<(), GameError> {
        match self.kind {
            Kind::Auto | Kind::Uct => match self.choose(state, budget) {
                Ok(_) | Err(GameError::NoMove { .. }) => Ok(()),
                Err(error) => Err(error),
            },
            Kind::Legal | Kind::Random | Kind::MonteCarlo | Kind::AlphaBeta => Ok(()),
        }
    }

    /// Thinks on after its move in a state, while the others move. Where no other role has a choice it searches the next
    /// state, else this one. What it finds serves the next move. The players without a memory do nothing, and a game
    /// that is planned is not pondered.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn ponder(&mut self, state: &State, own: MoveId, budget: &Budget) -> Result<(), GameError> {
        let plans = self.kind == Kind::Auto && self.machine.roles().len() == 1;
        if plans || !matches!(self.kind, Kind::Auto | Kind::Uct) {
            return Ok(());
        }
        self.machine.set_stop(budget.stop.clone());
        self.machine.enter(state)?;
        let mut joint = Vec::new();
        for role in 0..self.machine.roles().len() {
            let legal = self.machine.legal(role)?;
            match (role == self.role, legal.as_slice()) {
                (true, _) => joint.push(own),
                (false, &[only]) => joint.push(only),
                (false, _) => break,
            }
        }
        let next = match joint.len() == self.machine.roles().len() {
            true => self.machine.successor(&joint)?,
            false => state.clone(),
        };
        self.machine.enter(&next)?;
        if self.machine.terminal()? {
            return Ok(());
        }
        self.moves += 1;
        match self.search(&next, derive_seed(self.seed, &[self.moves]), budget) {
            Ok(_) | Err(GameError::NoMove { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The move of a plan; `None` if the game is not one to plan in.
    fn plan(&mut self, state: &State, budget: &Budget) -> Result<Option<Choice>, GameError> {
        let Ok(net) = &self.game.topology else { return Ok(None) };
        let Some(planner) = planner(&mut self.planner, &self.game, self.seed) else { return Ok(None) };
        let advice = planner.choose(state.facts_in(net.numbering)?, budget);
        Ok(advice.map(|advice| Choice {
            id: advice.input,
            text: self.machine.move_text(self.role, advice.input),
            value: advice.goal,
            spent: advice.spent,
            solved: advice.settled,
        }))
    }

    /// Alpha-beta. With a node limit the result is the same on any machine; with a time limit it uses all threads.
    fn depth_first(&mut self, state: &State, budget: &Budget) -> Result<alphabeta::Found, GameError> {
        let counted = budget.visits.is_some() || budget.nodes.is_some();
        match self.parallelism.threads() {
            threads if threads > 1 && !counted => {
                alphabeta::threads::search(&self.game, state, budget, threads, self.parallelism)
            }
            _ => alphabeta::search(self.machine.as_mut(), state, budget),
        }
    }

    fn search(&mut self, state: &State, seed: u64, budget: &Budget) -> Result<Choice, GameError> {
        let single = self.kind == Kind::Auto && self.single_games()?;
        let known = self.tree.take().and_then(|mut tree| tree.move_root(state).then_some(tree));
        let mut tree = match known {
            Some(tree) => tree,
            None => {
                let new =
                    uct::Uct::sharing(&self.game, Arc::clone(&self.pool), state, seed, Budget::default())?;
                match self.kind {
                    Kind::Auto if single => new.with_moves_of_playouts().with_single_games(),
                    Kind::Auto => new.with_moves_of_playouts(),
                    _ => new,
                }
            }
        };
        tree.set_budget(budget.clone());
        // A search of so many visits or nodes is the same on any machine; one by the clock takes all threads.
        let counted = budget.visits.is_some() || budget.nodes.is_some();
        tree.set_threads(if counted { 1 } else { self.parallelism.threads() });
        tree = uct::run(vec![tree], self.parallelism).pop().expect("as many searches come back as went in");
        let best = tree.best(self.role);
        let choice = best.map(|b| Choice {
            id: b.id,
            text: self.machine.move_text(self.role, b.id),
            value: Some(b.value),
            spent: tree.visits(),
            solved: tree.solved().is_some(),
        });
        self.tree = Some(tree);
        choice.ok_or(GameError::NoMove { role: self.role })
    }

    /// Whether single games serve the search better than many games in lanes: where roles take turns and a game is short
    /// by counts. Answered once.
    fn single_games(&mut self) -> Result<bool, GameError> {
        if let Some(known) = self.single {
            return Ok(known);
        }
        let cost = |game: &Game| game.playout_nets.as_ref().and_then(one_game_choice::cost);
        let single =
            takes_turns(self.machine.as_mut())? && cost(&self.game).is_some_and(|cost| cost <= SHORT_GAME);
        self.single = Some(single);
        Ok(single)
    }

    /// Flat Monte Carlo. With visits as the limit the result is the same on any machine, for any number of threads.
    fn flat(
        &mut self,
        state: &State,
        legal: Vec<MoveId>,
        seed: u64,
        budget: &Budget,
    ) -> Result<Choice, GameError> {
        let threads = self.parallelism.threads();
        let search = flat::Flat::new(&self.pool, state, (self.role, legal), seed, budget.clone(), threads);
        let done = run_all(vec![search], self.parallelism).pop();
        let (id, value, spent) = done.expect("as many searches come back as went in").best()?;
        let text = self.machine.move_text(self.role, id);
        Ok(Choice { id, text, value: Some(value), spent, solved: false })
    }
}

/// The planner of a player; made at the first call.
fn planner<'a>(
    kept: &'a mut Option<Option<Box<planner::Planner>>>,
    game: &Game,
    seed: u64,
) -> Option<&'a mut planner::Planner> {
    kept.get_or_insert_with(|| planner::Planner::new(game, seed).map(Box::new)).as_deref_mut()
}

/// A game that takes at most this many nanoseconds by counts is played singly at the leaves of a search.
///
/// Origin: measured, `experiments/2026-12-01-single-games.md`.
const SHORT_GAME: f64 = 60_000.0;

/// Whether at most one role has a choice in the initial state, and in a state after it.
fn takes_turns(machine: &mut dyn StateMachine) -> Result<bool, GameError> {
    let mut state = machine.initial();
    for _ in 0..2 {
        machine.enter(&state)?;
        if machine.terminal()? {
            return Ok(true);
        }
        let (mut choices, mut joint) = (0, Vec::new());
        for role in 0..machine.roles().len() {
            let legal = machine.legal(role)?;
            let Some(&first) = legal.first() else { return Ok(true) };
            choices += usize::from(legal.len() > 1);
            joint.push(first);
        }
        if choices > 1 {
            return Ok(false);
        }
        state = machine.successor(&joint)?;
    }
    Ok(true)
}

/// The longest playout at a leaf.
///
/// Origin: own choice, unmeasured.
pub(crate) const MAX_PLAYOUT: usize =
    if player::MAX_LENGTH < 500 { player::MAX_LENGTH as usize } else { 500 };
