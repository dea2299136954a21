//! The plan for drawing random moves after a joint move: which words of legal bits count for each role.
//!
//! # Steps
//! 1. The guards that hold after a move follow from the move. Groups of inputs whose guard does not hold are left out.
//! 2. If the legal proposition of a group with one input also follows from the move, it is known whether this input is
//!    legal. A role whose only move is known to be legal needs no draw.
//!
//! # Cost
//! One look at a list for each role. In games with turns the role that waits costs nothing more.

use super::formula::{Mask, Word};
use super::places::{NONE, Range};
use super::plan::Plan;
use rustc_hash::FxHashMap;

/// The most different turns that are kept. Own choice: games have a few.
const MOST_TURNS: usize = 1024;

/// How a role's move is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    /// The input if it is the only one that is legal, else [`NONE`].
    pub(super) only: u32,
    /// The first word of legal bits that counts.
    pub(super) part: Mask,
    /// The range of further ones.
    pub(super) more: Range,
    /// The range of groups to be computed first, by their number in the role.
    pub(super) marked: Range,
}

/// All turns that occurred.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// Of all roles of each turn.
    draws: Vec<Draw>,
    roles: usize,
    pub(super) parts: Vec<Mask>,
    pub(super) marked: Vec<u32>,
    /// By the groups of each role that count, and its only input.
    known: FxHashMap<Vec<(u32, Vec<u32>)>, u32>,
}

impl Turns {
    /// How the move of a role is drawn in a turn, if that is known.
    #[inline(always)]
    pub(super) fn draw(&self, turn: u32, role: usize) -> Option<Draw> {
        self.draws.get((turn as usize).wrapping_mul(self.roles).wrapping_add(role)).copied()
    }

    /// The turn with these guards, where some legal bits are known; [`NONE`] if there are too many.
    pub(super) fn turn(&mut self, plan: &Plan, open: u64, value: impl Fn(u32) -> Option<bool>) -> u32 {
        let mut key = Vec::new();
        for groups in &plan.groups {
            let (mut counting, mut certain) = (Vec::new(), Vec::new());
            for (n, group) in groups.iter().enumerate().filter(|(_, g)| open >> g.number & 1 == 1) {
                let one = group.mask.is_power_of_two() && !group.marked;
                let slot = group.first * Word::BITS + group.mask.trailing_zeros();
                match Some(slot).filter(|_| one).and_then(&value) {
                    Some(false) => continue,
                    Some(true) => certain.push(plan.input_of[slot as usize]),
                    None => {}
                }
                counting.push(n as u32);
            }
            let only = if counting.len() == 1 { certain.first().copied() } else { None };
            key.push((only.unwrap_or(NONE), counting));
        }
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if self.known.len() >= MOST_TURNS {
            return NONE;
        }
        for (role, (only, counting)) in key.iter().enumerate() {
            self.add(plan, role, *only, counting);
        }
        self.roles = key.len();
        let number = self.known.len() as u32;
        self.known.insert(key, number);
        number
    }

    fn add(&mut self, plan: &Plan, role: usize, only: u32, counting: &[u32]) {
        let groups = || counting.iter().map(|&n| (n, &plan.groups[role][n as usize]));
        let from = self.marked.len() as u32;
        self.marked.extend(groups().filter(|(_, group)| group.marked).map(|(n, _)| n));
        let marked = (from, self.marked.len() as u32);
        let first = plan.legal_words() as u32;
        let mut parts =
            groups().flat_map(|(_, g)| (g.first..g.end).map(move |w| Mask { word: first + w, bits: g.mask }));
        // A role without a move gets an empty part.
        let part = parts.next().unwrap_or(Mask { word: first, bits: 0 });
        let from = self.parts.len() as u32;
        self.parts.extend(parts);
        self.draws.push(Draw { only, part, more: (from, self.parts.len() as u32), marked });
    }
}
