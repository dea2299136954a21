//! Random seeds. The same seed gives the same result at any number of threads.
//!
//! Every random choice in Tengen comes from a [`SplitMix64`], or from a generator seeded by one. [`derive_seed`]
//! derives a generator's random seed from the run, the scene, the game and so on. It never uses a clock, a thread or an
//! address.

/// The random number generator splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator in the given state.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (multiply-shift; the bias is below n / 2^32). `n` must be above 0 and fit 32 bits.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * n as u64) >> 32) as u32
    }
}

/// A separate seed for each path of numbers (scene, game, move, ...) under a run's seed.
#[must_use]
pub fn derive_seed(run: u64, path: &[u64]) -> u64 {
    path.iter().fold(SplitMix64::new(run).next_u64(), |seed, &part| {
        SplitMix64::new(seed ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_u64()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        let mut r = SplitMix64::new(1_234_567);
        assert_eq!(r.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(r.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn seeds_of_different_paths_differ() {
        assert_ne!(derive_seed(1, &[0, 1]), derive_seed(1, &[1, 0]));
        assert_ne!(derive_seed(1, &[]), derive_seed(2, &[]));
    }
}
