//! Factors out common literals. For example, (a and b) or (a and c) becomes a and (b or c).
//!
//! # Steps
//! 1. The terms of an OR are its inputs that are ANDs with no other user.
//! 2. The literal in most terms is taken out of them, if it is in two or more.
//! 3. Steps 1 and 2 repeat with the terms that are left.
//!
//! # Cost
//! Edges times their logarithm. Gates with more than [`MAX_TERMS`] terms stay as they are.

use super::super::builder::{Builder, rebuild};
use super::super::{Lit, Net};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most terms of an OR that the pass considers.
const MAX_TERMS: usize = 4096;

/// The net with common factors taken out.
pub(super) fn run(net: &Net) -> Net {
    let mut uses = vec![0_u32; net.nodes()];
    for l in net.edges.iter().copied().chain(net.outputs()) {
        uses[l.node()] += 1;
    }
    // A term is an old gate; its new node is marked when it is made, so that the OR knows it may be taken apart.
    let mut single: FxHashMap<usize, ()> = FxHashMap::default();
    rebuild(net, Lit::of, |b, g, inputs| {
        let node = net.first_gate() + g;
        let made = factored(b, inputs, &single);
        if uses[node] == 1 && !made.inverted() && b.inputs_of(made.node()).is_some() {
            single.insert(made.node(), ());
        } else {
            single.remove(&made.node());
        }
        made
    })
}

/// The terms that have a literal, and the number of them that are still free.
#[derive(Default)]
struct Holders {
    terms: Vec<usize>,
    left: usize,
}

/// The AND of `inputs`, read as the inverse of an OR of terms.
fn factored(b: &mut Builder, inputs: &[Lit], single: &FxHashMap<usize, ()>) -> Lit {
    let is_term = |l: &Lit| l.inverted() && single.contains_key(&l.node());
    let (terms, mut rest): (Vec<Lit>, Vec<Lit>) = inputs.iter().partition(|l| is_term(l));
    if terms.len() < 2 || terms.len() > MAX_TERMS {
        return b.and(inputs.iter().copied());
    }
    let terms: Vec<Vec<Lit>> =
        terms.iter().map(|l| b.inputs_of(l.node()).expect("a term is a gate").to_vec()).collect();
    let mut holders: FxHashMap<Lit, Holders> = FxHashMap::default();
    for (n, term) in terms.iter().enumerate() {
        for &l in term {
            let of = holders.entry(l).or_default();
            of.terms.push(n);
            of.left += 1;
        }
    }
    // Numbers only fall: the top is right once it is no more than its literal has left.
    let mut heap: BinaryHeap<(usize, Reverse<Lit>)> =
        holders.iter().map(|(&l, of)| (of.left, Reverse(l))).collect();
    let mut taken = vec![false; terms.len()];
    while let Some((count, Reverse(factor))) = heap.pop() {
        let left = holders[&factor].left;
        if left < 2 {
            continue;
        }
        if left < count {
            heap.push((left, Reverse(factor)));
            continue;
        }
        let mut parts = Vec::with_capacity(left);
        for n in std::mem::take(&mut holders.get_mut(&factor).expect("it was counted").terms) {
            if std::mem::replace(&mut taken[n], true) {
                continue;
            }
            for l in &terms[n] {
                holders.get_mut(l).expect("it was counted").left -= 1;
            }
            parts.push(b.and(terms[n].iter().copied().filter(|&l| l != factor)));
        }
        let inner = b.or(parts);
        rest.push(b.and([factor, inner]).not());
    }
    for (term, _) in terms.into_iter().zip(taken).filter(|(_, taken)| !taken) {
        rest.push(b.and(term).not());
    }
    b.and(rest)
}
