//! The entities of a board, reused from analysis to analysis.
//!
//! # Notation
//! A unit is *known* by its origin and its colour. If the previous analysis had a unit with the same origin and colour,
//! the unit keeps its entity.
//!
//! # Steps
//! 1. [`Pool::assign`] gives each unit the entity that it is known by, or a free entity, or a new one.
//! 2. [`Pool::write`] writes a component only where it differs, so `Changed` holds only there. The marker counts as
//!    changed if any component of its entity has changed. A new index alone is no change.
//!
//! # Cost
//! A comparison for each component.

use crate::board::{Color, Vertex};
use crate::world::{BoardSlot, Cleared, OnBoard};
use bevy_ecs::component::Mutable;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use std::collections::{HashMap, HashSet};

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
    /// [`BreakIn`](super::BreakIn)s.
    pub break_ins: Pool,
    /// [`Move`](super::Move)s.
    pub moves: Pool,
}

/// The observer of a slot that loses its position: takes all its entities out of sight.
pub(super) fn retire_units(cleared: On<Cleared>, mut units: Query<&mut Units>, mut commands: Commands) {
    let Ok(mut units) = units.get_mut(cleared.entity) else { return };
    let Units { worms, cavities, dragons, caves, eyes, sources, break_ins, moves } = &mut *units;
    for pool in [worms, cavities, dragons, caves, eyes, sources, break_ins, moves] {
        pool.retire(&mut commands);
    }
}

/// What a unit is known by from analysis to analysis: its origin, and its colour if it has one.
pub(super) type KnownBy = (Vertex, Option<Color>);

/// The entities of one kind on one board: those in use, in the order of the dense map, and the free ones.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    live: Vec<Entity>,
    known_by: Vec<KnownBy>,
    /// Which of those in use were not known before.
    fresh: Vec<bool>,
    free: Vec<Entity>,
}

impl Pool {
    /// The entities in use, in the order of the dense map.
    #[must_use]
    pub fn live(&self) -> &[Entity] {
        &self.live
    }

    /// Takes all entities out of sight.
    fn retire(&mut self, commands: &mut Commands) {
        for &entity in &self.live {
            commands.entity(entity).insert(Disabled);
        }
        self.free.extend(self.live.drain(..).rev());
        self.known_by.clear();
    }

    /// Step 1.
    pub(super) fn assign(
        &mut self,
        commands: &mut Commands,
        slot: BoardSlot,
        units: impl IntoIterator<Item = KnownBy>,
    ) {
        let before = std::mem::take(&mut self.live);
        let mut known: HashMap<KnownBy, Entity> =
            std::mem::take(&mut self.known_by).into_iter().zip(before.iter().copied()).collect();
        self.known_by.extend(units);
        let kept: Vec<Option<Entity>> = self.known_by.iter().map(|unit| known.remove(unit)).collect();
        let in_use: HashSet<Entity> = kept.iter().copied().flatten().collect();
        self.fresh = kept.iter().map(Option::is_none).collect();
        for kept in kept {
            let entity = kept.unwrap_or_else(|| match self.free.pop() {
                Some(free) => commands.entity(free).remove::<Disabled>().id(),
                None => commands.spawn(OnBoard(slot)).id(),
            });
            self.live.push(entity);
        }
        // They serve no unit of this analysis: who refers to one by its entity must see that it is gone.
        for entity in before.into_iter().filter(|entity| !in_use.contains(entity)) {
            commands.entity(entity).insert(Disabled);
            self.free.push(entity);
        }
    }

    /// Step 2: gives the entities in use their markers and facts, in their order.
    pub(super) fn write<M, F>(&self, commands: &mut Commands, units: impl IntoIterator<Item = (M, F)>)
    where
        M: Component<Mutability = Mutable>,
        F: Facts,
    {
        let entities = self.live.iter().copied().zip(self.fresh.iter().copied());
        let units: Vec<_> = entities.zip(units).collect();
        commands.queue(move |world: &mut World| {
            for ((entity, fresh), (marker, facts)) in units {
                let Ok(mut entity) = world.get_entity_mut(entity) else { continue };
                if fresh {
                    entity.insert(marker);
                    facts.insert(&mut entity);
                    continue;
                }
                let differs = facts.write(&mut entity);
                if let Some(mut old) = entity.get_mut::<M>() {
                    *old.bypass_change_detection() = marker;
                    if differs {
                        old.set_changed();
                    }
                }
            }
        });
    }
}

/// The components of a unit, apart from its marker.
pub(super) trait Facts: Send + 'static {
    /// Writes those that differ; whether any does.
    fn write(self, entity: &mut EntityWorldMut<'_>) -> bool;

    /// Writes all.
    fn insert(self, entity: &mut EntityWorldMut<'_>);
}

macro_rules! facts {
    ($($component:ident)*) => {
        impl<$($component: Component<Mutability = Mutable> + PartialEq),*> Facts for ($($component,)*) {
            fn write(self, entity: &mut EntityWorldMut<'_>) -> bool {
                #[expect(non_snake_case, reason = "each variable has the name of its type")]
                let ($($component,)*) = self;
                let mut differs = false;
                $(differs |= match entity.get_mut::<$component>() {
                    Some(mut old) => old.set_if_neq($component),
                    None => {
                        entity.insert($component);
                        true
                    }
                };)*
                differs
            }

            fn insert(self, entity: &mut EntityWorldMut<'_>) {
                #[expect(non_snake_case, reason = "each variable has the name of its type")]
                let ($($component,)*) = self;
                $(entity.insert($component);)*
            }
        }
    };
}

facts!(A B C);
facts!(A B C D);
facts!(A B C D E);
facts!(A B C D E F);
facts!(A B C D E F G H I J K L M N);
facts!(A B C D E F G H I J K L M N O P Q R S T U V W X);
