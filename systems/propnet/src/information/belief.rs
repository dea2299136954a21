//! The information set of a role: the states that agree with its own moves and its percepts.
//!
//! # Steps
//! 1. A belief begins with the initial state.
//! 2. For each step it makes every joint move with the role's own move, in every state of the set. States in which the
//!    role gets other percepts are dropped. Equal states are merged, and their probabilities add up.
//! 3. If there are more than [`MOST_MOVES`] such moves, that number is drawn at random. If there are more than
//!    [`MOST_STATES`] states, that number is drawn by their probabilities.
//! 4. If such draws leave an empty set, it is sampled again from the first step, with other random numbers.
//!
//! # Departures
//! The belief assumes that the other roles move at random. For the role `random` this is true.
//!
//! # Invariants
//! As long as step 3 drew nothing ([`Belief::is_exact`]), the set is the role's information set. The result depends on
//! the game, the history and the random seed alone.

use super::Observer;
use crate::machine::{MachineError, MoveId, State, StateMachine, canonical};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tengen_core::{SplitMix64, Stop, derive_seed};

/// The most states of a set.
pub const MOST_STATES: usize = 1000;
/// The most joint moves that a step makes.
pub const MOST_MOVES: usize = 20_000;
/// How often an empty set is sampled again.
const TRIES: u64 = 4;

/// The knowledge of a role about one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    own: String,
    percepts: Vec<String>,
}

/// States with their probabilities.
pub(crate) type Weighted = Vec<(State, f64)>;

/// The states that a role thinks possible.
#[derive(Debug)]
pub struct Belief {
    role: usize,
    seed: u64,
    states: Weighted,
    exact: bool,
    history: Vec<Known>,
    observer: Observer,
}

impl Belief {
    /// Step 1.
    #[must_use]
    pub fn new(machine: &dyn StateMachine, role: usize, seed: u64) -> Self {
        Self {
            role,
            seed,
            states: vec![(machine.initial(), 1.0)],
            exact: true,
            history: Vec::new(),
            observer: Observer::default(),
        }
    }

    /// The states with their probabilities, which add up to 1; empty if no state was found.
    #[must_use]
    pub fn states(&self) -> &[(State, f64)] {
        &self.states
    }

    /// Whether these are all states that agree with what the role knows.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// How many steps the role has seen.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.history.len()
    }

    /// Steps 2 to 4: the role made its move and perceived this. Returns whether a state agrees with it.
    ///
    /// # Errors
    /// The machine's limits. The set is then as before.
    pub fn advance(
        &mut self,
        machine: &mut dyn StateMachine,
        own: &str,
        percepts: &[String],
        stop: &Stop,
    ) -> Result<bool, MachineError> {
        let mut percepts: Vec<String> = percepts.iter().map(|p| canonical(p)).collect();
        percepts.sort_unstable();
        percepts.dedup();
        let known = Known { own: canonical(own), percepts };
        let mut random = SplitMix64::new(derive_seed(self.seed, &[self.history.len() as u64]));
        let mut exact = self.exact;
        let mut states = self.step(machine, &self.states.clone(), &known, &mut random, &mut exact, stop)?;
        self.history.push(known);
        for attempt in 1..=TRIES {
            if exact || !states.is_empty() || stop.now() {
                break;
            }
            let mut random = SplitMix64::new(derive_seed(self.seed, &[self.history.len() as u64, attempt]));
            states = vec![(machine.initial(), 1.0)];
            for known in self.history.clone() {
                states = self.step(machine, &states, &known, &mut random, &mut exact, stop)?;
            }
        }
        self.exact = exact;
        self.states = states;
        Ok(!self.states.is_empty())
    }

    /// The moves of all roles are known. Returns whether a state allows them.
    ///
    /// # Errors
    /// The machine's limits. The set is then as before.
    pub fn advance_all(
        &mut self,
        machine: &mut dyn StateMachine,
        joint: &[String],
    ) -> Result<bool, MachineError> {
        let mut found = Found::default();
        for (state, weight) in &self.states {
            machine.enter(state)?;
            match machine.joint_move(joint) {
                Ok(ids) => found.add(machine.successor(&ids)?, *weight),
                Err(MachineError::JointMove { .. } | MachineError::Illegal { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut random = SplitMix64::new(derive_seed(self.seed, &[self.history.len() as u64]));
        self.states = drawn(found.states, MOST_STATES, &mut random);
        // What the role perceived is not needed any more where all is told.
        self.history.push(Known::default());
        Ok(!self.states.is_empty())
    }

    /// Steps 2 and 3 from these states.
    fn step(
        &mut self,
        machine: &mut dyn StateMachine,
        from: &[(State, f64)],
        known: &Known,
        random: &mut SplitMix64,
        exact: &mut bool,
        stop: &Stop,
    ) -> Result<Weighted, MachineError> {
        let mut choices = Vec::with_capacity(from.len());
        for (state, _) in from {
            choices.push(self.choices(machine, state, &known.own)?);
        }
        let count = |choices: &Option<Vec<Vec<MoveId>>>| {
            choices.as_ref().map_or(0, |all| all.iter().fold(1_usize, |n, of| n.saturating_mul(of.len())))
        };
        let all = choices.iter().fold(0_usize, |n, each| n.saturating_add(count(each)));
        let mut found = Found::default();
        for ((state, weight), choices) in from.iter().zip(&choices) {
            if stop.now() {
                break;
            }
            let Some(moves) = choices else { continue };
            machine.enter(state)?;
            let joints = count(choices);
            if all <= MOST_MOVES {
                for number in 0..joints {
                    let next = machine.successor(&joint(moves, number))?;
                    self.keep(machine, next, weight / joints as f64, known, &mut found)?;
                }
                continue;
            }
            *exact = false;
            let draws = ((weight * MOST_MOVES as f64).ceil() as usize).clamp(1, joints);
            for _ in 0..draws {
                let drawn: Vec<MoveId> = moves
                    .iter()
                    .map(|of_role| of_role[random.below(of_role.len() as u32) as usize])
                    .collect();
                let next = machine.successor(&drawn)?;
                self.keep(machine, next, weight / draws as f64, known, &mut found)?;
            }
        }
        *exact &= found.states.len() <= MOST_STATES && !stop.now();
        Ok(drawn(found.states, MOST_STATES, random))
    }

    /// The moves of each role, with the role's own move alone; `None` where that is not legal, or the game is over.
    fn choices(
        &self,
        machine: &mut dyn StateMachine,
        state: &State,
        own: &str,
    ) -> Result<Option<Vec<Vec<MoveId>>>, MachineError> {
        machine.enter(state)?;
        if machine.terminal()? {
            return Ok(None);
        }
        let mut moves = Vec::new();
        for role in 0..machine.roles().len() {
            let mut legal = machine.legal(role)?;
            if role == self.role {
                legal.retain(|&id| machine.move_text(role, id) == own);
            }
            if legal.is_empty() {
                return Ok(None);
            }
            moves.push(legal);
        }
        Ok(Some(moves))
    }

    fn keep(
        &mut self,
        machine: &dyn StateMachine,
        state: State,
        weight: f64,
        known: &Known,
        found: &mut Found,
    ) -> Result<(), MachineError> {
        let seen: Vec<Vec<Arc<str>>> = self.observer.percepts(machine, &state)?;
        if seen[self.role].iter().map(|p| &**p).eq(known.percepts.iter().map(String::as_str)) {
            found.add(state, weight);
        }
        Ok(())
    }
}

/// The joint move of this number.
fn joint(moves: &[Vec<MoveId>], mut number: usize) -> Vec<MoveId> {
    let pick = |of_role: &Vec<MoveId>| {
        let id = of_role[number % of_role.len()];
        number /= of_role.len();
        id
    };
    moves.iter().map(pick).collect()
}

/// States in the order in which they are met.
#[derive(Default)]
struct Found {
    states: Weighted,
    numbers: FxHashMap<State, usize>,
}

impl Found {
    fn add(&mut self, state: State, weight: f64) {
        match self.numbers.get(&state) {
            Some(&number) => self.states[number].1 += weight,
            None => {
                self.numbers.insert(state.clone(), self.states.len());
                self.states.push((state, weight));
            }
        }
    }
}

/// At most this number of the states, drawn by their weights, with probabilities that add up to 1.
pub(crate) fn drawn(states: Weighted, most: usize, random: &mut SplitMix64) -> Weighted {
    let sum: f64 = states.iter().map(|(_, weight)| weight).sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    if states.len() <= most {
        return states.into_iter().map(|(state, weight)| (state, weight / sum)).collect();
    }
    // One draw for each of equal parts of the sum.
    let part = sum / most as f64;
    let mut next = part * (f64::from(random.below(1 << 20)) / f64::from(1 << 20));
    let (mut kept, mut passed) = (Vec::with_capacity(most), 0.0);
    for (state, weight) in states {
        passed += weight;
        let mut times = 0_u32;
        while next < passed {
            times += 1;
            next += part;
        }
        if times > 0 {
            kept.push((state, f64::from(times) / most as f64));
        }
    }
    kept
}
