//! Bit-parallel playouts: every bit of a block of machine words belongs to another game.
//!
//! # Source
//! Bit-sliced arithmetic: D. Knuth, "The Art of Computer Programming" 4A, 7.1.3. No other engine that the authors know
//! of uses it for playouts.
//!
//! # Notation
//! A *block* holds one bit of each lane. Gates are chains of ANDs, in which an inverted input costs nothing extra
//! (and-not).
//!
//! # Steps
//! 1. The gates that terminal and legal propositions need are evaluated, each once, for all lanes.
//! 2. Lanes that are terminal are counted. Their states wait until a lane ends a second time; then the goals of all of
//!    them are evaluated at once.
//! 3. Each role of each lane draws one of its legal moves, all of them equally likely: see `choose`.
//! 4. The other gates are evaluated. Lanes go to the next state, ended lanes to the initial state.
//!
//! # Invariants
//! No branch depends on a lane. In every lane that has not ended, exactly one input of each role is set when step 4
//! begins.
//!
//! # Cost
//! One operation for each edge and block, and about 20 for each move of a role for step 3.

use super::amaf::{Followed, MoveSums};
use super::block::{Block, Blocks, lit, ones};
use super::choose::{Chooser, Random};
use super::code::{Code, cone};
use super::player::{Loop, Player, Tally, new_tally, play_fast};
use super::playout_nets::PlayoutNets;
use crate::net::Bases;
use crate::net::{Lit, Net};
use std::borrow::Borrow;

/// The source of one base's next value.
#[derive(Clone, Copy, Debug)]
struct Update {
    base: u32,
    from: Lit,
}

/// `64 * W` playouts at a time.
pub struct Lanes<const W: usize> {
    /// Blocks of all nodes of the net to walk on, of the waiting bases, of the gates of goals.
    values: Blocks<W>,
    /// Step 1.
    first: Code,
    /// Step 4.
    second: Code,
    goal_code: Code,
    terminal: Lit,
    choosers: Vec<Chooser<W>>,
    random: Random<W>,
    /// Bases that copy a base or an input: read before anything is written.
    copies: Vec<Update>,
    copied: Blocks<W>,
    updates: Vec<Update>,
    /// Start value of every base, one block each; words may start differently.
    start: Blocks<W>,
    /// Base nodes the goals need, and the first block of their waiting copies.
    goal_bases: Vec<u32>,
    waiting_at: usize,
    waiting: Block<W>,
    /// Goal literals by role and value.
    goals: Vec<Vec<Lit>>,
    /// Whether waiting saves work; otherwise goals are evaluated whenever a lane ends.
    wait: bool,
    tally: Tally,
    /// Per word and role the sum of goal values and the number of games, for batches.
    sums: Vec<Vec<(u64, u64)>>,
    goal_numbers: Vec<Vec<u64>>,
    /// Which moves were made, while a batch asks for it.
    followed: Option<Box<Followed<W>>>,
    /// The record between two such batches.
    kept: Option<Box<Followed<W>>>,
}

impl<const W: usize> Lanes<W> {
    /// All lanes in the initial state.
    #[must_use]
    pub fn new(nets: &PlayoutNets, seed: u64) -> Self {
        let (net, goal_net) = (&nets.lanes.net, &nets.goals.net);
        let first_cone = cone(net, net.legal.iter().copied().chain([net.terminal]));
        let second_cone = cone(net, net.transitions.iter().copied());
        let here = |n: usize| n as u32;
        let goal_cone = cone(goal_net, goal_net.goals.iter().flatten().copied());
        let goal_bases: Vec<u32> = (1..=net.bases()).filter(|&n| goal_cone[n]).map(|n| n as u32).collect();
        let waiting_at = net.nodes();
        let goal_gates_at = waiting_at + goal_bases.len();
        let goal_place = |n: usize| {
            if n >= goal_net.first_gate() {
                (goal_gates_at + n - goal_net.first_gate()) as u32
            } else {
                goal_bases.binary_search(&(n as u32)).map_or(0, |at| (waiting_at + at) as u32)
            }
        };
        let spare = goal_gates_at + goal_net.gates();
        let goal_code = Code::new(goal_net, &|n| goal_cone[n], &goal_place, spare);
        let first = Code::new(net, &|n| first_cone[n], &here, spare);
        let second = Code::new(net, &|n| second_cone[n] && !first_cone[n], &here, spare);
        let spares = [&first, &second, &goal_code].map(Code::spares).into_iter().max().unwrap_or(0);
        let goals = goal_net
            .goals
            .iter()
            .map(|role| {
                role.iter().map(|l| Lit::of(goal_place(l.node()) as usize).xor(l.inverted())).collect()
            })
            .collect();
        let is_copy = |l: Lit| l.node() > 0 && l.node() < net.first_gate();
        let updates =
            net.transitions.iter().enumerate().map(|(b, &from)| Update { base: b as u32 + 1, from });
        // A base that nothing reads need not be kept.
        let read = cone(net, net.legal.iter().chain([&net.terminal]).chain(&net.transitions).copied());
        let updates = updates.filter(|u| read[u.base as usize] || goal_cone[u.base as usize]);
        let (copies, updates): (Vec<_>, Vec<_>) = updates.partition(|u| is_copy(u.from));
        let roles = net.names.roles.len();
        let mut lanes = Self {
            values: Blocks::new(spare + spares),
            first,
            second,
            terminal: net.terminal,
            choosers: (0..roles).map(|r| Chooser::new(net, r)).collect(),
            random: Random::new(seed),
            copied: Blocks::new(copies.len()),
            copies,
            updates,
            start: Blocks::new(net.bases()),
            wait: goal_code.size() > 4 * goal_bases.len() + 64,
            goal_code,
            goal_bases,
            waiting_at,
            waiting: [0; W],
            goals,
            tally: new_tally(net),
            sums: vec![vec![(0, 0); roles]; W],
            goal_numbers: net
                .names
                .goal_values
                .iter()
                .map(|values| values.iter().map(|v| v.parse().unwrap_or(0)).collect())
                .collect(),
            followed: None,
            kept: None,
        };
        lanes.start_from(&net.names.initial);
        lanes
    }

    /// The start value of every base becomes that of `states[word % states.len()]` in each word of 64 lanes.
    fn set_start(&mut self, states: &[impl Borrow<Bases>]) {
        for (base, block) in self.start.get().iter_mut().enumerate() {
            let holds = |w: usize| states[w % states.len()].borrow().contains(base);
            *block = std::array::from_fn(|w| if holds(w) { u64::MAX } else { 0 });
        }
        let bases = self.start.length;
        self.values.get()[1..=bases].copy_from_slice(self.start.get());
        self.waiting = [0; W];
    }

    /// Starts the random numbers anew.
    pub fn reseed(&mut self, seed: u64) {
        self.random = Random::new(seed);
    }

    /// Plays 64 games from each of up to `W` states to their ends, at most `length` moves each. Per state and role: the
    /// sum of goal values and the number of games that ended in a terminal state.
    pub fn batch(&mut self, states: &[impl Borrow<Bases>], length: usize) -> Vec<Vec<(u64, u64)>> {
        self.set_start(states);
        self.sums.iter_mut().flatten().for_each(|s| *s = (0, 0));
        let mut alive: Block<W> = std::array::from_fn(|w| if w < states.len() { u64::MAX } else { 0 });
        for _ in 0..=length {
            alive = self.step(alive, false);
            if alive == [0; W] {
                break;
            }
        }
        self.flush();
        self.sums[..states.len()].to_vec()
    }

    /// The same, and for each state the sums of the moves that were made, see [`super::amaf`].
    pub fn batch_with_moves(
        &mut self,
        net: &Net,
        states: &[impl Borrow<Bases>],
        length: usize,
    ) -> (Vec<Vec<(u64, u64)>>, Vec<MoveSums>) {
        let mut followed = self.kept.take().unwrap_or_else(|| Box::new(Followed::new(net)));
        followed.clear();
        self.followed = Some(followed);
        let sums = self.batch(states, length);
        self.kept = self.followed.take();
        let moves = self.kept.as_mut().map(|f| f.sums(&self.goal_numbers, states.len()));
        (sums, moves.unwrap_or_default())
    }

    /// Steps 1 to 4 for the lanes of `alive`; returns those that go on. With `refill` ended lanes start again.
    #[inline(always)]
    fn step(&mut self, alive: Block<W>, refill: bool) -> Block<W> {
        let values = self.values.get();
        self.first.evaluate(values);
        let mut ended = lit(values, self.terminal);
        (0..W).for_each(|w| ended[w] &= alive[w]);
        let mut stuck = [0; W];
        for chooser in &mut self.choosers {
            let some = chooser.choose(values, &mut self.random);
            (0..W).for_each(|w| stuck[w] |= alive[w] & !ended[w] & !some[w]);
        }
        if ended != [0; W] {
            self.tally.rollouts += ones(&ended);
            self.keep_for_goals(ended);
        }
        self.tally.broken += ones(&stuck);
        (0..W).for_each(|w| ended[w] |= stuck[w]);
        self.tally.changes += ones(&alive) - ones(&ended);
        let values = self.values.get();
        if let Some(followed) = &mut self.followed {
            followed.note_moves(values, &std::array::from_fn(|w| alive[w] & !ended[w]));
        }
        self.second.evaluate(values);
        let restart = if refill { ended } else { [0; W] };
        self.go(restart);
        std::array::from_fn(|w| alive[w] & !ended[w])
    }

    /// The end of step 4.
    #[inline(always)]
    fn go(&mut self, restart: Block<W>) {
        let (values, copied, start) = (self.values.get(), self.copied.get(), self.start.get());
        for (update, block) in self.copies.iter().zip(copied.iter_mut()) {
            *block = lit(values, update.from);
        }
        let set = |values: &mut [Block<W>], base: u32, next: Block<W>| {
            let first = &start[base as usize - 1];
            values[base as usize] = std::array::from_fn(|w| next[w] & !restart[w] | first[w] & restart[w]);
        };
        for update in &self.updates {
            let next = lit(values, update.from);
            set(values, update.base, next);
        }
        for (update, &next) in self.copies.iter().zip(copied.iter()) {
            set(values, update.base, next);
        }
    }

    /// Step 2: sets the bases of ended lanes aside.
    fn keep_for_goals(&mut self, ended: Block<W>) {
        if (0..W).any(|w| self.waiting[w] & ended[w] != 0) {
            self.flush();
        }
        let values = self.values.get();
        for (n, &base) in self.goal_bases.iter().enumerate() {
            let now = values[base as usize];
            let kept = &mut values[self.waiting_at + n];
            (0..W).for_each(|w| kept[w] = kept[w] & !ended[w] | now[w] & ended[w]);
        }
        (0..W).for_each(|w| self.waiting[w] |= ended[w]);
        if !self.wait {
            self.flush();
        }
    }

    /// Evaluates the goals of the lanes set aside.
    fn flush(&mut self) {
        if self.waiting == [0; W] {
            return;
        }
        let values = self.values.get();
        self.goal_code.evaluate(values);
        for (role, lits) in self.goals.iter().enumerate() {
            for (value, &l) in lits.iter().enumerate() {
                let block = lit(values, l);
                if let Some(followed) = &mut self.followed {
                    followed.note_ends(role, value, &std::array::from_fn(|w| block[w] & self.waiting[w]));
                }
                for ((now, waiting), sums) in block.iter().zip(&self.waiting).zip(&mut self.sums) {
                    let count = u64::from((now & waiting).count_ones());
                    self.tally.goals[role][value] += count;
                    sums[role].0 += count * self.goal_numbers[role][value];
                    sums[role].1 += count;
                }
            }
        }
        self.waiting = [0; W];
    }
}

impl<const W: usize> Loop for Lanes<W> {
    #[inline(always)]
    fn play_on(&mut self, changes: u64) {
        let end = self.tally.changes + changes;
        let mut idle = 0;
        while self.tally.changes < end && idle < 1000 {
            let before = self.tally.changes;
            self.step([u64::MAX; W], true);
            // A start that is terminal already makes no move, for ever.
            idle = if self.tally.changes == before { idle + 1 } else { 0 };
        }
        self.flush();
    }
}

impl<const W: usize> Player for Lanes<W> {
    fn play(&mut self, changes: u64) {
        play_fast(self, changes);
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn start_from(&mut self, state: &Bases) {
        self.set_start(std::slice::from_ref(state));
    }
}
