//! Sure links: two stones or strings that the cutter cannot separate even if he moves first.
//!
//! # Source
//! GNU Go 3.8 manual, "Superstrings" (bamboo joint, diagonal with both vertices empty, a vertex where the opponent's
//! move is self-atari) and "Amalgamation" (two common liberties).
//!
//! # Notation
//! The *carrier* of a link are the empty vertices where the cutter's move must be answered. A vertex is *closed* if the
//! cutter's stone there would have at most one liberty.
//!
//! # Steps
//! 1. With three or more common liberties the link holds against any one move, and needs no carrier.
//! 2. Two common liberties are miai if the owner's stone on one of them leaves him two liberties.
//! 3. A closed common liberty is a link, because the owner takes the cutter's stone there.
//!
//! A string in atari has no sure link, because it can be taken instead.
//!
//! # Cost
//! About ten nanoseconds for each link.

use crate::board::{Board, Color, Vertex, VertexSet};

/// The carrier of a link; a pass where it has fewer vertices.
pub(super) type Pair = [Vertex; 2];

/// A carrier without vertices.
const NONE: Pair = [Vertex::PASS; 2];

/// The sure link of two strings of one colour, of which `l` is a common liberty.
pub(super) fn between_strings(board: &Board, s: Vertex, t: Vertex, l: Vertex) -> Option<Pair> {
    if board.same_string(s, t) || board.liberties(s) < 2 || board.liberties(t) < 2 {
        return None;
    }
    let mut common = [Vertex::PASS; 3];
    let mut count = 0;
    for (w, (a, b)) in board.liberty_bits(s).iter().zip(board.liberty_bits(t)).enumerate() {
        let mut both = a & b;
        while both != 0 && count < 3 {
            common[count] = Vertex((w * 64) as u16 + both.trailing_zeros() as u16);
            count += 1;
            both &= both - 1;
        }
    }
    let owner = board.color_at(s)?;
    match count {
        3.. => Some(NONE),
        2 if holds(board, owner, common[0], common[1], board.liberties(s) + board.liberties(t) - 2) => {
            Some([common[0], common[1]])
        }
        _ => closed(board, owner.other(), l, 0).then(|| [l, breath(board, l, Vertex::PASS)]),
    }
}

/// The sure link of a string and a stone that its owner would put on the empty vertex `v`; `l` lies between.
pub(super) fn to_vertex(board: &Board, owner: Color, s: Vertex, v: Vertex, l: Vertex) -> Option<Pair> {
    if board.liberties(s) < 2 {
        return None;
    }
    let mut common = board.around(v).into_iter().filter(|&n| board.is_liberty(n, s));
    let (a, b, c) = (common.next(), common.next(), common.next());
    match (a, b, c) {
        (Some(_), Some(_), Some(_)) => Some(NONE),
        (Some(a), Some(b), None) if holds(board, owner, a, b, board.liberties(s)) => Some([a, b]),
        _ => closed(board, owner.other(), l, 1).then(|| [l, breath(board, l, v)]),
    }
}

/// The sure link between a new stone of the owner at the empty vertex `v` and a new stone or an own string at `w`.
/// The empty vertex `n` lies between them.
pub(super) fn between_vertices(board: &Board, owner: Color, v: Vertex, w: Vertex, n: Vertex) -> Option<Pair> {
    let to_string = !board.is_empty(w);
    if to_string {
        return to_vertex(board, owner, w, v, n);
    }
    let other = board.around(v).into_iter().find(|&m| m != n && board.is_empty(m) && touches(board, m, w));
    if let Some(other) = other {
        return Some([n, other]);
    }
    closed(board, owner.other(), n, 2).then(|| [n, breath(board, n, v)])
}

fn touches(board: &Board, a: Vertex, b: Vertex) -> bool {
    board.around(a).contains(&b)
}

/// Whether the owner has two liberties after the cutter plays one of two vertices and he plays the other. `others` is
/// the least number of further liberties of his strings.
fn holds(board: &Board, owner: Color, a: Vertex, b: Vertex, others: usize) -> bool {
    others >= 5 || (board.liberties_after(owner, a) > 2 && board.liberties_after(owner, b) > 2)
}

/// Whether the cutter's stone at `l` would take nothing and have one liberty at most, when `planned` of its neighbours
/// will be the owner's.
fn closed(board: &Board, cutter: Color, l: Vertex, planned: usize) -> bool {
    let mut empty = 0;
    for n in board.around(l) {
        match board.color_at(n) {
            Some(color) if color == cutter && board.liberties(n) > 2 + planned => return false,
            // It would take that string.
            Some(color) if color != cutter && board.liberties(n) == 1 => return false,
            Some(_) => {}
            None => empty += usize::from(board.on_board(n)),
        }
    }
    empty <= 1 + planned && board.liberties_after(cutter, l) <= 1 + planned
}

/// The liberty of the cutter's stone at a closed vertex, other than `v`.
fn breath(board: &Board, l: Vertex, v: Vertex) -> Vertex {
    board.around(l).into_iter().find(|&n| n != v && board.is_empty(n)).unwrap_or(Vertex::PASS)
}

/// The basis of a capture of a stone at the empty vertex `l`.
pub(super) fn add_snare_carrier(board: &Board, l: Vertex, zone: &mut VertexSet) {
    zone.insert(l);
    board.neighbors4(l).filter(|&n| board.is_empty(n)).for_each(|n| add_liberty(board, n, zone));
}

/// A liberty of the string that is to be captured, and the empty vertices next to it.
fn add_liberty(board: &Board, l: Vertex, zone: &mut VertexSet) {
    zone.insert(l);
    board.neighbors4(l).filter(|&n| board.is_empty(n)).for_each(|n| zone.insert(n));
}

/// The vertices that a capture of the string at `t` depends on. These are its liberties, their neighbours, and the
/// liberties of surrounding strings that could be captured in turn.
pub(super) fn add_capture_carrier(board: &Board, t: Vertex, zone: &mut VertexSet) {
    board.liberty_vertices(t).for_each(|l| add_liberty(board, l, zone));
    board.each_adjacent(t, |c| {
        if board.liberties(c) <= 3 {
            zone.unite(board.liberty_bits(c));
        }
    });
}
