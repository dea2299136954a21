//! Updates kept gates and legal bits after a change of bits.
//!
//! # Steps
//! 1. If a literal becomes false, everything that cannot hold without it becomes false at once.
//! 2. Kept gates that may have changed are marked, and computed in an order in which inputs come before the gates that
//!    use them.
//! 3. A short legal bit that may have become true is computed at once. Other legal bits are marked, and computed when a
//!    caller asks for the moves of their role.

use super::formula::{BITS, Mask, Word};
use super::places::range;
use super::plan::{Group, Plan};
use super::{Position, Walk};

/// Adds the changed bits of a word to the flips.
#[inline(always)]
pub(super) fn note_flips(flips: &mut Vec<u32>, word: usize, mut changed: Word, new: Word) {
    while changed != 0 {
        let shift = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        flips.push((2 * (word * BITS + shift) + usize::from(new >> shift & 1 == 0)) as u32);
    }
}

/// Marks what has to be computed again after a flip.
#[inline(always)]
pub(super) fn mark(plan: &Plan, at: &mut Position, flip: u32) {
    for &row in plan.ups.of(flip as usize) {
        mark_up(plan, at, row);
    }
    for &row in plan.downs.of(flip as usize ^ 1) {
        mark_down(plan, at, row);
    }
}

/// Marks those that are false.
#[inline(always)]
pub(super) fn mark_up(plan: &Plan, at: &mut Position, row: Mask) {
    at.dirty[row.word as usize] |= row.bits & !at.bits[plan.base_words + row.word as usize];
}

/// Marks those that are true.
#[inline(always)]
pub(super) fn mark_down(plan: &Plan, at: &mut Position, row: Mask) {
    at.dirty[row.word as usize] |= row.bits & at.bits[plan.base_words + row.word as usize];
}

#[inline(always)]
pub(super) fn set_bit(bits: &mut [Word], bit: usize, value: bool) {
    let word = &mut bits[bit / BITS];
    *word = *word & !(1 << (bit % BITS)) | Word::from(value) << (bit % BITS);
}

/// Makes kept gates false; those that were true go to the flips.
#[inline(always)]
pub(super) fn kill_kept(plan: &Plan, at: &mut Position, flips: &mut Vec<u32>, kill: Mask) {
    let word = plan.base_words + kill.word as usize;
    let died = at.bits[word] & kill.bits;
    if died != 0 {
        at.bits[word] &= !died;
        note_flips(flips, word, died, 0);
    }
}

/// Computes a legal bit whose formula is short.
#[inline(always)]
pub(super) fn wake(plan: &Plan, at: &mut Position, slot: u32) {
    let value = plan.legal[slot as usize].1.short_holds(&at.bits);
    set_bit(&mut at.bits, plan.legal_words() * BITS + slot as usize, value);
}

impl Walk {
    /// Brings all that depends on changed bits up to date, or marks it: the bits of `flips` and of updates. These have
    /// written what becomes false of legal bits.
    #[inline(always)]
    pub(super) fn settle(&mut self, plan: &Plan, updates: &[u32]) {
        let joints = &self.joints;
        let list = updates;
        let updates = || list.iter().map(|&n| &joints.updates[n as usize]);
        for update in updates() {
            for &row in &joints.masks[range(update.ups)] {
                mark_up(plan, &mut self.at, row);
            }
            for &row in &joints.masks[range(update.downs)] {
                mark_down(plan, &mut self.at, row);
            }
        }
        for &flip in &self.flips {
            mark(plan, &mut self.at, flip);
        }
        if plan.kept_words > 0 {
            let direct = self.flips.len();
            for update in updates() {
                for kill in &joints.masks[range(update.kept_kills)] {
                    kill_kept(plan, &mut self.at, &mut self.flips, *kill);
                }
            }
            for n in 0..direct {
                for &kill in plan.kept_kills.of(self.flips[n] as usize ^ 1) {
                    kill_kept(plan, &mut self.at, &mut self.flips, kill);
                }
            }
            // A kept gate that died may kill or mark others.
            let mut n = direct;
            while n < self.flips.len() {
                let flip = self.flips[n];
                mark(plan, &mut self.at, flip);
                for &kill in plan.kept_kills.of(flip as usize ^ 1) {
                    kill_kept(plan, &mut self.at, &mut self.flips, kill);
                }
                n += 1;
            }
            for n in 0..plan.eager as usize {
                self.settle_kept(plan, plan.kept_masks[n]);
            }
        }
        let joints = &self.joints;
        let legal = plan.legal_words();
        let updates = || list.iter().map(|&n| &joints.updates[n as usize]);
        for &flip in &self.flips {
            for kill in plan.kills.of(flip as usize ^ 1) {
                self.at.bits[legal + kill.word as usize] &= !kill.bits;
            }
        }
        for update in updates() {
            for &slot in &joints.wakes[range(update.wakes)] {
                wake(plan, &mut self.at, slot);
            }
        }
        for &flip in &self.flips {
            for &slot in plan.wakes.of(flip as usize) {
                wake(plan, &mut self.at, slot);
            }
        }
    }

    /// Computes the marked kept gates of a mask, in order; changed ones go to `flips`.
    #[inline(always)]
    pub(super) fn settle_kept(&mut self, plan: &Plan, mask: Mask) {
        let w = mask.word as usize;
        loop {
            let marked = self.at.dirty[w] & mask.bits;
            if marked == 0 {
                break;
            }
            let shift = marked.trailing_zeros() as usize;
            self.at.dirty[w] &= !(1 << shift);
            let formula = &plan.kept[w * BITS + shift];
            let (checks, bits) = (&self.joints.checks.0, &self.at.bits);
            let before = bits[plan.base_words + w] >> shift & 1 == 1;
            let value = if formula.had_product(before) {
                formula.holds_still(checks, bits, &mut self.last[w * BITS + shift])
            } else {
                formula.holds(checks, bits)
            };
            if self.counts {
                self.work += 20 + formula.cost_in(checks, bits);
            }
            let word = &mut self.at.bits[plan.base_words + w];
            if (*word >> shift & 1 == 1) != value {
                *word ^= 1 << shift;
                let flip = (2 * ((plan.base_words + w) * BITS + shift) + usize::from(!value)) as u32;
                self.flips.push(flip);
                mark(plan, &mut self.at, flip);
                for kill in plan.kept_kills.of(flip as usize ^ 1) {
                    // Later gates are looked at again.
                    self.at.dirty[kill.word as usize] |= kill.bits;
                }
            }
        }
    }

    /// Computes all marked kept gates.
    pub(super) fn settle_all_kept(&mut self, plan: &Plan) {
        for word in 0..plan.kept_words {
            self.settle_kept(plan, Mask { word: word as u32, bits: Word::MAX });
        }
    }

    /// Computes marked legal propositions of a group.
    #[inline(always)]
    pub(super) fn settle_legal(&mut self, plan: &Plan, group: &Group) {
        for n in range(group.needs) {
            self.settle_kept(plan, plan.kept_masks[n]);
        }
        for w in group.first as usize..group.end as usize {
            let marked = &mut self.at.dirty[plan.kept_words + w];
            let mut dirty = *marked & group.mask;
            *marked &= !group.mask;
            let mut legal = self.at.bits[plan.legal_words() + w];
            while dirty != 0 {
                let shift = dirty.trailing_zeros() as usize;
                dirty &= dirty - 1;
                let formula = &plan.legal[w * BITS + shift].1;
                let (checks, bits) = (&self.joints.checks.0, &self.at.bits);
                let value = formula.holds(checks, bits);
                if self.counts {
                    self.work += formula.cost_in(checks, bits);
                }
                legal = legal & !(1 << shift) | Word::from(value) << shift;
            }
            self.at.bits[plan.legal_words() + w] = legal;
        }
    }
}
