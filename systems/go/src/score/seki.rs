//! Finds strings in seki at the end of the game.
//!
//! # Source
//! Japanese rules of 1989, article 8: stones that are alive but have dame (neutral points) are in seki. So all dame
//! that can be filled are filled first. Neither side can fill the remaining dame, and the strings next to them are in
//! seki.
//!
//! # Steps
//! 1. Take dead stones off.
//! 2. Fill the neutral points with stones of either colour. These points lie next to live stones of both colours, or
//!    between such points. The filling string must keep two or more liberties, at least one of which is not to be
//!    filled as well. A point between dragons in a standoff (`dragons::held`) stays open: the side that fills it loses
//!    the race.
//! 3. The remaining points belong to a seki if strings of both colours without two eyes stand next to them. A string
//!    with two eyes can wait. The strings without two eyes are in seki, and so are friends that they reach over their
//!    own space.

use crate::board::{Board, Color, Vertex, VertexSet};

/// The vertices with stones in seki. `is_dead` marks the dead stones, `by_eyes` those that live by eyes. `held` are the
/// stones of dragons in a standoff.
pub(super) fn stones(
    board: &Board,
    is_dead: &impl Fn(Vertex) -> bool,
    by_eyes: &impl Fn(Vertex) -> bool,
    held: &VertexSet,
) -> VertexSet {
    // 1.
    let mut filled = Board::new(board.size());
    for v in board.vertices() {
        if let Some(color) = board.color_at(v).filter(|_| !is_dead(v)) {
            // On an empty vertex of the board nothing can be in the way.
            let _ = filled.place(color, v);
        }
    }
    // 2.
    while fill_one(&mut filled, held) {}
    // 3.
    let mut seki = VertexSet::EMPTY;
    let neutral = neutral_points(&filled);
    // Stones that were filled in are as their string.
    let needs = |v: Vertex| !filled.stones(v).any(by_eyes);
    let mut open: Vec<Vertex> = Vec::new();
    for v in neutral.iter() {
        let beside = filled.neighbors4(v).filter(|&n| filled.color_at(n).is_some() && needs(n));
        let beside: Vec<Vertex> = beside.collect();
        if Color::BOTH.iter().all(|&color| beside.iter().any(|&n| filled.color_at(n) == Some(color))) {
            open.extend(beside);
        }
    }
    while let Some(v) = open.pop() {
        if seki.holds(v) || !needs(v) {
            continue;
        }
        seki.unite(filled.stone_bits(v));
        // Friends on the same space: it belongs to both.
        for liberty in filled.liberty_vertices(v).filter(|&l| !neutral.holds(l)) {
            open.extend(filled.neighbors4(liberty).filter(|&n| filled.color_at(n) == filled.color_at(v)));
        }
    }
    seki.iter().filter(|&v| !board.is_empty(v)).collect()
}

/// Empty points of regions that live stones of both colours reach, if they touch a stone.
fn neutral_points(board: &Board) -> VertexSet {
    let touches = |v, color| board.neighbors4(v).any(|n| board.color_at(n) == Some(color));
    let neutral = |v: &Vertex| board.is_empty(*v) && Color::BOTH.iter().all(|&color| touches(*v, color));
    board.vertices().filter(neutral).collect()
}

/// 2. Fills one neutral point; false if none can be filled.
fn fill_one(board: &mut Board, held: &VertexSet) -> bool {
    for v in neutral_points(board).iter() {
        let stands_off =
            |color| board.neighbors4(v).any(|n| held.holds(n) && board.color_at(n) == Some(color));
        if Color::BOTH.into_iter().all(stands_off) {
            continue;
        }
        for color in Color::BOTH {
            let takes = board.strings_next_to(v, color.other()).any(|n| board.liberties(n) == 1);
            if takes || board.play(color, v).is_err() {
                continue;
            }
            if board.liberties(v) > 2 || (board.liberties(v) == 2 && !is_shaky(board, v)) {
                return true;
            }
            board.undo();
        }
    }
    false
}

/// Whether the string at `v` would be in atari once another neutral point is filled.
fn is_shaky(board: &Board, v: Vertex) -> bool {
    let neutral = neutral_points(board);
    board.liberty_vertices(v).any(|l| neutral.holds(l))
}
