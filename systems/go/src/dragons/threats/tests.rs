//! Tests of threats: two moves in a row against small groups, and boards without any.

use super::*;
use crate::goban;
use crate::world::Position;
use crate::{AnalyseSystems, GoEngine};

/// The threats of a board, by the origin of the dragon.
fn threats(board: &Board) -> Vec<(String, Threat)> {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(board.clone(), Color::Black));
    engine.analyse(AnalyseSystems::Dragons);
    engine.read_threats(0);
    let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("dragons");
    let found = &engine.component::<Threats>(0).expect("threats").0;
    assert_eq!(found.len(), map.dragons.len());
    map.dragons.iter().zip(found).map(|(d, t)| (d.origin.to_gtp(board.size()), *t)).collect()
}

#[test]
fn a_group_with_four_in_a_row_lives_and_two_moves_in_a_row_kill_it() {
    let board = goban!(
        ". . . . X O .",
        "X X X X X O .",
        "O O O O O O .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . ."
    )
    .0;
    let found = threats(&board);
    let (_, corner) = found.iter().find(|(origin, _)| origin == "E7").expect("the dragon");
    assert_eq!(corner.status, ThreatStatus::CanThreatenAttack, "{found:?}");
    let mut after = board.clone();
    after.play(Color::White, corner.first).expect("legal");
    after.play_ignoring_ko(Color::White, corner.second).expect("legal");
}

#[test]
fn without_dragons_there_is_no_threat_and_the_next_position_forgets_them() {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(Board::new(1), Color::Black));
    engine.analyse(AnalyseSystems::Dragons);
    engine.read_threats(0);
    assert_eq!(engine.component::<Threats>(0), Some(&Threats::default()));
    engine.put(0, Position::new(Board::new(5), Color::Black));
    assert_eq!(engine.component::<Threats>(0), None);
    engine.read_threats(0);
    assert_eq!(engine.component::<Threats>(0), None, "no dragons are known");
}
