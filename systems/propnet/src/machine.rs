//! The state machine of a game: its roles, the initial state, legal moves, successor states, the end of the game and
//! goals.
//!
//! [`StateMachine`] is the interface. [`ProverMachine`] answers from the clauses, and [`crate::game::NetMachine`]
//! answers from a net.

pub use crate::numbering::State;
use crate::numbering::{Kind, Numbering, NumberingError, NumberingId, Translation};
use crate::program::Program;
use crate::prover::{Prover, ProverError};
use crate::term::TermId;
use fixedbitset::FixedBitSet;
use std::sync::Arc;
use tengen_core::Stop;

/// The number of a move: the same for all machines of a game that use its net, and for all that use the prover.
pub type MoveId = u32;

/// Why a machine could not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// The prover's limits.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// A state of another numbering, or too many facts.
    #[error(transparent)]
    Numbering(#[from] NumberingError),
    /// A joint move has one move per role.
    #[error("a joint move has {wanted} moves, one per role, not {got}")]
    JointMove {
        /// Roles of the game.
        wanted: usize,
        /// Moves given.
        got: usize,
    },
    /// A move that is not legal.
    #[error("`{move_text}` is not a legal move of {role} here")]
    Illegal {
        /// The role.
        role: String,
        /// The move as written.
        move_text: String,
    },
}

/// Answers questions about one state at a time. The caller first [enters](Self::enter) the state and then asks.
pub trait StateMachine {
    /// The roles in the order of the rulesheet, in canonical spelling.
    fn roles(&self) -> &[String];

    /// The meaning of the numbers in its states.
    fn numbering(&self) -> NumberingId;

    /// Sets the question that long work asks from now on: it ends in an error once the answer is yes. Nets do no long
    /// work.
    fn set_stop(&mut self, _: Stop) {}

    /// The initial state.
    fn initial(&self) -> State;

    /// Goes to a state; all questions are about the state entered last.
    ///
    /// # Errors
    /// A state of another numbering; the machine's limits.
    fn enter(&mut self, state: &State) -> Result<(), MachineError>;

    /// Whether the game is over.
    ///
    /// # Errors
    /// The machine's limits.
    fn terminal(&mut self) -> Result<bool, MachineError>;

    /// The legal moves of a role (index as in [`roles`](Self::roles)), in an order that depends on the game alone.
    ///
    /// # Errors
    /// The machine's limits.
    fn legal(&mut self, role: usize) -> Result<Vec<MoveId>, MachineError>;

    /// All goal values the rules derive for a role, in canonical spelling, sorted as text.
    ///
    /// # Errors
    /// The machine's limits.
    fn goals(&mut self, role: usize) -> Result<Vec<String>, MachineError>;

    /// The state after a joint move, one move per role; the machine stays where it is.
    ///
    /// # Errors
    /// The machine's limits. The machine does not check that the moves are legal.
    fn successor(&mut self, moves: &[MoveId]) -> Result<State, MachineError>;

    /// A fact in canonical spelling.
    fn fact_text(&self, fact: usize) -> String;

    /// A move of a role in canonical spelling.
    fn move_text(&self, role: usize, id: MoveId) -> String;

    /// A description of the state entered last, as text.
    ///
    /// # Errors
    /// The machine's limits.
    fn describe(&mut self, state: &State) -> Result<Description, MachineError> {
        let terminal = self.terminal()?;
        let facts = state.facts_in(self.numbering())?;
        let mut facts: Vec<String> = facts.ones().map(|f| self.fact_text(f)).collect();
        facts.sort_unstable();
        let mut legal = Vec::new();
        let mut goals = Vec::new();
        for role in 0..self.roles().len() {
            let ids = if terminal { Vec::new() } else { self.legal(role)? };
            let mut texts: Vec<String> = ids.into_iter().map(|id| self.move_text(role, id)).collect();
            texts.sort_unstable();
            legal.push(texts);
            goals.push(self.goals(role)?);
        }
        Ok(Description { terminal, facts, legal, goals })
    }

    /// The joint move written as texts, each checked to be legal here. Spacing and case do not matter.
    ///
    /// # Errors
    /// [`MachineError::JointMove`], [`MachineError::Illegal`], and the machine's limits.
    fn joint_move(&mut self, texts: &[String]) -> Result<Vec<MoveId>, MachineError> {
        let wanted = self.roles().len();
        if texts.len() != wanted {
            return Err(MachineError::JointMove { wanted, got: texts.len() });
        }
        let mut moves = Vec::with_capacity(wanted);
        for (role, text) in texts.iter().enumerate() {
            let canonical = canonical(text);
            let found = self.legal(role)?.into_iter().find(|&id| self.move_text(role, id) == canonical);
            match found {
                Some(id) => moves.push(id),
                None => {
                    let role = self.roles()[role].clone();
                    let move_text = text.chars().take(200).collect();
                    return Err(MachineError::Illegal { role, move_text });
                }
            }
        }
        Ok(moves)
    }
}

/// A term with single blanks and in lower case: `( mark 1  2 )` becomes `(mark 1 2)`.
#[must_use]
pub fn canonical(text: &str) -> String {
    let spaced = text.to_ascii_lowercase().replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

/// A state as text, every list sorted by bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Whether the game is over.
    pub terminal: bool,
    /// The true facts.
    pub facts: Vec<String>,
    /// The legal moves, a list per role; empty lists in a terminal state.
    pub legal: Vec<Vec<String>>,
    /// The goal values the rules derive, a list per role; usually one value each.
    pub goals: Vec<Vec<String>>,
}

/// The state machine that asks the prover.
#[derive(Debug)]
pub struct ProverMachine {
    program: Arc<Program>,
    numbering: Arc<Numbering>,
    roles: Vec<String>,
    role_terms: Vec<TermId>,
    initial: State,
    prover: Prover,
    facts: Translation,
    moves: Translation,
}

/// The number of terms that a machine's prover may add to those of the program before it starts again.
const MAX_TERMS: usize = 1_000_000;

impl ProverMachine {
    /// A machine for the game, with a numbering of its own.
    ///
    /// # Errors
    /// The prover's limits, while it works out the initial state.
    pub fn new(program: Program) -> Result<Self, MachineError> {
        Self::sharing(Arc::new(program), Arc::default(), Stop::NEVER)
    }

    /// A machine whose states and moves all machines with the same numbering understand; it must be of this program.
    ///
    /// # Errors
    /// The prover's limits, while it works out the initial state.
    pub fn sharing(
        program: Arc<Program>,
        numbering: Arc<Numbering>,
        stop: Stop,
    ) -> Result<Self, MachineError> {
        let role_terms = program.roles();
        let mut machine = Self {
            roles: role_terms.iter().map(|&r| program.text(r)).collect(),
            role_terms,
            initial: State::new(numbering.id(), FixedBitSet::new()),
            prover: Prover::new((*program).clone()),
            facts: Translation::new(Kind::Fact),
            moves: Translation::new(Kind::Move),
            program,
            numbering,
        };
        machine.prover.set_stop(stop);
        let initial = machine.prover.initial()?;
        machine.initial = machine.state(&initial)?;
        Ok(machine)
    }

    fn state(&mut self, facts: &[TermId]) -> Result<State, MachineError> {
        let mut numbers = FixedBitSet::new();
        for &fact in facts {
            numbers.grow_and_insert(
                self.facts.number(&self.numbering, &self.prover.program.terms, fact)? as usize
            );
        }
        // The same facts in another order of meeting are the same state.
        let length = numbers.maximum().map_or(0, |most| most + 1);
        let mut trimmed = FixedBitSet::with_capacity(length);
        trimmed.extend(numbers.ones());
        Ok(State::new(self.numbering.id(), trimmed))
    }

    /// Drops the terms met on the way once there are many. The prover makes a dropped term again when it needs it.
    fn bound_memory(&mut self) {
        if self.prover.program.terms.len() > self.program.terms.len() + MAX_TERMS {
            let stop = self.prover.stop().clone();
            self.prover = Prover::new((*self.program).clone());
            self.prover.set_stop(stop);
            self.facts = Translation::new(Kind::Fact);
            self.moves = Translation::new(Kind::Move);
        }
    }

    fn text(&self, kind: Kind, number: u32) -> String {
        let Some(shape) = self.numbering.shape(kind, number) else { return "(unknown)".into() };
        self.program.shape_text(&shape)
    }
}

impl StateMachine for ProverMachine {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn numbering(&self) -> NumberingId {
        self.numbering.id()
    }

    fn set_stop(&mut self, stop: Stop) {
        self.prover.set_stop(stop);
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn enter(&mut self, state: &State) -> Result<(), MachineError> {
        let numbers = state.facts_in(self.numbering.id())?;
        self.bound_memory();
        let mut facts = Vec::with_capacity(numbers.count_ones(..));
        for number in numbers.ones() {
            let terms = &mut self.prover.program.terms;
            facts.push(self.facts.term(&self.numbering, terms, number as u32)?);
        }
        self.prover.set_state(&facts);
        Ok(())
    }

    fn terminal(&mut self) -> Result<bool, MachineError> {
        Ok(self.prover.terminal()?)
    }

    fn legal(&mut self, role: usize) -> Result<Vec<MoveId>, MachineError> {
        let mut legal = Vec::new();
        for term in self.prover.legal(self.role_terms[role])? {
            legal.push(self.moves.number(&self.numbering, &self.prover.program.terms, term)?);
        }
        self.numbering.sort(&mut legal);
        Ok(legal)
    }

    fn goals(&mut self, role: usize) -> Result<Vec<String>, MachineError> {
        let ids = self.prover.goals(self.role_terms[role])?;
        let mut texts: Vec<String> = ids.into_iter().map(|id| self.prover.program.text(id)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    fn successor(&mut self, moves: &[MoveId]) -> Result<State, MachineError> {
        let wanted = self.roles.len();
        if moves.len() != wanted {
            return Err(MachineError::JointMove { wanted, got: moves.len() });
        }
        let mut terms = Vec::with_capacity(wanted);
        for &m in moves {
            terms.push(self.moves.term(&self.numbering, &mut self.prover.program.terms, m)?);
        }
        self.prover.set_moves(&terms);
        let facts = self.prover.successor()?;
        self.state(&facts)
    }

    fn fact_text(&self, fact: usize) -> String {
        self.text(Kind::Fact, fact as u32)
    }

    fn move_text(&self, _role: usize, id: MoveId) -> String {
        self.text(Kind::Move, id)
    }
}
