//! Tests of faults that only a compiled net can have. The tests of all propagators cover the rest.

use super::super::tests::{GAMES, all_answers, load};
use super::super::{Propagator, by_name};
use super::Compiled;
use super::playout::Games;
use super::select::select;
use crate::net::Bases;
use std::sync::Arc;
use tengen_core::SplitMix64;

#[test]
fn the_nth_set_bit_of_a_word_is_found() {
    let mut rng = SplitMix64::new(4);
    for word in
        [1, u64::MAX, 1 << 63, 0x8000_0000_0000_0001].into_iter().chain((0..500).map(|_| rng.next_u64()))
    {
        let set: Vec<u32> = (0..64).filter(|b| word >> b & 1 == 1).collect();
        for (n, &bit) in set.iter().enumerate() {
            assert_eq!(select(word, n as u32), bit, "{word:x} {n}");
        }
    }
}

/// States that no game reaches contradict what random games have in common: groups of facts, legal moves.
#[test]
fn from_states_that_no_game_reaches_it_goes_where_the_ordered_one_goes() {
    for (name, text) in GAMES {
        let topology = load(text).topology.unwrap();
        let net = &topology.net;
        let mut compiled = Compiled::new(&topology).expect("the nets of the tests are small");
        let mut truth = by_name("ordered", &topology).unwrap();
        let mut rng = SplitMix64::new(9);
        for _ in 0..60 {
            let mut state = Bases::with_capacity(net.bases());
            (0..net.bases()).for_each(|b| state.set(b, rng.below(3) == 0));
            compiled.enter(&state);
            truth.enter(&state);
            for _ in 0..4 {
                let (state, terminal, legal, goals) = all_answers(truth.as_mut(), net);
                assert_eq!(
                    all_answers(&mut compiled, net),
                    (state, terminal, legal.clone(), goals),
                    "{name}"
                );
                if legal.iter().any(Vec::is_empty) {
                    break;
                }
                let inputs: Vec<u32> = legal.iter().map(|l| l[rng.below(l.len() as u32) as usize]).collect();
                assert_eq!(compiled.successor(&inputs), truth.successor(&inputs), "{name}");
                compiled.advance(&inputs);
                truth.advance(&inputs);
            }
        }
    }
}

#[test]
fn a_net_that_is_too_large_is_left_to_the_differential_propagator() {
    let facts: String = (0..1100).map(|n| format!("(init (on {n}))")).collect();
    let text = format!(
        "(role r) {facts} (<= (legal r (off ?n)) (true (on ?n)))
         (<= (next (on ?n)) (true (on ?n)) (not (does r (off ?n))))
         (<= terminal (not (true (on 0)))) (goal r 100)"
    );
    let game = load(&text);
    let topology = game.topology.as_ref().unwrap();
    assert!(Compiled::new(topology).is_none());
    let mut walk = by_name("compiled", topology).unwrap();
    assert_eq!(walk.legal(0).len(), 1100);
    let mut player = game.playouts("compiled", 1).unwrap();
    player.play(10);
    assert!(player.tally().changes >= 10);
}

#[test]
fn moves_under_more_than_sixty_four_guards_are_drawn_and_listed() {
    let numbers: String = (0..80).map(|n| format!("(num {n}) (init (on {n}))")).collect();
    let text = format!(
        "(role r) {numbers} (kind 1) (kind 2) (kind 3) (kind 4) (kind 5)
         (<= (init (may ?n ?k)) (num ?n) (kind ?k))
         (<= (legal r (off ?n ?k)) (true (on ?n)) (true (may ?n ?k)))
         (<= (next (may ?n ?k)) (true (may ?n ?k)) (not (does r (off ?n ?k))))
         (<= (next (on ?n)) (true (on ?n)) (not (does r (off ?n 5))))
         (<= terminal (not (true (on 79)))) (goal r 100)"
    );
    let game = load(&text);
    let topology = game.topology.as_ref().unwrap();
    assert!(topology.guards.len() > 64, "{}", topology.guards.len());
    let (mut compiled, mut truth) = (Compiled::new(topology).unwrap(), by_name("ordered", topology).unwrap());
    for input in [399, 0, 7, 250, 390] {
        let inputs = [input];
        compiled.advance(&inputs);
        truth.advance(&inputs);
        assert_eq!(all_answers(&mut compiled, &topology.net), all_answers(truth.as_mut(), &topology.net));
    }
    let mut player = game.playouts("compiled", 1).unwrap();
    player.play(2_000);
    assert!(player.tally().rollouts > 10);
}

/// How moves are drawn is found once for each joint move, and must say the same as the state.
#[test]
fn every_legal_move_is_drawn_and_no_other_one() {
    for (name, text) in GAMES {
        let nets = load(text).playout_nets.unwrap();
        let mut games = Games::new(nets.plan().unwrap(), &nets.goals.net, 3);
        let mut truth = by_name("ordered", &nets.whole).unwrap();
        let plan = Arc::clone(&games.plan);
        for _ in 0..150 {
            games.walk.keep_state();
            truth.enter(&games.walk.state);
            if !truth.terminal() {
                for role in 0..nets.whole.net.names.roles.len() {
                    let mut legal = truth.legal(role).to_vec();
                    legal.sort_unstable();
                    let mut drawn: Vec<u32> =
                        (0..40 * legal.len()).filter_map(|_| games.draw(&plan, role)).collect();
                    drawn.sort_unstable();
                    drawn.dedup();
                    assert_eq!(drawn, legal, "{name}, role {role}");
                }
            }
            games.step(&plan);
        }
    }
}

/// Groups of stones on a board of 25 cells, each named by the step that last joined it.
const GROUPS: &str = "(role red) (role blue) (init (control red)) (init (step 1))
    (n 1) (n 2) (n 3) (n 4) (n 5) (s 1 2) (s 2 3) (s 3 4) (s 4 5)
    (<= (next-to ?x ?y ?x ?z) (n ?x) (s ?y ?z)) (<= (next-to ?x ?z ?x ?y) (n ?x) (s ?y ?z))
    (<= (next-to ?y ?x ?z ?x) (n ?x) (s ?y ?z)) (<= (next-to ?z ?x ?y ?x) (n ?x) (s ?y ?z))
    (step-after 1 2) (step-after 2 3) (step-after 3 4) (step-after 4 5) (step-after 5 6) (step-after 6 7)
    (step-after 7 8) (step-after 8 9) (step-after 9 10) (step-after 10 11) (step-after 11 12) (step-after 12 13)
    (step-after 13 14) (step-after 14 15) (step-after 15 16) (step-after 16 17) (step-after 17 18)
    (step-after 18 19) (step-after 19 20) (step-after 20 21) (step-after 21 22) (step-after 22 23)
    (step-after 23 24) (step-after 24 25) (step-after 25 26)
    (<= (legal ?r (place ?x ?y)) (true (control ?r)) (n ?x) (n ?y)
        (not (true (cell ?x ?y red))) (not (true (cell ?x ?y blue))))
    (<= (legal red noop) (true (control blue))) (<= (legal blue noop) (true (control red)))
    (<= (next (cell ?x ?y ?r)) (does ?r (place ?x ?y))) (<= (next (cell ?x ?y ?r)) (true (cell ?x ?y ?r)))
    (<= (next (step ?n)) (true (step ?m)) (step-after ?m ?n))
    (<= (next (owner ?k ?r)) (true (step ?k)) (true (control ?r))) (<= (next (owner ?k ?r)) (true (owner ?k ?r)))
    (<= (next (joined ?k ?x ?y)) (does ?r (place ?x ?y)) (true (step ?k)))
    (<= (next (joined ?k ?x ?y)) (grows ?e) (true (joined ?e ?x ?y)) (true (step ?k)))
    (<= (next (joined ?k ?x ?y)) (true (joined ?k ?x ?y)) (not (grows ?k)))
    (<= (grows ?k) (does ?r (place ?x ?y)) (true (owner ?k ?r)) (true (joined ?k ?v ?w)) (next-to ?x ?y ?v ?w))
    (<= (next (control red)) (true (control blue))) (<= (next (control blue)) (true (control red)))
    (<= (across red) (true (joined ?k 1 ?y)) (true (joined ?k 5 ?z)) (true (owner ?k red)))
    (<= (across blue) (true (joined ?k ?x 1)) (true (joined ?k ?y 5)) (true (owner ?k blue)))
    (<= full (true (step 26))) (<= terminal (across ?r)) (<= terminal full)
    (<= (goal ?r 100) (across ?r)) (<= (goal ?r 0) (role ?r) (not (across ?r)))";

#[test]
fn groups_of_stones_that_a_move_joins_are_rows_and_go_as_the_ordered_one_says() {
    let game = load(GROUPS);
    let topology = &game.playout_nets.as_ref().unwrap().whole;
    let net = &topology.net;
    let mut compiled = Compiled::new(topology).unwrap();
    let mut truth = by_name("ordered", topology).unwrap();
    let mut rng = SplitMix64::new(2);
    for _ in 0..12 {
        compiled.enter(&net.names.initial);
        truth.enter(&net.names.initial);
        loop {
            let answers = all_answers(truth.as_mut(), net);
            assert_eq!(all_answers(&mut compiled, net), answers);
            if answers.1 {
                break;
            }
            let inputs: Vec<u32> = answers.2.iter().map(|l| l[rng.below(l.len() as u32) as usize]).collect();
            assert_eq!(compiled.successor(&inputs), truth.successor(&inputs));
            compiled.advance(&inputs);
            truth.advance(&inputs);
        }
    }
    assert!(!compiled.walk.joints.rows.is_empty());
}
