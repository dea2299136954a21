//! An example of an added system in the whole command line of Tengen. The system counts the stones of both colours, and
//! the occupied neighbours of each vertex.
//!
//! ```text
//! cargo run -p census -- run game.sgf --format json     # result.own.census
//! cargo run -p census -- show game.sgf --own crowd
//! ```

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use serde_json::json;
use std::process::ExitCode;
use tengen::extension::{AppExtensions as _, Cell};
use tengen_go::board::{Color, Vertex};
use tengen_go::schedule::{Analyse, AnalyseSystems};
use tengen_go::world::{BoardSlot, Position};

fn main() -> ExitCode {
    tengen::app().add_plugins(CensusPlugin).run()
}

/// What the system finds, on the entity of each board slot.
#[derive(Component, Clone, Debug, Default)]
struct Census {
    black: usize,
    white: usize,
}

#[derive(Clone)]
struct CensusPlugin;

impl Plugin for CensusPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, Census>()
            .add_systems(Analyse, take_census.in_set(AnalyseSystems::Worms))
            .add_record_column("census", |world, slot| {
                let census = world.get::<Census>(slot)?;
                Some(json!({ "black": census.black, "white": census.white }))
            })
            .add_layer("crowd", "how many of its neighbours are occupied", crowd);
    }
}

/// Writes [`Census`]; runs in [`AnalyseSystems::Worms`].
fn take_census(mut boards: Query<(&Position, &mut Census)>) {
    for (position, mut census) in &mut boards {
        let board = &position.board;
        let count = |color| board.vertices().filter(|&v| board.color_at(v) == Some(color)).count();
        *census = Census { black: count(Color::Black), white: count(Color::White) };
    }
}

/// The layer: a digit a vertex, bright where it is crowded.
fn crowd(world: &World, slot: Entity, v: Vertex) -> Cell {
    let Some(position) = world.get::<Position>(slot) else { return Cell::default() };
    let board = &position.board;
    let occupied = board.neighbors4(v).filter(|&n| board.color_at(n).is_some()).count();
    Cell { text: occupied.to_string(), share: occupied as f32 / 4.0 }
}
