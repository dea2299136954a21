//! Tests of the engine: slots, stages, determinism, and further analysis.

use super::*;
use crate::board::{Board, Color, Rules, SuicideRule, Vertex, sgf};
use crate::dragons::life::known_to_dragon;
use crate::dragons::{CaveMap, Dragon, DragonMap, EyeMap, Status};
use crate::effort::{EyeLimits, Level, Limits};
use crate::influence::SecondInfluence;
use crate::moves::MoveList;
use crate::owl::{LifeQuestion, LifeReader};
use crate::publish::{Stone, Units};
use crate::tactics::Code;
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

/// One component of an analysis.
fn found_of<T: Component + std::fmt::Debug>(engine: &GoEngine, slot: usize) -> String {
    format!("{:?}", engine.result::<T>(slot, AnalyseSystems::MoveEvaluation).expect("the last stage"))
}

/// All that an analysis found about the position on a slot.
fn found(engine: &GoEngine, slot: usize) -> String {
    [
        found_of::<WormMap>(engine, slot),
        found_of::<TacticsMap>(engine, slot),
        found_of::<EyeMap>(engine, slot),
        found_of::<DragonMap>(engine, slot),
        found_of::<CaveMap>(engine, slot),
        found_of::<SecondInfluence>(engine, slot),
        found_of::<MoveList>(engine, slot),
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

/// The stones at F7 are dead and those at G7 live by readings that were cut off; questions find both critical.
fn unsure() -> Position {
    let (board, _) = crate::goban!(
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . O X . .",
        ". . . X X O X . .",
        ". . . X . X O . .",
        ". . . O X X O . .",
        ". . . . . . O . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
    );
    Position::new(board, Color::White)
}

/// The dragon at a vertex.
fn dragon<'a>(engine: &'a GoEngine, at: &str) -> &'a Dragon {
    let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("the stage");
    map.at(Vertex::from_gtp(at, 9).expect("a vertex")).expect("a dragon")
}

/// The result of the question whether the dragon at a vertex can be killed.
fn killed(engine: &GoEngine, at: &str) -> Finding {
    let board = &engine.position(0).expect("a position").board;
    let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("the stage");
    let stones = dragon(engine, at).stones.clone();
    let (alive, dead) = known_to_dragon(board, map, &stones);
    let question = LifeQuestion::new(board, &stones, (&alive, &dead), Effort::default().question.life);
    let (attack, defence) = LifeReader::default().attack_and_defend(&question);
    Finding::Life(LifeAnswer { stones, readings: [attack, defence], named: [true, false] })
}

#[test]
fn what_a_question_finds_is_known_to_all_later_stages_until_another_position_comes() {
    let mut engine = GoEngine::new(1);
    engine.put(0, unsure());
    engine.analyse(AnalyseSystems::MoveEvaluation);
    let before = found(&engine, 0);
    let [taken, cut_off] = ["F7", "G7"].map(|at| dragon(&engine, at).clone());
    assert_eq!((taken.status, cut_off.status), (Status::Dead, Status::Alive));
    assert!(!taken.owl.is_sure() && !cut_off.owl.is_sure());
    let findings = ["F7", "G7"].map(|at| killed(&engine, at));

    assert!(engine.refine(0, findings[0].clone()));
    assert!(engine.reached(AnalyseSystems::FirstInfluence) && !engine.reached(AnalyseSystems::Dragons));
    engine.extend(AnalyseSystems::MoveEvaluation);
    assert!(!engine.refine(0, findings[0].clone()), "it is known");
    assert!(engine.reached(AnalyseSystems::MoveEvaluation));
    assert!(engine.refine(0, findings[1].clone()));
    engine.extend(AnalyseSystems::MoveEvaluation);
    for at in ["F7", "G7"] {
        let found = dragon(&engine, at);
        assert_eq!((found.status, found.was_asked()), (Status::Critical, true), "{at}");
    }
    let refined = found(&engine, 0);
    let [second, moves] = [found_of::<SecondInfluence>, found_of::<MoveList>].map(|of| of(&engine, 0));
    assert!(!before.contains(&second) && !before.contains(&moves));

    let mut other = GoEngine::new(1);
    for stages in [AnalyseSystems::Dragons, AnalyseSystems::Read] {
        other.put(0, unsure());
        other.extend(stages);
        assert!(findings.iter().rev().all(|finding| other.refine(0, finding.clone())));
        other.extend(AnalyseSystems::MoveEvaluation);
        assert!(found(&other, 0) == refined, "in the other order, after {stages:?}");
    }
    engine.put(0, midgame(7, 1));
    engine.extend(AnalyseSystems::MoveEvaluation);
    assert!(engine.refine(0, findings[0].clone()), "of no dragon here");
    engine.put(0, unsure());
    engine.extend(AnalyseSystems::MoveEvaluation);
    assert!(found(&engine, 0) == before, "nothing is left of it");
}

#[test]
fn a_string_that_was_asked_about_is_read_as_far_in_the_record() {
    let (board, _) = crate::goban!(
        ". . . . . . . . .",
        ". . . . X X O . .",
        ". X X X O O O . .",
        ". X O O . O . . .",
        ". O O X O X . . .",
        ". . O X O . . . .",
        ". O X X . . X . .",
        ". O X . . . . . .",
        ". . . . . . . . .",
    );
    let [net, safe] = ["F5", "C3"].map(|at| Vertex::from_gtp(at, 9).expect("a vertex"));
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(board.clone(), Color::Black));
    engine.analyse(AnalyseSystems::MoveEvaluation);
    let before = found(&engine, 0);
    let attack = |engine: &GoEngine| {
        let map = engine.result::<TacticsMap>(0, AnalyseSystems::Tactics).expect("the stage");
        map.at(&board, net).expect("a string").attack
    };
    assert_eq!(attack(&engine), Code::Fail);
    assert!(!engine.refine(0, Finding::String(safe)), "the same is found of it");
    assert!(
        found(&engine, 0) == before
            && engine.component::<Units>(0).is_some_and(|units| !units.dragons.live().is_empty())
    );
    assert!(engine.refine(0, Finding::String(net)));
    assert!(engine.reached(AnalyseSystems::Tactics) && !engine.reached(AnalyseSystems::FirstInfluence));
    assert_eq!(attack(&engine), Code::Win);
    assert!(!engine.refine(0, Finding::String(net)), "it is known");
    engine.extend(AnalyseSystems::MoveEvaluation);
    let refined = found(&engine, 0);
    engine.put(0, Position::new(board.clone(), Color::Black));
    engine.refine(0, Finding::String(net));
    engine.extend(AnalyseSystems::MoveEvaluation);
    assert!(found(&engine, 0) == refined, "asked before anything was read");
}

/// All that the stages found, as text.
fn all_found(engine: &GoEngine) -> String {
    let dragons: Option<&DragonMap> = engine.component(0);
    let tactics: Option<&TacticsMap> = engine.component(0);
    let moves: Option<&MoveList> = engine.component(0);
    format!("{dragons:?}{tactics:?}{moves:?}")
}

#[test]
fn no_finding_depends_on_what_is_kept_of_readings() {
    // A game forwards and backwards, set-ups, other sizes, rules, komi and effort, all in one slot.
    let mut random = 3_u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % n
    };
    let mut board = Board::new(9);
    let mut game = vec![Position::new(board.clone(), Color::Black)];
    for number in 0..60 {
        let _ = board.play(Color::BOTH[number % 2], Vertex::from_index(below(81), 9));
        if number % 6 == 0 {
            game.push(Position::new(board.clone(), Color::BOTH[number / 6 % 2]));
        }
    }
    let mut positions = game.clone();
    positions.extend(game.iter().rev().cloned());
    let last = game[game.len() - 1].clone();
    let rules = Rules { suicide: SuicideRule::Allowed, ..Rules::default() };
    positions.push(Position { board: last.board.clone().under(rules), ..last.clone() });
    positions.push(Position { komi: -3.5, ..last.clone() });
    let mut set_up = last.board.clone();
    let stone = set_up.strings().next().expect("a string");
    set_up.remove(stone);
    positions.push(Position::new(set_up, Color::White));
    for size in [1, 25] {
        let mut other = Board::new(size);
        for _ in 0..2 * size {
            let _ = other.play(Color::BOTH[below(2)], Vertex::from_index(below(size * size), size));
        }
        positions.push(Position::new(other, Color::Black));
    }
    positions.push(last);
    let bounds = [0, 1000, 1 << 20];
    let mut engines = bounds.map(|bytes| {
        let mut engine = GoEngine::new(1).effort(Effort::of(Level::Quick));
        engine.keep_readings(ReadingMemory::with_bytes(bytes));
        engine
    });
    for (number, position) in positions.iter().enumerate() {
        let found = engines.each_mut().map(|engine| {
            engine.read_under(Effort::of(if number % 7 == 6 { Level::Normal } else { Level::Quick }));
            engine.put(0, position.clone());
            engine.analyse(AnalyseSystems::MoveEvaluation);
            all_found(engine)
        });
        for (bytes, text) in bounds.iter().zip(&found).skip(1) {
            assert!(*text == found[0], "position {number} with {bytes} bytes\n{}", position.board);
        }
    }
    let kept = engines[2].reading_memory().counts().into_iter().map(|(_, counts)| counts.kept);
    assert!(kept.sum::<u64>() > 50);
    assert!(engines[1].reading_memory().bytes() <= 1000);
}

/// The moves of a 9x9 game. Where suicide is allowed, lines that join Black's stones come back to a position.
const REPEATS: &str = "(;GM[1]SZ[9]RU[Tromp-Taylor];B[ge];W[fe];B[gf];W[he];B[hd];W[hc];B[gc];W[hf];B[hg];W[id];B[gd];W[hb];B[gb];W[ie];B[de]\
;W[gg];B[fg];W[gh];B[hh];W[fh];B[eg];W[eh];B[dh];W[hi];B[ic];W[ib];B[gi];W[fi];B[ig];W[ff];B[dg])";

#[test]
fn connection_reading_ends_where_suicide_repeats_a_position() {
    let tree = sgf::parse(REPEATS.as_bytes()).expect("a record");
    let game = sgf::load(&tree, &tree.line(&[]), sgf::Until::End, Rules::default()).expect("a game");
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(game.board, Color::White));
    engine.analyse(AnalyseSystems::Dragons);
    assert!(
        engine.result::<DragonMap>(0, AnalyseSystems::Dragons).is_some_and(|map| !map.dragons.is_empty())
    );
}
