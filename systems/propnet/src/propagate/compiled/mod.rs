//! A net that is compiled for single states. Moves are masks on machine words, and outputs are masked comparisons.
//!
//! # Source
//! Our own. Cofactors and sums of products: R. Brayton and others, "Logic Minimization Algorithms for VLSI Synthesis"
//! (1984).
//!
//! # Notation
//! A state is a row of words with the bits of bases, of kept gates, and scratch bits. A *joint move* is one input of
//! each role.
//!
//! # Steps
//! 1. Terminal, legal propositions and transitions become sums of products over bases. A gate whose sum of products
//!    would be too large is *kept*: its value has a bit in the state (`plan`).
//! 2. Each joint move is compiled when it is first played. It becomes bits that it sets and clears, bits that change
//!    where a product holds, and what depends on them (`joint`). Whole rows of facts that the move joins or empties are
//!    moved word by word (`rows`).
//! 3. A move writes its words. It marks what depends on changed bits, and looks at the products of terminal that the
//!    change may have made true.
//! 4. Marked legal propositions are computed when a caller asks for the moves of their role and their guard holds. The
//!    move before decides how random moves are drawn (`turns`).
//! 5. Goals are formulas too. Playouts evaluate large ones for 64 ended games at once (`ends`).
//!
//! # Invariants
//! Inputs must be legal moves of the state. The result of an illegal move is undefined.
//!
//! `terminal` is known exactly. Before a move no product of it holds, so after the move only products with a changed
//! bit can hold.
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
mod places;
pub(super) mod plan;
pub mod playout;
mod rows;
mod select;
mod settle;
mod source;
mod store;
mod terminal;
#[cfg(test)]
mod tests;
mod turns;
mod update;

use super::watch::{Log, Visits};
use super::{Propagator, Topology};
use crate::net::Bases;
use exclusive::{Broken, Exclusive, samples};
use formula::{BITS, LINE_WORDS, Word};
use joint::{Joint, Joints, Watch};
use places::{NONE, range};
use plan::{Group, Plan};
use settle::{note_flips, set_bit};
use std::sync::Arc;

/// Groups of bases of which no random game shows two, and of each whether all games show one. Nothing is proved.
pub(crate) fn likely_groups(topology: &Arc<Topology>) -> Vec<(Vec<u32>, bool)> {
    let groups = Exclusive::new(&topology.net, &samples(topology));
    groups.members.into_iter().zip(groups.exact).collect()
}

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
    /// Whether that is counted.
    counts: bool,
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
    /// How moves are drawn: a number of [`Joints::turns`], [`NONE`] if that is not known.
    turn: u32,
}

impl Position {
    fn copy_from(&mut self, other: &Self) {
        let fixed = other.bits.len().min(self.bits.len());
        self.bits[..fixed].copy_from_slice(&other.bits[..fixed]);
        self.dirty.copy_from_slice(&other.dirty);
        self.terminal = other.terminal;
        self.open = other.open;
        self.turn = other.turn;
    }
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
            bits: vec![0; (plan.base_words + dirty_words).max(LINE_WORDS)],
            dirty: vec![0; dirty_words],
            terminal: None,
            open: None,
            turn: NONE,
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
            counts: false,
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
    let pairs = &joints.pair_guards[range(watch.pairs)];
    looked += pairs.len() as u64 / 2;
    let mut end = found.len();
    found.resize(end + pairs.len(), 0);
    for (pair, update) in pairs {
        found[end] = *update;
        end += usize::from(pair.holds(bits));
    }
    found.truncate(end);
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
        self.settle(plan, &[]);
        (self.at.open, self.at.turn) = (None, NONE);
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
        let joint = self.joints.joints[number];
        self.goals_known = false;
        self.flips.clear();
        if joint.is_plain {
            return self.make_updates(plan, &joint, &[joint.update]);
        }
        self.find_updates(plan, &joint);
        let updates = std::mem::take(&mut self.updates);
        self.make_updates(plan, &joint, &updates);
        self.updates = updates;
    }

    /// The same, once its updates are found.
    #[inline(always)]
    fn make_updates(&mut self, plan: &Plan, joint: &Joint, updates: &[u32]) {
        let known = self.at.terminal == Some(false);
        let joints = &self.joints;
        let mut all_short = true;
        for &n in updates {
            let update = &joints.updates[n as usize];
            all_short &= update.is_short;
            self.work += u64::from(update.cost);
            for change in &joints.words[range((update.words.0, update.legal.1))] {
                let word = &mut self.at.bits[change.word as usize];
                *word = *word & change.keep | change.set;
            }
        }
        if joint.rows != NONE {
            self.change_rows(plan);
        }
        all_short &= self.flips.is_empty();
        if !all_short {
            self.settle(plan, updates);
        }
        (self.at.open, self.at.turn) = (joint.open, joint.turn);
        self.at.terminal = if known { Some(self.ended(plan, updates, all_short)) } else { None };
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
    fn legal_words<'a>(&'a self, plan: &Plan, group: &'a Group) -> impl Iterator<Item = Word> + 'a {
        let words = &self.at.bits[plan.legal_words()..][group.first as usize..group.end as usize];
        words.iter().map(|word| word & group.mask)
    }

    /// Finds how moves are drawn in this state.
    fn find_turn(&mut self, plan: &Plan) {
        let groups = || plan.groups.iter().flatten();
        if groups().any(|group| group.number >= u64::BITS) {
            return;
        }
        let open = groups().filter(|g| self.is_open(g)).fold(0, |open, g| open | 1 << g.number);
        let first = plan.legal_words() * BITS;
        let bits = &self.at.bits;
        let holds = |slot: u32| bits[(first + slot as usize) / BITS] >> (slot as usize % BITS) & 1 == 1;
        self.at.turn = self.joints.turns.turn(plan, open, |slot| Some(holds(slot)));
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
                self.find_turn(plan);
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
                let mut bits = walk.at.bits[plan.legal_words() + w] & group.mask;
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
