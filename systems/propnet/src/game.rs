//! A loaded game, which answers questions about states and serves searches and players. It is the main entry point of
//! this crate.
//!
//! ```
//! use tengen_propnet::game::{Game, LoadLimits};
//!
//! let text = "(role you) (init (left 2)) (<= (legal you take) (true (left ?n)))
//!     (<= (next (left ?m)) (true (left ?n)) (does you take) (succ ?m ?n)) (succ 0 1) (succ 1 2)
//!     (<= terminal (true (left 0))) (goal you 100)";
//! let game = Game::load(text, LoadLimits::default(), &mut || false)?;
//! let mut machine = game.machine("differential")?;
//! let state = machine.initial();
//! machine.enter(&state)?;
//! assert_eq!(machine.describe(&state)?.legal, [["take"]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::ground::{GroundError, Grounding, Limits};
use crate::machine::{MachineError, MoveId, ProverMachine, State, StateMachine};
use crate::net::build::BuildError;
use crate::net::{Bases, Net, Size, passes};
use crate::numbering::{Kind, Numbering, NumberingError, NumberingId};
use crate::program::{Program, ProgramError};
use crate::propagate::player::Player;
use crate::propagate::playout_nets::PlayoutNets;
use crate::propagate::{Propagator, Topology};
use crate::prover::ProverError;
use std::sync::Arc;
use tengen_core::Stop;

/// The limits of loading a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadLimits {
    /// Limits of the grounding.
    pub ground: Limits,
}

/// Why a game has no net. The prover then answers the questions about the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoNet {
    /// It does not ground.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// Its net was not built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Why a question about a game could not be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No propagator of this name.
    #[error("there is no propagator `{name}`; there are {}, prover", crate::propagate::added::names().join(", "))]
    UnknownPropagator {
        /// The name asked for.
        name: String,
    },
    /// The game has no net.
    #[error("the game has no net: {0}")]
    NoNet(NoNet),
    /// A role without a legal move was asked to move.
    #[error("role {role} (counted from 0) has no legal move")]
    NoMove {
        /// The role.
        role: usize,
    },
    /// The machine's limits.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

impl From<NumberingError> for GameError {
    fn from(error: NumberingError) -> Self {
        Self::Machine(error.into())
    }
}

impl GameError {
    /// Whether it only says that the caller stopped the work.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        matches!(self, Self::Machine(MachineError::Prover(ProverError::Stopped)))
    }
}

/// A game: its clauses, and its net if it has one.
#[derive(Clone, Debug)]
pub struct Game {
    /// The clauses.
    pub program: Arc<Program>,
    /// The net in its flat form, or the reason why there is none.
    pub topology: Result<Arc<Topology>, NoNet>,
    /// The nets for playouts; there exactly when there is a net.
    pub playout_nets: Option<PlayoutNets>,
    /// The numbers of facts and moves that all prover machines of this game share.
    numbering: Arc<Numbering>,
    /// The size of the net after each pass.
    pub sizes: Vec<(&'static str, Size)>,
}

impl Game {
    /// Reads a rulesheet, grounds it and builds its net. If grounding or building exceeds the limits, the game has no
    /// net. `stop` is asked regularly whether to give up on the net.
    ///
    /// # Errors
    /// All faults of the rulesheet.
    pub fn load(
        text: &str,
        limits: LoadLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Self, ProgramError> {
        Ok(Self::from_program(Program::read(text)?, limits, stop))
    }

    /// The same for a rulesheet that is already read.
    #[must_use]
    pub fn from_program(program: Program, limits: LoadLimits, stop: &mut dyn FnMut() -> bool) -> Self {
        let mut sizes = Vec::new();
        let net = net_of(program.clone(), limits, stop, &mut sizes);
        let playout_nets = net.as_ref().ok().map(PlayoutNets::new);
        let topology = net.map(|net| Arc::new(Topology::with_guards(passes::guarded(&net))));
        Self { program: Arc::new(program), topology, playout_nets, numbering: Arc::default(), sizes }
    }

    /// The same game, answered by the prover alone.
    #[must_use]
    pub fn without_net(program: Program, why: NoNet) -> Self {
        let program = Arc::new(program);
        Self { program, topology: Err(why), playout_nets: None, numbering: Arc::default(), sizes: Vec::new() }
    }

    /// A machine for the game: by a propagator's name, `prover`, or `auto` (the fastest available).
    ///
    /// # Errors
    /// No such propagator; no net; the prover's limits.
    pub fn machine(&self, propagator: &str) -> Result<Box<dyn StateMachine + Send>, GameError> {
        let name = match (propagator, &self.topology) {
            ("auto" | "hybrid", Ok(_)) => "differential",
            ("auto" | "hybrid", Err(_)) => "prover",
            (name, _) => name,
        };
        if name == "prover" {
            return Ok(Box::new(self.prover()?));
        }
        let unknown = || GameError::UnknownPropagator { name: name.to_owned() };
        let topology = self.topology.as_ref().map_err(|why| GameError::NoNet(why.clone()))?;
        let propagator = crate::propagate::by_name(name, topology).ok_or_else(unknown)?;
        Ok(Box::new(NetMachine::new(Arc::clone(topology), propagator)))
    }

    /// A machine that asks the prover. It understands the states of this game's other prover machines, not those of the
    /// net.
    ///
    /// # Errors
    /// The prover's limits.
    pub fn prover(&self) -> Result<ProverMachine, MachineError> {
        ProverMachine::sharing(Arc::clone(&self.program), Arc::clone(&self.numbering), Stop::NEVER)
    }

    /// A state of this game's machines as bytes that another process understands; see
    /// [`state_from_bytes`](Self::state_from_bytes). A state of a net is a bit for each base, one of the prover the
    /// words of its facts. `None` for a state of another game.
    #[must_use]
    pub fn state_to_bytes(&self, state: &State) -> Option<Vec<u8>> {
        if let Ok(topology) = &self.topology
            && let Ok(facts) = state.facts_in(topology.numbering)
        {
            let bits = topology.net.bases().div_ceil(8);
            let words = facts.as_slice().iter().flat_map(|word| word.to_le_bytes());
            return Some([b'n'].into_iter().chain(words.take(bits)).collect());
        }
        let facts = state.facts_in(self.numbering.id()).ok()?;
        let shapes: Option<Vec<_>> =
            facts.ones().map(|f| self.numbering.shape(Kind::Fact, f as u32)).collect();
        let mut shapes = shapes?;
        shapes.sort_unstable();
        let words =
            shapes.iter().flat_map(|shape| [shape.len() as u32].into_iter().chain(shape.iter().copied()));
        Some([b'p'].into_iter().chain(words.flat_map(u32::to_le_bytes)).collect())
    }

    /// The state that [`state_to_bytes`](Self::state_to_bytes) wrote for a game of the same rulesheet; `None` for other
    /// bytes.
    #[must_use]
    pub fn state_from_bytes(&self, bytes: &[u8]) -> Option<State> {
        let (kind, rest) = bytes.split_first()?;
        if *kind == b'n' {
            let topology = self.topology.as_ref().ok()?;
            let bases = topology.net.bases();
            let mut facts = Bases::with_capacity(bases);
            let ones = (0..8 * rest.len()).filter(|bit| rest[bit / 8] >> (bit % 8) & 1 == 1);
            let fits = rest.len() == bases.div_ceil(8) && ones.clone().all(|bit| bit < bases);
            ones.take(if fits { bases } else { 0 }).for_each(|bit| facts.insert(bit));
            return fits.then(|| State::new(topology.numbering, facts));
        }
        let (words, []) = rest.as_chunks::<4>() else { return None };
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut facts = Bases::new();
        let mut rest = &words[..];
        while let [length, after @ ..] = rest {
            let (shape, next) = after.split_at_checked(*length as usize)?;
            if !self.program.is_shape(shape) {
                return None;
            }
            facts.grow_and_insert(self.numbering.number(Kind::Fact, shape).ok()? as usize);
            rest = next;
        }
        let mut trimmed = Bases::with_capacity(facts.maximum().map_or(0, |most| most + 1));
        trimmed.extend(facts.ones());
        (*kind == b'p').then(|| State::new(self.numbering.id(), trimmed))
    }

    /// Random playouts by a name of [`crate::propagate::playout::NAMES`].
    ///
    /// # Errors
    /// No such name; no net.
    pub fn playouts(&self, way: &str, seed: u64) -> Result<Box<dyn Player + Send>, GameError> {
        match (&self.playout_nets, &self.topology) {
            (Some(nets), _) => crate::propagate::playout::by_name(way, nets, seed)
                .ok_or_else(|| GameError::UnknownPropagator { name: way.to_owned() }),
            (None, Err(why)) => Err(GameError::NoNet(why.clone())),
            (None, Ok(_)) => unreachable!("a game with a net has nets for playouts"),
        }
    }
}

fn net_of(
    program: Program,
    limits: LoadLimits,
    stop: &mut dyn FnMut() -> bool,
    sizes: &mut Vec<(&'static str, Size)>,
) -> Result<Net, NoNet> {
    let grounding = Grounding::new(program, limits.ground, stop)?;
    let net = crate::net::build::build(&grounding, stop)?;
    drop(grounding);
    let net = passes::run_all(net, |name, size| sizes.push((name, size)), stop);
    // The nets for playouts are still to be made.
    Ok(net.filter(|_| !stop()).ok_or(BuildError::Stopped)?)
}

/// The state machine that asks a propagator. A fact's number is that of its base, a move's that of its input.
pub struct NetMachine {
    topology: Arc<Topology>,
    propagator: Box<dyn Propagator + Send>,
}

impl NetMachine {
    /// A machine on this propagator, which must be of this topology.
    #[must_use]
    pub fn new(topology: Arc<Topology>, propagator: Box<dyn Propagator + Send>) -> Self {
        Self { topology, propagator }
    }
}

impl StateMachine for NetMachine {
    fn roles(&self) -> &[String] {
        &self.topology.net.names.roles
    }

    fn numbering(&self) -> NumberingId {
        self.topology.numbering
    }

    fn initial(&self) -> State {
        State::new(self.topology.numbering, self.topology.net.names.initial.clone())
    }

    fn enter(&mut self, state: &State) -> Result<(), MachineError> {
        self.propagator.enter(state.facts_in(self.topology.numbering)?);
        Ok(())
    }

    fn terminal(&mut self) -> Result<bool, MachineError> {
        Ok(self.propagator.terminal())
    }

    fn legal(&mut self, role: usize) -> Result<Vec<MoveId>, MachineError> {
        let mut legal = self.propagator.legal(role).to_vec();
        legal.sort_unstable();
        Ok(legal)
    }

    fn goals(&mut self, role: usize) -> Result<Vec<String>, MachineError> {
        let values = &self.topology.net.names.goal_values[role];
        let mut found: Vec<String> =
            (0..values.len()).filter(|&v| self.propagator.goal(role, v)).map(|v| values[v].clone()).collect();
        found.sort_unstable();
        Ok(found)
    }

    fn successor(&mut self, moves: &[MoveId]) -> Result<State, MachineError> {
        let roles = self.roles().len();
        if moves.len() != roles {
            return Err(MachineError::JointMove { wanted: roles, got: moves.len() });
        }
        Ok(State::new(self.topology.numbering, self.propagator.successor(moves).clone()))
    }

    fn fact_text(&self, fact: usize) -> String {
        self.topology.net.names.bases[fact].clone()
    }

    fn move_text(&self, _role: usize, id: MoveId) -> String {
        self.topology.net.names.moves[id as usize].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_out_of_time_gets_a_game_without_a_net_whenever_that_is() {
        let text = include_str!("../../../resources/gdl/noughts.kif");
        let mut asked = 0;
        let game = Game::load(text, LoadLimits::default(), &mut || {
            asked += 1;
            false
        });
        assert!(game.unwrap().topology.is_ok());
        assert!(asked > passes::PASSES.len(), "{asked}");
        for patience in 0..asked {
            let mut left = patience;
            let game = Game::load(text, LoadLimits::default(), &mut || {
                let stop = left == 0;
                left -= usize::from(!stop);
                stop
            });
            let game = game.unwrap();
            assert!(game.topology.is_err() && game.playout_nets.is_none(), "{patience}");
            assert!(game.machine("auto").is_ok(), "the prover plays");
        }
    }
}
