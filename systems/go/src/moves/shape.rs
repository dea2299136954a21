//! Local shape: good and bad form around a move.
//!
//! # Source
//! GNU Go manual, "Shape factor": the largest contribution counts fully, each further one as 1; the factor is 1.05 to
//! that power.

use super::facts::Facts;
use super::generators::line;
use super::reason::{Candidate, Reason};
use crate::board::{Board, Vertex};

/// Adds shape reasons and the shape factor.
pub(super) fn judge(facts: &Facts<'_>, candidate: &mut Candidate) {
    let mut found = Vec::new();
    patterns(facts, candidate.vertex, &mut found);
    let fold = |sign: f32| {
        let values: Vec<f32> = found.iter().map(|&(_, v): &(_, f32)| v * sign).filter(|v| *v > 0.0).collect();
        let most = values.iter().copied().fold(0.0, f32::max);
        if values.is_empty() { 0.0 } else { most + (values.len() - 1) as f32 }
    };
    candidate.shape = 1.05f32.powf(fold(1.0) - fold(-1.0));
    candidate.reasons.extend(found.into_iter().map(|(name, value)| Reason::Shape(name, value)));
}

fn patterns(facts: &Facts<'_>, v: Vertex, found: &mut Vec<(&'static str, f32)>) {
    let board = facts.board;
    let own = |u: Vertex| board.color_at(u) == Some(facts.color);
    let enemy = |u: Vertex| board.color_at(u) == Some(facts.color.other());
    let friends = board.neighbors4(v).filter(|&n| own(n)).count();
    let enemies = board.neighbors4(v).filter(|&n| enemy(n)).count();
    let diagonal_friends = board.diagonals(v).filter(|&d| own(d)).count();
    if makes_empty_triangle(board, v, &own) && enemies == 0 {
        found.push(("empty triangle", -4.0));
    }
    // Hane: round the head of an enemy stone next to a friend.
    if friends == 0 && enemies == 1 && diagonal_friends >= 1 {
        found.push(("hane", 3.0));
    }
    if friends >= 3 && enemies == 0 {
        found.push(("filling", -5.0));
    }
    if friends == 0 && enemies == 0 && diagonal_friends == 0 && line(board, v) == 1 {
        found.push(("lonely on the first line", -8.0));
    }
}

/// Whether a stone at `v` makes three stones round an empty point.
fn makes_empty_triangle(board: &Board, v: Vertex, own: &impl Fn(Vertex) -> bool) -> bool {
    board.neighbors4(v).filter(|&a| own(a)).any(|a| {
        board.diagonals(v).filter(|&d| own(d)).any(|d| {
            // The fourth corner of the square of v, a and d.
            let n = board.size();
            if !board.neighbors4(a).any(|m| m == d) {
                return false;
            }
            let row = if a.row(n) == v.row(n) { d.row(n) } else { v.row(n) };
            let col = if a.col(n) == v.col(n) { d.col(n) } else { v.col(n) };
            board.is_empty(Vertex::new(row, col, n))
        })
    })
}
