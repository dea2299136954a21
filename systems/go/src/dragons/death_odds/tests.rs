//! Tests of the odds that a dragon dies.

use super::*;
use crate::board::{Board, Color, Line};
use crate::{AnalyseSystems, GoEngine};

fn dragons(text: &str) -> (Board, DragonMap) {
    let (board, _) = Board::from_diagram(text).expect("a good diagram");
    let mut engine = GoEngine::new(1);
    engine.put(0, crate::world::Position::new(board.clone(), Color::Black));
    engine.analyse(AnalyseSystems::Dragons);
    let map = engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("it was reached").clone();
    (board, map)
}

#[test]
fn only_what_tactics_life_and_death_or_a_race_say_is_contradicted() {
    let (board, map) = dragons(
        ". . . . . . X . .
         . . X . X . X O .
         . X O O . . X O .
         . . X O . X O O .
         . . . X . X O . O
         . X . . . X O O .
         . . . . X O X X O
         . O O . X O O . O
         . . . . X O . O .",
    );
    let survival = Survival::of(&board, &map, 24);
    let mut contradicted = 0;
    for number in 0..map.dragons.len() {
        for rule in [Rule::LifeAndDeath, Rule::Tactics, Rule::Semeai, Rule::Eyes, Rule::Unconditional] {
            for status in [Status::Alive, Status::Critical, Status::Dead, Status::Unknown] {
                let mut map = map.clone();
                let dragon = &mut map.dragons[number];
                (dragon.rule, dragon.status) = (rule, status);
                let Some(claim) = claim(&map, number, &survival, &VertexSet::EMPTY, board.size()) else {
                    continue;
                };
                assert_eq!(claim.basis, Rule::Odds);
                assert!(matches!(rule, Rule::LifeAndDeath | Rule::Tactics | Rule::Semeai));
                assert!(claim.status != status && status != Status::Unknown);
                let has_none = claim.attack.line.is_empty() || claim.defense.line.is_empty();
                assert_eq!(has_none, claim.status != Status::Critical, "a critical dragon has its points");
                contradicted += 1;
            }
        }
    }
    assert!(contradicted > 0);
}

#[test]
fn moves_of_reading_are_tried_out_where_a_dragon_is_critical() {
    // White lives at D1 or is killed there: a bent three in a corner whose walls are closed.
    let (board, mut map) = dragons(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . X X X X . .
         X O O O X . .
         O O . O X . .
         . O . O X . .",
    );
    let number = map.dragons.iter().position(|d| d.color == Color::White).expect("a white dragon");
    map.dragons.iter_mut().for_each(|d| d.status = Status::Alive);
    let dragon = &mut map.dragons[number];
    (dragon.rule, dragon.status) = (Rule::LifeAndDeath, Status::Critical);
    (dragon.owl.attack.line, dragon.owl.defense.line) = (Line::from(Vertex::new(6, 2, 7)), Line::NONE);
    let survival = Survival::of(&board, &map, 24);
    assert!(survival.tried[number][0].is_none(), "a pass is not tried out");
    assert!(survival.tried[number][1].is_some());
    assert!(survival.tried.iter().enumerate().all(|(other, tried)| other == number || *tried == [None; 2]));
}

#[test]
fn what_survives_and_has_friends_is_never_likelier_to_die_nor_by_its_owners_first_move() {
    assert!(WEIGHTS.iter().all(|w| w.is_finite()));
    let weight = |at: usize| WEIGHTS[at];
    assert!(weight(10) < 0.0 && weight(10) + weight(11) < 0.0, "survival");
    assert!(weight(13) < 0.0 && weight(14) < 0.0, "survival of a first move");
    assert!(weight(12) < 0.0, "the first move");
    assert!(weight(4) < 0.0, "friends");
    assert!(weight(7) < weight(8), "critical and dead");
}

#[test]
fn without_playouts_there_are_no_odds_and_boards_that_ask_for_none_are_not_played_out() {
    let (board, map) = dragons(
        ". . . . . . .
         . . . . . . .
         . . X . . . .
         . . . . . . .
         . . . . O . .
         . . . . . . .
         . . . . . . .",
    );
    assert_eq!(Survival::of(&board, &map, 0), Survival::default());
    let mut settled = map;
    settled.dragons.iter_mut().for_each(|d| d.rule = Rule::Unconditional);
    assert_eq!(Survival::of(&board, &settled, 16), Survival::default());
}
