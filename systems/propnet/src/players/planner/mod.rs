//! A player for games with one role. It looks for a whole plan, keeps it and plays it.
//!
//! # Notation
//! A *plan* is a list of moves from the state asked about to an end of the game. It is *perfect* if no goal value of
//! the rules is higher.
//!
//! # Steps
//! 1. Four searches take turns on the same state, a number of states each: [`breadth`], [`depth`], [`beam`] and
//!    [`nested`].
//! 2. The best plan so far is kept. A perfect plan ends the work, and so does [`breadth`] when it has seen all states.
//! 3. The first move of the plan is played. In the state after it the rest of the plan is the best plan so far.
//! 4. Without a plan the most promising move is played that does not lead into a proved dead end.
//!
//! # Cost
//! Each search has a limit of memory. The same number of visits gives the same plan.

mod beam;
mod breadth;
mod degree;
mod depth;
mod nested;
mod possible;
mod split;
#[cfg(test)]
mod tests;
mod view;

use crate::game::Game;
use crate::net::Bases;
use beam::Beam;
use breadth::Breadth;
use depth::Depth;
use nested::Nested;
use tengen_core::{Budget, derive_seed};
use view::{Look, View};

/// Moves by their number in the net.
pub(crate) type Plan = Vec<u32>;

/// A plan with the goal at its end.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    goal: f64,
    plan: Plan,
}

/// States, or lines of [`nested`], of one turn of each search.
///
/// Origin: own choice, unmeasured.
const TURN: [usize; 4] = [2_000, 50, 50, 20];

/// Plans for one game, and the state it stands in.
pub(crate) struct Planner {
    view: View,
    state: Bases,
    best: Option<Found>,
    breadth: Breadth,
    depth: Depth,
    beam: Beam,
    nested: Nested,
    /// No better plan exists from the state.
    settled: bool,
}

/// What a planner would do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Advice {
    /// The move.
    pub input: u32,
    /// The goal at the end of the plan, if there is one.
    pub goal: Option<f64>,
    /// States looked at for this answer.
    pub spent: u64,
    /// Whether no better goal can be reached.
    pub settled: bool,
}

impl Planner {
    /// For a game with a net, one role and a goal; `None` for others.
    pub(crate) fn new(game: &Game, seed: u64) -> Option<Self> {
        let view = View::new(game.topology.as_ref().ok()?)?;
        let state = view.topology.net.names.initial.clone();
        Some(Self {
            breadth: Breadth::new(&view, &state),
            depth: Depth::new(&state, derive_seed(seed, &[1])),
            beam: Beam::new(&view, &state, derive_seed(seed, &[2])),
            nested: Nested::new(&view, &state, derive_seed(seed, &[3])),
            view,
            state,
            best: None,
            settled: false,
        })
    }

    /// Goes to a state. A plan that leads through it is kept.
    fn go(&mut self, state: &Bases) {
        if *state == self.state {
            return;
        }
        let on_plan = self.best.take().and_then(|mut found| {
            self.view.propagator.enter(&self.state);
            let made = *found.plan.first()?;
            (self.view.propagator.successor(&[made]) == state).then(|| {
                found.plan.remove(0);
                found
            })
        });
        self.settled &= on_plan.is_some();
        self.best = on_plan;
        self.state.clone_from(state);
        if !self.settled {
            self.breadth = Breadth::new(&self.view, state);
            self.depth.restart(state);
            self.beam.restart(state);
            self.nested.restart(state);
        }
    }

    fn keep(&mut self, found: Option<Found>) {
        if let Some(found) = found
            && self.best.as_ref().is_none_or(|best| found.goal > best.goal)
        {
            self.settled |= found.goal >= self.view.best_value;
            self.best = Some(found);
        }
    }

    /// Steps 1 and 2 from a state, until the budget is spent or nothing is left to find. Returns the states looked at.
    pub(crate) fn think(&mut self, state: &Bases, budget: &Budget) -> u64 {
        self.go(state);
        let most = budget.visits.or(budget.nodes).unwrap_or(u64::MAX);
        let mut spent = 0;
        for turn in 0_usize.. {
            if self.settled || spent >= most || budget.stop.now() {
                break;
            }
            let which = turn % TURN.len();
            let count = TURN[which].min(usize::try_from(most - spent).unwrap_or(usize::MAX));
            spent += count as u64;
            // Short turns, so that the clock is asked often.
            let mut left = count;
            while left > 0 && !self.settled && !budget.stop.now() {
                let part = left.min(PARTS[which]);
                left -= part;
                let view = &mut self.view;
                let found = match which {
                    0 => self.breadth.run(view, part),
                    1 => self.depth.run(view, part),
                    2 => self.beam.run(view, part),
                    _ => self.nested.run(view, part),
                };
                self.keep(found);
                self.settled |= self.breadth.complete();
            }
        }
        spent
    }

    /// The move to make in a state; `None` if the game is over or stuck there.
    pub(crate) fn choose(&mut self, state: &Bases, budget: &Budget) -> Option<Advice> {
        let spent = self.think(state, budget);
        let Look::Moves(moves) = self.view.look(state) else { return None };
        let goal = self.best.as_ref().map(|best| best.goal);
        let planned = self.best.as_ref().filter(|best| best.goal > 0.0).and_then(|b| b.plan.first().copied());
        let input = planned.filter(|m| moves.contains(m)).or_else(|| self.promising(&moves))?;
        Some(Advice { input, goal, spent, settled: self.settled })
    }

    /// Step 4.
    fn promising(&mut self, moves: &[u32]) -> Option<u32> {
        self.view.propagator.enter(&self.state);
        let states = self.view.children(moves);
        let outlooks = self.view.outlooks(&states);
        let open: Vec<usize> =
            (0..moves.len()).filter(|&n| !outlooks[n].dead && !self.depth.fails(&states[n])).collect();
        let hint = self.beam.hint();
        let hinted = open.iter().copied().find(|&n| Some(moves[n]) == hint);
        let free = open.iter().copied().max_by_key(|&n| outlooks[n].free);
        hinted.or(free).map(|n| moves[n]).or_else(|| moves.first().copied())
    }
}

/// The states of a turn between two looks at the clock.
///
/// Origin: own choice, unmeasured.
const PARTS: [usize; 4] = [20, 1, 1, 1];
