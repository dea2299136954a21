//! The World: boards as slots that positions pass through.

use bevy_ecs::prelude::*;

/// A board slot of the batch, and its number: the stable sort key of everything on it. A module registers its own
/// component as required by this one, so that every slot has it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(immutable)]
pub struct BoardSlot(pub u32);
