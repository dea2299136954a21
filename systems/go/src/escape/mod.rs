//! Distances, and a dragon's way to safety (GNU Go 3.8 manual, "Escape"; "Distance and Strategic Distance").
//!
//! # Steps
//! 1. [`distances`] finds the shortest paths over empty vertices from a colour's stones. A strategic path may pass
//!    liberties of the other colour only at its very start.
//! 2. [`route`] adds up the escape values of the vertices at distance four from the dragon. The paths to them touch no
//!    unfriendly stone. At the start, a diagonal step over two empty vertices counts as a straight one. Friendly stones
//!    on the way count by their own value.

use crate::board::{Board, Color, Vertex, VertexSet};

/// No path.
pub const UNREACHABLE: i16 = -1;

/// The distance at which escape values are summed.
const ESCAPE_DISTANCE: usize = 4;

/// The distance of every empty vertex from the nearest stone of `color`, padded; [`UNREACHABLE`] without a path. A
/// path passes no stone of the other colour. A strategic path also passes no liberty of the other colour, except at
/// its first vertex.
#[must_use]
pub fn distances(board: &Board, color: Color, strategic: bool) -> Vec<i16> {
    let foe = Some(color.other());
    // Seen from the vertex, its own liberty is the beginning of the path: it is reached, but not passed.
    let passable = |n: Vertex| !strategic || board.neighbors4(n).all(|m| board.color_at(m) != foe);
    distances_from(board, |v| board.color_at(v) == Some(color), passable)
}

/// The same from these vertices, by paths over empty vertices that may be passed.
pub(crate) fn distances_from(
    board: &Board,
    source: impl Fn(Vertex) -> bool,
    passable: impl Fn(Vertex) -> bool,
) -> Vec<i16> {
    let mut distance = vec![UNREACHABLE; board.padded_len()];
    let mut front: Vec<Vertex> = board.vertices().filter(|&v| source(v)).collect();
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
                if passable(n) {
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
    for (reached, distance) in reached(board, dragon, color, unfriendly).iter().zip(1..) {
        reached.iter().for_each(|v| step[v.at()] = distance);
    }
    step
}

/// The targets of such steps, by the distance less one.
fn reached(
    board: &Board,
    dragon: &[bool],
    color: Color,
    unfriendly: impl Fn(Vertex) -> bool,
) -> [VertexSet; ESCAPE_DISTANCE] {
    let stride = board.size() as i32 + 1;
    let [own, foes] = [color, color.other()].map(|color| *board.stones_unwatched(color));
    let empty = board.empty_unwatched();
    let hostile: VertexSet = foes.iter().filter(|&v| unfriendly(v)).collect();
    let mut free = empty & !hostile.around(stride);
    let mut front: VertexSet = own.iter().filter(|v| dragon[v.at()]).collect();
    std::array::from_fn(|i| {
        let mut next = front.around(stride);
        let mut looked = next;
        if i == 0 {
            for (down, right) in [(stride, 1), (stride, -1), (-stride, 1), (-stride, -1)] {
                looked |= front.moved(down + right);
                next |= front.moved(down + right) & empty.moved(down) & empty.moved(right);
            }
        }
        board.look_at_these(|| looked | (looked & empty).around(stride));
        front = next & free;
        free &= !front;
        front
    })
}

/// The escape route: values summed over the vertices at distance four, and over friends met on the way.
#[must_use]
pub fn route(
    board: &Board,
    dragon: &[bool],
    color: Color,
    value: impl Fn(Vertex) -> u8,
    friend_value: impl Fn(Vertex) -> u8,
    unfriendly: impl Fn(Vertex) -> bool,
) -> u32 {
    way_out(board, dragon, color, value, friend_value, unfriendly).0
}

/// The escape route, and the vertices at distance four.
#[must_use]
pub(crate) fn way_out(
    board: &Board,
    dragon: &[bool],
    color: Color,
    value: impl Fn(Vertex) -> u8,
    friend_value: impl Fn(Vertex) -> u8,
    unfriendly: impl Fn(Vertex) -> bool,
) -> (u32, VertexSet) {
    let [one, two, three, four] = reached(board, dragon, color, unfriendly);
    let mut sum = four.iter().map(|v| u32::from(value(v))).sum();
    let beside = (one | two | three).around(board.size() as i32 + 1) & *board.stones_unwatched(color);
    let mut met = VertexSet::EMPTY;
    for v in beside.iter().filter(|v| !dragon[v.at()]) {
        if !met.holds(v) {
            met.unite(board.stone_bits(v));
            sum += u32::from(friend_value(v));
        }
    }
    (sum, four)
}

#[cfg(test)]
mod tests;
