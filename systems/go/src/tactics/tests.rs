use super::*;
use crate::board::{Board, Vertex};

/// Attack and defence of the string at `target` in a diagram.
fn read(rows: &[&str], target: &str) -> (Reading, Reading) {
    let (mut board, _) = Board::from_diagram(&rows.join("\n")).unwrap();
    let v = Vertex::from_gtp(target, board.size()).unwrap();
    let mut reader = Reader::default();
    (reader.attack(&mut board, v), reader.defend(&mut board, v))
}

#[test]
fn a_ladder_runs_to_the_edge() {
    let rows = [
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . . . . . . . .",
        ". . X . . . . . .",
        ". . X O . . . . .",
        ". . X X . . . . .",
        ". . . . . . . . .",
    ];
    let (attack, defend) = read(&rows, "D3");
    assert_eq!(attack.code, Code::Win);
    assert_eq!(defend.code, Code::Win);
    assert!(attack.line.len() > 5, "{:?}", attack);
}

#[test]
fn a_lone_stone_taken_in_a_ko_is_ko_a() {
    let rows = [". X O . .", "X O . O .", ". X O . .", ". . . . .", ". . . . ."];
    let (attack, _) = read(&rows, "B4");
    assert_eq!(attack.code, Code::KoA);
}
