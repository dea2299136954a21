//! Covers as lists of masked comparisons of machine words.
//!
//! # Notation
//! A *check* compares some bits of one word with what they must be. A product is a few checks, one for each word that
//! it touches. A *formula* is a cover in this form. Its *lead* is the checks that all its products share.
//!
//! # Cost
//! One load, AND and comparison for each check, and no branch that depends on a product.

use super::cover::Cover;
use std::collections::BTreeSet;

/// A machine word of a state.
pub(super) type Word = usize;

/// The bits of a word.
pub(super) const BITS: usize = Word::BITS as usize;

/// A mask on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    pub(super) word: u32,
    pub(super) bits: Word,
}

/// Some bits of a word and what they must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    word: u32,
    /// Whether the product ends here.
    last: bool,
    mask: Word,
    value: Word,
}

impl Check {
    #[inline(always)]
    fn holds(&self, bits: &[Word]) -> bool {
        bits[self.word as usize] & self.mask == self.value
    }
}

/// A product of at most two checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    words: [u32; 2],
    masks: [Word; 2],
    values: [Word; 2],
}

impl Pair {
    /// The pair of a product, if it touches no more than two words.
    pub(super) fn new(product: &[u32]) -> Option<Self> {
        let mut pair = Self { words: [0; 2], masks: [0; 2], values: [0; 2] };
        for &literal in product {
            let (bit, value) = ((literal >> 1) as usize, Word::from(literal & 1 == 0));
            let word = (bit / BITS) as u32;
            let n = (0..2).find(|&n| pair.masks[n] == 0 || pair.words[n] == word)?;
            pair.words[n] = word;
            pair.masks[n] |= 1 << (bit % BITS);
            pair.values[n] |= value << (bit % BITS);
        }
        Some(pair)
    }

    #[inline(always)]
    pub(super) fn holds(&self, bits: &[Word]) -> bool {
        let wrong = |n: usize| bits[self.words[n] as usize] & self.masks[n] ^ self.values[n];
        wrong(0) | wrong(1) == 0
    }
}

/// The words that lines may touch.
pub(super) const LINE_WORDS: usize = 4;

/// A product over the first words of a state, such as a row of stones on a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    masks: [Word; LINE_WORDS],
    values: [Word; LINE_WORDS],
}

impl Line {
    /// The line of a product, if it is one.
    pub(super) fn new(product: &[u32]) -> Option<Self> {
        let mut line = Self { masks: [0; LINE_WORDS], values: [0; LINE_WORDS] };
        for &literal in product {
            let (bit, value) = ((literal >> 1) as usize, Word::from(literal & 1 == 0));
            *line.masks.get_mut(bit / BITS)? |= 1 << (bit % BITS);
            line.values[bit / BITS] |= value << (bit % BITS);
        }
        Some(line)
    }

    #[inline(always)]
    pub(super) fn holds(&self, row: &[Word; LINE_WORDS]) -> bool {
        (0..LINE_WORDS).fold(0, |wrong, n| wrong | row[n] & self.masks[n] ^ self.values[n]) == 0
    }
}

/// A cover: its first two shared checks, and the places of the others in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formula {
    first: Check,
    second: Check,
    start: u32,
    lead: u32,
    /// The end of products of one check, which come first.
    ones: u32,
    /// The end of products of two checks.
    twos: u32,
    end: u32,
    inverted: bool,
    /// Whether there are more checks than the two.
    long: bool,
}

impl Default for Formula {
    /// Always false.
    fn default() -> Self {
        Self {
            first: NEVER,
            second: ALWAYS,
            start: 0,
            lead: 0,
            ones: 0,
            twos: 0,
            end: 0,
            inverted: false,
            long: false,
        }
    }
}

/// A formula with at least this number of checks remembers the product that held.
const MANY: u32 = 12;

/// The same for an inverted one: its products change more often. Own choice by measurement of reversi and gomoku.
const VERY_MANY: u32 = 96;

/// A check that holds in no state.
const NEVER: Check = Check { word: 0, last: true, mask: 0, value: 1 };

/// A check that holds in every state.
const ALWAYS: Check = Check { word: 0, last: true, mask: 0, value: 0 };

impl Formula {
    /// About the instructions to compute it.
    pub(super) fn cost(&self) -> u64 {
        20 + 8 * u64::from(self.end - self.start)
    }

    /// About the instructions to compute it in a state.
    pub(super) fn cost_in(&self, checks: &[Check], bits: &[Word]) -> u64 {
        let mut looked = u64::from(self.lead - self.start);
        if !self.long {
            return 20;
        }
        if !(self.first.holds(bits) && self.second.holds(bits)) {
            return 24;
        }
        for some in checks[self.lead as usize..self.end as usize].chunks(8) {
            looked += some.len() as u64;
            if any(some, bits) {
                break;
            }
        }
        24 + 6 * looked
    }

    /// Its value over the bits of a state.
    #[inline(always)]
    pub(super) fn holds(&self, checks: &[Check], bits: &[Word]) -> bool {
        if self.long {
            return self.long_holds(checks, bits);
        }
        self.short_holds(bits)
    }

    /// The same product as a pair, if that is all.
    pub(super) fn pair(&self) -> Option<Pair> {
        let (a, b) = (self.first, self.second);
        self.is_simple().then_some(Pair {
            words: [a.word, b.word],
            masks: [a.mask, b.mask],
            values: [a.value, b.value],
        })
    }

    /// The same for a formula of two checks.
    #[inline(always)]
    pub(super) fn short_holds(&self, bits: &[Word]) -> bool {
        self.first.holds(bits) & self.second.holds(bits) ^ self.inverted
    }

    #[inline(always)]
    fn long_holds(&self, checks: &[Check], bits: &[Word]) -> bool {
        let lead = &checks[self.start as usize..self.lead as usize];
        let value = self.first.holds(bits)
            && self.second.holds(bits)
            && lead.iter().fold(true, |all, check| all & check.holds(bits))
            && (self.lead == self.end || self.some_product(checks, bits));
        value ^ self.inverted
    }

    /// Whether one of the products holds.
    #[inline(always)]
    fn some_product(&self, checks: &[Check], bits: &[Word]) -> bool {
        let [lead, ones, twos, end] = [self.lead, self.ones, self.twos, self.end].map(|n| n as usize);
        for some in checks[lead..ones].chunks(8) {
            if some.iter().fold(false, |any, check| any | check.holds(bits)) {
                return true;
            }
        }
        for some in checks[ones..twos].chunks(8) {
            let pairs = some.as_chunks::<2>().0;
            if pairs.iter().fold(false, |any, [a, b]| any | a.holds(bits) & b.holds(bits)) {
                return true;
            }
        }
        twos < end && any(&checks[twos..end], bits)
    }

    /// The same for one whose products held, beginning with the one that held last: that is all that has to be watched.
    #[inline(always)]
    pub(super) fn holds_still(&self, checks: &[Check], bits: &[Word], last: &mut u32) -> bool {
        if self.end - self.lead < if self.inverted { VERY_MANY } else { MANY } {
            return self.holds(checks, bits);
        }
        let lead = &checks[self.start as usize..self.lead as usize];
        let shared = self.first.holds(bits)
            && self.second.holds(bits)
            && lead.iter().fold(true, |all, check| all & check.holds(bits));
        let known = (self.lead..self.end).contains(last) && self.product_at(checks, bits, *last).0;
        (shared && (known || self.find_product(checks, bits, last))) ^ self.inverted
    }

    /// Whether the product that begins here holds, and where the next begins.
    #[inline(always)]
    fn product_at(&self, checks: &[Check], bits: &[Word], first: u32) -> (bool, u32) {
        let (mut n, mut all) = (first as usize, true);
        loop {
            all &= checks[n].holds(bits);
            n += 1;
            if checks[n - 1].last {
                return (all, n as u32);
            }
        }
    }

    #[inline(never)]
    fn find_product(&self, checks: &[Check], bits: &[Word], last: &mut u32) -> bool {
        let mut n = if self.some_product(checks, bits) { self.lead } else { self.end };
        while n < self.end {
            let (holds, next) = self.product_at(checks, bits, n);
            if holds {
                *last = n;
                return true;
            }
            n = next;
        }
        false
    }

    /// Whether its products held when it had this value.
    #[inline(always)]
    pub(super) fn had_product(&self, value: bool) -> bool {
        value ^ self.inverted
    }

    /// Whether it is one product of at most two checks, not inverted.
    pub(super) fn is_simple(&self) -> bool {
        !self.long && !self.inverted
    }
}

/// Whether one of the products holds.
#[inline(always)]
fn any(checks: &[Check], bits: &[Word]) -> bool {
    let (mut any, mut all) = (false, true);
    for some in checks.chunks(16) {
        for check in some {
            all &= check.holds(bits);
            any |= all & check.last;
            all |= check.last;
        }
        if any {
            break;
        }
    }
    any
}

/// A list of checks that grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Checks(pub(super) Vec<Check>);

impl Checks {
    /// Writes a cover, or one whose inverse is meant.
    pub(super) fn write(&mut self, cover: &Cover, inverted: bool) -> Formula {
        let start = self.0.len();
        let shared: Vec<u32> = match cover.split_first() {
            Some((first, rest)) if !rest.is_empty() => first
                .iter()
                .copied()
                .filter(|atom| rest.iter().all(|p| p.binary_search(atom).is_ok()))
                .collect(),
            _ => Vec::new(),
        };
        match cover.as_slice() {
            [] => return Formula { inverted, ..Formula::default() },
            [one] => self.product(one),
            _ => self.product(&shared),
        }
        // The first two checks of the lead stand in the formula.
        let mut inline = [ALWAYS; 2];
        for check in &mut inline {
            if self.0.len() > start {
                *check = self.0.remove(start);
            }
        }
        let lead = self.0.len();
        let own = |product: &[u32]| -> Vec<u32> {
            product.iter().copied().filter(|atom| shared.binary_search(atom).is_err()).collect()
        };
        // A product that is no more than the lead decides alone.
        let (mut ones, mut twos) = (lead, lead);
        if cover.len() > 1 && cover.iter().all(|p| p.len() > shared.len()) {
            let words =
                |p: &Vec<u32>| p.iter().map(|l| (l >> 1) as usize / BITS).collect::<BTreeSet<_>>().len();
            let mut products: Vec<Vec<u32>> = cover.iter().map(|p| own(p)).collect();
            products.sort_by_cached_key(words);
            for product in &products {
                self.product(product);
                match words(product) {
                    1 => (ones, twos) = (self.0.len(), self.0.len()),
                    2 => twos = self.0.len(),
                    _ => {}
                }
            }
        }
        let [first, second] = inline;
        let [start, lead, ones, twos, end] = [start, lead, ones, twos, self.0.len()].map(|n| n as u32);
        Formula { first, second, start, lead, ones, twos, end, inverted, long: start < end }
    }

    /// The checks of one product; none if it is empty.
    fn product(&mut self, product: &[u32]) {
        let first = self.0.len();
        for &atom in product {
            let (bit, inverted) = ((atom >> 1) as usize, atom & 1 == 1);
            let (word, mask) = ((bit / BITS) as u32, 1 << (bit % BITS));
            let value = if inverted { 0 } else { mask };
            match self.0[first..].iter_mut().find(|c| c.word == word) {
                Some(check) => {
                    check.mask |= mask;
                    check.value |= value;
                }
                None => self.0.push(Check { word, last: false, mask, value }),
            }
        }
        if let Some(check) = self.0[first..].last_mut() {
            check.last = true;
        }
    }
}
