//! Tests of surrounded dragons.

use super::*;
use crate::board::Color;

fn status(diagram: &str) -> Surround {
    let (board, _) = Board::from_diagram(diagram).expect("a diagram");
    let goal: Vec<Vertex> = board.vertices().filter(|&v| board.color_at(v) == Some(Color::White)).collect();
    surround(&board, &goal, |_| true).status
}

#[test]
fn a_dragon_that_crosses_the_line_between_two_stones_is_not_surrounded() {
    let rows = |top: &str| {
        format!(
            "
            . . . . . . . . . .
            . . . . . . . . . .
            {top}
            . X . . . O . . . X
            . . . . . . . . . .
            . . . . . . . . . .
            "
        )
    };
    let free = ". . . . . O . . . .
            . X . . . . . . . X";
    let held = ". X . . . . . . . X
            . . . . . O . . . .
            . X . . . . . . . X";
    let pad = |text: String, above: usize| format!("{}{text}", ". . . . . . . . . .\n".repeat(above));
    assert_eq!(status(&pad(rows(free), 3)), Surround::No);
    assert_ne!(status(&pad(rows(held), 2)), Surround::No);
}

#[test]
fn the_stone_behind_two_others_is_discarded() {
    let p = |x, y| IVec2::new(x, y);
    let ring = [p(0, 0), p(4, 0), p(1, 2), p(3, 2), p(2, 4)];
    let goal = [p(2, 0)];
    let useless: Vec<bool> = ring.iter().map(|&q| is_useless(q, &ring, &goal)).collect();
    assert_eq!(useless, [false, false, false, false, true]);
}

#[test]
fn stones_are_sorted_by_angle_from_the_south_by_west() {
    let p = |x, y| IVec2::new(x, y);
    let expected = [p(1, 4), p(0, 3), p(0, 1), p(1, 0), p(3, 0), p(4, 1), p(4, 3), p(3, 4)];
    let mut shuffled = expected;
    shuffled.reverse();
    shuffled.swap(1, 5);
    assert_eq!(sort_by_angle(Vec2::new(2.0, 2.0), &shuffled), expected);
}
