//! Tests of games between two players of this engine.

use super::{MatchRules, Player, play_game};
use crate::history::Game;

#[test]
fn the_same_seed_plays_the_same_game() {
    let player = Player::of_nodes("a", 300);
    let rules = MatchRules { random_plies: 6, max_plies: 60, ..MatchRules::default() };
    let play = |seed| play_game(&Game::default(), [&player, &player], &rules, seed, |_, _| {});
    let (one, two, other) = (play(5), play(5), play(6));
    assert_eq!(one.game.moves(), two.game.moves());
    assert_ne!(one.game.moves(), other.game.moves());
    assert_eq!(one.scores.len(), one.game.moves().len());
}
