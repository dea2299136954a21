//! The systems of the schedule that measure the worms of every board.

use super::{WormMap, build};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::tactics::TacticsMap;
use crate::tactics::plugin::read_tactics;
use crate::unconditional::UnconditionalMap;
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Finds the worms of every board and measures them.
///
/// Reads [`Position`]; writes [`WormMap`] and [`UnconditionalMap`]; runs in [`AnalyseSystems::Worms`], and in [`AnalyseSystems::Tactics`] after
/// the reading for what depends on it.
pub struct WormsPlugin;

impl Plugin for WormsPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, WormMap>()
            .register_required_components::<BoardSlot, UnconditionalMap>()
            .add_systems(Analyse, (find_worms, find_unconditional_life).in_set(AnalyseSystems::Worms))
            .add_systems(Analyse, settle_lunch.after(read_tactics).in_set(AnalyseSystems::Tactics));
    }
}

fn find_worms(mut boards: Query<(&Position, &mut WormMap)>) {
    for (position, mut worms) in &mut boards {
        *worms = build(&position.board);
    }
}

fn find_unconditional_life(mut boards: Query<(&Position, &mut UnconditionalMap)>) {
    for (position, mut map) in &mut boards {
        *map = UnconditionalMap::build(&position.board);
    }
}

pub(crate) fn settle_lunch(mut boards: Query<(&Position, &TacticsMap, &mut WormMap)>) {
    for (position, tactics, mut worms) in &mut boards {
        let board = &position.board;
        worms.settle_lunch(board, |v| tactics.at(board, v).is_some_and(|t| t.attack.works()));
    }
}
