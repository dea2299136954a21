//! All plugins of the modules, in the order in which they run.

use crate::{connection, dragons, influence, judge, moves, publish, schedule, tactics, worms};
use bevy_app::{PluginGroup, PluginGroupBuilder};

/// All plugins of Go. Each may be disabled, or replaced by a user's plugin. Results that depend on a
/// disabled one are absent, and [`GoEngine::absent`](crate::GoEngine::absent) names them.
///
/// | plugin | set | writes |
/// | --- | --- | --- |
/// | [`schedule::SchedulePlugin`] | | the schedule and its sets |
/// | [`worms::WormsPlugin`] | `Worms` | [`worms::WormMap`] |
/// | [`judge::JudgePlugin`] | `Judge` | [`judge::Judgement`] |
/// | [`tactics::TacticsPlugin`] | `Tactics` | [`tactics::TacticsMap`] |
/// | [`connection::CutStonesPlugin`] | `Tactics` | `cutstone2` of [`worms::WormMap`] |
/// | [`influence::FirstInfluencePlugin`] | `FirstInfluence` | [`influence::FirstInfluence`] |
/// | [`dragons::DragonsPlugin`] | `Dragons` | the sets of the next ten and their components |
/// | [`dragons::plugin::EyeSpacesPlugin`] | `Dragons` | [`dragons::EyeMap`] |
/// | [`dragons::plugin::JoinStringsPlugin`] | `Dragons` | [`dragons::plugin::Groups`], [`dragons::plugin::CuttingPoints`] |
/// | [`dragons::plugin::MeasureDragonsPlugin`] | `Dragons` | [`dragons::plugin::Measured`] |
/// | [`dragons::plugin::EscapesPlugin`] | `Dragons` | [`dragons::plugin::Escapes`] |
/// | [`dragons::plugin::LifePlugin`] | `Dragons` | [`dragons::plugin::LifeClaims`] |
/// | [`dragons::plugin::QueriesPlugin`] | `Dragons` | [`dragons::plugin::QueryClaims`] |
/// | [`dragons::plugin::RacesPlugin`] | `Dragons` | [`dragons::plugin::RaceClaims`] |
/// | [`dragons::plugin::PlayoutsPlugin`] | `Dragons` | [`dragons::plugin::PlayedOut`] |
/// | [`dragons::plugin::StatusPlugin`] | `Dragons` | [`dragons::DragonMap`], [`influence::StoneStatuses`] |
/// | [`dragons::CavesPlugin`] | `Dragons` | [`dragons::CaveMap`] |
/// | [`influence::SecondInfluencePlugin`] | `SecondInfluence` | [`influence::SecondInfluence`] |
/// | [`influence::BreakInsPlugin`] | `SecondInfluence` | [`influence::BreakIns`] |
/// | [`moves::MovesPlugin`] | `MoveEvaluation` | [`moves::MoveList`] |
/// | [`publish::PublishPlugin`] | `Publish` | the columns of the points, and the published entities |
pub struct GoPlugins;

impl PluginGroup for GoPlugins {
    fn build(self) -> PluginGroupBuilder {
        PluginGroupBuilder::start::<Self>()
            .add(schedule::SchedulePlugin)
            .add(worms::WormsPlugin)
            .add(judge::JudgePlugin)
            .add(tactics::TacticsPlugin)
            .add(connection::CutStonesPlugin)
            .add(influence::FirstInfluencePlugin)
            .add_group(dragons::plugin::DragonPlugins)
            .add(dragons::CavesPlugin)
            .add(influence::SecondInfluencePlugin)
            .add(influence::BreakInsPlugin)
            .add(moves::MovesPlugin)
            .add(publish::PublishPlugin)
    }
}
