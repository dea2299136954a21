//! Tests of the final status and the score.

use super::*;
use crate::effort::Effort;

fn board(text: &str) -> Board {
    Board::from_diagram(text).expect("a good diagram").0
}

#[test]
fn a_divided_board_is_counted_both_ways() {
    let mut text = String::new();
    for _ in 0..7 {
        text.push_str("...XO..\n");
    }
    let board = board(&text);
    let status = final_status(&board, Color::Black, 1, Effort::default().status, None);
    assert_eq!(status.white_lead(Scoring::Territory, 0.5), 14.0 - 21.0 + 0.5);
    assert_eq!(status.white_lead(Scoring::Area, 0.5), 21.0 - 28.0 + 0.5);
}

#[test]
fn a_lone_stone_in_enemy_territory_is_dead_and_counts_twice() {
    let board = board("...XO..\n.X.XO..\n.O.XO..\n.X.XO..\n...XO..\n...XO..\n...XO..\n");
    let status = final_status(&board, Color::Black, 1, Effort::default().status, None);
    assert_eq!(status.at(Vertex::new(2, 1, 7)), Status::Dead);
    assert_eq!(status.white_lead(Scoring::Territory, 0.0), 14.0 - 20.0);
    assert_eq!(status.white_lead(Scoring::Area, 0.0), 21.0 - 28.0);
}

/// The final status by playouts and by the schedule's dragons.
fn with_dragons(board: &Board) -> FinalStatus {
    let mut engine = crate::GoEngine::new(1);
    engine.put(0, crate::world::Position::new(board.clone(), Color::Black));
    engine.analyse(crate::AnalyseSystems::Dragons);
    let found = engine.result::<DragonMap>(0, crate::AnalyseSystems::Dragons);
    final_status(board, Color::Black, 1, Effort::default().status, found)
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
