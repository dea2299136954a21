//! Tests of the published suite of repetition cases: its proofs, and the answers of the schemes.

use super::make;
use super::oracle::Oracle;
use super::{Ask, Case};
use crate::exact::reference;
use crate::history::referee::{End, judge, judge_record};
use crate::history::{Game, Policy};
use crate::repetition::Scheme;
use crate::rules::pgn_read;
use std::collections::{BTreeMap, BTreeSet};

const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../resources/chess/repetition/cases.jsonl");

fn cases() -> Vec<Case> {
    std::fs::read_to_string(PUBLISHED)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_published_suite_has_its_groups_and_no_case_twice() {
    let cases = cases();
    assert!(cases.len() >= 400, "{}", cases.len());
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    cases.iter().for_each(|case| *groups.entry(case.group.as_str()).or_default() += 1);
    for (group, wanted) in make::GROUPS {
        assert!(groups[group] <= wanted && groups[group] > 0, "{group}");
    }
    let all: BTreeSet<_> = cases.iter().map(|case| (&case.fen, &case.moves)).collect();
    assert_eq!(all.len(), cases.len());
}

#[test]
fn every_proof_of_a_sample_is_made_again_by_the_slow_reference() {
    for case in cases().iter().step_by(7) {
        let faults = super::prove(case).unwrap();
        assert!(faults.is_empty(), "{}: {faults:?}", case.id);
    }
}

#[test]
fn a_false_answer_is_not_proved() {
    let case = cases().into_iter().find(|case| case.group == "win").unwrap();
    let Ask::Move { proof, .. } = &case.ask else { panic!() };
    let wrong = proof.keys().map(|mv| (mv.clone(), "loss 2".to_owned())).collect();
    let Ask::Move { best, avoid, tempting, .. } = case.ask.clone() else { panic!() };
    let case = Case { ask: Ask::Move { best, avoid, proof: wrong, tempting }, ..case };
    assert!(!super::prove(&case).unwrap().is_empty());
}

#[test]
fn the_exact_schemes_are_right_on_the_published_values() {
    for case in cases().iter().filter(|case| case.group == "value").step_by(3) {
        for scheme in [Scheme::Exact, Scheme::Twin] {
            for threads in [1, 2] {
                assert_eq!(super::wrong_values(case, scheme, threads).unwrap(), 0, "{} {scheme:?}", case.id);
            }
        }
    }
}

#[test]
fn the_oracle_knows_claims_and_the_mate_that_comes_in_time() {
    let setup = crate::rules::fen::parse("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
    let mut oracle = Oracle::new(&setup.board, 99, &[], 1000);
    assert_eq!(oracle.wins_by("a1a8".parse().unwrap(), 3), Some(1));
    assert!(oracle.draws_at_once("a1a7".parse().unwrap()));
    let game = Game::from_text("startpos", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1".split(' ')).unwrap();
    let mut oracle = Oracle::new(&game.start().board, 0, game.moves(), 1000);
    assert_eq!(oracle.to_third().len(), 1);
    assert_eq!((oracle.occurrences(), oracle.clock()), (2, 7));
}

#[test]
fn the_reference_agrees_with_itself_whatever_the_budget() {
    let game = crate::exact::random::game(3);
    let (value, nodes) = reference::value_and_nodes(&game, 4, Policy::B, 1_000_000).unwrap();
    assert_eq!(reference::value(&game, 4, Policy::B, nodes), Some(value));
    assert_eq!(reference::value(&game, 4, Policy::B, nodes - 1), None);
}

#[test]
fn games_are_read_and_judged() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 {back; again} Ng8 3.Nf3 (3. e4 e5) Nf6 $1\n4. Ng1 Ng8 1-0\n\n\
                [Event \"x\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e9 *\n[Event \"{\"]\n\n; all of it\n1. e4 *\n";
    let games = pgn_read::games(text);
    assert_eq!(games.iter().map(|g| g.line).collect::<Vec<_>>(), [1, 8, 13, 14]);
    let first = pgn_read::read(games[0]);
    let verdict = judge_record(&first);
    assert_eq!((verdict.plies, verdict.claims.len(), verdict.agrees), (8, 1, true));
    let claim = &verdict.claims[0];
    assert_eq!((claim.rule, claim.ply, claim.mover, claim.to_move), ("threefold", 8, Some("black"), "white"));
    let second = pgn_read::read(games[1]);
    let verdict = judge_record(&second);
    assert_eq!((verdict.end, verdict.dictated), (Some((End::Checkmate, 4)), Some("0-1")));
    assert!(pgn_read::read(games[2]).fault.is_some_and(|fault| fault.to_string().contains("`e9`")));
}

#[test]
fn the_referee_says_of_random_games_what_the_game_says() {
    for seed in 0..300 {
        let game = crate::exact::random::game(seed);
        let verdict = judge(game.start(), game.moves(), "*");
        let threefold = verdict.claims.iter().any(|claim| claim.rule == "threefold");
        let mut slow = Game::new(game.start().clone());
        let mut stood = slow.occurrences() >= 3;
        for &mv in game.moves() {
            slow.play(mv);
            stood |= slow.occurrences() >= 3;
        }
        assert_eq!(threefold, stood, "seed {seed}");
    }
}

#[test]
fn the_oracle_proves_a_perpetual_check_and_no_check_too_few() {
    // Qe8+ Kh7 Qh5+ Kg8, all forced: the first position stands for the third time after eight plies.
    let setup = crate::rules::fen::parse("6k1/6p1/8/7Q/8/8/q1r5/6K1 w - - 0 1").unwrap();
    let mut oracle = Oracle::new(&setup.board, 0, &[], 100_000);
    let check = "h5e8".parse().unwrap();
    assert_eq!(oracle.draws_by_checks(check, 9), Some(9));
    assert_eq!(oracle.draws_by_checks(check, 7), None);
    assert_eq!(oracle.draws_by_checks("h5e5".parse().unwrap(), 9), None);
}
