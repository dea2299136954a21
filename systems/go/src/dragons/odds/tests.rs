use super::*;
use crate::board::{Board, Color};
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
fn only_what_life_and_death_or_a_race_says_is_contradicted_and_what_was_read_to_its_end_only_if_it_was_lost()
{
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
    let survival = Survival::of(&board, &map, 16);
    for number in 0..map.dragons.len() {
        for rule in [Rule::LifeAndDeath, Rule::Tactics, Rule::Semeai, Rule::Eyes] {
            for status in [Status::Alive, Status::Critical, Status::Dead, Status::Unknown] {
                for proved in [false, true] {
                    let mut map = map.clone();
                    let dragon = &mut map.dragons[number];
                    (dragon.rule, dragon.status) = (rule, status);
                    (dragon.owl.attack.certain, dragon.owl.defense.certain) = (proved, proved);
                    let Some(claim) = claim(&map, number, &survival, board.size()) else { continue };
                    assert_eq!(claim.basis, Rule::Odds);
                    assert!(matches!(rule, Rule::LifeAndDeath | Rule::Semeai));
                    assert!(claim.status != status && claim.status != Status::Critical);
                    assert!(!proved || rule == Rule::Semeai || claim.status == Status::Alive);
                }
            }
        }
    }
}

#[test]
fn what_survives_and_has_friends_is_never_likelier_to_die_nor_by_its_owners_first_move() {
    assert!(WEIGHTS.iter().all(|w| w.is_finite()));
    let weight = |at: usize| WEIGHTS[at];
    assert!(weight(12) + weight(13) < 0.0 && weight(14) < 0.0, "survival and the first move");
    assert!(weight(5) < 0.0, "friends");
    assert!(weight(9) < weight(10), "critical and dead");
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
