//! Tests of the final status with dragons.

use super::*;
use crate::score::Status;

fn board(text: &str) -> Board {
    Board::from_diagram(text).expect("a good diagram").0
}

fn with_dragons(board: &Board) -> FinalStatus {
    StatusFinder::default().find(&GoEngine::new(1), board, Color::Black, 1)
}

#[test]
fn three_stones_and_their_captors_that_share_two_liberties_are_in_seki() {
    // White that fills D8 can be taken at H8; Black that fills either gives White four points in a row.
    let board = board(
        ". X O . X X X .
         X X O O O O O O
         . X X X X X X X
         X X . X . X . X
         X X X X X X X X
         . X . X . X . X
         X X X X X X X X
         . X . X . X . X",
    );
    let status = with_dragons(&board);
    for v in board.vertices() {
        let row = v.row(8);
        let in_seki = board.color_at(v) == Some(Color::White)
            || row == 0 && board.color_at(v).is_some() && v.col(8) > 3;
        let wanted = if in_seki { Status::Seki } else { Status::Alive };
        if board.color_at(v).is_some() {
            assert_eq!(status.at(v), wanted, "{}", v.to_gtp(8));
        }
    }
}

#[test]
fn nothing_is_in_seki_at_a_border_that_is_still_open() {
    let board = board(
        ". . X . O . . . .
         . X X . O O . . .
         . . X . . O O . .
         . . X X . . O O .
         . X . X X . . O .
         . . X . X X . O .
         . . . X . X . O .
         . X . . X X . O .
         . . . X . X . O .",
    );
    let status = with_dragons(&board);
    assert!(board.vertices().all(|v| status.at(v) != Status::Seki));
}
