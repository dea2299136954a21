//! Publishes the findings for queries, as columns of the point entities and as further entities.
//!
//! Kernels work on dense arrays in one component of the board. This module copies them, once in each analysis, to where
//! a query finds them. No kernel reads the copies, so every result is the same without [`PublishPlugin`].
//!
//! | entity | made from | components |
//! | --- | --- | --- |
//! | point ([`At`]) | all maps | [`Stone`], [`WormOf`], [`DragonOf`], [`EyeOf`], [`Influence`], [`Permeability`], [`Territory`], [`Region`], [`Distance`], [`NonTerritory`], [`Lively`], [`EscapeValue`], [`CutPoint`], [`FalseMargin`], [`EyeNeighbors`], [`PatternEffects`] |
//! | [`Worm`] | `WormMap`, `TacticsMap` | [`Origin`], [`StoneColor`], [`Size`], [`EffectiveSize`], [`Liberties`], [`Cutting`], [`Genus`], [`Ko`], [`Inessential`], [`Lunch`], [`Tactics`], [`TacticalPoints`] |
//! | [`Cavity`] | `WormMap` | [`Origin`], [`BorderColor`], [`Size`], [`Ko`] |
//! | [`Dragon`] | `DragonMap` | [`Origin`], [`StoneColor`], [`Size`], [`EffectiveSize`], [`Strings`], [`Eyes`], [`Moyo`], [`Escape`], [`DistanceFour`], [`FriendValue`], [`Surrounded`], [`Lunch`], [`Life`], [`Weakness`], [`WeaknessPreOwl`], [`Neighbors`], [`Hull`], [`OwlReading`], [`Kworms`], [`OwlThreat`], [`Semeai`] |
//! | [`Cave`] | `CaveMap` | [`Origin`], [`BorderColor`], [`Size`], [`DragonOf`], [`Cavities`] |
//! | [`Eye`] | `EyeMap` | [`Origin`], [`StoneColor`], [`Size`], [`EyeWorth`], [`VitalPoints`] |
//! | [`Source`] | the last influence pass | [`Origin`], [`StoneColor`], [`Strength`] |
//! | [`BreakIn`] | `BreakIns` | [`Origin`], [`StoneColor`], [`Intrusion`] |
//! | [`Move`] | `MoveList` | [`Origin`], [`MoveReasons`], [`MoveValue`], [`MoveCauses`] |
//!
//! Every entity except the points has [`OnBoard`](crate::world::OnBoard). Its marker holds its index in the dense map,
//! which is the stable sort key. [`Units`] on the board lists the entities in that order.
//!
//! # Life of an entity
//! A *unit* is a worm, a dragon or another row of the table except the points. A unit keeps its entity from analysis to
//! analysis while its origin and its colour stay the same. An entity without a unit is `Disabled` until another unit
//! needs it. New entities are spawned only when there is no such entity. Findings of a stage that was not requested are
//! absent. After an analysis up to the worms there is no dragon, and its columns say "nothing".
//!
//! # Changes
//! A component is written only where it differs. So `Changed<Dragon>` after an analysis holds for the dragons with any
//! changed component. `Changed<Life>` holds for the dragons with another verdict. `docs/what-changed.md` shows an
//! example.
//!
//! # Cost
//! About 0.1 ms for a board of 19 lines, all of it in the set `Publish`. `tengen profile` counts it as overhead of the
//! ECS, under 0.1 % of an analysis through all stages.

mod points;
mod pool;
mod reached;
mod systems;
#[cfg(test)]
mod tests;
mod units;

pub use crate::territory::Region;
pub use points::{
    CutPoint, Distance, DragonOf, EscapeValue, EyeNeighbors, EyeOf, FalseMargin, Influence, Lively,
    NonTerritory, PatternEffects, Permeability, Stone, Territory, WormOf,
};
pub use pool::{Pool, Units};
pub use units::{
    BorderColor, BreakIn, Cave, Cavities, Cavity, Cutting, DistanceFour, Dragon, EffectiveSize, Escape,
    Escape2, Eye, EyeWorth, Eyes, FriendValue, Genus, HalfEyes, Hull, Inessential, Intrusion, Ko, Kworms,
    Liberties, Life, Lunch, Move, MoveCauses, MoveReasons, MoveValue, Moyo, Neighbors, Origin, OwlReading,
    OwlThreat, Semeai, Size, Source, StoneColor, Strength, Strings, Surrounded, TacticalPoints, Tactics,
    Unconditional, Value, VitalPoints, Vitality, Weakness, WeaknessPreOwl, Worm,
};

use crate::schedule::{Analyse, AnalyseSystems};
use crate::world::{At, BoardSlot};
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;

/// Writes the columns of the points and the entities of every board; runs in [`AnalyseSystems::Publish`]. It may be
/// disabled: then there are dense maps and nothing else.
pub struct PublishPlugin;

impl Plugin for PublishPlugin {
    fn build(&self, app: &mut App) {
        app.register_required_components::<BoardSlot, Units>().register_required_components::<At, Stone>();
        app.add_observer(pool::retire_units).add_systems(
            Analyse,
            (
                systems::publish_worms,
                systems::publish_dragons,
                systems::publish_eyes,
                systems::publish_sources,
                systems::publish_break_ins,
                systems::publish_moves,
                points::publish_points,
            )
                .chain()
                .in_set(AnalyseSystems::Publish),
        );
    }
}
