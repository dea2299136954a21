//! The roles that move in each lane, where roles take turns.

use super::super::plan::Plan;
use super::{Block, and, and_not, lit, or};

/// The lanes in which a role has a choice.
pub(super) struct Choices<const W: usize> {
    /// Some role has one.
    pub(super) some: Block<W>,
    /// Two have one.
    pub(super) both: Block<W>,
    /// Some role has no legal move.
    pub(super) stuck: Block<W>,
}

/// Finds the lanes in which each role has a choice.
#[inline(always)]
pub(super) fn find_choices<const W: usize>(
    plan: &Plan,
    values: &[Block<W>],
    acting: &mut [Block<W>],
) -> Choices<W> {
    let mut found = Choices { some: [0; W], both: [0; W], stuck: [0; W] };
    for (inputs, acts) in plan.inputs.iter().zip(acting.iter_mut()) {
        let (mut one, mut two) = ([0; W], [0; W]);
        for input in inputs {
            let legal = lit(values, input.legal);
            two = or(&two, &and(&one, &legal));
            one = or(&one, &legal);
        }
        found.stuck = or(&found.stuck, &one.map(|w| !w));
        found.both = or(&found.both, &and(&found.some, &two));
        found.some = or(&found.some, &two);
        *acts = two;
    }
    found
}

/// Who moves in the lanes without a choice: the first role whose only move is not one of waiting, else the first.
#[inline(always)]
pub(super) fn find_forced<const W: usize>(
    plan: &Plan,
    values: &[Block<W>],
    acting: &mut [Block<W>],
    some: &Block<W>,
) {
    let mut open: Block<W> = some.map(|w| !w);
    if open == [0; W] {
        return;
    }
    for (inputs, acts) in plan.inputs.iter().zip(acting.iter_mut()) {
        let busy = inputs.iter().filter(|i| !i.idle).fold([0; W], |all, i| or(&all, &lit(values, i.legal)));
        *acts = or(acts, &and(&busy, &open));
        open = and_not(&open, &busy);
    }
    if let Some(first) = acting.first_mut() {
        *first = or(first, &open);
    }
}
