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
    let status = final_status(&board, Color::Black, 1, Effort::default().status);
    assert_eq!(status.white_lead(Scoring::Territory, 0.5), 14.0 - 21.0 + 0.5);
    assert_eq!(status.white_lead(Scoring::Area, 0.5), 21.0 - 28.0 + 0.5);
}

#[test]
fn a_lone_stone_in_enemy_territory_is_dead_and_counts_twice() {
    let board = board("...XO..\n.X.XO..\n.O.XO..\n.X.XO..\n...XO..\n...XO..\n...XO..\n");
    let status = final_status(&board, Color::Black, 1, Effort::default().status);
    assert_eq!(status.at(Vertex::new(2, 1, 7)), Status::Dead);
    assert_eq!(status.white_lead(Scoring::Territory, 0.0), 14.0 - 20.0);
    assert_eq!(status.white_lead(Scoring::Area, 0.0), 21.0 - 28.0);
}
