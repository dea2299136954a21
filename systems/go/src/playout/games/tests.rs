//! Tests of many games at once: they follow the same rules as the board.

use super::*;
use crate::board::{Board, Color, KoRule, Rules, SuicideRule, Vertex};

/// Arrays of their own.
struct Arrays {
    legal: Vec<u8>,
    observation: Vec<u8>,
    last: Vec<u8>,
    rewards: Vec<f32>,
    lead: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    turn: Vec<i32>,
}

impl Arrays {
    fn new(settings: &Settings) -> Self {
        let (n, v) = (settings.games, settings.size * settings.size);
        Self {
            legal: vec![0; n * (v + 1)],
            observation: vec![0; n * PLANES * v],
            last: vec![0; n * PLANES * v],
            rewards: vec![0.0; 2 * n],
            lead: vec![0.0; n],
            terminated: vec![0; n],
            truncated: vec![0; n],
            turn: vec![0; n],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            legal: &mut self.legal,
            observation: &mut self.observation,
            last_observation: &mut self.last,
            rewards: &mut self.rewards,
            lead: &mut self.lead,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            turn: &mut self.turn,
        }
    }
}

fn settings(size: usize, superko: bool) -> Settings {
    Settings {
        games: 20,
        size,
        komi: 6.5,
        superko,
        seed: 7,
        threads: 1,
        autoreset: Autoreset::NextStep,
        illegal_loses: false,
        max_moves: 200,
    }
}

fn new_board(settings: &Settings) -> Board {
    let ko = if settings.superko { KoRule::PositionalSuperko } else { KoRule::Simple };
    Board::with_rules(settings.size, Rules { ko, suicide: SuicideRule::Forbidden })
}

/// The planes by the slow board.
fn planes(board: &Board, color: Color, last: Option<usize>) -> Vec<u8> {
    let vertices = board.size() * board.size();
    let mut planes = vec![0; PLANES * vertices];
    for (n, v) in board.vertices().enumerate() {
        match board.color_at(v) {
            None if !board.is_legal(color, v) => planes[2 * vertices + n] = 1,
            None => {}
            Some(stone) => {
                planes[usize::from(stone != color) * vertices + n] = 1;
                planes[(2 + board.liberties(v).min(3)) * vertices + n] = 1;
            }
        }
        planes[7 * vertices + n] = u8::from(color == Color::Black);
    }
    if let Some(last) = last {
        planes[6 * vertices + last] = 1;
    }
    planes
}

#[test]
fn games_agree_with_the_board_after_every_move() {
    for (size, superko) in [(2, true), (3, true), (3, false), (5, true), (7, false), (9, true)] {
        let settings = settings(size, superko);
        let vertices = size * size;
        let mut games = Games::new(settings.clone()).expect("the settings are right");
        let mut arrays = Arrays::new(&settings);
        games.reset(None, &mut arrays.buffers()).expect("the arrays fit");
        let mut boards = vec![(new_board(&settings), Color::Black, Vec::<usize>::new()); settings.games];
        let (mut actions, mut counted) = (vec![0; settings.games], 0);
        for _ in 0..500 {
            games.sample(&mut actions).expect("the array fits");
            let over: Vec<bool> =
                arrays.terminated.iter().zip(&arrays.truncated).map(|(a, b)| a + b > 0).collect();
            games.step(&actions, &mut arrays.buffers()).expect("samples are legal");
            for (n, (board, color, moves)) in boards.iter_mut().enumerate() {
                if over[n] {
                    (*board, *color, *moves) = (new_board(&settings), Color::Black, Vec::new());
                } else {
                    let at = actions[n] as usize;
                    let v = if at == vertices { Vertex::PASS } else { Vertex::from_index(at, size) };
                    board.play(*color, v).expect("what games call legal is legal");
                    *color = color.other();
                    moves.push(at);
                }
                let passed = moves.len() > 1 && moves[moves.len() - 2..] == [vertices, vertices];
                assert_eq!(arrays.terminated[n], u8::from(passed), "{moves:?}");
                assert_eq!(arrays.truncated[n], u8::from(!passed && moves.len() >= 200));
                let lead = if passed { board.area_lead(settings.komi) } else { 0.0 };
                assert_eq!(arrays.lead[n], lead, "{moves:?}");
                let sign = if lead == 0.0 { 0.0 } else { lead.signum() };
                assert_eq!(arrays.rewards[2 * n..2 * n + 2], [-sign, sign]);
                assert_eq!(arrays.turn[n], *color as i32);
                let ended = arrays.terminated[n] + arrays.truncated[n] > 0;
                let legal = board.vertices().chain([Vertex::PASS]);
                let legal: Vec<u8> = legal.map(|v| u8::from(!ended && board.is_legal(*color, v))).collect();
                assert_eq!(arrays.legal[n * (vertices + 1)..][..=vertices], legal[..], "{moves:?}");
                let last = moves.last().copied().filter(|&last| last < vertices);
                let seen = &arrays.observation[n * PLANES * vertices..][..PLANES * vertices];
                assert_eq!(seen, planes(board, *color, last), "{moves:?}");
                counted += u32::from(passed);
            }
        }
        assert!(counted > 0, "no game of size {size} came to its end");
    }
}

#[test]
fn threads_and_copies_change_nothing_and_saved_games_go_on_alike() {
    let one = settings(5, true);
    let mut several = vec![
        Games::new(one.clone()).expect("the settings are right"),
        Games::new(Settings { threads: 3, ..one.clone() }).expect("the settings are right"),
    ];
    let mut arrays: Vec<Arrays> = (0..4).map(|_| Arrays::new(&one)).collect();
    let mut actions = vec![0; one.games];
    let mut run = |games: &mut Games, arrays: &mut Arrays, steps: usize| {
        let mut seen = Vec::new();
        for _ in 0..steps {
            games.sample(&mut actions).expect("the array fits");
            games.step(&actions, &mut arrays.buffers()).expect("samples are legal");
            seen.push((actions.clone(), arrays.observation.clone(), arrays.lead.clone()));
        }
        seen
    };
    let firsts: Vec<_> = several.iter_mut().zip(&mut arrays).map(|(g, a)| run(g, a, 60)).collect();
    assert!(firsts[0] == firsts[1]);
    let saved = several[0].saved();
    several.push(several[0].try_clone().expect("no threads are needed"));
    let mut loaded = Games::new(one.clone()).expect("the settings are right");
    loaded.load(None, &saved, &mut arrays[3].buffers()).expect("the games are whole");
    several.push(loaded);
    let nexts: Vec<_> = several.iter_mut().zip(&mut arrays).map(|(g, a)| run(g, a, 60)).collect();
    assert!(nexts.iter().all(|next| *next == nexts[0]));
}

#[test]
fn an_illegal_action_is_an_error_or_loses() {
    let mut arrays = Arrays::new(&settings(3, false));
    let mut games = Games::new(settings(3, false)).expect("the settings are right");
    let mut actions = vec![4; 20];
    games.step(&actions, &mut arrays.buffers()).expect("the board was empty");
    actions[7] = 0;
    let error = games.step(&actions, &mut arrays.buffers()).expect_err("the vertex is taken");
    assert_eq!(error.to_string(), "game 0: action 4 is not legal for white; no game has moved");
    let lose = Settings { illegal_loses: true, ..settings(3, false) };
    let mut games = Games::new(lose).expect("the settings are right");
    games.step(&[4; 20], &mut arrays.buffers()).expect("the board was empty");
    games.step(&actions, &mut arrays.buffers()).expect("it loses");
    assert_eq!((arrays.rewards[0], arrays.rewards[1], arrays.terminated[0]), (1.0, -1.0, 1));
    assert_eq!((arrays.rewards[14], arrays.terminated[7]), (0.0, 0));
}

#[test]
fn a_game_starts_again_as_its_setting_says() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        let given = Settings { autoreset, games: 1, ..settings(3, false) };
        let mut arrays = Arrays::new(&given);
        let mut games = Games::new(given).expect("the settings are right");
        let mut seen = Vec::new();
        for action in [4, 9, 9, 9, 9] {
            games.step(&[action], &mut arrays.buffers()).expect("passes are legal");
            let stones: u8 = arrays.observation[..18].iter().sum();
            seen.push((arrays.terminated[0], stones, arrays.rewards[0]));
        }
        let wanted = match autoreset {
            Autoreset::NextStep => [(0, 1, 0.0), (0, 1, 0.0), (1, 1, 1.0), (0, 0, 0.0), (0, 0, 0.0)],
            Autoreset::SameStep => [(0, 1, 0.0), (0, 1, 0.0), (1, 0, 1.0), (0, 0, 0.0), (1, 0, -1.0)],
            Autoreset::Disabled => [(0, 1, 0.0), (0, 1, 0.0), (1, 1, 1.0), (1, 1, 0.0), (1, 1, 0.0)],
        };
        assert_eq!(seen, wanted, "{autoreset:?}");
        if autoreset == Autoreset::SameStep {
            assert_eq!(arrays.last[..18].iter().sum::<u8>(), 0, "the second game ended without a stone");
        }
    }
}
