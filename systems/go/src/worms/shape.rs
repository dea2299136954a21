//! Genus, cutting stones and inessential strings (step 5 of [`super`]).

use super::Worm;
use crate::board::{Board, Color, Vertex};

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
    let foe = worm.color.stone().map(Color::other);
    let beside = board.stones(worm.origin).flat_map(|v| board.neighbors4(v));
    let mut touching: Vec<Vertex> = beside.filter(|&n| foe.is_some() && board.color_at(n) == foe).collect();
    touching.sort_unstable();
    let shares = |a: Vertex, b: Vertex| board.liberty_vertices(a).any(|l| board.is_liberty(l, b));
    let last = touching.iter().rev().find(|&&s| !board.same_string(s, touching[0]));
    last.map_or(0, |&s| if shares(touching[0], s) { 1 } else { 2 })
}

/// Whether a string is inessential by its shape alone, without reading of its neighbours: the definition of the
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
/// manuals name cutting and potential cutting stones. The manual's own example of a stone in an eye space touches two
/// strings that share two of its liberties.)
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
    let mut seen = vec![false; board.padded_len()];
    let others = |v: Vertex| board.color_at(v).filter(|_| !board.same_string(v, worm.origin));
    let (_, borders) = board.bordered_region(worm.origin, &mut seen, others);
    worm.color.stone().is_some_and(|own| borders[own.other().index()] && !borders[own.index()])
}
