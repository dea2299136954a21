//! Reads ladders. The result is the same for rotated or mirrored boards and for swapped colours.
//!
//! # Source
//! The ladder as in every Go textbook: the attacker keeps a string at two liberties or fewer until he captures it.
//!
//! # Notation
//! The *prey* is the string under attack. It has *escaped* when it has three liberties.
//!
//! # Steps
//! 1. To attack a prey with two liberties, play on one of them. The prey is in atari, and step 2 decides.
//! 2. To defend a prey in atari, extend it or take a neighbour in atari. The prey has escaped, or step 1 decides.
//!
//! # Departures
//! Each question reads all attacks and all defences, without pruning. So the number of positions is the same in each
//! turning of the board. A ladder that needs more positions than the limit does not work.
//!
//! # Cost
//! Two to four positions for each step of a ladder; most strings need fewer than ten in all.

use crate::board::{Board, Color, Vertex};

/// Positions of one ladder; a longer one counts as broken. Own choice: a ladder across 19x19 takes some 140.
const POSITIONS: u32 = 300;

/// Reads ladders on one board, which is the same after each question.
pub(super) struct Ladders<'a> {
    board: &'a mut Board,
    left: u32,
}

impl<'a> Ladders<'a> {
    pub(super) const fn new(board: &'a mut Board) -> Self {
        Self { board, left: POSITIONS }
    }

    /// The liberties of a prey with two of them by which its enemy, to move, takes it; in vertex order.
    pub(super) fn attacks(&mut self, prey: Vertex) -> Vec<Vertex> {
        self.working(prey, Self::liberties(self.board, prey), Self::attack)
    }

    /// The moves by which a prey in atari, to move, gets away; in vertex order.
    pub(super) fn escapes(&mut self, prey: Vertex) -> Vec<Vertex> {
        self.working(prey, Self::defences(self.board, prey), Self::defence)
    }

    /// Those moves that work within the limit.
    fn working(
        &mut self,
        prey: Vertex,
        mut moves: Vec<Vertex>,
        works: impl Fn(&mut Self, Vertex, Color, Vertex) -> bool,
    ) -> Vec<Vertex> {
        let Some(color) = self.board.color_at(prey) else { return Vec::new() };
        moves.retain(|&v| {
            self.left = POSITIONS;
            works(self, prey, color, v) && self.left > 0
        });
        moves
    }

    /// 1. Whether the attack at `v` takes the prey.
    fn attack(&mut self, prey: Vertex, color: Color, v: Vertex) -> bool {
        if self.left == 0 || self.board.play(color.other(), v).is_err() {
            return false;
        }
        self.left -= 1;
        let mut runs = self.board.liberties(prey) > 1;
        if !runs {
            for defence in Self::defences(self.board, prey) {
                runs |= self.defence(prey, color, defence);
            }
        }
        self.board.undo();
        !runs
    }

    /// 2. Whether the defence at `v` saves the prey.
    fn defence(&mut self, prey: Vertex, color: Color, v: Vertex) -> bool {
        if self.left == 0 || self.board.play(color, v).is_err() {
            return false;
        }
        self.left -= 1;
        let liberties = self.board.liberties(prey);
        let mut taken = liberties < 2;
        if liberties == 2 {
            for attack in Self::liberties(self.board, prey) {
                taken |= self.attack(prey, color, attack);
            }
        }
        self.board.undo();
        !taken
    }

    fn liberties(board: &Board, prey: Vertex) -> Vec<Vertex> {
        board.liberty_vertices(prey).collect()
    }

    /// The liberty of a prey in atari, and those of its neighbours in atari; in vertex order.
    fn defences(board: &Board, prey: Vertex) -> Vec<Vertex> {
        let mut moves = Self::liberties(board, prey);
        board.each_adjacent(prey, |foe| {
            if board.liberties(foe) == 1 {
                moves.extend(board.liberty_vertices(foe));
            }
        });
        moves.sort_unstable();
        moves.dedup();
        moves
    }
}
