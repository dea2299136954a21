//! Benson's theorem in its original form. The tests compare step 1 with it.
//!
//! # Source
//! D. B. Benson, "Life in the game of Go" (1976). A *region* is a maximal connected set of vertices without stones of
//! the owner. It is *vital* to a string if all its empty vertices are liberties of the string. A set of strings is
//! unconditionally alive if each string has two vital regions that only strings of the set enclose.

use crate::board::{Board, Color, Vertex};

/// Per padded vertex: whether it holds a stone of an unconditionally alive string of `owner`.
pub(super) fn alive(board: &Board, owner: Color) -> Vec<bool> {
    let mut strings: Vec<Vertex> =
        board.vertices().filter(|&v| board.color_at(v) == Some(owner) && board.origin(v) == v).collect();
    let mut regions = regions(board, owner);
    loop {
        let before = strings.len();
        strings.retain(|&s| {
            let vital = regions.iter().filter(|region| {
                region.iter().filter(|&&v| board.is_empty(v)).all(|&v| board.is_liberty(v, s))
                    && region.iter().any(|&v| board.is_liberty(v, s))
            });
            vital.count() >= 2
        });
        if strings.len() == before {
            let mut out = vec![false; board.padded_len()];
            strings.iter().flat_map(|&s| board.stones(s)).for_each(|v| out[v.at()] = true);
            return out;
        }
        regions.retain(|region| {
            region
                .iter()
                .flat_map(|&v| board.neighbors4(v))
                .filter(|&n| board.color_at(n) == Some(owner))
                .all(|n| strings.contains(&board.origin(n)))
        });
    }
}

fn regions(board: &Board, owner: Color) -> Vec<Vec<Vertex>> {
    let mut seen = vec![false; board.padded_len()];
    let open = |v: Vertex| board.color_at(v) != Some(owner);
    let mut regions = Vec::new();
    for v in board.vertices() {
        if open(v) && !seen[v.at()] {
            regions.push(board.region(v, &mut seen, open));
        }
    }
    regions
}
