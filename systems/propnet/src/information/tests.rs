//! Tests of the rulesheets in `scenes/gdl2`: their traces, expected values, information sets, and players.

use super::*;
use crate::game::{Game, LoadLimits};
use crate::players::{Kind, selfplay};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use tengen_core::{Budget, Parallelism, SplitMix64, Stop, derive_seed};

const SHEETS: [&str; 10] = [
    "battleship",
    "blindMaze",
    "guessNumber",
    "hiddenRoshambo",
    "kriegTTT",
    "kuhnPoker",
    "mastermind",
    "metaCoin",
    "montyHall",
    "sealedBid",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/gdl2")
}

fn load(name: &str) -> Arc<Game> {
    let text = fs::read_to_string(folder().join(format!("{name}.kif"))).unwrap();
    Arc::new(Game::from_program(read(&text).unwrap(), LoadLimits::default(), &mut || false))
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&fs::read(folder().join(path)).unwrap()).unwrap()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn visits(n: u64) -> Budget {
    Budget { visits: Some(n), ..Budget::default() }
}

/// The percepts of the trace, by every machine.
#[test]
fn every_machine_perceives_what_the_trace_says() {
    for name in SHEETS {
        let game = load(name);
        assert!(game.topology.is_ok(), "{name} has a net");
        let trace = json(&format!("traces/{name}.json"));
        for way in ["prover", "differential"] {
            let mut machine = game.machine(way).unwrap();
            let (mut state, mut observer) = (machine.initial(), Observer::default());
            for step in trace["states"].as_array().unwrap() {
                machine.enter(&state).unwrap();
                let mut facts = machine.describe(&state).unwrap().facts;
                facts.retain(|fact| !is_percept(fact));
                assert_eq!(facts, texts(&step["true"]), "{name}");
                if step["terminal"] == true {
                    break;
                }
                let joint = machine.joint_move(&texts(&step["move"])).unwrap();
                state = machine.successor(&joint).unwrap();
                let seen: Vec<Vec<String>> = step["sees"].as_array().unwrap().iter().map(texts).collect();
                assert_eq!(observer.texts(machine.as_ref(), &state).unwrap(), seen, "{name} {way}");
            }
        }
    }
}

/// The means of random games are the exact values within 4.5 standard errors.
#[test]
fn random_games_have_the_expected_values_of_all_ten_sheets() {
    let expected = json("expected.json");
    for name in SHEETS {
        let (game, games) = (load(name), 2000_u64);
        let seats = selfplay::numbers_of_players(&game);
        let mut sums = vec![0.0; seats.len()];
        for number in 0..games {
            let record = play(&game, &[Kind::Random], 0, derive_seed(1, &[number]));
            assert!(record.finished, "{name}");
            for (sum, goals) in sums.iter_mut().zip(&record.goals) {
                *sum += goals.first().map_or(0.0, |goal| goal.parse().unwrap());
            }
        }
        let roles = texts(&expected[name]["roles"]);
        for (role, sum) in sums.iter().enumerate().filter(|&(role, _)| seats[role].is_some()) {
            let wanted = &expected[name]["policies"]["random"][&roles[role]];
            let (value, deviation) =
                (wanted["value"].as_f64().unwrap(), wanted["deviation"].as_f64().unwrap());
            let (mean, error) = (sum / games as f64, deviation / (games as f64).sqrt());
            assert!((mean - value).abs() <= 4.5 * error, "{name} {}: {mean}, not {value}", roles[role]);
        }
    }
}

fn play(game: &Arc<Game>, kinds: &[Kind], budget: u64, seed: u64) -> selfplay::Record {
    let mut budget = |_: usize, _: &[Vec<String>]| visits(budget);
    selfplay::play(game, kinds, &mut budget, seed, 1000, Parallelism::Inside, &Stop::NEVER).unwrap()
}

/// A game in which one role follows a script of its own moves, and the others move at random.
fn scripted(game: &Game, role: usize, script: &[&[&str]], seed: u64) -> f64 {
    let mut machine = game.machine("auto").unwrap();
    let (mut state, mut random) = (machine.initial(), SplitMix64::new(seed));
    for wanted in script {
        machine.enter(&state).unwrap();
        let mut joint = Vec::new();
        for other in 0..machine.roles().len() {
            let mut legal = machine.legal(other).unwrap();
            if other == role {
                legal.retain(|&id| wanted.contains(&machine.move_text(other, id).as_str()));
            }
            joint.push(legal[random.below(legal.len() as u32) as usize]);
        }
        state = machine.successor(&joint).unwrap();
    }
    machine.enter(&state).unwrap();
    assert!(machine.terminal().unwrap());
    machine.goals(role).unwrap()[0].parse().unwrap()
}

#[test]
fn a_switch_wins_two_thirds_of_ten_thousand_games_of_monty_hall() {
    let (game, games) = (load("montyHall"), 10_000);
    let doors: &[&str] = &["(choose 1)", "(choose 2)", "(choose 3)"];
    for (last, share) in [("switch", 2.0 / 3.0), ("stay", 1.0 / 3.0)] {
        let script: [&[&str]; 3] = [doors, &["wait"], &[last]];
        let won: f64 = (0..games).map(|n| scripted(&game, 0, &script, derive_seed(69, &[n])) / 100.0).sum();
        let error = (share * (1.0 - share) / games as f64).sqrt();
        let found = won / games as f64;
        assert!((found - share).abs() <= 4.0 * error, "{last}: {found}, not {share}");
    }
}

/// The states that the role thinks possible after some steps: their facts and their probabilities.
fn possible(name: &str, role: usize, steps: &[(&str, &[&str])]) -> Vec<(String, f64)> {
    let game = load(name);
    let mut machine = game.machine("auto").unwrap();
    let mut belief = Belief::new(machine.as_ref(), role, 1);
    for (own, seen) in steps {
        let seen: Vec<String> = seen.iter().map(|&p| p.to_owned()).collect();
        assert!(belief.advance(machine.as_mut(), own, &seen, &Stop::NEVER).unwrap(), "{name} {own}");
    }
    assert!(belief.is_exact());
    let mut found = Vec::new();
    for (state, weight) in belief.states() {
        machine.enter(state).unwrap();
        let mut facts = machine.describe(state).unwrap().facts;
        facts.retain(|fact| !is_percept(fact));
        found.push((facts.join(" "), (weight * 1e6).round() / 1e6));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn the_information_set_of_monty_halls_candidate_has_the_car_behind_two_doors() {
    let found = possible("montyHall", 0, &[("(choose 1)", &[]), ("wait", &["(opened 3)"])]);
    let state = |car: u32| format!("(car {car}) (chosen 1) (opened 3) (step 3)");
    assert_eq!(found, [(state(1), 0.333_333), (state(2), 0.666_667)]);
}

#[test]
fn crosses_knows_of_noughts_what_turns_tell() {
    let found = possible("kriegTTT", 0, &[("(mark 2 2)", &["placed"]), ("wait", &["turn"])]);
    assert_eq!(found.len(), 8, "noughts took one of the eight other cells");
    let tried = possible("kriegTTT", 0, &[("(mark 2 2)", &["placed"]), ("wait", &[]), ("wait", &["turn"])]);
    assert_eq!(tried.len(), 8, "noughts tried the cross first");
}

#[test]
fn percepts_that_no_state_gives_leave_no_state() {
    let game = load("montyHall");
    let mut machine = game.machine("auto").unwrap();
    for (own, seen) in [("(choose 1)", "(opened 3)"), ("(choose 9)", ""), ("(", ")"), ("switch", "")] {
        let mut belief = Belief::new(machine.as_ref(), 0, 1);
        let seen: Vec<String> = [seen].iter().filter(|p| !p.is_empty()).map(|&p| p.to_owned()).collect();
        assert!(!belief.advance(machine.as_mut(), own, &seen, &Stop::NEVER).unwrap(), "{own}");
        assert!(belief.states().is_empty());
    }
}

#[test]
fn every_kind_of_player_plays_every_sheet_to_its_end() {
    for name in SHEETS {
        let game = load(name);
        for (_, kind) in Kind::NAMES {
            let record = play(&game, &[kind], 60, 3);
            assert!(record.finished, "{name} {kind:?}");
            assert_eq!(record.percepts.len(), record.moves.len());
            assert_eq!(record, play(&game, &[kind], 60, 3), "{name} {kind:?} repeats itself");
        }
    }
}

/// The mean goal of role 0 with this player against random ones, and its standard error.
fn mean(name: &str, kinds: &[Kind], games: u64, budget: u64) -> (f64, f64) {
    let game = load(name);
    let goals: Vec<f64> = (0..games)
        .map(|n| play(&game, kinds, budget, derive_seed(7, &[n])).goals[0][0].parse().unwrap())
        .collect();
    let mean = goals.iter().sum::<f64>() / games as f64;
    let square = goals.iter().map(|g| (g - mean) * (g - mean)).sum::<f64>() / (games - 1) as f64;
    (mean, (square / games as f64).sqrt())
}

#[test]
fn determinisation_beats_random_play_on_four_sheets() {
    for (name, kinds, random, games) in [
        ("montyHall", &[Kind::Uct][..], 50.0, 300),
        ("guessNumber", &[Kind::Uct], 28.717_201, 300),
        ("kriegTTT", &[Kind::Uct, Kind::Random], 64.841_27, 100),
        ("battleship", &[Kind::MonteCarlo, Kind::Random], 50.0, 100),
    ] {
        let (mean, error) = mean(name, kinds, games, 200);
        let _ = writeln!(std::io::stderr(), "{name}: {mean:.1} against {random:.1}, error {error:.1}");
        assert!(mean - random > 4.0 * error, "{name}: {mean} against {random}, error {error}");
    }
}

#[test]
fn a_player_whose_legal_moves_depend_on_what_it_cannot_know_still_moves() {
    let text = "(role a)(role random)(init s)(<= (legal random (toss ?c)) (true s) (side ?c))
        (<= (legal a wait) (true s))(<= (legal random wait) (true (coin ?c)))(side heads)(side tails)
        (<= (legal a (say ?c)) (true (coin ?c)))(<= (legal a (cry ?c)) (true (coin ?c)))
        (<= (next (coin ?c)) (does random (toss ?c)))(<= (next over) (true (coin ?c)))
        (<= terminal (true over))(goal a 70)(<= (sees random ?c) (does random (toss ?c)))";
    let game = Arc::new(Game::from_program(read(text).unwrap(), LoadLimits::default(), &mut || false));
    for (seed, (_, kind)) in (0..20).flat_map(|seed| Kind::NAMES.map(|kind| (seed, kind))) {
        let record = play(&game, &[kind], 40, seed);
        let coin = record.moves[0][1].replace("(toss ", "").replace(')', "");
        assert!(record.finished && record.moves[1][0].contains(&coin), "{kind:?} {record:?}");
        assert_eq!(record.goals[0], ["70"]);
    }
}
