//! The data that a search shows while it runs: its root, the moves there, its tree and its playouts.

use super::{Line, Uct};
use crate::game::Game;
use crate::machine::{MoveId, State};
use std::sync::{Arc, PoisonError};

/// The playouts of a search: the states it played out from, and the sums of what came of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    /// The number of states; one that is played out twice counts twice. With a net there are 64 games from each; with
    /// single games or the prover there is one.
    pub states: u64,
    /// For each role the sum over the states of its mean goal, 0 to 100. Empty before the first playout.
    pub sums: Vec<f64>,
}

impl Played {
    /// Adds a state with the mean goals of its playouts, role by role.
    pub(super) fn add(&mut self, goals: &[f64]) {
        self.states += 1;
        self.add_sums(goals);
    }

    /// Adds the playouts of another job.
    pub(super) fn merge(&mut self, other: &Self) {
        self.states += other.states;
        self.add_sums(&other.sums);
    }

    fn add_sums(&mut self, goals: &[f64]) {
        self.sums.resize(self.sums.len().max(goals.len()), 0.0);
        self.sums.iter_mut().zip(goals).for_each(|(sum, goal)| *sum += goal);
    }

    /// The mean goals of all playouts, role by role.
    #[must_use]
    pub fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.states as f64).collect()
    }
}

/// A move of a role at the root.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The move, its picks and its mean goal. Leaves under way count as picks.
    pub line: Line,
    /// Whether the goal is proven.
    pub is_proven: bool,
    /// The state after the move, once the tree holds it. Only the role with a choice has it, if it is alone with one.
    pub leads_to: Option<&'a Arc<State>>,
}

impl Uct {
    /// The game searched.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The searched state.
    #[must_use]
    pub fn state(&self) -> &Arc<State> {
        self.tree.state(self.root)
    }

    /// The approximate memory of the tree in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// The playouts since the budget was set.
    #[must_use]
    pub fn played(&self) -> &Played {
        &self.played
    }

    /// The moves of a role at the root, in the order of [`Self::lines`].
    pub fn candidates(&self, role: usize) -> impl ExactSizeIterator<Item = Candidate<'_>> {
        self.tree.arms(self.root, role).map(move |(id, arm)| {
            let proven = self.tree.solved_value(self.root, role, arm);
            Candidate {
                line: Line { id, visits: arm.visits, value: proven.unwrap_or_else(|| arm.mean()) },
                is_proven: proven.is_some(),
                leads_to: self.tree.state_after(self.root, role, arm),
            }
        })
    }

    /// A move in canonical spelling.
    #[must_use]
    pub fn move_text(&self, role: usize, id: MoveId) -> String {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner).move_text(role, id)
    }
}
