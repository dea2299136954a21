//! A small multiplicative hasher for keys that are already well mixed integers or short integer rows.

use std::hash::{BuildHasherDefault, Hasher};

/// Multiply-and-rotate hashing; not proof against chosen keys, which here come from boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct MixHasher(u64);

/// A map keyed by numbers, hashed by `MixHasher`. Its order is never used.
pub type MixMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<MixHasher>>;

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
