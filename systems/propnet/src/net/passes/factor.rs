//! Takes common factors out: (a and b) or (a and c) becomes a and (b or c).
//!
//! # Steps
//! 1. for each OR, the inputs that are ANDs used nowhere else are its terms;
//! 2. the literal in most terms is taken out of them, if it is in two or more;
//! 3. again with the terms that are left.
//!
//! # Cost
//! Edges times the number of factors of a gate; gates of more than [`MAX_TERMS`] terms are left alone.

use super::super::builder::{Builder, rebuild};
use super::super::{Lit, Net};
use rustc_hash::FxHashMap;

/// Most terms of an OR that is looked at.
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

/// The AND of `inputs`, read as the inverse of an OR of terms.
fn factored(b: &mut Builder, inputs: &[Lit], single: &FxHashMap<usize, ()>) -> Lit {
    let is_term = |l: &Lit| l.inverted() && single.contains_key(&l.node());
    let (terms, mut rest): (Vec<Lit>, Vec<Lit>) = inputs.iter().partition(|l| is_term(l));
    if terms.len() < 2 || terms.len() > MAX_TERMS {
        return b.and(inputs.iter().copied());
    }
    let mut terms: Vec<Vec<Lit>> =
        terms.iter().map(|l| b.inputs_of(l.node()).expect("a term is a gate").to_vec()).collect();
    loop {
        let mut count: FxHashMap<Lit, usize> = FxHashMap::default();
        terms.iter().flatten().for_each(|&l| *count.entry(l).or_default() += 1);
        let Some((&factor, _)) =
            count.iter().filter(|&(_, &n)| n >= 2).max_by_key(|&(&l, &n)| (n, std::cmp::Reverse(l)))
        else {
            break;
        };
        let (with, without): (Vec<_>, Vec<_>) = terms.into_iter().partition(|t| t.contains(&factor));
        terms = without;
        let mut parts = Vec::with_capacity(with.len());
        for term in with {
            parts.push(b.and(term.into_iter().filter(|&l| l != factor)));
        }
        let inner = b.or(parts);
        rest.push(b.and([factor, inner]).not());
    }
    for term in terms {
        rest.push(b.and(term).not());
    }
    b.and(rest)
}
