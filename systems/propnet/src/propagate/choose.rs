//! Chooses a random legal move in every lane at once, without a branch.
//!
//! # Source
//! Bit-sliced arithmetic: D. Knuth, "The Art of Computer Programming" 4A (2011), 7.1.3.
//!
//! # Notation
//! A number for each lane is stored as a row of blocks, lowest bit first. Level 0 of the tree holds the legal
//! propositions of a role. A node of level k holds the sum of 2^k of them in k + 1 bits.
//!
//! # Steps
//! 1. Add neighbours, level by level. The root then holds the number n of legal moves.
//! 2. Compute floor(u n / 2^m) from m random bits u, lowest first: for each bit add n if it is set, and halve.
//! 3. Lead that number down the tree. It goes left if it is below the left sum. Otherwise it goes right, and the left
//!    sum is subtracted. In each lane it reaches one leaf; the leaves' blocks are the values of the inputs.
//!
//! # Departures
//! No move is favoured by more than n / 2^m, which is below one in 4000.
//!
//! # Cost
//! About 20 operations for each move of the role, and 5 log n (log n + 12) for step 2.

use super::block::{Block, Blocks};
use crate::net::{Lit, Net};
use tengen_core::SplitMix64;

/// A random number generator in every word: xorshift128+ (S. Vigna, "Further scramblings of Marsaglia's xorshift
/// generators", 2017).
#[derive(Clone, Debug)]
pub(crate) struct Random<const W: usize>(Block<W>, Block<W>);

impl<const W: usize> Random<W> {
    pub(crate) fn new(seed: u64) -> Self {
        let mut seeds = SplitMix64::new(seed);
        Self(std::array::from_fn(|_| seeds.next_u64()), std::array::from_fn(|_| seeds.next_u64()))
    }

    /// All that the next numbers depend on.
    pub(crate) fn words(&self) -> Vec<u64> {
        self.0.iter().chain(&self.1).copied().collect()
    }

    /// The generator with these [`words`](Self::words); `None` if their number is wrong.
    pub(crate) fn of_words(words: &[u64]) -> Option<Self> {
        let (first, second) = words.split_at_checked(W)?;
        Some(Self(first.try_into().ok()?, second.try_into().ok()?))
    }

    #[inline(always)]
    fn next(&mut self) -> Block<W> {
        std::array::from_fn(|w| {
            let (mut x, y) = (self.0[w], self.1[w]);
            self.0[w] = y;
            x ^= x << 23;
            self.1[w] = x ^ y ^ (x >> 18) ^ (y >> 5);
            self.1[w].wrapping_add(y)
        })
    }
}

/// Extra bits of a draw, beyond those of the number of moves.
const SPARE_BITS: usize = 12;

/// The tree of one role.
#[derive(Clone, Debug)]
pub(crate) struct Chooser<const W: usize> {
    legal: Vec<Lit>,
    first_input: usize,
    /// Sums of all levels, then the choice at each node, then the bits of the draw.
    sums: Blocks<W>,
    /// First block and number of nodes of each level.
    levels: Vec<(usize, usize)>,
    chosen: Blocks<W>,
    draw: Blocks<W>,
}

#[inline(always)]
fn full_add<const W: usize>(a: &Block<W>, b: &Block<W>, carry: &Block<W>) -> (Block<W>, Block<W>) {
    let sum = std::array::from_fn(|w| a[w] ^ b[w] ^ carry[w]);
    let carry = std::array::from_fn(|w| a[w] & b[w] | carry[w] & (a[w] ^ b[w]));
    (sum, carry)
}

/// The borrow of `a - b - borrow`.
#[inline(always)]
fn borrow<const W: usize>(a: &Block<W>, b: &Block<W>, borrow: &Block<W>) -> Block<W> {
    std::array::from_fn(|w| !a[w] & (b[w] | borrow[w]) | b[w] & borrow[w])
}

impl<const W: usize> Chooser<W> {
    pub(crate) fn new(net: &Net, role: usize) -> Self {
        let inputs = net.inputs_of(role);
        let first_input = net.input_node(inputs.start);
        Self::over(inputs.map(|i| net.legal[i]).collect(), first_input)
    }

    /// A tree over any literals. The choice among the true ones is written to as many blocks from `first_input`.
    pub(crate) fn over(legal: Vec<Lit>, first_input: usize) -> Self {
        let inputs = 0..legal.len();
        let mut levels = vec![(0, inputs.len())];
        let mut blocks = inputs.len();
        while levels[levels.len() - 1].1 > 1 {
            let nodes = levels[levels.len() - 1].1.div_ceil(2);
            levels.push((blocks, nodes));
            blocks += nodes * levels.len();
        }
        Self {
            legal,
            first_input,
            sums: Blocks::new(blocks),
            chosen: Blocks::new(inputs.len() + 2),
            draw: Blocks::new(2 * levels.len()),
            levels,
        }
    }

    /// Sets the blocks of the role's inputs; returns the lanes in which it has a legal move.
    #[inline(always)]
    pub(crate) fn choose(&mut self, values: &mut [Block<W>], random: &mut Random<W>) -> Block<W> {
        if self.legal.is_empty() {
            return [0; W];
        }
        let bits = self.add_up(values);
        let root = self.levels[self.levels.len() - 1].0;
        let some = self.sums.get()[root..root + bits]
            .iter()
            .fold([0; W], |all, block| std::array::from_fn(|w| all[w] | block[w]));
        self.draw_below(bits, root, random);
        self.lead_down(bits);
        let leaves = self.legal.len();
        values[self.first_input..self.first_input + leaves].copy_from_slice(&self.chosen.get()[..leaves]);
        some
    }

    /// Step 1; the number of bits of the root.
    #[inline(always)]
    fn add_up(&mut self, values: &[Block<W>]) -> usize {
        let sums = self.sums.get();
        for (block, &l) in sums.iter_mut().zip(&self.legal) {
            let flip = if l.inverted() { u64::MAX } else { 0 };
            *block = values[l.node()].map(|w| w ^ flip);
        }
        for (level, pair) in self.levels.windows(2).enumerate() {
            let ((from, below), (to, nodes)) = (pair[0], pair[1]);
            let bits = level + 1;
            for node in 0..nodes {
                let (left, right) = (from + 2 * node * bits, from + (2 * node + 1) * bits);
                let sum = to + node * (bits + 1);
                let mut carry = [0; W];
                let single = 2 * node + 1 >= below;
                for bit in 0..bits {
                    let a = sums[left + bit];
                    let b = if single { [0; W] } else { sums[right + bit] };
                    let (s, c) = full_add(&a, &b, &carry);
                    sums[sum + bit] = s;
                    carry = c;
                }
                sums[sum + bits] = carry;
            }
        }
        self.levels.len()
    }

    /// Step 2.
    #[inline(always)]
    fn draw_below(&mut self, bits: usize, root: usize, random: &mut Random<W>) {
        let (draw, sums) = (self.draw.get(), self.sums.get());
        let n = &sums[root..root + bits];
        draw[..bits].fill([0; W]);
        if bits == 1 {
            return;
        }
        for _ in 0..bits + SPARE_BITS {
            let bit = random.next();
            let mut carry = [0; W];
            for b in 0..bits {
                let add = std::array::from_fn(|w| n[b][w] & bit[w]);
                let (s, c) = full_add(&draw[b], &add, &carry);
                // Halving: each bit moves one down, the lowest is dropped.
                if b > 0 {
                    draw[b - 1] = s;
                }
                carry = c;
            }
            draw[bits - 1] = carry;
        }
    }

    /// Step 3.
    #[inline(always)]
    fn lead_down(&mut self, bits: usize) {
        let (draw, sums, chosen) = (self.draw.get(), self.sums.get(), self.chosen.get());
        let (draw, less) = draw.split_at_mut(bits);
        chosen[0] = [u64::MAX; W];
        for level in (0..bits - 1).rev() {
            let (first, below) = self.levels[level];
            let nodes = self.levels[level + 1].1;
            let width = level + 1;
            less[..width].fill([0; W]);
            // From the last node to the first, so that a node's choice is read before its place is reused.
            for node in (0..nodes).rev() {
                let here = chosen[node];
                if 2 * node + 1 >= below {
                    chosen[2 * node] = here;
                    continue;
                }
                let left = &sums[first + 2 * node * width..][..width];
                let mut low = [0; W];
                for b in 0..width {
                    low = borrow(&draw[b], &left[b], &low);
                }
                let right: Block<W> = std::array::from_fn(|w| here[w] & !low[w]);
                chosen[2 * node + 1] = right;
                chosen[2 * node] = std::array::from_fn(|w| here[w] & low[w]);
                for b in 0..width {
                    (0..W).for_each(|w| less[b][w] |= right[w] & left[b][w]);
                }
            }
            let mut low = [0; W];
            for b in 0..width {
                let (a, l) = (draw[b], less[b]);
                draw[b] = std::array::from_fn(|w| a[w] ^ l[w] ^ low[w]);
                low = borrow(&a, &l, &low);
            }
        }
    }
}
