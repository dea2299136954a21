use super::*;
use crate::board::{Board, Color, Vertex};
use crate::dragons::{CaveMap, DragonMap, EyeMap};
use crate::effort::{EyeLimits, Limits};
use crate::influence::SecondInfluence;
use crate::moves::MoveList;
use crate::publish::Stone;
use crate::tactics::TacticsMap;
use crate::world::{At, BoardSlot, OnBoard};
use crate::worms::WormMap;
use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings};

fn board_with(size: usize, stones: &[(&str, Color)]) -> Position {
    let mut board = Board::new(size);
    for &(at, color) in stones {
        let v = Vertex::from_gtp(at, size).expect("a vertex");
        board.play(color, v).expect("a legal move");
    }
    Position::new(board, Color::Black)
}

/// The stones on the published points of a slot, by vertex.
fn published(engine: &mut GoEngine, slot: u32) -> Vec<(Vertex, Color)> {
    let world = engine.world_mut();
    let mut points = world.query::<(&OnBoard, &At, &Stone)>();
    let mut stones: Vec<(Vertex, Color)> = points
        .iter(world)
        .filter(|(of, ..)| of.0 == BoardSlot(slot))
        .filter_map(|(_, at, stone)| Some((at.0, stone.0?)))
        .collect();
    stones.sort_by_key(|(v, _)| *v);
    stones
}

fn count_points(engine: &mut GoEngine) -> usize {
    let world = engine.world_mut();
    world.query::<&At>().iter(world).count()
}

#[test]
fn slots_pass_from_position_to_position_of_any_size_without_new_points() {
    let mut engine = GoEngine::new(2);
    assert!(engine.position(0).is_none());
    engine.put(0, board_with(19, &[("Q16", Color::Black)]));
    engine.put(1, board_with(5, &[("C3", Color::White)]));
    engine.analyse(AnalyseSystems::Read);
    assert_eq!(count_points(&mut engine), 361 + 25);
    let entities = engine.world().entities().len();
    for (size, at) in [(9, "E5"), (19, "D4"), (2, "A1"), (19, "T19")] {
        engine.put(0, board_with(size, &[(at, Color::White)]));
        engine.analyse(AnalyseSystems::Read);
        let v = Vertex::from_gtp(at, size).expect("a vertex");
        assert_eq!(published(&mut engine, 0), [(v, Color::White)]);
        assert_eq!(count_points(&mut engine), size * size + 25);
    }
    assert_eq!(engine.world().entities().len(), entities, "the steady state spawns nothing");
    engine.clear(1);
    assert_eq!(count_points(&mut engine), 361);
    assert!(engine.position(1).is_none());
}

#[test]
fn results_are_there_for_the_stages_reached_and_gone_with_a_new_position() {
    let mut engine = GoEngine::new(1);
    engine.put(0, board_with(9, &[]));
    engine.analyse(AnalyseSystems::Worms);
    assert!(engine.result::<Position>(0, AnalyseSystems::Worms).is_some());
    assert!(engine.result::<Position>(0, AnalyseSystems::Tactics).is_none());
    engine.put(0, board_with(9, &[]));
    assert!(engine.result::<Position>(0, AnalyseSystems::Worms).is_none());
}

#[test]
fn the_whole_schedule_has_no_ambiguity() {
    let mut engine = GoEngine::new(1);
    engine.world_mut().schedule_scope(Analyse, |world, schedule| {
        schedule.initialize(world).expect("an unambiguous schedule");
    });
}

/// A game cut short: moves here and there, by a generator of their own.
fn midgame(size: usize, seed: u64) -> Position {
    let (mut board, mut color) = (Board::new(size), Color::Black);
    let mut random = tengen_core::SplitMix64::new(seed);
    for _ in 0..size * size / 2 {
        let v = Vertex::from_index(random.below((size * size) as u32) as usize, size);
        if board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    Position::new(board, color)
}

/// All that an analysis found about the position on a slot.
fn found(engine: &GoEngine, slot: usize) -> String {
    fn text<T: Component + std::fmt::Debug>(engine: &GoEngine, slot: usize) -> String {
        format!("{:?}", engine.result::<T>(slot, AnalyseSystems::MoveEvaluation).expect("the last stage"))
    }
    [
        text::<WormMap>(engine, slot),
        text::<TacticsMap>(engine, slot),
        text::<EyeMap>(engine, slot),
        text::<DragonMap>(engine, slot),
        text::<CaveMap>(engine, slot),
        text::<SecondInfluence>(engine, slot),
        text::<MoveList>(engine, slot),
    ]
    .concat()
}

#[test]
fn results_depend_neither_on_the_order_of_systems_nor_on_slots_nor_on_who_was_there_before() {
    let positions: Vec<Position> = (0..3).map(|i| midgame([7, 5, 6][i], i as u64)).collect();
    let alone: Vec<String> = positions
        .iter()
        .map(|position| {
            let mut engine = GoEngine::new(1);
            engine.put(0, position.clone());
            engine.analyse(AnalyseSystems::MoveEvaluation);
            found(&engine, 0)
        })
        .collect();
    for seed in 0..3 {
        let mut engine = GoEngine::new(3);
        // All orders of systems that the schedule allows.
        let mut schedules = engine.world_mut().resource_mut::<Schedules>();
        schedules.get_mut(Analyse).expect("the schedule").set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            shuffle_seed: Some(seed),
            ..ScheduleBuildSettings::default()
        });
        for turn in 0..2 {
            let of = |slot: usize| (slot * (1 + seed as usize % 2) + turn) % 3;
            (0..3).for_each(|slot| engine.put(slot, positions[of(slot)].clone()));
            engine.analyse(AnalyseSystems::MoveEvaluation);
            for slot in 0..3 {
                assert!(found(&engine, slot) == alone[of(slot)], "seed {seed}, turn {turn}, slot {slot}");
            }
        }
    }
}

#[test]
fn every_system_of_an_analysis_is_timed() {
    let mut engine = GoEngine::new(3);
    engine.put(0, board_with(9, &[]));
    engine.put(2, board_with(9, &[]));
    let recorder = tengen_core::profiler::Recorder::default();
    recorder.scope(|| engine.analyse(AnalyseSystems::Read));
    let profile = tengen_core::profiler::Profile::of(&recorder.names(), &recorder.take());
    assert_eq!(profile.runs, 1);
    assert!(profile.rows.iter().all(|s| s.items == 2));
    assert!(profile.rows.iter().any(|s| s.name.ends_with("publish_points")));
}

#[test]
fn more_effort_reads_more_of_a_position_and_leaves_nothing_behind_for_less() {
    let position = midgame(9, 4);
    let analysed = |engine: &mut GoEngine| {
        engine.put(0, position.clone());
        engine.analyse(AnalyseSystems::MoveEvaluation);
        let tactics = engine.result::<TacticsMap>(0, AnalyseSystems::Tactics).expect("the stage");
        (tactics.worms.iter().map(|worm| worm.nodes).sum::<u64>(), found(engine, 0))
    };
    let more = Effort {
        strings: Limits { second_nodes: 500, threat_nodes: 500, ..Limits::default() },
        eyes: EyeLimits::default(),
        ..Effort::default()
    };
    let (few, less_found) = analysed(&mut GoEngine::new(1));
    let mut engine = GoEngine::new(1).effort(more);
    let (many, more_found) = analysed(&mut engine);
    assert!(many > few && more_found != less_found, "{many} against {few} positions of reading");
    let mut engine = engine.effort(Effort::default());
    assert!(analysed(&mut engine) == (few, less_found), "as if it had never read more");
    let mut engine = engine.effort(more);
    assert!(analysed(&mut engine) == (many, more_found), "and the other way round");
}

#[test]
fn stages_that_were_reached_are_not_run_again_and_moves_of_either_side_follow_from_them() {
    let position = midgame(9, 5);
    let other = Position { to_move: position.to_move.other(), ..position.clone() };
    let whole = |position: &Position| {
        let mut engine = GoEngine::new(1);
        engine.put(0, position.clone());
        engine.analyse(AnalyseSystems::MoveEvaluation);
        found(&engine, 0)
    };
    let mut engine = GoEngine::new(1);
    engine.put(0, position.clone());
    for stage in [AnalyseSystems::Tactics, AnalyseSystems::Dragons, AnalyseSystems::MoveEvaluation] {
        engine.extend(stage);
    }
    assert!(found(&engine, 0) == whole(&position), "stage by stage");
    engine.turn(0, other.to_move);
    assert!(
        engine.reached(AnalyseSystems::SecondInfluence) && !engine.reached(AnalyseSystems::MoveEvaluation)
    );
    engine.extend(AnalyseSystems::MoveEvaluation);
    assert!(found(&engine, 0) == whole(&other), "the other side's moves");
}
