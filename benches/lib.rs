//! Shared inputs of the benches (positions, rulesheets). The benches themselves are `benches/<domain>/main.rs`.

pub mod gnugo;
pub mod oracle;

use tengen_core::SplitMix64;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::world::Position;

/// A busy position made by legal random moves that fill no eye, the same at every call: half of the board is filled.
#[must_use]
pub fn midgame(size: usize) -> Position {
    let mut board = Board::new(size);
    let mut random = SplitMix64::new(size as u64);
    let mut color = Color::Black;
    for _ in 0..size * size / 2 {
        let eye = |board: &Board, v| board.neighbors4(v).all(|n| board.color_at(n) == Some(color));
        for _ in 0..1000 {
            let v = Vertex::from_index(random.below((size * size) as u32) as usize, size);
            if board.is_empty(v) && !eye(&board, v) && board.play(color, v).is_ok() {
                break;
            }
        }
        color = color.other();
    }
    Position::new(board, color)
}

/// The middle one, NaN if there is none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
