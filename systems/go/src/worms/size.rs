//! The effective size of strings (step 4 of [`super`]).

use super::WormMap;
use crate::board::{Board, Vertex, in_order};

/// Empty vertices further away than this belong to nobody.
const REACH: usize = 4;

/// Shares the empty vertices among the strings nearest to them: a breadth first search from all strings at once.
pub(super) fn effective(board: &Board, map: &mut WormMap) {
    let mut owners: Vec<Vec<u16>> = vec![Vec::new(); board.padded_len()];
    let mut layer = Vec::new();
    for v in board.vertices().filter(|&v| board.color_at(v).is_some()) {
        owners[v.at()].push(map.index[v.at()]);
        layer.push(v);
    }
    for worm in &mut map.worms {
        worm.effective_size = if worm.color.stone().is_some() { f32::from(worm.size) } else { 0.0 };
    }
    for _ in 0..REACH {
        let mut next = Vec::new();
        let mut gains: Vec<(Vertex, Vec<u16>)> = Vec::new();
        for &v in &layer {
            for n in board.neighbors4(v).filter(|&n| board.is_empty(n) && owners[n.at()].is_empty()) {
                next.push(n);
                gains.push((n, owners[v.at()].clone()));
            }
        }
        for (v, from) in gains {
            owners[v.at()].extend(from);
        }
        layer = in_order(next);
        for v in &layer {
            let of = &mut owners[v.at()];
            *of = in_order(std::mem::take(of));
            for &worm in of.iter() {
                map.worms[worm as usize].effective_size += 1.0 / of.len() as f32;
            }
        }
    }
}
