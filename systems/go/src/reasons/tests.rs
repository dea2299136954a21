//! Tests of the comparison of two moves.

use super::{Explanation, Kind, ReasonError, Reasoner, Reasons, Unit};
use crate::board::{Board, Color, Vertex};
use crate::engine::GoEngine;
use crate::schedule::AnalyseSystems;
use crate::world::Position;

/// The reasons of the moves named, and of the best.
fn reasons(diagram: &str, to_move: Color, asked: &[&str]) -> Result<Reasons, ReasonError> {
    compared(diagram, to_move, asked, None)
}

/// The same, with the named moves compared with another move.
fn compared(
    diagram: &str,
    to_move: Color,
    asked: &[&str],
    against: Option<&str>,
) -> Result<Reasons, ReasonError> {
    let (board, _) = Board::from_diagram(diagram).expect("a diagram");
    let size = board.size();
    let asked: Vec<Vertex> =
        asked.iter().map(|name| Vertex::from_gtp(name, size).expect("a vertex")).collect();
    let against = against.map(|name| Vertex::from_gtp(name, size).expect("a vertex"));
    let mut engine = GoEngine::new(1);
    engine.put(0, Position { komi: 7.0, ..Position::new(board, to_move) });
    engine.analyse(AnalyseSystems::MoveEvaluation);
    Reasoner::default().explain(&engine, 0, &asked, against, 5)
}

/// Two black stones in atari: White captures them with E4, Black saves them there.
const CAPTURE: &str = "
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . . . . . . . . .
    . O O O . . . . .
    . O X X . . X . .
    . O O O . . . . .
    . . . . . . X . .
    . . . . . . . . .
";

#[test]
fn the_terms_and_what_is_unexplained_add_up_to_the_value() {
    let found = reasons(CAPTURE, Color::White, &["E9"]).expect("reasons");
    assert_eq!(found.why.len(), 5);
    assert_eq!(found.why_not.len(), 1);
    for explained in found.why.iter().chain(&found.why_not) {
        let told: f32 = explained.changes.iter().map(|change| change.points).sum();
        assert!((told + explained.unexplained - explained.value).abs() < 0.05, "{explained:?}");
    }
    assert!(found.why.windows(2).all(|two| two[0].value >= two[1].value));
}

#[test]
fn a_capture_is_the_cause_of_its_value_and_a_move_elsewhere_saves_the_stones() {
    let of_black = |explained: &Explanation| {
        explained.changes.iter().find(|c| c.color == Some(Color::Black) && c.unit == Unit::Dragon).cloned()
    };
    let found = compared(CAPTURE, Color::White, &["E4"], Some("pass")).expect("reasons");
    let captured = of_black(&found.why_not[0]).expect("a unit of black stones");
    assert_eq!((captured.kind, captured.stones.len()), (Some(Kind::Captured), 2));
    assert!(captured.proved && captured.points > 2.0, "{captured:?}");
    let found = compared(CAPTURE, Color::White, &["H2"], Some("E4")).expect("reasons");
    let saved = of_black(&found.why_not[0]).expect("a unit of black stones");
    assert_eq!((saved.kind, saved.is_of_other), (Some(Kind::Saved), true));
    assert_eq!(saved.line.first().map(|v| v.to_gtp(9)), Some("E4".into()));
    assert!(saved.points < -2.0, "{saved:?}");
}

#[test]
fn a_move_that_cannot_be_played_is_an_error_that_names_it() {
    let error = reasons(CAPTURE, Color::White, &["C4"]).expect_err("a stone stands there");
    assert!(error.to_string().starts_with("C4 can't be played"), "{error}");
}

#[test]
fn a_board_that_nobody_judges_has_no_values_and_says_so() {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(Board::new(5), Color::Black));
    engine.analyse(AnalyseSystems::MoveEvaluation);
    let error = Reasoner::default().explain(&engine, 0, &[], None, 5).expect_err("too small");
    assert!(matches!(error, ReasonError::NoJudge { .. }), "{error}");
}
