//! Uses that every role makes exactly one move: an OR of most of a role's inputs is the inverse of an OR of the rest.
//!
//! Frame rules ("a cell keeps its piece unless the move touches it") ground to an OR of thousands of inputs per cell;
//! after this pass a few dozen are left.
//!
//! # Invariants
//! Holds for transitions, which are only read while exactly one input of each role is set. Nothing else depends on
//! inputs.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

/// The net with every such OR replaced, where that is shorter.
pub(super) fn run(net: &Net) -> Net {
    let first_input = net.input_node(0);
    let roles = &net.names.role_start;
    let role_of = |l: Lit| {
        let input = l.node().checked_sub(first_input)?;
        (input < net.inputs()).then(|| roles.partition_point(|&s| s <= input) - 1)
    };
    rebuild(net, Lit::of, |b, inputs| {
        // The gate is an AND; as an OR it joins the inverses of its inputs.
        let mut rest: Vec<Lit> = Vec::new();
        let mut members: Vec<Vec<Lit>> = vec![Vec::new(); roles.len() - 1];
        for &l in inputs {
            match role_of(l) {
                Some(role) if l.inverted() => members[role].push(l.not()),
                _ => rest.push(l),
            }
        }
        for (role, set) in members.iter().enumerate() {
            let all = roles[role]..roles[role + 1];
            if set.len() * 2 <= all.len() || set.len() < 3 {
                rest.extend(set.iter().map(|l| l.not()));
                continue;
            }
            let chosen: rustc_hash::FxHashSet<Lit> = set.iter().copied().collect();
            let others: Vec<Lit> =
                all.map(|i| Lit::of(first_input + i)).filter(|l| !chosen.contains(l)).collect();
            // None of `set` means one of the others.
            rest.push(b.or(others));
        }
        b.and(rest)
    })
}
