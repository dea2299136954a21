//! `tengen bench`: signatures.

use super::Outcome;
use tengen_go::board::{Board, Color, Vertex};
use tengen_go::tactics::Reader;

/// The arguments of `tengen bench`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen bench`.
///
/// # Errors
/// If stdout can't be written.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    let go = go_signature();
    let chess = tengen_chess::search::bench::signature(4);
    super::common::print(&format!("go {go} chess {chess}\n"))?;
    Ok(Outcome::Success)
}

/// Reading nodes of all strings of a position that a fixed seed makes.
fn go_signature() -> u64 {
    let mut board = Board::new(9);
    let mut random = tengen_core::SplitMix64::new(9);
    let mut color = Color::Black;
    for _ in 0..400 {
        let v = Vertex::from_index(random.below(81) as usize, 9);
        if board.history_len() < 44 && board.play(color, v).is_ok() {
            color = color.other();
        }
    }
    tengen_go::tactics::map::read(&mut Reader::default(), &mut board).nodes()
}
