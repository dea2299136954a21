//! Depth-first proof-number search (Nagai 2002) over all moves of a region, to the end of the game.
//!
//! # Steps
//! The prover must reach at least a given area, and the opponent moves first. The search tries all moves, including
//! passes. Vertices that are certain for a side (`Region::sure`) may decide early. Two passes in a row end the game. A
//! line that repeats one of its positions counts against the prover.
//!
//! # Cost
//! A search visits between a few and several hundred thousand positions, at one to two microseconds each.

use super::region::{Position, Region};
use std::collections::{HashMap, HashSet};

/// The most positions of one question.
const MOST: usize = 1_000_000;
/// The number of what can't be (dis)proved.
const NEVER: u32 = u32::MAX / 4;

/// One question.
pub(crate) struct Proof<'a> {
    region: &'a Region,
    prover: usize,
    /// The prover's area less his opponent's.
    goal: i32,
    free: Option<usize>,
    /// Proof and disproof number by position.
    known: HashMap<Position, (u32, u32)>,
    line: HashSet<Position>,
    pub(crate) positions: usize,
}

impl<'a> Proof<'a> {
    /// Whether `prover` gets the goal or more although the other side moves first; with `threats` that side may take back every
    /// ko at once. `None` if it takes too many positions.
    pub(crate) fn holds(
        region: &'a Region,
        start: Position,
        prover: usize,
        goal: i32,
        threats: bool,
    ) -> (Option<bool>, usize) {
        let free = threats.then_some(1 - prover);
        let mut proof =
            Self { region, prover, goal, free, known: HashMap::new(), line: HashSet::new(), positions: 0 };
        let start = Position { to_move: 1 - prover, ..start };
        let (proved, disproved) = proof.search(start, NEVER, NEVER);
        let answer = if proved == 0 { Some(true) } else { (disproved == 0).then_some(false) };
        (answer, proof.positions)
    }

    /// The numbers of a position that nothing was searched under.
    fn first(&mut self, position: &Position) -> (u32, u32) {
        if self.line.contains(position) {
            return (NEVER, 0);
        }
        if let Some(&numbers) = self.known.get(position) {
            return numbers;
        }
        self.positions += 1;
        let size = self.region.len();
        let sign = if self.prover == 0 { 1 } else { -1 };
        let sure = |color| self.region.sure(position, color, color == self.prover).count_ones() as i32;
        let numbers = if position.passes == 2 {
            let reached = sign * self.region.area(position.stones) >= self.goal;
            if reached { (0, NEVER) } else { (NEVER, 0) }
        } else if 2 * sure(self.prover) - size >= self.goal {
            (0, NEVER)
        } else if size - 2 * sure(1 - self.prover) < self.goal {
            (NEVER, 0)
        } else {
            (1, 1)
        };
        self.known.insert(*position, numbers);
        numbers
    }

    fn search(&mut self, position: Position, most_proof: u32, most_disproof: u32) -> (u32, u32) {
        let numbers = self.first(&position);
        if numbers.0 == 0 || numbers.1 == 0 {
            return numbers;
        }
        let moves = self.region.moves(&position, self.free);
        let mine = position.to_move == self.prover;
        self.line.insert(position);
        let found = loop {
            // Of the player to move: the least of one number, the sum of the other.
            let numbers: Vec<(u32, u32)> = moves.iter().map(|m| self.first(m)).collect();
            let own = |&(p, d): &(u32, u32)| if mine { (p, d) } else { (d, p) };
            let sum = numbers.iter().map(|n| own(n).1).fold(0, |a: u32, b| (a + b).min(NEVER));
            let best = (0..moves.len()).min_by_key(|&i| own(&numbers[i]).0).expect("a pass is a move");
            let least = own(&numbers[best]).0;
            let (most_least, most_sum) =
                if mine { (most_proof, most_disproof) } else { (most_disproof, most_proof) };
            let sum = if least == 0 { NEVER } else { sum };
            if least >= most_least || sum >= most_sum || least == 0 || sum == 0 || self.positions > MOST {
                break if mine { (least, sum) } else { (sum, least) };
            }
            let second =
                (0..moves.len()).filter(|&i| i != best).map(|i| own(&numbers[i]).0).min().unwrap_or(NEVER);
            let child_least = most_least.min(second.saturating_add(1 + second / 4)).min(NEVER);
            let child_sum = most_sum.saturating_sub(sum).saturating_add(own(&numbers[best]).1).min(NEVER);
            let (p, d) = if mine { (child_least, child_sum) } else { (child_sum, child_least) };
            self.search(moves[best], p, d);
        };
        self.line.remove(&position);
        self.known.insert(position, found);
        found
    }
}
