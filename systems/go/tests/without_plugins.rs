//! Tests that the analysis runs without the results of any plugin of `GoPlugins` that is disabled, alone or with
//! another.

use bevy_app::{PluginGroup, PluginGroupBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::dragons::{self, plugin};
use tengen_go::world::Position;
use tengen_go::{AnalyseSystems as S, Effort, GoEngine, GoPlugins, Level};
use tengen_go::{connection, influence, judge, moves, publish, tactics, worms};

type Disable = fn(PluginGroupBuilder) -> PluginGroupBuilder;

macro_rules! plugins {
    ($($plugin:path),* $(,)?) => {
        [$((stringify!($plugin), (|group: PluginGroupBuilder| group.disable::<$plugin>()) as Disable)),*]
    };
}

fn all() -> [(&'static str, Disable); 20] {
    plugins![
        worms::WormsPlugin,
        judge::JudgePlugin,
        tactics::TacticsPlugin,
        connection::CutStonesPlugin,
        influence::FirstInfluencePlugin,
        dragons::DragonsPlugin,
        plugin::EyeSpacesPlugin,
        plugin::JoinStringsPlugin,
        plugin::MeasureDragonsPlugin,
        plugin::EscapesPlugin,
        plugin::LifePlugin,
        plugin::QueriesPlugin,
        plugin::RacesPlugin,
        plugin::PlayoutsPlugin,
        plugin::StatusPlugin,
        dragons::CavesPlugin,
        influence::SecondInfluencePlugin,
        influence::BreakInsPlugin,
        moves::MovesPlugin,
        publish::PublishPlugin,
    ]
}

/// Positions of nine lines and more, from moves that a multiplier draws; the last has only a few stones.
fn positions() -> Vec<Position> {
    (0..10_u64)
        .map(|n| {
            let size = [9, 9, 11, 13][n as usize % 4];
            let (mut board, mut color, mut x) = (Board::new(size), Color::Black, 7 + n);
            for _ in 0..(12 * n) {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let v = Vertex::from_index((x >> 33) as usize % (size * size), size);
                if board.play(color, v).is_ok() {
                    color = color.other();
                }
            }
            Position::new(board, color)
        })
        .collect()
}

/// The stages that are absent without these plugins, after an analysis of each position; or the panic.
fn run(name: &str, group: PluginGroupBuilder, positions: &[Position]) -> Result<Vec<S>, String> {
    let analysed = catch_unwind(AssertUnwindSafe(|| {
        let mut engine = GoEngine::with_plugins(1, group).effort(Effort::of(Level::Quick));
        let mut absent = Vec::new();
        for position in positions {
            engine.put(0, position.clone());
            engine.analyse(S::MoveEvaluation);
            absent = engine.absent(0);
        }
        absent
    }));
    analysed
        .map_err(|fault| format!("{name}: {}", fault.downcast_ref::<String>().cloned().unwrap_or_default()))
}

#[test]
fn an_analysis_goes_on_without_any_one_plugin() {
    let positions = positions();
    let faults: Vec<String> = all()
        .into_iter()
        .filter_map(|(name, disable)| run(name, disable(GoPlugins.build()), &positions).err())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_analysis_goes_on_without_any_two_plugins() {
    let positions = &positions()[4..6];
    let plugins = all();
    let mut faults = Vec::new();
    for (n, (first, disable)) in plugins.iter().enumerate() {
        for (second, disable_too) in &plugins[..n] {
            let group = disable_too(disable(GoPlugins.build()));
            faults.extend(run(&format!("{first} and {second}"), group, positions).err());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_rests_on_a_disabled_plugin_is_absent_by_name() {
    let positions = &positions()[4..5];
    let absent = |name: &str| {
        let (name, disable) = all().into_iter().find(|(full, _)| full.ends_with(name)).expect("it is listed");
        run(name, disable(GoPlugins.build()), positions).expect("it goes on")
    };
    assert_eq!(run("all", GoPlugins.build(), positions), Ok(Vec::new()));
    for (name, wanted) in [
        (
            "WormsPlugin",
            &[S::Worms, S::FirstInfluence, S::Dragons, S::SecondInfluence, S::MoveEvaluation][..],
        ),
        ("JudgePlugin", &[S::Judge]),
        (
            "TacticsPlugin",
            &[S::Tactics, S::FirstInfluence, S::Dragons, S::SecondInfluence, S::MoveEvaluation],
        ),
        ("FirstInfluencePlugin", &[S::FirstInfluence, S::Dragons, S::SecondInfluence, S::MoveEvaluation]),
        ("DragonsPlugin", &[S::Dragons, S::MoveEvaluation]),
        ("SecondInfluencePlugin", &[S::SecondInfluence, S::MoveEvaluation]),
        ("MovesPlugin", &[S::MoveEvaluation]),
        ("JoinStringsPlugin", &[]),
        ("LifePlugin", &[]),
    ] {
        assert_eq!(absent(name), wanted, "{name}");
    }
}
