//! The plan of a compiled net: the bits that a state holds, and the formulas of the outputs.

use super::cover::{Cover, Covers, Product};
use super::effects::{Effects, cone_of, join_bits, kept_cones};
use super::exclusive::{Exclusive, samples};
use super::formula::{BITS, Check, Checks, Formula, Line, Mask, Pair, Word};
use super::rows::Rows;
use super::source::{Locals, Made, Maker, Source};
use super::store::{Extra, Store, image_without_inputs, moved_gates, of_image};
use crate::net::Lit;
use crate::propagate::Topology;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most bases and edges of a net. A larger one takes too long and too much room.
const MOST: [usize; 2] = [8192, 400_000];

/// With more bases or edges, most bases must be parts of rows.
const MOST_WITHOUT_ROWS: [usize; 2] = [1024, 60_000];

/// The most inputs.
const MOST_INPUTS: usize = 1024;

/// A product of terminal that needs more kept gates is computed last.
const FEW_GATES: usize = 16;

/// A slot of legal bits that belongs to no input.
pub(super) const NO_INPUT: u32 = u32::MAX;

/// The inputs of a role with one guard: consecutive words of legal bits, or a part of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) guard: Formula,
    /// Whether some of its legal bits are computed only when asked for.
    pub(super) marked: bool,
    /// The range of masks of kept gates that its legal bits need.
    pub(super) needs: (u32, u32),
    /// The guard's number.
    pub(super) number: u32,
    /// The first word, among those of legal bits.
    pub(super) first: u32,
    /// The end of its words.
    pub(super) end: u32,
    /// Its bits of each of these words.
    pub(super) mask: Word,
}

/// A product of terminal that is computed last, a literal at a time.
#[derive(Clone, Debug)]
pub(super) struct LateEnd {
    /// Its literals of bases.
    pub(super) product: Formula,
    pub(super) steps: Vec<LateStep>,
}

/// A literal of a kept gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct LateStep {
    pub(super) literal: u32,
    /// The range of masks of the kept gates it needs.
    pub(super) needs: (u32, u32),
    /// The guards whose legal bits need all of these too, by number.
    pub(super) guards: u64,
}

/// Lists of numbers by bit, in one list.
#[derive(Clone, Debug)]
pub(super) struct ByBit<T> {
    start: Vec<u32>,
    list: Vec<T>,
}

impl<T: Clone> ByBit<T> {
    fn new(lists: &[Vec<T>]) -> Self {
        let mut start = vec![0];
        let mut list = Vec::new();
        for of_bit in lists {
            list.extend_from_slice(of_bit);
            start.push(list.len() as u32);
        }
        Self { start, list }
    }

    /// The list of a bit.
    #[inline(always)]
    pub(super) fn of(&self, bit: usize) -> &[T] {
        &self.list[self.start[bit] as usize..self.start[bit + 1] as usize]
    }
}

/// A net, compiled.
#[derive(Clone, Debug)]
pub(in super::super) struct Plan {
    pub(super) topology: Arc<Topology>,
    /// The words of the bases and of the copy of rows; kept gates follow.
    pub(super) base_words: usize,
    /// The words of kept gates; legal bits follow, then scratch bits.
    pub(super) kept_words: usize,
    pub(super) kept: Vec<Formula>,
    /// Masks of kept gates: those that are always up to date, then those that a group needs.
    pub(super) kept_masks: Vec<Mask>,
    /// The number of masks of gates that are always up to date.
    pub(super) eager: u32,
    /// For each kept gate the kept gates that it needs, itself included.
    pub(super) kept_cones: Vec<Vec<u32>>,
    /// The node of each kept gate.
    pub(super) kept_nodes: Vec<usize>,
    /// For each node whether it depends on an input.
    pub(super) moved: Vec<bool>,
    pub(super) checks: Vec<Check>,
    /// Bases whose transition no input has a say in, with the transition, if it is not their own value.
    pub(super) free: Vec<(u32, Lit)>,
    pub(super) guards: Vec<Source>,
    /// By slot of legal bits; slots between groups belong to no input.
    pub(super) legal: Vec<(u32, Formula)>,
    /// The inputs of the same slots.
    pub(super) input_of: Vec<u32>,
    /// The groups of each role.
    pub(super) groups: Vec<Vec<Group>>,
    /// Ranges of checks: the products of terminal.
    pub(super) ends: Vec<Formula>,
    /// The first products once more, those that are lines, and behind them those of at most two checks.
    pub(super) lines: Vec<Line>,
    pub(super) short_ends: Vec<Pair>,
    /// The literals of the same products.
    pub(super) end_products: Cover,
    /// Products of terminal that need many kept gates.
    pub(super) late_ends: Vec<LateEnd>,
    /// Whether every state is terminal.
    pub(super) always_ends: bool,
    /// By literal that becomes true the kept gates and legal bits that may become true.
    pub(super) ups: ByBit<Mask>,
    /// By literal that becomes false the kept gates and legal bits that may become false.
    pub(super) downs: ByBit<Mask>,
    /// By literal that becomes false the kept gates that become false.
    pub(super) kept_kills: ByBit<Mask>,
    /// By literal that becomes false the legal bits that become false.
    pub(super) kills: ByBit<Mask>,
    /// By literal that becomes true the slots of legal bits that may become true.
    pub(super) wakes: ByBit<u32>,
    /// By twice the bit, plus one if the bit falls: the products of terminal that may become true.
    pub(super) ends_of: ByBit<u32>,
    /// By word the bits of bases and kept gates on which anything depends.
    pub(super) noticed: Vec<Word>,
    /// By role and value the goal's place in `goal_formulas`.
    pub(super) goals: Vec<Vec<u32>>,
    pub(super) goal_formulas: Vec<Formula>,
    /// Scratch bits that goals need, in order.
    pub(super) goal_locals: Vec<Formula>,
    /// Whether goals need kept gates that are not always up to date.
    pub(super) goals_need_kept: bool,
    /// For each node what is left of it when no input is set.
    pub(super) image: Vec<Lit>,
    pub(super) extra: Extra,
    pub(super) covers: Covers,
    /// The rows of facts.
    pub(super) rows: Rows,
    /// The groups that random games do not contradict.
    pub(super) exclusive: Exclusive,
    /// By base the number of states of random games in which it holds.
    pub(super) frequency: Arc<[u32]>,
    /// Bases with inputs in their transition that change even if no input is set.
    pub(super) unstable: Vec<u32>,
    /// Bases by the node of their transition.
    pub(super) bases_of: FxHashMap<u32, Vec<u32>>,
}

/// By word the bits on which anything depends.
fn noticed(effects: &Effects, ends_of: &[Vec<u32>]) -> Vec<Word> {
    let Effects { ups, downs, kept_kills, kills, wakes } = effects;
    let quiet = |l: usize| {
        let masks = [ups, downs, kept_kills, kills].into_iter().all(|of| of[l].is_empty());
        masks && wakes[l].is_empty() && ends_of[l].is_empty()
    };
    let mut noticed = vec![0; ends_of.len() / 2 / BITS];
    for l in (0..ends_of.len()).filter(|&l| !quiet(l)) {
        noticed[l / 2 / BITS] |= 1 << (l / 2 % BITS);
    }
    noticed
}

fn words(bits: usize) -> usize {
    bits.div_ceil(BITS)
}

impl Plan {
    /// The number of words of dirty bits: those of kept gates, then those of legal bits.
    pub(super) fn dirty_words(&self) -> usize {
        self.kept_words + words(self.legal.len())
    }

    /// The first word of the copy of rows.
    pub(super) fn copy_words(&self) -> usize {
        self.base_words - self.rows.copy_words
    }

    /// The first word of legal bits.
    pub(super) fn legal_words(&self) -> usize {
        self.base_words + self.kept_words
    }

    /// The first scratch bit.
    pub(super) fn scratch(&self) -> usize {
        (self.base_words + self.dirty_words()) * BITS
    }

    /// Compiles a net; `None` if it is too large for this.
    pub(in super::super) fn new(topology: &Arc<Topology>) -> Option<Self> {
        let net = &topology.net;
        let moved = moved_gates(net);
        // No rule allows it, but a net could be built so.
        let asked =
            net.legal.iter().chain(&topology.guards).chain([&net.terminal]).chain(net.goals.iter().flatten());
        if asked.into_iter().any(|l| moved[l.node()]) {
            return None;
        }
        let over = |most: [usize; 2]| net.bases() > most[0] || net.edges.len() > most[1];
        if over(MOST) || net.inputs() > MOST_INPUTS {
            return None;
        }
        let rows = Rows::new(net);
        if over(MOST_WITHOUT_ROWS) && 2 * rows.parts < net.bases() {
            return None;
        }
        let mut extra = Extra::new(net.nodes());
        let image = image_without_inputs(net, &mut extra);
        let changes = |b: usize| of_image(&image, net.transitions[b]) != Lit::of(net.base_node(b));
        let (unstable, free): (Vec<usize>, Vec<usize>) = (0..net.bases())
            .filter(|&b| !rows.has(b) && changes(b))
            .partition(|&b| moved[net.transitions[b].node()]);
        let free: Vec<(u32, Lit)> = free.into_iter().map(|b| (b as u32, net.transitions[b])).collect();
        let base_words = words(net.bases()).max(1) + rows.copy_words;
        let Made { kept_nodes, kept, guards, legal, terminal, covers } =
            Maker::make(topology, &extra, base_words * BITS, &free)?;

        let mut writer = Writer::new(topology, base_words, &kept, &legal, &guards, terminal);
        let kept_formulas = writer.kept();
        let (slots, places) = writer.places();
        let legal_formulas = writer.legal(slots);
        let (ends, ends_of) = writer.ends();
        let groups = writer.groups(&legal_formulas, &places);
        let late_ends = writer.late_ends();
        let terminal = std::mem::take(&mut writer.terminal);
        let mut bases_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (b, l) in net.transitions.iter().enumerate().filter(|(b, _)| !rows.has(*b)) {
            bases_of.entry(l.node() as u32).or_default().push(b as u32);
        }
        let lines: Vec<Line> = terminal.iter().map_while(|p| Line::new(p)).collect();
        let samples = samples(topology);
        let mut exclusive = Exclusive::new(net, &samples);
        // Nothing of a row is proved move by move.
        (0..net.bases() as u32).filter(|&b| rows.has(b as usize)).for_each(|b| exclusive.drop_all_of(b));
        let frequency = |b| samples.iter().filter(|s| s.contains(b)).count() as u32;
        let Writer { checks, effects, kept_masks, cones, eager_masks, .. } = writer;
        let mut plan = Self {
            topology: Arc::clone(topology),
            base_words,
            kept_words: words(kept.len()),
            kept: kept_formulas,
            kept_masks,
            eager: eager_masks,
            kept_cones: cones,
            kept_nodes,
            moved,
            checks: checks.0,
            free,
            guards,
            input_of: legal_formulas.iter().map(|slot| slot.0).collect(),
            legal: legal_formulas,
            groups,
            short_ends: ends[lines.len()..].iter().map_while(Formula::pair).collect(),
            lines,
            ends,
            late_ends,
            end_products: terminal.clone(),
            always_ends: terminal.iter().any(|p| p.is_empty()),
            ups: ByBit::new(&effects.ups),
            downs: ByBit::new(&effects.downs),
            kept_kills: ByBit::new(&effects.kept_kills),
            kills: ByBit::new(&effects.kills),
            wakes: ByBit::new(&effects.wakes),
            ends_of: ByBit::new(&ends_of),
            noticed: noticed(&effects, &ends_of),
            goals: Vec::new(),
            goal_formulas: Vec::new(),
            goal_locals: Vec::new(),
            goals_need_kept: false,
            image,
            extra,
            covers,
            exclusive,
            rows,
            frequency: (0..net.bases()).map(frequency).collect(),
            unstable: unstable.into_iter().map(|b| b as u32).collect(),
            bases_of,
        };
        plan.add_goals();
        Some(plan)
    }

    /// Makes the formulas of goals.
    fn add_goals(&mut self) {
        let net = &self.topology.net;
        let mut own = Extra::new(self.extra.end());
        let store = Store { net, shared: Some(&self.extra), own: &mut own };
        let mut locals = Locals::for_goals(self.scratch());
        let mut sources: Vec<(Lit, Source)> = Vec::new();
        let mut place = |&l: &Lit| {
            let known = sources.iter().position(|s| s.0 == l);
            known.unwrap_or_else(|| {
                let source = locals.source(&self.covers, &store, l);
                sources.push((l, source));
                sources.len() - 1
            }) as u32
        };
        let goals = net.goals.iter().map(|role| role.iter().map(&mut place).collect()).collect();
        let mut checks = Checks(std::mem::take(&mut self.checks));
        let all = locals.bits().iter().chain(sources.iter().map(|s| &s.1));
        let needs = all.flat_map(|s| cone_of(&s.cover, &self.kept_cones, self.base_words * BITS));
        let goals_need_kept = needs.count() > 0;
        let goal_locals = locals.bits().iter().map(|source| source.write(&mut checks)).collect();
        let goal_formulas = sources.iter().map(|s| s.1.write(&mut checks)).collect();
        (self.goals, self.goals_need_kept, self.checks) = (goals, goals_need_kept, checks.0);
        (self.goal_locals, self.goal_formulas) = (goal_locals, goal_formulas);
    }
}

/// Where a group of inputs is, among the words of legal bits.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The number of its guard.
    number: usize,
    first: usize,
    end: usize,
    mask: Word,
}

/// Writes the formulas of a plan.
struct Writer<'a> {
    topology: &'a Topology,
    kept: &'a [Source],
    legal: &'a [Source],
    guards: &'a [Source],
    /// Products of terminal that are looked at after each move, and those that need many gates.
    terminal: Cover,
    late: Cover,
    /// The first bit of kept gates.
    first_bit: usize,
    cones: Vec<Vec<u32>>,
    /// Kept gates that are always up to date.
    eager: BTreeSet<u32>,
    eager_masks: u32,
    kept_masks: Vec<Mask>,
    effects: Effects,
    checks: Checks,
}

impl<'a> Writer<'a> {
    fn new(
        topology: &'a Topology,
        base_words: usize,
        kept: &'a [Source],
        legal: &'a [Source],
        guards: &'a [Source],
        terminal: Cover,
    ) -> Self {
        let first_bit = base_words * BITS;
        let cones = kept_cones(kept, first_bit);
        let cone = |cover: &Cover| cone_of(cover, &cones, first_bit);
        let is_late = |p: &Product| cone(&vec![p.clone()]).len() > FEW_GATES;
        let (late, mut terminal): (Cover, Cover) = terminal.into_iter().partition(is_late);
        // Lines and short ones first: a loop over some of them then has few kinds of turns.
        let words_of =
            |p: &Product| p.iter().map(|l| (l >> 1) as usize / BITS).collect::<BTreeSet<_>>().len();
        terminal.sort_by_cached_key(|p| (Line::new(p).is_none(), words_of(p) > 2));
        let covers = guards.iter().map(|source| &*source.cover).chain([&terminal]);
        let eager: BTreeSet<u32> = covers.flat_map(cone).collect();
        let mut kept_masks = Vec::new();
        join_bits(&mut kept_masks, eager.iter().copied());
        let eager_masks = kept_masks.len() as u32;
        let effects = Effects::new(2 * (first_bit + words(kept.len()) * BITS));
        let checks = Checks::default();
        Self {
            topology,
            kept,
            legal,
            guards,
            terminal,
            late,
            first_bit,
            cones,
            eager,
            eager_masks,
            kept_masks,
            effects,
            checks,
        }
    }

    fn cone(&self, cover: &Cover) -> BTreeSet<u32> {
        cone_of(cover, &self.cones, self.first_bit)
    }

    /// Whether it needs gates that are not always up to date.
    fn is_lazy(&self, source: &Source) -> bool {
        self.cone(&source.cover).iter().any(|n| !self.eager.contains(n))
    }

    /// Adds masks of the gates that are not always up to date; returns their range.
    fn needs(&mut self, gates: &BTreeSet<u32>) -> (u32, u32) {
        let from = self.kept_masks.len() as u32;
        join_bits(&mut self.kept_masks, gates.difference(&self.eager).copied());
        (from, self.kept_masks.len() as u32)
    }

    fn kept(&mut self) -> Vec<Formula> {
        let sources = self.kept.iter().enumerate();
        sources
            .map(|(n, source)| {
                self.effects.depends(source, n, true);
                source.write(&mut self.checks)
            })
            .collect()
    }

    /// The input of each slot of legal bits, and where the groups of each role are. Small groups share words; the others
    /// begin one.
    fn places(&self) -> (Vec<Option<usize>>, Vec<Vec<Place>>) {
        let mut slots = Vec::new();
        let mut places = Vec::new();
        // The first free slot of a word of small groups.
        let mut free = 0;
        for role in 0..self.topology.net.names.roles.len() {
            let mut of_role = Vec::new();
            for number in 0..self.topology.guards.len() {
                let members: Vec<Option<usize>> = self.members(role, number).map(Some).collect();
                if members.is_empty() {
                    continue;
                }
                if members.len() >= BITS {
                    let first = slots.len() / BITS;
                    slots.extend(members);
                    slots.resize(slots.len().next_multiple_of(BITS), None);
                    of_role.push(Place { number, first, end: slots.len() / BITS, mask: Word::MAX });
                    continue;
                }
                if free % BITS == 0 || free % BITS + members.len() > BITS {
                    free = slots.len();
                    slots.resize(free + BITS, None);
                }
                let (first, shift) = (free / BITS, free % BITS);
                let mask = ((1 << members.len()) - 1) << shift;
                of_role.push(Place { number, first, end: first + 1, mask });
                free += members.len();
                slots[free - members.len()..free].copy_from_slice(&members);
            }
            places.push(of_role);
        }
        (slots, places)
    }

    /// The inputs of a group that may be legal.
    fn members(&self, role: usize, guard: usize) -> impl Iterator<Item = usize> {
        let (net, guard_of) = (&self.topology.net, &self.topology.guard_of);
        net.inputs_of(role).filter(move |&i| guard_of[i] as usize == guard && net.legal[i] != Lit::FALSE)
    }

    /// Whether a legal bit is computed at once when it may have changed.
    fn is_prompt(&self, source: &Source, formula: &Formula) -> bool {
        formula.is_simple() && source.is_product() && !self.is_lazy(source)
    }

    fn legal(&mut self, slots: Vec<Option<usize>>) -> Vec<(u32, Formula)> {
        let first = words(self.kept.len()) * BITS;
        let mut formulas = Vec::new();
        for (slot, input) in slots.into_iter().enumerate() {
            formulas.push(input.map_or((NO_INPUT, Formula::default()), |input| {
                let source = &self.legal[input];
                let formula = source.write(&mut self.checks);
                if self.is_prompt(source, &formula) {
                    self.effects.simply_depends(source, slot);
                } else {
                    self.effects.depends(source, first + slot, false);
                }
                (input as u32, formula)
            }));
        }
        formulas
    }

    /// The products of terminal, and their numbers by literal.
    fn ends(&mut self) -> (Vec<Formula>, Vec<Vec<u32>>) {
        let mut ends_of = vec![Vec::new(); self.effects.ups.len()];
        for (n, product) in self.terminal.iter().enumerate() {
            product.iter().for_each(|&l| ends_of[l as usize].push(n as u32));
        }
        let ends = self.terminal.iter().map(|product| self.checks.write(&vec![product.clone()], false));
        (ends.collect(), ends_of)
    }

    /// The groups of each role.
    fn groups(&mut self, legal: &[(u32, Formula)], places: &[Vec<Place>]) -> Vec<Vec<Group>> {
        let guards: Vec<Formula> = self.guards.iter().map(|source| source.write(&mut self.checks)).collect();
        let mut groups = Vec::new();
        for (role, places) in places.iter().enumerate() {
            let mut of_role = Vec::new();
            for &Place { number, first, end, mask } in places {
                let members: Vec<usize> = self.members(role, number).collect();
                let formulas = legal[first * BITS + mask.trailing_zeros() as usize..].iter();
                let marked =
                    members.iter().zip(formulas).any(|(&i, f)| !self.is_prompt(&self.legal[i], &f.1));
                let needs = members.iter().flat_map(|&i| self.cone(&self.legal[i].cover)).collect();
                let needs = self.needs(&needs);
                let (guard, number) = (guards[number], number as u32);
                let (first, end) = (first as u32, end as u32);
                of_role.push(Group { guard, marked, needs, number, first, end, mask });
            }
            groups.push(of_role);
        }
        groups
    }

    fn late_ends(&mut self) -> Vec<LateEnd> {
        if self.late.is_empty() {
            return Vec::new();
        }
        let guards = self.topology.guards.len().min(64);
        let of_guard = |guard: usize| {
            let members = (0..self.legal.len()).filter(|&i| self.topology.guard_of[i] as usize == guard);
            members.flat_map(|i| self.cone(&self.legal[i].cover)).collect()
        };
        let guard_needs: Vec<BTreeSet<u32>> = (0..guards).map(of_guard).collect();
        let mut ends = Vec::new();
        for product in self.late.clone() {
            let (kept, own): (Vec<u32>, Vec<u32>) =
                product.iter().partition(|&&l| (l >> 1) as usize >= self.first_bit);
            let mut steps = Vec::new();
            for literal in kept {
                let all = self.cone(&vec![Product::from([literal])]);
                // The gate itself need not be among them.
                let inner = |of: &BTreeSet<u32>| all.difference(of).count() <= 1;
                let guards = (0..guards).filter(|&n| inner(&guard_needs[n])).fold(0, |set, n| set | 1 << n);
                steps.push(LateStep { literal, needs: self.needs(&all), guards });
            }
            ends.push(LateEnd { product: self.checks.write(&vec![own.into()], false), steps });
        }
        ends
    }
}
