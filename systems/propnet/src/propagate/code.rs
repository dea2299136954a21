//! A net as code for blocks of lanes: a list of numbers that gives the operations and their order.
//!
//! # Notation
//! A *product* is a gate that only one other gate reads, inverted. A product is evaluated inside its reader and never
//! stored. So an OR of ANDs, the commonest form of rules, is one pass over its inputs. A value is *passing* if only
//! gates of the code read it. It uses a spare block only until its last reader has run, so the spare blocks stay in the
//! nearest cache.
//!
//! # Format
//! The list of each stored gate begins with the block to write. The numbers of plain inputs (16 bits), of inverted
//! inputs (16 bits) and of runs follow. Last come the plain inputs, the inverted inputs and the runs. A run is a list
//! of products of the same shape. It begins with one number: plain inputs (8 bits), inverted inputs (8 bits) and number
//! of products (16 bits). The inputs of each product follow.
//!
//! # Cost
//! One operation for each edge and block. A net with many products saves the memory traffic of their values. For a game
//! of 6,561 facts in 512 lanes these values take 2 MB.

use super::block::Block;
use crate::net::{Lit, Net};

/// The gates of a net, or some of them, in topological order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    list: Vec<u32>,
    spares: usize,
}

/// The most inputs of one kind in a product.
const MAX_PRODUCT: usize = 255;

impl Code {
    /// The code of the gates of a net that `wanted` names. `place` gives the block of a node. Passing values go to
    /// blocks from `spare` on, as many as [`spares`](Self::spares) says.
    pub(crate) fn new(
        net: &Net,
        wanted: &dyn Fn(usize) -> bool,
        place: &dyn Fn(usize) -> u32,
        spare: usize,
    ) -> Self {
        let mut writer = Writer::new(net, wanted, place, spare);
        for g in (0..net.gates()).filter(|&g| wanted(net.first_gate() + g)) {
            writer.append(g);
        }
        writer.code
    }

    /// The number of spare blocks it uses.
    pub(crate) fn spares(&self) -> usize {
        self.spares
    }

    /// Its length: about the number of edges and gates.
    pub(crate) fn size(&self) -> usize {
        self.list.len()
    }

    /// Evaluates the gates.
    #[inline(always)]
    pub(crate) fn evaluate<const W: usize>(&self, values: &mut [Block<W>]) {
        let mut rest = &self.list[..];
        while let [to, shape, runs, after @ ..] = rest {
            let (plain, inverted) = ((shape & 0xffff) as usize, (shape >> 16) as usize);
            let (inputs, next) = after.split_at(plain + inverted);
            rest = next;
            let mut all = conjunction(values, inputs, plain);
            for _ in 0..*runs {
                rest = take_run(values, rest, &mut all);
            }
            values[*to as usize] = all;
        }
    }
}

/// Writes the code of a net.
struct Writer<'a> {
    net: &'a Net,
    place: &'a dyn Fn(usize) -> u32,
    product: Vec<bool>,
    /// For each gate the last gate that reads it, or 0 if something else reads it too. In that case its value has a
    /// block of its own.
    last_reader: Vec<u32>,
    /// Per gate the spare block that holds its value now.
    block: Vec<u32>,
    /// Spare blocks that hold nothing, the one used last on top.
    free: Vec<u32>,
    spare: u32,
    code: Code,
}

impl<'a> Writer<'a> {
    fn new(
        net: &'a Net,
        wanted: &dyn Fn(usize) -> bool,
        place: &'a dyn Fn(usize) -> u32,
        spare: usize,
    ) -> Self {
        let product = products(net, wanted);
        let last_reader = last_readers(net, wanted, &product);
        let (block, free, code) = (vec![0; net.gates()], Vec::new(), Code::default());
        Self { net, place, product, last_reader, block, free, spare: spare as u32, code }
    }

    /// The number of a gate; `None` for other nodes.
    fn gate_of(&self, l: Lit) -> Option<usize> {
        l.node().checked_sub(self.net.first_gate())
    }

    fn place(&self, l: Lit) -> u32 {
        match self.gate_of(l) {
            Some(g) if self.last_reader[g] > 0 => self.block[g],
            _ => (self.place)(l.node()),
        }
    }

    fn append(&mut self, g: usize) {
        if self.product[g] {
            return;
        }
        let net = self.net;
        let is_product = |l: &&Lit| self.gate_of(**l).is_some_and(|g| self.product[g]);
        let (inner, own): (Vec<&Lit>, Vec<&Lit>) = net.gate(g).iter().partition(is_product);
        let mut inner: Vec<(u32, &[Lit])> = inner
            .into_iter()
            .map(|l| net.gate(l.node() - net.first_gate()))
            .map(|gate| (shape(gate.iter(), 8), gate))
            .collect();
        inner.sort_by_key(|&(shape, _)| shape);
        let runs: Vec<&[(u32, &[Lit])]> =
            inner.chunk_by(|a, b| a.0 == b.0).flat_map(|run| run.chunks(0xffff)).collect();
        let head = self.code.list.len();
        self.code.list.extend([0, shape(own.iter().copied(), 16), runs.len() as u32]);
        self.inputs(own.iter().copied());
        for run in runs {
            self.code.list.push(run[0].0 | (run.len() as u32) << 16);
            run.iter().for_each(|(_, gate)| self.inputs(gate.iter()));
        }
        // The value is written when all inputs have been read: it may take the block of one of them.
        own.into_iter().chain(inner.iter().flat_map(|(_, gate)| *gate)).for_each(|&l| self.release(l, g));
        self.code.list[head] = self.home(g);
    }

    fn inputs<'b>(&mut self, lits: impl Iterator<Item = &'b Lit> + Clone) {
        let sorted = lits.clone().filter(|l| !l.inverted()).chain(lits.filter(|l| l.inverted()));
        let places: Vec<u32> = sorted.map(|&l| self.place(l)).collect();
        self.code.list.extend(places);
    }

    /// Gives the block of an input back if gate `reader` is the last to read it.
    fn release(&mut self, l: Lit, reader: usize) {
        let Some(g) = self.gate_of(l) else { return };
        if self.last_reader[g] == reader as u32 && !self.product[g] && self.block[g] != 0 {
            self.free.push(std::mem::take(&mut self.block[g]));
        }
    }

    /// The block for the value of a gate.
    fn home(&mut self, g: usize) -> u32 {
        if self.last_reader[g] == 0 {
            return (self.place)(self.net.first_gate() + g);
        }
        let block = self.free.pop().unwrap_or_else(|| {
            self.code.spares += 1;
            self.spare + self.code.spares as u32 - 1
        });
        self.block[g] = block;
        block
    }
}

/// For each gate the last stored gate that reads it. It is 0 if an output or an unwanted gate reads it, if nothing
/// reads it, and for unwanted gates.
fn last_readers(net: &Net, wanted: &dyn Fn(usize) -> bool, product: &[bool]) -> Vec<u32> {
    let mut last = vec![0_u32; net.gates()];
    let gate_of = |l: Lit| l.node().checked_sub(net.first_gate());
    // A product is read when its reader is, which comes later: gates are taken in order.
    for reader in 0..net.gates() {
        for g in net.gate(reader).iter().filter_map(|&l| gate_of(l)) {
            last[g] = reader as u32;
        }
    }
    for reader in (0..net.gates()).filter(|&g| product[g]).rev() {
        for g in net.gate(reader).iter().filter_map(|&l| gate_of(l)) {
            last[g] = last[g].max(last[reader]);
        }
    }
    for other in (0..net.gates()).filter(|&g| !wanted(net.first_gate() + g)) {
        last[other] = 0;
        net.gate(other).iter().filter_map(|&l| gate_of(l)).for_each(|g| last[g] = 0);
    }
    net.outputs().filter_map(gate_of).for_each(|g| last[g] = 0);
    last
}

/// The numbers of plain and inverted literals, this many bits each.
fn shape<'a>(lits: impl Iterator<Item = &'a Lit>, bits: u32) -> u32 {
    lits.fold(0, |shape, l| shape + if l.inverted() { 1 << bits } else { 1 })
}

/// Finds the gates that are products. A product has no products among its inputs.
fn products(net: &Net, wanted: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut uses = vec![0_u32; net.nodes()];
    net.edges.iter().copied().chain(net.outputs()).for_each(|l| uses[l.node()] += 1);
    let mut product = vec![false; net.gates()];
    for reader in (0..net.gates()).filter(|&g| wanted(net.first_gate() + g)) {
        for l in net.gate(reader).iter().filter(|l| l.inverted() && l.node() >= net.first_gate()) {
            let gate = net.gate(l.node() - net.first_gate());
            let flat =
                gate.iter().all(|l| l.node() < net.first_gate() || !product[l.node() - net.first_gate()]);
            product[l.node() - net.first_gate()] =
                uses[l.node()] == 1 && wanted(l.node()) && flat && (2..=MAX_PRODUCT).contains(&gate.len());
        }
    }
    product
}

/// The AND of inputs, the first `plain` as they are, the others inverted.
#[inline(always)]
fn conjunction<const W: usize>(values: &[Block<W>], inputs: &[u32], plain: usize) -> Block<W> {
    let mut all = [u64::MAX; W];
    let (plain, inverted) = inputs.split_at(plain);
    for &n in plain {
        let x = &values[n as usize];
        (0..W).for_each(|i| all[i] &= x[i]);
    }
    for &n in inverted {
        let x = &values[n as usize];
        (0..W).for_each(|i| all[i] &= !x[i]);
    }
    all
}

/// Takes the products of a run out of `all`; returns the code after the run.
#[inline(always)]
fn take_run<'a, const W: usize>(values: &[Block<W>], code: &'a [u32], all: &mut Block<W>) -> &'a [u32] {
    let (head, after) = (code[0], &code[1..]);
    let (plain, inverted) = ((head & 0xff) as usize, (head >> 8 & 0xff) as usize);
    let (inputs, next) = after.split_at((plain + inverted) * (head >> 16) as usize);
    match (plain, inverted) {
        (2, 0) => take_pairs(values, inputs, all, |x, y| !(x & y)),
        (1, 1) => take_pairs(values, inputs, all, |x, y| !x | y),
        (0, 2) => take_pairs(values, inputs, all, |x, y| x | y),
        _ => {
            for product in inputs.chunks_exact(plain + inverted) {
                let product = conjunction(values, product, plain);
                (0..W).for_each(|i| all[i] &= !product[i]);
            }
        }
    }
    next
}

#[inline(always)]
fn take_pairs<const W: usize>(
    values: &[Block<W>],
    inputs: &[u32],
    all: &mut Block<W>,
    f: impl Fn(u64, u64) -> u64,
) {
    for &[x, y] in inputs.as_chunks().0 {
        let (x, y): (&Block<W>, &Block<W>) = (&values[x as usize], &values[y as usize]);
        (0..W).for_each(|i| all[i] &= f(x[i], y[i]));
    }
}

/// The nodes that some of these literals depend on.
pub(crate) fn cone(net: &Net, roots: impl Iterator<Item = Lit>) -> Vec<bool> {
    let mut needed = vec![false; net.nodes()];
    roots.for_each(|l| needed[l.node()] = true);
    for g in (0..net.gates()).rev() {
        if needed[net.first_gate() + g] {
            net.gate(g).iter().for_each(|l| needed[l.node()] = true);
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Bases;
    use crate::propagate::Topology;
    use std::sync::Arc;
    use tengen_core::SplitMix64;

    const BASES: usize = 8;

    /// A net of random gates over bases; its outputs are the transitions.
    fn random_net(gates: usize, rng: &mut SplitMix64) -> Net {
        let mut net = Net {
            names: Arc::default(),
            edge_start: vec![0],
            edges: Vec::new(),
            transitions: vec![Lit::FALSE; BASES],
            legal: Vec::new(),
            terminal: Lit::FALSE,
            goals: Vec::new(),
        };
        // The last ones are read most, so that many gates have a single reader.
        let pick = |nodes: usize, rng: &mut SplitMix64| {
            let near = nodes.saturating_sub(1 + rng.below(6) as usize).max(1);
            let node = if rng.below(2) == 0 { near } else { 1 + rng.below(BASES as u32) as usize };
            Lit::of(node).xor(rng.below(3) > 0)
        };
        for _ in 0..gates {
            let nodes = net.nodes();
            net.edges.extend((0..2 + rng.below(4)).map(|_| pick(nodes, rng)));
            net.edge_start.push(net.edges.len() as u32);
        }
        let nodes = net.nodes();
        net.transitions.iter_mut().for_each(|l| *l = pick(nodes, rng));
        net
    }

    #[test]
    fn the_code_of_a_net_says_what_its_gates_say() {
        let mut rng = SplitMix64::new(8);
        let (mut products_seen, mut spares_seen) = (0, 0);
        for gates in (1..120).chain([1; 20]) {
            let net = random_net(gates, &mut rng);
            products_seen += products(&net, &|_| true).iter().filter(|p| **p).count();
            let code = Code::new(&net, &|_| true, &|n| n as u32, net.nodes());
            let mut values: Vec<Block<2>> = vec![[0; 2]; net.nodes() + code.spares()];
            spares_seen += code.spares();
            (1..=BASES).for_each(|n| values[n] = [rng.next_u64(), rng.next_u64()]);
            code.evaluate(&mut values);
            let reference = Topology::new(net);
            for lane in 0..128 {
                let bit = |n: usize| values[n][lane / 64] >> (lane % 64) & 1 == 1;
                let state: Bases = (0..BASES).filter(|&b| bit(1 + b)).collect();
                let expected = reference.evaluate(&state, &[]);
                for l in &reference.net.transitions {
                    assert_eq!(bit(l.node()), expected[l.node()], "{gates} gates");
                }
            }
        }
        assert!(products_seen > 500 && spares_seen > 300, "{products_seen} {spares_seen}");
    }
}
