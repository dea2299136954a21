//! Ladders on a plain copy of the stones.
//!
//! # Source
//! The game's own rules: a string whose every extension leaves two liberties, one of which is an atari again.
//!
//! # Notation
//! The *prey* is the string chased, the *hunter* its enemy. Colours are codes: 1 black, 2 white, 0 empty, 3 wall.
//!
//! # Steps
//! 1. The hunter fills one of two liberties.
//! 2. The prey, in atari, runs or takes a hunter's string in atari next to it; with three liberties it is out.
//! 3. With two the hunter goes on; a position costs one node of the budget, and a budget spent is an escape.
//!
//! # Departures
//! No ko: taking back at once is allowed to both.
//!
//! # Cost
//! A node copies 448 bytes and floods the prey; a ladder over the whole board takes some 70.

use super::super::board::{Bits, CELLS, EMPTY, PlayoutBoard, WALL, cell};
use crate::board::Few;

/// Positions of one question.
const NODES: u32 = 120;

/// The stones alone.
#[derive(Clone, Copy)]
pub(crate) struct Stones {
    color: [u8; CELLS],
    stride: usize,
}

/// What there is to know of a string: its liberties up to three and the enemy cells around it.
#[derive(Default)]
struct Look {
    liberties: Few<usize, 3>,
    enemies: Few<u16, 48>,
}

impl From<&PlayoutBoard> for Stones {
    fn from(board: &PlayoutBoard) -> Self {
        Self { color: board.color, stride: board.size() + 1 }
    }
}

impl Stones {
    fn neighbours(&self, v: usize) -> [usize; 4] {
        [v - 1, v - self.stride, v + 1, v + self.stride]
    }

    fn look(&self, start: usize) -> Look {
        let own = self.color[start];
        let (mut marks, mut stack, mut top) = (Bits::EMPTY, [0u16; CELLS], 1);
        let mut look = Look::default();
        stack[0] = start as u16;
        marks.insert(cell(start));
        while top > 0 {
            top -= 1;
            for n in self.neighbours(stack[top] as usize) {
                if self.color[n] == WALL || marks.holds(cell(n)) {
                    continue;
                }
                marks.insert(cell(n));
                if self.color[n] == EMPTY {
                    look.liberties.push(n);
                } else if self.color[n] == own {
                    stack[top] = n as u16;
                    top += 1;
                } else {
                    look.enemies.push(n as u16);
                }
            }
        }
        look
    }

    /// Plays; `false` is a suicide.
    fn play(&mut self, v: usize, color: u8) -> bool {
        self.color[v] = color;
        for n in self.neighbours(v) {
            if self.color[n] == 3 - color && self.look(n).liberties.is_empty() {
                self.remove(n);
            }
        }
        !self.look(v).liberties.is_empty()
    }

    fn remove(&mut self, start: usize) {
        let own = self.color[start];
        let (mut stack, mut top) = ([0u16; CELLS], 1);
        stack[0] = start as u16;
        self.color[start] = EMPTY;
        while top > 0 {
            top -= 1;
            for n in self.neighbours(stack[top] as usize) {
                if self.color[n] == own {
                    self.color[n] = EMPTY;
                    stack[top] = n as u16;
                    top += 1;
                }
            }
        }
    }

    /// Whether the hunter's move at `at`, a liberty of the prey on `prey`, catches it in a ladder.
    pub(crate) fn catches(&self, prey: usize, at: usize) -> bool {
        self.hunt(prey, at, &mut { NODES })
    }

    /// Whether the prey on `prey`, in atari, gets away if it moves now.
    pub(crate) fn escapes(&self, prey: usize) -> bool {
        self.flee(prey, &mut { NODES })
    }

    /// 1.
    pub(super) fn hunt(&self, prey: usize, at: usize, budget: &mut u32) -> bool {
        let mut next = *self;
        next.play(at, 3 - self.color[prey]) && !next.flee(prey, budget)
    }

    /// 2.
    pub(super) fn flee(&self, prey: usize, budget: &mut u32) -> bool {
        if *budget == 0 {
            return true;
        }
        *budget -= 1;
        let own = self.color[prey];
        let look = self.look(prey);
        if look.liberties.len() > 1 {
            return true;
        }
        let mut ways: Few<usize, 8> = Few::default();
        for &enemy in look.enemies.iter() {
            if let [only] = self.look(enemy as usize).liberties[..]
                && ways.len() < 7
            {
                ways.push_once(only);
            }
        }
        ways.push_once(look.liberties[0]);
        ways.iter().any(|&way| {
            let mut next = *self;
            if !next.play(way, own) {
                return false;
            }
            let after = next.look(prey).liberties;
            after.len() > 2 || (after.len() == 2 && !next.caught(prey, [after[0], after[1]], budget))
        })
    }

    /// 3.
    fn caught(&self, prey: usize, [a, b]: [usize; 2], budget: &mut u32) -> bool {
        let open = |v: usize| self.neighbours(v).into_iter().filter(|&n| self.color[n] == EMPTY).count();
        let order = if open(a) >= open(b) { [a, b] } else { [b, a] };
        order.into_iter().any(|at| self.hunt(prey, at, budget))
    }
}
