//! Tests of joining strings into dragons.

use super::*;
use crate::dragons::links::Links;
use crate::effort::Effort;
use crate::tactics::Answer;

/// White's strings can be taken, and saved or not; Black's can't be taken.
struct Decreed<'a> {
    board: &'a Board,
    rescue: Code,
}

impl Tactics for Decreed<'_> {
    fn attack(&self, v: Vertex) -> Answer {
        let white = self.board.color_at(v) == Some(Color::White);
        Answer { code: if white { Code::Win } else { Code::Fail }, point: Vertex::PASS }
    }

    fn defence(&self, _: Vertex) -> Answer {
        Answer { code: self.rescue, point: Vertex::PASS }
    }

    fn safe_move(&self, _: Vertex, _: Color) -> Code {
        Code::Win
    }
}

#[test]
fn a_lost_string_of_up_to_two_liberties_joins_those_around_it() {
    for (above, rescue, joined, why) in [
        (". . X . .", Code::Fail, true, "one liberty"),
        (". . . . .", Code::Fail, true, "two liberties"),
        (". . O . .", Code::Fail, false, "four liberties"),
        (". . . . .", Code::Win, false, "it can be saved"),
    ] {
        let rows = [". . . . .", above, ". X O X .", ". X O X .", ". . . . ."];
        let board = Board::from_diagram(&rows.join("\n")).expect("a diagram").0;
        let tactics = Decreed { board: &board, rescue };
        let pairs =
            around_lost(&board, Color::Black, &Links::new(Effort::default().links).at(&board, &tactics));
        assert_eq!(!pairs.is_empty(), joined, "{why}");
    }
}
