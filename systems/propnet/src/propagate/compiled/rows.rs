//! Rows of facts that a move joins or empties whole, such as the stones of each group on a board.
//!
//! # Notation
//! A *sum* is an OR of products of a base and a *selector*: the facts of all selected rows, joined. A base with a row
//! of such bases keeps its value unless a selector *clears* it. It becomes true where a *store* holds, always or where
//! a sum holds.
//!
//! # Steps
//! 1. The next values of a joint move that have this form are taken out, if they are many. All others are left.
//! 2. In play the selectors that hold are found. Their rows are joined into sums, then cleared.
//! 3. The stores that hold are found before that, and write sums and constants afterwards.
//!
//! # Cost
//! A few operations for each word of a selected row, in place of some for each fact and each pair of rows.

use super::cover::Gates;
use super::formula::{BITS, Word};
use super::plan::Mask;
use super::store::Store;
use crate::net::Lit;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Fewer bases of this form are left to formulas.
const FEWEST: usize = 256;

/// The most terms of a base's next value.
const MOST_TERMS: usize = 8;

/// Bits of a word that are copied to another, turned left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    from: u32,
    to: u32,
    turn: u32,
    mask: Word,
}

type Range = (u32, u32);

/// What a selector or a store does: ranges in [`Lists`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowWork {
    runs: Range,
    masks: Range,
}

/// The work of all joint moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) work: Vec<RowWork>,
    runs: Vec<Run>,
    masks: Vec<Mask>,
}

/// What one literal does.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// Bases and sums, one the source and one the goal.
    pairs: Vec<(u32, u32)>,
    /// Bases that it clears or sets.
    bases: Vec<u32>,
}

/// The rows of one joint move.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) selects: BTreeMap<Lit, Effect>,
    pub(super) stores: BTreeMap<Lit, Effect>,
    /// The bases, in order.
    pub(super) bases: Vec<u32>,
    sums: FxHashMap<Lit, u32>,
    /// Whether a literal is a sum.
    asked: FxHashMap<Lit, bool>,
}

/// A term of a base's next value.
enum Term {
    /// Its own value where these hold.
    Keep(Vec<Lit>),
    /// Where these hold, and the sum if there is one.
    Store(Vec<Lit>, Option<Lit>),
}

impl Rows {
    /// Step 1: takes the bases of this form out of the changed ones.
    pub(super) fn take(store: &mut Store<'_>, changed: &mut Vec<(u32, Lit)>) -> Option<Self> {
        if changed.len() < FEWEST {
            return None;
        }
        let mut rows = Self::default();
        let mut rest = Vec::new();
        for &(base, l) in changed.iter() {
            match rows.terms(store, base, l) {
                Some(terms) => rows.add(store, base, terms),
                None => rest.push((base, l)),
            }
        }
        if rows.bases.len() < FEWEST || rows.sums.is_empty() {
            return None;
        }
        *changed = rest;
        Some(rows)
    }

    fn add(&mut self, store: &mut Store<'_>, base: u32, terms: Vec<Term>) {
        self.bases.push(base);
        for term in terms {
            match term {
                Term::Keep(factors) => {
                    for l in factors {
                        self.selects.entry(l.not()).or_default().bases.push(base);
                    }
                }
                Term::Store(factors, sum) => {
                    let sum = sum.map(|sum| self.sum(store, sum));
                    let effect = self.stores.entry(store.and(factors.into_iter())).or_default();
                    match sum {
                        Some(sum) => effect.pairs.push((sum, base)),
                        None => effect.bases.push(base),
                    }
                }
            }
        }
    }

    /// The number of a sum.
    fn sum(&mut self, store: &Store<'_>, sum: Lit) -> u32 {
        let next = self.sums.len() as u32;
        let number = *self.sums.entry(sum).or_insert(next);
        if number == next {
            for (base, selector) in products(store, sum).unwrap_or_default() {
                self.selects.entry(selector).or_default().pairs.push((base, number));
            }
        }
        number
    }

    /// The terms of a base's next value, if it has the form of a row.
    fn terms(&mut self, store: &Store<'_>, base: u32, l: Lit) -> Option<Vec<Term>> {
        let own = Lit::of(store.net.base_node(base as usize));
        let (mut open, mut found, mut kept) = (vec![l], Vec::new(), false);
        let mut first = true;
        while let Some(l) = open.pop() {
            let inputs = store.inputs(l.node());
            let factors = match inputs {
                _ if l.is_constant() || open.len() + found.len() > MOST_TERMS => return None,
                Some(inputs)
                    if l.inverted() && inputs.len() <= MOST_TERMS && (first || !self.is_sum(store, l)) =>
                {
                    first = false;
                    open.extend(inputs.iter().map(|l| l.not()));
                    continue;
                }
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
            let (sums, others): (Vec<Lit>, Vec<Lit>) =
                factors.into_iter().partition(|&l| self.is_sum(store, l));
            match sums[..] {
                [] => found.push(Term::Store(others, None)),
                [sum] => found.push(Term::Store(others, Some(sum))),
                _ => return None,
            }
        }
        kept.then_some(found)
    }

    fn is_sum(&mut self, store: &Store<'_>, l: Lit) -> bool {
        l.inverted() && *self.asked.entry(l).or_insert_with(|| products(store, l).is_some())
    }

    /// The words of all sums.
    pub(super) fn width(&self) -> usize {
        self.sums.len().div_ceil(BITS)
    }
}

/// The bases and selectors of a sum; `None` if a literal is none.
fn products(store: &Store<'_>, l: Lit) -> Option<Vec<(u32, Lit)>> {
    let inputs = store.inputs(l.node()).filter(|inputs| l.inverted() && inputs.len() > 1)?;
    let base_of = |l: Lit| {
        let base = l.node().checked_sub(1).filter(|&b| !l.inverted() && b < store.net.bases());
        base.map(|b| b as u32)
    };
    let product = |l: &Lit| match store.inputs(l.node()).filter(|_| l.inverted())? {
        &[a, b] => match (base_of(a), base_of(b)) {
            (Some(base), None) => Some((base, b)),
            (None, Some(base)) => Some((base, a)),
            _ => None,
        },
        _ => None,
    };
    inputs.iter().map(product).collect()
}

impl Lists {
    /// Writes what a selector does: bases are sources of sums.
    pub(super) fn write(&mut self, effect: &Effect) -> u32 {
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

    /// All that is kept, in about entries.
    pub(super) fn len(&self) -> usize {
        self.work.len() + self.runs.len() + self.masks.len()
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
