//! Handles whole rows of facts that a move joins or empties, such as the stones of each group on a board.
//!
//! # Notation
//! A *sum* is an OR of products of a base and a *selector*. It joins the facts of all selected rows. A base in such a
//! row keeps its value unless a selector *clears* it. It becomes true where a *store* holds, always or where a sum
//! holds.
//!
//! # Steps
//! 1. Transitions of this form are found in the net, if they are many. Joint moves leave them to the rows.
//! 2. In play the selectors and the stores that hold are found.
//! 3. The selected rows are joined into sums, then cleared. The stores write sums and constants.
//!
//! # Cost
//! A few operations for each word of a selected row, in place of some for each fact and each pair of rows.

use super::formula::{BITS, Mask, Word};
use super::places::Range;
use crate::net::{Lit, Net};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Fewer bases of this form are left to formulas.
const FEWEST: usize = 256;

/// No bit of the copy.
const NONE: u32 = u32::MAX;

/// The most terms of a base's next value.
const MOST_TERMS: usize = 8;

/// Bits of a word that are copied to another, turned left.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    to: u32,
    turn: u32,
    mask: Word,
}

/// What a selector or a store does: ranges in [`Lists`].
#[derive(Clone, Copy, Debug, Default)]
struct RowWork {
    runs: Range,
    masks: Range,
}

/// What all selectors and stores do.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    work: Vec<RowWork>,
    runs: Vec<Run>,
    masks: Vec<Mask>,
}

/// What a literal, or several, do.
#[derive(Debug, Default)]
struct Effect {
    /// Bases and sums, one the source and one the goal.
    pairs: Vec<(u32, u32)>,
    /// Bases that it clears or sets.
    bases: Vec<u32>,
}

/// The rows of a net.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Where these hold, the work of this number is done.
    pub(super) selects: Vec<(Lit, u32)>,
    /// Where all of these hold, the same.
    pub(super) stores: Vec<(Vec<Lit>, u32)>,
    pub(super) lists: Lists,
    /// By base whether it is part of a row; empty if none is.
    is_part: Vec<bool>,
    /// The number of bases in rows.
    pub(super) parts: usize,
    /// The words of all sums.
    pub(super) width: usize,
    /// By base its bit in a copy in which the bases of each sum stand together, counted from the first; [`NONE`] without.
    copy_of: Vec<u32>,
    /// The words of that copy.
    pub(super) copy_words: usize,
    /// By node whether it is needed beside the sums of rows.
    pub(super) needed: Vec<bool>,
}

/// A term of a base's next value.
enum Term {
    /// Its own value where these hold.
    Keep(Vec<Lit>),
    /// Where these hold, and the sum if there is one.
    Store(Vec<Lit>, Option<Lit>),
}

/// Finds the rows of a net.
struct Finder<'a> {
    net: &'a Net,
    selects: BTreeMap<Lit, Effect>,
    stores: BTreeMap<Vec<Lit>, Effect>,
    /// The bases, in order.
    bases: Vec<u32>,
    sums: FxHashMap<Lit, u32>,
    /// Whether a literal is a sum.
    asked: FxHashMap<Lit, bool>,
}

impl Rows {
    /// Step 1. None where few bases have this form.
    pub(super) fn new(net: &Net) -> Self {
        let mut rows = Self { needed: vec![true; net.nodes()], ..Self::default() };
        if net.bases() < FEWEST {
            return rows;
        }
        let mut finder = Finder {
            net,
            selects: BTreeMap::new(),
            stores: BTreeMap::new(),
            bases: Vec::new(),
            sums: FxHashMap::default(),
            asked: FxHashMap::default(),
        };
        (0..net.bases()).for_each(|base| finder.look_at(base));
        if finder.bases.len() < FEWEST || finder.sums.is_empty() {
            return rows;
        }
        rows.parts = finder.bases.len();
        rows.is_part = vec![false; net.bases()];
        finder.bases.iter().for_each(|&base| rows.is_part[base as usize] = true);
        rows.place_copy(net, &finder.sums);
        rows.width = finder.sums.len().div_ceil(BITS);
        for (l, effect) in finder.selects {
            let work = rows.lists.write(&effect);
            rows.selects.push((l, work));
        }
        for (factors, effect) in finder.stores {
            let work = rows.lists.write(&effect);
            rows.stores.push((factors, work));
        }
        rows.needed = rows.needed(net);
        rows
    }

    /// Gives the bases of each sum their places in a copy: one move looks at few sums and many rows.
    fn place_copy(&mut self, net: &Net, sums: &FxHashMap<Lit, u32>) {
        self.copy_of = vec![NONE; net.bases()];
        let mut in_order: Vec<(u32, Lit)> = sums.iter().map(|(&sum, &number)| (number, sum)).collect();
        in_order.sort_unstable();
        for (_, sum) in in_order {
            let mut next = self.copy_words * BITS;
            for (base, _) in products(net, sum).unwrap_or_default() {
                if self.copy_of[base as usize] == NONE && self.has(base as usize) {
                    self.copy_of[base as usize] = next as u32;
                    next += 1;
                }
            }
            self.copy_words = next.div_ceil(BITS);
        }
    }

    /// The bit in the copy of a base, if it has one.
    #[inline(always)]
    pub(super) fn copy_of(&self, base: u32) -> Option<u32> {
        self.copy_of.get(base as usize).copied().filter(|&bit| bit != NONE)
    }

    /// Whether a base is part of a row.
    pub(super) fn has(&self, base: usize) -> bool {
        self.is_part.get(base).is_some_and(|&part| part)
    }

    /// The nodes that selectors, stores and the transitions of other bases need.
    fn needed(&self, net: &Net) -> Vec<bool> {
        let mut needed = vec![false; net.nodes()];
        let others = net.transitions.iter().enumerate().filter(|(base, _)| !self.has(*base)).map(|(_, l)| l);
        let stores = self.stores.iter().flat_map(|(factors, _)| factors);
        let mut open: Vec<usize> =
            self.selects.iter().map(|(l, _)| l).chain(stores).chain(others).map(|l| l.node()).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut needed[node], true) {
                open.extend(inputs(net, node).unwrap_or_default().iter().map(|l| l.node()));
            }
        }
        needed
    }
}

fn inputs(net: &Net, node: usize) -> Option<&[Lit]> {
    node.checked_sub(net.first_gate()).map(|gate| net.gate(gate))
}

impl Finder<'_> {
    fn look_at(&mut self, base: usize) {
        let Some(terms) = self.terms(base, self.net.transitions[base]) else { return };
        let base = base as u32;
        self.bases.push(base);
        for term in terms {
            match term {
                Term::Keep(factors) => {
                    for l in factors {
                        self.selects.entry(l.not()).or_default().bases.push(base);
                    }
                }
                Term::Store(mut factors, sum) => {
                    factors.sort_unstable();
                    let sum = sum.map(|sum| self.sum(sum));
                    let effect = self.stores.entry(factors).or_default();
                    match sum {
                        Some(sum) => effect.pairs.push((sum, base)),
                        None => effect.bases.push(base),
                    }
                }
            }
        }
    }

    /// The number of a sum.
    fn sum(&mut self, sum: Lit) -> u32 {
        let next = self.sums.len() as u32;
        let number = *self.sums.entry(sum).or_insert(next);
        if number == next {
            for (base, selector) in products(self.net, sum).unwrap_or_default() {
                self.selects.entry(selector).or_default().pairs.push((base, number));
            }
        }
        number
    }

    fn is_sum(&mut self, l: Lit) -> bool {
        l.inverted() && *self.asked.entry(l).or_insert_with(|| products(self.net, l).is_some())
    }

    /// The operands of an OR of few; `None` for another literal.
    fn operands(&self, l: Lit) -> Option<Vec<Lit>> {
        let inputs =
            inputs(self.net, l.node()).filter(|inputs| l.inverted() && inputs.len() <= MOST_TERMS)?;
        Some(inputs.iter().map(|l| l.not()).collect())
    }

    /// The terms of a base's next value, if it has the form of a row.
    fn terms(&mut self, base: usize, transition: Lit) -> Option<Vec<Term>> {
        let own = Lit::of(self.net.base_node(base));
        let (mut open, mut found, mut kept) = (self.operands(transition)?, Vec::new(), false);
        while let Some(l) = open.pop() {
            if l.is_constant() || open.len() + found.len() > MOST_TERMS {
                return None;
            }
            let factors = match inputs(self.net, l.node()) {
                Some(inputs) if !l.inverted() => inputs.to_vec(),
                _ => vec![l],
            };
            if factors.contains(&own) {
                // Two of them would need an OR of their conditions.
                if std::mem::replace(&mut kept, true) {
                    return None;
                }
                found.push(Term::Keep(factors.into_iter().filter(|&l| l != own).collect()));
                continue;
            }
            // A factor that is a sum, or an OR of one and others.
            let mut sums = Vec::new();
            for (place, &l) in factors.iter().enumerate() {
                let operands = if self.is_sum(l) { vec![l] } else { self.operands(l).unwrap_or_default() };
                if operands.iter().any(|&l| self.is_sum(l)) {
                    sums.push((place, operands));
                }
            }
            match sums.pop() {
                None => found.push(Term::Store(factors, None)),
                Some((place, operands)) if sums.is_empty() => {
                    for l in operands {
                        let mut others = factors.clone();
                        others.swap_remove(place);
                        let sum = self.is_sum(l).then_some(l);
                        others.extend(Some(l).filter(|_| sum.is_none()));
                        found.push(Term::Store(others, sum));
                    }
                }
                Some(_) => return None,
            }
        }
        kept.then_some(found)
    }
}

/// The bases and selectors of a sum; `None` if a literal is none.
fn products(net: &Net, l: Lit) -> Option<Vec<(u32, Lit)>> {
    let operands = inputs(net, l.node()).filter(|inputs| l.inverted() && inputs.len() > 1)?;
    let base_of = |l: Lit| {
        let base = l.node().checked_sub(1).filter(|&b| !l.inverted() && b < net.bases());
        base.map(|b| b as u32)
    };
    let product = |l: &Lit| match inputs(net, l.node()).filter(|_| l.inverted())? {
        &[a, b] => match (base_of(a), base_of(b)) {
            (Some(base), None) => Some((base, b)),
            (None, Some(base)) => Some((base, a)),
            _ => None,
        },
        _ => None,
    };
    operands.iter().map(product).collect()
}

impl Lists {
    fn write(&mut self, effect: &Effect) -> u32 {
        let word = |bit: u32| (bit / BITS as u32, bit % BITS as u32);
        let mut runs: BTreeMap<(u32, u32, u32), Word> = BTreeMap::new();
        for &(from, to) in &effect.pairs {
            let ((from, at), (to, goal)) = (word(from), word(to));
            let turn = (goal + BITS as u32 - at) % BITS as u32;
            *runs.entry((from, to, turn)).or_default() |= 1 << at;
        }
        let mut masks: BTreeMap<u32, Word> = BTreeMap::new();
        for &base in &effect.bases {
            *masks.entry(word(base).0).or_default() |= 1 << word(base).1;
        }
        let from = (self.runs.len() as u32, self.masks.len() as u32);
        self.runs.extend(runs.into_iter().map(|((from, to, turn), mask)| Run { from, to, turn, mask }));
        self.masks.extend(masks.into_iter().map(|(word, bits)| Mask { word, bits }));
        let to = (self.runs.len() as u32, self.masks.len() as u32);
        self.work.push(RowWork { runs: (from.0, to.0), masks: (from.1, to.1) });
        self.work.len() as u32 - 1
    }

    /// About the instructions of the work.
    pub(super) fn cost(&self, work: &[u32]) -> u64 {
        let cost = |&n: &u32| {
            let RowWork { runs, masks } = self.work[n as usize];
            20 + 8 * u64::from(runs.1 - runs.0 + masks.1 - masks.0)
        };
        work.iter().map(cost).sum()
    }

    /// Joins the selected rows.
    #[inline(always)]
    pub(super) fn gather(&self, selected: &[u32], bits: &[Word], sums: &mut [Word]) {
        for &n in selected {
            self.copy(self.work[n as usize].runs, bits, sums);
        }
    }

    #[inline(always)]
    fn copy(&self, (from, to): Range, source: &[Word], goal: &mut [Word]) {
        for run in &self.runs[from as usize..to as usize] {
            goal[run.to as usize] |= (source[run.from as usize] & run.mask).rotate_left(run.turn);
        }
    }

    /// Clears the selected rows, then stores. `before` gets each word before it changes, perhaps more than once.
    #[inline(always)]
    pub(super) fn scatter(
        &self,
        selected: &[u32],
        stored: &[u32],
        sums: &[Word],
        bits: &mut [Word],
        mut before: impl FnMut(u32, Word),
    ) {
        let masks = |n: &u32| {
            let (from, to) = self.work[*n as usize].masks;
            &self.masks[from as usize..to as usize]
        };
        for mask in selected.iter().flat_map(masks) {
            let word = &mut bits[mask.word as usize];
            before(mask.word, *word);
            *word &= !mask.bits;
        }
        for n in stored {
            for mask in masks(n) {
                let word = &mut bits[mask.word as usize];
                before(mask.word, *word);
                *word |= mask.bits;
            }
            let (from, to) = self.work[*n as usize].runs;
            for run in &self.runs[from as usize..to as usize] {
                before(run.to, bits[run.to as usize]);
            }
            self.copy((from, to), sums, bits);
        }
    }
}
