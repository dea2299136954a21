//! The meaning of an environment's numbers: actions, columns of observations, and the grid of the game's board.

use super::board::{Grid, find_grid};
use crate::propagate::Topology;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The names behind the numbers of an environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The roles in the order of the rulesheet.
    pub roles: Vec<String>,
    /// The moves of all roles, each spelling once, in the order of the net's inputs.
    pub actions: Vec<String>,
    /// Per role and action the net's input; `None` where the role never has that move.
    pub inputs: Vec<Vec<Option<u32>>>,
    /// Per column of an observation the number of the fact, or [`super::NO_FACT`]: first the planes of the grid, then all
    /// other facts.
    pub columns: Vec<u32>,
    /// The text of each column; empty for [`super::NO_FACT`].
    pub facts: Vec<String>,
    /// The grid, if the game has one.
    pub grid: Option<Grid>,
}

impl Schema {
    /// The schema of a net.
    pub(super) fn new(topology: &Arc<Topology>) -> Self {
        let names = &topology.net.names;
        let mut number: FxHashMap<&str, usize> = FxHashMap::default();
        let mut actions: Vec<String> = Vec::new();
        for text in &names.moves {
            number.entry(text).or_insert_with(|| {
                actions.push(text.clone());
                actions.len() - 1
            });
        }
        let mut inputs = vec![vec![None; actions.len()]; names.roles.len()];
        for (role, of_role) in inputs.iter_mut().enumerate() {
            for input in names.role_start[role]..names.role_start[role + 1] {
                of_role[number[names.moves[input].as_str()]] = Some(input as u32);
            }
        }
        let (grid, columns) = match find_grid(topology) {
            Some((grid, columns)) => (Some(grid), columns),
            None => (None, (0..names.bases.len() as u32).collect()),
        };
        let text = |&fact: &u32| names.bases.get(fact as usize).cloned().unwrap_or_default();
        let facts = columns.iter().map(text).collect();
        Self { roles: names.roles.clone(), actions, inputs, columns, facts, grid }
    }

    /// The number of actions: A.
    #[must_use]
    pub fn action_count(&self) -> usize {
        self.actions.len()
    }

    /// The number of columns of an observation: P.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.len()
    }
}
