//! The input of the net: planes of exact facts about a position. A rotated or mirrored board gives the same planes,
//! rotated or mirrored.
//!
//! # Notation
//! *Own* is the side to move, *foe* the other. A plane has a 1 where its fact holds, else a 0.
//!
//! # Departures
//! Colours, komi and prisoners are no inputs. So a position and the same position with swapped colours have the same
//! input.
//!
//! # Cost
//! 50 to 150 microseconds on 19x19. Ladders take most of it.

mod ladder;
#[cfg(test)]
mod tests;

use crate::board::{Board, Color, Rules, Vertex, VertexSet};
use crate::unconditional;
use crate::world::Past;
use ladder::Ladders;

/// Planes of one position; [`Plane`] names them.
pub const PLANES: usize = 31;

/// The first plane of each kind of fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Plane {
    /// 1 on the whole board, and 0 beyond its edge.
    Board = 0,
    /// Own stones, then foe's.
    Stones = 1,
    /// Own strings with one, two, three and four liberties, then foe's.
    Liberties = 3,
    /// The vertex that the ko rule forbids.
    Ko = 11,
    /// The last five moves, the latest first.
    Past = 12,
    /// Own strings of two liberties that foe, to move, takes in a ladder; then foe's that own takes.
    Ladder = 17,
    /// Own strings in atari that can't get away, to move; then foe's.
    Lost = 19,
    /// Moves that start a ladder that works: own's, then foe's.
    Attack = 21,
    /// Moves that save a string in atari: own's.
    Escape = 23,
    /// Strings that can't be taken and the regions they enclose: own's, then foe's.
    Safe = 24,
    /// Empty vertices where own may not play.
    Forbidden = 26,
    /// Moves of own after which the string there has one, two, three liberties.
    After = 27,
    /// Moves of own that take a string.
    Takes = 30,
}

/// The planes of a position, a bit set of vertices each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    planes: [VertexSet; PLANES],
    size: usize,
}

impl Inputs {
    /// The input of the side to move, after these last moves. Its rules are the default ones.
    #[must_use]
    pub fn new(board: &Board, to_move: Color, past: Past) -> Self {
        let mut inputs = Self { planes: [VertexSet::EMPTY; PLANES], size: board.size() };
        for (number, v) in past.into_iter().enumerate().filter(|&(_, v)| v != Vertex::PASS) {
            inputs.mark(Plane::Past, number, v);
        }
        let mut board = board.without_history().under(Rules::default());
        inputs.add_strings(&board, to_move);
        inputs.add_moves(&board, to_move);
        inputs.add_safe(&board, to_move);
        inputs.add_ladders(&mut board, to_move);
        inputs
    }

    /// Lines of the board.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// The vertices where the fact of a plane holds, in vertex order.
    ///
    /// # Panics
    /// If there is no such plane.
    pub fn vertices(&self, plane: usize) -> impl Iterator<Item = Vertex> + '_ {
        self.planes[plane].iter()
    }

    fn mark(&mut self, plane: Plane, offset: usize, v: Vertex) {
        self.planes[plane as usize + offset].insert(v);
    }

    fn add_strings(&mut self, board: &Board, to_move: Color) {
        for v in board.vertices() {
            self.mark(Plane::Board, 0, v);
            let Some(color) = board.color_at(v) else { continue };
            let side = usize::from(color != to_move);
            self.mark(Plane::Stones, side, v);
            let liberties = board.liberties(v);
            if (1..=4).contains(&liberties) {
                self.mark(Plane::Liberties, 4 * side + liberties - 1, v);
            }
        }
    }

    fn add_moves(&mut self, board: &Board, to_move: Color) {
        if let Some((v, _)) = board.ko().filter(|&(_, color)| color == to_move) {
            self.mark(Plane::Ko, 0, v);
        }
        for v in board.vertices().filter(|&v| board.is_empty(v)) {
            if !board.is_legal(to_move, v) {
                self.mark(Plane::Forbidden, 0, v);
                continue;
            }
            let (liberties, takes) = board.after(to_move, v);
            if takes {
                self.mark(Plane::Takes, 0, v);
            }
            if (1..=3).contains(&liberties) {
                self.mark(Plane::After, liberties - 1, v);
            }
        }
    }

    fn add_safe(&mut self, board: &Board, to_move: Color) {
        for color in Color::BOTH {
            let side = usize::from(color != to_move);
            for v in safe(board, color) {
                self.mark(Plane::Safe, side, v);
            }
        }
    }

    fn add_ladders(&mut self, board: &mut Board, to_move: Color) {
        let strings: Vec<Vertex> =
            board.strings().filter(|&v| (1..=2).contains(&board.liberties(v))).collect();
        for prey in strings {
            let side = usize::from(board.color_at(prey) != Some(to_move));
            let is_in_atari = board.liberties(prey) == 1;
            let stones: Vec<Vertex> = board.stones(prey).collect();
            let mut ladders = Ladders::new(board);
            if is_in_atari {
                let escapes = ladders.escapes(prey);
                if escapes.is_empty() {
                    stones.iter().for_each(|&v| self.mark(Plane::Lost, side, v));
                } else if side == 0 {
                    escapes.iter().for_each(|&v| self.mark(Plane::Escape, 0, v));
                }
            } else {
                let attacks = ladders.attacks(prey);
                if !attacks.is_empty() {
                    stones.iter().for_each(|&v| self.mark(Plane::Ladder, side, v));
                    // An own prey is attacked by foe.
                    attacks.iter().for_each(|&v| self.mark(Plane::Attack, 1 - side, v));
                }
            }
        }
    }
}

/// The invincible strings of a colour and the regions they enclose in which the other can't live.
///
/// Source: D. B. Benson, "Life in the game of Go" (1976). A region counts when only invincible strings border it and
/// each of its empty vertices is a liberty of one.
fn safe(board: &Board, color: Color) -> Vec<Vertex> {
    let invincible = unconditional::invincible(board, color);
    if invincible.is_empty() {
        return Vec::new();
    }
    let is_invincible = board.marks(invincible.iter().copied());
    let mut seen = vec![false; board.padded_len()];
    let mut found = invincible;
    for start in board.vertices() {
        if seen[start.at()] || board.color_at(start) == Some(color) {
            continue;
        }
        seen[start.at()] = true;
        let (mut region, mut next, mut counts) = (vec![start], 0, true);
        while let Some(&v) = region.get(next) {
            next += 1;
            let mut touches = false;
            for n in board.neighbors4(v) {
                if board.color_at(n) == Some(color) {
                    counts &= is_invincible[n.at()];
                    touches |= is_invincible[n.at()];
                } else if !std::mem::replace(&mut seen[n.at()], true) {
                    region.push(n);
                }
            }
            counts &= touches || !board.is_empty(v);
        }
        if counts {
            found.extend(region);
        }
    }
    found
}
