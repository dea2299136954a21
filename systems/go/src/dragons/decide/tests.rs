//! Tests of the strings that lines take.

use super::*;
use crate::goban;

fn line(board: &Board, names: &str) -> Line {
    names.split_whitespace().map(|name| Vertex::from_gtp(name, board.size()).expect("a vertex")).collect()
}

#[test]
fn a_line_takes_the_first_string_that_stands_before_it() {
    let board = goban!(". X O . .", "X O . . .", ". X . . .", ". . . . .", ". . . . .").0;
    let taken = |names: &str, first, wanted, of: &[Vertex]| {
        first_taken(&board, &line(&board, names), first, wanted, of).map(|v| v.to_gtp(5))
    };
    let (black, white) = (Color::Black, Color::White);
    assert_eq!(taken("C4", black, white, &[]).as_deref(), Some("B4"));
    assert_eq!(taken("A5", white, black, &[]).as_deref(), Some("B5"), "in the corner by White");
    assert_eq!(taken("E1", black, white, &[]), None, "nothing is taken");
    assert_eq!(taken("E1 D1 C4", black, white, &[]).as_deref(), Some("B4"), "by the third move");
    assert_eq!(taken("C4", black, white, &line(&board, "C5")), None, "another string is asked about");
    assert_eq!(taken("B4", black, white, &[]), None, "the line cannot be played");
    assert_eq!(taken("", black, white, &[]), None);
}
