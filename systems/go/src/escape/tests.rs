//! Tests of distances and escape routes.

use super::*;

#[test]
fn the_figure_of_the_manual_has_four_vertices_at_distance_four() {
    // "Escape" in influence.texi; the two O stones at the right edge are unfriendly walls of X's side there.
    let (board, _) = Board::from_diagram(
        "
        . . . . . . . . .
        . . . . . X . . O
        . . X . . . . . O
        X . . . . . . . .
        X O . O . . . . O
        X O . O . . . . .
        X O . . . X . O O
        . . . X . . . . .
        X . . . . X . . .
        ",
    )
    .expect("a diagram");
    let size = board.size();
    let mut dragon = vec![false; board.padded_len()];
    for (row, col) in [(4, 1), (5, 1), (6, 1), (4, 3), (5, 3)] {
        dragon[Vertex::new(row, col, size).at()] = true;
    }
    let step = steps(&board, &dragon, Color::White, |_| true);
    let four: Vec<(usize, usize)> =
        board.vertices().filter(|v| step[v.at()] == 4).map(|v| (v.row(size), v.col(size))).collect();
    assert_eq!(four, [(2, 6), (3, 7), (4, 7), (5, 6)]);
    let values = vec![1; board.padded_len()];
    assert_eq!(route(&board, &dragon, Color::White, |v| values[v.at()], |_| 0, |_| true), 4);
}

#[test]
fn distance_and_strategic_distance_of_the_seed() {
    let (board, marks) = Board::from_diagram(
        "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . X . X X O O O . .
        . . . X O O . a . O O
        . . . . . . . . . . .
        ",
    )
    .expect("a diagram");
    let a = marks.get('a').expect("marked");
    assert_eq!(distances(&board, Color::Black, false)[a.at()], 6);
    assert_eq!(distances(&board, Color::Black, true)[a.at()], UNREACHABLE);
}
