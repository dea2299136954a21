use super::{Kind, ReasonError, Reasoner, Reasons};
use crate::board::{Board, Color, Vertex};
use crate::engine::GoEngine;
use crate::schedule::AnalyseSystems;
use crate::world::Position;

/// The reasons of the moves named, and of the best.
fn reasons(diagram: &str, to_move: Color, asked: &[&str]) -> Result<Reasons, ReasonError> {
    let (board, _) = Board::from_diagram(diagram).expect("a diagram");
    let size = board.size();
    let asked: Vec<Vertex> =
        asked.iter().map(|name| Vertex::from_gtp(name, size).expect("a vertex")).collect();
    let mut engine = GoEngine::new(1);
    engine.put(0, Position { komi: 7.0, ..Position::new(board, to_move) });
    engine.analyse(AnalyseSystems::MoveEvaluation);
    Reasoner::default().explain(&engine, 0, &asked, None, 5)
}

/// Six black stones that C1 captures, in the corner of a 9x9 board.
const CAPTURE: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . X . .
    . . . . . . . . .
    . . . . O . . . .
    . . . . . . . . .
    O O O O . . O . .
    X X X O . . . . .
    X X . O . . . . .
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
fn a_capture_is_the_cause_of_the_best_move_and_a_move_elsewhere_lets_the_stones_live() {
    let found = reasons(CAPTURE, Color::White, &["E9"]).expect("reasons");
    let best = &found.why[0];
    assert_eq!(best.vertex.to_gtp(9), "C1");
    let of_stones = best.changes.iter().find(|c| c.color == Some(Color::Black) && c.kind.is_some());
    let of_stones = of_stones.expect("a unit of black stones");
    assert_eq!(of_stones.kind, Some(Kind::Captured));
    assert!(of_stones.proved && of_stones.points > 5.0, "{of_stones:?}");
    let worse = &found.why_not[0];
    assert!(worse.value < -5.0);
    let of_stones = worse.changes.iter().find(|c| c.color == Some(Color::Black) && c.kind.is_some());
    assert!(of_stones.is_some_and(|c| c.points < -5.0), "{worse:?}");
}

#[test]
fn a_move_that_cannot_be_played_is_an_error_that_names_it() {
    let error = reasons(CAPTURE, Color::White, &["A1"]).expect_err("a stone stands there");
    assert!(error.to_string().starts_with("A1 can't be played"), "{error}");
}

#[test]
fn a_board_that_nobody_judges_has_no_values_and_says_so() {
    let mut engine = GoEngine::new(1);
    engine.put(0, Position::new(Board::new(5), Color::Black));
    engine.analyse(AnalyseSystems::MoveEvaluation);
    let error = Reasoner::default().explain(&engine, 0, &[], None, 5).expect_err("too small");
    assert!(matches!(error, ReasonError::NoJudge { .. }), "{error}");
}
