//! Tests of position identity, of the draw rules, and of the policies of repetition.

use super::{Game, GameResult, Policy};
use crate::rules::notation::legal_moves;
use crate::test_data::json_suite;
use cozy_chess::Color;
use serde_json::Value;

fn game_of(case: &Value) -> Game {
    let moves = case["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap());
    Game::from_text(case["fen"].as_str().unwrap(), moves).unwrap()
}

/// Legal moves after which the position has occurred as often as `wanted` accepts, sorted.
fn moves_to(game: &Game, wanted: impl Fn(usize) -> bool) -> Vec<String> {
    let mut out = Vec::new();
    for mv in legal_moves(game.board()) {
        let mut next = game.clone();
        next.play(mv);
        if wanted(next.occurrences()) {
            out.push(crate::rules::notation::uci(game.board(), mv, game.chess960()));
        }
    }
    out.sort();
    out
}

fn texts(value: &Value) -> Vec<String> {
    let mut out: Vec<String> =
        value.as_array().unwrap().iter().map(|m| m.as_str().unwrap().to_owned()).collect();
    out.sort();
    out
}

#[test]
fn every_fact_of_the_rules_cases_holds() {
    let Some(suite) = json_suite("repetition.json") else { return };
    for case in suite["rules"].as_array().unwrap().iter().chain(suite["play"].as_array().unwrap()) {
        let facts = &case["facts"];
        if facts.is_null() {
            continue;
        }
        let (game, id) = (game_of(case), &case["id"]);
        let placement = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(placement(&game.fen()), placement(facts["root_fen"].as_str().unwrap()), "{id}");
        assert_eq!(game.occurrences() as u64, facts["occurrences"].as_u64().unwrap(), "{id} occurrences");
        assert_eq!(game.occurrences() >= 3, facts["threefold"].as_bool().unwrap(), "{id} threefold");
        assert_eq!(u64::from(game.clock()), facts["halfmove_clock"].as_u64().unwrap(), "{id} clock");
        assert_eq!(moves_to(&game, |n| n == 2), texts(&facts["moves_to_second"]), "{id} second");
        assert_eq!(moves_to(&game, |n| n >= 3), texts(&facts["moves_to_third"]), "{id} third");
    }
}

#[test]
fn mate_on_the_hundredth_half_move_wins() {
    let game = Game::from_text("7k/8/6K1/8/8/8/8/R7 w - - 99 80", ["a1a8"]).unwrap();
    assert_eq!(game.clock(), 100);
    assert_eq!(game.result_with_claims(), GameResult::Win(Color::White));
    let quiet = Game::from_text("7k/8/6K1/8/8/8/8/R7 w - - 99 80", ["a1a7"]).unwrap();
    assert_eq!(quiet.result_with_claims(), GameResult::FiftyMoves);
    assert_eq!(quiet.result(), GameResult::Ongoing);
}

#[test]
fn the_draw_rules_need_three_five_and_seventy_five() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let games = |n: usize| Game::from_text("startpos", shuffle.iter().copied().cycle().take(4 * n)).unwrap();
    assert_eq!(games(1).result_with_claims(), GameResult::Ongoing);
    assert_eq!(games(2).result_with_claims(), GameResult::Threefold);
    assert_eq!(games(3).result(), GameResult::Ongoing);
    assert_eq!(games(4).result(), GameResult::Fivefold);
    let long = Game::from_text("7k/8/6K1/8/8/8/8/R7 w - - 149 80", ["a1a7"]).unwrap();
    assert_eq!(long.result(), GameResult::SeventyFiveMoves);
}

#[test]
fn bare_kings_one_minor_or_like_bishops_are_dead() {
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
    ];
    for (fen, dead) in cases {
        let game = Game::from_text(fen, []).unwrap();
        assert_eq!(super::game::insufficient_material(game.board()), dead, "{fen}");
    }
}

#[test]
fn the_policies_differ_where_they_should() {
    // The root stands for the second time; Nf3 makes a position that stood once in the game.
    let game = Game::from_text("startpos", ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]).unwrap();
    let mut board = game.board().clone();
    let before = board.clone();
    board.play("f6g8".parse().unwrap());
    for (policy, draw) in [(Policy::A, true), (Policy::B, true), (Policy::R, true), (Policy::T, true)] {
        let mut line = game.line(policy);
        line.push(&before, &board, super::identity(&board));
        assert_eq!(line.repetition().is_some(), draw, "{policy:?}: stood twice in the game");
    }
    let once = Game::from_text("startpos", ["g1f3", "g8f6", "f3g1"]).unwrap();
    for (policy, draw) in [(Policy::A, true), (Policy::B, false), (Policy::R, false), (Policy::T, false)] {
        let mut line = once.line(policy);
        line.push(&before, &board, super::identity(&board));
        assert_eq!(line.repetition().is_some(), draw, "{policy:?}: stood once in the game");
    }
}
