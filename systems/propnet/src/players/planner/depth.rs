//! Depth-first search: follows one line at a time and proves dead ends early. It suits puzzles whose facts only grow.
//!
//! # Source
//! R. Haralick and G. Elliott, "Increasing tree search efficiency for constraint satisfaction problems" (1980): forward
//! checking and the choice of the variable with the fewest values. A *need* of [`super::possible`] stands for the
//! variable, and its moves stand for the values. C. Gomes, B. Selman and H. Kautz, "Boosting combinatorial search
//! through randomization" (1998): restarts.
//!
//! # Steps
//! 1. A guide by needs takes only the moves of the smallest need. The other guides take all legal moves.
//! 2. The states after these moves are asked for their outlook. Dead ends and states known to fail are left out. The
//!    others are tried in the order of the [`Guide`].
//! 3. A state all of whose moves fail is known to fail. After a number of states the search starts again from the top
//!    with the next guide, and twice the states.
//!
//! # Departures
//! A guide by needs assumes that the order of moves does not matter. So its failures prove nothing for the other
//! guides.

use super::possible::Outlook;
use super::view::{Look, View};
use super::{Found, Plan};
use crate::net::Bases;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher as _;
use tengen_core::SplitMix64;

/// The order in which moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guide {
    /// The moves of the smallest need; most free facts first.
    Needs,
    /// Most facts that are free to change, then most moves that can become legal.
    Free,
    /// Fewest legal moves.
    Narrow,
    /// Fewest rounds to the target.
    Near,
}

/// The guides in turn.
///
/// Origin: own choice, unmeasured.
const GUIDES: [Guide; 4] = [Guide::Needs, Guide::Free, Guide::Narrow, Guide::Near];

/// States of the first try.
///
/// Origin: own choice, unmeasured.
const FIRST_TRY: usize = 300;

/// The most failed states that are kept.
///
/// Origin: own choice, unmeasured.
const MAX_FAILED: usize = 4_000_000;

/// The longest line.
///
/// Origin: own choice, unmeasured.
const MAX_LENGTH: usize = 5_000;

/// A hash of a state with the facts that count time: less time is another chance.
fn whole_key(state: &Bases) -> u64 {
    let mut hasher = FxHasher::default();
    state.as_slice().iter().for_each(|&word| hasher.write_usize(word));
    hasher.finish()
}

struct Frame {
    state: Bases,
    key: u64,
    /// The moves still to try, the next one last.
    moves: Vec<u32>,
    /// The move that is being tried.
    made: u32,
    /// Whether all legal moves that are not dead ends were among them.
    all: bool,
}

/// A search from one state.
pub(super) struct Depth {
    start: Bases,
    frames: Vec<Frame>,
    /// The states of the line.
    line: FxHashSet<u64>,
    failed: FxHashSet<u64>,
    /// States that fail if the order of moves does not matter.
    failed_by_needs: FxHashSet<u64>,
    random: SplitMix64,
    tries: usize,
    left: usize,
    best: f64,
    exhausted: bool,
}

impl Depth {
    pub(super) fn new(start: &Bases, seed: u64) -> Self {
        Self {
            start: start.clone(),
            frames: Vec::new(),
            line: FxHashSet::default(),
            failed: FxHashSet::default(),
            failed_by_needs: FxHashSet::default(),
            random: SplitMix64::new(seed),
            tries: 0,
            left: 0,
            best: f64::NEG_INFINITY,
            exhausted: false,
        }
    }

    /// Begins anew from another state; what is known to fail stays.
    pub(super) fn restart(&mut self, start: &Bases) {
        self.start.clone_from(start);
        self.frames.clear();
        self.line.clear();
        self.left = 0;
        self.best = f64::NEG_INFINITY;
        self.exhausted = false;
    }

    fn guide(&self) -> Guide {
        GUIDES[(self.tries + GUIDES.len() - 1) % GUIDES.len()]
    }

    /// Whether a state is known to fail.
    pub(super) fn fails(&self, state: &Bases) -> bool {
        self.failed.contains(&whole_key(state))
    }

    /// Looks at up to `count` states. Tells the best end that is better than all before.
    pub(super) fn run(&mut self, view: &mut View, count: usize) -> Option<Found> {
        let mut found = None;
        for _ in 0..count {
            if self.exhausted {
                break;
            }
            if self.left == 0 {
                self.frames.clear();
                self.line.clear();
                self.left = FIRST_TRY << (self.tries / GUIDES.len()).min(20);
                self.tries += 1;
                let start = self.start.clone();
                self.enter(view, start, &mut found);
            }
            self.left -= 1;
            if self.next(view, &mut found) || self.best >= view.best_value {
                self.left = 0;
            }
            if self.best >= view.best_value {
                break;
            }
        }
        found
    }

    /// Tries the next move; whether the line ended at the top.
    fn next(&mut self, view: &mut View, found: &mut Option<Found>) -> bool {
        let by_needs = self.guide() == Guide::Needs;
        let Some(frame) = self.frames.last_mut() else { return true };
        let Some(made) = frame.moves.pop() else {
            let (key, all) = (frame.key, frame.all);
            self.frames.pop();
            self.line.remove(&key);
            if self.failed.len() + self.failed_by_needs.len() < MAX_FAILED {
                if all { &mut self.failed } else { &mut self.failed_by_needs }.insert(key);
            }
            if !all && let Some(above) = self.frames.last_mut() {
                above.all = false;
            }
            self.exhausted |= self.frames.is_empty() && all;
            return self.frames.is_empty();
        };
        frame.made = made;
        view.propagator.enter(&frame.state);
        let child = view.propagator.successor(&[made]).clone();
        let key = whole_key(&child);
        if self.line.contains(&key) || self.line.len() >= MAX_LENGTH {
            frame.all = false;
            return false;
        }
        if self.failed.contains(&key) {
            return false;
        }
        if by_needs && self.failed_by_needs.contains(&key) {
            frame.all = false;
            return false;
        }
        self.enter(view, child, found);
        false
    }

    /// Steps 1 and 2 for a state, which becomes the end of the line.
    fn enter(&mut self, view: &mut View, state: Bases, found: &mut Option<Found>) {
        let moves = match view.look(&state) {
            Look::End(goal) => return self.end(goal, None, found),
            Look::Moves(moves) => moves,
        };
        let own = view.possible.ask(std::iter::once(&state))[0];
        if own.dead {
            return self.push(state, Vec::new(), true);
        }
        let guide = self.guide();
        let mut all = true;
        let mut moves = moves;
        if guide == Guide::Needs {
            let needs = view.possible.needs(0, &state);
            let open = |need: &Vec<u32>| need.iter().any(|m| moves.binary_search(m).is_ok());
            // A need none of whose moves is open now may be met later.
            if let Some(need) = needs.iter().find(|need| open(need)) {
                let before = moves.len();
                moves.retain(|m| need.binary_search(m).is_ok());
                all = moves.len() == before;
            }
        }
        let states = view.children(&moves);
        let outlooks = view.outlooks(&states);
        let mut choices: Vec<(u32, Outlook)> = Vec::new();
        for (&made, (outlook, child)) in moves.iter().zip(outlooks.iter().zip(&states)) {
            if outlook.terminal {
                view.propagator.enter(child);
                let goal = view.goal();
                self.end(goal, Some((&state, made)), found);
            } else if !outlook.dead {
                choices.push((made, *outlook));
            }
        }
        let random = &mut self.random;
        let mut ordered: Vec<(i64, u64, u32)> = choices
            .iter()
            .map(|&(made, outlook)| {
                let rank = match guide {
                    Guide::Needs | Guide::Free => i64::from(outlook.free) << 32 | i64::from(outlook.open),
                    Guide::Narrow => -i64::from(outlook.legal),
                    Guide::Near => -i64::from(outlook.rounds),
                };
                (rank, random.next_u64(), made)
            })
            .collect();
        ordered.sort_unstable();
        let moves = ordered.into_iter().map(|(_, _, made)| made).collect();
        self.push(state, moves, all);
    }

    fn push(&mut self, state: Bases, moves: Vec<u32>, all: bool) {
        let key = whole_key(&state);
        self.line.insert(key);
        self.frames.push(Frame { state, key, moves, made: 0, all });
    }

    /// Notes an end: of the line, or of one more move.
    fn end(&mut self, goal: f64, last: Option<(&Bases, u32)>, found: &mut Option<Found>) {
        if goal > self.best {
            self.best = goal;
            let mut plan: Plan = self.frames.iter().map(|f| f.made).collect();
            plan.extend(last.map(|(_, made)| made));
            *found = Some(Found { goal, plan });
        }
    }
}
