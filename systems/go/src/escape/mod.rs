//! Distances, and a dragon's way to safety (GNU Go manual, "Escape"; "Distance and Strategic Distance").
//!
//! # Steps
//! 1. [`distances`]: shortest paths over empty vertices from a colour's stones; the strategic ones not through
//!    liberties of the other colour but at their very start.
//! 2. [`route`]: escape values summed over the vertices at distance four from the dragon, reached by paths that touch no
//!    unfriendly stone (a diagonal step over two empty vertices is as good as a straight one at the start); friendly stones
//!    met on the way count by their own value.

use crate::board::{Board, Color, Vertex};

/// No path.
pub const UNREACHABLE: i16 = -1;

/// The distance at which escape values are summed.
const ESCAPE_DISTANCE: u8 = 4;

/// The distance of every empty vertex from the nearest stone of `color`, padded; [`UNREACHABLE`] without a path. A path
/// passes no stone of the other colour; a strategic one no liberty of his either, but for the vertex itself.
#[must_use]
pub fn distances(board: &Board, color: Color, strategic: bool) -> Vec<i16> {
    let foe = color.other();
    let mut distance = vec![UNREACHABLE; board.padded_len()];
    let mut front: Vec<Vertex> = board.vertices().filter(|&v| board.color_at(v) == Some(color)).collect();
    for v in &front {
        distance[v.at()] = 0;
    }
    let mut step = 0;
    while !front.is_empty() {
        step += 1;
        let mut next = Vec::new();
        for &v in &front {
            for n in board.neighbors4(v) {
                if !board.is_empty(n) || distance[n.at()] != UNREACHABLE {
                    continue;
                }
                distance[n.at()] = step;
                // Seen from the vertex, its own liberty is the beginning of the path: it is reached, but not passed.
                let passable = !strategic || board.neighbors4(n).all(|m| board.color_at(m) != Some(foe));
                if passable {
                    next.push(n);
                }
            }
        }
        front = next;
    }
    distance
}

/// The labelled steps of an escape: per padded cell the distance from the dragon, 0 where no path leads, up to four.
#[must_use]
pub fn steps(board: &Board, dragon: &[bool], color: Color, unfriendly: impl Fn(Vertex) -> bool) -> Vec<u8> {
    let mut step = vec![0_u8; board.padded_len()];
    let touches = |v: Vertex| {
        board.neighbors4(v).any(|n| board.color_at(n).is_some_and(|c| c != color) && unfriendly(n))
    };
    let mut front: Vec<Vertex> = board.vertices().filter(|v| dragon[v.at()]).collect();
    for distance in 1..=ESCAPE_DISTANCE {
        let mut next = Vec::new();
        for &v in &front {
            for n in board.neighbors4(v) {
                if board.is_empty(n) && step[n.at()] == 0 && !touches(n) {
                    step[n.at()] = distance;
                    next.push(n);
                }
            }
            if distance == 1 {
                for n in board.diagonals(v).filter(|&n| board.is_empty(n)) {
                    let mut between = board.neighbors4(n).filter(|m| board.around(v).contains(m));
                    if step[n.at()] == 0 && between.all(|m| board.is_empty(m)) && !touches(n) {
                        step[n.at()] = 1;
                        next.push(n);
                    }
                }
            }
        }
        front = next;
    }
    step
}

/// The escape route: values summed over the vertices at distance four, and over friends met on the way.
#[must_use]
pub fn route(
    board: &Board,
    dragon: &[bool],
    color: Color,
    values: &[u8],
    friend_value: impl Fn(Vertex) -> u8,
    unfriendly: impl Fn(Vertex) -> bool,
) -> u32 {
    let step = steps(board, dragon, color, unfriendly);
    let mut sum = 0;
    let mut met = vec![false; board.padded_len()];
    for v in board.vertices() {
        if step[v.at()] == ESCAPE_DISTANCE {
            sum += u32::from(values[v.at()]);
        }
        if (1..ESCAPE_DISTANCE).contains(&step[v.at()]) {
            for n in board.neighbors4(v) {
                if board.color_at(n) == Some(color) && !dragon[n.at()] && !met[n.at()] {
                    for s in board.stones(n) {
                        met[s.at()] = true;
                    }
                    sum += u32::from(friend_value(n));
                }
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests;
