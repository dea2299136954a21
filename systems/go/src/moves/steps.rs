//! The geometry of moves: steps along lines, between vertices and from the edge.

use crate::board::{Board, Vertex};

/// The line of a vertex, from 1 at the edge.
pub(super) fn line(board: &Board, v: Vertex) -> usize {
    let n = board.size();
    let (r, c) = (v.row(n), v.col(n));
    r.min(c).min(n - 1 - r).min(n - 1 - c) + 1
}

/// Steps along lines from one vertex to another.
pub(super) fn distance(board: &Board, a: Vertex, b: Vertex) -> usize {
    let n = board.size();
    a.row(n).abs_diff(b.row(n)) + a.col(n).abs_diff(b.col(n))
}

/// The vertices at most `reach` steps from `v`, in vertex order, without `v`.
pub(super) fn within(board: &Board, v: Vertex, reach: usize) -> impl Iterator<Item = Vertex> + '_ {
    let n = board.size();
    let (row, col) = (v.row(n), v.col(n));
    let rows = row.saturating_sub(reach)..=(row + reach).min(n - 1);
    rows.flat_map(move |r| {
        let rest = reach - r.abs_diff(row);
        (col.saturating_sub(rest)..=(col + rest).min(n - 1)).map(move |c| Vertex::new(r, c, n))
    })
    .filter(move |&u| u != v)
}
