//! Compares environments with the prover, for every game after every step and in every mode.

use super::{
    Autoreset, BitOrder, Environment, EnvironmentError, Illegal, Layout, NO_FACT, Screens, Settings,
};
use crate::game::{Game, LoadLimits};
use crate::machine::{Description, ProverMachine, State, StateMachine};
use crate::program::Program;
use tengen_core::SplitMix64;

pub(super) const GAMES: [(&str, &str); 5] = [
    ("noughts", include_str!("../../../../resources/gdl/noughts.kif")),
    ("heaps", include_str!("../../../../resources/gdl/heaps.kif")),
    ("standoff", include_str!("../../../../resources/gdl/standoff.kif")),
    ("corridor", include_str!("../../../../resources/gdl/corridor.kif")),
    ("relay", include_str!("../../../../resources/gdl/relay.kif")),
];

pub(super) fn load(text: &str) -> Game {
    Game::load(text, LoadLimits::default(), &mut || false).expect("the rulesheets of the tests are good")
}

/// One game that the prover follows.
struct Truth {
    prover: ProverMachine,
    state: State,
    over: bool,
    steps: u32,
}

impl Truth {
    fn new(text: &str) -> Self {
        let prover = ProverMachine::new(Program::read(text).unwrap()).unwrap();
        let state = prover.initial();
        Self { prover, state, over: false, steps: 0 }
    }

    fn restart(&mut self) {
        (self.state, self.over, self.steps) = (self.prover.initial(), false, 0);
    }

    fn describe(&mut self) -> Description {
        self.prover.enter(&self.state).unwrap();
        self.prover.describe(&self.state).unwrap()
    }
}

/// The view of game `n` in the screens.
struct Seen<'a> {
    facts: Vec<&'a str>,
    /// The legal actions of each group.
    legal: Vec<Vec<&'a str>>,
    rewards: &'a [f32],
}

fn shown<'a>(games: &Environment, screens: &'a Screens, names: &'a super::Schema, n: usize) -> Seen<'a> {
    let (width, actions) = (names.width(), names.action_count());
    let row = &screens.observation[n * width..][..width];
    let mut facts: Vec<&str> =
        row.iter().zip(&names.facts).filter(|(b, _)| **b == 1).map(|(_, text)| text.as_str()).collect();
    facts.sort_unstable();
    let groups = games.actions_per_game();
    let legal = screens.legal[n * groups * actions..][..groups * actions].chunks(actions).map(|plane| {
        let mut texts: Vec<&str> =
            plane.iter().zip(&names.actions).filter(|(b, _)| **b == 1).map(|(_, t)| t.as_str()).collect();
        texts.sort_unstable();
        texts
    });
    let roles = names.roles.len();
    Seen { facts, legal: legal.collect(), rewards: &screens.rewards[n * roles..][..roles] }
}

/// The joint move that the actions of a game mean.
fn joint(games: &Environment, truth: &Description, actions: &[i32], turn: i32) -> Vec<String> {
    let names = games.schema();
    let text = |group: usize| names.actions[actions[group] as usize].clone();
    if games.takes_turns() {
        let role = |r: usize| if r == turn as usize { text(0) } else { truth.legal[r][0].clone() };
        (0..names.roles.len()).map(role).collect()
    } else {
        (0..names.roles.len()).map(text).collect()
    }
}

fn assert_legal(games: &Environment, seen: &Seen<'_>, truth: &Description, turn: i32, context: &str) {
    if games.takes_turns() {
        assert_eq!(seen.legal[0], truth.legal[turn as usize], "{context}");
        let others = truth.legal.iter().enumerate().filter(|&(r, _)| r != turn as usize);
        assert!(others.into_iter().all(|(_, l)| l.len() == 1), "{context}: {truth:?}");
    } else {
        assert_eq!(seen.legal, truth.legal, "{context}");
    }
}

/// Follows every game of an environment for some steps.
fn follow(name: &str, text: &str, settings: Settings, steps: usize) -> usize {
    let mut games = Environment::new(&load(text), &settings).unwrap();
    let names = std::sync::Arc::clone(games.schema());
    let mut screens = Screens::new(&games);
    games.reset(None, &mut screens.buffers()).unwrap();
    let mut truths: Vec<Truth> = (0..settings.games).map(|_| Truth::new(text)).collect();
    let groups = games.actions_per_game();
    let mut actions = vec![0; settings.games * groups];
    let mut ends = 0;
    for step in 0..steps {
        games.sample(&mut actions).unwrap();
        let turns = screens.turn.clone();
        let before: Vec<Description> = truths.iter_mut().map(Truth::describe).collect();
        for (n, truth) in before.iter().enumerate().filter(|(n, _)| !truths[*n].over) {
            let context = format!("{name} game {n} step {step} {settings:?}");
            let seen = shown(&games, &screens, &names, n);
            assert_eq!(seen.facts, truth.facts, "{context}");
            assert_legal(&games, &seen, truth, turns[n], &context);
        }
        games.step(&actions, &mut screens.buffers()).unwrap();
        for (n, truth) in truths.iter_mut().enumerate() {
            let context = format!("{name} game {n} step {step} {settings:?}");
            let seen = shown(&games, &screens, &names, n);
            let (terminated, truncated) = (screens.terminated[n] == 1, screens.truncated[n] == 1);
            if truth.over {
                assert!(!terminated && !truncated && seen.rewards.iter().all(|&r| r == 0.0), "{context}");
                if settings.autoreset == Autoreset::NextStep {
                    truth.restart();
                }
                continue;
            }
            let moves = joint(&games, &before[n], &actions[n * groups..][..groups], turns[n]);
            truth.prover.enter(&truth.state).unwrap();
            let moves = truth.prover.joint_move(&moves).unwrap();
            truth.state = truth.prover.successor(&moves).unwrap();
            truth.steps += 1;
            let now = truth.describe();
            let late = settings.max_steps > 0 && truth.steps >= settings.max_steps;
            assert_eq!((terminated, truncated), (now.terminal, late && !now.terminal), "{context}");
            if terminated || truncated {
                ends += 1;
                let goal = |g: &Vec<String>| g.first().map_or(0.0, |v| v.parse::<f32>().unwrap() / 100.0);
                let goals: Vec<f32> = now.goals.iter().map(goal).collect();
                assert_eq!(seen.rewards, goals, "{context}");
                let width = names.width();
                let last = &screens.last_observation[n * width..][..width];
                let facts = last.iter().zip(&names.facts).filter(|(b, _)| **b == 1);
                let mut facts: Vec<&str> = facts.map(|(_, text)| text.as_str()).collect();
                facts.sort_unstable();
                assert_eq!(facts, now.facts, "{context}");
                truth.over = settings.autoreset != Autoreset::SameStep;
                if !truth.over {
                    truth.restart();
                }
                assert!(!truth.over || seen.legal.iter().all(Vec::is_empty), "{context}");
            } else {
                assert!(seen.rewards.iter().all(|&r| r == 0.0), "{context}");
            }
            let now = truth.describe();
            assert_eq!(shown(&games, &screens, &names, n).facts, now.facts, "{context}");
        }
    }
    ends
}

#[test]
fn every_game_of_an_environment_goes_as_the_prover_says() {
    for (name, text) in GAMES {
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            for (games, max_steps, joint) in [(3, 0, false), (70, 4, true), (67, 0, false)] {
                let settings =
                    Settings { games, autoreset, max_steps, joint, seed: 5, ..Settings::default() };
                let steps = if games > 3 { 12 } else { 30 };
                let ends = follow(name, text, settings, steps);
                assert!(ends > 0 || name == "corridor", "{name} {settings:?}");
            }
        }
    }
}

#[test]
fn roles_take_turns_where_no_state_gives_two_a_choice() {
    let expected = [true, true, false, true, true];
    for ((name, text), expected) in GAMES.into_iter().zip(expected) {
        let games = Environment::new(&load(text), &Settings::default()).unwrap();
        assert_eq!(games.takes_turns(), expected, "{name}");
        let joint = Environment::new(&load(text), &Settings { joint: true, ..Settings::default() }).unwrap();
        assert!(!joint.takes_turns());
    }
}

#[test]
fn the_grid_of_noughts_is_three_planes_and_the_turn() {
    let games = Environment::new(&load(GAMES[0].1), &Settings::default()).unwrap();
    let schema = games.schema();
    let grid = schema.grid.as_ref().unwrap();
    assert_eq!((grid.planes.len(), grid.rows.len(), grid.columns.len()), (3, 3, 3));
    assert_eq!(schema.width(), 29);
    assert!(schema.columns.iter().all(|&c| c != NO_FACT));
    assert_eq!(schema.action_count(), 10);
}

#[test]
fn the_same_seed_gives_the_same_bytes_at_any_number_of_threads() {
    let run = |threads: usize, seed: u64| {
        let settings = Settings { games: 1100, threads, seed, ..Settings::default() };
        let mut games = Environment::new(&load(GAMES[0].1), &settings).unwrap();
        let mut screens = Screens::new(&games);
        games.reset(None, &mut screens.buffers()).unwrap();
        let mut actions = vec![0; 1100];
        for _ in 0..30 {
            games.sample(&mut actions).unwrap();
            games.step(&actions, &mut screens.buffers()).unwrap();
        }
        (screens, actions)
    };
    let one = run(1, 3);
    assert!(one == run(2, 3) && one == run(3, 3));
    assert!(one != run(1, 4));
}

#[test]
fn samples_are_legal_and_equally_likely() {
    let settings = Settings { games: 9000, ..Settings::default() };
    let mut games = Environment::new(&load(GAMES[0].1), &settings).unwrap();
    let mut actions = vec![-1; 9000];
    games.sample(&mut actions).unwrap();
    let mut counts = vec![0; 10];
    actions.iter().for_each(|&a| counts[a as usize] += 1);
    let (legal, waiting): (Vec<_>, Vec<_>) =
        counts.iter().zip(&games.schema().actions).partition(|(_, text)| *text != "wait");
    assert_eq!(*waiting[0].0, 0);
    assert!(legal.iter().all(|(n, _)| (850..1150).contains(*n)), "{counts:?}");
}

#[test]
fn an_illegal_action_is_an_error_and_nothing_moves() {
    let settings = Settings { games: 1000, ..Settings::default() };
    let mut games = Environment::new(&load(GAMES[0].1), &settings).unwrap();
    let mut screens = Screens::new(&games);
    games.reset(None, &mut screens.buffers()).unwrap();
    let mut actions = vec![0; 1000];
    games.step(&actions, &mut screens.buffers()).unwrap();
    let before = screens.clone();
    games.sample(&mut actions).unwrap();
    for (game, action, text) in [
        (999, 0, "(put 1 1)"),
        (3, -1, "no move has this number"),
        (0, 10, "no move has this number"),
        (5, i32::MAX, "no move has this number"),
    ] {
        let mut wrong = actions.clone();
        wrong[game] = action;
        let error = games.step(&wrong, &mut screens.buffers()).unwrap_err();
        let role = "the role on turn".to_owned();
        assert_eq!(error, EnvironmentError::Illegal { game, action, text: text.to_owned(), role });
        assert!(screens == before);
    }
    games.step(&actions, &mut screens.buffers()).unwrap();
    assert!(screens != before);
    // Drawn, but from other states.
    assert!(games.step(&actions, &mut screens.buffers()).is_err());
}

#[test]
fn draws_are_the_same_whether_steps_made_them_or_not() {
    for (name, text) in GAMES {
        let settings = Settings { games: 600, threads: 2, illegal: Illegal::Lose, ..Settings::default() };
        let play = |forget: bool| {
            let mut games = Environment::new(&load(text), &settings).unwrap();
            let mut screens = Screens::new(&games);
            games.reset(None, &mut screens.buffers()).unwrap();
            let mut actions = vec![0; 600 * games.actions_per_game()];
            let mut all = Vec::new();
            for step in 0..40 {
                if forget {
                    // Sets nothing back, but what was drawn ahead must be drawn again.
                    games.reset(Some(&[false; 600]), &mut screens.buffers()).unwrap();
                }
                match step % 7 {
                    // Steps without a draw before them, and two draws for one.
                    3 => (),
                    5 => [(); 2].into_iter().for_each(|()| games.sample(&mut actions).unwrap()),
                    _ => games.sample(&mut actions).unwrap(),
                }
                games.step(&actions, &mut screens.buffers()).unwrap();
                all.extend_from_slice(&actions);
            }
            (all, screens)
        };
        assert!(play(false) == play(true), "{name}");
    }
}

#[test]
fn an_illegal_action_loses_its_game_where_that_is_asked_for() {
    for (text, joint) in [(GAMES[0].1, false), (GAMES[0].1, true), (GAMES[2].1, true)] {
        let settings = Settings { games: 4, illegal: Illegal::Lose, joint, seed: 1, ..Settings::default() };
        let game = load(text);
        let mut games = Environment::new(&game, &settings).unwrap();
        let mut screens = Screens::new(&games);
        games.reset(None, &mut screens.buffers()).unwrap();
        let start = games.state(2);
        let groups = games.actions_per_game();
        let mut actions = vec![0; 4 * groups];
        games.sample(&mut actions).unwrap();
        actions[2 * groups] = 77;
        games.step(&actions, &mut screens.buffers()).unwrap();
        assert_eq!(screens.terminated, [0, 0, 1, 0]);
        assert_eq!(screens.rewards[4..6], [0.0, 1.0]);
        let topology = game.topology.as_ref().unwrap();
        assert_eq!(games.state(2).facts_in(topology.numbering).unwrap(), &topology.net.names.initial);
        let mut machine = game.machine("naive").unwrap();
        machine.enter(&start).unwrap();
        assert_eq!(games.facts(2), machine.describe(&start).unwrap().facts);
        assert_eq!(games.state(2), start);
        games.sample(&mut actions).unwrap();
        games.step(&actions, &mut screens.buffers()).unwrap();
        assert_eq!(screens.terminated, [0, 0, 0, 0], "it starts again");
    }
}

#[test]
fn only_marked_games_are_reset() {
    let settings = Settings { games: 70, autoreset: Autoreset::Disabled, ..Settings::default() };
    let mut games = Environment::new(&load(GAMES[0].1), &settings).unwrap();
    let mut screens = Screens::new(&games);
    games.reset(None, &mut screens.buffers()).unwrap();
    let start = games.state(0);
    let mut actions = vec![0; 70];
    games.step(&actions, &mut screens.buffers()).unwrap();
    let mut rng = SplitMix64::new(1);
    let which: Vec<bool> = (0..70).map(|_| rng.below(2) == 1).collect();
    games.reset(Some(&which), &mut screens.buffers()).unwrap();
    for (game, &reset) in which.iter().enumerate() {
        assert_eq!(games.state(game) == start, reset);
    }
    games.sample(&mut actions).unwrap();
    games.step(&actions, &mut screens.buffers()).unwrap();
}

#[test]
fn lengths_and_numbers_that_do_not_fit_are_told() {
    let game = load(GAMES[0].1);
    for games in [0, usize::MAX] {
        let error = Environment::new(&game, &Settings { games, ..Settings::default() }).err().unwrap();
        assert!(matches!(error, EnvironmentError::OutOfRange { what: "games", .. }));
    }
    let mut games = Environment::new(&game, &Settings { games: 2, ..Settings::default() }).unwrap();
    let mut screens = Screens::new(&games);
    assert!(games.step(&[0], &mut screens.buffers()).is_err());
    assert!(games.sample(&mut [0; 3]).is_err());
    assert!(games.reset(Some(&[true]), &mut screens.buffers()).is_err());
    screens.rewards.pop();
    let error = games.step(&[0, 0], &mut screens.buffers()).unwrap_err();
    assert_eq!(error, EnvironmentError::BufferLength { name: "rewards", got: 3, wanted: 4 });
    let ended = load("(role r) (init a) terminal (<= (legal r x) (true a)) (goal r 100)");
    let error = Environment::new(&ended, &Settings::default()).err().unwrap();
    assert_eq!(error, EnvironmentError::NothingToPlay);
}

#[test]
fn packed_screens_are_the_bits_of_the_others() {
    for (name, text) in GAMES {
        let game = load(text);
        for (order, autoreset, joint) in [
            (BitOrder::Big, Autoreset::NextStep, false),
            (BitOrder::Little, Autoreset::SameStep, true),
            (BitOrder::Big, Autoreset::SameStep, false),
        ] {
            let settings = Settings { games: 600, seed: 3, autoreset, joint, ..Settings::default() };
            let mut plain = Environment::new(&game, &settings).unwrap();
            let mut packed =
                Environment::new(&game, &Settings { layout: Layout::Bits(order), ..settings }).unwrap();
            let (mut bytes, mut bits) = (Screens::new(&plain), Screens::new(&packed));
            let mut actions = vec![0; 600 * plain.actions_per_game()];
            let names = plain.schema().clone();
            plain.reset(None, &mut bytes.buffers()).unwrap();
            packed.reset(None, &mut bits.buffers()).unwrap();
            for _ in 0..20 {
                let pack = |rows: &[u8], width: usize| -> Vec<u8> {
                    let fold = |byte: u8, (n, &bit): (usize, &u8)| match order {
                        BitOrder::Big => byte | bit << (7 - n),
                        BitOrder::Little => byte | bit << n,
                    };
                    let eights = rows.chunks(width).flat_map(|row| row.chunks(8));
                    eights.map(|eight| eight.iter().enumerate().fold(0, fold)).collect()
                };
                assert_eq!(bits.legal, pack(&bytes.legal, names.action_count()), "{name}");
                assert_eq!(bits.observation, pack(&bytes.observation, names.width()), "{name}");
                assert_eq!(bits.last_observation, pack(&bytes.last_observation, names.width()), "{name}");
                assert_eq!((&bits.rewards, &bits.turn), (&bytes.rewards, &bytes.turn), "{name}");
                plain.sample(&mut actions).unwrap();
                plain.step(&actions, &mut bytes.buffers()).unwrap();
                packed.step(&actions, &mut bits.buffers()).unwrap();
            }
        }
    }
}
