//! Groups of bases of which at most one holds, such as the contents of a cell.
//!
//! # Steps
//! 1. Candidates are facts of one name that differ only in some of their arguments. Candidates that a few random games
//!    contradict are dropped.
//! 2. A joint move is compiled on the assumption that the groups hold before it. It is then checked that they hold
//!    after it. A group that may not hold afterwards is dropped, and all joint moves are compiled again.
//! 3. A state that comes from outside is checked as well.
//!
//! By induction every remaining group holds in all states that are reached.

use super::cover::{Cover, Product};
use super::formula::{BITS, Word};
use crate::net::{Bases, Net};
use crate::propagate::differential::{Differential, Goals};
use crate::propagate::{Propagator, Topology};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tengen_core::SplitMix64;

/// Facts with more arguments, or with terms in them, are in no group.
const MAX_ARGUMENTS: usize = 6;

/// States of random games.
const SAMPLES: usize = 512;

/// The most pairs of products that are compared for a proof.
const MAX_PAIRS: usize = 20_000;

/// States of a few random games: how often each base holds in them.
pub(super) fn samples(topology: &Arc<Topology>) -> Vec<Bases> {
    let mut walk = Differential::new(Arc::clone(topology), true, Goals::Asked);
    let start = topology.net.names.initial.clone();
    let mut rng = SplitMix64::new(1);
    let mut states = vec![start.clone()];
    let mut moves = Vec::new();
    while states.len() < SAMPLES {
        moves.clear();
        if !walk.terminal() {
            for role in 0..topology.net.names.roles.len() {
                let legal = walk.legal(role);
                if !legal.is_empty() {
                    moves.push(legal[rng.below(legal.len() as u32) as usize]);
                }
            }
        }
        if moves.len() == topology.net.names.roles.len() {
            walk.advance(&moves);
        } else {
            if states.len() == 1 {
                break;
            }
            walk.restart(&start);
        }
        states.push(walk.state().clone());
    }
    states
}

/// What of a group may not hold after a move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Broken {
    /// At most one member.
    Group(u32),
    /// At least one member.
    Exactness(u32),
}

/// The groups of a net.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusive {
    /// The members of each group; none if it was dropped.
    pub(super) members: Vec<Vec<u32>>,
    /// Of each group whether one of its members holds always.
    pub(super) exact: Vec<bool>,
    /// The groups of each base.
    of: Vec<Vec<u32>>,
}

impl Exclusive {
    /// The candidates that no sample contradicts.
    pub(super) fn new(net: &Net, samples: &[Bases]) -> Self {
        let mut by_key: FxHashMap<(usize, String), Vec<u32>> = FxHashMap::default();
        let mut keys: Vec<(usize, String)> = Vec::new();
        for (base, fact) in net.names.bases.iter().enumerate() {
            let words: Vec<&str> = fact.split(' ').collect();
            let arguments = words.len() - 1;
            if arguments > MAX_ARGUMENTS || words.iter().any(|w| w.starts_with('(') && *w != words[0]) {
                continue;
            }
            for varied in 1..1_usize << arguments {
                let mut rest = words.clone();
                (0..arguments).filter(|n| varied >> n & 1 == 1).for_each(|n| rest[n + 1] = "");
                let key = (varied, rest.join(" "));
                let members = by_key.entry(key.clone()).or_default();
                if members.is_empty() {
                    keys.push(key);
                }
                members.push(base as u32);
            }
        }
        let mut found: Vec<&Vec<u32>> = Vec::new();
        let mut by_size: Vec<&Vec<u32>> = keys.iter().map(|key| &by_key[key]).collect();
        by_size.sort_by_key(|m| std::cmp::Reverse(m.len()));
        for members in by_size {
            let holds = |state: &Bases| members.iter().filter(|&&b| state.contains(b as usize)).count() <= 1;
            let is_known = |of: &&Vec<u32>| **of == *members;
            if members.len() > 1 && samples.iter().all(holds) && !found.iter().any(is_known) {
                found.push(members);
            }
        }
        let mut groups = Self { of: vec![Vec::new(); net.bases()], ..Self::default() };
        for members in found {
            let exact = samples.iter().all(|s| members.iter().any(|&b| s.contains(b as usize)));
            members.iter().for_each(|&b| groups.of[b as usize].push(groups.members.len() as u32));
            groups.members.push(members.clone());
            groups.exact.push(exact);
        }
        groups
    }

    /// Drops a group.
    pub(super) fn drop(&mut self, group: u32) {
        self.exact[group as usize] = false;
        for base in std::mem::take(&mut self.members[group as usize]) {
            self.of[base as usize].retain(|&g| g != group);
        }
    }

    /// Drops all groups of a base.
    pub(super) fn drop_all_of(&mut self, base: u32) {
        while let Some(&group) = self.of(base).first() {
            self.drop(group);
        }
    }

    /// The groups of a bit; none for bits that are no bases.
    pub(super) fn of(&self, bit: u32) -> &[u32] {
        self.of.get(bit as usize).map_or(&[], Vec::as_slice)
    }

    /// Says no more that one of the members holds always.
    pub(super) fn drop_exactness(&mut self, group: u32) {
        self.exact[group as usize] = false;
    }

    /// A group that says that one of its members holds and of which a state has none.
    pub(super) fn missing(&self, bits: &[Word]) -> Option<u32> {
        let holds = |b: &u32| bits[*b as usize / BITS] >> (*b as usize % BITS) & 1 == 1;
        let exact = (0..self.members.len()).filter(|&g| self.exact[g]);
        exact.map(|g| g as u32).find(|&g| !self.members[g as usize].iter().any(holds))
    }

    /// A group of which a state has two members; only groups of this base are looked at.
    pub(super) fn broken(&self, bits: &[Word], base: u32) -> Option<u32> {
        let holds = |b: u32| bits[b as usize / BITS] >> (b as usize % BITS) & 1 == 1;
        let of_base = self.of(base).iter().copied();
        of_base.into_iter().find(|&g| self.members[g as usize].iter().any(|&b| b != base && holds(b)))
    }

    /// Whether two bits are never both set.
    fn exclude(&self, a: u32, b: u32) -> bool {
        a != b && self.of(a).iter().any(|g| self.of(b).contains(g))
    }

    /// Whether a literal follows from a product.
    fn follows(&self, literal: u32, product: &Product) -> bool {
        product
            .iter()
            .any(|&l| l == literal || literal & 1 == 1 && l & 1 == 0 && self.exclude(l >> 1, literal >> 1))
    }

    /// Whether a cover holds wherever a product does; `false` if that is not seen at once.
    fn covers(&self, cover: &Cover, product: &Product) -> bool {
        cover.iter().any(|q| q.iter().all(|&l| self.follows(l, product)))
    }

    /// Whether at most one of these bits is set: where each is, and where it is not, as far as that is written out.
    pub(super) fn are_exclusive(&self, bits: &[[Option<Cover>; 2]]) -> bool {
        let products: usize = bits.iter().flatten().flatten().map(Vec::len).sum();
        let exclude = |a: &[Option<Cover>; 2], b: &[Option<Cover>; 2]| match (&a[0], &b[1]) {
            (Some(plain), Some(inverse)) => plain.iter().all(|p| self.covers(inverse, p)),
            _ => false,
        };
        products * bits.len() <= MAX_PAIRS
            && bits
                .iter()
                .enumerate()
                .all(|(n, a)| bits[n + 1..].iter().all(|b| exclude(a, b) || exclude(b, a)))
    }
}

/// Literals that are known to hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(FxHashMap<u32, bool>);

impl Known {
    /// Adds a literal and what follows from it.
    pub(super) fn add(&mut self, groups: &Exclusive, literal: u32) {
        let (bit, value) = (literal >> 1, literal & 1 == 0);
        self.0.insert(bit, value);
        for &g in groups.of(bit) {
            if value {
                for &other in groups.members[g as usize].iter().filter(|&&b| b != bit) {
                    self.0.insert(other, false);
                }
            } else if groups.exact[g as usize] {
                let mut left = self.open(groups, g);
                let (one, more) = (left.next(), left.next().is_some());
                drop(left);
                if let Some(one) = one.filter(|&b| !more && self.value(b).is_none()) {
                    self.0.insert(one, true);
                }
            }
        }
    }

    /// The value of a bit, if known.
    pub(super) fn value(&self, bit: u32) -> Option<bool> {
        self.0.get(&bit).copied()
    }

    /// The bits known, with their values.
    pub(super) fn bits(&self) -> impl Iterator<Item = (u32, bool)> {
        self.0.iter().map(|(&bit, &value)| (bit, value))
    }

    /// What is left of a cover.
    pub(super) fn restrict(&self, groups: &Exclusive, cover: &Cover) -> Cover {
        let mut left: Cover = Vec::with_capacity(cover.len());
        'products: for product in cover {
            let mut rest = Vec::with_capacity(product.len());
            for &l in product {
                match self.value(l >> 1) {
                    Some(value) if value == (l & 1 == 0) => {}
                    Some(_) => continue 'products,
                    None => rest.push(l),
                }
            }
            let plain: Vec<u32> = rest.iter().filter(|&&l| l & 1 == 0).map(|l| l >> 1).collect();
            if plain.iter().enumerate().any(|(n, &a)| plain[n + 1..].iter().any(|&b| groups.exclude(a, b))) {
                continue;
            }
            rest.retain(|&l| l & 1 == 0 || !plain.iter().any(|&a| groups.exclude(a, l >> 1)));
            if self.complete(groups, &mut rest) {
                left.push(rest.into());
            }
        }
        let mut left = self.merge(groups, left);
        if left.iter().any(|p| p.is_empty()) {
            return vec![Product::default()];
        }
        left.sort_unstable();
        left.dedup();
        left
    }

    /// The members of a group that may hold.
    fn open<'a>(&'a self, groups: &'a Exclusive, group: u32) -> impl Iterator<Item = u32> + 'a {
        groups.members[group as usize].iter().copied().filter(|&b| self.value(b) != Some(false))
    }

    /// Replaces the inverses of all members of an exact group but one by that one; `false` if no member is left.
    fn complete(&self, groups: &Exclusive, product: &mut Vec<u32>) -> bool {
        let mut done = Vec::new();
        let mut n = 0;
        while n < product.len() {
            let l = product[n];
            n += 1;
            if l & 1 == 0 {
                continue;
            }
            for &g in groups.of(l >> 1).iter().filter(|&&g| groups.exact[g as usize]) {
                if done.contains(&g) {
                    continue;
                }
                done.push(g);
                let mut left = self.open(groups, g).filter(|&b| !product.contains(&(2 * b + 1)));
                match (left.next(), left.next()) {
                    (None, _) => return false,
                    (Some(last), None) => {
                        product.retain(|&l| l & 1 == 0 || !groups.members[g as usize].contains(&(l >> 1)));
                        if let Err(at) = product.binary_search(&(2 * last)) {
                            product.insert(at, 2 * last);
                        }
                        n = 0;
                        break;
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Makes one product of those that differ only in the member of an exact group, if all members occur.
    fn merge(&self, groups: &Exclusive, mut cover: Cover) -> Cover {
        let mut tried = Vec::new();
        while let Some(&group) = cover
            .iter()
            .flatten()
            .filter(|&&l| l & 1 == 0)
            .flat_map(|&l| groups.of(l >> 1))
            .find(|g| groups.exact[**g as usize] && !tried.contains(*g))
        {
            tried.push(group);
            let open: Vec<u32> = self.open(groups, group).collect();
            if open.len() > cover.len() {
                continue;
            }
            let is_member = |l: u32| l & 1 == 0 && open.contains(&(l >> 1));
            let mut by_rest: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
            for product in &cover {
                let (members, rest): (Vec<u32>, Vec<u32>) = product.iter().partition(|&&l| is_member(l));
                if let [one] = members[..] {
                    by_rest.entry(rest).or_default().push(one >> 1);
                }
            }
            let mut whole: Vec<Vec<u32>> = Vec::new();
            for (rest, members) in by_rest {
                // A member that the rest excludes need not occur.
                let excluded = |b: u32| rest.iter().any(|&l| l & 1 == 0 && groups.exclude(l >> 1, b));
                if open.iter().all(|&b| members.contains(&b) || excluded(b)) {
                    whole.push(rest);
                }
            }
            if whole.is_empty() {
                continue;
            }
            whole.sort_unstable();
            cover.retain(|p| !whole.iter().any(|rest| rest.iter().all(|l| p.contains(l))));
            cover.extend(whole.into_iter().map(Vec::into_boxed_slice));
        }
        cover
    }
}
