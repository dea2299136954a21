//! A net compiled for single states: moves are masks on machine words, outputs are masked comparisons.
//!
//! # Source
//! Our own. Cofactors and sums of products: R. Brayton and others, "Logic Minimization Algorithms for VLSI Synthesis"
//! (1984).
//!
//! # Notation
//! A state is a row of words: bases, gates that are kept, scratch bits. A *joint move* is one input of each role.
//!
//! # Steps
//! 1. Terminal, legal propositions and transitions become sums of products over bases. Gates for which that is too
//!    large keep a bit of their own (`plan`).
//! 2. Each joint move is compiled when it is first played. It becomes bits that it sets and clears, bits that change
//!    where a product holds, and what depends on them (`joint`).
//!    Rows of facts that it joins or empties whole are moved word by word (`rows`).
//! 3. A move writes its words. It marks what depends on changed bits, and looks at the products of terminal that the
//!    change may have made true.
//! 4. Marked legal propositions are computed when somebody asks for the moves of their role and their guard holds.
//! 5. Goals are formulas too. Playouts evaluate large ones for 64 ended games at once (`ends`).
//!
//! # Invariants
//! Inputs are legal moves of the state. What follows an illegal one is not defined.
//!
//! `terminal` is known exactly: before a move no product holds, so after it only those can that have a changed bit.
//!
//! # Cost
//! A few nanoseconds for each word of a move and each marked formula. No work is done for gates that do not change, and
//! none for transitions that the move does not change.

mod changes;
mod cover;
mod effects;
mod ends;
mod exclusive;
mod formula;
mod joint;
pub(super) mod plan;
pub mod playout;
mod rows;
mod select;
mod settle;
mod source;
mod store;
#[cfg(test)]
mod tests;
mod update;

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use formula::{BITS, Word};
use joint::{Broken, Joint, Joints, NONE, Watch};
use plan::{Group, LateEnd, LateStep, Plan};
use settle::{note_flips, set_bit};
use std::sync::Arc;

/// Remembered steps of each product of terminal that is computed last, by guard.
const HINTS: usize = 4;

/// About the instructions to look at a guard.
const GUARD_COST: u64 = 15;

/// The compiled net, and a state of it.
#[derive(Clone, Debug)]
pub struct Compiled {
    plan: Arc<Plan>,
    walk: Walk,
}

/// A state, and what was compiled on the way to it. Apart from the plan, so that a move counts no references to that.
#[derive(Clone, Debug)]
struct Walk {
    joints: Joints,
    at: Position,
    start: Option<Box<(Bases, Position)>>,
    state: Bases,
    next_state: Bases,
    list: Vec<u32>,
    /// The updates of the move that is made.
    updates: Vec<u32>,
    /// Changed bits: twice the bit, plus one if it fell. Bits that an update takes care of are left out.
    flips: Vec<u32>,
    /// Where the product of each kept gate begins that held last.
    last: Vec<u32>,
    /// For each product of terminal that is computed last, and guards, a step that did not hold.
    hints: Vec<u32>,
    /// The selectors and stores that hold in the move that is made, by number.
    row_work: [Vec<u32>; 2],
    /// Sums of rows.
    sums: Vec<Word>,
    /// Words of rows before the move.
    before: Vec<(u32, Word)>,
    /// What the moves cost until now, in about instructions, beside a fixed part of each.
    work: u64,
    /// Whether the scratch bits of goals are those of the state.
    goals_known: bool,
    log: Log,
}

/// All data that change with the state.
#[derive(Clone, Debug)]
struct Position {
    /// Bases, kept gates, legal bits, scratch.
    bits: Vec<Word>,
    /// The kept gates and legal bits that may have changed.
    dirty: Vec<Word>,
    /// Whether the state is terminal, where known.
    terminal: Option<bool>,
    /// The guards that hold, by number, where known.
    open: Option<u64>,
}

impl Position {
    fn copy_from(&mut self, other: &Self) {
        let fixed = other.bits.len().min(self.bits.len());
        self.bits[..fixed].copy_from_slice(&other.bits[..fixed]);
        self.dirty.copy_from_slice(&other.dirty);
        self.terminal = other.terminal;
        self.open = other.open;
    }
}

#[inline(always)]
fn range((from, to): (u32, u32)) -> std::ops::Range<usize> {
    from as usize..to as usize
}

impl Compiled {
    /// In the initial state; `None` if the net is too large to compile.
    #[must_use]
    pub fn new(topology: &Arc<Topology>) -> Option<Self> {
        Some(Self::of_plan(Arc::new(Plan::new(topology)?)))
    }

    /// In the initial state of a plan that may be shared.
    fn of_plan(plan: Arc<Plan>) -> Self {
        let dirty_words = plan.dirty_words();
        let net = &plan.topology.net;
        let state = net.names.initial.clone();
        let at = Position {
            bits: vec![0; plan.base_words + dirty_words],
            dirty: vec![0; dirty_words],
            terminal: None,
            open: None,
        };
        let mut walk = Walk {
            joints: Joints::new(&plan, plan.exclusive.clone()),
            at,
            start: None,
            next_state: state.clone(),
            state: state.clone(),
            list: Vec::new(),
            updates: Vec::new(),
            flips: Vec::new(),
            last: vec![0; plan.kept.len()],
            hints: vec![0; HINTS * plan.late_ends.len()],
            row_work: Default::default(),
            sums: Vec::new(),
            before: Vec::new(),
            work: 0,
            goals_known: false,
            log: Log::default(),
        };
        let all = |words: &mut [Word], n: usize| (0..n).for_each(|b| words[b / BITS] |= 1 << (b % BITS));
        all(&mut walk.at.dirty, plan.kept.len());
        for (slot, &(input, _)) in plan.legal.iter().enumerate() {
            if input != plan::NO_INPUT {
                walk.at.dirty[plan.kept_words + slot / BITS] |= 1 << (slot % BITS);
            }
        }
        walk.settle_all_kept(&plan);
        walk.change_to(&plan, &state);
        Self { plan, walk }
    }
}

/// Adds the updates of guards that hold to a list; returns about the instructions it took.
#[inline(always)]
fn watched(joints: &Joints, watch: Watch, bits: &[Word], found: &mut Vec<u32>) -> u64 {
    let mut looked = u64::from(watch.always.1 - watch.always.0);
    for guard in &joints.guards[range(watch.always)] {
        if guard.product.holds(&joints.checks.0, bits) {
            found.push(guard.update);
        }
    }
    for trigger in &joints.triggers[range(watch.triggers)] {
        for list in trigger.lists(bits) {
            let guards = joints.triggered_by(list);
            looked += guards.len() as u64;
            for &n in guards {
                let guard = &joints.guards[n as usize];
                if guard.product.holds(&joints.checks.0, bits) {
                    found.push(guard.update);
                }
            }
        }
    }
    GUARD_COST * looked
}

impl Walk {
    /// Goes to a state by the bits in which it differs.
    fn change_to(&mut self, plan: &Plan, state: &Bases) {
        self.flips.clear();
        for (n, &new) in state.as_slice().iter().enumerate() {
            let changed = self.at.bits[n] ^ new;
            self.at.bits[n] = new;
            note_flips(&mut self.flips, n, changed, new);
            self.copy_changed(plan, n as u32, changed);
        }
        self.updates.clear();
        self.settle(plan);
        self.at.open = None;
        self.check_groups(plan);
        self.at.terminal = None;
        self.goals_known = false;
        self.keep_state();
    }

    /// Drops groups that a state from outside contradicts.
    fn check_groups(&mut self, plan: &Plan) {
        for n in 0..self.flips.len() {
            let (bit, fell) = (self.flips[n] / 2, self.flips[n] & 1 == 1);
            while let Some(group) = self.joints.groups.broken(&self.at.bits, bit).filter(|_| !fell) {
                self.joints.drop_group(plan, Broken::Group(group));
            }
        }
        while let Some(group) = self.joints.groups.missing(&self.at.bits) {
            self.joints.drop_group(plan, Broken::Exactness(group));
        }
    }

    /// Lists the updates of a joint move in `updates`.
    #[inline(always)]
    fn find_updates(&mut self, plan: &Plan, joint: &Joint) {
        for n in range(joint.kept_needs) {
            self.settle_kept(plan, self.joints.masks[n]);
        }
        if joint.locals.0 < joint.locals.1 {
            self.make_room(plan);
            self.goals_known = false;
        }
        let joints = &self.joints;
        for (bit, formula) in &joints.locals[range(joint.locals)] {
            self.work += formula.cost();
            let value = formula.holds(&joints.checks.0, &self.at.bits);
            set_bit(&mut self.at.bits, *bit as usize, value);
        }
        self.updates.clear();
        self.updates.push(joint.update);
        self.work += watched(&self.joints, joint.watch, &self.at.bits, &mut self.updates);
        if joint.rows != NONE {
            self.find_rows(plan, joint.rows);
        }
    }

    /// Finds what happens to the rows of a move, and joins those that are selected.
    fn find_rows(&mut self, plan: &Plan, rows: u32) {
        let rows = self.joints.rows[rows as usize];
        let (joints, bits) = (&self.joints, &self.at.bits);
        let [selected, stored] = &mut self.row_work;
        selected.clear();
        stored.clear();
        self.work += watched(joints, rows.selects, bits, selected);
        self.work += watched(joints, rows.stores, bits, stored);
        self.work += plan.rows.lists.cost(selected) + plan.rows.lists.cost(stored);
        self.sums.clear();
        self.sums.resize(plan.rows.width, 0);
        plan.rows.lists.gather(selected, bits, &mut self.sums);
    }

    /// Brings the copy of rows up to date.
    #[inline(always)]
    fn copy_changed(&mut self, plan: &Plan, word: u32, mut changed: Word) {
        let first = plan.copy_words();
        while changed != 0 {
            let base = word * BITS as u32 + changed.trailing_zeros();
            changed &= changed - 1;
            if let Some(bit) = plan.rows.copy_of(base) {
                self.at.bits[first + bit as usize / BITS] ^= 1 << (bit as usize % BITS);
            }
        }
    }

    /// Changes the rows of a move; changed bits on which anything depends go to the flips.
    fn change_rows(&mut self, plan: &Plan) {
        let [selected, stored] = &self.row_work;
        self.before.clear();
        let before = &mut self.before;
        let note = |word: u32, old: Word| {
            if !before.iter().any(|b: &(u32, Word)| b.0 == word) {
                before.push((word, old));
            }
        };
        plan.rows.lists.scatter(selected, stored, &self.sums, &mut self.at.bits, note);
        for n in 0..self.before.len() {
            let (word, old) = self.before[n];
            let new = self.at.bits[word as usize];
            note_flips(&mut self.flips, word as usize, (old ^ new) & plan.noticed[word as usize], new);
            self.copy_changed(plan, word, old ^ new);
        }
    }

    /// Goes to the state after a joint move.
    #[inline(always)]
    fn go(&mut self, plan: &Plan, number: usize) {
        let known = self.at.terminal == Some(false);
        self.goals_known = false;
        let joint = self.joints.joints[number];
        self.find_updates(plan, &joint);
        self.flips.clear();
        let joints = &self.joints;
        for &n in &self.updates {
            self.work += u64::from(joints.updates[n as usize].cost);
            for change in &joints.words[range(joints.updates[n as usize].words)] {
                let word = &mut self.at.bits[change.word as usize];
                *word = *word & change.keep | change.set;
            }
        }
        if joint.rows != NONE {
            self.change_rows(plan);
        }
        self.settle(plan);
        self.at.open = joint.open;
        if known {
            let joints = &self.joints;
            let (checks, bits) = (&joints.checks.0, &self.at.bits);
            let mut ended = plan.always_ends;
            for &n in &self.updates {
                let update = &joints.updates[n as usize];
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
            self.at.terminal = Some(ended || self.late_ends(plan));
        } else {
            self.at.terminal = None;
        }
    }

    #[inline(always)]
    fn is_terminal(&mut self, plan: &Plan) -> bool {
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

    /// Records the bases and kept gates that a move changed.
    fn note_changes(&mut self, plan: &Plan) {
        let net = &plan.topology.net;
        for base in 0..net.bases() {
            let value = self.at.bits[base / BITS] >> (base % BITS) & 1 == 1;
            if value != self.state.contains(base) {
                self.log.note(net.base_node(base), value);
            }
        }
        for &flip in &self.flips {
            // Bases of rows are among the bases above.
            let Some(kept) = (flip as usize / 2).checked_sub(plan.base_words * BITS) else { continue };
            let node = plan.kept_nodes[kept];
            if node < net.nodes() {
                self.log.note(node, flip & 1 == 0);
            }
        }
    }

    fn keep_state(&mut self) {
        let words = self.state.as_slice().len();
        self.state.as_mut_slice().copy_from_slice(&self.at.bits[..words]);
    }

    /// Computes all that goals need beside the state.
    #[inline(always)]
    fn settle_goals(&mut self, plan: &Plan) {
        if std::mem::replace(&mut self.goals_known, true) {
            return;
        }
        if plan.goals_need_kept {
            self.settle_all_kept(plan);
        }
        self.make_room(plan);
        for (n, formula) in plan.goal_locals.iter().enumerate() {
            self.work += formula.cost();
            let value = formula.holds(&self.joints.checks.0, &self.at.bits);
            set_bit(&mut self.at.bits, plan.scratch() + n, value);
        }
    }

    /// Makes room for scratch bits.
    fn make_room(&mut self, plan: &Plan) {
        let needed = (plan.scratch() + self.joints.scratch.max(plan.goal_locals.len())).div_ceil(BITS);
        if self.at.bits.len() < needed {
            self.at.bits.resize(needed, 0);
        }
    }

    /// Whether the guard of a group holds.
    #[inline(always)]
    fn is_open(&self, group: &Group) -> bool {
        match self.at.open {
            Some(open) => open >> group.number & 1 == 1,
            None => group.guard.holds(&self.joints.checks.0, &self.at.bits),
        }
    }

    /// The words of legal bits of a group.
    #[inline(always)]
    fn legal_words(&self, plan: &Plan, group: &Group) -> &[Word] {
        &self.at.bits[plan.legal_words()..][group.first as usize..group.end as usize]
    }

    #[inline(always)]
    fn has_goal(&self, plan: &Plan, role: usize, value: usize) -> bool {
        let formula = &plan.goal_formulas[plan.goals[role][value] as usize];
        formula.holds(&self.joints.checks.0, &self.at.bits)
    }

    /// Goes to the start of games, which is known from the second time on.
    fn restart(&mut self, plan: &Plan, start: &Bases) {
        match &self.start {
            Some(known) if known.0 == *start => {
                self.at.copy_from(&known.1);
                self.state.clone_from(start);
                self.goals_known = false;
            }
            _ => {
                self.change_to(plan, start);
                self.is_terminal(plan);
                for group in plan.groups.iter().flatten() {
                    self.settle_legal(plan, group);
                }
                self.start = Some(Box::new((start.clone(), self.at.clone())));
            }
        }
    }
}

impl Propagator for Compiled {
    fn enter(&mut self, state: &Bases) {
        self.walk.change_to(&self.plan, state);
    }

    fn restart(&mut self, start: &Bases) {
        self.walk.restart(&self.plan, start);
    }

    fn state(&self) -> &Bases {
        &self.walk.state
    }

    fn terminal(&mut self) -> bool {
        self.walk.is_terminal(&self.plan)
    }

    fn legal(&mut self, role: usize) -> &[u32] {
        let Self { plan, walk } = self;
        walk.list.clear();
        for group in &plan.groups[role] {
            if !walk.is_open(group) {
                continue;
            }
            walk.settle_legal(plan, group);
            for w in group.first as usize..group.end as usize {
                let mut bits = walk.at.bits[plan.legal_words() + w];
                while bits != 0 {
                    walk.list.push(plan.input_of[w * BITS + bits.trailing_zeros() as usize]);
                    bits &= bits - 1;
                }
            }
        }
        &walk.list
    }

    fn goal(&mut self, role: usize, value: usize) -> bool {
        let Self { plan, walk } = self;
        walk.settle_goals(plan);
        walk.has_goal(plan, role, value)
    }

    fn successor(&mut self, inputs: &[u32]) -> &Bases {
        let Self { plan, walk } = self;
        let number = walk.joints.find(plan, inputs);
        let joint = walk.joints.joints[number];
        walk.find_updates(plan, &joint);
        walk.next_state.clone_from(&walk.state);
        let words = walk.next_state.as_mut_slice();
        for &n in &walk.updates {
            for change in &walk.joints.words[range(walk.joints.updates[n as usize].words)] {
                let word = &mut words[change.word as usize];
                *word = *word & change.keep | change.set;
            }
        }
        if joint.rows != NONE {
            let ([selected, stored], lists) = (&walk.row_work, &plan.rows.lists);
            lists.scatter(selected, stored, &walk.sums, words, |_, _| {});
        }
        &walk.next_state
    }

    fn advance(&mut self, inputs: &[u32]) {
        let Self { plan, walk } = self;
        let number = walk.joints.find(plan, inputs);
        walk.go(plan, number);
        if walk.log.is_watched() {
            walk.note_changes(plan);
        }
        walk.keep_state();
    }

    fn watch(&mut self) {
        self.walk.log.watch();
    }

    fn visits(&mut self) -> Visits {
        self.walk.log.visits()
    }
}
