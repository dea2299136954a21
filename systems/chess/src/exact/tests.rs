use super::{ExactOptions, random, reference, solve};
use crate::history::{Game, Policy};
use crate::repetition::Scheme;
use crate::test_data::json_suite;

/// How many of the suite's cases a scheme gets right under a policy.
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
fn the_exact_scheme_is_right_on_every_case_under_every_policy() {
    for policy in Policy::ALL {
        for upcoming in [false, true] {
            let Some((right, all)) = share(Scheme::Exact, policy, upcoming, 100_000) else { return };
            assert_eq!(right, all, "policy {policy:?}, upcoming {upcoming}");
            assert!(all > 20);
        }
    }
}

#[test]
fn the_naive_table_is_wrong_on_some() {
    let Some((right, all)) = share(Scheme::Walk, Policy::B, false, 2_000_000) else { return };
    assert!(right < all, "the cases no longer tell schemes apart");
}

/// Agreement of the exact scheme with the reference on random positions; returns how many were compared.
fn agree(seeds: std::ops::Range<u64>, budget: u64) -> u32 {
    let mut compared = 0;
    for seed in seeds {
        let game = random::game(seed);
        for policy in Policy::ALL {
            let depth = 4 + (seed % 5) as u32;
            let Some(exact) = reference::value(&game, depth, policy, budget) else { continue };
            let upcoming = seed % 2 == 0;
            // A small table makes entries fight for slots as well.
            let options = ExactOptions { depth, policy, scheme: Scheme::Exact, table_bits: 12, upcoming };
            let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
            let start = game.start().board.to_string();
            assert_eq!(solve(&game, options).value, exact, "seed {seed}: {start} {moves:?}, {options:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn the_exact_scheme_agrees_with_the_reference_on_random_positions() {
    assert!(agree(0..250, 20_000) > 300);
}

#[test]
#[ignore = "minutes; run once per change of a keeper"]
fn the_exact_scheme_agrees_with_the_reference_on_ten_thousand_random_positions() {
    assert!(agree(1_000..11_500, 2_000_000) > 40_000);
}

#[test]
fn every_detector_gives_the_same_values() {
    for seed in 0..60 {
        let game = random::game(seed);
        for policy in Policy::ALL {
            let value = |scheme| {
                let options = ExactOptions { depth: 6, policy, scheme, table_bits: 14, upcoming: false };
                let report = solve(&game, options);
                (report.value, report.nodes)
            };
            assert_eq!(value(Scheme::Walk), value(Scheme::Open), "seed {seed}");
            assert_eq!(value(Scheme::Walk), value(Scheme::Side), "seed {seed}");
        }
    }
}
