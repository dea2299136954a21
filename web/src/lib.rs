//! Finds the dead stones of a Go board, for web pages. The interface is that of the npm package `@sabaki/deadstones`,
//! as its README describes it. That package is no longer maintained. `deadstones.js` calls the functions of this crate.
//!
//! # Notation
//! A vertex is its index, row by row from the top left. A sign is 1 for Black, -1 for White, and 0 for an empty vertex.
//!
//! # Steps
//! 1. [`begin`] makes an empty board of a size. [`put`] places its stones, one by one.
//! 2. A question ([`guess`], [`probability_map`], [`play_till_end`], [`floating_stones`]) computes a number for each
//!    vertex.
//! 3. [`value`] returns these numbers. The page shares no memory with the module, so no pointer leaves the module.
//!
//! # Departures
//! Boards must be square, of 1 to 25 lines. [`put`] refuses stones without liberties. Floating stones are those inside
//! the unconditional territory of the other colour. They are fewer than those that the package names, but they are
//! certainly dead.

use std::cell::RefCell;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::effort::StatusLimits;
use tengen_go::playout::{PlayoutBoard, Policy, estimate};
use tengen_go::score::{self, Status};
use tengen_go::unconditional::{Status as Certain, UnconditionalMap};

/// The most playouts of one question.
const MOST: u32 = 1_000_000;

/// A board, and the numbers that the last question computed for its vertices.
struct State {
    board: Board,
    values: Vec<f64>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State { board: Board::new(1), values: Vec::new() });
}

/// Takes an empty board with a number of lines. Returns 0 if that size does not exist, otherwise 1.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn begin(size: u32) -> u32 {
    let size = size as usize;
    if !(1..=25).contains(&size) {
        return 0;
    }
    STATE.with_borrow_mut(|state| *state = State { board: Board::new(size), values: vec![0.0; size * size] });
    1
}

/// Places a stone. Returns 0 if the vertex or the sign does not exist, or if the board cannot have the stone there,
/// otherwise 1.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn put(index: u32, sign: i32) -> u32 {
    STATE.with_borrow_mut(|state| {
        let size = state.board.size();
        match (color(sign), (index as usize) < size * size) {
            (Some(color), true) => {
                u32::from(state.board.place(color, Vertex::from_index(index as usize, size)).is_ok())
            }
            _ => 0,
        }
    })
}

/// The number that the last question computed for a vertex, or 0 if there is none.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn value(index: u32) -> f64 {
    STATE.with_borrow(|state| state.values.get(index as usize).copied().unwrap_or(0.0))
}

/// Computes 1 for each dead stone. `finished` says that all areas are closed. Then only playouts decide, without a
/// search.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn guess(finished: u32, playouts: u32, seed: u32) {
    let playouts = playouts.clamp(2, MOST);
    let search = if finished == 0 { playouts.saturating_mul(2) } else { 0 };
    store_values(|board| {
        let status = if search == 0 {
            score::settle(board, &owners(board, playouts, u64::from(seed)), None)
        } else {
            let limits = StatusLimits { playouts, search };
            score::final_status(board, Color::Black, u64::from(seed), limits)
        };
        board.vertices().map(|v| f64::from(u8::from(status.at(v) == Status::Dead))).collect()
    });
}

/// Computes the expected owner of each vertex, from -1 (White) to 1 (Black).
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn probability_map(playouts: u32, seed: u32) {
    let playouts = playouts.clamp(2, MOST);
    store_values(|board| owners(board, playouts, u64::from(seed)).iter().map(|&o| -f64::from(o)).collect());
}

/// Computes the board after one playout in which the player of this sign moves first. Eyes count as stones of their
/// owner.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn play_till_end(sign: i32, seed: u32) {
    let first = color(sign).unwrap_or(Color::Black);
    store_values(|board| {
        let end = estimate(&PlayoutBoard::from(board), first, &Policy::default(), 1, u64::from(seed));
        end.owner.iter().map(|&o| -f64::from(o)).collect()
    });
}

/// Computes 1 for each stone inside the unconditional territory of the other colour.
#[expect(unsafe_code, reason = "a page calls it by this name; numbers alone pass")]
#[unsafe(no_mangle)]
pub extern "C" fn floating_stones() {
    store_values(|board| {
        let map = UnconditionalMap::build(board);
        let is_dead = |v| board.color_at(v).is_some() && map.at(v) == Certain::Dead;
        board.vertices().map(|v| f64::from(u8::from(is_dead(v)))).collect()
    });
}

fn color(sign: i32) -> Option<Color> {
    match sign {
        1 => Some(Color::Black),
        -1 => Some(Color::White),
        _ => None,
    }
}

/// Mean ownership (-1 Black's, 1 White's) over playouts, half with either colour first.
fn owners(board: &Board, playouts: u32, seed: u64) -> Vec<f32> {
    let (fast, policy) = (PlayoutBoard::from(board), Policy::default());
    let of = |color, seed| estimate(&fast, color, &policy, playouts / 2, seed).owner;
    let (black, white) = (of(Color::Black, seed), of(Color::White, seed ^ 1));
    black.iter().zip(&white).map(|(a, b)| (a + b) / 2.0).collect()
}

/// Computes the values of the next calls of [`value`].
fn store_values(compute: impl FnOnce(&Board) -> Vec<f64>) {
    STATE.with_borrow_mut(|state| state.values = compute(&state.board));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board of the package's README, signs row by row.
    const BOARD: [[i32; 9]; 9] = [
        [0, 0, 1, 0, -1, -1, 1, 0, 0],
        [1, 0, 1, -1, -1, 1, 1, 1, 0],
        [0, 0, 1, -1, 0, 1, -1, -1, 0],
        [1, 1, 1, -1, -1, -1, 1, -1, 0],
        [1, -1, 1, 1, -1, 1, 1, 1, 0],
        [-1, -1, -1, -1, -1, 1, 0, 0, 0],
        [0, -1, -1, 0, -1, 1, 1, 1, 1],
        [0, 0, 0, 0, 0, -1, -1, -1, 1],
        [0, 0, 0, 0, 0, 0, 0, -1, 0],
    ];

    fn set_up() {
        assert_eq!(begin(9), 1);
        for (index, &sign) in BOARD.as_flattened().iter().enumerate() {
            assert!(sign == 0 || put(index as u32, sign) == 1, "{index}");
        }
    }

    fn vertices() -> Vec<(u32, u32)> {
        (0..81).filter(|&i| value(i) == 1.0).map(|i| (i % 9, i / 9)).collect()
    }

    #[test]
    fn prisoners_of_the_example_are_dead_and_living_stones_are_not() {
        for finished in [0, 1] {
            set_up();
            guess(finished, 200, 1);
            let dead = vertices();
            // Two stones of White inside Black's corner on the right.
            assert!(dead.contains(&(6, 2)) && dead.contains(&(7, 2)) && dead.contains(&(7, 3)), "{dead:?}");
            assert!(!dead.contains(&(0, 3)) && !dead.contains(&(1, 5)), "{dead:?}");
        }
    }

    #[test]
    fn maps_lie_between_the_colours_and_follow_the_seed() {
        set_up();
        probability_map(100, 7);
        let first: Vec<f64> = (0..81).map(value).collect();
        assert!(first.iter().all(|v| (-1.0..=1.0).contains(v)));
        assert!(value(0) > 0.8 && value(80 - 8) < -0.8, "{} {}", value(0), value(72));
        probability_map(100, 7);
        assert_eq!(first, (0..81).map(value).collect::<Vec<f64>>());
        play_till_end(1, 3);
        assert!((0..81).all(|i| [-1.0, 0.0, 1.0].contains(&value(i))));
        floating_stones();
        assert!((0..81).all(|i| value(i) == 0.0 || BOARD[i as usize / 9][i as usize % 9] != 0));
    }

    #[test]
    fn what_is_no_board_is_refused() {
        assert_eq!((begin(0), begin(26), begin(1_000_000)), (0, 0, 0));
        assert_eq!(begin(3), 1);
        assert_eq!((put(9, 1), put(0, 2), put(0, 1), put(0, -1)), (0, 0, 1, 0));
        assert_eq!(value(1000), 0.0);
    }
}
