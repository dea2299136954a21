//! Tests that copies and saved states of environments go on exactly like the environment itself.

use super::tests::{GAMES, load};
use super::{Autoreset, Environment, EnvironmentError, Illegal, Screens, Settings};

const ALL: [Autoreset; 3] = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];

/// Plays on for some steps; all that is seen.
fn play(games: &mut Environment, screens: &mut Screens, steps: usize) -> Vec<(Vec<i32>, Screens)> {
    let mut actions = vec![0; games.games() * games.actions_per_game()];
    (0..steps)
        .map(|_| {
            games.sample(&mut actions).unwrap();
            games.step(&actions, &mut screens.buffers()).unwrap();
            (actions.clone(), screens.clone())
        })
        .collect()
}

fn saved(games: &mut Environment) -> Vec<u8> {
    let mut rows = vec![0; games.games() * games.state_bytes()];
    games.save(&mut rows).unwrap();
    rows
}

/// The number of games, the number of threads of the copy, and the limit of moves.
const SHAPES: [(usize, usize, u32); 4] = [(3, 1, 0), (70, 2, 4), (600, 3, 0), (1100, 2, 5)];

#[test]
fn copies_and_loaded_states_play_the_same_games_on() {
    for (name, text) in GAMES {
        for (autoreset, (games, threads, max_steps)) in ALL.into_iter().flat_map(|a| SHAPES.map(|s| (a, s))) {
            for lasting in [false, true] {
                let context = format!("{name} {autoreset:?} {games} games, {max_steps} moves, {lasting}");
                let settings =
                    Settings { games, autoreset, max_steps, lasting, seed: 7, ..Settings::default() };
                let mut first = Environment::new(&load(text), &settings).unwrap();
                let mut screens = Screens::new(&first);
                first.reset(None, &mut screens.buffers()).unwrap();
                play(&mut first, &mut screens, 5);
                let mut copy = first.try_clone().unwrap();
                let mut screens_of_copy = screens.clone();
                let mut other = Environment::new(&load(text), &Settings { threads, ..settings }).unwrap();
                let mut screens_of_other = screens.clone();
                other.load(None, &saved(&mut first), &mut screens_of_other.buffers()).unwrap();
                other.set_random(&first.random()).unwrap();
                assert!(saved(&mut other) == saved(&mut first), "{context}");
                assert!(screens_of_other.legal == screens.legal, "{context}");
                assert!(screens_of_other.observation == screens.observation, "{context}");
                assert!(screens_of_other.turn == screens.turn, "{context}");
                let (a, b, c) = (
                    play(&mut first, &mut screens, 8),
                    play(&mut copy, &mut screens_of_copy, 8),
                    play(&mut other, &mut screens_of_other, 8),
                );
                assert!(a == b, "{context}: the copy");
                for (step, (a, c)) in a.iter().zip(&c).enumerate() {
                    assert!(a == c, "{context}: the loaded one, step {step}");
                }
            }
        }
    }
}

#[test]
fn rows_go_to_the_lanes_that_are_named_and_the_others_stay() {
    let settings = Settings { games: 200, autoreset: Autoreset::Disabled, seed: 2, ..Settings::default() };
    for (name, text) in GAMES {
        let mut games = Environment::new(&load(text), &settings).unwrap();
        let mut screens = Screens::new(&games);
        games.reset(None, &mut screens.buffers()).unwrap();
        play(&mut games, &mut screens, 2);
        let (early, bytes) = (saved(&mut games), games.state_bytes());
        play(&mut games, &mut screens, 1);
        let (late, before) = (saved(&mut games), screens.clone());
        let lanes: Vec<usize> = (0..200).filter(|n| n % 3 == 0).rev().collect();
        let rows: Vec<u8> = (0..lanes.len()).flat_map(|n| early[n * bytes..][..bytes].to_vec()).collect();
        games.load(Some(&lanes), &rows, &mut screens.buffers()).unwrap();
        let (now, width) = (saved(&mut games), games.schema().width());
        for lane in 0..200 {
            let row = lanes.iter().position(|&l| l == lane);
            let expected = row.map_or(&late[lane * bytes..][..bytes], |n| &rows[n * bytes..][..bytes]);
            assert_eq!(&now[lane * bytes..][..bytes], expected, "{name} lane {lane}");
            let seen = |screens: &Screens| screens.observation[lane * width..][..width].to_vec();
            assert!(row.is_some() || seen(&screens) == seen(&before), "{name} lane {lane}");
        }
    }
}

#[test]
fn the_flags_of_a_game_that_is_over_last_where_that_is_asked_for() {
    for (text, max_steps, illegal) in [
        (GAMES[0].1, 0, Illegal::Raise),
        (GAMES[0].1, 6, Illegal::Raise),
        (GAMES[1].1, 0, Illegal::Raise),
        (GAMES[0].1, 0, Illegal::Lose),
    ] {
        let settings = Settings {
            games: 70,
            autoreset: Autoreset::Disabled,
            lasting: true,
            max_steps,
            illegal,
            ..Settings::default()
        };
        let mut games = Environment::new(&load(text), &settings).unwrap();
        let mut screens = Screens::new(&games);
        games.reset(None, &mut screens.buffers()).unwrap();
        let mut actions = vec![0; 70];
        let (mut over, mut cut) = (vec![0; 70], vec![0; 70]);
        for step in 0..30 {
            games.sample(&mut actions).unwrap();
            if illegal == Illegal::Lose && step == 2 {
                actions[5] = 77;
            }
            games.step(&actions, &mut screens.buffers()).unwrap();
            for n in 0..70 {
                let ended = over[n] + cut[n] > 0;
                assert!(!ended || (screens.terminated[n], screens.truncated[n]) == (over[n], cut[n]));
                assert!(!ended || screens.rewards[2 * n..][..2] == [0.0, 0.0]);
            }
            (over, cut) = (screens.terminated.clone(), screens.truncated.clone());
        }
        assert!(over.iter().zip(&cut).all(|(o, c)| o + c == 1));
        assert_eq!(cut.contains(&1), max_steps > 0);
        let which: Vec<bool> = (0..70).map(|n| n % 2 == 0).collect();
        games.reset(Some(&which), &mut screens.buffers()).unwrap();
        for (n, &reset) in which.iter().enumerate() {
            let kept = (over[n], cut[n]);
            assert_eq!((screens.terminated[n], screens.truncated[n]), if reset { (0, 0) } else { kept });
        }
    }
}

#[test]
fn a_loaded_state_without_a_move_is_over() {
    let game = load(GAMES[0].1);
    let settings = Settings { games: 1, autoreset: Autoreset::Disabled, ..Settings::default() };
    let mut games = Environment::new(&game, &settings).unwrap();
    let mut screens = Screens::new(&games);
    games.reset(None, &mut screens.buffers()).unwrap();
    let mut rows = saved(&mut games);
    let mut actions = vec![0];
    while screens.terminated[0] == 0 {
        games.sample(&mut actions).unwrap();
        games.step(&actions, &mut screens.buffers()).unwrap();
    }
    let mut last = saved(&mut games);
    assert_eq!(last[4], 1);
    // As if somebody had played on without asking whether the game is over.
    last[4] = 0;
    games.load(None, &last, &mut screens.buffers()).unwrap();
    assert_eq!(screens.terminated, [1]);
    assert!(screens.legal.iter().all(|&legal| legal == 0));
    rows[4] = 0;
    games.load(None, &rows, &mut screens.buffers()).unwrap();
    assert_eq!((screens.terminated[0], screens.legal.iter().filter(|&&l| l == 1).count()), (0, 9));
}

#[test]
fn what_is_no_state_is_refused_and_nothing_changes() {
    let game = load(GAMES[0].1);
    let settings = Settings { games: 4, autoreset: Autoreset::SameStep, ..Settings::default() };
    let mut games = Environment::new(&game, &settings).unwrap();
    let mut screens = Screens::new(&games);
    games.reset(None, &mut screens.buffers()).unwrap();
    let (rows, bytes, before) = (saved(&mut games), games.state_bytes(), screens.clone());
    let mut refused = |lanes: Option<&[usize]>, rows: &[u8]| {
        let error = games.load(lanes, rows, &mut screens.buffers()).unwrap_err();
        assert!(screens == before);
        error
    };
    let changed = |at: usize, to: u8| {
        let mut rows = rows.clone();
        rows[at] = to;
        rows
    };
    let length = EnvironmentError::BufferLength { name: "states", got: bytes, wanted: 4 * bytes };
    assert_eq!(refused(None, &rows[..bytes]), length);
    let lane = EnvironmentError::NoLane { lane: 4, games: 4 };
    assert_eq!(refused(Some(&[4]), &rows[..bytes]), lane);
    for (at, to) in [(2 * bytes + 4, 2), (2 * bytes + 4, 4), (3 * bytes - 1, 0x80), (2 * bytes + 4, 1)] {
        let error = refused(None, &changed(at, to));
        assert!(matches!(error, EnvironmentError::State { row: 2, .. }), "{error}");
    }
    assert_eq!(games.set_random(&[1, 2, 3]), Err(EnvironmentError::Random));
}
