//! Tests of the detectors of repetition: each is compared with the key stack.

use super::detect::{Detect, Misjudged, OpenMarks};
use super::key_stack::KeyStack;
use super::move_chains::MoveChains;
use super::open_flag::{OpenFlag, OpenLiteral};
use super::side_table::SideTable;
use super::upcoming::{MoveKeys, upcoming};
use crate::exact::random;
use crate::history::{Game, Line, Policy, identity};
use crate::rules::notation::legal_moves;
use crate::search::Table;
use cozy_chess::Board;
use std::sync::Arc;
use tengen_core::SplitMix64;

#[test]
fn there_are_3668_reversible_moves() {
    assert_eq!(MoveKeys::get().count(), 3668);
}

/// Walks random lines, calling `check` at every position with the line pushed.
fn random_lines(seed: u64, mut check: impl FnMut(&Board, &Line, &mut Vec<(Board, bool)>)) {
    let mut random = SplitMix64::new(seed);
    for policy in Policy::ALL {
        let game = random::game(seed);
        let mut line = game.line(policy);
        let mut board = game.board().clone();
        let mut path = Vec::new();
        for _ in 0..40 {
            check(&board, &line, &mut path);
            let moves = legal_moves(&board);
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(u32::try_from(moves.len()).unwrap()) as usize];
            let before = board.clone();
            board.play(mv);
            line.push(&before, &board, identity(&board));
        }
    }
}

#[test]
fn upcoming_repetition_says_what_trying_every_move_says() {
    let mut found = 0;
    for seed in 0..300 {
        random_lines(seed, |board, line, _| {
            let slow = legal_moves(board).into_iter().any(|mv| {
                let (mut child, mut line) = (board.clone(), line.clone());
                child.play(mv);
                line.push(board, &child, identity(&child));
                line.repetition().is_some()
            });
            found += u32::from(slow);
            assert_eq!(upcoming(board, line).is_some(), slow, "seed {seed}: {board}");
        });
    }
    assert!(found > 100, "only {found} upcoming repetitions were met");
}

/// Marks in a table of this many entries.
fn marks(entries: usize) -> Arc<dyn OpenMarks> {
    let table = Table::with_entries(entries).unwrap();
    table.use_marks(true);
    Arc::new(table)
}

/// Walks through a tree and queries at every position. Returns the number of draws of the key stack and the number of
/// errors of the detector.
fn wander<D: Detect>(mut detect: D, seed: u64, policy: Policy) -> (u64, Misjudged) {
    let mut random = SplitMix64::new(seed);
    let game = random::game(seed);
    let mut line = game.line(policy);
    detect.begin(&line);
    let mut stack = vec![game.board().clone()];
    let (mut draws, mut wrong) = (0, Misjudged::default());
    for _ in 0..200 {
        let board = stack.last().unwrap().clone();
        if line.ply() > 0 {
            let truth = line.repetition();
            draws += u64::from(truth.is_some());
            wrong.note(detect.draw(&line), truth);
        }
        let moves = legal_moves(&board);
        if !moves.is_empty() && random.below(3) > 0 {
            let mv = moves[random.below(u32::try_from(moves.len()).unwrap()) as usize];
            let mut child = board.clone();
            child.play(mv);
            detect.enter(&line);
            line.push(&board, &child, identity(&child));
            stack.push(child);
        } else if stack.len() > 1 {
            stack.pop();
            line.pop();
            detect.leave(&line);
        }
    }
    (draws, wrong)
}

#[test]
fn every_confirmed_detector_says_what_the_key_stack_says() {
    let mut all = 0;
    for seed in 0..200 {
        let policy = Policy::ALL[seed as usize % 4];
        let none = marks(1 << 12);
        for (draws, wrong) in [
            wander(KeyStack::new(&none, 0), seed, policy),
            wander(SideTable::new(&none, 0), seed, policy),
            wander(OpenFlag::new(&none, 0), seed, policy),
            // All nodes want one bucket.
            wander(OpenFlag::new(&marks(2), 0), seed, policy),
        ] {
            assert_eq!(wrong, Misjudged::default(), "seed {seed} {policy:?}");
            all += draws;
        }
    }
    assert!(all > 500, "only {all} draws were met");
}

#[test]
fn moves_that_cancel_miss_pieces_of_a_kind_that_trade_squares_and_see_no_draw_that_is_none() {
    let mut wrong = Misjudged::default();
    for seed in 0..200 {
        wrong = wrong.and(wander(MoveChains::new(&marks(2), 0), seed, Policy::A).1);
    }
    assert_eq!(wrong.false_hits, 0);
    // Two knights come back, each to the other's square.
    let moves = "b1c3 b8a6 g1f3 a6b8 c3b5 b8a6 f3d4 a6b8 b5c3 b8a6 d4f3 a6b8 c3d1";
    let game = Game::from_text("1n2k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", moves.split(' ').take(12)).unwrap();
    let mut line = game.line(Policy::A);
    assert!(line.repetition().is_some());
    assert!(MoveChains::new(&marks(2), 0).draw(&line).is_some());
    let trade =
        "b1a3 b8a6 a3b5 a6b8 g1f3 b8a6 f3e5 a6b8 e5c4 b8a6 c4a3 a6b8 a3b1 b8a6 b5d4 a6b8 d4f3 b8a6 f3g1 a6b8";
    let game = Game::from_text("1n2k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", trade.split(' ')).unwrap();
    line = game.line(Policy::A);
    assert!(line.repetition().is_some(), "the knights have traded squares");
    assert!(MoveChains::new(&marks(2), 0).draw(&line).is_none());
}

#[test]
fn the_flag_as_told_is_lost_to_collisions_and_takes_once_in_the_game_for_a_draw() {
    let (mut narrow, mut wide) = (Misjudged::default(), Misjudged::default());
    for seed in 0..200 {
        narrow = narrow.and(wander(OpenLiteral::new(&marks(2), 0), seed, Policy::B).1);
        wide = wide.and(wander(OpenLiteral::new(&marks(1 << 14), 0), seed, Policy::B).1);
    }
    assert!(narrow.missed > 50, "{narrow:?}");
    assert!(wide.missed < narrow.missed / 10, "{wide:?} against {narrow:?}");
    assert!(wide.false_hits > 50, "{wide:?}");
}

#[test]
fn another_searchers_mark_is_a_repetition_only_for_the_flag_as_told() {
    let marks = marks(1 << 12);
    let game = random::game(7);
    let mut line = game.line(Policy::A);
    let mv = legal_moves(game.board())[0];
    let mut child = game.board().clone();
    child.play(mv);
    line.push(game.board(), &child, identity(&child));
    let mut one = OpenFlag::new(&marks, 0);
    one.begin(&line);
    one.enter(&line);
    assert_eq!(OpenFlag::new(&marks, 1).draw(&line), None);
    assert!(OpenLiteral::new(&marks, 1).draw(&line).is_some());
    one.leave(&line);
    assert!(OpenLiteral::new(&marks, 1).draw(&line).is_none(), "the mark is gone with its node");
}
