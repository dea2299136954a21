//! The upright image of a position: one image that all turnings of the position and both colours share.
//!
//! # Notation
//! A *turning* is one of the eight rotations and reflections of the board. An *image* is the position after a turning,
//! with the mover as Black. Each image has a row of numbers, for its stones and its last moves. The *upright* images
//! are those whose row comes first in lexicographic order. A symmetric position has several of them.
//!
//! # Steps
//! 1. Make all eight images and keep the upright ones.
//! 2. The caller works on one upright image. All others are equal to it.
//! 3. Turn the result back by each upright image, and take the mean.
//!
//! # Cost
//! Tens of microseconds.

use super::{Board, Color, Vertex};

/// The turnings of a board: bits for both mirrors and the exchange of rows and columns.
pub const TURNINGS: u8 = 8;

/// Where a vertex goes.
#[must_use]
pub fn turned(v: Vertex, turning: u8, size: usize) -> Vertex {
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

/// The stones of a board after a turning, with the colours exchanged if asked, without history.
///
/// # Panics
/// Never: no two vertices go to the same place.
#[must_use]
pub fn turned_board(board: &Board, turning: u8, is_swapped: bool) -> Board {
    let mut image = Board::new(board.size());
    for v in board.vertices() {
        if let Some(color) = board.color_at(v) {
            let color = if is_swapped { color.other() } else { color };
            image.place(color, turned(v, turning, board.size())).expect("an empty vertex");
        }
    }
    image.without_history()
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

/// The upright image of a position, and the way back.
#[derive(Clone, Debug)]
pub struct Upright {
    /// The image, without history or prisoners; Black moves.
    pub image: Board,
    /// The last moves there.
    pub past: [Vertex; 2],
    /// The side that is Black there.
    mover: Color,
    /// The turnings that lead to it, at least one.
    turnings: Vec<u8>,
}

impl Upright {
    /// The upright image of a position. `past`: the moves of the other side and of the mover before, or passes.
    #[must_use]
    pub fn of(board: &Board, mover: Color, past: [Vertex; 2]) -> Self {
        let size = board.size();
        let mut turnings = vec![0];
        let mut upright = numbers(board, mover, past, 0);
        for turning in 1..TURNINGS {
            let image = numbers(board, mover, past, turning);
            if image < upright {
                turnings.clear();
                upright = image;
            } else if image > upright {
                continue;
            }
            turnings.push(turning);
        }
        let past = past.map(|v| turned(v, turnings[0], size));
        Self { image: image_of(&upright, board), past, mover, turnings }
    }

    /// Where a vertex of the position is on the image.
    #[must_use]
    pub fn there(&self, v: Vertex) -> Vertex {
        turned(v, self.turnings[0], self.image.size())
    }

    /// The side of the position that has this colour on the image.
    #[must_use]
    pub const fn side(&self, color: Color) -> Color {
        match color {
            Color::Black => self.mover,
            Color::White => self.mover.other(),
        }
    }

    /// The mean, over the upright images, of a map of the image (in vertex order), for each vertex of the position.
    #[must_use]
    pub fn mean(&self, map: &[f32]) -> Vec<f32> {
        let size = self.image.size();
        let mean = |v: Vertex| {
            // Sums of doubles, so that no order of the turnings shows.
            let at = |&t: &u8| f64::from(map[turned(v, t, size).index(size)]);
            (self.turnings.iter().map(at).sum::<f64>() / self.turnings.len() as f64) as f32
        };
        self.image.vertices().map(mean).collect()
    }
}

/// The image with these numbers, under the rules of the board.
fn image_of(numbers: &[u16], board: &Board) -> Board {
    let size = board.size();
    let mut image = Board::with_rules(size, board.rules());
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
