//! The fixed handicap points of a board.
//!
//! # Source
//! G. Farnebäck, "GTP version 2 draft" (2002), section 4.1.1: corner and side star points. They lie on the fourth line
//! on boards of size 13 and larger, and on the third line on smaller boards.

use super::Vertex;

/// The vertices of a fixed handicap, in the order of the table; `None` if this board has no such handicap.
#[must_use]
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<Vertex>> {
    let most = match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let near = if size >= 13 { 3 } else { 2 };
    let (far, mid) = (size - 1 - near, size / 2);
    // (row, col), bottom left first, then top right, bottom right, top left, sides.
    let corners = [(far, near), (near, far), (far, far), (near, near)];
    let sides = [(mid, near), (mid, far), (far, mid), (near, mid)];
    let mut points: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    points.extend(&sides[..stones.saturating_sub(4) / 2 * 2]);
    if stones >= 5 && stones % 2 == 1 {
        points.push((mid, mid));
    }
    Some(points.into_iter().map(|(row, col)| Vertex::new(row, col, size)).collect())
}

#[cfg(test)]
mod tests;
