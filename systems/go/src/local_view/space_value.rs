//! The value of an eye space of a position: its certain value and its best value.
//!
//! # Notation
//! The *open ends* of a space are its margins and its vertices on the rim. The *wall* is formed by the defender's
//! strings around it.

use super::Ground;
use crate::board::{Board, Color};
use crate::eyes::{EyeSpace, EyeValue, eyes_of_sum};

/// Eyes if the defender moves first and one space reaches its best case.
pub(crate) fn eyes_with_one_best_case(mut values: Vec<EyeValue>, best_cases: &[u8]) -> u8 {
    let mut best = eyes_of_sum(&values).1;
    for (i, &best_case) in best_cases.iter().enumerate() {
        let value = values[i];
        if best_case > value.c {
            values[i] = EyeValue::exactly(best_case);
            best = best.max(eyes_of_sum(&values).1);
            values[i] = value;
        }
    }
    best
}

/// The most a space may yield. A closed space has the value of its graph. An open space grows by moves at and beyond
/// its margins: the defender has one move more. With three or more margins the graph says nothing about a wide space.
/// A thorough search hopes for a move more in a closed one with stones in it, too: the graph knows no kos.
pub(crate) fn best_case_value(
    board: &Board,
    ground: &Ground,
    space: &EyeSpace,
    attacker_first: bool,
    thorough: bool,
) -> u8 {
    /// The vertices from which a space with three open ends or more may hold two eyes: with the defender and with the
    /// attacker to move.
    ///
    /// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: one space that turns out as well as can be
    /// hoped.
    const WIDE: [usize; 2] = [6, 8];
    match ground.open_ends(space) {
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
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: the wall of two eyes short of liberties.
const PEACE: usize = 2;

/// A space with more vertices has room for a third move: its two eyes are taken to be made in time.
///
/// Origin: ablation, `experiments/2026-11-27-go-rules-without-effect.md`: the wall of two eyes short of liberties.
const SMALL: usize = 7;

/// The certain value of a space. For an open space it is the value of the rest when each margin costs two vertices. A
/// closed one its value, if its wall leaves it time.
pub(crate) fn sure_value(board: &Board, ground: &Ground, color: Color, space: &EyeSpace) -> EyeValue {
    let value = space.value;
    let open = ground.open_ends(space);
    if open > 0 {
        return value_of_open(space, open);
    }
    // Two eyes that have still to be made: short of liberties outside, the dividing stone may be self-atari.
    let small = space.vertices.len() <= SMALL;
    if small && value.c >= 2 && outside_liberties(board, space, color) < PEACE {
        return EyeValue { a: value.a.min(1), b: value.b.min(1), c: 1, ..value };
    }
    value
}

/// The vertices that each open end costs an open space.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `open`.
const END_COST: usize = 2;

/// The most remaining vertices of an open space that make no eye for certain.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `open`.
const NO_EYE: usize = 3;

/// The most remaining vertices of an open space that make one eye for certain.
///
/// Origin: ablation, `experiments/2026-11-30-go-ablations.md`, "Groups": `open`.
const ONE_EYE: usize = 8;

/// The certain value of a space with `open` open ends (margins or vertices on the rim). It is the value of the rest
/// when each end costs two vertices.
fn value_of_open(space: &EyeSpace, open: usize) -> EyeValue {
    let eyes = match space.vertices.len().saturating_sub(END_COST * open) {
        rest if rest <= NO_EYE => 0,
        rest if rest <= ONE_EYE => 1,
        _ => 2,
    };
    EyeValue::exactly(eyes.min(space.value.a))
}

/// Liberties outside the space of that string of its wall that has the fewest.
fn outside_liberties(board: &Board, space: &EyeSpace, color: Color) -> usize {
    let outside = |s| board.liberty_vertices(s).filter(|l| !space.holds(*l)).count();
    space.strings_around(board, color).into_iter().map(outside).min().unwrap_or(0)
}
