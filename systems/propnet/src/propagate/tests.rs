//! Tests that run one table of games through every propagator and compare the results with the prover.

use super::one_game::Course;
use super::one_game_choice as choice;
use super::playout;
use super::playout_nets::PlayoutNets;
use crate::game::{Game, LoadLimits};
use crate::machine::{ProverMachine, StateMachine};
use crate::net::Bases;
use crate::program::Program;
use tengen_core::SplitMix64;

/// Rulesheets of every kind: turns, simultaneous moves, one role, three roles, a loop of positive rules, goals that
/// negate goals, states without a legal move.
pub(super) const GAMES: [(&str, &str); 8] = [
    ("noughts", include_str!("../../../../resources/gdl/noughts.kif")),
    ("heaps", include_str!("../../../../resources/gdl/heaps.kif")),
    ("standoff", include_str!("../../../../resources/gdl/standoff.kif")),
    ("corridor", include_str!("../../../../resources/gdl/corridor.kif")),
    ("relay", include_str!("../../../../resources/gdl/relay.kif")),
    (
        "loop",
        "(role r) (<= (init (wall ?x)) (cut ?x)) (cut 2) (<= (legal r (toggle ?x)) (node ?x))
         (node 1) (node 2) (node 3) (node 4) (edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4) (init (n 0))
         (<= (reach 1)) (<= (reach ?y) (reach ?x) (edge ?x ?y) (not (true (wall ?y))))
         (<= (next (wall ?x)) (true (wall ?x)) (not (does r (toggle ?x))))
         (<= (next (wall ?x)) (does r (toggle ?x)) (not (true (wall ?x))))
         (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5)
         (<= (next (reached ?x)) (reach ?x))
         (<= terminal (true (n 5))) (<= (goal r 100) (reach 4)) (<= (goal r 0) (not (goal r 100)))",
    ),
    (
        "constants",
        "(role r) (init on) (init (c 0)) (<= (legal r a)) (<= (legal r b) (true off)) (next always)
         (<= (next on) (true on)) (<= (next (c 1)) (does r a) (true (c 0))) (<= (next (c 2)) (true (c 1)))
         (<= terminal (true (c 2))) (goal r 70)",
    ),
    (
        "stuck",
        "(role r) (init (c 0)) (<= (legal r go) (true (c 0))) (<= (next (c 1)) (does r go))
         (<= terminal (true never)) (goal r 50)",
    ),
];

pub(super) fn load(text: &str) -> Game {
    let game =
        Game::load(text, LoadLimits::default(), &mut || false).expect("the rulesheets of the tests are good");
    assert!(game.topology.is_ok());
    game
}

#[test]
fn every_propagator_agrees_with_the_prover_on_random_playouts() {
    for (name, text) in GAMES {
        let game = load(text);
        for propagator in super::NAMES {
            let mut oracle = ProverMachine::new(Program::read(text).unwrap()).unwrap();
            let mut machine = game.machine(propagator).unwrap();
            let mut rng = SplitMix64::new(7);
            for _ in 0..4 {
                let (mut state, mut truth) = (machine.initial(), oracle.initial());
                loop {
                    machine.enter(&state).unwrap();
                    oracle.enter(&truth).unwrap();
                    let d = machine.describe(&state).unwrap();
                    assert_eq!(d, oracle.describe(&truth).unwrap(), "{name} with {propagator}");
                    if d.terminal || d.legal.iter().any(Vec::is_empty) {
                        break;
                    }
                    let texts: Vec<String> =
                        d.legal.iter().map(|l| l[rng.below(l.len() as u32) as usize].clone()).collect();
                    let (a, b) = (machine.joint_move(&texts).unwrap(), oracle.joint_move(&texts).unwrap());
                    state = machine.successor(&a).unwrap();
                    truth = oracle.successor(&b).unwrap();
                }
            }
        }
    }
}

/// Mean length, share of broken games and mean of each goal: random playouts of every kind must agree on these.
fn statistics(game: &Game, way: &str, changes: u64) -> Vec<f64> {
    let mut player = game.playouts(way, 11).unwrap();
    player.play(changes);
    let tally = player.tally();
    let games = (tally.rollouts + tally.broken).max(1) as f64;
    let mut all = vec![tally.changes as f64 / games / 10.0, tally.broken as f64 / games];
    all.extend(tally.goals.iter().flatten().map(|&n| n as f64 / games));
    all
}

#[test]
fn playouts_of_every_kind_have_the_same_statistics() {
    for (name, text) in GAMES {
        let game = load(text);
        let expected = statistics(&game, "ordered", 20_000);
        for way in playout::NAMES
            .into_iter()
            .filter(|w| w.starts_with("lanes") || ["differential", "compiled"].contains(w))
        {
            let found = statistics(&game, way, 400_000);
            for (e, f) in expected.iter().zip(&found) {
                assert!((e - f).abs() < 0.05, "{name} with {way}: {found:?}, expected {expected:?}");
            }
        }
    }
}

#[test]
fn a_batch_plays_every_lane_to_its_end_exactly_once() {
    for (name, text) in GAMES {
        let game = load(text);
        let nets = game.playout_nets.as_ref().unwrap();
        let mut lanes = super::lanes::Lanes::<8>::new(nets, 3);
        let start = nets.walk.net.names.initial.clone();
        let sums = lanes.batch(&[start.clone(), start], 50);
        assert_eq!(sums.len(), 2);
        for role in sums.iter().flatten() {
            let expected = if name == "stuck" { 0 } else { 64 };
            assert_eq!(role.1, expected, "{name}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_games() {
    for (_, text) in GAMES {
        let nets = PlayoutNets::new(&load(text).topology.unwrap().net);
        for way in playout::NAMES {
            let tallies: Vec<_> = (0..2)
                .map(|_| {
                    let mut player = playout::by_name(way, &nets, 5).unwrap();
                    player.play(1000);
                    player.tally().clone()
                })
                .collect();
            assert_eq!(tallies[0], tallies[1], "{way}");
        }
    }
}

#[test]
fn random_moves_of_lanes_are_equally_likely() {
    // Seven moves, one of which ends the game with 100: it must be drawn once in seven.
    let text =
        "(role r) (init (n 0)) (<= (legal r (m ?x)) (move ?x)) (move 1) (move 2) (move 3) (move 4) (move 5)
        (move 6) (move 7) (<= (next (done ?x)) (does r (m ?x))) (<= terminal (true (done ?x)))
        (<= (goal r 100) (true (done 3))) (<= (goal r 0) (not (goal r 100)))";
    let game = load(text);
    let mut player = game.playouts("lanes512", 1).unwrap();
    player.play(700_000);
    let tally = player.tally();
    let share = tally.goals[0][1] as f64 / tally.rollouts as f64;
    assert!((share - 1.0 / 7.0).abs() < 0.002, "{share}");
}

/// All answers of a propagator about its state.
pub(super) fn all_answers(
    propagator: &mut dyn super::Propagator,
    net: &crate::net::Net,
) -> (Bases, bool, Vec<Vec<u32>>, Vec<bool>) {
    let legal = (0..net.names.roles.len())
        .map(|role| {
            let mut legal = propagator.legal(role).to_vec();
            legal.sort_unstable();
            legal
        })
        .collect();
    let goals =
        (0..net.goals.len()).flat_map(|role| (0..net.goals[role].len()).map(move |value| (role, value)));
    let goals = goals.map(|(role, value)| propagator.goal(role, value)).collect();
    (propagator.state().clone(), propagator.terminal(), legal, goals)
}

#[test]
fn after_any_moves_and_restarts_every_propagator_says_what_the_ordered_one_says() {
    for (name, text) in GAMES {
        let topology = load(text).topology.unwrap();
        let net = &topology.net;
        let start = net.names.initial.clone();
        for propagator in super::NAMES {
            let mut walker = super::by_name(propagator, &topology).unwrap();
            let mut truth = super::by_name("ordered", &topology).unwrap();
            let mut rng = SplitMix64::new(3);
            for _ in 0..200 {
                let (state, terminal, legal, goals) = all_answers(truth.as_mut(), net);
                assert_eq!(
                    all_answers(walker.as_mut(), net),
                    (state, terminal, legal.clone(), goals),
                    "{name}"
                );
                if terminal || legal.iter().any(Vec::is_empty) || rng.below(8) == 0 {
                    walker.restart(&start);
                    truth.restart(&start);
                    continue;
                }
                let mut draw =
                    || legal.iter().map(|l| l[rng.below(l.len() as u32) as usize]).collect::<Vec<_>>();
                // A look at another move must not disturb the move made.
                let (look, inputs) = (draw(), draw());
                assert_eq!(walker.successor(&look), truth.successor(&look), "{name} with {propagator}");
                walker.advance(&inputs);
                truth.advance(&inputs);
            }
        }
    }
}

#[test]
fn what_a_watcher_sees_leads_from_the_values_of_one_state_to_those_of_the_next() {
    for (name, text) in GAMES {
        let game = load(text);
        let topology = game.topology.as_ref().expect("it was loaded with one");
        let net = &topology.net;
        for scheme in super::NAMES {
            let mut propagator = super::by_name(scheme, topology).expect("it is one of the names");
            let state = net.names.initial.clone();
            propagator.enter(&state);
            assert_eq!(propagator.visits(), Default::default(), "nobody watched {scheme}");
            let inputs: Vec<u32> = (0..net.names.roles.len())
                .map(|role| *propagator.legal(role).iter().min().unwrap())
                .collect();
            propagator.watch();
            propagator.advance(&inputs);
            let next = propagator.state().clone();
            propagator.terminal();
            let visits = propagator.visits();
            assert_eq!(visits.count, visits.first.len());
            // The deferred scheme leaves the move's inputs set.
            let set: &[u32] = if scheme == "differential" { &inputs } else { &[] };
            let (before, after) = (topology.evaluate(&state, &[]), topology.evaluate(&next, set));
            let mut seen = before.clone();
            visits.first.iter().for_each(|visit| seen[visit.node] = visit.value);
            let with = topology.evaluate(&state, &inputs);
            for visit in &visits.first {
                // Backward propagation asks nothing again that nobody wants to know: some values stay those of the move.
                let stays = scheme == "backward" && visit.value == with[visit.node];
                let is_right = stays || seen[visit.node] == after[visit.node];
                assert!(is_right, "{name} {scheme} {}", visit.node);
            }
            if ["naive", "ordered", "internal"].contains(&scheme) {
                assert_eq!(seen, after, "{name} {scheme}");
            }
        }
    }
}

#[test]
fn a_single_game_makes_legal_moves_and_ends_as_the_machine_says() {
    for (name, text) in GAMES {
        let game = load(text);
        let nets = game.playout_nets.as_ref().unwrap();
        let values = &nets.whole.net.names.goal_values;
        for mut single in choice::compiled(nets).into_iter().chain([choice::differential(nets)]) {
            let mut machine = game.machine("differential").unwrap();
            let roles = machine.roles().len();
            let mut random = SplitMix64::new(5);
            for number in 0..20 {
                let mut state = machine.initial();
                machine.enter(&state).unwrap();
                let first: Vec<u32> = (0..roles).map(|role| machine.legal(role).unwrap()[0]).collect();
                let mut made = Vec::new();
                let from = state.facts_in(game.topology.as_ref().unwrap().numbering).unwrap().clone();
                let with_first = number % 2 == 0;
                let course = single.play(&from, with_first.then_some(&first), 100, &mut random, &mut made);
                let moves: Vec<&[u32]> =
                    with_first.then_some(&first[..]).into_iter().chain(made.chunks_exact(roles)).collect();
                for joint in moves {
                    machine.enter(&state).unwrap();
                    assert!(!machine.terminal().unwrap(), "{name}");
                    for (role, id) in joint.iter().enumerate() {
                        assert!(machine.legal(role).unwrap().contains(id), "{name}");
                    }
                    state = machine.successor(joint).unwrap();
                }
                machine.enter(&state).unwrap();
                assert_eq!(course != Course::Broken, machine.terminal().unwrap(), "{name}");
                if let Course::Ended(length) = course {
                    assert_eq!(length * roles, made.len(), "{name}");
                    for (role, values) in values.iter().enumerate() {
                        let found: Vec<String> = (0..values.len())
                            .filter(|&value| single.has_goal(role, value))
                            .map(|value| values[value].clone())
                            .collect();
                        let mut truth = machine.goals(role).unwrap();
                        truth.sort_by_key(|goal| values.iter().position(|v| v == goal));
                        assert_eq!(found, truth, "{name}");
                    }
                }
            }
        }
    }
}
