//! The state machine of a game: roles, initial state, legal moves, successor, end and goals, whatever answers them.
//!
//! [`StateMachine`] is the interface; [`ProverMachine`] answers from the clauses, [`crate::net`] from a network.

use crate::program::Program;
use crate::prover::{Prover, ProverError};
use crate::term::TermId;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// A state: the numbers of the facts that are true. The numbering belongs to the machine.
pub type State = FixedBitSet;

/// The number of a move; the numbering belongs to the machine.
pub type MoveId = u32;

/// Why a machine could not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    /// The prover's limits.
    #[error(transparent)]
    Prover(#[from] ProverError),
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

/// Answers questions about one state at a time: [`enter`](Self::enter) it, then ask.
pub trait StateMachine {
    /// The roles in the order of the rulesheet, in canonical spelling.
    fn roles(&self) -> &[String];

    /// The initial state.
    fn initial(&self) -> State;

    /// Goes to a state; all questions are about the state entered last.
    ///
    /// # Errors
    /// The machine's limits.
    fn enter(&mut self, state: &State) -> Result<(), MachineError>;

    /// Whether the game is over.
    ///
    /// # Errors
    /// The machine's limits.
    fn terminal(&mut self) -> Result<bool, MachineError>;

    /// The legal moves of a role (index as in [`roles`](Self::roles)), ordered by number.
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
    /// The machine's limits; illegal moves are not looked for.
    fn successor(&mut self, moves: &[MoveId]) -> Result<State, MachineError>;

    /// A fact in canonical spelling.
    fn fact_text(&self, fact: usize) -> String;

    /// A move of a role in canonical spelling.
    fn move_text(&self, role: usize, id: MoveId) -> String;

    /// All about the state entered last, as text.
    ///
    /// # Errors
    /// The machine's limits.
    fn describe(&mut self, state: &State) -> Result<Description, MachineError> {
        let terminal = self.terminal()?;
        let mut facts: Vec<String> = state.ones().map(|f| self.fact_text(f)).collect();
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
    prover: Prover,
    role_terms: Vec<TermId>,
    roles: Vec<String>,
    facts: Vec<TermId>,
    numbers: FxHashMap<TermId, usize>,
    initial: State,
}

impl ProverMachine {
    /// A machine for the game.
    ///
    /// # Errors
    /// The prover's limits, while it works out the initial state.
    pub fn new(program: Program) -> Result<Self, MachineError> {
        let role_terms = program.roles();
        let roles = role_terms.iter().map(|&r| program.text(r)).collect();
        let mut prover = Prover::new(program);
        let initial = prover.initial()?;
        let mut machine = Self {
            prover,
            role_terms,
            roles,
            facts: Vec::new(),
            numbers: FxHashMap::default(),
            initial: State::new(),
        };
        machine.initial = machine.state(&initial);
        Ok(machine)
    }

    fn state(&mut self, facts: &[TermId]) -> State {
        let mut state = State::with_capacity(self.facts.len());
        for &fact in facts {
            let number = *self.numbers.entry(fact).or_insert_with(|| {
                self.facts.push(fact);
                self.facts.len() - 1
            });
            state.grow_and_insert(number);
        }
        state
    }
}

impl StateMachine for ProverMachine {
    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn enter(&mut self, state: &State) -> Result<(), MachineError> {
        let facts: Vec<TermId> = state.ones().map(|f| self.facts[f]).collect();
        self.prover.set_state(&facts);
        Ok(())
    }

    fn terminal(&mut self) -> Result<bool, MachineError> {
        Ok(self.prover.terminal()?)
    }

    fn legal(&mut self, role: usize) -> Result<Vec<MoveId>, MachineError> {
        Ok(self.prover.legal(self.role_terms[role])?.into_iter().map(|t| t.0).collect())
    }

    fn goals(&mut self, role: usize) -> Result<Vec<String>, MachineError> {
        let ids = self.prover.goals(self.role_terms[role])?;
        let mut texts: Vec<String> = ids.into_iter().map(|id| self.prover.program.text(id)).collect();
        texts.sort_unstable();
        Ok(texts)
    }

    fn successor(&mut self, moves: &[MoveId]) -> Result<State, MachineError> {
        let moves: Vec<TermId> = moves.iter().map(|&m| TermId(m)).collect();
        self.prover.set_moves(&moves);
        let facts = self.prover.successor()?;
        Ok(self.state(&facts))
    }

    fn fact_text(&self, fact: usize) -> String {
        self.prover.program.text(self.facts[fact])
    }

    fn move_text(&self, _role: usize, id: MoveId) -> String {
        self.prover.program.text(TermId(id))
    }
}
