//! Random games on a compiled net.

use super::super::playout::{Loop, MAX_LENGTH, Player, PlayoutNets, Tally, new_tally, play_fast};
use super::ends::Ends;
use super::formula::{BITS, Word};
use super::joint::NONE;
use super::plan::{Mask, Plan};
use super::select::select;
use super::{Compiled, Walk, range};
use crate::net::Bases;
use std::sync::Arc;
use tengen_core::SplitMix64;

/// A probe's length: times and moves.
const PROBES: usize = 32;
const PROBE_CHANGES: u64 = 32;

/// Goals with at most this many gates of their own, and this cost, are computed when a game ends.
const FEW_GOAL_GATES: usize = 2;
const SMALL_GOALS: u64 = 2_000;

/// Random games, one after the other.
pub struct Games {
    pub(super) plan: Arc<Plan>,
    pub(super) walk: Walk,
    start: Bases,
    length: u64,
    rng: SplitMix64,
    tally: Tally,
    moves: Vec<u32>,
    /// Ended games, where their goals are many gates.
    ends: Option<Ends>,
}

impl Games {
    /// From the initial state; `None` if the net is too large to compile.
    #[must_use]
    pub fn new(nets: &PlayoutNets, seed: u64) -> Option<Self> {
        let Compiled { plan, mut walk } = Compiled::of_plan(nets.plan()?);
        let start = nets.whole.net.names.initial.clone();
        walk.restart(&plan, &start);
        let moves = vec![0; nets.whole.net.names.roles.len()];
        let tally = new_tally(&nets.whole.net);
        let cost: u64 = plan.goals.iter().flatten().map(|&n| plan.goal_formulas[n as usize].cost()).sum();
        let large = plan.goal_locals.len() > FEW_GOAL_GATES || cost > SMALL_GOALS;
        let ends = large.then(|| Ends::new(nets));
        Some(Self { ends, plan, walk, start, length: 0, rng: SplitMix64::new(seed), tally, moves })
    }

    /// Draws a legal move of a role; `None` if it has none.
    #[inline(always)]
    pub(super) fn draw(&mut self, plan: &Plan, role: usize) -> Option<u32> {
        let walk = &mut self.walk;
        let Some(draw) = walk.joints.turns.draw(walk.at.turn, role) else {
            return self.draw_slowly(plan, role);
        };
        if draw.only != NONE {
            return Some(draw.only);
        }
        for n in range(draw.marked) {
            let group = &plan.groups[role][walk.joints.turns.marked[n] as usize];
            walk.settle_legal(plan, group);
        }
        let bits = |part: Mask| walk.at.bits[part.word as usize] & part.bits;
        let one = bits(draw.part);
        let at = (draw.part.word as usize - plan.legal_words()) * BITS;
        if draw.more.0 == draw.more.1 {
            let total = one.count_ones();
            let n = match total {
                0 => return None,
                1 => 0,
                _ => self.rng.below(total),
            };
            return Some(plan.input_of[at + select(one as u64, n) as usize]);
        }
        let parts = &walk.joints.turns.parts[range(draw.more)];
        let total = parts.iter().fold(one.count_ones(), |sum, &part| sum + bits(part).count_ones());
        let n = match total {
            0 => return None,
            1 => 0,
            _ => self.rng.below(total),
        };
        // The word of the n-th move, without a branch that depends on it.
        let mut found = (one, at, n);
        let mut before = one.count_ones();
        for &part in parts {
            let word = bits(part);
            if n >= before {
                found = (word, (part.word as usize - plan.legal_words()) * BITS, n - before);
            }
            before += word.count_ones();
        }
        let (word, at, n) = found;
        Some(plan.input_of[at + select(word as u64, n) as usize])
    }

    /// The same where nothing is known about the moves.
    #[inline(never)]
    fn draw_slowly(&mut self, plan: &Plan, role: usize) -> Option<u32> {
        let walk = &mut self.walk;
        let mut total = 0;
        for group in &plan.groups[role] {
            if walk.is_open(group) {
                if group.marked {
                    walk.settle_legal(plan, group);
                }
                total += walk.legal_words(plan, group).map(Word::count_ones).sum::<u32>();
            }
        }
        if total == 0 {
            return None;
        }
        let mut n = if total == 1 { 0 } else { self.rng.below(total) };
        for group in plan.groups[role].iter().filter(|group| walk.is_open(group)) {
            for (w, legal) in (group.first as usize..).zip(walk.legal_words(plan, group)) {
                let here = legal.count_ones();
                if n < here {
                    let shift = if n == 0 { legal.trailing_zeros() } else { select(legal as u64, n) };
                    return Some(plan.input_of[w * BITS + shift as usize]);
                }
                n -= here;
            }
        }
        None
    }

    /// One move, or the end of a game and the start of the next.
    #[inline(always)]
    pub(super) fn step(&mut self, plan: &Plan) {
        if self.walk.is_terminal(plan) {
            self.score(plan);
            self.restart();
            return;
        }
        for role in 0..self.moves.len() {
            match self.draw(plan, role) {
                Some(input) if self.length <= MAX_LENGTH => self.moves[role] = input,
                _ => {
                    self.tally.broken += 1;
                    self.restart();
                    return;
                }
            }
        }
        let number = self.walk.joints.find(plan, &self.moves);
        self.walk.go(plan, number);
        self.length += 1;
        self.tally.changes += 1;
    }

    #[inline(always)]
    fn score(&mut self, plan: &Plan) {
        self.tally.rollouts += 1;
        if let Some(ends) = &mut self.ends {
            ends.add(&self.walk.at.bits, &mut self.tally);
            return;
        }
        self.walk.settle_goals(plan);
        for (role, counts) in self.tally.goals.iter_mut().enumerate() {
            for (value, count) in counts.iter_mut().enumerate() {
                *count += u64::from(self.walk.has_goal(plan, role, value));
            }
        }
    }

    fn restart(&mut self) {
        self.length = 0;
        match &self.walk.start {
            Some(known) => {
                self.walk.at.copy_from(&known.1);
                self.walk.goals_known = false;
            }
            None => self.walk.restart(&self.plan, &self.start),
        }
    }
}

/// Nanoseconds of a move: fixed, for each role beyond two, for each unit of [`Walk::work`]. Fitted by least squares
/// to 101 rulesheets, the second by hand (`experiments/2026-11-29-compiled-single-states.md`).
const COST: [f64; 3] = [90.0, 150.0, 0.13];

/// A probe that makes joint moves for longer than this finds that they take too long.
const MOST_EFFORT: u64 = 4_000_000;

impl Games {
    /// About the nanoseconds of one move of a random game. `None` if joint moves take too long to compile, or if too many
    /// different ones are played.
    pub(in super::super) fn cost(nets: &PlayoutNets) -> Option<f64> {
        let mut games = Self::new(nets, 1)?;
        let mut half = 0;
        for probe in 0..PROBES {
            if probe == PROBES / 2 {
                half = games.walk.joints.joints.len();
            }
            games.play(PROBE_CHANGES);
            let joints = &games.walk.joints;
            if joints.effort > MOST_EFFORT || joints.joints.len() > nets.whole.net.inputs() + 64 {
                return None;
            }
        }
        // Where every second move is a new one, making them is most of the work.
        let new = games.walk.joints.joints.len().saturating_sub(half);
        if 4 * new as u64 > PROBES as u64 * PROBE_CHANGES {
            return None;
        }
        let changes = games.tally.changes.max(1);
        let roles = games.moves.len() as f64;
        let [fixed, more_roles, work] = COST;
        Some(fixed + more_roles * (roles - 2.0).max(0.0) + work * games.walk.work as f64 / changes as f64)
    }
}

impl Loop for Games {
    #[inline(always)]
    fn play_on(&mut self, changes: u64) {
        let plan = Arc::clone(&self.plan);
        let end = self.tally.changes + changes;
        let mut ended = 0_u64;
        while self.tally.changes < end && ended < changes + 16 {
            let before = self.tally.changes;
            self.step(&plan);
            // A start that is terminal already makes no move, for ever.
            ended += u64::from(self.tally.changes == before);
        }
        if let Some(ends) = &mut self.ends {
            ends.count(&mut self.tally);
        }
    }
}

impl Player for Games {
    fn play(&mut self, changes: u64) {
        play_fast(self, changes);
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn start_from(&mut self, state: &Bases) {
        self.start.clone_from(state);
        self.walk.start = None;
        self.walk.restart(&self.plan, state);
        self.length = 0;
    }
}
