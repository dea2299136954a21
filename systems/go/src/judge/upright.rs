//! Playouts that do not depend on how the board is turned or which side is Black.
//!
//! # Notation
//! An *image* is the position after one of the eight turnings, its mover as Black. The *upright* images are those whose
//! stones and last moves come first in the order of their numbers. A symmetric position has several.
//!
//! # Steps
//! 1. Make all eight images and keep the upright ones.
//! 2. Play out from one of them. All others are equal to it.
//! 3. Turn the map back by each upright image, and take the mean.
//!
//! # Cost
//! That of the playouts; making the images takes tens of microseconds.

use crate::board::{Board, Color, Vertex};
use crate::playout::{Limits, PlayoutBoard, Root, search_moves};

/// The turnings of a board: bits for both mirrors and the exchange of rows and columns.
const TURNINGS: u8 = 8;

/// Where a vertex goes.
fn turned(v: Vertex, turning: u8, size: usize) -> Vertex {
    if v == Vertex::PASS {
        return v;
    }
    let (mut row, mut col) = (v.row(size), v.col(size));
    if turning & 1 != 0 {
        row = size - 1 - row;
    }
    if turning & 2 != 0 {
        col = size - 1 - col;
    }
    if turning & 4 != 0 {
        (row, col) = (col, row);
    }
    Vertex::new(row, col, size)
}

/// The numbers of an image: stones in vertex order (0 none, 1 the mover's, 2 the other's, 3 forbidden by ko), last moves.
fn numbers(board: &Board, mover: Color, past: [Vertex; 2], turning: u8) -> Vec<u16> {
    let size = board.size();
    let mut numbers = vec![0; size * size + 2];
    for v in board.vertices() {
        let number = match board.color_at(v) {
            Some(color) => 1 + u16::from(color != mover),
            None if board.ko() == Some((v, mover)) => 3,
            None => 0,
        };
        numbers[turned(v, turning, size).index(size)] = number;
    }
    for (number, &v) in numbers[size * size..].iter_mut().zip(&past) {
        *number = if v == Vertex::PASS { 0 } else { 1 + turned(v, turning, size).index(size) as u16 };
    }
    numbers
}

/// The image with these numbers.
fn image_of(numbers: &[u16], size: usize) -> Board {
    let mut image = Board::new(size);
    let mut ko = None;
    for (i, &number) in numbers[..size * size].iter().enumerate() {
        let v = Vertex::from_index(i, size);
        let color = match number {
            1 => Color::Black,
            2 => Color::White,
            3 => {
                ko = Some(v);
                continue;
            }
            _ => continue,
        };
        // The stones of a board fit on an empty one.
        let _ = image.place(color, v);
    }
    if let Some(v) = ko {
        image.set_ko(v, Color::Black);
    }
    image.without_history()
}

/// The owner of each vertex by playouts with this side to move: 1 the mover's, -1 the other's. `past`: the moves of the
/// other side and of the mover before, or passes.
pub(super) fn owner_by_playouts(board: &Board, mover: Color, past: [Vertex; 2], limits: &Limits) -> Vec<f32> {
    let size = board.size();
    let images: Vec<Vec<u16>> = (0..TURNINGS).map(|t| numbers(board, mover, past, t)).collect();
    let Some(upright) = images.iter().min() else { return Vec::new() };
    let place = |number: u16| match number {
        0 => Vertex::PASS,
        n => Vertex::from_index(usize::from(n) - 1, size),
    };
    let [last, before] = [upright[size * size], upright[size * size + 1]].map(place);
    let fast = PlayoutBoard::from(&image_of(upright, size));
    let root = Root { board: &fast, color: Color::Black, last, before, komi: 0.0, owner: None };
    let found = search_moves(root, &|_| true, &[], limits, &mut || false);
    let turnings: Vec<u8> = (0..TURNINGS).filter(|&t| &images[usize::from(t)] == upright).collect();
    let mean = |v: Vertex| {
        // Sums of doubles, so that no order of the turnings shows.
        let owner = |&t: &u8| f64::from(found.owner[turned(v, t, size).index(size)]);
        (-turnings.iter().map(owner).sum::<f64>() / turnings.len() as f64) as f32
    };
    board.vertices().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::tests::after_random_moves;
    use crate::playout::{LADDERS, Policy};

    fn image(board: &Board, turning: u8, is_swapped: bool) -> Board {
        let mut image = Board::new(board.size());
        for v in board.vertices() {
            if let Some(color) = board.color_at(v) {
                let color = if is_swapped { color.other() } else { color };
                image.place(color, turned(v, turning, board.size())).expect("an empty vertex");
            }
        }
        image.without_history()
    }

    #[test]
    fn turning_the_board_or_swapping_its_sides_turns_the_owners() {
        let limits = Limits {
            playouts: 40,
            policy: Policy::default(),
            win_share: 0.0,
            warm_up: 4,
            ladders: LADDERS,
            seed: 1,
        };
        let past = [Vertex::PASS; 2];
        let boards = [after_random_moves(9, 30, 4), after_random_moves(7, 0, 1), after_random_moves(8, 1, 2)];
        for board in &boards {
            let size = board.size();
            let owner = owner_by_playouts(board, Color::Black, past, &limits);
            assert!(owner.iter().any(|o| o.abs() > 0.05));
            for turning in 0..TURNINGS {
                for (mover, is_swapped) in [(Color::Black, false), (Color::White, true)] {
                    let image = image(board, turning, is_swapped);
                    let turned_owner = owner_by_playouts(&image, mover, past, &limits);
                    for v in board.vertices() {
                        let there = turned(v, turning, size).index(size);
                        assert_eq!(
                            owner[v.index(size)].to_bits(),
                            turned_owner[there].to_bits(),
                            "{turning}"
                        );
                    }
                }
            }
        }
    }
}
