//! Tests of the exact mode: every repetition scheme is compared with the reference, which has no table.

use super::explain::explain;
use super::{ExactOptions, random, reference, solve, solve_until};
use crate::history::{Game, Policy};
use crate::repetition::{Path, Scheme};
use crate::test_data::json_suite;
use tengen_core::Stop;

/// The number of the suite's cases that a scheme gets right under a policy.
fn share(scheme: Scheme, policy: Policy, upcoming: bool, max_nodes: u64) -> Option<(u32, u32)> {
    let suite = json_suite("repetition.json")?;
    let (mut right, mut all) = (0, 0);
    for case in suite["exact"].as_array().unwrap() {
        if case["nodes"].as_u64().unwrap() > max_nodes {
            continue;
        }
        let moves = case["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap());
        let game = Game::from_text(case["fen"].as_str().unwrap(), moves).unwrap();
        let depth = u32::try_from(case["depth"].as_u64().unwrap()).unwrap();
        let report =
            solve(&game, ExactOptions { depth, policy, scheme, upcoming, ..ExactOptions::default() });
        right += u32::from(i64::from(report.value) == case["exact"][policy.name()].as_i64().unwrap());
        all += 1;
    }
    Some((right, all))
}

#[test]
fn the_exact_schemes_are_right_on_every_case_under_every_policy() {
    for scheme in [Scheme::Exact, Scheme::Twin] {
        for policy in Policy::ALL {
            for upcoming in [false, true] {
                let Some((right, all)) = share(scheme, policy, upcoming, 100_000) else { return };
                assert_eq!(right, all, "{scheme:?}, policy {policy:?}, upcoming {upcoming}");
                assert!(all > 20);
            }
        }
    }
}

#[test]
fn the_naive_table_is_wrong_on_some() {
    let Some((right, all)) = share(Scheme::Walk, Policy::B, false, 2_000_000) else { return };
    assert!(right < all, "the cases no longer tell schemes apart");
}

/// Compares the exact scheme with the reference on random positions; returns the number of comparisons.
fn agree(scheme: Scheme, threads: usize, seeds: std::ops::Range<u64>, budget: u64) -> u32 {
    let mut compared = 0;
    for seed in seeds {
        let game = random::game(seed);
        for policy in Policy::ALL {
            let depth = 4 + (seed % 5) as u32;
            let Some(exact) = reference::value(&game, depth, policy, budget) else { continue };
            let upcoming = seed % 2 == 0;
            // A small table makes entries fight for slots as well.
            let options = ExactOptions { depth, policy, scheme, table_bits: 12, upcoming, threads };
            let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
            let start = game.start().board.to_string();
            assert_eq!(solve(&game, options).value, exact, "seed {seed}: {start} {moves:?}, {options:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn the_exact_schemes_agree_with_the_reference_on_random_positions_with_one_worker_and_two() {
    for (scheme, threads) in [(Scheme::Exact, 1), (Scheme::Exact, 2), (Scheme::Twin, 1), (Scheme::Twin, 2)] {
        assert!(agree(scheme, threads, 0..150, 20_000) > 150);
    }
}

#[test]
#[ignore = "minutes; run once per change of a keeper"]
fn the_exact_scheme_agrees_with_the_reference_on_ten_thousand_random_positions() {
    assert!(agree(Scheme::Exact, 1, 1_000..11_500, 2_000_000) > 40_000);
}

#[test]
fn a_stopped_search_has_no_value_with_one_worker_and_two() {
    for threads in [1, 2] {
        let options = ExactOptions { depth: 30, threads, ..ExactOptions::default() };
        assert_eq!(solve_until(&Game::default(), options, &Stop::when(|| true)), None);
        let options = ExactOptions { depth: 2, threads, ..ExactOptions::default() };
        assert_eq!(solve_until(&Game::default(), options, &Stop::NEVER).map(|r| r.value), Some(0));
    }
}

#[test]
fn a_proof_found_on_another_path_is_replayed_and_stands_now_and_then() {
    let mut replayed = 0;
    for seed in 0..40 {
        let options = ExactOptions { depth: 7, scheme: Scheme::Twin, ..ExactOptions::default() };
        replayed += solve(&random::game(seed), options).replayed;
    }
    assert!(replayed > 100, "{replayed}");
}

#[test]
fn every_confirmed_detector_gives_the_same_values() {
    for seed in 0..60 {
        let game = random::game(seed);
        for policy in Policy::ALL {
            let value = |scheme| {
                let options =
                    ExactOptions { depth: 6, policy, scheme, table_bits: 16, ..ExactOptions::default() };
                solve(&game, options).value
            };
            let nodes = |scheme| {
                let options = ExactOptions { depth: 6, policy, scheme, ..ExactOptions::default() };
                solve(&game, options).nodes
            };
            assert_eq!(nodes(Scheme::Walk), nodes(Scheme::Side), "seed {seed}");
            assert_eq!(value(Scheme::Walk), value(Scheme::Side), "seed {seed}");
        }
    }
}

/// Checks that no value reported free differs from the value under the empty history. Returns the number of values
/// reported free, the number of other values, and the number of cases where the two histories give different values.
fn reported_free(scheme: Scheme, threads: usize, seeds: std::ops::Range<u64>) -> (u32, u32, u32) {
    let (mut free, mut not_free, mut differ) = (0, 0, 0);
    for seed in seeds {
        let game = random::game(seed);
        let policy = Policy::ALL[(seed / 7) as usize % 4];
        let options = ExactOptions {
            depth: 3 + (seed % 4) as u32,
            policy,
            scheme,
            table_bits: 12,
            upcoming: seed % 2 == 0,
            threads,
        };
        let with = solve(&game, options);
        let without = solve(&game.without_history(), options);
        // A detector that takes its own word can't tell either.
        let blind = matches!(scheme, Scheme::Chains | Scheme::OpenLiteral);
        assert!(
            without.path.is_free() || blind,
            "seed {seed}: there is no game to rest on, {:?}",
            without.path
        );
        let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
        let start = game.start().board.to_string();
        assert!(
            !with.path.is_free() || with.value == without.value,
            "seed {seed}: {start} {moves:?}, {options:?}: {} told {:?}, {} without the game",
            with.value,
            with.path,
            without.value
        );
        free += u32::from(with.path.is_free());
        not_free += u32::from(!with.path.is_free());
        differ += u32::from(with.value != without.value);
    }
    (free, not_free, differ)
}

#[test]
fn no_value_reported_free_differs_from_the_value_under_the_empty_history() {
    for scheme in Scheme::ALL {
        let (free, not_free, differ) = reported_free(scheme, 1, 0..400);
        assert!(free > 20 && not_free > 20 && differ > 0, "{scheme:?}: {free} {not_free} {differ}");
    }
    for scheme in [Scheme::Exact, Scheme::Twin] {
        let (free, not_free, differ) = reported_free(scheme, 2, 0..200);
        assert!(free > 50 && not_free > 10 && differ > 0, "{scheme:?}: {free} {not_free} {differ}");
    }
}

#[test]
fn a_value_that_rests_on_the_game_names_the_position() {
    // White is lost but for the third occurrence after Kb2 again: x102 of the suite, under A.
    let game =
        Game::from_text("7k/8/4pp2/4PPN1/8/8/2K5/8 b - - 0 1", ["h8g7", "c2b2", "g7h8", "b2c2"]).unwrap();
    let solve = |policy| solve(&game, ExactOptions { depth: 5, policy, ..ExactOptions::default() });
    assert_eq!((solve(Policy::A).value, solve(Policy::A).path), (0, Path::Game { back: 3 }));
    assert_eq!(solve(Policy::B).value, -100);
    assert!(solve(Policy::B).path.is_free());
}

#[test]
fn an_explained_search_says_what_the_search_says_and_shows_what_was_refused() {
    let (mut refused, mut not_kept, mut shadows) = (0, 0, 0);
    for seed in 0..30 {
        let game = random::game(seed);
        let options = ExactOptions { depth: 6, ..ExactOptions::default() };
        let told = explain(&game, options, 6);
        assert_eq!(told.report, solve(&game, options), "seed {seed}");
        assert_eq!(told.tree.value, told.report.value);
        let mut open = vec![&told.tree];
        while let Some(node) = open.pop() {
            refused += u32::from(node.looked_up.is_some_and(|l| l.refused.is_some()));
            not_kept += u32::from(node.kept.is_some_and(|k| k.refused.is_some()));
            shadows += u32::from(node.shadow.is_some_and(|s| s.lower != Some(node.value)));
            if node.end == "searched" && node.value < node.window.1 && node.value > node.window.0 {
                let best = node.moves.iter().map(|child| -child.value).max();
                assert_eq!(best, Some(node.value), "seed {seed}");
            }
            open.extend(&node.moves);
        }
    }
    assert!(refused > 10 && not_kept > 100 && shadows > 100, "{refused} {not_kept} {shadows}");
}
