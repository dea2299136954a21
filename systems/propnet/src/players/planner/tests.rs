//! Tests of plans for small puzzles, and of the bounds on what can still become true.

use super::possible::Possible;
use super::split::Split;
use super::view::{Look, View};
use super::{Plan, Planner};
use crate::game::{Game, LoadLimits};
use crate::net::Bases;
use crate::players::{GamePlayer, Kind};
use crate::propagate::by_name;
use std::collections::HashMap;
use std::sync::Arc;
use tengen_core::{Budget, Parallelism};

/// Two pawns that change places; every move is one of eight.
const CORRIDOR: &str = include_str!("../../../../../resources/gdl/corridor.kif");

/// A latin square of side 3 with three cells given. A cell that no number fits is a dead end.
const LATIN: &str = "(role pen) (number 1) (number 2) (number 3)
    (init (cell 1 1 1)) (init (cell 2 2 1)) (init (cell 3 1 2))
    (<= (init (cell ?r ?c blank)) (number ?r) (number ?c) (not (given ?r ?c)))
    (given 1 1) (given 2 2) (given 3 1)
    (<= (legal pen (write ?r ?c ?n)) (true (cell ?r ?c blank)) (number ?n)
        (not (in_row ?r ?n)) (not (in_column ?c ?n)))
    (<= (in_row ?r ?n) (true (cell ?r ?c ?n)) (number ?n))
    (<= (in_column ?c ?n) (true (cell ?r ?c ?n)) (number ?n))
    (<= (next (cell ?r ?c ?n)) (does pen (write ?r ?c ?n)))
    (<= (next (cell ?r ?c ?n)) (true (cell ?r ?c ?n)) (does pen (write ?x ?y ?m)) (distinct ?x ?r))
    (<= (next (cell ?r ?c ?n)) (true (cell ?r ?c ?n)) (does pen (write ?x ?y ?m)) (distinct ?y ?c))
    (<= open (true (cell ?r ?c blank)))
    (<= playable (legal pen ?m))
    (<= terminal (not playable))
    (<= (goal pen 100) (not open))
    (<= (goal pen 0) open)";

/// Four lamps in a ring; a press turns a lamp and the next one. Eight presses at most.
const LAMPS: &str = "(role hand) (follows a b) (follows b c) (follows c d) (follows d a)
    (init (on a)) (init (on c)) (init (time 0))
    (<= (lamp ?x) (follows ?x ?y))
    (<= (legal hand (press ?x)) (lamp ?x))
    (<= (turned ?x) (does hand (press ?x)))
    (<= (turned ?y) (does hand (press ?x)) (follows ?x ?y))
    (<= (next (on ?x)) (true (on ?x)) (not (turned ?x)))
    (<= (next (on ?x)) (lamp ?x) (turned ?x) (not (true (on ?x))))
    (<= (next (time ?n)) (true (time ?m)) (succ ?m ?n))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (<= lit (true (on ?x)))
    (<= terminal (not lit))
    (<= terminal (true (time 8)))
    (<= (goal hand 100) (not lit))
    (<= (goal hand 10) lit)";

/// One step, and no way to the goal of 100.
const HOPELESS: &str = "(role one) (init (at start)) (legal one left) (legal one right)
    (<= (next (at west)) (does one left)) (<= (next (at east)) (does one right))
    (<= terminal (not (true (at start))))
    (<= (goal one 30) (true (at west))) (<= (goal one 70) (true (at east)))
    (<= (goal one 100) (true (at west)) (true (at east)))";

fn game(text: &str) -> Arc<Game> {
    Arc::new(Game::load(text, LoadLimits::default(), &mut || false).expect("a rulesheet"))
}

fn view(game: &Game) -> View {
    View::new(game.topology.as_ref().expect("a net")).expect("one role")
}

fn visits(n: u64) -> Budget {
    Budget { visits: Some(n), ..Budget::default() }
}

/// Every state that can be reached, with the best goal from there.
fn all_states(view: &mut View, state: &Bases, known: &mut HashMap<Bases, f64>) -> f64 {
    if let Some(&goal) = known.get(state) {
        return goal;
    }
    // A cycle tells nothing new: the states of these games count time or only grow.
    known.insert(state.clone(), f64::NEG_INFINITY);
    let goal = match view.look(state) {
        Look::End(goal) => goal,
        Look::Moves(moves) => {
            let children = view.children(&moves);
            children.iter().map(|c| all_states(view, c, known)).fold(f64::NEG_INFINITY, f64::max)
        }
    };
    known.insert(state.clone(), goal);
    goal
}

#[test]
fn every_puzzle_is_played_to_the_best_goal_there_is() {
    for (text, wanted) in [(CORRIDOR, "100"), (LATIN, "100"), (LAMPS, "100")] {
        let game = game(text);
        let mut player = GamePlayer::new(Arc::clone(&game), Kind::Auto, 0, 1, Parallelism::Inside).unwrap();
        let mut machine = game.machine("auto").unwrap();
        let mut state = machine.initial();
        loop {
            machine.enter(&state).unwrap();
            if machine.terminal().unwrap() {
                break;
            }
            let choice = player.choose(&state, &visits(10_000)).unwrap();
            assert!(choice.solved, "{text}");
            state = machine.successor(&[choice.id]).unwrap();
        }
        assert_eq!(machine.goals(0).unwrap(), [wanted], "{text}");
    }
}

#[test]
fn the_best_of_goals_below_the_top_is_proved_when_all_states_are_seen() {
    let game = game(HOPELESS);
    let mut planner = Planner::new(&game, 1).unwrap();
    let start = planner.view.topology.net.names.initial.clone();
    let advice = planner.choose(&start, &visits(10_000)).unwrap();
    assert_eq!(advice.goal, Some(70.0));
    assert!(advice.settled);
}

#[test]
fn no_state_from_which_the_goal_is_reached_is_called_a_dead_end() {
    for text in [CORRIDOR, LATIN, LAMPS, HOPELESS] {
        let game = game(text);
        let mut view = view(&game);
        let start = view.topology.net.names.initial.clone();
        let mut known = HashMap::new();
        all_states(&mut view, &start, &mut known);
        let states: Vec<Bases> = known.keys().cloned().collect();
        let mut dead = 0;
        for (state, outlook) in states.iter().zip(view.outlooks(&states)) {
            let best = known[state];
            assert!(!outlook.dead || best < 100.0, "{text}: a living state is called dead");
            dead += usize::from(outlook.dead);
        }
        assert!(dead > 0, "{text}: no dead end is found");
    }
}

#[test]
fn a_cell_that_no_number_fits_is_a_dead_end() {
    let game = game(LATIN);
    let mut view = view(&game);
    let start = view.topology.net.names.initial.clone();
    let Look::Moves(moves) = view.look(&start) else { panic!("the start is no end") };
    let text = |m: u32| view.topology.net.names.moves[m as usize].clone();
    let names: Vec<String> = moves.iter().map(|&m| text(m)).collect();
    let children = view.children(&moves);
    let outlooks = view.outlooks(&children);
    let dead: Vec<&str> =
        names.iter().zip(&outlooks).filter(|(_, o)| o.dead).map(|(name, _)| name.as_str()).collect();
    // The one solution is 1 2 3, 3 1 2, 2 3 1; a 3 in the middle of the first row leaves nothing for its neighbours.
    assert!(!dead.is_empty() && dead.len() < names.len(), "{dead:?} of {names:?}");
}

#[test]
fn the_cases_of_every_fact_give_the_next_state_of_every_move() {
    for text in [CORRIDOR, LATIN, LAMPS, HOPELESS] {
        let game = game(text);
        let topology = game.topology.as_ref().unwrap();
        let split = Split::new(topology).unwrap();
        let mut view = view(&game);
        let start = view.topology.net.names.initial.clone();
        let mut known = HashMap::new();
        all_states(&mut view, &start, &mut known);
        let mut propagator = by_name("ordered", topology).unwrap();
        for state in known.keys() {
            let mut values = vec![false; split.net.nodes()];
            state.ones().for_each(|b| values[1 + b] = true);
            for g in 0..split.net.gates() {
                values[split.net.first_gate() + g] =
                    split.net.gate(g).iter().all(|l| values[l.node()] ^ l.inverted());
            }
            propagator.enter(state);
            for input in 0..topology.net.inputs() {
                let next = propagator.successor(&[input as u32]).clone();
                for (base, cases) in split.cases.iter().enumerate() {
                    let of_move: Vec<_> = cases
                        .iter()
                        .filter(|c| split.sets[c.set as usize].contains(&(input as u32)))
                        .collect();
                    assert_eq!(of_move.len(), 1, "every move is in one case");
                    let value = of_move[0].value;
                    assert_eq!(values[value.node()] ^ value.inverted(), next.contains(base), "{text}");
                }
            }
        }
    }
}

#[test]
fn a_plan_has_as_many_moves_as_rounds_or_more() {
    let game = game(CORRIDOR);
    let view = view(&game);
    let mut possible = Possible::new(Arc::new(Split::new(&view.topology).unwrap()), 0);
    let start = view.topology.net.names.initial.clone();
    let outlook = possible.ask(std::iter::once(&start))[0];
    let mut planner = Planner::new(&game, 1).unwrap();
    planner.think(&start, &visits(10_000));
    let plan: Plan = planner.best.map(|b| b.plan).unwrap_or_default();
    assert!(!plan.is_empty() && outlook.rounds as usize <= plan.len());
}

#[test]
fn the_same_visits_give_the_same_plan() {
    let game = game(LATIN);
    let plan = || {
        let mut planner = Planner::new(&game, 7).unwrap();
        let start = planner.view.topology.net.names.initial.clone();
        planner.think(&start, &visits(500));
        planner.best.map(|b| b.plan)
    };
    assert_eq!(plan(), plan());
}
