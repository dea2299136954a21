//! Converts between lanes and rows: bits of blocks become bytes and numbers of games, and back.
//!
//! # Source
//! H. Warren, "Hacker's Delight" (2013), 7-3: 8x8 bit transposition.
//!
//! # Cost
//! Three operations for each 8 bytes written; about three for each number.

use crate::propagate::block::Block;

/// The lowest bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;

/// Transposes an 8x8 bit matrix, a row per byte.
#[inline(always)]
pub(super) const fn transpose(mut x: u64) -> u64 {
    let mut t = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ (t << 28)
}

/// Writes a row of bytes, 0 or 1, for each of the first lanes of word `w`. `rows` holds the rows one after the other,
/// `nodes` names the block of each column.
#[inline(always)]
pub(super) fn rows<const W: usize>(values: &[Block<W>], nodes: &[u32], w: usize, rows: &mut [u8]) {
    let width = nodes.len();
    if width < 8 {
        for (lane, row) in rows.chunks_exact_mut(width.max(1)).enumerate() {
            for (byte, &node) in row.iter_mut().zip(nodes) {
                *byte = (values[node as usize][w] >> lane & 1) as u8;
            }
        }
        return;
    }
    let last = width - 8;
    // The last group overlaps the one before where the width is no multiple of 8.
    for at in (0..last).step_by(8).chain([last]) {
        let words: [u64; 8] = std::array::from_fn(|n| values[nodes[at + n] as usize][w]);
        for (byte, chunk) in rows.chunks_mut(8 * width).enumerate() {
            let eight = u64::from_le_bytes(words.map(|word| (word >> (8 * byte)) as u8));
            for (lane, row) in chunk.chunks_exact_mut(width).enumerate() {
                row[at..at + 8].copy_from_slice(&(eight >> lane & LOW).to_le_bytes());
            }
        }
    }
}

/// Writes one byte, 0 or 1, for each of the first lanes of a word.
#[inline(always)]
pub(super) fn bytes(word: u64, out: &mut [u8]) {
    for (byte, chunk) in out.chunks_mut(8).enumerate() {
        // Bit i of the byte to byte i.
        let spread = transpose(word >> (8 * byte) & 0xff);
        chunk.copy_from_slice(&spread.to_le_bytes()[..chunk.len()]);
    }
}

/// The numbers that eight lanes hold in binary, lowest bit first in `bits`; lane 8 * `byte` is the first of them.
#[inline(always)]
fn eight(bits: &[u64; 8], byte: usize) -> [u8; 8] {
    transpose(u64::from_le_bytes(bits.map(|plane| (plane >> (8 * byte)) as u8))).to_le_bytes()
}

/// Writes the number below 256 that each lane holds in binary, lowest bit first in `bits`.
#[inline(always)]
pub(super) fn numbers(bits: &[u64; 8], out: &mut [i32]) {
    for (byte, chunk) in out.chunks_mut(8).enumerate() {
        let lanes = eight(bits, byte);
        match <&mut [i32; 8]>::try_from(&mut *chunk) {
            Ok(all) => *all = lanes.map(i32::from),
            Err(_) => chunk.iter_mut().zip(lanes).for_each(|(number, lane)| *number = i32::from(lane)),
        }
    }
}

/// Writes the number below 256 that each lane holds in binary, lowest bit first in `bits`; lane n's goes to `out[n * stride]`.
#[inline(always)]
pub(super) fn number_bytes(bits: &[u64; 8], out: &mut [u8], stride: usize) {
    for (byte, chunk) in out.chunks_mut(8 * stride).enumerate() {
        let lanes = eight(bits, byte);
        match <&mut [u8; 8]>::try_from(&mut *chunk) {
            Ok(all) if stride == 1 => *all = lanes,
            _ => chunk.iter_mut().step_by(stride).zip(lanes).for_each(|(to, lane)| *to = lane),
        }
    }
}

/// The inverse of [`numbers`] for numbers of any size: the bits of each lane's number. Lane n's number is at
/// `numbers[n * stride]`. The result marks each number that is negative or needs more bits than there are.
#[inline(always)]
pub(super) fn binary(numbers: &[i32], stride: usize, bits: &mut [u64]) -> u64 {
    let limit = 1_u64 << bits.len();
    let mut outside = 0;
    bits.fill(0);
    for (byte, chunk) in numbers.chunks(8 * stride).enumerate() {
        let mut eight = [0_u32; 8];
        eight.iter_mut().zip(chunk.iter().step_by(stride)).for_each(|(e, &n)| *e = n as u32);
        for (lane, &number) in eight.iter().enumerate() {
            outside |= u64::from(u64::from(number) >= limit) << (8 * byte + lane);
        }
        for (group, planes) in bits.chunks_mut(8).enumerate() {
            let part = eight.map(|n| (n >> (8 * group)) as u8);
            let matrix = transpose(u64::from_le_bytes(part)).to_le_bytes();
            for (plane, row) in planes.iter_mut().zip(matrix) {
                *plane |= u64::from(row) << (8 * byte);
            }
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::SplitMix64;

    #[test]
    fn rows_are_the_bits_of_every_lane_whatever_the_width() {
        let mut rng = SplitMix64::new(5);
        for width in [1, 2, 7, 8, 9, 15, 16, 23, 64, 130] {
            let values: Vec<Block<2>> = (0..width).map(|_| [rng.next_u64(), rng.next_u64()]).collect();
            let nodes: Vec<u32> = (0..width as u32).rev().collect();
            for lanes in [1, 7, 8, 63, 64] {
                let mut out = vec![9; lanes * width];
                rows(&values, &nodes, 1, &mut out);
                for (at, &byte) in out.iter().enumerate() {
                    let (lane, column) = (at / width, at % width);
                    assert_eq!(u64::from(byte), values[nodes[column] as usize][1] >> lane & 1);
                }
            }
        }
    }

    #[test]
    fn numbers_and_their_bits_are_each_others_inverse() {
        let mut rng = SplitMix64::new(6);
        for count in [1_u32, 2, 3, 8, 9, 300, 70_000] {
            let width = (32 - (count - 1).leading_zeros()) as usize;
            for (lanes, stride) in [(64, 1), (64, 3), (5, 2), (9, 1)] {
                let given: Vec<i32> = (0..lanes * stride).map(|_| rng.below(count) as i32).collect();
                let mut bits = vec![0; width];
                assert_eq!(binary(&given, stride, &mut bits), 0);
                for (k, bits) in bits.chunks(8).enumerate() {
                    let bits = std::array::from_fn(|n| bits.get(n).copied().unwrap_or(0));
                    let (mut part, mut back) = (vec![7; lanes * stride], vec![-1; lanes]);
                    number_bytes(&bits, &mut part, stride);
                    numbers(&bits, &mut back);
                    for (n, &byte) in part.iter().enumerate() {
                        let expected = if n % stride == 0 { (given[n] >> (8 * k)) as u8 } else { 7 };
                        assert_eq!(byte, expected);
                        assert!(n % stride > 0 || back[n / stride] == i32::from(byte));
                    }
                }
            }
        }
        let mut bits = [0; 3];
        assert_eq!(binary(&[0, 7, 8, -1, 3], 1, &mut bits), 0b01100);
    }

    #[test]
    fn a_word_becomes_a_byte_per_lane() {
        let word = 0x8001_0203_ff00_1281;
        for lanes in [1, 8, 13, 64] {
            let mut out = vec![7; lanes];
            bytes(word, &mut out);
            assert!(out.iter().enumerate().all(|(lane, &b)| u64::from(b) == word >> lane & 1));
        }
    }
}
