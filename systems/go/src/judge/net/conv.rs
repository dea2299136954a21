//! Convolutions in integers: a plain version as the reference of the tests, and a version for processors with AVX2.
//!
//! # Notation
//! A *sum* is an `i32` for each vertex and output channel; its real value is the sum times the scales of activation and
//! weight. `factor` and `shift` bring it to the scale of the next layer, in fixed point of `POINT` bits.
//!
//! # Steps
//! 1. Weights are stored once for each field and expanded to the eight turnings. The kernel from turning `h` of one
//!    field to turning `g` of another is the stored kernel for `g^-1 h`, turned by `g`.
//! 2. Sums of products run over pairs of input channels, sixteen outputs and six vertices at a time.
//!
//! # Cost
//! With AVX2 an instruction computes sixteen products.

use super::{POINT, TOP, TURNINGS};
use crate::board::Vertex;
use crate::judge::inputs::{Inputs, PLANES};

/// Outputs that are summed at a time.
const LANES: usize = 16;
/// Vertices that are summed at a time.
const RUN: usize = 6;

/// How arrays of a board of this size are laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) size: usize,
    stride: usize,
}

impl Shape {
    pub(super) const fn new(size: usize) -> Self {
        Self { size, stride: size + 1 }
    }

    /// The first cell on the board and the one after the last.
    const fn cells(self) -> (usize, usize) {
        (self.stride + 1, self.stride * self.size + self.size + 1)
    }

    /// Cells of an array: the board, its walls, and the cells that a run of vertices reads beyond them.
    const fn len(self) -> usize {
        self.cells().1 + self.stride + 2 + RUN
    }

    /// The cells on the board in vertex order.
    pub(super) fn vertices(self) -> impl Iterator<Item = usize> {
        (0..self.size * self.size).map(move |i| Vertex::from_index(i, self.size).at())
    }
}

/// The origin of a place of a kernel of this width when turning `g` turns the kernel. `g > 3` mirrors it first, then
/// it turns `g % 4` quarters to the left.
const fn source(g: usize, (row, col): (usize, usize), width: usize) -> (usize, usize) {
    let last = width - 1;
    let (row, col) = match g % 4 {
        0 => (row, col),
        1 => (col, last - row),
        2 => (last - row, last - col),
        _ => (last - col, row),
    };
    if g >= 4 { (row, last - col) } else { (row, col) }
}

/// The turning `g^-1 h`: the one which, followed by `g`, is `h`.
fn after_inverse(g: usize, h: usize) -> usize {
    let places = || (0..9).map(|i| (i / 3, i % 3));
    let is_it = |x: usize| places().all(|at| source(x, source(g, at, 3), 3) == source(h, at, 3));
    (0..TURNINGS).find(|&x| is_it(x)).expect("turnings are a group")
}

/// The scales that bring the sums of one layer to activations of the next, one for each field.
#[derive(Debug)]
struct Rescale {
    factor: Vec<i64>,
    shift: Vec<i64>,
    /// The scale of the activations it makes.
    scale: f32,
}

fn fixed(x: f64) -> i64 {
    (x * f64::from(1u32 << POINT)).round() as i64
}

impl Rescale {
    fn new(from: f32, weights: &[f32], shifts: &[f32], to: f32) -> Self {
        Self {
            factor: weights.iter().map(|&w| fixed(f64::from(from) * f64::from(w) / f64::from(to))).collect(),
            shift: shifts.iter().map(|&s| fixed(f64::from(s) / f64::from(to))).collect(),
            scale: to,
        }
    }

    /// The shift of each field and half a step, with a bias in real units.
    fn shifts(&self, bias: Option<&[f32]>) -> Vec<i64> {
        let bias = |i: usize| bias.map_or(0.0, |b| f64::from(b[i]) / f64::from(self.scale));
        (0..self.shift.len()).map(|i| self.shift[i] + fixed(0.5) + fixed(bias(i))).collect()
    }

    /// Rescales the sums of all vertices into activations that are `put` over the old ones.
    fn each(
        &self,
        sums: &[i32],
        shape: Shape,
        bias: Option<&[f32]>,
        to: &mut [i16],
        put: impl Fn(i32, i32) -> i32,
    ) {
        let shifts = self.shifts(bias);
        let channels = self.factor.len() * TURNINGS;
        for cell in shape.vertices() {
            let sums = sums[cell * channels..][..channels].as_chunks::<TURNINGS>().0;
            let to = to[cell * channels..][..channels].as_chunks_mut::<TURNINGS>().0;
            for (((sums, to), factor), shift) in sums.iter().zip(to).zip(&self.factor).zip(&shifts) {
                for (sum, to) in sums.iter().zip(to) {
                    let value = (i64::from(*sum) * factor + shift) >> POINT;
                    let value = value.clamp(-i64::from(TOP), i64::from(TOP)) as i32;
                    *to = put(i32::from(*to), value).clamp(0, TOP) as i16;
                }
            }
        }
    }
}

/// Brings an array to a length; one of another length is filled with zeros.
fn sized<T: Copy + Default>(array: &mut Vec<T>, len: usize) {
    if array.len() != len {
        array.clear();
        array.resize(len, T::default());
    }
}

/// Zeros of this length: activations whose walls stay 0.
fn zeros(array: &mut Vec<i16>, len: usize) {
    array.clear();
    array.resize(len, 0);
}

/// The first layer, 5x5, over facts.
#[derive(Debug)]
pub(super) struct First {
    /// By plane and place of the kernel: a weight for each channel.
    weights: Vec<i32>,
    rescale: Rescale,
}

/// Width of the first layer's kernels.
pub(super) const WIDE: usize = 5;

impl First {
    /// From stored weights `[field][plane][5][5]`, their scales and shifts a field, and the scale of the stream.
    pub(super) fn new(stored: &[i16], scales: &[f32], shifts: &[f32], to: f32) -> Self {
        let channels = scales.len() * TURNINGS;
        let area = WIDE * WIDE;
        let mut weights = vec![0; PLANES * area * channels];
        for channel in 0..channels {
            let (field, g) = (channel / TURNINGS, channel % TURNINGS);
            for plane in 0..PLANES {
                for place in 0..area {
                    let (row, col) = source(g, (place / WIDE, place % WIDE), WIDE);
                    let stored = stored[(field * PLANES + plane) * area + row * WIDE + col];
                    weights[(plane * area + place) * channels + channel] = i32::from(stored);
                }
            }
        }
        Self { weights, rescale: Rescale::new(1.0, scales, shifts, to) }
    }

    pub(super) const fn channels(&self) -> usize {
        self.rescale.factor.len() * TURNINGS
    }

    pub(super) const fn weights(&self) -> usize {
        self.weights.len() / TURNINGS
    }

    /// Adds up the weights of all facts around each vertex.
    pub(super) fn run(&self, inputs: &Inputs, shape: Shape, sums: &mut Vec<i32>) {
        let (channels, size) = (self.channels(), shape.size);
        sized(sums, shape.len() * channels);
        sums.fill(0);
        for plane in 0..PLANES {
            let weights = &self.weights[plane * WIDE * WIDE * channels..];
            for v in inputs.vertices(plane) {
                let (row, col) = (v.row(size), v.col(size));
                for place in 0..WIDE * WIDE {
                    // The vertex that sees this fact at `place` of its kernel.
                    let (row, col) =
                        ((row + 2).wrapping_sub(place / WIDE), (col + 2).wrapping_sub(place % WIDE));
                    if row < size && col < size {
                        let cell = Vertex::new(row, col, size).at();
                        let weights = &weights[place * channels..][..channels];
                        let sums = &mut sums[cell * channels..][..channels];
                        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
                    }
                }
            }
        }
    }

    pub(super) fn activate(&self, sums: &[i32], shape: Shape, to: &mut Vec<i16>) {
        zeros(to, shape.len() * self.channels());
        self.rescale.each(sums, shape, None, to, |_, value| value);
    }
}

/// A layer from fields to fields, 3x3 or 1x1.
#[derive(Debug)]
pub(super) struct Dense {
    inputs: usize,
    outputs: usize,
    width: usize,
    /// `[block of 16 outputs][place][pair of inputs][output][of the pair]`; outputs filled up with zeros.
    weights: Vec<i16>,
    rescale: Rescale,
}

/// Weights as they are stored: the kernels, and a scale and a shift for each field of the output.
pub(super) struct Stored<'a> {
    pub(super) kernels: &'a [i16],
    pub(super) scales: &'a [f32],
    pub(super) shifts: &'a [f32],
}

impl Dense {
    /// From kernels `[field][field][8][width][width]` and the scales of input and output activations.
    pub(super) fn new(stored: &Stored<'_>, inputs: usize, width: usize, from: f32, to: f32) -> Self {
        let (outputs, area) = (stored.scales.len() * TURNINGS, width * width);
        let pairs = inputs / 2;
        let table: [[usize; TURNINGS]; TURNINGS] =
            std::array::from_fn(|g| std::array::from_fn(|h| after_inverse(g, h)));
        let mut weights = vec![0; outputs.div_ceil(LANES) * area * pairs * LANES * 2];
        for output in 0..outputs {
            let (field, g) = (output / TURNINGS, output % TURNINGS);
            for input in 0..inputs {
                let (of, h) = (input / TURNINGS, input % TURNINGS);
                let kernel = (field * (inputs / TURNINGS) + of) * TURNINGS + table[g][h];
                let kernel = &stored.kernels[kernel * area..][..area];
                for place in 0..area {
                    let (row, col) = source(g, (place / width, place % width), width);
                    let lane = output % LANES * 2 + input % 2;
                    let at = ((output / LANES * area + place) * pairs + input / 2) * LANES * 2 + lane;
                    weights[at] = kernel[row * width + col];
                }
            }
        }
        let rescale = Rescale::new(from, stored.scales, stored.shifts, to);
        Self { inputs, outputs, width, weights, rescale }
    }

    pub(super) const fn weights(&self) -> usize {
        self.inputs * self.outputs * self.width * self.width / TURNINGS
    }

    /// The offset of each place of the kernel from a cell.
    fn offsets(&self, shape: Shape) -> Vec<isize> {
        let half = (self.width / 2) as isize;
        let of = |place: usize| {
            let (row, col) = ((place / self.width) as isize - half, (place % self.width) as isize - half);
            row * shape.stride as isize + col
        };
        (0..self.width * self.width).map(of).collect()
    }

    /// The sums of all vertices.
    pub(super) fn run(&self, from: &[i16], shape: Shape, sums: &mut Vec<i32>) {
        sized(sums, shape.len() * self.outputs);
        let work = Work { layer: self, from, shape, offsets: &self.offsets(shape), sums };
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            return simd.vectorize(fast::Fast { simd, work });
        }
        work.plainly();
    }

    /// The same by the plain loop: the oracle.
    #[cfg(test)]
    pub(super) fn run_plainly(&self, from: &[i16], shape: Shape, sums: &mut Vec<i32>) {
        sized(sums, shape.len() * self.outputs);
        Work { layer: self, from, shape, offsets: &self.offsets(shape), sums }.plainly();
    }

    /// Activations of the sums, with a bias a field.
    pub(super) fn activate(&self, sums: &[i32], shape: Shape, bias: Option<&[f32]>, to: &mut Vec<i16>) {
        zeros(to, shape.len() * self.outputs);
        self.rescale.each(sums, shape, bias, to, |_, value| value);
    }

    /// Adds the sums to activations.
    pub(super) fn add_to(&self, sums: &[i32], shape: Shape, to: &mut [i16]) {
        self.rescale.each(sums, shape, None, to, |old, value| old + value);
    }
}

/// One layer's sums to be made.
struct Work<'a> {
    layer: &'a Dense,
    from: &'a [i16],
    shape: Shape,
    offsets: &'a [isize],
    sums: &'a mut [i32],
}

impl Work<'_> {
    /// Step 2 one product after the other.
    fn plainly(self) {
        let Dense { inputs, outputs, ref weights, .. } = *self.layer;
        for cell in self.shape.vertices() {
            for (block, sums) in self.sums[cell * outputs..][..outputs].chunks_mut(LANES).enumerate() {
                sums.fill(0);
                for (place, &offset) in self.offsets.iter().enumerate() {
                    let from = &self.from[cell.wrapping_add_signed(offset) * inputs..][..inputs];
                    let weights = &weights[(block * self.offsets.len() + place) * inputs * LANES..];
                    for (pair, x) in from.as_chunks::<2>().0.iter().enumerate() {
                        let weights = weights[pair * LANES * 2..].as_chunks::<2>().0;
                        for (sum, w) in sums.iter_mut().zip(weights) {
                            *sum += i32::from(x[0]) * i32::from(w[0]) + i32::from(x[1]) * i32::from(w[1]);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod fast {
    //! Step 2 with AVX2. The crate `pulp` makes its instructions safe to call.

    use super::{LANES, RUN, Work};
    use pulp::NullaryFnOnce;
    use pulp::x86::V3;
    use std::arch::x86_64::__m256i;

    pub(super) struct Fast<'a> {
        pub(super) simd: V3,
        pub(super) work: Work<'a>,
    }

    impl NullaryFnOnce for Fast<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let Self { simd, work } = self;
            let layer = work.layer;
            let (mut cell, end) = work.shape.cells();
            while cell < end {
                for block in 0..layer.outputs.div_ceil(LANES) {
                    let mut sums = [[simd.avx._mm256_setzero_si256(); 2]; RUN];
                    for (place, &offset) in work.offsets.iter().enumerate() {
                        let first = cell.wrapping_add_signed(offset) * layer.inputs;
                        let row =
                            |i: usize| work.from[first + i * layer.inputs..][..layer.inputs].as_chunks().0;
                        let rows: [&[[i16; 2]]; RUN] = std::array::from_fn(row);
                        let weights = (block * work.offsets.len() + place) * layer.inputs * LANES;
                        let weights = &layer.weights[weights..][..layer.inputs * LANES];
                        add(simd, &mut sums, rows, weights.as_chunks().0);
                    }
                    for (i, sums) in sums.into_iter().enumerate() {
                        let [low, high]: [[i32; 8]; 2] = sums.map(pulp::cast);
                        let to = &mut work.sums[(cell + i) * layer.outputs + block * LANES..];
                        to[..8].copy_from_slice(&low);
                        if layer.outputs > block * LANES + 8 {
                            to[8..LANES].copy_from_slice(&high);
                        }
                    }
                }
                cell += RUN;
            }
        }
    }

    /// Adds the products of one place of the kernel: pairs of inputs of six cells with sixteen outputs.
    #[inline(always)]
    fn add(simd: V3, sums: &mut [[__m256i; 2]; RUN], rows: [&[[i16; 2]]; RUN], weights: &[[i16; 32]]) {
        let rows = rows.map(|row| &row[..weights.len()]);
        for (pair, weights) in weights.iter().enumerate() {
            let [low, high]: [__m256i; 2] = pulp::cast(*weights);
            for (sums, row) in sums.iter_mut().zip(&rows) {
                let x = simd.avx._mm256_set1_epi32(pulp::cast(row[pair]));
                sums[0] = simd.avx2._mm256_add_epi32(sums[0], simd.avx2._mm256_madd_epi16(low, x));
                sums[1] = simd.avx2._mm256_add_epi32(sums[1], simd.avx2._mm256_madd_epi16(high, x));
            }
        }
    }
}
