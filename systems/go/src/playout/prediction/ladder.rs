//! Reads ladders on a plain copy of the stones.
//!
//! # Source
//! The rules of the game: in a ladder every extension of a string leaves two liberties, one of which is an atari again.
//!
//! # Notation
//! The *prey* is the string that is chased, and the *hunter* is its enemy. Colours are codes: 1 black, 2 white, 0
//! empty, 3 wall.
//!
//! # Steps
//! 1. The hunter fills one of two liberties.
//! 2. The prey is in atari. It runs, or takes a hunter's string in atari next to it. With three liberties it has
//!    escaped.
//! 3. With two liberties the hunter goes on. A position costs one node of the budget. When the budget is spent, the
//!    prey counts as escaped.
//!
//! A prey that runs without joining or taking anything has the empty neighbours of its last stone for liberties. Only
//! strings that were in atari before, or that the last two moves touch, can be in atari next to it. So the liberties of
//! the prey are counted again by flood fill only after other moves.
//!
//! # Departures
//! There is no ko rule: both sides may take back at once.
//!
//! # Cost
//! A node copies 448 bytes; a ladder across the whole board takes about 70 nodes.

use super::super::board::{Bits, CELLS, EMPTY, PlayoutBoard, WALL, cell};
use crate::board::SmallList;

/// Stones of the hunter's.
type Suspects = SmallList<u16, 48>;

/// The stones alone.
#[derive(Clone, Copy)]
pub(crate) struct Stones {
    color: [u8; CELLS],
    stride: usize,
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

    /// The liberties of the string on `start`, up to `most` (3 at most); the looking ends there.
    fn liberties(&self, start: usize, most: usize) -> SmallList<usize, 3> {
        let mut liberties = SmallList::default();
        self.flood(start, |n, color| {
            if color == EMPTY {
                liberties.push(n);
            }
            liberties.len() < most
        });
        liberties
    }

    fn has_liberty(&self, v: usize) -> bool {
        self.open(v) > 0 || !self.liberties(v, 1).is_empty()
    }

    /// The number of empty cells next to this one.
    fn open(&self, v: usize) -> usize {
        self.neighbours(v).into_iter().filter(|&n| self.color[n] == EMPTY).count()
    }

    /// Calls `seen` with each cell next to the string on `start` and its colour, as long as it wants more.
    fn flood(&self, start: usize, mut seen: impl FnMut(usize, u8) -> bool) {
        let own = self.color[start];
        let (mut marks, mut stack, mut top) = (Bits::EMPTY, [0u16; CELLS], 1);
        stack[0] = start as u16;
        marks.insert(cell(start));
        while top > 0 {
            top -= 1;
            for n in self.neighbours(stack[top] as usize) {
                let color = self.color[n];
                if color == WALL || marks.holds(cell(n)) {
                    continue;
                }
                marks.insert(cell(n));
                if color == own {
                    stack[top] = n as u16;
                    top += 1;
                } else if !seen(n, color) {
                    return;
                }
            }
        }
    }

    /// Plays; whether something was taken, or `None` for a suicide.
    fn play(&mut self, v: usize, color: u8) -> Option<bool> {
        self.color[v] = color;
        let mut takes = false;
        for n in self.neighbours(v) {
            if self.color[n] == 3 - color && !self.has_liberty(n) {
                self.remove(n);
                takes = true;
            }
        }
        (takes || self.has_liberty(v)).then_some(takes)
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

    /// 1. Whether the hunter's move at `at`, a liberty of the prey on `prey`, catches it in a ladder.
    pub(super) fn hunt(&self, prey: usize, at: usize, budget: &mut u32) -> bool {
        let mut next = *self;
        next.play(at, 3 - self.color[prey]).is_some() && !next.flee(prey, budget)
    }

    /// 2. Whether the prey on `prey`, in atari, gets away if it moves now.
    pub(super) fn flee(&self, prey: usize, budget: &mut u32) -> bool {
        match self.liberties(prey, 2)[..] {
            [run] => self.flee_by(prey, run, &self.enemies(prey), budget),
            _ => true,
        }
    }

    /// The enemy's stones next to the string on `prey`.
    fn enemies(&self, prey: usize) -> Suspects {
        let mut enemies = Suspects::default();
        self.flood(prey, |n, color| {
            if color != EMPTY {
                enemies.push(n as u16);
            }
            true
        });
        enemies
    }

    /// 2. Its only liberty is `run`, and of the hunter's strings next to it only these can be in atari.
    fn flee_by(&self, prey: usize, run: usize, suspects: &Suspects, budget: &mut u32) -> bool {
        if *budget == 0 {
            return true;
        }
        *budget -= 1;
        let own = self.color[prey];
        let (mut ways, mut in_atari): (SmallList<usize, 8>, Suspects) = Default::default();
        for &enemy in suspects.iter().filter(|&&enemy| self.color[enemy as usize] == 3 - own) {
            if self.open(enemy as usize) < 2
                && let [only] = self.liberties(enemy as usize, 2)[..]
                && ways.len() < 7
            {
                ways.push_once(only);
                in_atari.push(enemy);
            }
        }
        ways.push_once(run);
        ways.iter().any(|&way| {
            let mut next = *self;
            let Some(takes) = next.play(way, own) else { return false };
            let beside = next.neighbours(way).map(|n| (n, next.color[n]));
            let is_plain =
                way == run && !takes && beside.iter().filter(|(_, color)| *color == own).count() == 1;
            let (liberties, suspects) = if is_plain {
                let (mut open, mut suspects): (SmallList<usize, 3>, Suspects) =
                    (SmallList::default(), in_atari);
                for (n, color) in beside {
                    match color {
                        EMPTY => open.push(n),
                        color if color == 3 - own => suspects.push(n as u16),
                        _ => {}
                    }
                }
                (open, suspects)
            } else {
                (next.liberties(prey, 3), next.enemies(prey))
            };
            match liberties[..] {
                [a, b] => !next.caught(prey, [a, b], &suspects, budget),
                [_, _, ..] => true,
                _ => false,
            }
        })
    }

    /// 3.
    fn caught(&self, prey: usize, [a, b]: [usize; 2], suspects: &Suspects, budget: &mut u32) -> bool {
        let order = if self.open(a) >= self.open(b) { [[a, b], [b, a]] } else { [[b, a], [a, b]] };
        order.into_iter().any(|[at, run]| {
            let (mut next, mut suspects) = (*self, *suspects);
            suspects.push(at as u16);
            next.play(at, 3 - self.color[prey]).is_some() && !next.flee_by(prey, run, &suspects, budget)
        })
    }
}
