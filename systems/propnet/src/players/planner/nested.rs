//! Nested rollouts: random lines that learn from the best line. They suit puzzles whose goal rises in steps.
//!
//! # Source
//! C. Rosin, "Nested rollout policy adaptation for Monte Carlo tree search" (2011).
//!
//! # Notation
//! The *policy* has a weight for each move. A line of level 0 draws each move with a probability proportional to the
//! exponential of its weight.
//!
//! # Steps
//! 1. A line of level n is the best of [`LINES`] lines of level n - 1. After each the policy of the level moves towards
//!    the best line so far.
//! 2. A line ends where the game does. Lines are compared by the goal, and then by the degree to which the target
//!    holds.
//! 3. Each line of the highest level starts with equal weights.

use super::degree::Degree;
use super::view::View;
use super::{Found, Plan};
use crate::net::Bases;
use tengen_core::SplitMix64;

/// Lines of each level in one of the level above.
///
/// Origin: own choice, unmeasured.
const LINES: usize = 40;
/// Levels above the single line.
///
/// Origin: own choice, unmeasured.
const LEVELS: usize = 3;
/// How far the policy moves towards the best line.
///
/// Origin: own choice, unmeasured.
const STEP: f32 = 1.0;
/// The longest line.
///
/// Origin: own choice, unmeasured.
const MAX_LENGTH: usize = 1_000;

/// The worth of a target that holds: less than any step of the goal.
///
/// Origin: definition, less than 1.
const TARGET: f64 = 0.99;

struct Level {
    weights: Vec<f32>,
    best: Line,
    done: usize,
}

#[derive(Clone, Default)]
struct Line {
    worth: f64,
    moves: Plan,
    /// The legal moves at each of its states.
    legal: Vec<Vec<u32>>,
}

/// A search from one state.
pub(super) struct Nested {
    start: Bases,
    degree: Degree,
    /// From the highest level down.
    levels: Vec<Level>,
    random: SplitMix64,
    best: f64,
}

impl Nested {
    pub(super) fn new(view: &View, start: &Bases, seed: u64) -> Self {
        let inputs = view.topology.net.inputs();
        let level = || Level { weights: vec![0.0; inputs], best: Line::none(), done: 0 };
        Self {
            start: start.clone(),
            degree: Degree::new(view),
            levels: (0..LEVELS).map(|_| level()).collect(),
            random: SplitMix64::new(seed),
            best: f64::NEG_INFINITY,
        }
    }

    /// Begins anew from another state.
    pub(super) fn restart(&mut self, start: &Bases) {
        self.start.clone_from(start);
        self.best = f64::NEG_INFINITY;
        for level in &mut self.levels {
            level.weights.fill(0.0);
            level.best = Line::none();
            level.done = 0;
        }
    }

    /// Plays up to `count` lines. Tells the best end that is better than all before.
    pub(super) fn run(&mut self, view: &mut View, count: usize) -> Option<Found> {
        let mut found = None;
        for _ in 0..count {
            let (line, goal) = self.line(view);
            if let Some(goal) = goal
                && goal > self.best
            {
                self.best = goal;
                found = Some(Found { goal, plan: line.moves.clone() });
                if goal >= view.best_value {
                    break;
                }
            }
            self.learn(line);
        }
        found
    }

    /// Step 1 from the lowest level up.
    fn learn(&mut self, line: Line) {
        let mut from = line;
        for at in (0..self.levels.len()).rev() {
            let level = &mut self.levels[at];
            if from.worth >= level.best.worth {
                level.best = from;
            }
            let best = &level.best;
            adapt(&mut level.weights, best);
            level.done += 1;
            if level.done < LINES {
                return;
            }
            level.done = 0;
            from = std::mem::replace(&mut level.best, Line::none());
            let above = at.checked_sub(1).map(|a| self.levels[a].weights.clone());
            // The levels below begin with the policy of the level above once that has learnt.
            match above {
                Some(weights) => self.levels[at].weights = weights,
                None => self.levels[at].weights.fill(0.0),
            }
        }
        for at in 1..self.levels.len() {
            self.levels[at].weights.fill(0.0);
        }
    }

    /// One line by the lowest policy; its goal if it came to an end.
    fn line(&mut self, view: &mut View) -> (Line, Option<f64>) {
        let weights = &self.levels[LEVELS - 1].weights;
        let mut line = Line::none();
        let mut shares: Vec<f32> = Vec::new();
        view.propagator.enter(&self.start);
        let mut goal = None;
        for _ in 0..MAX_LENGTH {
            if view.propagator.terminal() {
                goal = Some(view.goal());
                break;
            }
            let mut legal = view.propagator.legal(0).to_vec();
            if legal.is_empty() {
                break;
            }
            legal.sort_unstable();
            shares.clear();
            shares.extend(legal.iter().map(|&m| weights[m as usize].exp()));
            let sum: f32 = shares.iter().sum();
            let mut left = sum * (self.random.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
            let mut chosen = legal.len() - 1;
            for (n, &share) in shares.iter().enumerate() {
                left -= share;
                if left < 0.0 {
                    chosen = n;
                    break;
                }
            }
            line.moves.push(legal[chosen]);
            view.propagator.advance(&[legal[chosen]]);
            line.legal.push(legal);
        }
        let degree = self.degree.of(view, view.propagator.state());
        line.worth = goal.unwrap_or(0.0) + TARGET * f64::from(degree);
        (line, goal)
    }
}

impl Line {
    fn none() -> Self {
        Self { worth: f64::NEG_INFINITY, ..Self::default() }
    }
}

/// Moves the policy towards a line.
fn adapt(weights: &mut [f32], line: &Line) {
    let before: Vec<Vec<f32>> =
        line.legal.iter().map(|legal| legal.iter().map(|&m| weights[m as usize].exp()).collect()).collect();
    for ((legal, shares), &made) in line.legal.iter().zip(&before).zip(&line.moves) {
        let sum: f32 = shares.iter().sum();
        weights[made as usize] += STEP;
        for (&m, share) in legal.iter().zip(shares) {
            weights[m as usize] -= STEP * share / sum;
        }
    }
}
