//! A slow board that stores only colours and finds every string by flood fill. The tests compare the incremental board
//! with it.

use super::{Board, Color, Vertex};

/// Stones and liberties of the string at `v`, in vertex order, found by flood fill.
pub(super) fn string_by_flood(board: &Board, v: Vertex) -> (Vec<Vertex>, Vec<Vertex>) {
    let color = board.color_at(v).expect("a stone");
    let (mut stones, mut liberties) = (vec![v], Vec::new());
    let mut next = 0;
    while let Some(&s) = stones.get(next) {
        next += 1;
        for n in board.neighbors4(s) {
            if board.color_at(n) == Some(color) && !stones.contains(&n) {
                stones.push(n);
            } else if board.is_empty(n) && !liberties.contains(&n) {
                liberties.push(n);
            }
        }
    }
    stones.sort_unstable();
    liberties.sort_unstable();
    (stones, liberties)
}

/// The colours after a move, in vertex order, by removing every enemy string without a liberty and then an own one.
pub(super) fn colors_after(board: &Board, color: Color, v: Vertex) -> Vec<Option<Color>> {
    let mut after = board.without_history();
    after.place(color, v).expect("an empty vertex");
    let dead = |after: &Board, c: Color| -> Vec<Vertex> {
        after
            .vertices()
            .filter(|&u| after.color_at(u) == Some(c) && string_by_flood(after, u).1.is_empty())
            .collect()
    };
    for side in [color.other(), color] {
        for u in dead(&after, side) {
            after.remove(u);
        }
    }
    after.vertices().map(|u| after.color_at(u)).collect()
}
