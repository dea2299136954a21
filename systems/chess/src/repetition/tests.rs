use super::detect::{Detect, OpenFlag, SideTable, Walk};
use super::upcoming::{MoveKeys, upcoming};
use crate::exact::random;
use crate::history::{Line, Policy, identity};
use crate::rules::notation::legal_moves;
use cozy_chess::Board;
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

/// A detector never misses what the key stack finds.
fn never_misses<D: Detect>(mut detect: D, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let game = random::game(seed);
    let mut line = game.line(Policy::A);
    detect.begin(&line);
    let mut stack = vec![game.board().clone()];
    for _ in 0..200 {
        let board = stack.last().unwrap().clone();
        if line.ply() > 0 && line.repetition().is_some() {
            assert!(detect.maybe(&line), "seed {seed}: missed at {board}");
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
}

#[test]
fn no_detector_misses_a_repetition() {
    for seed in 0..200 {
        never_misses(Walk, seed);
        never_misses(SideTable::default(), seed);
        never_misses(OpenFlag::default(), seed);
    }
}

#[test]
fn the_open_flag_stays_right_when_all_nodes_want_one_slot() {
    for seed in 0..200 {
        never_misses(OpenFlag::new(OpenFlag::marks(1), 0), seed);
    }
}

#[test]
fn another_searchers_open_mark_is_no_repetition() {
    let marks = OpenFlag::marks(1 << 16);
    let game = random::game(7);
    let line = game.line(Policy::A);
    let mut one = OpenFlag::new(marks.clone(), 0);
    one.begin(&line);
    one.enter(&line);
    let other = OpenFlag::new(marks, 1);
    assert!(one.maybe(&line));
    assert!(!other.maybe(&line));
}
