use super::*;
use crate::board::{Board, Color};
use crate::{AnalyseSystems, GoEngine};

fn dragons(text: &str) -> DragonMap {
    let (board, _) = Board::from_diagram(text).expect("a good diagram");
    let mut engine = GoEngine::new(1);
    engine.put(0, crate::world::Position::new(board, Color::Black));
    engine.analyse(AnalyseSystems::Dragons);
    engine.result::<DragonMap>(0, AnalyseSystems::Dragons).expect("it was reached").clone()
}

#[test]
fn only_what_life_and_death_says_is_contradicted_and_what_was_read_to_its_end_only_if_it_was_lost() {
    let map = dragons(
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
    for number in 0..map.dragons.len() {
        for rule in [Rule::LifeAndDeath, Rule::Tactics, Rule::Semeai, Rule::Eyes] {
            for status in [Status::Alive, Status::Critical, Status::Dead, Status::Unknown] {
                for proved in [false, true] {
                    let mut map = map.clone();
                    let dragon = &mut map.dragons[number];
                    (dragon.rule, dragon.status) = (rule, status);
                    (dragon.owl.attack.certain, dragon.owl.defense.certain) = (proved, proved);
                    let Some(claim) = claim(&map, number) else { continue };
                    assert_eq!((rule, claim.basis), (Rule::LifeAndDeath, Rule::Odds));
                    assert!(claim.status != status && claim.status != Status::Critical);
                    assert!(!proved || claim.status == Status::Alive);
                }
            }
        }
    }
}

#[test]
fn a_better_way_out_and_more_eyes_never_make_death_likelier_for_what_was_found_alive() {
    let weight = |at: usize| WEIGHTS[at][0];
    assert!(weight(4) < 0.0, "escape route");
    assert!(weight(19) < 0.0, "moyo");
    assert!(WEIGHTS.iter().flatten().all(|w| w.is_finite()));
    // Its owner's moving first is never worse for it.
    assert!(WEIGHTS[27].iter().all(|&w| w < 0.0));
}
