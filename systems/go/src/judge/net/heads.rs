//! Computes the net's answers from its last layer. It uses floating point in a fixed order, on sums of integers.
//!
//! # Notation
//! Sums over turnings and over the board are sums of integers, so no order of vertices can change them. Owners are
//! rounded to `OWNER_STEPS` before they are added up for the lead, likelihoods to `SHARE_STEPS`.

use super::conv::Shape;
use super::{Net, TURNINGS, Verdict};

/// Steps of an owner from nobody's to own.
const OWNER_STEPS: f32 = 1_048_576.0;
/// Steps of the likelihood of the most likely move.
const SHARE_STEPS: f64 = 1_099_511_627_776.0;
/// The least spread of leads, and the unit of the net's addition to it, in points. The training has the same.
const LEAST_SPREAD: f32 = 0.5;
/// The size of boards at which the second mean of `Pooled` is 0, and its unit. The training has the same.
const MIDDLE_SIZE: f32 = 14.0;
const SIZE_UNIT: f32 = 10.0;

/// A layer from numbers to numbers.
#[derive(Debug)]
pub(super) struct Linear {
    /// `[output][input]`.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Linear {
    pub(super) const fn weights(&self) -> usize {
        self.weights.len() + self.bias.len()
    }

    /// The outputs; products are added up in the order of the inputs.
    pub(super) fn run(&self, inputs: &[f32]) -> Vec<f32> {
        let rows = self.weights.chunks_exact(inputs.len().max(1));
        let sum = |row: &[f32], bias: f32| row.iter().zip(inputs).fold(bias, |sum, (w, x)| sum + w * x);
        rows.zip(&self.bias).map(|(row, &bias)| sum(row, bias)).collect()
    }
}

/// Mean and maximum of each field over board and turnings.
pub(super) struct Pooled {
    means: Vec<f32>,
    most: Vec<f32>,
    by_size: f32,
}

impl Pooled {
    pub(super) fn of(activations: &[i16], shape: Shape, channels: usize, scale: f32) -> Self {
        let fields = channels / TURNINGS;
        let (mut sums, mut most) = (vec![0i64; fields], vec![0i16; fields]);
        for cell in shape.vertices() {
            let fields = activations[cell * channels..][..channels].as_chunks::<TURNINGS>().0;
            for ((sum, most), turnings) in sums.iter_mut().zip(&mut most).zip(fields) {
                for &x in turnings {
                    *sum += i64::from(x);
                    *most = (*most).max(x);
                }
            }
        }
        let all = (TURNINGS * shape.size * shape.size) as f64;
        let mean = |sum: i64| (sum as f64 / all * f64::from(scale)) as f32;
        Self {
            means: sums.into_iter().map(mean).collect(),
            most: most.into_iter().map(|x| f32::from(x) * scale).collect(),
            by_size: (shape.size as f32 - MIDDLE_SIZE) / SIZE_UNIT,
        }
    }

    /// Means, means by the size of the board, maxima.
    pub(super) fn values(&self) -> Vec<f32> {
        let by_size = self.means.iter().map(|mean| mean * self.by_size);
        self.means.iter().copied().chain(by_size).chain(self.most.iter().copied()).collect()
    }
}

impl Net {
    /// Owner, likelihood, lead and spread from the activations of the head.
    pub(super) fn read_out(&self, pooled: &[f32], head: &[i16], shape: Shape, may_play: &[bool]) -> Verdict {
        let channels = self.head_pooled.bias.len() * TURNINGS;
        let scale = self.head_scale / TURNINGS as f32;
        let (mut owner, mut ratings) =
            (Vec::with_capacity(may_play.len()), Vec::with_capacity(may_play.len() + 1));
        let mut area = 0i64;
        for cell in shape.vertices() {
            let fields = head[cell * channels..][..channels].as_chunks::<TURNINGS>().0;
            let sum = |turnings: &[i16; TURNINGS]| turnings.iter().map(|&x| i32::from(x)).sum::<i32>();
            let values: Vec<f32> = fields.iter().map(|field| sum(field) as f32 * scale).collect();
            let [rating, own] = self.points.run(&values)[..] else { continue };
            let steps = (libm::tanhf(own) * OWNER_STEPS) as i32;
            area += i64::from(steps);
            owner.push(steps as f32 / OWNER_STEPS);
            ratings.push(rating);
        }
        let of_head = Pooled::of(head, shape, channels, self.head_scale).values();
        let inputs: Vec<f32> = pooled.iter().chain(&of_head).copied().collect();
        let hidden: Vec<f32> = self.values.run(&inputs).into_iter().map(|x| x.max(0.0)).collect();
        let [correction, spread, pass] = self.out.run(&hidden)[..] else { return Verdict::default() };
        ratings.push(pass);
        Verdict {
            owner,
            likelihood: shares(&ratings, may_play),
            lead: (area as f64 / f64::from(OWNER_STEPS)) as f32 + self.lead_unit * correction,
            spread: softplus(spread) * self.lead_unit + LEAST_SPREAD,
        }
    }
}

/// The softmax of the ratings of legal moves and of a pass, which comes last.
fn shares(ratings: &[f32], may_play: &[bool]) -> Vec<f32> {
    let is_legal = |i: usize| may_play.get(i).copied().unwrap_or(true);
    let legal = || ratings.iter().enumerate().filter(|&(i, _)| is_legal(i));
    let most = legal().map(|(_, &rating)| rating).fold(f32::MIN, f32::max);
    let mut steps = vec![0u64; ratings.len()];
    for (i, &rating) in legal() {
        steps[i] = (f64::from(libm::expf(rating - most)) * SHARE_STEPS) as u64;
    }
    let all = steps.iter().sum::<u64>().max(1) as f64;
    steps.into_iter().map(|steps| (steps as f64 / all) as f32).collect()
}

fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { libm::log1pf(libm::expf(x)) }
}
