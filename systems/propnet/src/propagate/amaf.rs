//! Records which moves were made in each lane of a batch, and how its games ended, for "all moves as first" values.
//!
//! # Source
//! B. Brügmann, "Monte Carlo Go" (1993), for the count of all moves of a game as if they had been the first.
//!
//! # Steps
//! 1. In each step, keep the chosen inputs of the lanes that go on.
//! 2. When goals are evaluated, keep the lanes of each goal value.
//! 3. At the end, count the lanes of each input by goal value.
//!
//! # Cost
//! One operation for each input and step, and one count for each input, goal value and word at the end.

use super::block::{Block, Blocks};
use crate::net::Net;

/// For each input of a net: in how many games of a state it was made, and the sum of its role's goals in them.
pub type MoveSums = Vec<[f32; 2]>;

/// The record of one batch.
pub(super) struct Followed<const W: usize> {
    /// Per input the lanes in which it was made.
    made: Blocks<W>,
    first_input: usize,
    /// Per role and goal value the lanes that ended with it.
    ended: Vec<Vec<Block<W>>>,
    /// The first input of each role, and the end.
    role_start: Vec<usize>,
}

impl<const W: usize> Followed<W> {
    pub(super) fn new(net: &Net) -> Self {
        Self {
            made: Blocks::new(net.inputs()),
            first_input: net.input_node(0),
            ended: net.names.goal_values.iter().map(|values| vec![[0; W]; values.len()]).collect(),
            role_start: net.names.role_start.clone(),
        }
    }

    /// Forgets the last batch.
    pub(super) fn clear(&mut self) {
        self.made.get().fill([0; W]);
        self.ended.iter_mut().flatten().for_each(|lanes| *lanes = [0; W]);
    }

    /// Step 1: the inputs among `values`, in the lanes that go on.
    #[inline(always)]
    pub(super) fn note_moves(&mut self, values: &[Block<W>], going: &Block<W>) {
        let made = self.made.get();
        let inputs = &values[self.first_input..self.first_input + made.len()];
        for (made, input) in made.iter_mut().zip(inputs) {
            (0..W).for_each(|w| made[w] |= input[w] & going[w]);
        }
    }

    /// Step 2.
    pub(super) fn note_ends(&mut self, role: usize, value: usize, lanes: &Block<W>) {
        let ended = &mut self.ended[role][value];
        (0..W).for_each(|w| ended[w] |= lanes[w]);
    }

    /// Step 3, for each of the first `states` words.
    pub(super) fn sums(&mut self, goal_numbers: &[Vec<u64>], states: usize) -> Vec<MoveSums> {
        let made = self.made.get();
        let mut sums = vec![vec![[0.0; 2]; made.len()]; states];
        for (role, ended) in self.ended.iter().enumerate() {
            for input in self.role_start[role]..self.role_start[role + 1] {
                for (w, sums) in sums.iter_mut().enumerate() {
                    let lanes = made[input][w];
                    if lanes == 0 {
                        continue;
                    }
                    for (ended, &goal) in ended.iter().zip(&goal_numbers[role]) {
                        let count = (lanes & ended[w]).count_ones() as f32;
                        sums[input][0] += count;
                        sums[input][1] += count * goal as f32;
                    }
                }
            }
        }
        sums
    }
}
