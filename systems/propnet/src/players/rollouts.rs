//! The value of states by random playouts: bit-parallel if the game has a net, else one by one with the prover.

use super::MAX_PLAYOUT;
use crate::game::{Game, GameError};
use crate::machine::{MachineError, MoveId, ProverMachine, State, StateMachine};
use crate::net::Bases;
use crate::numbering::{NumberingError, NumberingId};
use crate::propagate::Topology;
use crate::propagate::amaf::MoveSums;
use crate::propagate::lanes::Lanes;
use crate::propagate::one_game::{Course, OneGame};
use crate::propagate::one_game_choice;
use std::borrow::Borrow;
use std::sync::Arc;
use tengen_core::{SplitMix64, Stop};

/// The number of states that are played out together.
///
/// Origin: own choice, unmeasured.
pub const STATES: usize = 8;

/// The goal of a game that says nothing.
///
/// Origin: definition, the middle of 0 and 100.
const EVEN: f64 = 50.0;

/// A playout player; one for each thread.
pub struct Rollouts {
    way: Way,
    roles: usize,
}

enum Way {
    Lanes(Arc<Topology>, Box<Lanes<STATES>>),
    Prover(Box<ProverMachine>),
}

impl Rollouts {
    /// For a game.
    ///
    /// # Errors
    /// The machine's limits.
    pub fn new(game: &Game, seed: u64) -> Result<Self, GameError> {
        let way = match (&game.playout_nets, &game.topology) {
            (Some(nets), Ok(net)) => Way::Lanes(Arc::clone(net), Box::new(Lanes::new(nets, seed))),
            _ => Way::Prover(Box::new(game.prover()?)),
        };
        Ok(Self { way, roles: game.program.roles().len() })
    }

    /// Sets the question that long playouts ask. A stopped playout gives no result.
    pub fn set_stop(&mut self, stop: Stop) {
        if let Way::Prover(machine) = &mut self.way {
            machine.set_stop(stop);
        }
    }

    /// The same as [`values`](Self::values), and for each state the sums of the moves that were made: by the number of
    /// the move how often, and the sum of its role's goals. The prover tells no sums.
    ///
    /// # Errors
    /// As for [`values`](Self::values).
    pub fn values_and_moves(
        &mut self,
        states: &[impl Borrow<State>],
        seed: u64,
    ) -> Result<(Vec<Vec<f64>>, Vec<MoveSums>), MachineError> {
        let Way::Lanes(net, lanes) = &mut self.way else {
            return Ok((self.values(states, seed)?, Vec::new()));
        };
        let states = facts_of(states, net.numbering)?;
        lanes.reseed(seed);
        let (sums, moves) = lanes.batch_with_moves(&net.net, &states, MAX_PLAYOUT);
        Ok((means(&sums), moves))
    }

    /// For each state and role the mean goal, 0 to 100, of random playouts. With a net there are 64 for each of up to
    /// [`STATES`] states, with the prover one. The result depends on the seed and the states alone.
    ///
    /// # Errors
    /// States of another numbering; those of the game's `auto` machines are accepted.
    pub fn values(
        &mut self,
        states: &[impl Borrow<State>],
        seed: u64,
    ) -> Result<Vec<Vec<f64>>, MachineError> {
        match &mut self.way {
            Way::Lanes(net, lanes) => {
                let states = facts_of(states, net.numbering)?;
                lanes.reseed(seed);
                Ok(means(&lanes.batch(&states, MAX_PLAYOUT)))
            }
            Way::Prover(machine) => {
                let numbering = machine.numbering();
                states.iter().try_for_each(|s| s.borrow().facts_in(numbering).map(drop))?;
                let mut rng = SplitMix64::new(seed);
                let unknown = vec![EVEN; self.roles];
                let play = |state| one(machine.as_mut(), state, &mut rng).unwrap_or_else(|| unknown.clone());
                Ok(states.iter().map(Borrow::borrow).map(play).collect())
            }
        }
    }
}

/// The mean goals of each state and role. A game broken off tells nothing.
fn means(sums: &[Vec<(u64, u64)>]) -> Vec<Vec<f64>> {
    let mean = |&(sum, games): &(u64, u64)| if games == 0 { EVEN } else { sum as f64 / games as f64 };
    sums.iter().map(|state| state.iter().map(mean).collect()).collect()
}

fn facts_of(states: &[impl Borrow<State>], numbering: NumberingId) -> Result<Vec<&Bases>, NumberingError> {
    states.iter().map(|s| s.borrow().facts_in(numbering)).collect()
}

/// One playout; `None` if it does not end.
fn one(machine: &mut dyn StateMachine, state: &State, rng: &mut SplitMix64) -> Option<Vec<f64>> {
    let mut state = state.clone();
    for _ in 0..MAX_PLAYOUT {
        machine.enter(&state).ok()?;
        if machine.terminal().ok()? {
            return (0..machine.roles().len()).map(|role| goal(machine, role)).collect();
        }
        let mut joint = Vec::new();
        for role in 0..machine.roles().len() {
            let legal = machine.legal(role).ok()?;
            joint.push(*legal.get(rng.below(legal.len().max(1) as u32) as usize)?);
        }
        state = machine.successor(&joint).ok()?;
    }
    None
}

/// The goal of a role in the state entered. It is 0 if the rules give none, and the first if they give several.
pub(super) fn goal(machine: &mut dyn StateMachine, role: usize) -> Option<f64> {
    let values = machine.goals(role).ok()?;
    Some(values.first().and_then(|v| v.parse().ok()).unwrap_or(0.0))
}

/// Random games of a net, one at a time.
pub(super) struct SingleGames {
    game: Box<dyn OneGame>,
    goals: Vec<Vec<f64>>,
    numbering: NumberingId,
}

/// One game of [`SingleGames`].
#[derive(Clone, Debug, Default)]
pub(super) struct SingleGame {
    /// The goals, role by role.
    pub(super) goals: Vec<f64>,
    /// The random joint moves, one after the other.
    pub(super) made: Vec<MoveId>,
    /// The state, if it was over before a random move.
    pub(super) over: Option<State>,
}

impl SingleGames {
    /// For a game.
    ///
    /// # Errors
    /// The game has no net.
    pub(super) fn new(game: &Game) -> Result<Self, GameError> {
        let net = game.topology.as_ref().map_err(|why| GameError::NoNet(why.clone()))?;
        let nets = game.playout_nets.as_ref().expect("a game with a net has nets for playouts");
        let goals = net.net.names.goal_values.iter();
        let goals = goals.map(|values| values.iter().map(|v| v.parse().unwrap_or(0.0)).collect()).collect();
        Ok(Self { game: one_game_choice::of(nets), goals, numbering: net.numbering })
    }

    /// Plays a game from a state, after a joint move if one is given. A game broken off tells nothing.
    ///
    /// # Errors
    /// A state of another numbering.
    pub(super) fn play(
        &mut self,
        from: &State,
        first: Option<&[MoveId]>,
        random: &mut SplitMix64,
        into: &mut SingleGame,
    ) -> Result<(), MachineError> {
        let SingleGame { goals, made, over } = into;
        goals.clear();
        made.clear();
        *over = None;
        let from = from.facts_in(self.numbering)?;
        match self.game.play(from, first, MAX_PLAYOUT, random, made) {
            Course::Broken => goals.resize(self.goals.len(), EVEN),
            Course::Ended(moves) => {
                for (role, values) in self.goals.iter().enumerate() {
                    let held = (0..values.len()).find(|&value| self.game.has_goal(role, value));
                    goals.push(held.map_or(0.0, |value| values[value]));
                }
                if moves == 0 {
                    *over = Some(State::new(self.numbering, self.game.end().clone()));
                }
            }
        }
        Ok(())
    }
}
