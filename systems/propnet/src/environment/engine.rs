//! Plays up to `64 * W` games, one in each lane. The caller chooses their moves.
//!
//! # Steps of a move
//! 1. The numbers of the actions become a plane of lanes for each action. Lanes with an illegal action are found.
//! 2. The planes set the inputs of the roles that move. Waiting roles get their only move.
//! 3. The gates of transitions are evaluated. Each base is written: with the computed value, with its old value, or
//!    with the value of the initial state.
//! 4. The gates of terminal and legal propositions are evaluated. Lanes that have ended are marked. If there is such a
//!    lane, goals are evaluated.
//! 5. If games start again in the same step, ended lanes get the initial state's values of everything that is read
//!    later.
//!
//! # Invariants
//! After every call the bases, terminal and legal propositions are those of the lanes' states.

mod choices;
mod saved;

pub(super) use saved::{Places, fault as row_fault, row_bytes};

use super::plan::Plan;
use super::rows::View;
use super::spread;
use super::{Autoreset, Buffers};
use crate::machine::State;
use crate::net::Lit;
use crate::numbering::NumberingId;
use crate::propagate::block::{Block, Blocks, lit};
use crate::propagate::choose::{Chooser, Random};
use choices::{find_choices, find_forced};
use fixedbitset::FixedBitSet;
use std::sync::Arc;

/// Options of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) autoreset: Autoreset,
    /// A game longer than this is cut off; 0 is no limit.
    pub(super) max_steps: u32,
    /// Whether the flags of a game that is over stay set.
    pub(super) lasting: bool,
}

/// The outcome of a step for the lanes.
#[derive(Clone, Copy, Debug)]
struct Ended<const W: usize> {
    terminal: Block<W>,
    truncated: Block<W>,
    illegal: Block<W>,
}

/// The games of one shard.
#[derive(Clone)]
pub(super) struct Engine<const W: usize> {
    plan: Arc<Plan>,
    view: Arc<View>,
    values: Blocks<W>,
    copied: Blocks<W>,
    choosers: Vec<Chooser<W>>,
    random: Random<W>,
    /// The random numbers before the last draw.
    before: Random<W>,
    /// Games in use: the first `lanes` of all.
    lanes: usize,
    used: Block<W>,
    /// Games that are over and wait: for the next step or for a reset.
    over: Block<W>,
    /// Those of them that were cut off.
    cut: Block<W>,
    /// For each role the lanes in which it moves; all lanes if the roles do not take turns.
    acting: Vec<Block<W>>,
    /// Lanes in which some role has no legal move, and lanes in which two roles of a game of turns have a choice.
    stuck: Block<W>,
    both: Block<W>,
    /// Moves of each game so far; kept only under a limit.
    steps: Vec<u32>,
    /// Illegal lanes per group of planes, of the actions given last.
    wrong: Vec<Block<W>>,
    /// The planes of legal actions and the roles that move, in the initial state.
    legal_at_start: Vec<bool>,
    acting_at_start: Vec<bool>,
    /// Scratch of the numbers' bits.
    bits: Vec<u64>,
}

fn or<const W: usize>(a: &Block<W>, b: &Block<W>) -> Block<W> {
    std::array::from_fn(|w| a[w] | b[w])
}

fn and<const W: usize>(a: &Block<W>, b: &Block<W>) -> Block<W> {
    std::array::from_fn(|w| a[w] & b[w])
}

fn and_not<const W: usize>(a: &Block<W>, b: &Block<W>) -> Block<W> {
    std::array::from_fn(|w| a[w] & !b[w])
}

fn bits<const W: usize>(block: Block<W>) -> impl Iterator<Item = usize> {
    (0..W).flat_map(move |w| {
        let mut rest = block[w];
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                w * 64 + lane
            })
        })
    })
}

impl<const W: usize> Engine<W> {
    /// Games in the initial state.
    pub(super) fn new(plan: Arc<Plan>, view: Arc<View>, lanes: usize, seed: u64) -> Self {
        let groups = plan.groups();
        let choosers = (0..groups).map(|g| {
            let at = |planes: usize| planes + g * plan.actions;
            let legal = (0..plan.actions).map(|a| Lit::of(at(plan.legal_at()) + a)).collect();
            Chooser::over(legal, at(plan.chosen_at()))
        });
        let width = (usize::BITS - plan.actions.max(2).saturating_sub(1).leading_zeros()) as usize;
        let full = |w: usize| match lanes.saturating_sub(w * 64) {
            0 => 0,
            n if n >= 64 => u64::MAX,
            n => (1 << n) - 1,
        };
        let mut engine = Self {
            values: Blocks::new(plan.blocks()),
            copied: Blocks::new(plan.copies.len()),
            choosers: choosers.collect(),
            random: Random::new(seed),
            before: Random::new(seed),
            lanes,
            used: std::array::from_fn(full),
            over: [0; W],
            cut: [0; W],
            acting: vec![[u64::MAX; W]; plan.inputs.len()],
            stuck: [0; W],
            both: [0; W],
            steps: vec![0; lanes],
            wrong: vec![[0; W]; groups],
            legal_at_start: Vec::new(),
            acting_at_start: Vec::new(),
            bits: vec![0; width],
            plan,
            view,
        };
        engine.put_back([u64::MAX; W]);
        let planes = engine.plan.legal_at()..engine.plan.chosen_at();
        engine.legal_at_start = engine.values.get()[planes].iter().map(|block| block[0] & 1 == 1).collect();
        engine.acting_at_start = engine.acting.iter().map(|block| block[0] & 1 == 1).collect();
        engine
    }

    /// Sets games back to the start.
    fn put_back(&mut self, games: Block<W>) {
        let values = self.values.get();
        for base in 0..self.plan.net.bases() {
            let start = self.plan.net.names.initial.contains(base);
            let block = &mut values[self.plan.net.base_node(base)];
            *block = if start { or(block, &games) } else { and_not(block, &games) };
        }
        (self.over, self.cut) = (and_not(&self.over, &games), and_not(&self.cut, &games));
        bits(and(&games, &self.used)).for_each(|lane| self.steps[lane] = 0);
        self.plan.first.evaluate(values);
        self.look();
    }

    /// Sets the moving roles, the legal actions and the stuck lanes from the legal propositions.
    #[inline(always)]
    fn look(&mut self) {
        let (plan, values) = (&*self.plan, self.values.get());
        if plan.turns {
            let found = find_choices(plan, values, &mut self.acting);
            find_forced(plan, values, &mut self.acting, &found.some);
            (self.stuck, self.both) = (found.stuck, found.both);
        }
        values[plan.legal_at()..plan.chosen_at()].fill([0; W]);
        let live: Block<W> = self.over.map(|w| !w);
        if !plan.turns {
            self.stuck = [0; W];
        }
        for (role, inputs) in plan.inputs.iter().enumerate() {
            let group = if plan.turns { 0 } else { role };
            let at = plan.legal_at() + group * plan.actions;
            let may = and(&self.acting[role], &live);
            let mut any = [0; W];
            for input in inputs {
                let legal = lit(values, input.legal);
                any = or(&any, &legal);
                let plane = &mut values[at + input.action as usize];
                *plane = or(plane, &and(&legal, &may));
            }
            if !plan.turns {
                self.stuck = or(&self.stuck, &any.map(|w| !w));
            }
        }
    }

    /// Writes a number per lane and group, that of the one plane with the lane, as [`SampledActions`](super::SampledActions) has it.
    fn sample(&mut self, out: &mut [u8]) {
        let plan = &*self.plan;
        let groups = plan.groups();
        let items = self.lanes * groups;
        self.before.clone_from(&self.random);
        for group in 0..groups {
            let values = self.values.get();
            let some = self.choosers[group].choose(values, &mut self.random);
            let chosen = &values[plan.chosen_at() + group * plan.actions..][..plan.actions];
            let mut planes = [[0; W]; 32];
            for (action, block) in chosen.iter().enumerate() {
                bits([action as u64]).for_each(|k| planes[k] = or(&planes[k], block));
            }
            for (part, planes) in out.chunks_mut(items).zip(planes.as_chunks::<8>().0) {
                for (w, games) in part.chunks_mut(64 * groups).enumerate() {
                    let bits = planes.map(|plane| plane[w] & some[w]);
                    spread::number_bytes(&bits, &mut games[group..], groups);
                }
            }
        }
    }

    /// Writes the observations of the lanes.
    #[inline(always)]
    fn observe(&mut self, out: &mut Buffers<'_>) {
        let (plan, values) = (&*self.plan, self.values.get());
        self.view.legal.write(values, out.legal);
        self.view.observation.write(values, out.observation);
        if !plan.turns {
            return;
        }
        for (w, chunk) in out.turn.chunks_mut(64).enumerate() {
            let mut planes = [0; 8];
            for (role, block) in self.acting.iter().enumerate() {
                bits([role as u64]).filter(|&k| k < 8).for_each(|k| planes[k] |= block[w]);
            }
            spread::numbers(&planes, chunk);
        }
    }

    /// Step 1.
    fn take(&mut self, actions: &[i32]) {
        let groups = self.plan.groups();
        let width = self.bits.len();
        let values = self.values.get();
        for group in 0..groups {
            let chosen_at = self.plan.chosen_at() + group * self.plan.actions;
            let mut planes = [[0; W]; 32];
            let mut outside = [0; W];
            for (w, chunk) in actions.chunks(64 * groups).enumerate() {
                outside[w] = spread::binary(&chunk[group..], groups, &mut self.bits);
                (0..width).for_each(|k| planes[k][w] = self.bits[k]);
            }
            decode(&planes[..width], &mut values[chosen_at..][..self.plan.actions]);
            let mut fine = [0; W];
            let legal_at = self.plan.legal_at() + group * self.plan.actions;
            for action in 0..self.plan.actions {
                fine = or(&fine, &and(&values[chosen_at + action], &values[legal_at + action]));
            }
            let wrong = or(&fine.map(|w| !w), &outside);
            self.wrong[group] = and_not(&and(&wrong, &self.used), &self.over);
        }
    }

    /// The first illegal action of those taken last.
    fn illegal(&self) -> Option<(usize, usize)> {
        let all = self.wrong.iter().fold([0; W], |all, block| or(&all, block));
        let lane = bits(all).next()?;
        let group = self.wrong.iter().position(|b| b[lane / 64] >> (lane % 64) & 1 == 1)?;
        Some((lane, group))
    }

    /// Step 2.
    #[inline(always)]
    fn set_inputs(&mut self) {
        let (plan, values) = (&*self.plan, self.values.get());
        for (role, inputs) in plan.inputs.iter().enumerate() {
            let group = if plan.turns { 0 } else { role };
            let at = plan.chosen_at() + group * plan.actions;
            let acting = self.acting[role];
            for input in inputs {
                let (chosen, legal) = (values[at + input.action as usize], lit(values, input.legal));
                values[input.node as usize] =
                    std::array::from_fn(|w| chosen[w] & acting[w] | legal[w] & !acting[w]);
            }
        }
    }

    /// Step 3.
    #[inline(always)]
    fn go(&mut self, hold: &Block<W>, restart: &Block<W>) {
        let plan = &*self.plan;
        let (values, copied) = (self.values.get(), self.copied.get());
        plan.second.evaluate(values);
        for (update, block) in plan.copies.iter().zip(copied.iter_mut()) {
            *block = lit(values, update.from);
        }
        let special = or(hold, restart);
        let initial = &plan.net.names.initial;
        let set = |values: &mut [Block<W>], base: u32, next: Block<W>| {
            let block = &mut values[base as usize];
            if special == [0; W] {
                *block = next;
                return;
            }
            let start = if initial.contains(base as usize - 1) { u64::MAX } else { 0 };
            *block = std::array::from_fn(|w| next[w] & !special[w] | block[w] & hold[w] | start & restart[w]);
        };
        for update in &plan.updates {
            let next = lit(values, update.from);
            set(values, update.base, next);
        }
        for (update, &next) in plan.copies.iter().zip(copied.iter()) {
            set(values, update.base, next);
        }
    }

    /// Steps 2 to 5 for the actions taken last, and their results.
    fn advance(&mut self, rules: &Rules, out: &mut Buffers<'_>) {
        let wrong = self.wrong.iter().fold([0; W], |all, block| or(&all, block));
        let (hold, restart) = match rules.autoreset {
            Autoreset::NextStep => (wrong, self.over),
            Autoreset::SameStep => (wrong, [0; W]),
            Autoreset::Disabled => (or(&wrong, &self.over), [0; W]),
        };
        let moved = and_not(&and_not(&self.used, &self.over), &wrong);
        self.set_inputs();
        self.go(&hold, &restart);
        (self.over, self.cut) = (and_not(&self.over, &restart), and_not(&self.cut, &restart));
        self.plan.first.evaluate(self.values.get());
        self.look();
        let terminal = and(&lit(self.values.get(), self.plan.net.terminal), &self.used);
        let stuck = and_not(&self.stuck, &terminal);
        let late = self.count_steps(rules.max_steps, &moved, &restart);
        let fresh = and_not(&and_not(&self.used, &self.over), &restart);
        let ended = Ended {
            terminal: and(&and_not(&terminal, &wrong), &fresh),
            truncated: and(&and_not(&or(&stuck, &and_not(&late, &terminal)), &wrong), &fresh),
            illegal: wrong,
        };
        self.report(&ended, out);
        if rules.lasting {
            self.flags(Some(&ended), out);
        }
        self.finish(&ended, rules.autoreset);
        self.observe(out);
    }

    /// Counts the moves under a limit; the lanes that reached it.
    fn count_steps(&mut self, max_steps: u32, moved: &Block<W>, restart: &Block<W>) -> Block<W> {
        let mut late = [0; W];
        if max_steps == 0 {
            return late;
        }
        bits(*restart).filter(|&lane| lane < self.lanes).for_each(|lane| self.steps[lane] = 0);
        for (lane, steps) in self.steps.iter_mut().enumerate() {
            *steps += (moved[lane / 64] >> (lane % 64) & 1) as u32;
            late[lane / 64] |= u64::from(*steps >= max_steps) << (lane % 64);
        }
        late
    }

    /// Step 5, and the games that are over.
    #[inline(always)]
    fn finish(&mut self, ended: &Ended<W>, autoreset: Autoreset) {
        let all = or(&or(&ended.terminal, &ended.truncated), &ended.illegal);
        if all == [0; W] {
            return;
        }
        if autoreset == Autoreset::SameStep {
            let values = self.values.get();
            for &(node, start) in &self.plan.blend {
                let block = &mut values[node as usize];
                *block = if start { or(block, &all) } else { and_not(block, &all) };
            }
            bits(all).for_each(|lane| self.steps[lane] = 0);
            for (block, &start) in values[self.plan.legal_at()..].iter_mut().zip(&self.legal_at_start) {
                *block = if start { or(block, &all) } else { and_not(block, &all) };
            }
            for (block, &start) in self.acting.iter_mut().zip(&self.acting_at_start) {
                *block = if start { or(block, &all) } else { and_not(block, &all) };
            }
        } else {
            (self.over, self.cut) = (or(&self.over, &all), or(&self.cut, &ended.truncated));
            let planes = self.plan.legal_at()..self.plan.chosen_at();
            self.values.get()[planes].iter_mut().for_each(|block| *block = and_not(block, &all));
        }
    }

    /// Rewards and ends of a step.
    #[inline(always)]
    fn report(&mut self, ended: &Ended<W>, out: &mut Buffers<'_>) {
        if !out.last_observation.is_empty() {
            let (columns, values) = (&self.view.observation, self.values.get());
            for lane in bits(or(&or(&ended.terminal, &ended.truncated), &ended.illegal)) {
                let row = &mut out.last_observation[lane * columns.row()..][..columns.row()];
                columns.write_one(values, lane, row);
            }
        }
        let roles = self.plan.inputs.len();
        out.rewards.fill(0.0);
        let with_goals = or(&ended.terminal, &ended.truncated);
        if with_goals != [0; W] {
            let values = self.values.get();
            self.plan.goal_code.evaluate(values);
            for (role, lits) in self.plan.net.goals.iter().enumerate() {
                let mut left = with_goals;
                for (&goal, &reward) in lits.iter().zip(&self.plan.rewards[role]) {
                    let gets = and(&lit(values, goal), &left);
                    left = and_not(&left, &gets);
                    bits(gets).for_each(|lane| out.rewards[lane * roles + role] = reward);
                }
            }
        }
        for lane in bits(ended.illegal) {
            for role in 0..roles {
                out.rewards[lane * roles + role] = if self.is_to_blame(role, lane) { 0.0 } else { 1.0 };
            }
        }
        let terminated = or(&ended.terminal, &ended.illegal);
        for (w, (&over, &cut)) in terminated.iter().zip(&ended.truncated).enumerate() {
            word_bytes(over, w, out.terminated);
            word_bytes(cut, w, out.truncated);
        }
    }

    /// Whether the role made the illegal move of a lane.
    fn is_to_blame(&self, role: usize, lane: usize) -> bool {
        let has = |block: &Block<W>| block[lane / 64] >> (lane % 64) & 1 == 1;
        if self.plan.turns { has(&self.acting[role]) } else { has(&self.wrong[role]) }
    }
}

/// A byte per lane of word `w`, as far as `out` goes.
#[inline(always)]
fn word_bytes(word: u64, w: usize, out: &mut [u8]) {
    let end = out.len().min(w * 64 + 64);
    if w * 64 < end {
        spread::bytes(word, &mut out[w * 64..end]);
    }
}

/// A plane per number from the planes of the numbers' bits, highest bit first.
#[inline(always)]
fn decode<const W: usize>(bits: &[Block<W>], planes: &mut [Block<W>]) {
    let Some(first) = planes.first_mut() else { return };
    *first = [u64::MAX; W];
    for (k, bit) in bits.iter().enumerate().rev() {
        let (nodes, below) = (planes.len().div_ceil(2 << k), planes.len().div_ceil(1 << k));
        for node in (0..nodes).rev() {
            let here = planes[node];
            if 2 * node + 1 < below {
                planes[2 * node + 1] = and(&here, bit);
            }
            planes[2 * node] = and_not(&here, bit);
        }
    }
}

/// The interface of a shard of any width.
pub(super) trait Games {
    /// Sets all or the marked games back to the start, and writes their observations.
    fn reset(&mut self, which: Option<&[bool]>, out: &mut Buffers<'_>);
    /// Seeds the random numbers again.
    fn reseed(&mut self, seed: u64);
    /// Takes actions; returns the lane and the group of planes of the first illegal one.
    fn take(&mut self, actions: &[i32]) -> Option<(usize, usize)>;
    /// Takes the actions drawn last; the lanes must still be in the states they were drawn for.
    fn take_drawn(&mut self);
    /// Moves by the actions taken. Returns a lane in which two roles have a choice although the roles take turns, if
    /// there is one.
    fn advance(&mut self, rules: &Rules, out: &mut Buffers<'_>) -> Option<usize>;
    /// Draws legal actions.
    fn sample(&mut self, out: &mut [u8]);
    /// Gives the random numbers of the last draw back.
    fn draw_back(&mut self);
    /// The same games once more.
    fn copied(&self) -> Box<dyn Games + Send>;
    /// Writes the flags of the games that are over.
    fn write_flags(&self, out: &mut Buffers<'_>);
    /// Writes a row for each lane: see [`saved`].
    fn save(&mut self, out: &mut [u8]);
    /// Sets lanes to saved rows, and writes their observations and flags.
    fn load(&mut self, places: &Places<'_>, out: &mut Buffers<'_>);
    /// The words of the random numbers.
    fn random(&self) -> Vec<u64>;
    /// Sets the words of the random numbers; false if there are too few or too many.
    fn set_random(&mut self, words: &[u64]) -> bool;
    /// The state of a lane.
    fn state(&mut self, lane: usize) -> State;
    /// The numbering of the facts of its states.
    fn numbering(&self) -> NumberingId;
    /// Marks each input that is the only move of a role while another role has a choice; returns whether two roles ever
    /// had a choice.
    fn survey(&mut self, idle: &mut [bool]) -> bool;
    /// Whether some game is over or stuck where it is.
    fn is_over(&mut self) -> bool;
}

impl<const W: usize> Games for Engine<W> {
    fn reset(&mut self, which: Option<&[bool]>, out: &mut Buffers<'_>) {
        let mut games = [0; W];
        for lane in (0..self.lanes).filter(|&lane| which.is_none_or(|w| w[lane])) {
            games[lane / 64] |= 1 << (lane % 64);
        }
        self.put_back(games);
        self.observe(out);
    }

    fn reseed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    fn take(&mut self, actions: &[i32]) -> Option<(usize, usize)> {
        Self::take(self, actions);
        self.illegal()
    }

    fn take_drawn(&mut self) {
        // The planes are there, and a game without a legal action is over.
        self.wrong.fill([0; W]);
    }

    fn advance(&mut self, rules: &Rules, out: &mut Buffers<'_>) -> Option<usize> {
        Self::advance(self, rules, out);
        bits(and_not(&and(&self.both, &self.used), &self.over)).next()
    }

    fn sample(&mut self, out: &mut [u8]) {
        Self::sample(self, out);
    }

    fn draw_back(&mut self) {
        self.random.clone_from(&self.before);
    }

    fn copied(&self) -> Box<dyn Games + Send> {
        Box::new(self.clone())
    }

    fn write_flags(&self, out: &mut Buffers<'_>) {
        self.flags(None, out);
    }

    fn save(&mut self, out: &mut [u8]) {
        self.save_lanes(out);
    }

    fn load(&mut self, places: &Places<'_>, out: &mut Buffers<'_>) {
        self.load_lanes(places, out);
    }

    fn random(&self) -> Vec<u64> {
        self.random.words()
    }

    fn set_random(&mut self, words: &[u64]) -> bool {
        Random::of_words(words).map(|random| self.random = random).is_some()
    }

    fn state(&mut self, lane: usize) -> State {
        let bases = self.plan.net.bases();
        let mut facts = FixedBitSet::with_capacity(bases);
        let (values, net) = (self.values.get(), &self.plan.net);
        (0..bases)
            .filter(|&base| values[net.base_node(base)][lane / 64] >> (lane % 64) & 1 == 1)
            .for_each(|base| facts.insert(base));
        State::new(self.plan.numbering, facts)
    }

    fn numbering(&self) -> NumberingId {
        self.plan.numbering
    }

    fn survey(&mut self, idle: &mut [bool]) -> bool {
        let (plan, values) = (&*self.plan, self.values.get());
        let mut acting = vec![[0; W]; plan.inputs.len()];
        let found = find_choices(plan, values, &mut acting);
        let first = plan.net.input_node(0);
        for (inputs, acts) in plan.inputs.iter().zip(&acting) {
            let waits = and_not(&and(&found.some, &self.used), acts);
            for input in inputs {
                let alone = and(&lit(values, input.legal), &waits);
                idle[input.node as usize - first] |= alone != [0; W];
            }
        }
        and(&found.both, &self.used) != [0; W]
    }

    fn is_over(&mut self) -> bool {
        let terminal = lit(self.values.get(), self.plan.net.terminal);
        and(&or(&terminal, &self.stuck), &self.used) != [0; W]
    }
}
