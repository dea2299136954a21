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

#[test]
fn a_board_with_few_dragons_has_more_positions_within_the_limits_asked_for() {
    for (dragons, fields) in [(0, 300_000), (2, 300_000), (5, 128_000), (10, 32_000), (30, 32_000)] {
        assert_eq!(fields_of_board(dragons), fields, "{dragons} dragons");
    }
    let normal = crate::Effort::default();
    let closed = |limits, fields| {
        let LifeLimits { closed, wide_closed, .. } = limits_of_search(limits, fields);
        [closed, wide_closed]
    };
    assert_eq!(closed(normal.life, 32_000), [20_000, 4_000]);
    assert_eq!(closed(normal.life, 45_000), [20_000, 20_000]);
    assert_eq!(closed(normal.life, 128_000), [42_666, 42_666]);
    assert_eq!(closed(normal.life, 300_000), [100_000, 100_000]);
    assert_eq!(closed(normal.at_most(50).life, 300_000), [50, 50]);
    assert_eq!(closed(crate::Effort::of(crate::Level::Quick).life, 300_000), [0, 0]);
}
