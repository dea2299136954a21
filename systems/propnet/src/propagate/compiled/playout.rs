//! Random games on a compiled net.

use super::super::one_game::{Course, OneGame};
use super::super::player::{Loop, MAX_LENGTH, Player, Tally, new_tally, play_fast};
use super::ends::Ends;
use super::formula::{BITS, Mask, Word};
use super::places::{NONE, range};
use super::plan::Plan;
use super::select::select;
use super::{Compiled, Walk};
use crate::net::{Bases, Net};
use std::sync::Arc;
use tengen_core::SplitMix64;

/// The length of a probe: the most rounds, times in each, and moves.
const ROUNDS: usize = 8;
const PROBES: usize = 16;
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
    /// From the initial state. `goals` is the net that only has goals.
    pub(in super::super) fn new(plan: Arc<Plan>, goals: &Net, seed: u64) -> Self {
        let Compiled { plan, mut walk } = Compiled::of_plan(plan);
        let net = &plan.topology.net;
        let start = net.names.initial.clone();
        walk.restart(&plan, &start);
        let moves = vec![0; net.names.roles.len()];
        let tally = new_tally(net);
        let cost: u64 = plan.goals.iter().flatten().map(|&n| plan.goal_formulas[n as usize].cost()).sum();
        let large = plan.goal_locals.len() > FEW_GOAL_GATES || cost > SMALL_GOALS;
        let ends = large.then(|| Ends::new(goals));
        Self { ends, plan, walk, start, length: 0, rng: SplitMix64::new(seed), tally, moves }
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

/// Nanoseconds of a move: fixed, for each role beyond two, for each unit of [`Walk::work`]. Fitted by least squares to 63
/// rulesheets (`experiments/2026-11-29-compiled-single-states.md`).
const COST: [f64; 3] = [28.0, 23.0, 0.107];

/// Nanoseconds for each unit of the effort of making joint moves. Medians of rulesheets lie from 50 to 300.
const MAKING: f64 = 100.0;

/// Making joint moves is shared by this many moves where they are few. Own choice: about a second of play.
const SHARED_BY: f64 = 1e6;

/// Joint moves are few if they are at most this many more than their inputs: roles move in turns.
const FEW_MORE: usize = 64;

/// A probe that makes joint moves for longer than this finds that they take too long.
const MOST_EFFORT: u64 = 4_000_000;

impl Games {
    /// About the nanoseconds of one move of a random game. `None` if joint moves take too long to compile.
    ///
    /// A round of a probe tells how many joint moves are new. Rounds go on while making those is a large part of the cost
    /// and gets less.
    pub(in super::super) fn cost(plan: &Arc<Plan>, goals: &Net) -> Option<f64> {
        let mut games = Self::new(Arc::clone(plan), goals, 1);
        games.walk.counts = true;
        let (mut before, mut total) = (f64::INFINITY, 0.0);
        for _ in 0..ROUNDS {
            let joints = &games.walk.joints;
            let (from, made) = (games.tally.changes, joints.effort);
            let work = games.walk.work;
            for _ in 0..PROBES {
                Player::play(&mut games, PROBE_CHANGES);
                if games.walk.joints.effort > MOST_EFFORT {
                    return None;
                }
            }
            let changes = (games.tally.changes - from).max(1) as f64;
            let of_move = |count: u64| count as f64 / changes;
            let roles = (games.moves.len() as f64 - 2.0).max(0.0);
            let [fixed, more_roles, each] = COST;
            let walking = fixed + more_roles * roles + each * of_move(games.walk.work - work);
            let joints = &games.walk.joints;
            let mut making = MAKING * of_move(joints.effort - made);
            let (number, inputs) = (joints.joints.len(), joints.different_inputs());
            if number <= inputs + FEW_MORE {
                let all = plan.topology.net.inputs() as f64 * joints.effort as f64 / number.max(1) as f64;
                making = making.min(MAKING * all / SHARED_BY);
            }
            // What was made already has its price too.
            total = walking + making + MAKING * joints.effort as f64 / SHARED_BY;
            if making < walking / 4.0 || making > before {
                break;
            }
            before = making;
        }
        Some(total)
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

impl OneGame for Games {
    fn play(
        &mut self,
        from: &Bases,
        first: Option<&[u32]>,
        length: usize,
        random: &mut SplitMix64,
        made: &mut Vec<u32>,
    ) -> Course {
        let plan = Arc::clone(&self.plan);
        self.walk.change_to(&plan, from);
        if let Some(first) = first {
            let number = self.walk.joints.find(&plan, first);
            self.walk.go(&plan, number);
        }
        self.rng = *random;
        let course = self.play_out(&plan, length, made);
        *random = self.rng;
        self.walk.keep_state();
        course
    }

    fn end(&self) -> &Bases {
        &self.walk.state
    }

    fn has_goal(&mut self, role: usize, value: usize) -> bool {
        self.walk.settle_goals(&self.plan);
        self.walk.has_goal(&self.plan, role, value)
    }
}

impl Games {
    /// Random moves from where the walk stands.
    fn play_out(&mut self, plan: &Plan, length: usize, made: &mut Vec<u32>) -> Course {
        for at in 0..=length {
            if self.walk.is_terminal(plan) {
                return Course::Ended(at);
            }
            for role in 0..self.moves.len() {
                match self.draw(plan, role) {
                    Some(input) => self.moves[role] = input,
                    None => return Course::Broken,
                }
            }
            made.extend_from_slice(&self.moves);
            let number = self.walk.joints.find(plan, &self.moves);
            self.walk.go(plan, number);
        }
        Course::Broken
    }
}
