//! Removes from the legal propositions of a role the literal that most of them share, and keeps it once as a guard.
//!
//! # Steps
//! 1. For each role, count the literals of the ANDs that are legal propositions and nothing else.
//! 2. The most frequent literal becomes a guard if [`LEAST`] or more propositions have it; those propositions lose it.
//! 3. Steps 1 and 2 repeat with the moves that are left.

use super::super::builder::rebuild;
use super::super::{Lit, Net};
use super::Guarded;
use rustc_hash::FxHashMap;

/// The fewest moves that make a guard.
const LEAST: usize = 4;

/// The net with guards.
pub(super) fn run(net: &Net) -> Guarded {
    let mut uses = vec![0_u32; net.nodes()];
    for l in net.edges.iter().copied().chain(net.outputs()) {
        uses[l.node()] += 1;
    }
    let mut guards = vec![Lit::TRUE];
    let mut guard_of = vec![0_u32; net.inputs()];
    let mut without: FxHashMap<usize, Lit> = FxHashMap::default();
    for role in 0..net.names.roles.len() {
        let mut open: Vec<usize> = net
            .inputs_of(role)
            .filter(|&i| {
                let l = net.legal[i];
                !l.inverted() && l.node() >= net.first_gate() && uses[l.node()] == 1
            })
            .collect();
        loop {
            let mut count: FxHashMap<Lit, usize> = FxHashMap::default();
            for &i in &open {
                net.gate(net.legal[i].node() - net.first_gate())
                    .iter()
                    .for_each(|&l| *count.entry(l).or_default() += 1);
            }
            let best = count.into_iter().max_by_key(|&(l, n)| (n, std::cmp::Reverse(l)));
            let Some((guard, _)) = best.filter(|&(_, n)| n >= LEAST) else { break };
            let number = guards.iter().position(|&g| g == guard).unwrap_or_else(|| {
                guards.push(guard);
                guards.len() - 1
            });
            open.retain(|&i| {
                let node = net.legal[i].node();
                let has = net.gate(node - net.first_gate()).contains(&guard);
                if has {
                    guard_of[i] = number as u32;
                    without.insert(node, guard);
                }
                !has
            });
        }
    }
    // Guards are carried through the rebuilding as outputs of the terminal kind: appended goals.
    let mut carried = net.clone();
    carried.goals.push(guards.clone());
    let mut made = rebuild(&carried, Lit::of, |b, g, inputs| {
        let old = net.gate(g);
        match without.get(&(net.first_gate() + g)) {
            Some(guard) => b.and(old.iter().zip(inputs).filter(|(o, _)| *o != guard).map(|(_, &new)| new)),
            None => b.and(inputs.iter().copied()),
        }
    });
    let guards = made.goals.pop().unwrap_or_default();
    Guarded { net: made, guards, guard_of }
}

/// The net with the guards put back into its legal propositions.
pub(super) fn put_back(net: &Net, guards: &[Lit], guard_of: &[u32]) -> Net {
    let mut whole = net.clone();
    for (input, &number) in guard_of.iter().enumerate() {
        let (legal, guard) = (net.legal[input], guards[number as usize]);
        if guard == Lit::TRUE || legal == Lit::FALSE {
            continue;
        }
        whole.edges.extend([legal, guard].into_iter().filter(|&l| l != Lit::TRUE));
        whole.edge_start.push(whole.edges.len() as u32);
        whole.legal[input] = Lit::of(whole.nodes() - 1);
    }
    whole
}
