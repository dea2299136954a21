//! The entities of a board, reused from analysis to analysis.

use crate::world::{BoardSlot, Cleared, OnBoard};
use bevy_ecs::bundle::NoBundleEffect;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

/// The entities of a board by kind. Written by the systems of this module.
#[derive(Component, Clone, Debug, Default)]
pub struct Units {
    /// [`Worm`](super::Worm)s.
    pub worms: Pool,
    /// [`Cavity`](super::Cavity)s.
    pub cavities: Pool,
    /// [`Dragon`](super::Dragon)s.
    pub dragons: Pool,
    /// [`Cave`](super::Cave)s.
    pub caves: Pool,
    /// [`Eye`](super::Eye)s.
    pub eyes: Pool,
    /// [`Source`](super::Source)s.
    pub sources: Pool,
    /// [`Move`](super::Move)s.
    pub moves: Pool,
}

/// The observer of a slot that loses its position: takes all its entities out of sight.
pub(super) fn retire_units(cleared: On<Cleared>, mut units: Query<&mut Units>, mut commands: Commands) {
    let Ok(mut units) = units.get_mut(cleared.entity) else { return };
    let Units { worms, cavities, dragons, caves, eyes, sources, moves } = &mut *units;
    for pool in [worms, cavities, dragons, caves, eyes, sources, moves] {
        for &entity in pool.live() {
            commands.entity(entity).insert(Disabled);
        }
        pool.live = 0;
    }
}

/// The entities of one kind on one board: those in use, in the order of the dense map, then the free ones.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    entities: Vec<Entity>,
    live: usize,
}

impl Pool {
    /// The entities in use, in the order of the dense map.
    #[must_use]
    pub fn live(&self) -> &[Entity] {
        &self.entities[..self.live]
    }

    /// Gives the entities these values, one bundle each: first the used ones, then free ones, then new ones.
    pub(super) fn refill<B: Bundle<Effect: NoBundleEffect>>(
        &mut self,
        commands: &mut Commands,
        slot: BoardSlot,
        bundles: impl IntoIterator<Item = B>,
    ) {
        let mut bundles = bundles.into_iter();
        let old = self.live;
        let again: Vec<(Entity, B)> = self.entities.iter().copied().zip(bundles.by_ref()).collect();
        self.live = again.len();
        for &entity in self.entities.get(old..self.live).unwrap_or_default() {
            commands.entity(entity).remove::<Disabled>();
        }
        for &entity in self.entities.get(self.live..old).unwrap_or_default() {
            commands.entity(entity).insert(Disabled);
        }
        commands.insert_batch(again);
        for bundle in bundles {
            self.entities.push(commands.spawn((OnBoard(slot), bundle)).id());
            self.live += 1;
        }
    }
}
