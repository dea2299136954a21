//! The inputs that the benches share, such as positions. The benches themselves are in `benches/<domain>/main.rs`.

pub mod gnugo;
pub mod oracle;

use tengen_core::SplitMix64;
use tengen_go::board::sgf::{self, Until};
use tengen_go::board::{Board, Color, Rules, Vertex};
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

/// A position of a game on 13 lines, after 60 moves.
///
/// # Panics
/// Never: the game is part of the program.
#[must_use]
pub fn game_position() -> Position {
    let tree = sgf::parse(include_bytes!("../scenes/go/games/13x13-1.sgf")).expect("a sound record");
    let game = sgf::load(&tree, &tree.line(&[]), Until::Move(61), Rules::default()).expect("a sound game");
    Position { komi: game.komi, ..Position::new(game.board, game.to_move) }
}

/// The middle one, NaN if there is none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
