//! The store of gates of a net, which simplifies them when inputs are known.

use super::cover::Gates;
use crate::net::{Lit, Net};
use rustc_hash::FxHashMap;

/// Gates beside those of a net: what is left of gates when inputs are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Extra {
    /// The node of the first.
    first: usize,
    gates: Vec<Box<[Lit]>>,
    known: FxHashMap<Box<[Lit]>, usize>,
}

/// The gates of a net and those made later, in two steps.
pub(super) struct Store<'a> {
    pub(super) net: &'a Net,
    pub(super) shared: Option<&'a Extra>,
    pub(super) own: &'a mut Extra,
}

impl Extra {
    pub(super) fn new(first: usize) -> Self {
        Self { first, ..Self::default() }
    }

    /// The node after the last.
    pub(super) fn end(&self) -> usize {
        self.first + self.gates.len()
    }
}

impl Store<'_> {
    /// The literal of an AND.
    pub(super) fn and(&mut self, inputs: impl Iterator<Item = Lit>) -> Lit {
        let mut inputs: Vec<Lit> = inputs.filter(|&l| l != Lit::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.contains(&Lit::FALSE) || inputs.windows(2).any(|pair| pair[0] == pair[1].not()) {
            return Lit::FALSE;
        }
        match inputs[..] {
            [] => return Lit::TRUE,
            [one] => return one,
            _ => {}
        }
        if let Some(&node) = self.shared.and_then(|s| s.known.get(&inputs[..])) {
            return Lit::of(node);
        }
        if let Some(&node) = self.own.known.get(&inputs[..]) {
            return Lit::of(node);
        }
        let (node, inputs) = (self.own.end(), inputs.into_boxed_slice());
        self.own.gates.push(inputs.clone());
        self.own.known.insert(inputs, node);
        Lit::of(node)
    }
}

impl Gates for Store<'_> {
    fn inputs(&self, node: usize) -> Option<&[Lit]> {
        if node >= self.own.first {
            return self.own.gates.get(node - self.own.first).map(AsRef::as_ref);
        }
        if let Some(shared) = self.shared.filter(|s| node >= s.first) {
            return shared.gates.get(node - shared.first).map(AsRef::as_ref);
        }
        node.checked_sub(self.net.first_gate()).map(|g| self.net.gate(g))
    }
}

/// Gates that are only read.
pub(super) struct StoreRef<'a> {
    pub(super) net: &'a Net,
    pub(super) extra: &'a Extra,
}

impl Gates for StoreRef<'_> {
    fn inputs(&self, node: usize) -> Option<&[Lit]> {
        match node.checked_sub(self.extra.first) {
            Some(n) => self.extra.gates.get(n).map(AsRef::as_ref),
            None => node.checked_sub(self.net.first_gate()).map(|g| self.net.gate(g)),
        }
    }
}

/// For each node whether it depends on an input.
pub(super) fn moved_gates(net: &Net) -> Vec<bool> {
    let mut moved = vec![false; net.nodes()];
    (0..net.inputs()).for_each(|i| moved[net.input_node(i)] = true);
    for g in 0..net.gates() {
        moved[net.first_gate() + g] = net.gate(g).iter().any(|l| moved[l.node()]);
    }
    moved
}

/// What is left of a literal.
pub(super) fn of_image(image: &[Lit], l: Lit) -> Lit {
    image[l.node()].xor(l.inverted())
}

/// For each node what is left of it when no input is set.
pub(super) fn image_without_inputs(net: &Net, extra: &mut Extra) -> Vec<Lit> {
    let mut image: Vec<Lit> = (0..net.nodes()).map(Lit::of).collect();
    image[0] = Lit::FALSE;
    (0..net.inputs()).for_each(|i| image[net.input_node(i)] = Lit::FALSE);
    let mut store = Store { net, shared: None, own: extra };
    for g in 0..net.gates() {
        let node = net.first_gate() + g;
        if net.gate(g).iter().any(|l| image[l.node()] != Lit::of(l.node())) {
            image[node] = store.and(net.gate(g).iter().map(|&l| of_image(&image, l)));
        }
    }
    image
}
