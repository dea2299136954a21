//! Influence in the schedule: the pass before dragons are known, and the one after.

use super::{InfluenceMap, Kind, Pass, Spreader, StoneStatus, lively};
use crate::board::Color;
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{BoardSlot, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Influence of all lively stones, dragons not known. Written by [`FirstInfluencePlugin`].
#[derive(Component, Clone, Debug, Default)]
pub struct FirstInfluence {
    /// With Black, with White to move.
    pub maps: [InfluenceMap; 2],
    /// For escape routes, nobody to move.
    pub escape: InfluenceMap,
}

/// Influence with the dragons' strengths. Written by [`SecondInfluencePlugin`].
#[derive(Component, Clone, Debug, Default)]
pub struct SecondInfluence {
    /// With Black, with White to move.
    pub maps: [InfluenceMap; 2],
    /// For escape routes, nobody to move.
    pub escape: InfluenceMap,
}

/// What is known about the stones when dragons are judged: per padded vertex, with Black and with White to move.
/// Written by the dragons; while it is empty all stones are lively.
#[derive(Component, Clone, Debug, Default)]
pub struct StoneStatuses(pub [Vec<StoneStatus>; 2]);

/// Computes [`FirstInfluence`]; runs in [`AnalyseSystems::FirstInfluence`].
pub struct FirstInfluencePlugin;

impl Plugin for FirstInfluencePlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, FirstInfluence>()
            .add_systems(Analyse, first_influence.in_set(AnalyseSystems::FirstInfluence));
    }
}

/// Computes [`SecondInfluence`]; runs in [`AnalyseSystems::SecondInfluence`].
pub struct SecondInfluencePlugin;

impl Plugin for SecondInfluencePlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, SecondInfluence>()
            .register_required_components::<BoardSlot, StoneStatuses>()
            .add_systems(Analyse, second_influence.in_set(AnalyseSystems::SecondInfluence));
    }
}

fn first_influence(mut boards: Query<(&Position, &mut FirstInfluence)>, mut spreader: Local<Spreader>) {
    for (position, mut out) in &mut boards {
        let board = &position.board;
        let status = Color::BOTH.map(|to_move| lively(board, Some(to_move), |_| (false, false)));
        let escape = lively(board, None, |_| (false, false));
        let [black, white, escape] = all_maps(&mut spreader, position, &status, &escape);
        *out = FirstInfluence { maps: [black, white], escape };
    }
}

fn second_influence(
    mut boards: Query<(&Position, &StoneStatuses, &mut SecondInfluence)>,
    mut spreader: Local<Spreader>,
) {
    for (position, statuses, mut out) in &mut boards {
        let board = &position.board;
        let status = if statuses.0[0].len() == board.padded_len() {
            statuses.0.clone()
        } else {
            Color::BOTH.map(|to_move| lively(board, Some(to_move), |_| (false, false)))
        };
        let escape = safe_either_way(&status);
        let [black, white, escape] = all_maps(&mut spreader, position, &status, &escape);
        *out = SecondInfluence { maps: [black, white], escape };
    }
}

/// What stays safe whoever moves.
fn safe_either_way(status: &[Vec<StoneStatus>; 2]) -> Vec<StoneStatus> {
    let pairs = status[0].iter().zip(&status[1]);
    pairs.map(|(a, b)| if a.safe && b.safe { *a } else { StoneStatus::default() }).collect()
}

/// The maps with Black to move, with White to move, and for escape routes.
fn all_maps(
    spreader: &mut Spreader,
    position: &Position,
    status: &[Vec<StoneStatus>; 2],
    escape: &[StoneStatus],
) -> [InfluenceMap; 3] {
    let passes = [
        (Some(Color::Black), Kind::Territorial, status[0].as_slice()),
        (Some(Color::White), Kind::Territorial, &status[1]),
        (None, Kind::Escape, escape),
    ];
    passes.map(|(to_move, kind, status)| {
        let pass = Pass { board: &position.board, to_move, status, kind };
        let field = pass.field();
        pass.compute(spreader, field, Vec::new())
    })
}
