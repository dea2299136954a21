//! What was found becomes columns of the point entities, and entities: the surface for queries.
//!
//! Kernels hand over dense arrays in vertex order; each system here writes one column of all points of a board in
//! one sweep, in the set `Publish`.

use crate::board::Color;
use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{Points, Position};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// The stone on a point. Written by [`PublishPlugin`]'s `publish_stones`.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stone(pub Option<Color>);

/// Writes the columns of the points; runs in [`AnalyseSystems::Publish`].
pub struct PublishPlugin;

impl Plugin for PublishPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Analyse, publish_stones.in_set(AnalyseSystems::Publish));
    }
}

fn publish_stones(boards: Query<(&Position, &Points)>, mut points: Query<&mut Stone>) -> Result {
    for (position, of_board) in &boards {
        let board = &position.board;
        for (v, &point) in board.vertices().zip(of_board.of_size(board.size())) {
            *points.get_mut(point)?.bypass_change_detection() = Stone(board.color_at(v));
        }
    }
    Ok(())
}
