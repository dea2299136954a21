//! Decides whether a game has ended.
//!
//! # Steps
//! 1. Terminal is an OR of products. Before a move none of its products holds, so after the move only products with a
//!    changed bit can hold. Each update lists these products, and single changes name them by their bits.
//! 2. Lines, and products of two checks, are evaluated without a branch.
//! 3. Products that need many kept gates come last, a literal at a time. The literal that did not hold in an earlier
//!    state is looked at first.

use super::places::range;
use super::plan::{LateEnd, LateStep, Plan};
use super::{BITS, HINTS, Walk};

impl Walk {
    /// Whether a state is terminal that the state before it was not. `all_short`: whether its updates are all short.
    #[inline(always)]
    pub(super) fn ended(&mut self, plan: &Plan, updates: &[u32], all_short: bool) -> bool {
        let joints = &self.joints;
        let (checks, bits) = (&joints.checks.0, &self.at.bits);
        let mut ended = plan.always_ends;
        let row = bits.first_chunk().copied().unwrap_or_default();
        for &n in updates {
            let update = &joints.updates[n as usize];
            if !update.ends_games {
                continue;
            }
            for &line in &joints.ends[range(update.lines)] {
                ended |= plan.lines[line as usize].holds(&row);
            }
            if all_short {
                continue;
            }
            for &end in &joints.ends[range(update.short_ends)] {
                ended |= plan.short_ends[end as usize].holds(bits);
            }
            for &end in &joints.ends[range(update.ends)] {
                ended |= plan.ends[end as usize].holds(checks, bits);
            }
            for trigger in &joints.triggers[range(update.end_triggers)] {
                for list in trigger.lists(bits) {
                    for &end in joints.triggered_by(list) {
                        ended |= plan.ends[end as usize].holds(checks, bits);
                    }
                }
            }
        }
        for &flip in &self.flips {
            for &end in plan.ends_of.of(flip as usize) {
                ended |= plan.ends[end as usize].holds(checks, bits);
            }
        }
        ended || self.late_ends(plan)
    }

    #[inline(always)]
    pub(super) fn is_terminal(&mut self, plan: &Plan) -> bool {
        match self.at.terminal {
            Some(known) => known,
            None => {
                let known = self.all_ends(plan);
                self.at.terminal = Some(known);
                known
            }
        }
    }

    #[inline(never)]
    fn all_ends(&mut self, plan: &Plan) -> bool {
        let (checks, bits) = (&self.joints.checks.0, &self.at.bits);
        plan.always_ends || plan.ends.iter().any(|end| end.holds(checks, bits)) || self.late_ends(plan)
    }

    /// Whether one of the products of terminal that need many gates holds.
    #[inline(always)]
    fn late_ends(&mut self, plan: &Plan) -> bool {
        (0..plan.late_ends.len()).any(|n| {
            let end = &plan.late_ends[n];
            if !end.product.holds(&self.joints.checks.0, &self.at.bits) {
                return false;
            }
            // What did not hold in an earlier state of the same guard mostly does not hold now.
            let open = self.at.open.unwrap_or(0) & !1;
            let place = HINTS * n + (open >> 1).trailing_zeros() as usize % HINTS;
            match end.steps.get(self.hints[place] as usize) {
                Some(step) if !self.step_holds(plan, step) => false,
                _ => self.all_steps_hold(plan, end, place),
            }
        })
    }

    #[inline(never)]
    fn all_steps_hold(&mut self, plan: &Plan, end: &LateEnd, place: usize) -> bool {
        // Gates that the moves of the next state need as well come first: one of them mostly decides.
        let open = self.at.open.unwrap_or(0) & !1;
        [true, false].into_iter().all(|now| {
            end.steps.iter().enumerate().filter(|(_, step)| (step.guards & open != 0) == now).all(
                |(n, step)| {
                    let holds = self.step_holds(plan, step);
                    if !holds {
                        self.hints[place] = n as u32;
                    }
                    holds
                },
            )
        })
    }

    #[inline(always)]
    fn step_holds(&mut self, plan: &Plan, step: &LateStep) -> bool {
        for n in range(step.needs) {
            self.settle_kept(plan, plan.kept_masks[n]);
        }
        let bit = (step.literal >> 1) as usize;
        (self.at.bits[bit / BITS] >> (bit % BITS) & 1 == 1) == (step.literal & 1 == 0)
    }
}
