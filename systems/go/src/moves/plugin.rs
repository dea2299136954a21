//! Moves in the schedule.

use super::facts::Facts;
use super::generators;
use super::reason::Candidate;
use super::valuation::{self, Tools};
use crate::dragons::DragonMap;
use crate::effort::Effort;
use crate::influence::{SecondInfluence, StoneStatuses};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::tactics::TacticsMap;
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// The candidate moves of whoever is to move, with reasons and values, in vertex order. Written by [`MovesPlugin`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct MoveList {
    /// Candidates in vertex order.
    pub candidates: Vec<Candidate>,
    /// Questions about the safety of moves that the node limit cut off.
    pub cut_off: u64,
}

/// Finds the moves of every board and what they are worth.
///
/// Reads [`Position`], [`WormMap`], [`TacticsMap`], [`DragonMap`], [`StoneStatuses`], [`SecondInfluence`]; writes
/// [`MoveList`]; runs in [`AnalyseSystems::MoveEvaluation`].
pub struct MovesPlugin;

impl Plugin for MovesPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, MoveList>()
            .add_systems(Analyse, evaluate_moves.in_set(AnalyseSystems::MoveEvaluation));
    }
}

type Boards<'a> = (
    &'a Position,
    &'a WormMap,
    &'a TacticsMap,
    &'a DragonMap,
    &'a StoneStatuses,
    &'a SecondInfluence,
    &'a mut MoveList,
);

fn evaluate_moves(mut boards: Query<Boards<'_>>, effort: Res<Effort>, mut tools: Local<Tools>) {
    tools.read_under(&effort);
    for (position, worms, tactics, dragons, statuses, influence, mut list) in &mut boards {
        let color = position.to_move;
        let facts = Facts {
            board: &position.board,
            color,
            worms,
            tactics,
            dragons,
            influence: &influence.maps[color.other().index()],
            status: &statuses.0[color.other().index()],
        };
        let before = tools.cut_off();
        list.candidates = evaluate(&facts, &mut tools);
        list.cut_off = tools.cut_off() - before;
    }
}

/// The candidates of a position with their values.
pub fn evaluate(facts: &Facts<'_>, tools: &mut Tools) -> Vec<Candidate> {
    if facts.status.len() != facts.board.padded_len() {
        return Vec::new();
    }
    let mut candidates = generators::generate(facts);
    valuation::value(facts, tools, &mut candidates);
    candidates
}
