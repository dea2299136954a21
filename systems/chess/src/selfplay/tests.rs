use super::{MatchRules, Player, Sprt, Tally, play_game};
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

#[test]
fn a_tally_becomes_elo_with_an_interval_around_it() {
    let tally = Tally { wins: 60, draws: 20, losses: 20 };
    let (low, middle, high) = tally.elo();
    assert!(low < middle && middle < high);
    assert!((middle - 147.2).abs() < 0.5, "{middle}");
    let few = Tally { wins: 8, draws: 5, losses: 7 };
    assert_eq!(few.decide(Sprt { low: 0.0, high: 20.0 }), None);
    let many = Tally { wins: 600, draws: 200, losses: 200 };
    assert_eq!(many.decide(Sprt { low: 0.0, high: 20.0 }), Some(true));
    assert_eq!(
        Tally { wins: 200, draws: 200, losses: 600 }.decide(Sprt { low: 0.0, high: 20.0 }),
        Some(false)
    );
}
