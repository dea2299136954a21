//! The compiled form of a joint move: what the move does to a state. It is made when the move is first played.
//!
//! # Steps
//! 1. The inputs of the move are true, and all others are false. The move is assumed to be legal. So everything that
//!    its legal propositions need holds, and so do the groups of `exclusive`.
//! 2. The gates that these inputs reach become simpler. Each becomes a literal: a constant, a base, or a gate over
//!    bases. A base whose transition is not its own value changes always, or where some products hold. One list has the
//!    products by which it becomes true, another those by which it becomes false.
//! 3. A product with its changes is a *guard*. Guards with the same product are merged. An *update* is what a guard or
//!    the move itself changes, with all that depends on it, listed once.
//! 4. A guard is looked at only if its *trigger* holds: the literal of its product that holds least often.

use super::changes::{assumptions, changes};
use super::cover::{Cover, Product, both};
use super::effects::{cone_of, join, join_bits};
use super::exclusive::{Broken, Exclusive, Known};
use super::formula::{BITS, Checks, Formula, Mask, Pair, Word};
use super::places::{NONE, Range};
use super::plan::Plan;
use super::source::Locals;
use super::store::{Extra, Store};
use super::turns::Turns;
use crate::net::Lit;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The changes of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordChange {
    pub(super) word: u32,
    pub(super) keep: Word,
    pub(super) set: Word,
}

/// Bits that change, and what depends on them: ranges in [`Joints`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Update {
    pub(super) words: Range,
    /// Legal bits whose value is known, in the same list right behind.
    pub(super) legal: Range,
    /// Lines of terminal that the change may have made true.
    pub(super) lines: Range,
    /// About the instructions it takes.
    pub(super) cost: u32,
    /// Whether that is all.
    pub(super) is_short: bool,
    /// Whether terminal has lines or other products that the change may have made true.
    pub(super) ends_games: bool,
    pub(super) ups: Range,
    pub(super) downs: Range,
    pub(super) kept_kills: Range,
    pub(super) wakes: Range,
    /// Other products of terminal that are always looked at, those of at most two checks apart, and triggers of more.
    pub(super) short_ends: Range,
    pub(super) ends: Range,
    pub(super) end_triggers: Range,
}

/// An update that is made where a product holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    pub(super) product: Formula,
    /// A number of [`Joints::updates`], or of work of rows.
    pub(super) update: u32,
}

/// Triggers in one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trigger {
    pub(super) mask: Mask,
    /// The first of the lists of its bits.
    pub(super) first: u32,
}

impl Trigger {
    /// The lists of its bits that hold.
    #[inline(always)]
    pub(super) fn lists(self, bits: &[Word]) -> impl Iterator<Item = usize> {
        let mut hits = bits[self.mask.word as usize] & self.mask.bits;
        std::iter::from_fn(move || {
            let below = (hits & hits.wrapping_neg()).checked_sub(1)?;
            hits &= hits - 1;
            Some(self.first as usize + (self.mask.bits & below).count_ones() as usize)
        })
    }
}

/// Guards: ranges in [`Joints`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watch {
    /// Guards that are always looked at: those of at most two checks, then others.
    pub(super) pairs: Range,
    pub(super) always: Range,
    pub(super) triggers: Range,
}

/// The rows of a move; the numbers of their guards are those of [`Rows`](super::rows::Rows).
#[derive(Clone, Copy, Debug)]
pub(super) struct RowMove {
    pub(super) selects: Watch,
    pub(super) stores: Watch,
}

/// Ranges in [`Joints`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// The number of the update that is always made.
    pub(super) update: u32,
    pub(super) watch: Watch,
    /// The number of its rows, [`NONE`] if it has none.
    pub(super) rows: u32,
    pub(super) locals: Range,
    /// Kept gates that the move needs and that are not always up to date.
    pub(super) kept_needs: Range,
    /// The guards of legal propositions that hold afterwards, by number, if all are known.
    pub(super) open: Option<u64>,
    /// Whether it is its update and nothing else.
    pub(super) is_plain: bool,
    /// How the next moves are drawn: a number of [`Joints::turns`], [`NONE`] if that is not known.
    pub(super) turn: u32,
}

/// All joint moves made until now.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub(super) joints: Vec<Joint>,
    pub(super) updates: Vec<Update>,
    pub(super) words: Vec<WordChange>,
    pub(super) guards: Vec<Guard>,
    /// Guards of at most two checks, with their updates.
    pub(super) pair_guards: Vec<(Pair, u32)>,
    pub(super) triggers: Vec<Trigger>,
    /// Where the list of each trigger begins in `triggered`; one more for each word.
    pub(super) starts: Vec<u32>,
    /// Numbers of guards.
    pub(super) triggered: Vec<u32>,
    /// Scratch bits, in the order they are computed.
    pub(super) locals: Vec<(u32, Formula)>,
    /// Masks of all kinds.
    pub(super) masks: Vec<Mask>,
    pub(super) rows: Vec<RowMove>,
    pub(super) wakes: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) checks: Checks,
    pub(super) groups: Exclusive,
    pub(super) turns: Turns,
    /// By hash of the inputs: a joint move of three roles or more.
    recent: Vec<u32>,
    /// The inputs of all joint moves, one after the other.
    inputs: Vec<u32>,
    /// By input: the other role's input and the joint move.
    partners: Vec<(u32, u32)>,
    pairs: FxHashMap<(u32, u32), u32>,
    /// Updates by what becomes true, and guards by product, update and whether that is work of rows.
    pub(super) known_updates: FxHashMap<Box<[u32]>, u32>,
    known_guards: FxHashMap<(Product, u32, bool), u32>,
    /// The most scratch bits of a move.
    pub(super) scratch: usize,
    own_checks: usize,
    pub(super) frequency: Arc<[u32]>,
    /// The work of making joint moves, in about products looked at.
    pub(super) effort: u64,
}

/// Up to this many guards of two checks are all looked at, without a branch that depends on one.
const MANY_PAIRS: usize = 16;

/// The places of [`Joints::recent`].
const RECENT: usize = 1 << 12;

/// An odd number without a pattern: 2^64 over the golden ratio.
const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

/// The list is emptied when it has this many checks or entries: some 50 MB.
const MOST: usize = 1 << 19;

impl Joints {
    pub(super) fn new(plan: &Plan, groups: Exclusive) -> Self {
        Self {
            joints: Vec::new(),
            updates: Vec::new(),
            words: Vec::new(),
            guards: Vec::new(),
            pair_guards: Vec::new(),
            triggers: Vec::new(),
            starts: Vec::new(),
            triggered: Vec::new(),
            locals: Vec::new(),
            masks: Vec::new(),
            rows: Vec::new(),
            wakes: Vec::new(),
            ends: Vec::new(),
            own_checks: plan.checks.len(),
            checks: Checks(plan.checks.clone()),
            groups,
            turns: Turns::default(),
            partners: vec![(NONE, NONE); plan.topology.net.inputs()],
            pairs: FxHashMap::default(),
            known_updates: FxHashMap::default(),
            known_guards: FxHashMap::default(),
            scratch: 0,
            frequency: Arc::clone(&plan.frequency),
            effort: 0,
            recent: vec![NONE; RECENT],
            inputs: Vec::new(),
        }
    }

    /// What a list of a trigger holds.
    #[inline(always)]
    pub(super) fn triggered_by(&self, list: usize) -> &[u32] {
        &self.triggered[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Forgets all joint moves.
    fn clear(&mut self, plan: &Plan) {
        let (groups, turns) = (std::mem::take(&mut self.groups), std::mem::take(&mut self.turns));
        *self = Self { scratch: self.scratch, effort: self.effort, turns, ..Self::new(plan, groups) };
    }

    /// Drops a group, and all that rests on it.
    pub(super) fn drop_group(&mut self, plan: &Plan, broken: Broken) {
        match broken {
            Broken::Group(group) => self.groups.drop(group),
            Broken::Exactness(group) => self.groups.drop_exactness(group),
        }
        self.clear(plan);
    }

    /// The number of different inputs in all joint moves.
    pub(super) fn different_inputs(&self) -> usize {
        self.inputs.iter().collect::<BTreeSet<_>>().len()
    }

    /// The number of a joint move.
    #[inline(always)]
    pub(super) fn find(&mut self, plan: &Plan, inputs: &[u32]) -> usize {
        match *inputs {
            [one] if self.partners[one as usize].1 != NONE => self.partners[one as usize].1 as usize,
            [a, b] if self.partners[a as usize].0 == b => self.partners[a as usize].1 as usize,
            [a, b] if self.partners[b as usize].0 == a => self.partners[b as usize].1 as usize,
            [_, _, _, ..] => {
                let hash = inputs.iter().fold(0_u64, |hash, &i| (hash ^ u64::from(i)).wrapping_mul(HASH));
                let slot = (hash >> 32) as usize % RECENT;
                let number = self.recent[slot] as usize;
                let place = number.wrapping_mul(inputs.len());
                if self.inputs.get(place..place.wrapping_add(inputs.len())) == Some(inputs) {
                    return number;
                }
                let number = self.find_or_make(plan, inputs);
                self.recent[slot] = number as u32;
                number
            }
            _ => self.find_or_make(plan, inputs),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_or_make(&mut self, plan: &Plan, inputs: &[u32]) -> usize {
        if let Some(&known) = self.key(inputs).and_then(|key| self.pairs.get(&key)) {
            return known as usize;
        }
        let size = self.checks.0.len() + self.words.len() + self.triggered.len() + self.masks.len();
        let size = size + 2 * self.pair_guards.len();
        if size > MOST + self.own_checks {
            self.clear(plan);
        }
        let joint = loop {
            match self.make(plan, inputs) {
                Ok(joint) => break joint,
                Err(broken) => self.drop_group(plan, broken),
            }
        };
        let number = self.joints.len() as u32;
        self.joints.push(joint);
        self.inputs.extend_from_slice(inputs);
        let key = self.add_key(inputs);
        self.pairs.insert(key, number);
        match *inputs {
            [one] => self.partners[one as usize].1 = number,
            [a, b] if self.partners[a as usize].0 == NONE => self.partners[a as usize] = (b, number),
            [a, b] if self.partners[b as usize].0 == NONE => self.partners[b as usize] = (a, number),
            _ => {}
        }
        number as usize
    }

    /// The key of a joint move: each step joins one more input to the number of those before it.
    fn key(&self, inputs: &[u32]) -> Option<(u32, u32)> {
        let mut joined = NONE;
        let (&last, others) = inputs.split_last()?;
        for &input in others {
            joined = *self.pairs.get(&(joined, input))?;
        }
        Some((joined, last))
    }

    fn add_key(&mut self, inputs: &[u32]) -> (u32, u32) {
        let mut joined = NONE;
        let Some((&last, others)) = inputs.split_last() else { return (NONE, NONE) };
        for &input in others {
            // Above the numbers of joint moves.
            let next = self.pairs.len() as u32 | 1 << 31;
            joined = *self.pairs.entry((joined, input)).or_insert(next);
        }
        (joined, last)
    }

    /// Compiles a joint move; the group that it may break, if there is one.
    fn make(&mut self, plan: &Plan, inputs: &[u32]) -> Result<Joint, Broken> {
        let net = &plan.topology.net;
        let known = assumptions(plan, &self.groups, inputs);
        let mut own = Extra::new(plan.extra.end());
        let changes = changes(plan, net, inputs, &known, &mut own);
        let mut store = Store { net, shared: Some(&plan.extra), own: &mut own };
        let selects: Vec<(Lit, u32)> =
            plan.rows.selects.iter().map(|&(l, work)| (changes.left(plan, l), work)).collect();
        let all = |store: &mut Store<'_>, factors: &[Lit]| {
            store.and(factors.iter().map(|&l| changes.left(plan, l)).collect::<Vec<_>>().into_iter())
        };
        // Most stores name another cell than that of the move.
        let may_hold =
            |factors: &&(Vec<Lit>, u32)| factors.0.iter().all(|&l| changes.left(plan, l) != Lit::FALSE);
        let stores = plan.rows.stores.iter().filter(may_hold);
        let stores: Vec<(Lit, u32)> =
            stores.map(|(factors, work)| (all(&mut store, factors), *work)).collect();
        let mut locals = Locals::new(plan.scratch());
        let changed = changes.bases.iter().copied().chain(plan.free.iter().copied());
        let mut next: BTreeMap<u32, NextValue> = BTreeMap::new();
        for (base, l) in changed {
            let value = loop {
                let covers = locals.both(&plan.covers, &store, l);
                let covers = covers.map(|cover| cover.map(|cover| known.restrict(&self.groups, &cover)));
                match self.next_value(&known, base, covers) {
                    Some(value) => break value,
                    None => locals.keep(&plan.covers, &store, l.node()),
                }
            };
            next.insert(base, value);
        }
        self.effort += next.values().map(|n| n.rises.len() + n.falls.len() + 4).sum::<usize>() as u64;
        self.check_groups(&next, &known)?;
        let mut guards_of = |literals: Vec<(Lit, u32)>| {
            let mut guards = Vec::new();
            for (l, work) in literals.into_iter().filter(|&(l, _)| l != Lit::FALSE) {
                let cover = loop {
                    if let [Some(cover), _] = locals.both(&plan.covers, &store, l) {
                        break known.restrict(&self.groups, &cover);
                    }
                    locals.keep(&plan.covers, &store, l.node());
                };
                guards.extend(cover.into_iter().map(|product| (product, work)));
            }
            guards
        };
        let rows = [guards_of(selects), guards_of(stores)];
        self.effort += rows.iter().map(Vec::len).sum::<usize>() as u64;
        Ok(self.write(plan, &next, &known, &locals, &rows))
    }

    /// The next value of a base, from where it holds and where it does not; `None` if more has to be written out.
    fn next_value(&self, known: &Known, base: u32, covers: [Option<Cover>; 2]) -> Option<NextValue> {
        let [plain, inverse] = covers;
        let holds = |cover: &Option<Cover>| cover.as_ref().is_some_and(|c| c.iter().any(|p| p.is_empty()));
        let never = |cover: &Option<Cover>| cover.as_ref().is_some_and(Vec::is_empty);
        let value = match () {
            () if never(&plain) || holds(&inverse) => Some(false),
            () if never(&inverse) || holds(&plain) => Some(true),
            () => None,
        };
        // What one cover does not say follows from the other if that one holds wherever the base changes.
        let change = |cover: &Option<Cover>, other: &Option<Cover>, literal: u32| match (cover, other) {
            (Some(cover), _) => {
                let with: Cover = cover.iter().filter_map(|p| both(p, &[literal])).collect();
                Some(known.restrict(&self.groups, &with))
            }
            (None, Some(other)) => {
                let mut with = known.clone();
                with.add(&self.groups, literal);
                holds(&Some(with.restrict(&self.groups, other))).then(Vec::new)
            }
            (None, None) => None,
        };
        let (rises, falls) = match value {
            Some(_) => (Vec::new(), Vec::new()),
            None => (change(&plain, &inverse, 2 * base + 1)?, change(&inverse, &plain, 2 * base)?),
        };
        Some(NextValue { covers: [plain, inverse], rises, falls, value })
    }

    /// Whether all groups hold after the move.
    fn check_groups(&mut self, next: &BTreeMap<u32, NextValue>, known: &Known) -> Result<(), Broken> {
        let mut touched: Vec<u32> = next.keys().flat_map(|&b| self.groups.of(b)).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        let (never, always) = (Vec::new(), vec![Product::default()]);
        let after = |base: u32| {
            let value = next.get(&base).map_or_else(|| known.value(base), |next| next.value);
            match (value, next.get(&base)) {
                (Some(true), _) => [always.clone(), never.clone()].map(Some),
                (Some(false), _) => [never.clone(), always.clone()].map(Some),
                (None, Some(next)) => next.covers.clone(),
                (None, None) => [vec![Box::from([2 * base])], vec![Box::from([2 * base + 1])]].map(Some),
            }
        };
        for group in touched {
            let members = &self.groups.members[group as usize];
            let bits: Vec<[Option<Cover>; 2]> =
                members.iter().map(|&base| after(base)).filter(|b| b[0] != Some(Vec::new())).collect();
            self.effort += (bits.len() * bits.len()) as u64;
            if !self.groups.are_exclusive(&bits) {
                return Err(Broken::Group(group));
            }
            // Each member that may hold before must lead to one that holds after.
            let leads = |base: u32| {
                let mut with = known.clone();
                with.add(&self.groups, 2 * base);
                let holds = |cover: &Cover| with.restrict(&self.groups, cover).iter().any(|p| p.is_empty());
                bits.iter().any(|[plain, inverse]| {
                    let fails = |cover: &Cover| with.restrict(&self.groups, cover).is_empty();
                    plain.as_ref().is_some_and(holds) || inverse.as_ref().is_some_and(fails)
                })
            };
            let open = || members.iter().copied().filter(|&b| known.value(b) != Some(false));
            if self.groups.exact[group as usize] && !open().all(leads) {
                return Err(Broken::Exactness(group));
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        plan: &Plan,
        next: &BTreeMap<u32, NextValue>,
        known: &Known,
        locals: &Locals,
        rows: &[Vec<(Product, u32)>; 2],
    ) -> Joint {
        // Literals that become true, always or where a product holds.
        let mut always = Vec::new();
        let mut guarded: BTreeMap<Product, Vec<u32>> = BTreeMap::new();
        for (&base, next) in next {
            match next.value {
                Some(value) if known.value(base) == Some(value) => {}
                Some(value) => always.push(2 * base + u32::from(!value)),
                None => {
                    next.rises.iter().for_each(|p| guarded.entry(p.clone()).or_default().push(2 * base));
                    next.falls.iter().for_each(|p| guarded.entry(p.clone()).or_default().push(2 * base + 1));
                }
            }
        }
        if let Some(more) = guarded.remove(&Product::default()) {
            always.extend(more);
        }
        let first_local = self.locals.len() as u32;
        self.scratch = self.scratch.max(locals.bits().len());
        for (n, source) in locals.bits().iter().enumerate() {
            let formula = source.write(&mut self.checks);
            self.locals.push(((plan.scratch() + n) as u32, formula));
        }
        let update = self.update(plan, &always);
        let mut products: Cover = guarded.keys().cloned().collect();
        let guarded: Vec<(Product, u32)> =
            guarded.into_iter().map(|(product, literals)| (product, self.update(plan, &literals))).collect();
        let watch = self.watch(plan, &guarded, false);
        products.extend(rows.iter().flatten().map(|(product, _)| product.clone()));
        let rows = if rows.iter().all(Vec::is_empty) {
            NONE
        } else {
            let [selects, stores] = [self.watch(plan, &rows[0], true), self.watch(plan, &rows[1], true)];
            self.rows.push(RowMove { selects, stores });
            self.rows.len() as u32 - 1
        };
        let first = plan.base_words * BITS;
        let kept = locals.bits().iter().map(|source| &*source.cover).chain([&products]);
        let kept: BTreeSet<u32> = kept.flat_map(|cover| cone_of(cover, &plan.kept_cones, first)).collect();
        let mut kept_needs = Vec::new();
        join_bits(&mut kept_needs, kept.into_iter());
        let after = self.known_after(plan, next, known);
        let open = self.open_after(plan, &after);
        let locals = (first_local, self.locals.len() as u32);
        let kept_needs = join(&mut self.masks, kept_needs.iter());
        let none = |(from, to): Range| from == to;
        let is_plain = rows == NONE
            && [watch.pairs, watch.always, watch.triggers, locals, kept_needs].into_iter().all(none);
        let turn = self.turn_after(plan, &after, open);
        Joint { update, watch, rows, locals, kept_needs, open, is_plain, turn }
    }

    /// Step 4: guards with these products, for updates or for work of rows.
    fn watch(&mut self, plan: &Plan, guarded: &[(Product, u32)], of_rows: bool) -> Watch {
        let mut lists: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let few = guarded.len() < 8;
        let mut always = Vec::new();
        let first_pair = self.pair_guards.len() as u32;
        let is_pair = |product: &Product| Pair::new(product).filter(|_| guarded.len() <= MANY_PAIRS);
        for (product, update) in guarded {
            if let Some(pair) = is_pair(product) {
                self.pair_guards.push((pair, *update));
                continue;
            }
            let Some(bit) = self.trigger_of(product).filter(|_| !few) else {
                always.push((product, *update));
                continue;
            };
            let bit = plan.rows.copy_of(bit).map_or(bit, |b| (plan.copy_words() * BITS) as u32 + b);
            let key = (product.clone(), *update, of_rows);
            let guard = match self.known_guards.get(&key) {
                Some(&known) => known,
                None => {
                    let next = self.add_guard(product, *update);
                    self.known_guards.insert(key, next);
                    next
                }
            };
            lists.entry(bit).or_default().push(guard);
        }
        let first = self.guards.len() as u32;
        for (product, update) in always {
            self.add_guard(product, update);
        }
        let pairs = (first_pair, self.pair_guards.len() as u32);
        Watch { pairs, always: (first, self.guards.len() as u32), triggers: self.write_triggers(lists) }
    }

    fn add_guard(&mut self, product: &Product, update: u32) -> u32 {
        let product = self.checks.write(&vec![product.clone()], false);
        self.guards.push(Guard { product, update });
        self.guards.len() as u32 - 1
    }

    /// The bit of a product that holds least often; none if it has only inverted literals.
    fn trigger_of(&self, product: &Product) -> Option<u32> {
        let bits = product.iter().filter(|&&l| l & 1 == 0).map(|l| l >> 1);
        // Nothing is known about how often gates hold: they come last.
        let frequency = |b: u32| self.frequency.get(b as usize).copied().unwrap_or(u32::MAX);
        bits.min_by_key(|&b| (frequency(b), b))
    }

    /// What is known after the move.
    fn known_after(&self, plan: &Plan, next: &BTreeMap<u32, NextValue>, known: &Known) -> Known {
        let mut after = Known::default();
        for (bit, value) in known.bits() {
            if (bit as usize) < plan.topology.net.bases()
                && !plan.rows.has(bit as usize)
                && !next.contains_key(&bit)
            {
                after.add(&self.groups, 2 * bit + u32::from(!value));
            }
        }
        for (&base, next) in next {
            if let Some(value) = next.value {
                after.add(&self.groups, 2 * base + u32::from(!value));
            }
        }
        after
    }

    /// The guards that hold after the move, if all are known.
    fn open_after(&self, plan: &Plan, after: &Known) -> Option<u64> {
        let mut open = 0;
        for (n, guard) in plan.guards.iter().enumerate() {
            let value = guard.restrict(after, &self.groups).value()?;
            open |= u64::from(value).checked_shl(n as u32).filter(|_| n < 64)?;
        }
        Some(open)
    }

    /// How moves are drawn after the move.
    fn turn_after(&mut self, plan: &Plan, after: &Known, open: Option<u64>) -> u32 {
        let Some(open) = open else { return NONE };
        let mut turns = std::mem::take(&mut self.turns);
        let turn = turns.turn(plan, open, |slot| self.legal_after(plan, slot, after));
        self.turns = turns;
        turn
    }
}

/// The next value of a base.
struct NextValue {
    /// Where it holds and where it does not, as far as that is written out.
    covers: [Option<Cover>; 2],
    /// Where the base does not hold before and does after.
    rises: Cover,
    /// Where it holds before and does not after.
    falls: Cover,
    /// Its value, if it is known.
    value: Option<bool>,
}
