use super::*;

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
