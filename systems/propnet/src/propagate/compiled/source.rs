//! The choice of gates that keep a bit of their own: those whose value cannot be written as a small cover.

use super::cover::{Cover, Covers, Gates, Product, and, both, or};
use super::exclusive::{Exclusive, Known};
use super::formula::{Checks, Formula};
use super::plan::Plan;
use super::store::{Extra, Store, StoreRef};
use crate::net::{Lit, Net};
use crate::propagate::Topology;
use std::sync::Arc;

/// The most products of an output.
const MAX_PRODUCTS: usize = 64;

/// The most products of a kept gate.
pub(super) const MAX_KEPT_PRODUCTS: usize = 1024;

/// A cover, or the inverse of one.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) cover: Arc<Cover>,
    pub(super) inverted: bool,
}

impl Source {
    pub(super) fn plain(cover: Arc<Cover>) -> Self {
        Self { cover, inverted: false }
    }

    /// Its value, if it is constant.
    pub(super) fn value(&self) -> Option<bool> {
        match self.cover.as_slice() {
            [] => Some(self.inverted),
            [one] if one.is_empty() => Some(!self.inverted),
            _ => None,
        }
    }

    /// What is left of it.
    pub(super) fn restrict(&self, known: &Known, groups: &Exclusive) -> Self {
        Self { cover: Arc::new(known.restrict(groups, &self.cover)), inverted: self.inverted }
    }

    /// Whether it is one product as it is.
    pub(super) fn is_product(&self) -> bool {
        self.cover.len() == 1 && !self.inverted
    }

    pub(super) fn write(&self, checks: &mut Checks) -> Formula {
        checks.write(&self.cover, self.inverted)
    }
}

/// Chooses covers, and gates to keep where they are too large.
pub(super) struct Maker<'a> {
    store: StoreRef<'a>,
    pub(super) covers: Covers,
    first_bit: usize,
    /// Nodes of kept gates, inputs before the gates that use them.
    pub(super) kept: Vec<usize>,
    /// Whether all covers were made with these gates kept.
    pub(super) is_settled: bool,
}

/// The smaller of the covers of a literal and its inverse.
pub(super) fn smaller(
    covers: &mut Covers,
    gates: &impl Gates,
    shared: Option<&Covers>,
    l: Lit,
) -> Option<Source> {
    let plain = covers.of(gates, shared, l).map(Source::plain);
    let inverse = covers.of(gates, shared, l.not()).map(|cover| Source { cover, inverted: true });
    let size = |s: &Source| s.cover.iter().map(|p| p.len()).sum::<usize>();
    plain.into_iter().chain(inverse).min_by_key(size)
}

/// The source of a gate that gets a bit of its own, or the inputs that must have one before it.
pub(super) fn keep(
    covers: &mut Covers,
    gates: &impl Gates,
    shared: Option<&Covers>,
    node: usize,
) -> Result<Source, Vec<usize>> {
    let inputs = gates.inputs(node).unwrap_or_default().to_vec();
    // The inputs may have got bits since the covers of the node were made.
    let inverse: Option<Vec<Arc<Cover>>> =
        inputs.iter().map(|&l| covers.of(gates, shared, l.not())).collect();
    let inverse =
        inverse.and_then(|c| or(&c.iter().map(AsRef::as_ref).collect::<Vec<_>>(), MAX_KEPT_PRODUCTS));
    let plain: Vec<Option<Arc<Cover>>> = inputs.iter().map(|&l| covers.of(gates, shared, l)).collect();
    let literals = |cover: &Cover| cover.iter().map(|p| p.len()).sum::<usize>();
    let written: usize = plain.iter().flatten().map(|c| literals(c)).sum();
    let product: Option<Vec<&Cover>> = plain.iter().map(|c| c.as_deref()).collect();
    let product = product.and_then(|c| and(&c, MAX_KEPT_PRODUCTS)).filter(|c| literals(c) <= 2 * written + 4);
    match (inverse, product) {
        (Some(inverse), Some(product)) if literals(&inverse) > literals(&product) => {
            return Ok(Source::plain(Arc::new(product)));
        }
        (Some(cover), _) => return Ok(Source { cover: Arc::new(cover), inverted: true }),
        (None, Some(product)) => return Ok(Source::plain(Arc::new(product))),
        (None, None) => {}
    }
    let large: Vec<usize> = inputs
        .iter()
        .zip(&plain)
        .filter(|(_, c)| c.as_ref().is_none_or(|c| c.len() != 1))
        .map(|(l, _)| l.node())
        .collect();
    if !large.is_empty() {
        return Err(large);
    }
    let mut product = Some(Product::default());
    for cover in plain.iter().flatten() {
        product = product.and_then(|product| both(&product, &cover[0]));
    }
    Ok(Source::plain(Arc::new(product.into_iter().collect())))
}

impl<'a> Maker<'a> {
    pub(super) fn new(net: &'a Net, extra: &'a Extra, first_bit: usize) -> Self {
        let mut covers = Covers::new(MAX_PRODUCTS);
        (0..net.bases()).for_each(|base| covers.set_bit(net.base_node(base), base as u32));
        Self { store: StoreRef { net, extra }, covers, first_bit, kept: Vec::new(), is_settled: false }
    }

    /// All that a plan needs kept.
    pub(super) fn settled(
        topology: &'a Topology,
        extra: &'a Extra,
        first_bit: usize,
        free: &[(u32, Lit)],
    ) -> Self {
        let net = &topology.net;
        let mut maker = Self::new(net, extra, first_bit);
        // With gates kept other covers are written out. That may need more gates.
        loop {
            let before = maker.kept.len();
            free.iter().for_each(|f| maker.settle_both(f.1));
            topology.guards.iter().chain(&net.legal).for_each(|&l| maker.settle(l));
            maker.settle_end(net.terminal);
            for node in maker.kept.clone() {
                if let Err(inputs) = keep(&mut maker.covers, &maker.store, None, node) {
                    inputs.into_iter().for_each(|input| maker.keep(input));
                }
            }
            if maker.is_settled && maker.kept.len() == before {
                return maker;
            }
            maker = maker.anew();
        }
    }

    /// The same gates kept, without the covers that were made before they were.
    pub(super) fn anew(self) -> Self {
        let Self { store, first_bit, mut kept, .. } = self;
        // A gate's inputs have lower numbers; those that were kept after it would else come after it.
        kept.sort_unstable();
        let mut maker = Self::new(store.net, store.extra, first_bit);
        for (n, &node) in kept.iter().enumerate() {
            maker.covers.set_bit(node, (first_bit + n) as u32);
        }
        (maker.kept, maker.is_settled) = (kept, true);
        maker
    }

    /// The sources of the kept gates, in order.
    pub(super) fn kept_sources(&mut self) -> Vec<Source> {
        let kept = self.kept.clone();
        let of = |node: usize| keep(&mut self.covers, &self.store, None, node);
        kept.into_iter()
            .map(of)
            .map(|source| source.unwrap_or_else(|_| unreachable!("its inputs are kept")))
            .collect()
    }

    /// Keeps what a literal needs to have a source.
    pub(super) fn settle(&mut self, l: Lit) {
        if smaller(&mut self.covers, &self.store, None, l).is_none() {
            self.keep(l.node());
        }
    }

    /// The same for a literal and its inverse.
    pub(super) fn settle_both(&mut self, l: Lit) {
        while [l, l.not()].into_iter().any(|l| self.covers.of(&self.store, None, l).is_none()) {
            self.keep(l.node());
        }
    }

    fn keep(&mut self, node: usize) {
        let mut stack = vec![node];
        while let Some(&node) = stack.last() {
            if self.covers.is_bit(node) {
                stack.pop();
                continue;
            }
            match keep(&mut self.covers, &self.store, None, node) {
                Ok(_) => {
                    self.covers.set_bit(node, (self.first_bit + self.kept.len()) as u32);
                    self.kept.push(node);
                    stack.pop();
                }
                Err(inputs) => stack.extend(inputs),
            }
        }
    }

    /// The source of a literal that is settled.
    pub(super) fn source(&mut self, l: Lit) -> Source {
        let source = smaller(&mut self.covers, &self.store, None, l);
        source.unwrap_or_else(|| unreachable!("what it needs is kept"))
    }

    /// The literals of which terminal is the OR: each has a cover, or an OR is not what it is.
    fn end_terms(&mut self, l: Lit) -> Vec<Lit> {
        let (mut terms, mut stack) = (Vec::new(), vec![l]);
        while let Some(l) = stack.pop() {
            let is_gate = self.store.inputs(l.node()).is_some() && !self.covers.is_bit(l.node());
            if l.inverted() && is_gate {
                stack.extend(self.store.inputs(l.node()).into_iter().flatten().map(|l| l.not()));
            } else {
                terms.push(l);
            }
        }
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// Keeps what the terms of terminal need to be products.
    pub(super) fn settle_end(&mut self, l: Lit) {
        for term in self.end_terms(l) {
            if self.covers.of(&self.store, None, term).is_none() {
                self.keep(term.node());
            }
        }
    }

    /// The products of terminal.
    pub(super) fn end_cover(&mut self, l: Lit) -> Cover {
        let terms = self.end_terms(l);
        let covers = terms.iter().map(|&term| self.covers.of(&self.store, None, term));
        covers
            .flat_map(|cover| cover.unwrap_or_else(|| unreachable!("what it needs is kept")).to_vec())
            .collect()
    }
}

/// Formulas of one joint move, with scratch bits where they are large.
pub(super) struct Locals {
    pub(super) covers: Covers,
    pub(super) bits: Vec<Source>,
    pub(super) first: usize,
}

impl Locals {
    /// None yet, for goals.
    pub(super) fn for_goals(plan: &Plan) -> Self {
        Self { covers: Covers::new(MAX_KEPT_PRODUCTS), bits: Vec::new(), first: plan.scratch() }
    }

    /// None yet. Their covers may be six times the size of their gates: they are simplified afterwards.
    pub(super) fn new(plan: &Plan) -> Self {
        Self { covers: Covers::with_growth(MAX_PRODUCTS, 12), bits: Vec::new(), first: plan.scratch() }
    }

    /// The covers of a literal and of its inverse, at least one of them.
    pub(super) fn both(&mut self, plan: &Plan, store: &Store<'_>, l: Lit) -> [Option<Arc<Cover>>; 2] {
        if l.is_constant() {
            return [l, l.not()]
                .map(|l| Some(Arc::new(if l == Lit::TRUE { vec![Product::default()] } else { Vec::new() })));
        }
        loop {
            let covers = [l, l.not()].map(|l| self.covers.of(store, Some(&plan.covers), l));
            if covers.iter().any(Option::is_some) {
                return covers;
            }
            self.keep(plan, store, l.node());
        }
    }

    pub(super) fn source(&mut self, plan: &Plan, store: &Store<'_>, l: Lit) -> Source {
        let shared = Some(&plan.covers);
        loop {
            if let Some(source) = smaller(&mut self.covers, store, shared, l) {
                return source;
            }
            self.keep(plan, store, l.node());
        }
    }

    pub(super) fn keep(&mut self, plan: &Plan, store: &Store<'_>, node: usize) {
        let mut stack = vec![node];
        while let Some(&node) = stack.last() {
            if self.covers.is_bit(node) {
                stack.pop();
                continue;
            }
            match keep(&mut self.covers, store, Some(&plan.covers), node) {
                Ok(source) => {
                    let bit = (self.first + self.bits.len()) as u32;
                    self.bits.push(source);
                    self.covers.set_bit(node, bit);
                    stack.pop();
                }
                Err(inputs) => stack.extend(inputs),
            }
        }
    }
}
