//! Tests of the tables that give territory values.

use super::*;

#[test]
fn tables_are_straight_between_their_points_and_flat_outside() {
    let table = [(0.0, 1.0), (2.0, 3.0), (4.0, 0.0)];
    for (x, y) in [(-1.0, 1.0), (0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 1.5), (4.0, 0.0), (9.0, 0.0)] {
        assert!((interpolate(&table, x) - y).abs() < 1e-6, "{x}");
    }
}

#[test]
fn the_middle_of_the_board_is_more_central_than_the_corner() {
    for (row, col, expected) in
        [(0, 0, 0.0), (0, 9, 4.0), (1, 1, 4.0), (2, 3, 9.0), (4, 4, 16.0), (9, 9, 21.0)]
    {
        assert!((centrality(Vertex::new(row, col, 19), 19) - expected).abs() < 1e-6, "{row} {col}");
    }
}
