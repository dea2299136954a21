//! Merges a gate into its only user if both are of the same kind. For example, an AND of an AND becomes one AND.

use super::super::builder::rebuild;
use super::super::{Lit, Net};

/// A gate is not merged into another that would get more inputs than this.
const MAX_INPUTS: usize = 1 << 14;

/// The net with chains of equal gates flattened.
pub(super) fn run(net: &Net) -> Net {
    let mut uses = vec![0_u32; net.nodes()];
    for l in net.edges.iter().copied().chain(net.outputs()) {
        uses[l.node()] += 1;
    }
    // Old gates used once, positively, are not made but spliced; their inputs wait here.
    let mut spliced: rustc_hash::FxHashMap<usize, Vec<Lit>> = rustc_hash::FxHashMap::default();
    let mut once = vec![false; net.nodes()];
    for l in &net.edges {
        once[l.node()] |= uses[l.node()] == 1 && !l.inverted() && l.node() >= net.first_gate();
    }
    rebuild(net, Lit::of, |b, g, inputs| {
        let node = net.first_gate() + g;
        let mut all: Vec<Lit> = Vec::with_capacity(inputs.len());
        for (old, &new) in net.gate(g).iter().zip(inputs) {
            match spliced.remove(&old.node()) {
                Some(parts) if all.len() + parts.len() <= MAX_INPUTS => all.extend(parts),
                Some(parts) => all.push(b.and(parts)),
                None => all.push(new),
            }
        }
        if once[node] {
            spliced.insert(node, all);
            return Lit::TRUE;
        }
        b.and(all)
    })
}
