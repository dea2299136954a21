//! Tests of the levels of effort.

use super::*;

#[test]
fn a_level_is_found_by_its_name_and_no_other() {
    for level in Level::ALL {
        assert_eq!(level.name().parse(), Ok(level));
        assert_eq!(Effort::of(level).level, level);
    }
    assert_eq!("fast".parse::<Level>(), Err(UnknownLevel("fast".into())));
}

#[test]
fn a_limit_on_positions_lowers_every_question_and_raises_none() {
    let full = Effort::of(Level::Deep);
    let low = full.at_most(7);
    let nodes = [low.strings.nodes, low.strings.second_nodes, low.constraints.nodes, low.links.nodes];
    assert!(nodes.iter().chain(&[low.safe_move_nodes, low.moves.best_nodes]).all(|&n| n == 7));
    assert_eq!((low.life.nodes, low.race_nodes, low.question.life.nodes), (7, 7, 7));
    assert_eq!(full.at_most(u64::MAX), full);
}
