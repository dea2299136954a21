//! Tests of the choice of moves.

use super::*;
use crate::board::{Board, Color};

/// The pipeline's candidates and the decision.
fn review(board: &Board, color: Color, request: &Request<'_>) -> Review {
    let mut engine = crate::GoEngine::new(1);
    engine.put(0, crate::world::Position::new(board.clone(), color));
    engine.analyse(crate::AnalyseSystems::MoveEvaluation);
    let list: &MoveList = engine.result(0, crate::AnalyseSystems::MoveEvaluation).expect("it was reached");
    decide(board, color, &list.candidates, request, &mut || false)
}

fn choose_on(text: &str, color: Color) -> Choice {
    let (board, _) = Board::from_diagram(text).expect("a good diagram");
    let request = Request { playouts: 400, ..Request::default() };
    review(&board, color, &request).choice
}

#[test]
fn a_string_in_atari_is_captured() {
    let text = ".......\n..XX...\n.XOOX..\n..XO...\n...X...\n.......\n.......\n";
    assert_eq!(choose_on(text, Color::Black), Choice::Play(Vertex::new(3, 4, 7)));
    // White can be saved only where a friend is near: without one every way to run is a ladder.
    let text = ".......\n..XX...\n.XOOX..\n..XO.O.\n...X...\n.......\n.......\n";
    assert_eq!(choose_on(text, Color::Black), Choice::Play(Vertex::new(3, 4, 7)));
    assert_eq!(choose_on(text, Color::White), Choice::Play(Vertex::new(3, 4, 7)));
}

#[test]
fn a_divided_board_is_passed_on() {
    let text = "...XO..\n.X.XO..\n...XO.O\n.X.XO..\n...XO..\n.X.XO.O\n...XO..\n";
    assert_eq!(choose_on(text, Color::Black), Choice::Pass);
    assert_eq!(choose_on(text, Color::White), Choice::Pass);
}

#[test]
fn the_same_seed_gives_the_same_review() {
    let board = Board::new(9);
    let request = Request { playouts: 200, seed: 5, ..Request::default() };
    let a = review(&board, Color::Black, &request);
    let b = review(&board, Color::Black, &request);
    assert_eq!(a.candidates, b.candidates);
    assert_eq!(a.choice, b.choice);
}

/// The pipeline's candidates on a diagram.
fn candidates_on(text: &str, color: Color) -> (Board, Vec<Candidate>) {
    let (board, _) = Board::from_diagram(text).expect("a good diagram");
    let mut engine = crate::GoEngine::new(1);
    engine.put(0, crate::world::Position::new(board.clone(), color));
    engine.analyse(crate::AnalyseSystems::MoveEvaluation);
    let list: &MoveList = engine.result(0, crate::AnalyseSystems::MoveEvaluation).expect("it was reached");
    (board, list.candidates.clone())
}

#[test]
fn the_best_move_is_no_stone_that_a_longer_reading_takes() {
    // A game of the suites. With few positions the stone at H1 looks safe, and it would be worth most.
    let text = "
        . . . . . X X . .
        . X O . . O X . .
        . O . O O O X X X
        . . O X O X O O O
        . . O X O . O . O
        . O O X X O O O .
        . . O X X X X X X
        X X O O X . . . .
        . . O X X . . . .";
    let (mut board, found) = candidates_on(text, Color::White);
    let best = found.iter().max_by(|a, b| a.value.total_cmp(&b.value)).expect("a candidate");
    board.play(Color::White, best.vertex).expect("legal");
    let read = crate::tactics::Reader::default().attack(&mut board, best.vertex);
    assert!(!read.code.works(), "{} is taken", best.vertex.to_gtp(9));
    let taken = found.iter().find(|c| c.vertex == Vertex::new(8, 7, 9));
    assert!(taken.is_none_or(|c| !c.safe && c.value < best.value), "{taken:?}");
}

#[test]
fn neutral_points_are_filled_by_either_colour() {
    // The middle of the left side is between living stones of both.
    let text = "
        . X . O . O .
        X X . O O . O
        . X . O . O .
        X X . O O O O
        . X . O . O .
        X X . O O . O
        . X . O . O .";
    for color in Color::BOTH {
        let (board, found) = candidates_on(text, color);
        for row in 0..7 {
            let v = Vertex::new(row, 2, board.size());
            let c = found.iter().find(|c| c.vertex == v).expect("a neutral point is a candidate");
            assert!(c.reasons.contains(&Reason::FillLiberty) && c.value > 0.0, "row {row} for {color}");
        }
    }
}

#[test]
fn dead_stones_are_a_reason_to_take_them_off() {
    let text = "
        . . X . . . .
        . O X . X . .
        . . X . . . .
        X X X . . X .
        . . . . . . .
        . X . X . X .
        . . . . . . .";
    let (board, found) = candidates_on(text, Color::Black);
    let dead = Vertex::new(1, 1, board.size());
    assert!(found.iter().any(|c| c.reasons.contains(&Reason::CleanUp(Target::new(dead, 1)))));
    let (_, found) = candidates_on(text, Color::White);
    let kind = |c: &Candidate| c.reasons.iter().any(|r| matches!(r, Reason::CleanUp(_)));
    assert!(!found.iter().any(kind), "White has nothing to take off");
}

#[test]
fn a_colour_with_nothing_on_a_small_board_does_not_pass_at_once() {
    let text = ".....\n.....\n..X..\n.....\n.....\n";
    let (_, found) = candidates_on(text, Color::White);
    assert!(found.iter().any(|c| c.value > 0.0));
}

#[test]
fn a_move_names_the_dragons_whose_room_it_changes() {
    let text = "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . X . . . . . O . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . X X . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . O . . . . . . O . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .";
    let mut counts = [0; 2];
    for color in Color::BOTH {
        let (board, found) = candidates_on(text, color);
        for (reason, of) in found.iter().flat_map(|c| c.reasons.iter().map(move |r| (r, c))) {
            let (target, room, is_own) = match reason {
                Reason::Strengthens(t, room) => (t, room, true),
                Reason::Weakens(t, room) => (t, room, false),
                _ => continue,
            };
            assert_eq!(board.color_at(target.at) == Some(color), is_own, "{reason:?}");
            let [territory, way_out] =
                [room.territory[1] - room.territory[0], room.way_out[1] as f32 - room.way_out[0] as f32];
            let sign = if is_own { 1.0 } else { -1.0 };
            assert!(sign * territory > 0.0 || sign * way_out > 0.0, "{reason:?}");
            assert!(of.safe, "a stone that is taken changes no room");
            counts[usize::from(is_own)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
