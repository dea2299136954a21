//! Tests of the plugins of dragons: each can be replaced or left out.

use super::*;
use crate::board::Color;
use crate::dragons::{Rule, Status};
use crate::{GoEngine, GoPlugins, goban};

/// Claims that every dragon is dead.
fn give_up(mut boards: Query<(&Measured, &mut LifeClaims)>) {
    for (measured, mut out) in &mut boards {
        let claim = vec![Claim::of(Rule::LifeAndDeath, Status::Dead)];
        out.0 = vec![claim; measured.dragons.dragons.len()];
    }
}

struct GiveUpPlugin;

impl Plugin for GiveUpPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Analyse, give_up.in_set(DragonSystems::ReadLife));
    }
}

#[test]
fn a_user_may_put_a_reading_of_his_own_in_the_place_of_ours_or_leave_it_out() {
    let (board, _) = goban!(
        ". . . . . . .",
        ". . . . . . .",
        ". . X . . . .",
        ". . . . . . .",
        ". . . . O . .",
        ". . . . . . .",
        ". . . . . . .",
    );
    let statuses = |mut engine: GoEngine| {
        engine.put(0, Position::new(board.clone(), Color::Black));
        engine.analyse(AnalyseSystems::SecondInfluence);
        let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("dragons");
        map.dragons.iter().map(|d| (d.status, d.rule)).collect::<Vec<_>>()
    };
    use bevy_app::PluginGroup as _;
    let without = || GoPlugins.build().disable::<LifePlugin>();
    let ours = statuses(GoEngine::new(1));
    assert!(ours.iter().all(|(status, _)| *status == Status::Alive), "{ours:?}");
    // Without playouts no odds contradict him.
    let his = without().disable::<PlayoutsPlugin>().add(GiveUpPlugin);
    let his = statuses(GoEngine::with_plugins(1, his));
    assert_eq!(his, [(Status::Dead, Rule::LifeAndDeath); 2]);
    let none = statuses(GoEngine::with_plugins(1, without()));
    assert_eq!(none, [(Status::Unknown, Rule::None); 2]);
}
