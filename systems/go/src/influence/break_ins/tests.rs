//! Tests of break-ins into territories.

use super::*;
use crate::moves::MoveList;
use crate::{GoEngine, Level, goban};

/// White has the lower side; Black can go through the gap in the wall.
fn gap() -> Board {
    let (board, _) = goban!(
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . X . . X . . .",
        ". . . . X . . . .",
        "O O X . . X . . .",
        ". . O O . O X . X",
        ". . . . . . O O .",
        ". . . . . . . . .",
        ". . . . . . . . ."
    );
    board
}

fn analysed(to_move: Color, level: Level) -> GoEngine {
    let mut engine = GoEngine::new(1).effort(Effort::of(level));
    engine.put(0, Position::new(gap(), to_move));
    engine.analyse(AnalyseSystems::SecondInfluence);
    engine
}

/// Whose E2 is with this player to move.
fn owner(engine: &GoEngine, to_move: Color) -> Option<Color> {
    let second = engine.result::<SecondInfluence>(0, AnalyseSystems::SecondInfluence).expect("an analysis");
    second.maps[to_move.index()].whose_territory(Vertex::new(7, 4, 9))
}

#[test]
fn with_no_intruders_nothing_is_broken_into() {
    let engine = analysed(Color::Black, Level::Quick);
    assert_eq!(engine.result::<BreakIns>(0, AnalyseSystems::SecondInfluence), Some(&BreakIns::default()));
    assert_eq!(owner(&engine, Color::Black), Some(Color::White));
}

#[test]
fn what_is_broken_into_is_nobodys_if_the_intruder_moves_first() {
    let engine = analysed(Color::Black, Level::Normal);
    let found = &engine.result::<BreakIns>(0, AnalyseSystems::SecondInfluence).expect("an analysis").0;
    let gap = found.first().expect("a break-in");
    assert_eq!(gap.owner, Color::White);
    assert_eq!([gap.break_in.point, gap.block_off.point], [Vertex::new(5, 4, 9); 2]);
    assert!(found.iter().any(|b| b.lost.contains(&Vertex::new(7, 4, 9))));
    assert_eq!(owner(&engine, Color::Black), None);
    assert_eq!(owner(&engine, Color::White), Some(Color::White));
}

#[test]
fn without_the_stage_moves_are_valued_by_influence_alone() {
    use bevy_app::PluginGroup as _;
    let plugins = crate::GoPlugins.build().disable::<BreakInsPlugin>();
    let mut engine = GoEngine::with_plugins(1, plugins);
    engine.put(0, Position::new(gap(), Color::Black));
    engine.analyse(AnalyseSystems::MoveEvaluation);
    assert_eq!(owner(&engine, Color::Black), Some(Color::White));
    assert!(
        !engine.result::<MoveList>(0, AnalyseSystems::MoveEvaluation).expect("moves").candidates.is_empty()
    );
}
