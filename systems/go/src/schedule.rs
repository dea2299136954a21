//! The schedule [`Analyse`] analyses a batch of positions. This module alone defines the order of its stages.
//!
//! # How a module joins in
//! Each module has a `plugin.rs` with one plugin. The plugin adds the module's component to every board slot and the
//! module's systems to the module's set, and nothing else. [`crate::GoPlugins`] lists all plugins. A user may disable a
//! plugin with `.disable::<P>()` and add another in its place.
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use tengen_go::schedule::{Analyse, AnalyseSystems};
//! use tengen_go::world::BoardSlot;
//!
//! /// What the module finds, dense, in vertex order; `Default` is "nothing yet".
//! #[derive(Component, Default)]
//! struct Census {
//!     slots: u32,
//! }
//!
//! /// Writes [`Census`]; runs in [`AnalyseSystems::Worms`].
//! struct CensusPlugin;
//! impl Plugin for CensusPlugin {
//!     fn build(&self, app: &mut App) {
//!         app.register_required_components::<BoardSlot, Census>()
//!             .add_systems(Analyse, take_census.in_set(AnalyseSystems::Worms));
//!     }
//! }
//!
//! fn take_census(mut boards: Query<(&BoardSlot, &mut Census)>) {
//!     for (slot, mut census) in &mut boards {
//!         census.slots = slot.0;
//!     }
//! }
//! # App::empty().add_plugins((tengen_go::schedule::SchedulePlugin, CensusPlugin));
//! ```

use crate::effort::Effort;
use crate::memory::ReadingMemory;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use serde::{Deserialize, Serialize};
use tengen_core::Parallelism;

/// One analysis of every active board of the World.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Analyse;

/// The sets of [`Analyse`], chained in this order. They are also the stages that a scene may name as the last stage of
/// its analysis.
#[derive(
    SystemSet, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub enum AnalyseSystems {
    /// Positions are put on the boards of the batch, for the stages to analyse.
    Read,
    /// Worms and cavities: every field that needs no reading. Runs after `Read`.
    Worms,
    /// The judge: expected owner, likely moves, lead. Runs after worms and before all reading, so that reading can use
    /// its answer.
    Judge,
    /// Reading: attack and defence of strings. Runs after the judge.
    Tactics,
    /// Influence from lively stones, before dragons are known. Runs after tactics.
    FirstInfluence,
    /// Eyes, amalgamation, escape, surround, status. Runs after the first influence.
    Dragons,
    /// Influence again, weighted by dragon status; territory, moyo, area.
    SecondInfluence,
    /// Candidate moves with reasons and values.
    #[default]
    MoveEvaluation,
    /// The findings become columns of the points and entities. This set always runs after the last requested stage, so
    /// no scene can request it.
    #[serde(skip_deserializing)]
    Publish,
}

impl AnalyseSystems {
    /// All sets in their order.
    pub const ALL: [Self; 9] = [
        Self::Read,
        Self::Worms,
        Self::Judge,
        Self::Tactics,
        Self::FirstInfluence,
        Self::Dragons,
        Self::SecondInfluence,
        Self::MoveEvaluation,
        Self::Publish,
    ];
}

/// The last requested stage: later sets are skipped (except [`AnalyseSystems::Publish`]).
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastStage(pub AnalyseSystems);

/// The last stage that an earlier run of [`Analyse`] reached on these positions. That stage and the stages before it do
/// not run again.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DoneStage(pub Option<AnalyseSystems>);

/// Whether the dragons of these positions are already read, and only results of single questions are new. Then the
/// systems that read them do not run again.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refining(pub bool);

/// Makes the schedule [`Analyse`] with its sets, and no systems. Add it before any module's plugin.
pub struct SchedulePlugin;

impl Plugin for SchedulePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<LastStage>()
            .init_resource::<DoneStage>()
            .init_resource::<Refining>()
            .init_resource::<Effort>()
            .init_resource::<Parallelism>()
            .init_resource::<ReadingMemory>()
            .init_schedule(Analyse);
        app.edit_schedule(Analyse, |schedule| {
            tengen_core::strict(schedule);
            use AnalyseSystems as S;
            schedule.configure_sets(
                (
                    S::Read,
                    S::Worms.run_if(asked(S::Worms)),
                    S::Judge.run_if(asked(S::Judge)),
                    S::Tactics.run_if(asked(S::Tactics)),
                    S::FirstInfluence.run_if(asked(S::FirstInfluence)),
                    S::Dragons.run_if(asked(S::Dragons)),
                    S::SecondInfluence.run_if(asked(S::SecondInfluence)),
                    S::MoveEvaluation.run_if(asked(S::MoveEvaluation)),
                    S::Publish,
                )
                    .chain(),
            );
        });
    }
}

/// The data that a system keeps from board to board while the effort stays. A changed effort replaces it.
pub(crate) fn kept<K: PartialEq, T>(local: &mut Option<(K, T)>, key: K, make: impl FnOnce() -> T) -> &mut T {
    let old = local.take().filter(|(of, _)| *of == key);
    &mut local.insert(old.unwrap_or_else(|| (key, make()))).1
}

/// The run condition of a stage: it is not done yet, and not past the last requested stage.
fn asked(stage: AnalyseSystems) -> impl Fn(Res<DoneStage>, Res<LastStage>) -> bool + Clone {
    move |done, last| stage <= last.0 && done.0.is_none_or(|done| stage > done)
}

#[cfg(test)]
mod tests;
