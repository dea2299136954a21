//! Gates written as sums of products over few bits.
//!
//! # Notation
//! An *atom* is a bit that a state holds: a base, or the value of a kept gate. A *product* is a sorted list of atoms,
//! each plain or inverted. The number of an entry is twice the bit, plus one if inverted. A *cover* is a list of
//! products, and holds if one of them holds. The empty product always holds, and the empty cover never.
//!
//! # Cost
//! The covers of a gate are made once from those of its inputs. Covers beyond the limits are not made.

use crate::net::Lit;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A sorted list of atoms that must all hold.
pub(super) type Product = Box<[u32]>;

/// A sum of products.
pub(super) type Cover = Vec<Product>;

/// The most literals of a cover.
const MAX_LITERALS: usize = 1 << 13;

/// The covers of a node and of its inverse; `None` where it is too large.
#[derive(Clone, Debug)]
pub(super) struct Both {
    pub(super) plain: Option<Arc<Cover>>,
    pub(super) inverse: Option<Arc<Cover>>,
    /// The literals of the gate with its gates written out, each time they are used.
    size: usize,
}

impl Both {
    fn of_bit(bit: u32) -> Self {
        let single = |atom: u32| Some(Arc::new(vec![Box::from([atom])]));
        Self { plain: single(2 * bit), inverse: single(2 * bit + 1), size: 1 }
    }

    fn of(&self, inverted: bool) -> Option<&Arc<Cover>> {
        if inverted { self.inverse.as_ref() } else { self.plain.as_ref() }
    }
}

/// The gates that covers are made of.
pub(super) trait Gates {
    /// The inputs of a gate; `None` for other nodes.
    fn inputs(&self, node: usize) -> Option<&[Lit]>;
}

/// Covers of nodes, kept once made.
#[derive(Clone, Debug, Default)]
pub(super) struct Covers {
    made: FxHashMap<u32, Both>,
    /// The most products of a cover.
    limit: usize,
    /// How much larger than its gates a cover may be, in halves.
    growth: usize,
    /// Products that were made. Beyond [`MAX_WORK`] no more covers are made, and gates are kept instead.
    work: usize,
}

/// The most products that are made for one plan or one joint move.
const MAX_WORK: usize = 2_000_000;

impl Covers {
    /// With a limit of the products of each cover.
    pub(super) fn new(limit: usize) -> Self {
        let mut made = FxHashMap::default();
        // Node 0 is always false.
        let (never, always) = (Some(Arc::new(Vec::new())), Some(Arc::new(vec![Product::default()])));
        made.insert(0, Both { plain: never, inverse: always, size: 0 });
        Self { made, limit, growth: 3, work: 0 }
    }

    /// The same, with covers up to this many halves of the size of their gates.
    pub(super) fn with_growth(limit: usize, growth: usize) -> Self {
        Self { growth, ..Self::new(limit) }
    }

    /// Makes a node an atom.
    pub(super) fn set_bit(&mut self, node: usize, bit: u32) {
        self.made.insert(node as u32, Both::of_bit(bit));
    }

    /// The cover of a literal, if it was made.
    pub(super) fn get(&self, lit: Lit) -> Option<&Arc<Cover>> {
        self.made.get(&(lit.node() as u32)).and_then(|both| both.of(lit.inverted()))
    }

    /// Whether a node is an atom.
    pub(super) fn is_bit(&self, node: usize) -> bool {
        let plain = self.made.get(&(node as u32)).and_then(|both| both.plain.as_ref());
        plain.is_some_and(|cover| cover.len() == 1 && cover[0].len() == 1)
    }

    /// The cover of a literal. `shared` has covers that were made before.
    pub(super) fn of(&mut self, gates: &impl Gates, shared: Option<&Self>, lit: Lit) -> Option<Arc<Cover>> {
        self.make(gates, shared, lit.node());
        self.known(shared, lit.node()).and_then(|both| both.of(lit.inverted()).cloned())
    }

    fn known<'a>(&'a self, shared: Option<&'a Self>, node: usize) -> Option<&'a Both> {
        let node = node as u32;
        self.made.get(&node).or_else(|| shared.and_then(|s| s.made.get(&node)))
    }

    /// Makes the covers of a node and of all it rests on.
    fn make(&mut self, gates: &impl Gates, shared: Option<&Self>, node: usize) {
        let mut stack = vec![node];
        while let Some(&node) = stack.last() {
            if self.known(shared, node).is_some() {
                stack.pop();
                continue;
            }
            let inputs = gates.inputs(node).expect("bases are atoms and inputs have been replaced");
            let before = stack.len();
            stack.extend(inputs.iter().map(|l| l.node()).filter(|&n| self.known(shared, n).is_none()));
            if stack.len() == before {
                let both = self.of_gate(shared, inputs);
                let products = |c: &Option<Arc<Cover>>| c.as_ref().map_or(4 * self.limit, |c| c.len());
                self.work += products(&both.plain) + products(&both.inverse);
                self.made.insert(node as u32, both);
                stack.pop();
            }
        }
    }

    fn of_gate(&self, shared: Option<&Self>, inputs: &[Lit]) -> Both {
        let cover = |l: Lit| self.known(shared, l.node()).and_then(|b| b.of(l.inverted()).map(Arc::as_ref));
        let plain: Option<Vec<&Cover>> = inputs.iter().map(|&l| cover(l)).collect();
        let inverse: Option<Vec<&Cover>> = inputs.iter().map(|&l| cover(l.not())).collect();
        let (plain, inverse) = if self.work > MAX_WORK { (None, None) } else { (plain, inverse) };
        let size = inputs.iter().filter_map(|l| self.known(shared, l.node())).map(|b| b.size);
        let size = size.fold(0, usize::saturating_add);
        // A cover much larger than its gates repeats them: it has been multiplied out.
        let fits =
            |c: &Cover| c.iter().map(|p| p.len()).sum::<usize>() <= size.saturating_mul(self.growth) / 2 + 4;
        Both {
            plain: plain.and_then(|covers| and(&covers, self.limit)).filter(fits).map(Arc::new),
            inverse: inverse.and_then(|covers| or(&covers, self.limit)).filter(fits).map(Arc::new),
            size,
        }
    }
}

/// The cover that holds where one of these does.
pub(super) fn or(covers: &[&Cover], limit: usize) -> Option<Cover> {
    if covers.iter().map(|c| c.len()).sum::<usize>() > limit.saturating_mul(4) {
        return None;
    }
    tidy(covers.iter().flat_map(|c| c.iter().cloned()).collect(), limit)
}

/// The cover that holds where all of these do.
pub(super) fn and(covers: &[&Cover], limit: usize) -> Option<Cover> {
    let mut covers = covers.to_vec();
    covers.sort_by_key(|c| c.len());
    let mut all: Cover = vec![Product::default()];
    for cover in covers {
        if all.len() * cover.len() > limit.saturating_mul(4) {
            return None;
        }
        let products = all.iter().flat_map(|a| cover.iter().filter_map(move |b| both(a, b))).collect();
        all = tidy(products, limit)?;
    }
    Some(all)
}

/// The product of two products; `None` if it contradicts itself.
pub(super) fn both(a: &[u32], b: &[u32]) -> Option<Product> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) if x == y => {
                j += 1;
                i += 1;
                x
            }
            (Some(&x), y) if y.is_none_or(|&y| x < y) => {
                i += 1;
                x
            }
            (_, y) => {
                j += 1;
                *y.expect("one of the two goes on")
            }
        };
        if all.last() == Some(&(next ^ 1)) {
            return None;
        }
        all.push(next);
    }
    Some(all.into())
}

/// Sorts products and drops those that another one makes needless; `None` if too many are left.
fn tidy(mut products: Cover, limit: usize) -> Option<Cover> {
    products.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    products.dedup();
    // Comparing all pairs of a long list costs more than it saves.
    if products.len() <= 256 {
        let mut kept: Cover = Vec::with_capacity(products.len());
        for product in products {
            if !kept.iter().any(|k| is_part(k, &product)) {
                kept.push(product);
            }
        }
        products = kept;
    }
    let fits = products.len() <= limit && products.iter().map(|p| p.len()).sum::<usize>() <= MAX_LITERALS;
    fits.then_some(products)
}

/// Whether all of `a` is in `b`; both are sorted.
fn is_part(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.any(|y| x == y))
}
