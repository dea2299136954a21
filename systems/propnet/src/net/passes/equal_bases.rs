//! Merges bases that are always equal, or always opposite, such as whose turn it is in a game of two.
//!
//! # Source
//! Register correspondence: C. van Eijk, "Sequential equivalence checking based on structural similarities" (2000),
//! with structural hashing in place of a solver.
//!
//! # Steps
//! 1. bases with equal initial values are guessed equal, with different ones opposite;
//! 2. the net is rebuilt under the guess; a base whose transition is not the same literal as (the inverse of) that of
//!    its class moves to a new class;
//! 3. again, until the guess proves itself: true at the start, and kept by every step.

use super::super::builder::rebuild;
use super::super::{Lit, Net};
use rustc_hash::FxHashMap;

/// Most rounds; past them nothing is merged.
const MAX_ROUNDS: usize = 64;

/// The net with one base for each class.
pub(super) fn run(net: &Net) -> Net {
    let bases = net.bases();
    // The class of each base; and whether it is opposite to it.
    let mut class = vec![0_usize; bases];
    let phase: Vec<bool> = (0..bases).map(|b| net.names.initial.contains(b)).collect();
    for _ in 0..MAX_ROUNDS {
        let mut leader: FxHashMap<usize, usize> = FxHashMap::default();
        for (base, &c) in class.iter().enumerate() {
            leader.entry(c).or_insert(base);
        }
        let leaf = |node: usize| {
            let base = node - 1;
            if base >= bases {
                return Lit::of(node);
            }
            let first = leader[&class[base]];
            Lit::of(1 + first).xor(phase[base] != phase[first])
        };
        let merged = rebuild(net, leaf, |b, _, inputs| b.and(inputs.iter().copied()));
        let mut numbers: FxHashMap<(usize, Lit), usize> = FxHashMap::default();
        let split: Vec<usize> = (0..bases)
            .map(|base| {
                let normal = merged.transitions[base].xor(phase[base]);
                let next = numbers.len();
                *numbers.entry((class[base], normal)).or_insert(next)
            })
            .collect();
        if numbers.len() == leader.len() {
            return merged;
        }
        class = split;
    }
    net.clone()
}
