//! The randomly drawn actions of all games. Threads write them, and the calling thread reads them.
//!
//! # Notation
//! An item is a game and a group of planes. A number has as many bytes as the largest action needs: 1, 2 or 4. A shard
//! holds the lowest bytes of all its items, then the next bytes.
//!
//! # Cost
//! Data that one thread writes and another reads go from core to core in cache lines of 64 bytes. One byte for each
//! number moves a quarter of the data that four bytes move. Widening a number takes a fraction of an operation.

/// A number for every item of every shard.
#[derive(Clone, Debug)]
pub(super) struct SampledActions {
    bytes: Vec<u8>,
    items: usize,
    /// Bytes of a number.
    width: usize,
    /// Items of every shard but the last.
    per_shard: usize,
}

/// Bytes of one number, for this many actions.
fn width(actions: usize) -> usize {
    match actions.saturating_sub(1) {
        ..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 4,
    }
}

impl SampledActions {
    /// Action 0 for all.
    pub(super) fn new(items: usize, per_shard: usize, actions: usize) -> Self {
        let width = width(actions);
        Self { bytes: vec![0; items * width], items, width, per_shard }
    }

    /// The count of numbers.
    pub(super) fn len(&self) -> usize {
        self.items
    }

    /// The part that each shard writes to.
    pub(super) fn shards(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.bytes.chunks_mut(self.per_shard * self.width)
    }

    /// Writes all numbers.
    pub(super) fn copy_to(&self, out: &mut [i32]) {
        let copy = |numbers: &mut [i32], bytes: &[u8]| match self.width {
            1 => widen::<1>(bytes, numbers),
            2 => widen::<2>(bytes, numbers),
            _ => widen::<4>(bytes, numbers),
        };
        let shards = self.bytes.chunks(self.per_shard * self.width);
        out.chunks_mut(self.per_shard).zip(shards).for_each(|(numbers, bytes)| copy(numbers, bytes));
    }

    /// Whether the numbers are these.
    pub(super) fn are(&self, numbers: &[i32]) -> bool {
        let same = |numbers: &[i32], bytes: &[u8]| match self.width {
            1 => equal::<1>(bytes, numbers),
            2 => equal::<2>(bytes, numbers),
            _ => equal::<4>(bytes, numbers),
        };
        let shards = self.bytes.chunks(self.per_shard * self.width);
        numbers.len() == self.items
            && numbers.chunks(self.per_shard).zip(shards).all(|(numbers, bytes)| same(numbers, bytes))
    }
}

/// The numbers of a shard with `WIDTH` bytes each.
#[inline(always)]
fn numbers<const WIDTH: usize>(bytes: &[u8], items: usize) -> impl Iterator<Item = i32> {
    let parts: [&[u8]; WIDTH] = std::array::from_fn(|k| &bytes[k * items..][..items]);
    (0..items).map(move |n| {
        parts.iter().enumerate().fold(0, |number, (k, part)| number | i32::from(part[n]) << (8 * k))
    })
}

#[inline(always)]
fn widen<const WIDTH: usize>(bytes: &[u8], out: &mut [i32]) {
    let given = numbers::<WIDTH>(bytes, out.len());
    out.iter_mut().zip(given).for_each(|(to, number)| *to = number);
}

#[inline(always)]
fn equal<const WIDTH: usize>(bytes: &[u8], given: &[i32]) -> bool {
    // No early end: then several are compared at once.
    given.iter().zip(numbers::<WIDTH>(bytes, given.len())).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_come_back_and_differ_from_others() {
        for actions in [1, 0x100, 0x101, 0x1_0000, 0x1_0001, 0x12_3456] {
            let (items, per_shard) = (23, 10);
            let number = |n: usize| (n * 7919 % actions) as i32;
            let mut drawn = SampledActions::new(items, per_shard, actions);
            for (s, bytes) in drawn.shards().enumerate() {
                let count = per_shard.min(items - s * per_shard);
                for (at, byte) in bytes.iter_mut().enumerate() {
                    *byte = (number(s * per_shard + at % count) >> (8 * (at / count))) as u8;
                }
            }
            let mut out = vec![-1; items];
            drawn.copy_to(&mut out);
            assert!(out.iter().enumerate().all(|(n, &o)| o == number(n)), "{actions} actions: {out:?}");
            assert!(drawn.are(&out) && !drawn.are(&out[1..]));
            for n in 0..items {
                let mut other = out.clone();
                other[n] ^= 1 << 20;
                assert!(!drawn.are(&other));
            }
        }
    }
}
