//! The embedded net: a small residual net in integers. A rotated or mirrored board gives the same answer, rotated or
//! mirrored.
//!
//! # Source
//! T. Cohen, M. Welling, "Group Equivariant Convolutional Networks" (2016), for the eight turnings (rotations and
//! reflections); K. He and others, "Deep Residual Learning for Image Recognition" (2015); D. J. Wu, "Accelerating
//! Self-Play Learning in Go" (2019), section 3.3, for pooling over the board. `python/training` has the same net in
//! PyTorch and trains it.
//!
//! # Notation
//! A *field* is eight *channels*, one for each turning. Turning the board turns all planes and permutes the channels of
//! each field. *Activations* are 0 to `TOP`, times the scale of their layer. Arrays of activations are padded like a
//! board. The channels of vertex `v` begin at `v.at() * channels`, and walls are 0.
//!
//! # Steps
//! 1. The first layer adds up the weights of the facts that hold ([`Inputs`]), in the 5x5 vertices around each vertex.
//! 2. Each block computes a convolution 3x3, a bias from values pooled over the board, and a convolution 3x3. It adds
//!    the result to the block's input.
//! 3. The head computes one more layer at each vertex. Owner and likelihood are sums over the turnings.
//! 4. Lead, spread and the likelihood of a pass come from the pooled values.
//!
//! # Departures
//! The net needs no mean over turned boards, because one evaluation gives the same result for each turning, to the last
//! bit.
//!
//! # Cost
//! 170 million products for a position of 19x19; `benches` measures the time.

mod conv;
mod file;
mod heads;
#[cfg(test)]
mod tests;

pub use file::WeightsError;

use super::inputs::Inputs;
use conv::{Dense, First};
use heads::{Linear, Pooled};

/// Channels of a field.
const TURNINGS: usize = 8;
/// The greatest activation.
const TOP: i32 = 4095;
/// The greatest weight of a kernel: sums of 576 products of both fit into 32 bits.
const TOP_WEIGHT: i16 = 511;
/// Bits behind the point of the factors that bring sums back to activations.
const POINT: u32 = 24;

/// The weights of a net, ready to use.
#[derive(Debug)]
pub struct Net {
    origin: String,
    /// The scale of the stream of activations that blocks add to.
    scale: f32,
    first: First,
    blocks: Vec<Block>,
    head_scale: f32,
    head: Dense,
    head_pooled: Linear,
    points: Linear,
    values: Linear,
    out: Linear,
    lead_unit: f32,
}

#[derive(Debug)]
struct Block {
    a: Dense,
    pooled: Option<Linear>,
    b: Dense,
}

/// The net's output for a position, from the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Expected owner in vertex order, 1 own to -1 foe's.
    pub owner: Vec<f32>,
    /// Likelihood of each move in vertex order, then of a pass; they add up to 1.
    pub likelihood: Vec<f32>,
    /// Expected lead by area, without komi.
    pub lead: f32,
    /// How widely final leads are spread: the win rate is the logistic function of lead over spread.
    pub spread: f32,
}

/// Memory that a net works in, kept from position to position.
#[derive(Debug, Default)]
pub struct Scratch {
    stream: Vec<i16>,
    middle: Vec<i16>,
    sums: Vec<i32>,
}

impl Net {
    /// Reads weights as `python/training/export.py` writes them.
    ///
    /// # Errors
    /// A file that is cut, altered, of another version or of another shape.
    pub fn parse(bytes: &[u8]) -> Result<Self, WeightsError> {
        file::parse(bytes)
    }

    /// The origin of the weights, in one line.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Weights, each counted once for the eight turnings.
    #[must_use]
    pub fn weights(&self) -> usize {
        let linear = [&self.head_pooled, &self.points, &self.values, &self.out];
        let in_block =
            |b: &Block| b.a.weights() + b.b.weights() + b.pooled.as_ref().map_or(0, Linear::weights);
        self.first.weights()
            + self.head.weights()
            + self.blocks.iter().map(in_block).sum::<usize>()
            + linear.iter().map(|l| l.weights()).sum::<usize>()
    }

    /// The net's output for a position. `may_play` marks the legal moves, in vertex order.
    #[must_use]
    pub fn look(&self, inputs: &Inputs, may_play: &[bool], scratch: &mut Scratch) -> Verdict {
        let shape = conv::Shape::new(inputs.size());
        let Scratch { stream, middle, sums } = scratch;
        // 1.
        self.first.run(inputs, shape, sums);
        self.first.activate(sums, shape, stream);
        // 2.
        for block in &self.blocks {
            let bias = block.pooled.as_ref().map(|linear| linear.run(&self.pooled(stream, shape)));
            block.a.run(stream, shape, sums);
            block.a.activate(sums, shape, bias.as_deref(), middle);
            block.b.run(middle, shape, sums);
            block.b.add_to(sums, shape, stream);
        }
        // 3. and 4.
        let pooled = self.pooled(stream, shape);
        self.head.run(stream, shape, sums);
        self.head.activate(sums, shape, Some(&self.head_pooled.run(&pooled)), middle);
        self.read_out(&pooled, middle, shape, may_play)
    }

    fn pooled(&self, stream: &[i16], shape: conv::Shape) -> Vec<f32> {
        Pooled::of(stream, shape, self.first.channels(), self.scale).values()
    }
}
