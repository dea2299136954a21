//! The vital points of small eye spaces (nakade).
//!
//! # Source
//! J. Davies, "Life and Death" (1975), chapter 3. The dead shapes are three in a row, the pyramid four, the bulky and
//! the crossed five, and the rabbity six. Each has one vital point.
//!
//! # Notation
//! The *degree* of a vertex is its number of neighbours in the space; `edges` is half the sum of degrees. Size, `edges`
//! and largest degree distinguish shapes of up to six vertices well enough.

use super::board::{EMPTY, PlayoutBoard, WALL};
use crate::board::SmallList;

const MOST: usize = 6;

/// A few vertices.
type Shape = SmallList<usize, MOST>;

/// The vital point of the space of empty vertices around `start`, if it is small, only one colour stands around it,
/// and it has one.
pub(crate) fn vital_point(board: &PlayoutBoard, start: usize) -> Option<usize> {
    let mut space = Shape::default();
    space.push(start);
    let (mut border, mut next) = (0, 0);
    while let Some(&v) = space.get(next) {
        for n in board.neighbours(v) {
            match board.color[n] {
                EMPTY if space.contains(&n) => {}
                EMPTY if space.len() == MOST => return None,
                EMPTY => space.push(n),
                WALL => {}
                c if border == 0 => border = c,
                c if c != border => return None,
                _ => {}
            }
        }
        next += 1;
    }
    vital_of(board, &space)
}

/// The vital point of a shape.
fn vital_of(board: &PlayoutBoard, shape: &[usize]) -> Option<usize> {
    if !(3..=MOST).contains(&shape.len()) {
        return None;
    }
    let (edges, most, at) = measure(board, shape);
    let dead = match shape.len() {
        3 => true,
        4 => most == 3,
        5 => most == 4 || (most == 3 && edges == 5),
        _ => most == 4 && edges == 6,
    };
    dead.then_some(at)
}

/// Edges, largest degree, and where.
fn measure(board: &PlayoutBoard, shape: &[usize]) -> (usize, usize, usize) {
    let (mut sum, mut most, mut at) = (0, 0, shape[0]);
    for &v in shape {
        let degree = board.neighbours(v).into_iter().filter(|n| shape.contains(n)).count();
        sum += degree;
        if degree > most {
            (most, at) = (degree, v);
        }
    }
    (sum / 2, most, at)
}

/// Whether the stones of `color` around `v`, with a stone on `v`, are a shape that leaves a dead eye when taken.
pub(crate) fn fills_dead_shape(board: &PlayoutBoard, v: usize, color: u8) -> bool {
    let mut shape = Shape::default();
    shape.push(v);
    for n in board.neighbours(v) {
        if board.color[n] != color || shape.contains(&n) {
            continue;
        }
        if shape.len() + usize::from(board.string_size(n)) > MOST {
            return false;
        }
        board.for_each_stone(n, |s| shape.push(s));
    }
    match shape.len() {
        1 | 2 => true,
        // Four in a square leave a space without a vital point, and one that is no two eyes.
        4 => {
            let (edges, most, _) = measure(board, &shape);
            most == 3 || edges == 4
        }
        _ => vital_of(board, &shape).is_some(),
    }
}
