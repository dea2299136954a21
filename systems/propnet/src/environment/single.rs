//! Plays one state at a time with the numbers of an environment, for searches that walk a tree of states.
//!
//! # Steps
//! 1. A state is entered or reached by a move. Only its facts are computed.
//! 2. The first question computes the end of the game, the legal actions of each role and the role on turn.
//!
//! # Invariants
//! Actions, columns, turns and rewards are those of an [`Environment`](super::Environment) of the same game.
//!
//! # Cost
//! A move of a compiled net and one pass over the legal moves of all roles (see [`crate::propagate::compiled`]).

use super::{EnvironmentError, NO_FACT, Plan, Schema, with_turns};
use crate::game::Game;
use crate::net::Bases;
use crate::numbering::NumberingId;
use crate::propagate::{Propagator, by_name};
use std::sync::Arc;

/// What the numbers of actions and columns mean, and which role moves when.
#[derive(Debug)]
pub struct Numbers {
    schema: Schema,
    numbering: NumberingId,
    turns: bool,
    roles: Vec<OfRole>,
    initial: Bases,
}

#[derive(Debug)]
struct OfRole {
    first_input: u32,
    /// Per input its action.
    actions: Vec<u32>,
    /// Per input whether the role waits by it.
    idle: Vec<bool>,
    /// Per goal value the reward.
    rewards: Vec<f32>,
}

impl Numbers {
    /// The numbers of a game.
    ///
    /// # Errors
    /// A game without a net, or with nothing to play.
    pub fn new(game: &Game) -> Result<Self, EnvironmentError> {
        let topology = game.topology.as_ref().map_err(|why| EnvironmentError::NoNet(why.clone()))?;
        let names = &topology.net.names;
        let schema = Schema::new(topology);
        let (plan, turns) = with_turns(Plan::new(topology, &schema), false)?;
        let first = plan.net.input_node(0) as u32;
        let of_role = |(role, rewards): (usize, &Vec<f32>)| {
            let inputs = names.role_start[role]..names.role_start[role + 1];
            let (mut actions, mut idle) = (vec![0; inputs.len()], vec![false; inputs.len()]);
            for input in &plan.inputs[role] {
                let at = (input.node - first) as usize - inputs.start;
                (actions[at], idle[at]) = (input.action, input.idle);
            }
            OfRole { first_input: inputs.start as u32, actions, idle, rewards: rewards.clone() }
        };
        let roles = plan.rewards.iter().enumerate().map(of_role).collect();
        Ok(Self { numbering: topology.numbering, turns, roles, initial: names.initial.clone(), schema })
    }

    /// The names behind the numbers.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The numbering of the facts of states.
    #[must_use]
    pub fn numbering(&self) -> NumberingId {
        self.numbering
    }

    /// Whether no state of some thousand gave two roles a choice.
    #[must_use]
    pub fn takes_turns(&self) -> bool {
        self.turns
    }

    /// Writes an observation: a byte, 0 or 1, for each column.
    pub fn observe(&self, state: &Bases, out: &mut [u8]) {
        let holds = |&fact: &u32| u8::from(fact != NO_FACT && state.contains(fact as usize));
        out.iter_mut().zip(&self.schema.columns).for_each(|(byte, fact)| *byte = holds(fact));
    }
}

/// Why an action could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SingleError {
    /// The game is over.
    #[error("the game is over here")]
    Over,
    /// Two roles have a choice.
    #[error("two roles have a choice here: give an action for each of the {roles} roles")]
    NotTurns {
        /// The number of roles.
        roles: usize,
    },
    /// A joint move with too few or too many actions.
    #[error("a joint move has {wanted} actions, one for each role, not {got}")]
    Length {
        /// The number of roles.
        wanted: usize,
        /// The number given.
        got: usize,
    },
    /// An action that is not legal.
    #[error("action {action} ({text}) is not legal for {role} here; the state has not changed")]
    Illegal {
        /// The action as given.
        action: i64,
        /// The move it stands for.
        text: String,
        /// The role.
        role: String,
    },
}

/// What is known of the current state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Whether the game is over by its rules.
    pub terminal: bool,
    /// Whether it is over by its rules or because a role has no legal move.
    pub over: bool,
    /// The role on turn: the only one with a choice; if none has one, the first that does not wait. `None` where two
    /// roles have a choice.
    pub turn: Option<usize>,
}

/// A walk from state to state.
pub struct Single {
    numbers: Arc<Numbers>,
    propagator: Box<dyn Propagator + Send>,
    /// What is known of the state, once it was asked for.
    outlook: Option<Outlook>,
    /// Per role the legal actions, a bit each.
    legal: Vec<Vec<u64>>,
    /// Per role one of its legal inputs, and their number.
    some: Vec<(u32, usize)>,
    inputs: Vec<u32>,
}

impl Single {
    /// In the initial state, on a compiled net where the net is small enough.
    ///
    /// # Errors
    /// A game without a net.
    pub fn new(game: &Game, numbers: Arc<Numbers>) -> Result<Self, EnvironmentError> {
        let topology = game.topology.as_ref().map_err(|why| EnvironmentError::NoNet(why.clone()))?;
        let propagator = by_name("compiled", topology).expect("it is one of the names");
        let (roles, words) = (numbers.roles.len(), numbers.schema.action_count().div_ceil(64));
        Ok(Self {
            propagator,
            outlook: None,
            legal: vec![vec![0; words]; roles],
            some: vec![(0, 0); roles],
            inputs: vec![0; roles],
            numbers,
        })
    }

    /// The numbers of its game.
    #[must_use]
    pub fn numbers(&self) -> &Arc<Numbers> {
        &self.numbers
    }

    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> &Bases {
        &self.numbers.initial
    }

    /// Goes to a state.
    pub fn enter(&mut self, state: &Bases) {
        self.propagator.enter(state);
        self.outlook = None;
    }

    /// The current state.
    #[must_use]
    pub fn state(&self) -> &Bases {
        self.propagator.state()
    }

    /// The end of the game and the role on turn.
    #[inline]
    pub fn outlook(&mut self) -> Outlook {
        match self.outlook {
            Some(known) => known,
            None => self.look(),
        }
    }

    fn look(&mut self) -> Outlook {
        let terminal = self.propagator.terminal();
        let (mut choosing, mut choices, mut over) = (None, 0, terminal);
        for (role, ((of, bits), some)) in
            self.numbers.roles.iter().zip(&mut self.legal).zip(&mut self.some).enumerate()
        {
            bits.fill(0);
            *some = (0, 0);
            if terminal {
                continue;
            }
            let inputs = self.propagator.legal(role);
            for &input in inputs {
                let action = of.actions[(input - of.first_input) as usize];
                bits[action as usize / 64] |= 1 << (action % 64);
            }
            match inputs {
                [] => over = true,
                [first, rest @ ..] => *some = (*first, 1 + rest.len()),
            }
            if inputs.len() > 1 {
                choices += 1;
                choosing = choosing.or(Some(role));
            }
        }
        let turn = match choices {
            0 => Some(self.first_busy()),
            1 => choosing,
            _ => None,
        };
        if over {
            self.legal.iter_mut().for_each(|bits| bits.fill(0));
        }
        let outlook = Outlook { terminal, over, turn: if over { Some(0) } else { turn } };
        self.outlook = Some(outlook);
        outlook
    }

    /// The first role whose only move is not one of waiting, else the first.
    fn first_busy(&self) -> usize {
        let mut moves = self.numbers.roles.iter().zip(&self.some);
        let busy = |(of, &(input, count)): (&OfRole, &(u32, usize))| {
            count > 0 && !of.idle[(input - of.first_input) as usize]
        };
        moves.position(busy).unwrap_or(0)
    }

    /// The legal actions of a role, a bit each; none where the game is over.
    pub fn legal(&mut self, role: usize) -> &[u64] {
        self.outlook();
        &self.legal[role]
    }

    /// The reward of each role here: the goal value divided by 100, 0 where the rules give none.
    pub fn rewards(&mut self) -> Vec<f32> {
        let propagator = &mut self.propagator;
        let of = |(role, of): (usize, &OfRole)| {
            let value = (0..of.rewards.len()).find(|&value| propagator.goal(role, value));
            value.map_or(0.0, |value| of.rewards[value])
        };
        self.numbers.roles.iter().enumerate().map(of).collect()
    }

    fn input(&self, role: usize, action: i64) -> Result<u32, SingleError> {
        let number = usize::try_from(action).ok();
        let legal = number
            .is_some_and(|n| self.legal[role].get(n / 64).is_some_and(|word| word >> (n % 64) & 1 == 1));
        match number.and_then(|n| *self.numbers.schema.inputs[role].get(n)?) {
            Some(input) if legal => Ok(input),
            _ => Err(self.refuse(role, action)),
        }
    }

    #[cold]
    fn refuse(&self, role: usize, action: i64) -> SingleError {
        let schema = &self.numbers.schema;
        let known = usize::try_from(action).ok().and_then(|n| schema.actions.get(n));
        let text = known.cloned().unwrap_or_else(|| "no move has this number".to_owned());
        SingleError::Illegal { action, text, role: schema.roles[role].clone() }
    }

    /// Goes to the state after an action of the role on turn; the other roles make their only move.
    ///
    /// # Errors
    /// A game that is over, two roles with a choice, an action that is not legal. Then the state is the same.
    #[inline]
    pub fn apply(&mut self, action: i64) -> Result<(), SingleError> {
        let outlook = self.outlook();
        if outlook.over {
            return Err(SingleError::Over);
        }
        let Some(turn) = outlook.turn else {
            return Err(SingleError::NotTurns { roles: self.some.len() });
        };
        let input = self.input(turn, action)?;
        self.inputs.iter_mut().zip(&self.some).for_each(|(to, some)| *to = some.0);
        self.inputs[turn] = input;
        self.go();
        Ok(())
    }

    /// Goes to the state after an action of each role.
    ///
    /// # Errors
    /// A game that is over, a wrong number of actions, an action that is not legal. Then the state is the same.
    pub fn apply_joint(&mut self, actions: &[i64]) -> Result<(), SingleError> {
        if self.outlook().over {
            return Err(SingleError::Over);
        }
        let wanted = self.some.len();
        if actions.len() != wanted {
            return Err(SingleError::Length { wanted, got: actions.len() });
        }
        for (role, &action) in actions.iter().enumerate() {
            self.inputs[role] = self.input(role, action)?;
        }
        self.go();
        Ok(())
    }

    #[inline]
    fn go(&mut self) {
        self.propagator.advance(&self.inputs);
        self.outlook = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{GAMES, load};
    use super::super::{Autoreset, Environment, Screens, Settings};
    use super::*;
    use fixedbitset::FixedBitSet;

    fn bits(words: &[u64], count: usize) -> Vec<u8> {
        (0..count).map(|n| (words[n / 64] >> (n % 64) & 1) as u8).collect()
    }

    fn state_of(games: &mut Environment, single: &Single, lane: usize) -> FixedBitSet {
        games.state(lane).facts_in(single.numbers().numbering()).unwrap().clone()
    }

    #[test]
    fn a_single_state_has_the_numbers_of_an_environment() {
        for (name, text) in GAMES {
            let game = load(text);
            let settings =
                Settings { games: 30, autoreset: Autoreset::Disabled, lasting: true, ..Settings::default() };
            let mut games = Environment::new(&game, &settings).unwrap();
            let mut screens = Screens::new(&games);
            games.reset(None, &mut screens.buffers()).unwrap();
            let mut single = Single::new(&game, Arc::new(Numbers::new(&game).unwrap())).unwrap();
            assert_eq!(single.numbers().schema(), &**games.schema());
            assert_eq!(single.numbers().takes_turns(), games.takes_turns());
            let (groups, roles) = (games.actions_per_game(), games.schema().roles.len());
            let (count, width) = (games.schema().action_count(), games.schema().width());
            let mut actions = vec![0; 30 * groups];
            for step in 0..25 {
                games.sample(&mut actions).unwrap();
                for lane in 0..30 {
                    let context = format!("{name}, step {step}, lane {lane}");
                    let state = state_of(&mut games, &single, lane);
                    single.enter(&state);
                    let outlook = single.outlook();
                    let over = screens.terminated[lane] + screens.truncated[lane] > 0;
                    assert_eq!(outlook.over, over, "{context}");
                    let mut row = vec![9; width];
                    single.numbers().observe(&state, &mut row);
                    assert_eq!(row, screens.observation[lane * width..][..width], "{context}");
                    for group in 0..groups {
                        let role = if groups == 1 { outlook.turn.unwrap() } else { group };
                        let shown = &screens.legal[(lane * groups + group) * count..][..count];
                        assert_eq!(bits(single.legal(role), count), shown, "{context}");
                    }
                    if over {
                        assert_eq!(single.apply(0), Err(SingleError::Over));
                        continue;
                    }
                    if groups == 1 {
                        assert_eq!(outlook.turn, Some(screens.turn[lane] as usize), "{context}");
                    }
                }
                let before: Vec<_> = (0..30).map(|lane| state_of(&mut games, &single, lane)).collect();
                let were_over = (screens.terminated.clone(), screens.truncated.clone());
                games.step(&actions, &mut screens.buffers()).unwrap();
                for lane in (0..30).filter(|&n| were_over.0[n] + were_over.1[n] == 0) {
                    single.enter(&before[lane]);
                    let given: Vec<i64> =
                        actions[lane * groups..][..groups].iter().map(|&a| i64::from(a)).collect();
                    if groups == 1 { single.apply(given[0]) } else { single.apply_joint(&given) }.unwrap();
                    assert_eq!(single.state(), &state_of(&mut games, &single, lane), "{name}, lane {lane}");
                    if screens.terminated[lane] == 1 {
                        assert_eq!(single.rewards(), screens.rewards[lane * roles..][..roles], "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_action_that_is_not_legal_is_told_as_it_was_given() {
        let game = load(GAMES[0].1);
        let mut single = Single::new(&game, Arc::new(Numbers::new(&game).unwrap())).unwrap();
        let start = single.state().clone();
        for action in [-1, 10, 1_000_000_000_000] {
            let text = "no move has this number".to_owned();
            let role = "noughts".to_owned();
            assert_eq!(single.apply(action), Err(SingleError::Illegal { action, text, role }));
        }
        assert_eq!(single.apply_joint(&[0]), Err(SingleError::Length { wanted: 2, got: 1 }));
        assert_eq!(single.state(), &start);
        let standoff = load(GAMES[2].1);
        let mut single = Single::new(&standoff, Arc::new(Numbers::new(&standoff).unwrap())).unwrap();
        assert!(single.outlook().turn.is_none());
        assert!(matches!(single.apply(0), Err(SingleError::NotTurns { .. })));
    }
}
