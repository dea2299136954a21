//! Genus, cutting stones, inessential strings: step 5.

use super::Worm;
use crate::board::{Board, Vertex};

/// The number of connected components of the string's complement, minus one.
pub(super) fn genus(board: &Board, worm: &Worm) -> u16 {
    if worm.size < 3 {
        return 0; // Cutting off even a corner takes three stones.
    }
    let mut seen = board.marks(board.stones(worm.origin));
    let mut components: u16 = 0;
    for start in board.vertices() {
        if !seen[start.at()] {
            components += 1;
            let _ = board.region(start, &mut seen, |_| true);
        }
    }
    components.saturating_sub(1)
}

/// The field `cutstone`.
pub(super) fn cutstone(board: &Board, worm: &Worm) -> u8 {
    let mut touching: Vec<Vertex> = Vec::new();
    for v in board.stones(worm.origin) {
        touching.extend(
            board
                .neighbors4(v)
                .filter(|&n| board.color_at(n).is_some() && board.color_at(n) != board.color_at(worm.origin)),
        );
    }
    touching.sort_unstable();
    let code = |a, b| if share_liberty(board, a, b) { 1 } else { 2 };
    let last = touching.iter().rev().find(|&&s| !board.same_string(s, touching[0]));
    last.map_or(0, |&s| code(touching[0], s))
}

fn share_liberty(board: &Board, a: Vertex, b: Vertex) -> bool {
    let (a, b) = (board.liberty_bits(a), board.liberty_bits(b));
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Whether a string is inessential by its shape alone, whatever reading says of its neighbours: the definition of the
/// section "Amalgamation of cavities".
#[must_use]
pub fn is_inessential(board: &Board, worm: &Worm) -> bool {
    worm.genus == 0
        && !cuts(board, worm)
        && worm.liberties[1] == 0
        && !has_edge_liberty(board, worm.origin)
        && remaining_cavity_is_enemy_bordered(board, worm)
}

/// Whether two of the enemy strings around it are held apart: they share fewer than two of its liberties. (Both
/// manuals name cutting and potential cutting stones here; the manual's own example of a stone in an eye space touches
/// two strings that share two of its liberties.)
fn cuts(board: &Board, worm: &Worm) -> bool {
    let own = board.liberty_bits(worm.origin);
    let held_apart = |a: Vertex, b: Vertex| {
        let shared = own.iter().zip(board.liberty_bits(a)).zip(board.liberty_bits(b));
        shared.map(|((o, a), b)| (o & a & b).count_ones()).sum::<u32>() < 2
    };
    let enemies = board.adjacent_strings(worm.origin);
    enemies.iter().enumerate().any(|(i, &a)| enemies[i + 1..].iter().any(|&b| held_apart(a, b)))
}

/// Whether a string that doesn't stand on the edge has a liberty there.
fn has_edge_liberty(board: &Board, string: Vertex) -> bool {
    let on_edge = |v| board.neighbors4(v).count() < 4;
    board.liberty_vertices(string).any(on_edge) && !board.stones(string).any(on_edge)
}

/// Whether the cavity that is left when the string is taken away borders the other colour alone.
fn remaining_cavity_is_enemy_bordered(board: &Board, worm: &Worm) -> bool {
    let own = worm.color.stone();
    let mut friend_met = false;
    let mut enemy_met = false;
    let mut seen = vec![false; board.padded_len()];
    let _ = board.region(worm.origin, &mut seen, |v| {
        let color = board.color_at(v);
        let free = color.is_none() || board.same_string(v, worm.origin);
        friend_met |= !free && color == own;
        enemy_met |= !free && color != own;
        free
    });
    enemy_met && !friend_met
}
