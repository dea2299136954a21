//! What the rules say about a state that gets a node.

use super::super::rollouts::goal;
use crate::game::GameError;
use crate::machine::{MoveId, State, StateMachine};
use std::sync::Arc;

/// The data of the rules that a new node needs.
pub(super) struct Opened {
    pub(super) state: Arc<State>,
    pub(super) hash: u64,
    /// The legal moves of all roles, one role after the other; none where the game is over.
    pub(super) legal: Vec<MoveId>,
    /// The ends of the roles' ranges.
    pub(super) ends: Vec<u32>,
    /// The goals, if the game is over or cannot go on.
    pub(super) goals: Option<Arc<[f64]>>,
}

impl Opened {
    pub(super) fn of(
        machine: &mut dyn StateMachine,
        state: Arc<State>,
        hash: u64,
    ) -> Result<Self, GameError> {
        machine.enter(&state)?;
        let count = machine.roles().len();
        let terminal = machine.terminal()?;
        let (mut legal, mut ends, mut stuck) = (Vec::new(), Vec::with_capacity(count), false);
        for role in 0..if terminal { 0 } else { count } {
            let moves = machine.legal(role)?;
            stuck |= moves.is_empty();
            legal.extend_from_slice(&moves);
            ends.push(legal.len() as u32);
        }
        let goals =
            (terminal || stuck).then(|| (0..count).map(|r| goal(machine, r).unwrap_or(0.0)).collect());
        Ok(Self { state, hash, legal, ends, goals })
    }
}
