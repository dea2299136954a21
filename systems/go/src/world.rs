//! The board slots of the World: entities that hold the analysed positions, each with one entity for every point of its
//! board.
//!
//! A slot is spawned once and never despawned; [`put`] gives it the next position. Kernels work on the dense components
//! of the slot, one for each module. Queries use the entities of points, worms, dragons and moves. The module `publish`
//! writes these entities once in each analysis, and they stay the same until the next one. A slot without a position,
//! and all its entities, carry bevy's `Disabled`, so that no query sees them.

use crate::board::{Board, Color, Vertex};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

/// A board slot of the batch, and its number: the stable sort key of everything on it. A module registers its own
/// component as required by this one, so that every slot has it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
#[require(Position, Points)]
pub struct BoardSlot(pub u32);

/// The position on a slot, which every kernel reads. Only [`put`] writes it.
#[derive(Component, Clone, Debug)]
pub struct Position {
    /// Stones, strings, ko, prisoners, history.
    pub board: Board,
    /// The side to move.
    pub to_move: Color,
    /// Points White gets for moving second.
    pub komi: f32,
    /// The last moves, the latest first; a pass where there was none.
    pub past: Past,
}

/// The number of past moves that a position remembers without the history of its board.
pub type Past = [Vertex; 5];

/// The last moves of a board, the latest first.
#[must_use]
pub fn past_of(board: &Board) -> Past {
    past_with(board, [Vertex::PASS; 5])
}

/// The last moves of a board, the latest first, if these moves were played before the history of the board begins.
#[must_use]
pub fn past_with(board: &Board, before: Past) -> Past {
    let mut moves = board.moves().rev().map(|(_, v)| v).chain(before);
    std::array::from_fn(|_| moves.next().unwrap_or(Vertex::PASS))
}

impl Default for Position {
    /// The smallest empty board; a slot has it until its first position.
    fn default() -> Self {
        Self::new(Board::new(crate::board::MIN_SIZE), Color::Black)
    }
}

impl Position {
    /// This board with this player to move, komi 0, and the board's last moves.
    #[must_use]
    pub fn new(board: Board, to_move: Color) -> Self {
        Self { past: past_of(&board), board, to_move, komi: 0.0 }
    }

    /// The same position; its board has no history, so that undo stops here.
    #[must_use]
    pub fn without_history(&self) -> Self {
        Self { board: self.board.without_history(), ..*self }
    }
}

/// The point entities of a slot in vertex order. Entries past size * size are left from a larger board and disabled.
#[derive(Component, Clone, Debug, Default)]
pub struct Points(Vec<Entity>);

impl Points {
    /// The points of a board of this size, in vertex order.
    #[must_use]
    pub fn of_size(&self, size: usize) -> &[Entity] {
        &self.0[..(size * size).min(self.0.len())]
    }
}

/// The slot that an entity (point, worm, dragon, source, move, ...) belongs to.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct OnBoard(pub BoardSlot);

/// The vertex of a point entity. It changes only when a position of another size takes the slot. Written by [`put`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At(pub Vertex);

/// A slot is about to lose its position. A module that keeps entities of the slot observes this and hides them.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct Cleared {
    /// The slot.
    pub entity: Entity,
}

/// Spawns an empty slot.
pub fn spawn_slot(world: &mut World, number: u32) -> Entity {
    world.spawn((BoardSlot(number), Disabled)).id()
}

/// Puts a position on a slot. Points are spawned only when the slot sees a larger board than ever before.
pub fn put(world: &mut World, slot: Entity, position: Position) {
    let size = position.board.size();
    let Ok(mut entity) = world.get_entity_mut(slot) else { return };
    let Some(&number) = entity.get::<BoardSlot>() else { return };
    let was_enabled = !entity.contains::<Disabled>();
    let old_size = entity.get::<Position>().map_or(0, |p| p.board.size());
    if !was_enabled {
        entity.remove::<Disabled>();
    }
    entity.insert(position);
    if was_enabled && old_size == size {
        return;
    }
    let mut points = entity.take::<Points>().unwrap_or_default();
    let wanted = size * size;
    for (index, &point) in points.0.iter().enumerate() {
        let mut point = world.entity_mut(point);
        if index < wanted {
            point.insert(At(Vertex::from_index(index, size))).remove::<Disabled>();
        } else {
            point.insert(Disabled);
        }
    }
    let new = (points.0.len()..wanted).map(|i| (OnBoard(number), At(Vertex::from_index(i, size))));
    let new: Vec<Entity> = world.spawn_batch(new).collect();
    points.0.extend(new);
    world.entity_mut(slot).insert(points);
}

/// Takes the position off a slot. No query sees the slot, its points or its published entities until the next
/// analysis of another position there. Observers of [`Cleared`] run first.
pub fn clear(world: &mut World, slot: Entity) {
    let Some(points) = world.get::<Points>(slot).cloned() else { return };
    world.trigger(Cleared { entity: slot });
    for entity in points.0.into_iter().chain([slot]) {
        world.entity_mut(entity).insert(Disabled);
    }
}
