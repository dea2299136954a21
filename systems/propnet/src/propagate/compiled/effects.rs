//! The effects that a change of each literal has on kept gates and legal bits.

use super::cover::Cover;
use super::formula::{BITS, Mask};
use super::source::Source;
use std::collections::BTreeSet;

/// For each kept gate the kept gates that it needs, itself included.
pub(super) fn kept_cones(kept: &[Source], first: usize) -> Vec<Vec<u32>> {
    let mut cones: Vec<Vec<u32>> = Vec::new();
    for (n, source) in kept.iter().enumerate() {
        let mut cone: Vec<u32> = cone_of(&source.cover, &cones, first).into_iter().collect();
        cone.push(n as u32);
        cones.push(cone);
    }
    cones
}

/// The kept gates that a cover needs.
pub(super) fn cone_of(cover: &Cover, cones: &[Vec<u32>], first: usize) -> BTreeSet<u32> {
    let bits = cover.iter().flat_map(|p| p.iter().map(|l| (l >> 1) as usize));
    // Scratch bits come after all kept gates.
    let direct: BTreeSet<usize> =
        bits.filter_map(|b| b.checked_sub(first)).filter(|&n| n < cones.len()).collect();
    direct.into_iter().flat_map(|n| cones[n].iter().copied()).collect()
}

/// Adds masks of these bits to a list, which is in order of words.
pub(super) fn join_bits(list: &mut Vec<Mask>, bits: impl Iterator<Item = u32>) {
    let from = list.len();
    for bit in bits {
        let (word, mask) = (bit / BITS as u32, 1 << (bit as usize % BITS));
        match list[from..].last_mut().filter(|m| m.word == word) {
            Some(last) => last.bits |= mask,
            None => list.push(Mask { word, bits: mask }),
        }
    }
}

/// Adds masks to a list, those of one word joined; returns their range.
pub(super) fn join<'a>(list: &mut Vec<Mask>, masks: impl Iterator<Item = &'a Mask>) -> (u32, u32) {
    let from = list.len();
    for mask in masks {
        match list[from..].iter_mut().find(|m| m.word == mask.word) {
            Some(found) => found.bits |= mask.bits,
            None => list.push(*mask),
        }
    }
    (from as u32, list.len() as u32)
}

/// Adds the different numbers to a list, in order; returns their range.
pub(super) fn gather<'a>(list: &mut Vec<u32>, numbers: impl Iterator<Item = &'a u32>) -> (u32, u32) {
    let different: BTreeSet<u32> = numbers.copied().collect();
    let from = list.len();
    list.extend(different);
    (from as u32, list.len() as u32)
}

/// What a change of each literal does.
pub(super) struct Effects {
    pub(super) ups: Vec<Vec<Mask>>,
    pub(super) downs: Vec<Vec<Mask>>,
    pub(super) kept_kills: Vec<Vec<Mask>>,
    pub(super) kills: Vec<Vec<Mask>>,
    pub(super) wakes: Vec<Vec<u32>>,
}

impl Effects {
    pub(super) fn new(literals: usize) -> Self {
        let (masks, numbers) = (vec![Vec::new(); literals], vec![Vec::new(); literals]);
        let [ups, downs, kept_kills, kills] = [masks.clone(), masks.clone(), masks.clone(), masks];
        Self { ups, downs, kept_kills, kills, wakes: numbers }
    }

    /// Lists a slot whose source is one product: it dies with each literal, and may wake with each.
    pub(super) fn simply_depends(&mut self, source: &Source, slot: usize) {
        for &literal in source.cover.iter().flatten() {
            put(&mut self.kills[literal as usize], slot);
            self.wakes[literal as usize].push(slot as u32);
        }
    }

    /// Lists a slot with all literals of its source. A literal that all products share makes it false at once.
    pub(super) fn depends(&mut self, source: &Source, slot: usize, kept: bool) {
        let mut literals: Vec<u32> = source.cover.iter().flatten().copied().collect();
        literals.sort_unstable();
        literals.dedup();
        for literal in literals {
            let shared = !source.inverted && source.cover.iter().all(|p| p.binary_search(&literal).is_ok());
            // The value goes with the literal, or with its inverse.
            let literal = (literal ^ u32::from(source.inverted)) as usize;
            put(&mut self.ups[literal], slot);
            match (shared, kept) {
                (true, true) => put(&mut self.kept_kills[literal], slot),
                _ => put(&mut self.downs[literal], slot),
            }
        }
    }
}

/// Sets a bit of a sparse row.
fn put(row: &mut Vec<Mask>, bit: usize) {
    let (word, mask) = ((bit / BITS) as u32, 1 << (bit % BITS));
    match row.iter_mut().find(|m| m.word == word) {
        Some(found) => found.bits |= mask,
        None => row.push(Mask { word, bits: mask }),
    }
}
