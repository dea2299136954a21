//! Merges bases that are always equal or always opposite, such as the two control facts of a game with two roles.
//!
//! # Source
//! Register correspondence: C. van Eijk, "Sequential equivalence checking based on structural similarities" (2000).
//! This pass uses structural hashing in place of a solver.
//!
//! # Steps
//! 1. The first guess is that bases with equal initial values are always equal, and bases with different ones always
//!    opposite.
//! 2. The net is rebuilt under the guess. A base moves to a new class if its transition is not the same literal as (the
//!    inverse of) that of its class.
//! 3. Step 2 repeats until the guess is proved by induction: it holds at the start, and every step keeps it.
//! 4. The bases of a step counter leave their class one by one, in one round each. So after much work, a class that
//!    still splits is divided into its single bases.
//!
//! # Cost
//! Edges times rounds.

use super::super::builder::rebuild;
use super::super::{Lit, Net};
use rustc_hash::FxHashMap;

/// Rounds before step 4 at least.
const LEAST_ROUNDS: usize = 6;

/// Rounds before step 4 at most.
const MOST_ROUNDS: usize = 64;

/// Step 4 begins when the nets of all rounds together have this many edges.
const PATIENCE: usize = 5_000_000;

/// The net with one base for each class.
pub(super) fn run(net: &Net) -> Net {
    let bases = net.bases();
    // The class of each base; and whether it is opposite to it.
    let mut class = vec![0_usize; bases];
    let phase: Vec<bool> = (0..bases).map(|b| net.names.initial.contains(b)).collect();
    let mut round = 0;
    loop {
        round += 1;
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
        let key = |base: usize| (class[base], merged.transitions[base].xor(phase[base]));
        let mut parts: FxHashMap<(usize, Lit), usize> = FxHashMap::default();
        let mut parts_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (base, &old) in class.iter().enumerate() {
            let next = parts.len();
            parts.entry(key(base)).or_insert_with(|| {
                *parts_of.entry(old).or_default() += 1;
                next
            });
        }
        if parts.len() == leader.len() {
            return merged;
        }
        let patient = round < LEAST_ROUNDS || (round < MOST_ROUNDS && round * net.edges.len() < PATIENCE);
        class = (0..bases)
            .map(|base| if patient || parts_of[&class[base]] == 1 { parts[&key(base)] } else { bases + base })
            .collect();
    }
}
