//! The changes that a joint move makes: the part of the transitions that remains when its inputs are known.

use super::exclusive::{Exclusive, Known};
use super::formula::BITS;
use super::plan::Plan;
use super::store::{Extra, Store, of_image};
use crate::net::{Lit, Net};
use rustc_hash::FxHashMap;

/// What holds because the inputs are legal.
pub(super) fn assumptions(plan: &Plan, groups: &Exclusive, inputs: &[u32]) -> Known {
    let mut known = Known::default();
    for &input in inputs {
        for l in plan.topology.legal_pair(input as usize) {
            let Some((first, rest)) = plan.covers.get(l).and_then(|cover| cover.split_first()) else {
                continue;
            };
            let shared = first.iter().filter(|l| rest.iter().all(|p| p.contains(l)));
            shared.for_each(|&l| known.add(groups, l));
        }
    }
    known
}

/// What is left of a net when the inputs are known.
pub(super) struct Changes {
    image: FxHashMap<usize, Lit>,
    /// The bases whose next value is not their value, and what is left of it. Parts of rows and bases that no move has a
    /// say in are left out.
    pub(super) bases: Vec<(u32, Lit)>,
}

impl Changes {
    /// What is left of a literal.
    pub(super) fn left(&self, plan: &Plan, l: Lit) -> Lit {
        self.image.get(&l.node()).map_or_else(|| of_image(&plan.image, l), |i| i.xor(l.inverted()))
    }
}

/// What is left of a net when these inputs and no others are true.
pub(super) fn changes(plan: &Plan, net: &Net, inputs: &[u32], known: &Known, own: &mut Extra) -> Changes {
    let mut store = Store { net, shared: Some(&plan.extra), own };
    let mut image: FxHashMap<usize, Lit> = FxHashMap::default();
    for &input in inputs {
        image.insert(net.input_node(input as usize), Lit::TRUE);
    }
    for (bit, value) in known.bits() {
        let node = match (bit as usize).checked_sub(plan.base_words * BITS) {
            Some(kept) => plan.kept_nodes[kept],
            None => net.base_node(bit as usize),
        };
        image.insert(node, if value { Lit::TRUE } else { Lit::FALSE });
    }
    let mut reached: Vec<usize> = image.keys().copied().collect();
    let mut stack = reached.clone();
    let mut seen = vec![false; net.nodes()];
    while let Some(node) = stack.pop() {
        let fan = plan.topology.fans[node];
        for &g in &plan.topology.targets[fan.start as usize..fan.inverse as usize] {
            let node = net.first_gate() + g as usize;
            if plan.moved[node] && plan.rows.needed[node] && !std::mem::replace(&mut seen[node], true) {
                reached.push(node);
                stack.push(node);
            }
        }
    }
    reached.sort_unstable();
    reached.dedup();
    for &node in &reached {
        if let Some(g) = node.checked_sub(net.first_gate()).filter(|_| seen[node]) {
            let left = |l: &Lit| {
                let constant = image.get(&l.node()).map(|i| i.xor(l.inverted()));
                constant.unwrap_or_else(|| of_image(&plan.image, *l))
            };
            let lits: Vec<Lit> = net.gate(g).iter().map(left).collect();
            let l = store.and(lits.into_iter());
            image.insert(node, l);
        }
    }
    let mut bases: Vec<u32> = plan.unstable.clone();
    for node in reached {
        bases.extend(plan.bases_of.get(&(node as u32)).into_iter().flatten());
    }
    bases.sort_unstable();
    bases.dedup();
    let free = |base: &u32| plan.free.binary_search_by_key(base, |f| f.0).is_ok();
    let mut changes = Changes { image, bases: Vec::new() };
    let changed = bases.into_iter().filter(|b| !free(b));
    let changed = changed.map(|base| (base, changes.left(plan, net.transitions[base as usize])));
    changes.bases = changed.filter(|&(base, l)| l != Lit::of(net.base_node(base as usize))).collect();
    changes
}
