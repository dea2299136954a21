//! Tests of life-and-death reading of whole boards.

use super::*;

#[test]
fn a_friend_that_is_only_read_to_live_is_not_known_to_live_in_a_race() {
    let board = Board::new(9);
    let at = Vertex::from_gtp("E5", 9).expect("a vertex");
    for (rule, in_race) in [(Rule::LifeAndDeath, false), (Rule::Odds, false), (Rule::Eyes, true)] {
        let dragon = Dragon {
            stones: vec![at],
            status: Status::Alive,
            rule,
            weakness_pre_owl: 1.0,
            ..Dragon::default()
        };
        let map = DragonMap { dragons: vec![dragon], ..DragonMap::default() };
        assert!(known_of_others(&board, &map).0[at.at()]);
        assert_eq!(known_of_race(&board, &map).0[at.at()], in_race, "{rule:?}");
    }
}
