//! Beam search: follows many lines side by side, and keeps the most promising of each length.
//!
//! # Source
//! B. Lowerre, "The Harpy speech recognition system" (1976); R. Zhou and E. Hansen, "Beam-stack search" (2005), for
//! beams that widen.
//!
//! # Steps
//! 1. All states of a layer are looked at. The states after their moves form the next layer, each state once.
//! 2. Dead ends are left out. The most promising states are kept, as many as the beam is wide.
//! 3. At the end of all lines the beam starts again with the next [`Rank`], and after all of them twice as wide.

use super::degree::Degree;
use super::possible::Outlook;
use super::view::{Look, View};
use super::{Found, Plan};
use crate::net::Bases;
use rustc_hash::FxHashSet;
use tengen_core::SplitMix64;

/// What makes a state promising.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// The degree to which the target holds.
    Degree,
    /// Few rounds to the target, then the degree.
    Near,
    /// Many facts that are free to change, then many moves that can become legal.
    Free,
    /// Few legal moves.
    Narrow,
    /// Chance.
    Chance,
}

/// The ranks in turn.
///
/// Origin: own choice, unmeasured.
const RANKS: [Rank; 5] = [Rank::Degree, Rank::Near, Rank::Free, Rank::Narrow, Rank::Chance];

/// The width of the first beams.
///
/// Origin: own choice, unmeasured.
const FIRST_WIDTH: usize = 4;

/// The widest beam.
///
/// Origin: own choice, unmeasured.
const MAX_WIDTH: usize = 1 << 14;

/// The most layers.
///
/// Origin: own choice, unmeasured.
const MAX_LAYERS: usize = 2_000;

struct Node {
    state: Bases,
    /// Its entry in the tree of moves.
    at: u32,
}

struct Candidate {
    score: [f32; 2],
    chance: u64,
    state: Bases,
    from: u32,
    made: u32,
}

/// A search from one state.
pub(super) struct Beam {
    start: Bases,
    degree: Degree,
    layer: Vec<Node>,
    /// The next state of the layer to look at.
    next: usize,
    candidates: Vec<Candidate>,
    seen: FxHashSet<u64>,
    /// Where each kept state came from, and its move.
    tree: Vec<(u32, u32)>,
    layers: usize,
    runs: usize,
    random: SplitMix64,
    best: f64,
    /// The first move of the best state of the deepest layer so far.
    hint: Option<u32>,
}

impl Beam {
    pub(super) fn new(view: &View, start: &Bases, seed: u64) -> Self {
        Self {
            start: start.clone(),
            degree: Degree::new(view),
            layer: Vec::new(),
            next: 0,
            candidates: Vec::new(),
            seen: FxHashSet::default(),
            tree: Vec::new(),
            layers: 0,
            runs: 0,
            random: SplitMix64::new(seed),
            best: f64::NEG_INFINITY,
            hint: None,
        }
    }

    /// Begins anew from another state.
    pub(super) fn restart(&mut self, start: &Bases) {
        self.start.clone_from(start);
        self.layer.clear();
        self.candidates.clear();
        self.best = f64::NEG_INFINITY;
        self.hint = None;
    }

    /// The move towards the most promising state so far.
    pub(super) fn hint(&self) -> Option<u32> {
        self.hint
    }

    fn rank(&self) -> Rank {
        RANKS[(self.runs + RANKS.len() - 1) % RANKS.len()]
    }

    fn width(&self) -> usize {
        (FIRST_WIDTH << (2 * (self.runs.saturating_sub(1) / RANKS.len())).min(20)).min(MAX_WIDTH)
    }

    fn begin(&mut self) {
        self.runs += 1;
        self.layers = 0;
        self.next = 0;
        self.seen.clear();
        self.candidates.clear();
        self.tree = vec![(u32::MAX, u32::MAX)];
        self.layer = vec![Node { state: self.start.clone(), at: 0 }];
    }

    /// Looks at up to `count` states. Tells the best end that is better than all before.
    pub(super) fn run(&mut self, view: &mut View, count: usize) -> Option<Found> {
        let mut found = None;
        for _ in 0..count {
            if self.next >= self.layer.len() {
                self.advance();
            }
            let Some(node) = self.layer.get(self.next) else { break };
            self.next += 1;
            let (state, at) = (node.state.clone(), node.at);
            self.expand(view, &state, at, &mut found);
            if self.best >= view.best_value {
                break;
            }
        }
        found
    }

    /// Step 2, or step 3 if no line goes on.
    fn advance(&mut self) {
        self.layers += 1;
        if self.candidates.is_empty() || self.layers > MAX_LAYERS {
            return self.begin();
        }
        let width = self.width();
        let mut candidates = std::mem::take(&mut self.candidates);
        keep_best(&mut candidates, width);
        candidates.sort_unstable_by(order);
        self.layer.clear();
        self.next = 0;
        for candidate in candidates {
            let at = self.tree.len() as u32;
            self.tree.push((candidate.from, candidate.made));
            self.layer.push(Node { state: candidate.state, at });
        }
        if let Some(first) = self.layer.first() {
            self.hint = self.plan(first.at).first().copied();
        }
    }

    /// Step 1 for one state.
    fn expand(&mut self, view: &mut View, state: &Bases, at: u32, found: &mut Option<Found>) {
        let moves = match view.look(state) {
            Look::End(goal) => return self.end(goal, at, None, found),
            Look::Moves(moves) => moves,
        };
        let mut fresh: Vec<u32> = Vec::new();
        let mut states: Vec<Bases> = Vec::new();
        for m in moves {
            let child = view.propagator.successor(&[m]).clone();
            if self.seen.insert(view.key(&child)) {
                states.push(child);
                fresh.push(m);
            }
        }
        let outlooks = view.outlooks(&states);
        let rank = self.rank();
        for ((made, child), outlook) in fresh.into_iter().zip(states).zip(outlooks) {
            if outlook.terminal {
                view.propagator.enter(&child);
                let goal = view.goal();
                self.end(goal, at, Some(made), found);
            } else if !outlook.dead {
                let score = self.score(view, rank, &child, &outlook);
                let chance = self.random.next_u64();
                self.candidates.push(Candidate { score, chance, state: child, from: at, made });
            }
        }
        // The memory of what a layer would leave out is given back on the way.
        let width = self.width();
        if self.candidates.len() > 2 * width + MAX_WIDTH {
            keep_best(&mut self.candidates, width);
        }
    }

    fn score(&mut self, view: &View, rank: Rank, state: &Bases, outlook: &Outlook) -> [f32; 2] {
        let (free, open) = (outlook.free as f32, outlook.open as f32);
        match rank {
            Rank::Degree => [self.degree.of(view, state), free],
            Rank::Near => [-(outlook.rounds as f32), self.degree.of(view, state)],
            Rank::Free => [free, open],
            Rank::Narrow => [-(outlook.legal as f32), free],
            Rank::Chance => [0.0, 0.0],
        }
    }

    fn end(&mut self, goal: f64, at: u32, last: Option<u32>, found: &mut Option<Found>) {
        if goal > self.best {
            self.best = goal;
            let mut plan = self.plan(at);
            plan.extend(last);
            *found = Some(Found { goal, plan });
        }
    }

    fn plan(&self, mut at: u32) -> Plan {
        let mut moves = Vec::new();
        while let (from, made) = self.tree[at as usize]
            && from != u32::MAX
        {
            moves.push(made);
            at = from;
        }
        moves.reverse();
        moves
    }
}

/// The most promising first.
fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    let by = |i: usize| b.score[i].total_cmp(&a.score[i]);
    by(0).then_with(|| by(1)).then_with(|| a.chance.cmp(&b.chance))
}

/// Leaves out all but the most promising.
fn keep_best(candidates: &mut Vec<Candidate>, width: usize) {
    if candidates.len() > width {
        candidates.select_nth_unstable_by(width, order);
        candidates.truncate(width);
    }
}
