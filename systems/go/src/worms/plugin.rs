//! Worms in the schedule.

use super::{WormMap, build};
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Finds the worms of every board and measures them.
///
/// Reads [`Position`]; writes [`WormMap`]; runs in [`AnalyseSystems::Worms`].
pub struct WormsPlugin;

impl Plugin for WormsPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, WormMap>()
            .add_systems(Analyse, find_worms.in_set(AnalyseSystems::Worms));
    }
}

fn find_worms(mut boards: Query<(&Position, &mut WormMap)>) {
    for (position, mut worms) in &mut boards {
        *worms = build(&position.board);
    }
}
