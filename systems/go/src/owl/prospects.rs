//! What an eye space of a position in the tree is worth: for certain, and at best.
//!
//! # Notation
//! The *open ends* of a space are its margins and the vertices where the arena is open. The *wall* are the defender's
//! strings around it; a *gap* parts two strings of the wall that the attacker can cut.

use crate::board::{Board, Color, Vertex};
use crate::eyes::{EyeSpace, EyeValue, eyes_of_sum};
use crate::sight::{Arena, liberties_after, value_of_open};

/// Eyes if the defender moves first and one space turns out as well as can be hoped.
pub(super) fn eyes_with_one_hope(mut values: Vec<EyeValue>, hoped: &[u8]) -> u8 {
    let mut best = eyes_of_sum(&values).1;
    for (i, &hope) in hoped.iter().enumerate() {
        let value = values[i];
        if hope > value.c {
            values[i] = EyeValue::exactly(hope);
            best = best.max(eyes_of_sum(&values).1);
            values[i] = value;
        }
    }
    best
}

/// The most a space may yield. A closed one is what its graph says; an open one grows by moves at and beyond its margins:
/// one move more for the defender, and with three margins or more the graph says nothing about a wide space. A thorough
/// search hopes for a move more in a closed one with stones in it, too: the graph knows no kos.
pub(super) fn hoped_value(
    board: &Board,
    arena: &Arena,
    space: &EyeSpace,
    attacker_first: bool,
    thorough: bool,
) -> u8 {
    const WIDE: [usize; 2] = [6, 8];
    match arena.ground.open_ends(space) {
        0 if thorough && !attacker_first && space.vertices.iter().any(|&v| !board.is_empty(v)) => {
            space.value.d
        }
        0 => space.value.c,
        1 if attacker_first => space.value.c,
        1 | 2 => space.value.d,
        _ if space.vertices.len() >= WIDE[usize::from(attacker_first)] => 2,
        _ => space.value.d,
    }
}

/// Liberties outside a space that its wall needs for the second eye to be made in peace.
const PEACE: usize = 2;

/// A space with more vertices has room for a third move: its two eyes are taken to be made in time.
const SMALL: usize = 7;

/// What a space yields for certain. Of an open one what is left when each margin costs two vertices. A closed one its
/// value if the strings around it hang together; each gap in the wall gives the attacker a move more, and the
/// defender's own first move mends one.
pub(super) fn sure_value(board: &Board, arena: &Arena, space: &EyeSpace) -> EyeValue {
    let value = space.value;
    if let [eye] = space.vertices[..]
        && board.is_empty(eye)
        && can_be_forced_in(board, arena, eye)
    {
        return EyeValue { a: 0, b: 0, ..value };
    }
    let open = arena.ground.open_ends(space);
    if open > 0 {
        return value_of_open(space, open);
    }
    // The diagonals have judged a small eye, walls and all.
    if space.vertices.len() <= 2 {
        return value;
    }
    // Two eyes that have still to be made: short of liberties outside, the dividing stone may be self-atari.
    let small = space.vertices.len() <= SMALL;
    if small && value.c >= 2 && outside_liberties(board, space, arena.color) < PEACE {
        return EyeValue { a: value.a.min(1), b: value.b.min(1), c: 1, ..value };
    }
    match gaps(board, space, arena.color) {
        0 => value,
        1 => EyeValue { b: value.a, c: value.b, ..value },
        more => {
            let left = value.a.saturating_sub(more.min(3) as u8 - 1);
            EyeValue { a: left, b: left, c: value.a, ..value }
        }
    }
}

/// Whether one move of the attacker's leaves a string around a one-point eye no liberty but the eye: then its owner has to
/// fill it. A stone that could be taken at once forces nothing.
pub(super) fn can_be_forced_in(board: &Board, arena: &Arena, eye: Vertex) -> bool {
    board.strings_next_to(eye, arena.color).any(|s| {
        let mut others = board.liberty_vertices(s).filter(|&l| l != eye);
        match (others.next(), others.next()) {
            (None, _) => true,
            (Some(last), None) => liberties_after(board, arena.color.other(), last, 2) >= 2,
            _ => false,
        }
    })
}

/// Liberties outside the space of that string of its wall that has the fewest.
fn outside_liberties(board: &Board, space: &EyeSpace, color: Color) -> usize {
    let outside = |s| board.liberty_vertices(s).filter(|l| !space.holds(*l)).count();
    space.strings_around(board, color).into_iter().map(outside).min().unwrap_or(0)
}

/// Parts of the wall of a space, less one. Two strings hang together by a common liberty where the attacker can't stay,
/// by two common ones outside the space, or by two inside it; one of each is a gap, as a move outside asks for an answer
/// inside.
fn gaps(board: &Board, space: &EyeSpace, color: Color) -> usize {
    let strings = space.strings_around(board, color);
    let mut part: Vec<usize> = (0..strings.len()).collect();
    let mut parts = strings.len();
    for i in 0..strings.len() {
        for j in 0..i {
            if part[i] == part[j] {
                continue;
            }
            let (mut inside, mut outside, mut sealed) = (0, 0, false);
            for l in board.liberty_vertices(strings[i]).filter(|&l| board.is_liberty(l, strings[j])) {
                if space.holds(l) {
                    inside += 1;
                } else {
                    outside += 1;
                    sealed |= liberties_after(board, color.other(), l, 2) < 2;
                }
            }
            if sealed || outside >= 2 || outside == 0 && inside >= 2 {
                let (from, to) = (part[i], part[j]);
                part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
                parts -= 1;
            }
        }
    }
    parts.saturating_sub(1)
}
