use super::*;
use crate::board::{Board, Color, Vertex};
use crate::publish::Stone;
use crate::world::{At, BoardSlot, OnBoard};

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

#[test]
fn every_system_of_an_analysis_is_timed() {
    let mut engine = GoEngine::new(3);
    let (recorder, names) = engine.record();
    engine.put(0, board_with(9, &[]));
    engine.put(2, board_with(9, &[]));
    engine.analyse(AnalyseSystems::Read);
    let profile = tengen_core::profiler::Profile::of(&names, &recorder.take());
    assert_eq!(profile.runs, 1);
    assert!(profile.systems.iter().all(|s| s.items == 2));
    assert!(profile.systems.iter().any(|s| s.name.ends_with("publish_stones")));
}
