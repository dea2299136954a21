//! Tests that a finished board has the same score in all eight symmetries, and with exchanged colours.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{repository, skipped};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use tengen::scene::position;
use tengen::scene::{self, Expect};
use tengen_go::GoEngine;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::upright::{TURNINGS, turned, turned_board};
use tengen_go::board::{Board, Color, Rules, Vertex};
use tengen_go::finished::StatusFinder;
use tengen_go::score::{FinalStatus, Scoring, Status};

/// The number of games whose last boards are turned.
const GAMES: usize = 50;

/// All images: turnings, and whether the colours are exchanged.
fn images() -> impl Iterator<Item = (u8, bool)> {
    (0..TURNINGS).flat_map(|turning| [(turning, false), (turning, true)])
}

struct Scorer {
    engine: GoEngine,
    finder: StatusFinder,
}

impl Scorer {
    fn new() -> Self {
        Self { engine: GoEngine::new(1), finder: StatusFinder::default() }
    }

    /// The status of an image, and its two scores for the side that is White on the board.
    fn score(&mut self, board: &Board, turning: u8, is_swapped: bool) -> (FinalStatus, [f32; 2]) {
        let mover = if is_swapped { Color::White } else { Color::Black };
        let status = self.finder.find(&self.engine, &turned_board(board, turning, is_swapped), mover, 1);
        let sign = if is_swapped { -1.0 } else { 1.0 };
        let scores = [Scoring::Territory, Scoring::Area].map(|by| sign * status.white_lead(by, 0.0));
        (status, scores)
    }
}

#[test]
fn each_seki_is_one_in_all_turnings_and_both_colours() {
    let file = repository().join("scenes/go/finished/seki.ron");
    let cases = scene::cases::of_files(&[file], 0, &scene::PlainFiles::default());
    let mut scorer = Scorer::new();
    let mut sekis = 0;
    for case in &cases {
        let input = position::go(case).expect("a good scene");
        let board = &input.position.board;
        let scene = case.scene.as_ref().expect("a scene");
        let Some(Expect::FinalStatus { dead, seki }) = scene.expect.first() else { panic!("{}", case.id) };
        let holds = |names: &[String], v: Vertex| {
            names.iter().any(|name| board.origin(input.vertex(name).expect("a vertex")) == board.origin(v))
        };
        sekis += usize::from(!seki.is_empty());
        let scores = scorer.score(board, 0, false).1;
        for (turning, is_swapped) in images() {
            let (status, found) = scorer.score(board, turning, is_swapped);
            assert_eq!(found, scores, "{}: turning {turning}, colours exchanged: {is_swapped}", case.id);
            for v in board.vertices().filter(|&v| !board.is_empty(v)) {
                let wanted = match v {
                    _ if holds(dead, v) => Status::Dead,
                    _ if holds(seki, v) => Status::Seki,
                    _ => Status::Alive,
                };
                let there = turned(v, turning, board.size());
                assert_eq!(status.at(there), wanted, "{}: {}", case.id, v.to_gtp(board.size()));
            }
        }
    }
    assert!(sekis >= 20, "{sekis} sekis");
}

/// The folder `shared`, or `None` with a message.
fn shared() -> Option<PathBuf> {
    let path =
        std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), PathBuf::from);
    if !path.join("golden").is_dir() {
        skipped("no folder `shared`");
        return None;
    }
    Some(path)
}

#[test]
fn the_given_seki_over_a_false_eye_is_worth_57_points_of_territory() {
    let Some(shared) = shared() else { return };
    let bytes = std::fs::read(shared.join("cases/go_seki_false_eye.sgf")).expect("the case");
    let board = last_board(&bytes).expect("a game");
    let mut scorer = Scorer::new();
    for (turning, is_swapped) in images() {
        // By area White's eye at J3 counts too, and so do the stones.
        assert_eq!(scorer.score(&board, turning, is_swapped).1, [-57.0, -61.0], "{turning}");
    }
}

/// The board at the end of a game's main line.
fn last_board(text: &[u8]) -> Option<Board> {
    let tree = sgf::parse(text).ok()?;
    let game = sgf::load(&tree, &tree.line(&[]), Until::End, Rules::default()).ok()?;
    Some(game.board)
}

/// The games of the learning set that have a position after move 200, in the order of their names.
fn long_games(shared: &Path) -> Vec<String> {
    let file = std::fs::File::open(shared.join("golden/go/learn_a.jsonl.gz")).expect("the learning set");
    let lines = std::io::BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
    let mut games = BTreeSet::new();
    for line in lines {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("a line is JSON");
        if line["move"].as_u64() > Some(200) {
            games.insert(line["sgf"].as_str().expect("a name").to_owned());
        }
    }
    games.into_iter().collect()
}

#[test]
fn a_finished_game_and_its_mirror_have_one_score() {
    let Some(shared) = shared() else { return };
    let mut scorer = Scorer::new();
    let mut tried = 0;
    let mut differ = Vec::new();
    for (i, name) in long_games(&shared).into_iter().enumerate() {
        let Ok(text) = std::fs::read(shared.join("suites/go").join(&name)) else { continue };
        let Some(board) = last_board(&text) else { continue };
        let scores = scorer.score(&board, 0, false).1;
        // Another mirror for each game; every second with its colours exchanged.
        let turning = 1 + (i % usize::from(TURNINGS - 1)) as u8;
        if scorer.score(&board, turning, i % 2 == 0).1 != scores {
            differ.push(name);
        }
        tried += 1;
        if tried == GAMES {
            break;
        }
    }
    assert_eq!(tried, GAMES);
    assert!(differ.is_empty(), "{differ:?}");
}
