//! Chooses the gates whose values get a bit in the state, because they cannot be written as a small cover.

use super::cover::{Cover, Covers, Gates, Product, and, both, or};
use super::exclusive::{Exclusive, Known};
use super::formula::{Checks, Formula};
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

/// Covers, and the gates that are kept because theirs are too large.
struct Kept {
    covers: Covers,
    first_bit: usize,
    /// Nodes and sources, inputs before the gates that use them.
    nodes: Vec<usize>,
    sources: Vec<Source>,
}

impl Kept {
    fn new(covers: Covers, first_bit: usize) -> Self {
        Self { covers, first_bit, nodes: Vec::new(), sources: Vec::new() }
    }

    /// Keeps a gate, and before it those inputs that it needs kept.
    fn keep(&mut self, gates: &impl Gates, shared: Option<&Covers>, node: usize) {
        let mut stack = vec![node];
        while let Some(&node) = stack.last() {
            if self.covers.is_bit(node) {
                stack.pop();
                continue;
            }
            match keep(&mut self.covers, gates, shared, node) {
                Ok(source) => {
                    self.covers.set_bit(node, (self.first_bit + self.nodes.len()) as u32);
                    self.nodes.push(node);
                    self.sources.push(source);
                    stack.pop();
                }
                Err(inputs) => stack.extend(inputs),
            }
        }
    }
}

/// Chooses covers for a plan, and gates to keep.
pub(super) struct Maker<'a> {
    gates: StoreRef<'a>,
    kept: Kept,
}

/// What a plan is made of.
pub(super) struct Made {
    pub(super) kept_nodes: Vec<usize>,
    pub(super) kept: Vec<Source>,
    pub(super) guards: Vec<Source>,
    pub(super) legal: Vec<Source>,
    pub(super) terminal: Cover,
    pub(super) covers: Covers,
}

/// The rounds in which gates are chosen. Two or three are the rule.
const MAX_ROUNDS: usize = 8;

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
    fn new(net: &'a Net, extra: &'a Extra, first_bit: usize) -> Self {
        let mut covers = Covers::new(MAX_PRODUCTS);
        (0..net.bases()).for_each(|base| covers.set_bit(net.base_node(base), base as u32));
        Self { gates: StoreRef { net, extra }, kept: Kept::new(covers, first_bit) }
    }

    /// All that a plan is made of; `None` if no choice of gates is found.
    pub(super) fn make(
        topology: &'a Topology,
        extra: &'a Extra,
        first_bit: usize,
        free: &[(u32, Lit)],
    ) -> Option<Made> {
        let net = &topology.net;
        let mut maker = Self::new(net, extra, first_bit);
        for _ in 0..MAX_ROUNDS {
            let before = maker.kept.nodes.len();
            free.iter().for_each(|f| maker.settle_both(f.1));
            topology.guards.iter().chain(&net.legal).for_each(|&l| maker.settle(l));
            maker.settle_end(net.terminal);
            maker.settle_kept();
            if maker.kept.nodes.len() == before {
                return maker.made(topology);
            }
            maker = maker.anew();
        }
        None
    }

    /// The same gates kept, without the covers that were made before they were. With gates kept other covers are
    /// written out. That may need more gates.
    fn anew(self) -> Self {
        let Kept { mut nodes, first_bit, .. } = self.kept;
        // A gate's inputs have lower numbers; those that were kept after it would else come after it.
        nodes.sort_unstable();
        let mut maker = Self::new(self.gates.net, self.gates.extra, first_bit);
        for (n, &node) in nodes.iter().enumerate() {
            maker.kept.covers.set_bit(node, (first_bit + n) as u32);
        }
        maker.kept.nodes = nodes;
        maker
    }

    fn cover(&mut self, l: Lit) -> Option<Arc<Cover>> {
        self.kept.covers.of(&self.gates, None, l)
    }

    fn smaller(&mut self, l: Lit) -> Option<Source> {
        smaller(&mut self.kept.covers, &self.gates, None, l)
    }

    fn keep(&mut self, node: usize) {
        self.kept.keep(&self.gates, None, node);
    }

    /// Keeps what a literal needs to have a source.
    fn settle(&mut self, l: Lit) {
        if self.smaller(l).is_none() {
            self.keep(l.node());
        }
    }

    /// The same for a literal and its inverse.
    fn settle_both(&mut self, l: Lit) {
        if [l, l.not()].into_iter().any(|l| self.cover(l).is_none()) {
            self.keep(l.node());
        }
    }

    /// Keeps what the terms of terminal need to be products.
    fn settle_end(&mut self, l: Lit) {
        for term in self.end_terms(l) {
            if self.cover(term).is_none() {
                self.keep(term.node());
            }
        }
    }

    /// Keeps what kept gates need.
    fn settle_kept(&mut self) {
        for node in self.kept.nodes.clone() {
            if let Err(inputs) = keep(&mut self.kept.covers, &self.gates, None, node) {
                inputs.into_iter().for_each(|input| self.keep(input));
            }
        }
    }

    /// The literals of which terminal is the OR: gates that are no OR, bases, kept gates.
    fn end_terms(&self, l: Lit) -> Vec<Lit> {
        let (mut terms, mut stack) = (Vec::new(), vec![l]);
        while let Some(l) = stack.pop() {
            match self.gates.inputs(l.node()) {
                Some(inputs) if l.inverted() && !self.kept.covers.is_bit(l.node()) => {
                    stack.extend(inputs.iter().map(|l| l.not()));
                }
                _ => terms.push(l),
            }
        }
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The sources of all outputs, which are settled.
    fn made(mut self, topology: &Topology) -> Option<Made> {
        let net = &topology.net;
        let kept_nodes = self.kept.nodes.clone();
        let kept = kept_nodes.iter().map(|&node| keep(&mut self.kept.covers, &self.gates, None, node).ok());
        let kept = kept.collect::<Option<_>>()?;
        let guards = topology.guards.iter().map(|&l| self.smaller(l)).collect::<Option<_>>()?;
        let legal = net.legal.iter().map(|&l| self.smaller(l)).collect::<Option<_>>()?;
        let terms = self.end_terms(net.terminal);
        let terminal = terms.into_iter().map(|term| self.cover(term)).collect::<Option<Vec<_>>>()?;
        let terminal = terminal.iter().flat_map(|cover| cover.iter().cloned()).collect();
        Some(Made { kept_nodes, kept, guards, legal, terminal, covers: self.kept.covers })
    }
}

/// Formulas of one joint move, with scratch bits where they are large.
pub(super) struct Locals(Kept);

impl Locals {
    /// None yet, for goals. `first` is the first scratch bit.
    pub(super) fn for_goals(first: usize) -> Self {
        Self(Kept::new(Covers::new(MAX_KEPT_PRODUCTS), first))
    }

    /// None yet. Their covers may be six times the size of their gates: they are simplified afterwards.
    pub(super) fn new(first: usize) -> Self {
        Self(Kept::new(Covers::with_growth(MAX_PRODUCTS, 12), first))
    }

    /// The sources of the scratch bits, in order.
    pub(super) fn bits(&self) -> &[Source] {
        &self.0.sources
    }

    /// The covers of a literal and of its inverse, at least one of them. `shared` are those of the plan.
    pub(super) fn both(&mut self, shared: &Covers, store: &Store<'_>, l: Lit) -> [Option<Arc<Cover>>; 2] {
        loop {
            let covers = [l, l.not()].map(|l| self.0.covers.of(store, Some(shared), l));
            if covers.iter().any(Option::is_some) {
                return covers;
            }
            self.keep(shared, store, l.node());
        }
    }

    /// The source of a literal.
    pub(super) fn source(&mut self, shared: &Covers, store: &Store<'_>, l: Lit) -> Source {
        loop {
            if let Some(source) = smaller(&mut self.0.covers, store, Some(shared), l) {
                return source;
            }
            self.keep(shared, store, l.node());
        }
    }

    /// Gives a gate a scratch bit.
    pub(super) fn keep(&mut self, shared: &Covers, store: &Store<'_>, node: usize) {
        self.0.keep(store, Some(shared), node);
    }
}
