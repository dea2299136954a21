//! Rows of observations and legal actions, with one byte or one bit for each column.
//!
//! # Source
//! H. Warren, "Hacker's Delight" (2013), 7-3: transposition of a 64x64 bit matrix. This module transposes all words of
//! the blocks at once.
//!
//! # Notation
//! A row belongs to a game. In a packed row, column c is a bit of byte c / 8. The bits of a last byte that has fewer
//! columns are 0. Where there are several groups of legal actions, each group starts a byte.
//!
//! # Cost
//! About 18 operations on blocks for each block with packed rows, against 24 operations on words for each word with
//! bytes.

use super::plan::Plan;
use super::spread;
use crate::propagate::block::Block;

/// The bit of a byte that holds the first of eight columns; the names are those of `numpy.packbits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BitOrder {
    /// The highest.
    #[default]
    Big,
    /// The lowest.
    Little,
}

/// The layout of rows of legal actions and of observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// One byte for each column, 0 or 1.
    #[default]
    Bytes,
    /// One bit for each column.
    Bits(BitOrder),
}

impl Layout {
    /// Bytes of a row with this many columns.
    #[must_use]
    pub fn row(self, columns: usize) -> usize {
        match self {
            Self::Bytes => columns,
            Self::Bits(_) => columns.div_ceil(8),
        }
    }
}

/// The node that is always false; it stands where a row has no column.
const NEVER: u32 = 0;

/// The columns of a row: a node each, in the order of the layout.
#[derive(Debug)]
pub(super) struct Columns {
    nodes: Vec<u32>,
    packed: bool,
}

impl Columns {
    /// The rows of several groups of nodes of equal size, one after the other.
    fn new<'a>(groups: impl Iterator<Item = &'a [u32]>, layout: Layout) -> Self {
        let Layout::Bits(order) = layout else {
            return Self { nodes: groups.flatten().copied().collect(), packed: false };
        };
        let mut nodes = Vec::new();
        for eight in groups.flat_map(|group| group.chunks(8)) {
            let of_bit = |bit: usize| match order {
                BitOrder::Big => 7 - bit,
                BitOrder::Little => bit,
            };
            nodes.extend((0..8).map(|bit| eight.get(of_bit(bit)).copied().unwrap_or(NEVER)));
        }
        Self { nodes, packed: true }
    }

    /// Bytes of a row.
    pub(super) fn row(&self) -> usize {
        if self.packed { self.nodes.len() / 8 } else { self.nodes.len() }
    }

    /// Writes the rows of the first lanes, as many as `out` holds.
    #[inline(always)]
    pub(super) fn write<const W: usize>(&self, values: &[Block<W>], out: &mut [u8]) {
        if out.is_empty() {
            return;
        }
        if self.packed {
            packed(values, &self.nodes, out);
            return;
        }
        let chunks = out.chunks_mut(64 * self.nodes.len());
        chunks.enumerate().for_each(|(w, chunk)| spread::rows(values, &self.nodes, w, chunk));
    }

    /// Writes the row of one lane.
    pub(super) fn write_one<const W: usize>(&self, values: &[Block<W>], lane: usize, row: &mut [u8]) {
        let bit = |node: u32| (values[node as usize][lane / 64] >> (lane % 64) & 1) as u8;
        if self.packed {
            for (byte, eight) in row.iter_mut().zip(self.nodes.chunks_exact(8)) {
                *byte = eight.iter().rev().fold(0, |byte, &node| byte << 1 | bit(node));
            }
        } else {
            row.iter_mut().zip(&self.nodes).for_each(|(byte, &node)| *byte = bit(node));
        }
    }
}

/// The views of the games that callers see.
#[derive(Debug)]
pub(super) struct View {
    pub(super) legal: Columns,
    pub(super) observation: Columns,
}

impl View {
    pub(super) fn new(plan: &Plan, layout: Layout) -> Self {
        let legal: Vec<u32> = (plan.legal_at() as u32..plan.chosen_at() as u32).collect();
        Self {
            legal: Columns::new(legal.chunks(plan.actions), layout),
            observation: Columns::new(std::iter::once(&plan.observed[..]), layout),
        }
    }
}

/// Fewer columns than this, beyond the last full 64, are written eight at a time.
const FEW: usize = 24;

/// Writes a packed row for each of the first lanes. The number of nodes is a multiple of 8.
#[inline(always)]
fn packed<const W: usize>(values: &[Block<W>], nodes: &[u32], out: &mut [u8]) {
    let row = nodes.len() / 8;
    let few = if nodes.len() % 64 < FEW { nodes.len() % 64 } else { 0 };
    let (wide, narrow) = nodes.split_at(nodes.len() - few);
    match wide.len().div_ceil(64) {
        0 => (),
        1 => tiles::<W, 1>(values, wide, row, out),
        2 => tiles::<W, 2>(values, wide, row, out),
        3 | 4 => tiles::<W, 4>(values, wide, row, out),
        _ => tiles::<W, 8>(values, wide, row, out),
    }
    for (byte, eight) in narrow.chunks_exact(8).enumerate() {
        for (w, rows) in out.chunks_mut(64 * row).enumerate() {
            let words: [u64; 8] = std::array::from_fn(|n| values[eight[n] as usize][w]);
            for (part, games) in rows.chunks_mut(8 * row).enumerate() {
                let matrix = u64::from_le_bytes(words.map(|word| (word >> (8 * part)) as u8));
                let lanes = spread::transpose(matrix).to_le_bytes();
                games
                    .chunks_exact_mut(row)
                    .zip(lanes)
                    .for_each(|(game, bits)| game[wide.len() / 8 + byte] = bits);
            }
        }
    }
}

/// Writes the columns of `nodes`, the first of a row. `T` matrices are transposed before their rows are written. 8
/// matrices are a cache line of each row. With fewer columns, a larger `T` would clear matrices without need.
fn tiles<const W: usize, const T: usize>(values: &[Block<W>], nodes: &[u32], row: usize, out: &mut [u8]) {
    let mut tile = [[[0; W]; 64]; T];
    for (n, nodes) in nodes.chunks(T * 64).enumerate() {
        let (at, bytes) = (n * T * 8, nodes.len() / 8);
        for (matrix, nodes) in tile.iter_mut().zip(nodes.chunks(64)) {
            for (bit, block) in matrix.iter_mut().enumerate() {
                *block = nodes.get(bit).map_or([0; W], |&node| values[node as usize]);
            }
            transpose(matrix);
        }
        for (w, rows) in out.chunks_mut(64 * row).enumerate() {
            for (lane, game) in rows.chunks_exact_mut(row).enumerate() {
                let (whole, rest) = game[at..at + bytes].as_chunks_mut::<8>();
                whole.iter_mut().zip(&tile).for_each(|(eight, m)| *eight = m[lane][w].to_le_bytes());
                let last = tile.get(whole.len()).map_or(0, |m| m[lane][w]).to_le_bytes();
                rest.copy_from_slice(&last[..rest.len()]);
            }
        }
    }
}

/// Transposes a 64x64 bit matrix in every word: bit b of block a goes to bit a of block b.
#[inline(always)]
fn transpose<const W: usize>(matrix: &mut [Block<W>; 64]) {
    swap_corners::<W, 32>(matrix, 0x0000_0000_ffff_ffff);
    swap_corners::<W, 16>(matrix, 0x0000_ffff_0000_ffff);
    swap_corners::<W, 8>(matrix, 0x00ff_00ff_00ff_00ff);
    swap_corners::<W, 4>(matrix, 0x0f0f_0f0f_0f0f_0f0f);
    swap_corners::<W, 2>(matrix, 0x3333_3333_3333_3333);
    swap_corners::<W, 1>(matrix, 0x5555_5555_5555_5555);
}

/// Exchanges the upper right and the lower left quarter of every square of `2 * S` rows.
#[inline(always)]
fn swap_corners<const W: usize, const S: usize>(matrix: &mut [Block<W>; 64], low: u64) {
    for square in matrix.chunks_exact_mut(2 * S) {
        let (upper, lower) = square.split_at_mut(S);
        for (a, b) in upper.iter_mut().zip(lower) {
            for (a, b) in a.iter_mut().zip(b) {
                let differ = ((*a >> S) ^ *b) & low;
                *a ^= differ << S;
                *b ^= differ;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::SplitMix64;

    #[test]
    fn packed_rows_are_the_byte_rows_eight_columns_a_byte() {
        let mut rng = SplitMix64::new(5);
        for (groups, width) in [
            (1, 1),
            (1, 7),
            (3, 9),
            (1, 15),
            (2, 24),
            (1, 63),
            (1, 64),
            (2, 65),
            (1, 200),
            (1, 700),
            (1, 1045),
        ] {
            let mut values: Vec<Block<2>> =
                (0..=groups * width).map(|_| [rng.next_u64(), rng.next_u64()]).collect();
            values[NEVER as usize] = [0; 2];
            let nodes: Vec<u32> = (1..=(groups * width) as u32).rev().collect();
            let plain = Columns::new(nodes.chunks(width), Layout::Bytes);
            for order in [BitOrder::Big, BitOrder::Little] {
                let bits = Columns::new(nodes.chunks(width), Layout::Bits(order));
                for lanes in [1, 7, 64, 65, 128] {
                    let mut bytes = vec![9; lanes * plain.row()];
                    let mut packed = vec![9; lanes * bits.row()];
                    plain.write(&values, &mut bytes);
                    bits.write(&values, &mut packed);
                    let fold = |byte: u8, (n, &bit): (usize, &u8)| match order {
                        BitOrder::Big => byte | bit << (7 - n),
                        BitOrder::Little => byte | bit << n,
                    };
                    let eights = bytes.chunks(width).flat_map(|g| g.chunks(8));
                    let expected: Vec<u8> =
                        eights.map(|eight| eight.iter().enumerate().fold(0, fold)).collect();
                    assert_eq!(packed, expected, "{groups:?} groups of {width}, {lanes} lanes");
                    for lane in 0..lanes {
                        let mut one = vec![9; bits.row()];
                        bits.write_one(&values, lane, &mut one);
                        assert_eq!(one, packed[lane * bits.row()..][..bits.row()]);
                    }
                }
            }
        }
    }
}
