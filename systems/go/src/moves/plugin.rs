//! The system of the schedule that finds and values the moves of every board.

use super::facts::Facts;
use super::generators;
use super::reason::Candidate;
use super::shape::Likely;
use super::valuation::{self, Tools};
use crate::dragons::DragonMap;
use crate::effort::Effort;
use crate::influence::{BreakIns, FirstInfluence, SecondInfluence, StoneStatuses};
use crate::memory::ReadingMemory;
use crate::patterns::PatternDatabases;
use crate::schedule::{Analyse, AnalyseSystems};
use crate::tactics::TacticsMap;
use crate::world::{BoardSlot, Position};
use crate::worms::WormMap;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// The candidate moves of the side to move, with reasons and values, in vertex order. Written by [`MovesPlugin`].
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct MoveList {
    /// Candidates in vertex order.
    pub candidates: Vec<Candidate>,
    /// Questions about the safety of moves that the node limit cut off.
    pub cut_off: u64,
}

/// Finds the moves of every board and their values.
///
/// Reads [`Position`], [`WormMap`], [`TacticsMap`], [`DragonMap`], [`FirstInfluence`], [`StoneStatuses`],
/// [`SecondInfluence`], [`BreakIns`], [`PatternDatabases`]; writes [`MoveList`]; runs in [`AnalyseSystems::MoveEvaluation`].
pub struct MovesPlugin;

impl Plugin for MovesPlugin {
    fn build(&self, app: &mut App) {
        // The break-ins ask for it too, and either plugin may be there without the other.
        let _ = app.try_register_required_components::<BoardSlot, BreakIns>();
        app.init_resource::<PatternDatabases>()
            .register_required_components::<BoardSlot, MoveList>()
            .add_systems(Analyse, evaluate_moves.in_set(AnalyseSystems::MoveEvaluation));
    }
}

type Boards<'a> = (
    &'a Position,
    &'a WormMap,
    &'a TacticsMap,
    &'a DragonMap,
    &'a FirstInfluence,
    &'a StoneStatuses,
    &'a SecondInfluence,
    &'a BreakIns,
    &'a mut MoveList,
);

fn evaluate_moves(
    mut boards: Query<Boards<'_>>,
    databases: Res<PatternDatabases>,
    effort: Res<Effort>,
    memory: Res<ReadingMemory>,
    mut tools: Local<Tools>,
) {
    tools.read_under(&effort, &memory);
    for (position, worms, tactics, dragons, first, statuses, second, break_ins, mut list) in &mut boards {
        let color = position.to_move;
        let facts = Facts {
            board: &position.board,
            color,
            worms,
            tactics,
            dragons,
            first,
            second,
            break_ins,
            databases: &databases,
        };
        if statuses.0[0].len() != position.board.padded_len() || !second.covers(&position.board) {
            *list = MoveList::default();
            continue;
        }
        let before = tools.cut_off();
        list.candidates = evaluate(&facts, &mut tools);
        list.cut_off = tools.cut_off() - before;
    }
}

/// The candidates of a position with their values.
pub fn evaluate(facts: &Facts<'_>, tools: &mut Tools) -> Vec<Candidate> {
    let likely = Likely::new(facts);
    let mut candidates = generators::generate(facts, &likely);
    valuation::value(facts, &likely, tools, &mut candidates);
    candidates
}
