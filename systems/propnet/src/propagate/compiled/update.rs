//! Updates: bits that become true or false together, with all that depends on them, listed once.
//!
//! # Steps
//! 1. The changes, and the marks of everything that depends on them, are written word by word. So are legal bits that
//!    follow from the changes alone.
//! 2. The products of terminal that the change may have made true are watched. A few bits that most of them share are
//!    looked at first.

use super::effects::{gather, join};
use super::exclusive::Known;
use super::formula::{BITS, Mask, Word};
use super::joint::{Joints, Trigger, Update, WordChange};
use super::places::Range;
use super::plan::Plan;
use super::source::Source;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Fewer products of terminal are looked at all.
const FEW_ENDS: usize = 6;

/// So are this many lines, and products of at most two checks.
const MANY_LINES: usize = 64;
const MANY_SHORT_ENDS: usize = 24;

impl Joints {
    /// The update that makes these literals true.
    pub(super) fn update(&mut self, plan: &Plan, literals: &[u32]) -> u32 {
        if let Some(&known) = self.known_updates.get(literals) {
            return known;
        }
        self.known_updates.insert(literals.into(), self.updates.len() as u32);
        let words = self.write_words(literals.iter().map(|&l| ((l >> 1) as usize, l & 1 == 0)));
        let mut known = Known::default();
        literals.iter().for_each(|&l| known.add(&self.groups, l));
        let literals = || literals.iter().map(|&l| l as usize);
        let first = plan.legal_words() * BITS;
        let kills = literals().flat_map(|l| plan.kills.of(l ^ 1)).flat_map(|kill| {
            let at = first + kill.word as usize * BITS;
            (0..BITS).filter(|b| kill.bits >> b & 1 == 1).map(move |b| (at + b, false))
        });
        let mut legal: Vec<(usize, bool)> = kills.collect();
        let mut wakes: BTreeSet<u32> = literals().flat_map(|l| plan.wakes.of(l)).copied().collect();
        wakes.retain(|&slot| {
            let value = self.legal_after(plan, slot, &known);
            if value == Some(true) {
                legal.push((first + slot as usize, true));
            }
            value.is_none()
        });
        let mut update = Update {
            cost: 0,
            is_short: false,
            ends_games: false,
            words,
            legal: self.write_words(legal.into_iter()),
            ups: join(&mut self.masks, literals().flat_map(|l| plan.ups.of(l))),
            downs: join(&mut self.masks, literals().flat_map(|l| plan.downs.of(l ^ 1))),
            kept_kills: join(&mut self.masks, literals().flat_map(|l| plan.kept_kills.of(l ^ 1))),
            wakes: gather(&mut self.wakes, wakes.iter()),
            lines: (0, 0),
            short_ends: (0, 0),
            ends: (0, 0),
            end_triggers: (0, 0),
        };
        let mut ends: Vec<u32> = literals().flat_map(|l| plan.ends_of.of(l)).copied().collect();
        ends.sort_unstable();
        ends.dedup();
        let mut cost: u32 = 0;
        let mut all_of = |first: usize, number: usize, most: usize, each: u32| {
            let here = |n: u32| (first..first + number).contains(&(n as usize));
            let (these, others): (Vec<u32>, Vec<u32>) = ends.iter().partition(|&&n| here(n));
            let from = self.ends.len() as u32;
            if these.len() <= most {
                cost += each * these.len() as u32;
                self.ends.extend(these.into_iter().map(|n| n - first as u32));
                ends = others;
            }
            (from, self.ends.len() as u32)
        };
        let lines = plan.lines.len();
        update.lines = all_of(0, lines, MANY_LINES, 4);
        update.short_ends = all_of(lines, plan.short_ends.len(), MANY_SHORT_ENDS, 8);
        let others: u32 = ends.iter().map(|&n| plan.ends[n as usize].cost() as u32).sum();
        (update.ends, update.end_triggers) = self.watch_ends(plan, ends);
        cost += others / if update.end_triggers.0 < update.end_triggers.1 { 3 } else { 1 };
        let count = |(from, to): Range| to - from;
        let masks = [update.words, update.ups, update.downs, update.kept_kills, update.legal];
        let masks = masks.into_iter().map(count).sum::<u32>();
        update.cost = 60 + 12 * masks + 30 * count(update.wakes) + cost;
        let others = [update.ups, update.downs, update.kept_kills, update.wakes];
        let ends = [update.short_ends, update.ends, update.end_triggers];
        update.ends_games = ends.into_iter().chain([update.lines]).any(|range| count(range) > 0);
        update.is_short = others.into_iter().chain(ends).all(|range| count(range) == 0);
        self.updates.push(update);
        self.updates.len() as u32 - 1
    }

    /// Writes changes of bits word by word; what becomes true counts more. Returns their range.
    fn write_words(&mut self, bits: impl Iterator<Item = (usize, bool)>) -> Range {
        let mut by_word: BTreeMap<u32, WordChange> = BTreeMap::new();
        for (bit, value) in bits {
            let (word, mask) = ((bit / BITS) as u32, 1 << (bit % BITS));
            let change = by_word.entry(word).or_insert(WordChange { word, keep: Word::MAX, set: 0 });
            change.keep &= !mask;
            change.set |= if value { mask } else { 0 };
        }
        let from = self.words.len() as u32;
        self.words.extend(by_word.into_values());
        (from, self.words.len() as u32)
    }

    /// The value of a legal bit where these literals hold, if they decide it.
    pub(super) fn legal_after(&self, plan: &Plan, slot: u32, known: &Known) -> Option<bool> {
        let input = plan.input_of[slot as usize];
        let cover = plan.covers.get(plan.topology.net.legal[input as usize])?;
        Source::plain(Arc::clone(cover)).restrict(known, &self.groups).value()
    }

    /// Step 2: the range of products that are always looked at, and that of triggers.
    fn watch_ends(&mut self, plan: &Plan, mut open: Vec<u32>) -> (Range, Range) {
        let mut lists: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        while open.len() + lists.len() >= FEW_ENDS {
            // Bits of the change itself hold in all of them.
            let bits = |n: &u32| {
                let product = &plan.end_products[*n as usize];
                product.iter().filter(|&&l| l & 1 == 0).map(|l| l >> 1)
            };
            let mut count: BTreeMap<u32, usize> = BTreeMap::new();
            open.iter().flat_map(bits).for_each(|bit| *count.entry(bit).or_default() += 1);
            let frequency = |bit: u32| self.frequency.get(bit as usize).copied().unwrap_or(u32::MAX);
            let shared = count.into_iter().filter(|&(_, n)| n < open.len() || open.len() == 1);
            let best = shared.max_by_key(|&(bit, n)| (n, Reverse(frequency(bit)), Reverse(bit)));
            let Some((bit, _)) = best else { break };
            let (of_bit, rest) = open.iter().partition(|&n| bits(n).any(|b| b == bit));
            open = rest;
            lists.insert(bit, of_bit);
        }
        let from = self.ends.len() as u32;
        self.ends.extend(open);
        ((from, self.ends.len() as u32), self.write_triggers(lists))
    }

    /// Writes the lists of trigger bits; returns the range of triggers.
    pub(super) fn write_triggers(&mut self, lists: BTreeMap<u32, Vec<u32>>) -> Range {
        let first_trigger = self.triggers.len();
        for (bit, list) in lists {
            let (word, mask) = (bit / BITS as u32, 1 << (bit as usize % BITS));
            match self.triggers[first_trigger..].last_mut().filter(|t| t.mask.word == word) {
                Some(trigger) => trigger.mask.bits |= mask,
                None => {
                    self.starts.push(self.triggered.len() as u32);
                    let first = self.starts.len() as u32 - 1;
                    self.triggers.push(Trigger { mask: Mask { word, bits: mask }, first });
                }
            }
            self.triggered.extend(list);
            self.starts.push(self.triggered.len() as u32);
        }
        (first_trigger as u32, self.triggers.len() as u32)
    }
}
