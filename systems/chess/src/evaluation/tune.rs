//! Texel-style tuning: finds the weights with which the evaluation best predicts game results.
//!
//! # Source
//! Peter Osterlund's *Texel tuning method* (2014): logistic regression of game results on the evaluation. The descent
//! is Adam: Kingma and Ba, *Adam* (2015).
//!
//! # Steps
//! 1. Each position becomes its counted features. Play uses the same function ([`super::terms::count`]).
//! 2. The target mixes the game's result with the expected score of a search's value.
//! 3. Full-batch Adam minimises the squared error. A pull towards the starting weights keeps the weights of rare
//!    features in place. The starting weights count as an estimate with an error of about 15 centipawns. Ten positions
//!    of a game count as one. So the pull becomes weaker with more games.
//!
//! # Departures
//! The endgame scale factor is taken from the starting weights. If there are few games, mixing in search values halves
//! the noise.

use super::incremental::{Placed, phase_of};
use super::terms::{Sink, count};
use super::weights::{Weights, feature, pack, packed_eg, packed_mg};
use super::{FULL, PHASE_MAX, blend};
use cozy_chess::{Board, Color, Piece};

/// Centipawns to expected score: `1 / (1 + 10^(-v / SCALE))`.
///
/// Origin: own choice, unmeasured.
const SCALE: f64 = 320.0;

/// The first step of the descent, in centipawns.
///
/// Origin: own choice, unmeasured.
const RATE: f64 = 1.5;
/// The part of the step that is gone in the last epoch.
///
/// Origin: own choice, unmeasured.
const RATE_LOSS: f64 = 0.9;
/// The variance of a game's result.
///
/// Origin: own choice, unmeasured.
const VARIANCE: f64 = 0.09;
/// The positions of a game that count as one.
///
/// Origin: own choice, unmeasured.
const ALIKE: f64 = 10.0;
/// The error of the starting weights, in centipawns.
///
/// Origin: own choice, unmeasured.
const START_ERROR: f64 = 15.0;
/// The decay of the mean of gradients, and of that of their squares.
///
/// Origin: source, D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization" (2015), Algorithm 1.
const DECAY: [f64; 2] = [0.9, 0.999];
/// The weights of a new gradient and of its square.
///
/// Origin: definition, what the decays leave.
const NEW: [f64; 2] = [0.1, 0.001];
/// Keeps the step finite.
///
/// Origin: own choice, unmeasured.
const LEAST_ROOT: f64 = 1e-9;

/// One position to learn from.
#[derive(Clone, Debug)]
pub struct Sample {
    features: Vec<(u16, i16)>,
    /// Share of the middlegame, 0 to 1.
    middle: f32,
    /// Endgame scale, 0 to 1.
    scale: f32,
    /// Expected score of White.
    target: f32,
}

/// Collects counts.
struct Counts(Vec<i16>);

impl Sink for Counts {
    fn add(&mut self, feature: usize, count: i32) {
        self.0[feature] += count as i16;
    }
}

/// The expected score of a value in centipawns.
#[must_use]
pub fn expected(value: f64) -> f64 {
    1.0 / (1.0 + (-value / SCALE * std::f64::consts::LN_10).exp())
}

impl Sample {
    /// Steps 1 and 2. `result` is White's (1, 0.5, 0). `value` is a search's, White's view. `mix` is the share of the
    /// result.
    #[must_use]
    pub fn new(board: &Board, weights: &Weights, result: f64, value: i32, mix: f64) -> Self {
        let mut counts = Counts(vec![0; feature::COUNT]);
        let mut phase = 0;
        for color in Color::ALL {
            let (flip, sign) = if color == Color::White { (0, 1) } else { (56, -1) };
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    counts.add(feature::SQUARE + piece as usize * 64 + (square as usize ^ flip), sign);
                    phase += phase_of(piece);
                }
            }
        }
        count(board, &mut counts);
        counts.add(feature::TEMPO, if board.side_to_move() == Color::White { 1 } else { -1 });
        let placed = Placed::new(board, weights);
        let mut sum = super::terms::Sum { weights, total: placed.sum() };
        count(board, &mut sum);
        let scale = super::scale(board, packed_eg(sum.total));
        debug_assert!(blend(board, phase, sum.total).abs() < 30_000);
        let features = (0u16..).zip(counts.0).filter(|(_, n)| *n != 0).collect();
        let target = mix * result + (1.0 - mix) * expected(f64::from(value));
        Self {
            features,
            middle: phase.min(PHASE_MAX) as f32 / PHASE_MAX as f32,
            scale: scale as f32 / FULL as f32,
            target: target as f32,
        }
    }

    fn value(&self, weights: &[[f64; 2]]) -> f64 {
        let (middle, end) = self.shares();
        self.features
            .iter()
            .map(|&(index, n)| {
                let [mg, eg] = weights[usize::from(index)];
                f64::from(n) * (mg * middle + eg * end)
            })
            .sum()
    }

    fn shares(&self) -> (f64, f64) {
        (f64::from(self.middle), f64::from((1.0 - self.middle) * self.scale))
    }
}

/// Mean squared error of weights on samples.
#[must_use]
pub fn error(samples: &[Sample], weights: &Weights) -> f64 {
    let weights = unpacked(weights);
    let sum: f64 = samples.iter().map(|s| (expected(s.value(&weights)) - f64::from(s.target)).powi(2)).sum();
    sum / samples.len().max(1) as f64
}

fn unpacked(weights: &Weights) -> Vec<[f64; 2]> {
    weights.pairs().iter().map(|&p| [f64::from(packed_mg(p)), f64::from(packed_eg(p))]).collect()
}

/// Step 3: `epochs` steps of Adam from `start`. `progress` gets the epoch and the error before it.
#[must_use]
pub fn tune(samples: &[Sample], start: &Weights, epochs: u32, mut progress: impl FnMut(u32, f64)) -> Weights {
    // Twice the variance of a result, times the positions alike, over the square of the guess's error, per sample.
    let pull = 2.0 * VARIANCE * ALIKE / (START_ERROR * START_ERROR) / samples.len().max(1) as f64;
    let origin = unpacked(start);
    let mut weights = origin.clone();
    let (mut first, mut second) = (vec![[0.0; 2]; weights.len()], vec![[0.0; 2]; weights.len()]);
    for epoch in 1..=epochs {
        let (gradient, error) = gradient(samples, &weights);
        progress(epoch, error);
        let (fade1, fade2) = (1.0 - DECAY[0].powi(epoch as i32), 1.0 - DECAY[1].powi(epoch as i32));
        let rate = RATE * (1.0 - RATE_LOSS * f64::from(epoch) / f64::from(epochs));
        for index in 0..weights.len() {
            for half in 0..2 {
                let g = gradient[index][half] + pull * (weights[index][half] - origin[index][half]);
                first[index][half] = DECAY[0] * first[index][half] + NEW[0] * g;
                second[index][half] = DECAY[1] * second[index][half] + NEW[1] * g * g;
                let step = first[index][half] / fade1 / ((second[index][half] / fade2).sqrt() + LEAST_ROOT);
                weights[index][half] -= rate * step;
            }
        }
    }
    Weights::new(weights.iter().map(|[mg, eg]| pack(mg.round() as i32, eg.round() as i32)).collect())
}

/// The gradient of the mean squared error, and the error.
fn gradient(samples: &[Sample], weights: &[[f64; 2]]) -> (Vec<[f64; 2]>, f64) {
    let mut sum = vec![[0.0; 2]; weights.len()];
    let mut error = 0.0;
    let n = samples.len().max(1) as f64;
    for sample in samples {
        let p = expected(sample.value(weights));
        let difference = p - f64::from(sample.target);
        error += difference * difference / n;
        let slope = 2.0 * difference * p * (1.0 - p) * std::f64::consts::LN_10 / SCALE / n;
        let (middle, end) = sample.shares();
        for &(index, count) in &sample.features {
            let cell = &mut sum[usize::from(index)];
            cell[0] += slope * f64::from(count) * middle;
            cell[1] += slope * f64::from(count) * end;
        }
    }
    (sum, error)
}
