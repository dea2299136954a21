//! The place of the n-th set bit of a word.
//!
//! # Source
//! S. Vigna, "Broadword Implementation of Rank/Select Queries" (2008), section "Select".
//!
//! # Cost
//! About 25 operations and one look into a table of 2 KB, without a branch.

/// The n-th set bit of a word, counted from 0.
#[inline(always)]
pub(super) fn select(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The number of set bits in each byte and those below it.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // Bytes whose sum is at most n end below the bit.
    let below = (((u64::from(n) * ONES) | (0x80 * ONES)) - bytes) & (0x80 * ONES);
    let byte = 8 * below.count_ones();
    let before = (bytes << 8) >> byte & 0xff;
    byte + u32::from(IN_BYTE[(u64::from(n) - before) as usize & 7][(word >> byte & 0xff) as usize])
}

/// By n and byte the n-th set bit of the byte, counted from 0.
const IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};
