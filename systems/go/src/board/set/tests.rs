//! Tests of sets of vertices.

use super::*;

#[test]
fn sets_move_as_their_cells_do() {
    let board = Board::new(19);
    let mut odd = Cells::<7>::EMPTY;
    board.vertices().filter(|v| v.at() % 3 == 1 || v.at() % 7 == 2).for_each(|v| odd.insert(v));
    for by in [0, 1, -1, 20, -20, 21, -19, 22, -41, 41] {
        let moved = odd.moved(by);
        for v in board.vertices() {
            let there = i32::from(v.0) + by;
            let expected = u16::try_from(there).is_ok_and(|at| odd.holds(Vertex(at)));
            assert_eq!(moved.holds(v), expected, "{by} {v:?}");
        }
    }
    let listed: Vec<Vertex> = odd.iter().collect();
    assert_eq!(listed, board.vertices().filter(|&v| odd.holds(v)).collect::<Vec<_>>());
    assert_eq!(odd.first(), listed.first().copied());
}
