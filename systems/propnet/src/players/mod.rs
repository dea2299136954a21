//! Players: what to move in a state, within a budget.
//!
//! | name | how |
//! | --- | --- |
//! | `legal` | the first legal move in the order of spelling |
//! | `random` | any legal move |
//! | `montecarlo` | the move whose random playouts score best (flat) |
//! | `uct` | [`uct`]: a tree of decoupled bandits, bit-parallel playouts at its leaves, solved positions |
//! | `alphabeta` | [`alphabeta`]: depth-first for two roles that take turns, goals as zero sum |

pub mod alphabeta;
pub mod rollouts;
pub mod selfplay;
#[cfg(test)]
mod tests;
pub mod uct;

use crate::game::{Game, GameError};
use crate::machine::{MoveId, State, StateMachine};
use crate::propagate::playout;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism, SplitMix64, derive_seed};

/// Who plays.
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
    /// Alpha-beta where the game is one for it, else UCT.
    AlphaBeta,
}

impl Kind {
    /// All of them, by name.
    pub const NAMES: [(&str, Self); 5] = [
        ("legal", Self::Legal),
        ("random", Self::Random),
        ("montecarlo", Self::MonteCarlo),
        ("uct", Self::Uct),
        ("alphabeta", Self::AlphaBeta),
    ];

    /// The player of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| *n == name).map(|&(_, kind)| kind)
    }
}

/// Plays one role of one game; keeps what it learnt from move to move.
pub struct GamePlayer {
    game: Arc<Game>,
    kind: Kind,
    role: usize,
    seed: u64,
    moves: u64,
    parallelism: Parallelism,
    machine: Box<dyn StateMachine + Send>,
    tree: Option<uct::Uct>,
}

/// A move, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub id: MoveId,
    /// Its canonical spelling.
    pub text: String,
    /// The expected goal of the role, 0 to 100, if the player has an opinion.
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
        Ok(Self { game, kind, role, seed, moves: 0, parallelism, machine, tree: None })
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
            _ if legal.len() == 1 && self.kind != Kind::Uct => Ok(plain(first)),
            Kind::Random => Ok(plain(legal[SplitMix64::new(seed).below(legal.len() as u32) as usize])),
            Kind::MonteCarlo => self.flat(state, &legal, seed, budget),
            Kind::AlphaBeta if alphabeta::fits(self.machine.as_mut())? => {
                self.machine.enter(state)?;
                let found = alphabeta::search(self.machine.as_mut(), state, budget)?;
                Ok(Choice {
                    id: found.best[role],
                    text: self.machine.move_text(role, found.best[role]),
                    value: Some(if role == 0 { found.value } else { 100.0 - found.value }),
                    spent: found.nodes,
                    solved: found.exact,
                })
            }
            Kind::Uct | Kind::AlphaBeta => self.search(state, seed, budget),
        }
    }

    fn search(&mut self, state: &State, seed: u64, budget: &Budget) -> Result<Choice, GameError> {
        let known = self.tree.take().and_then(|mut tree| tree.move_root(state).then_some(tree));
        let mut tree = match known {
            Some(tree) => tree,
            None => uct::Uct::new(&self.game, state, seed, Budget::default())?,
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

    /// The state after a move of ours and any moves of the others.
    fn with_random_others(
        &mut self,
        state: &State,
        id: MoveId,
        rng: &mut SplitMix64,
    ) -> Result<State, GameError> {
        self.machine.enter(state)?;
        let mut joint = Vec::new();
        for role in 0..self.machine.roles().len() {
            let moves = self.machine.legal(role)?;
            let any = rng.below(moves.len().max(1) as u32) as usize;
            joint.push(if role == self.role { id } else { moves.get(any).copied().unwrap_or(0) });
        }
        Ok(self.machine.successor(&joint)?)
    }

    /// Flat Monte Carlo: every move gets the same share of playouts, the others' moves are random.
    fn flat(
        &mut self,
        state: &State,
        legal: &[MoveId],
        seed: u64,
        budget: &Budget,
    ) -> Result<Choice, GameError> {
        let mut rollouts = rollouts::Rollouts::new(&self.game, seed)?;
        rollouts.set_stop(budget.stop.clone());
        let mut rng = SplitMix64::new(seed);
        let mut sums = vec![(0.0, 0_u64); legal.len()];
        let mut spent = 0;
        'outer: loop {
            for (n, &id) in legal.iter().enumerate() {
                if spent > 0 && (budget.stop.now() || budget.visits.is_some_and(|v| spent >= v)) {
                    break 'outer;
                }
                let next = match self.with_random_others(state, id, &mut rng) {
                    Err(error) if error.is_stopped() => break 'outer,
                    next => next?,
                };
                let value = rollouts.values(std::slice::from_ref(&next), rng.next_u64())?[0][self.role];
                sums[n].0 += value;
                sums[n].1 += 1;
                spent += 1;
            }
        }
        let mean = |n: &usize| if sums[*n].1 == 0 { 0.0 } else { sums[*n].0 / sums[*n].1 as f64 };
        let best = (0..legal.len()).rev().max_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap_or(0);
        Ok(Choice {
            id: legal[best],
            text: self.machine.move_text(self.role, legal[best]),
            value: Some(mean(&best)),
            spent,
            solved: false,
        })
    }
}

/// The longest playout at a leaf.
pub(crate) const MAX_PLAYOUT: usize =
    if playout::MAX_LENGTH < 500 { playout::MAX_LENGTH as usize } else { 500 };
