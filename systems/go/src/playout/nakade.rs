//! Vital points of small eye spaces.
//!
//! # Source
//! The dead shapes every player knows (J. Davies, "Life and Death", 1975, chapter 3): three in a row, the pyramid
//! four, the bulky and the crossed five, the rabbity six; each has one vital point.
//!
//! # Notation
//! The *degree* of a vertex is its number of neighbours in the space; `edges` is half the sum of degrees. Shapes of
//! up to six vertices are told apart well enough by their size, `edges` and largest degree.

use super::board::{EMPTY, PlayoutBoard, WALL};

const MOST: usize = 6;

/// The vital point of the space of empty vertices around `start`, if it is small, only one colour stands around it,
/// and it has one.
pub(crate) fn vital_point(board: &PlayoutBoard, start: usize) -> Option<usize> {
    let mut space = [0usize; MOST];
    space[0] = start;
    let (mut len, mut next) = (1, 0);
    let mut border = 0;
    while next < len {
        for n in board.neighbours(space[next]) {
            match board.color[n] {
                EMPTY if space[..len].contains(&n) => {}
                EMPTY if len == MOST => return None,
                EMPTY => {
                    space[len] = n;
                    len += 1;
                }
                WALL => {}
                c if border == 0 => border = c,
                c if c != border => return None,
                _ => {}
            }
        }
        next += 1;
    }
    vital_of(board, &space[..len])
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
    let mut shape = [0usize; MOST];
    shape[0] = v;
    let mut len = 1;
    for n in board.neighbours(v) {
        if board.color[n] != color || shape[..len].contains(&n) {
            continue;
        }
        let mut fits = true;
        board.for_each_stone(n, |s| {
            if len < MOST {
                shape[len] = s;
                len += 1;
            } else {
                fits = false;
            }
        });
        if !fits {
            return false;
        }
    }
    match len {
        1 | 2 => true,
        // Four in a square leave a space without a vital point, and one that is no two eyes.
        4 => {
            let (edges, most, _) = measure(board, &shape[..4]);
            most == 3 || edges == 4
        }
        _ => vital_of(board, &shape[..len]).is_some(),
    }
}
