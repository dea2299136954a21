//! The ownership of the vertices at the end of playouts.
//!
//! # Notation
//! `owner[i]` (vertex order) is the mean over all playouts: +1 where the vertex ends as White's, -1 where it ends as
//! Black's. Area counts: stones and the eyes that they surround.

use super::board::{PlayoutBoard, code};
use super::policy::Policy;
use crate::board::{Color, Vertex};
use tengen_core::SplitMix64;

/// The results of a number of playouts of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ownership {
    /// Per vertex in vertex order, -1 (Black) to 1 (White).
    pub owner: Vec<f32>,
    /// White's area less Black's, mean over the playouts, without komi.
    pub white_lead: f32,
    /// Playouts made.
    pub playouts: u32,
}

/// Plays to the end from `board` with `color` to move, after the opponent's move at `last` (0: none). `seen` gets
/// the moves: `seen(v, code, ply)`.
pub(crate) fn play_out(
    board: &mut PlayoutBoard,
    mut color: u8,
    mut last: usize,
    policy: &Policy,
    random: &mut SplitMix64,
    mut seen: impl FnMut(usize, u8, usize),
) {
    let limit = board.size() * board.size() * 5 / 2;
    let mut passes = 0;
    for ply in 0..limit {
        match policy.choose(board, color, last, random) {
            Some(v) => {
                board.play(v, color);
                seen(v, color, ply);
                last = v;
                passes = 0;
            }
            None => {
                board.pass();
                last = 0;
                passes += 1;
                if passes == 2 {
                    return;
                }
            }
        }
        color = 3 - color;
    }
}

/// The owner of a vertex of a board that was played out: the stone on it, or the colour all around it.
pub(crate) fn owner(board: &PlayoutBoard, v: usize) -> u8 {
    match board.color[v] {
        0 => {
            let mut of = 0;
            for n in board.neighbours(v) {
                match board.color[n] {
                    c @ (1 | 2) if of == 0 || of == c => of = c,
                    1 | 2 => return 0,
                    _ => {}
                }
            }
            of
        }
        c => c,
    }
}

/// The ownership after `playouts` playouts with `color` to move.
#[must_use]
pub fn estimate(board: &PlayoutBoard, color: Color, policy: &Policy, playouts: u32, seed: u64) -> Ownership {
    let size = board.size();
    let mut sums = vec![0i32; size * size];
    let mut random = SplitMix64::new(seed);
    for _ in 0..playouts {
        let mut play = board.clone();
        play_out(&mut play, code(color), 0, policy, &mut random, |_, _, _| {});
        for (i, sum) in sums.iter_mut().enumerate() {
            match owner(&play, Vertex::from_index(i, size).at()) {
                1 => *sum -= 1,
                2 => *sum += 1,
                _ => {}
            }
        }
    }
    let n = playouts.max(1) as f32;
    let owner: Vec<f32> = sums.iter().map(|&s| s as f32 / n).collect();
    Ownership { white_lead: sums.iter().sum::<i32>() as f32 / n, owner, playouts }
}
