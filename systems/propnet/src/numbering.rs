//! What the numbers of facts and moves mean, and the states that carry them.
//!
//! A [`State`] is a set of numbers; which facts they are, only its numbering knows. Every net has one, and so has every
//! game that the prover answers ([`Numbering`]), shared by all its machines. A state remembers its numbering and shows
//! its numbers to nobody who names another one: [`State::facts_in`] is the only way to them.
//!
//! # Invariants
//! Which number a fact or a move of the prover gets depends on which machine met it first, and so on the threads.
//! Nothing that is shown or played may rest on it: lists of moves are ordered by [`Numbering::sort`], by structure.

use crate::gdl::ast::Symbol;
use crate::machine::MachineError;
use crate::term::{TermId, TermStore};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tells numberings apart; no two of one process are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberingId(u64);

impl NumberingId {
    /// One that no other numbering has.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Default for NumberingId {
    fn default() -> Self {
        Self::new()
    }
}

/// A state of a game: the facts that are true, by their numbers in one numbering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    of: NumberingId,
    facts: FixedBitSet,
}

impl State {
    /// The state in which these facts, numbered so, are true.
    #[must_use]
    pub const fn new(of: NumberingId, facts: FixedBitSet) -> Self {
        Self { of, facts }
    }

    /// The numbers of the true facts, for whoever knows the numbering.
    ///
    /// # Errors
    /// [`MachineError::ForeignState`] if the state is numbered otherwise.
    pub fn facts_in(&self, numbering: NumberingId) -> Result<&FixedBitSet, MachineError> {
        if self.of == numbering { Ok(&self.facts) } else { Err(MachineError::ForeignState) }
    }

    /// About the memory it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.facts.len() / 8
    }

    /// How many facts are true.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facts.count_ones(..)
    }

    /// Whether no fact is true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_clear()
    }
}

/// Most numbers of 4 bytes that the terms of one numbering may take, and so what a game without a net remembers.
pub const MAX_WORDS: usize = 16_000_000;

/// A ground term apart from any store: in preorder the word, then the number of arguments plus one, 0 for a constant.
pub type Shape = Arc<[u32]>;

#[derive(Debug, Default)]
struct Shapes {
    shapes: Vec<Shape>,
    numbers: FxHashMap<Shape, u32>,
    words: usize,
}

impl Shapes {
    fn number(&mut self, shape: &[u32]) -> Result<u32, MachineError> {
        if let Some(&known) = self.numbers.get(shape) {
            return Ok(known);
        }
        self.words += shape.len() + 8;
        if self.words > MAX_WORDS {
            return Err(MachineError::TooManyFacts);
        }
        let number = u32::try_from(self.shapes.len()).expect("MAX_WORDS is below 2^32");
        let shape: Shape = shape.into();
        self.shapes.push(Arc::clone(&shape));
        self.numbers.insert(shape, number);
        Ok(number)
    }
}

/// The facts and moves of one game that the prover answers, numbered as they are met, for all its machines together.
#[derive(Debug, Default)]
pub struct Numbering {
    id: NumberingId,
    facts: Mutex<Shapes>,
    moves: Mutex<Shapes>,
}

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A fact of a state.
    Fact,
    /// A move.
    Move,
}

impl Numbering {
    /// Tells it from others.
    #[must_use]
    pub const fn id(&self) -> NumberingId {
        self.id
    }

    /// The number of a term, given out if it is new.
    ///
    /// # Errors
    /// [`MachineError::TooManyFacts`].
    pub fn number(&self, kind: Kind, shape: &[u32]) -> Result<u32, MachineError> {
        self.shapes(kind).number(shape)
    }

    /// The term of a number; `None` if none has it.
    #[must_use]
    pub fn shape(&self, kind: Kind, number: u32) -> Option<Shape> {
        self.shapes(kind).shapes.get(number as usize).cloned()
    }

    /// Orders moves by what they are, not by who met them first.
    pub fn sort(&self, moves: &mut [u32]) {
        let shapes = &self.shapes(Kind::Move).shapes;
        moves.sort_unstable_by_key(|&m| &shapes[m as usize]);
    }

    fn shapes(&self, kind: Kind) -> MutexGuard<'_, Shapes> {
        let shapes = if kind == Kind::Fact { &self.facts } else { &self.moves };
        // Every change is whole before anything can panic.
        shapes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A store's own numbers of the terms of a numbering: what one machine has met so far.
#[derive(Debug)]
pub struct Translation {
    kind: Kind,
    numbers: FxHashMap<TermId, u32>,
    terms: FxHashMap<u32, TermId>,
    scratch: Vec<u32>,
}

impl Translation {
    /// Nothing met so far.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, numbers: FxHashMap::default(), terms: FxHashMap::default(), scratch: Vec::new() }
    }

    /// The number of a store's term.
    ///
    /// # Errors
    /// [`MachineError::TooManyFacts`].
    pub fn number(&mut self, of: &Numbering, terms: &TermStore, id: TermId) -> Result<u32, MachineError> {
        if let Some(&known) = self.numbers.get(&id) {
            return Ok(known);
        }
        self.scratch.clear();
        write_shape(terms, id, &mut self.scratch);
        let number = of.number(self.kind, &self.scratch)?;
        self.numbers.insert(id, number);
        self.terms.insert(number, id);
        Ok(number)
    }

    /// The store's term of a number, made if the store has it not.
    ///
    /// # Errors
    /// [`MachineError::ForeignState`] for a number that the numbering has not given out.
    pub fn term(
        &mut self,
        of: &Numbering,
        terms: &mut TermStore,
        number: u32,
    ) -> Result<TermId, MachineError> {
        if let Some(&known) = self.terms.get(&number) {
            return Ok(known);
        }
        let shape = of.shape(self.kind, number).ok_or(MachineError::ForeignState)?;
        let id = read_shape(terms, &shape, &mut 0);
        self.numbers.insert(id, number);
        self.terms.insert(number, id);
        Ok(id)
    }
}

fn write_shape(terms: &TermStore, id: TermId, out: &mut Vec<u32>) {
    out.push(terms.name(id).0);
    let Some(args) = terms.args(id) else { return out.push(0) };
    out.push(args.len() as u32 + 1);
    args.iter().for_each(|&arg| write_shape(terms, arg, out));
}

fn read_shape(terms: &mut TermStore, shape: &[u32], at: &mut usize) -> TermId {
    let (name, arity) = (Symbol(shape[*at]), shape[*at + 1]);
    *at += 2;
    match arity.checked_sub(1) {
        None => terms.constant(name),
        Some(arity) => {
            let args: Vec<TermId> = (0..arity).map(|_| read_shape(terms, shape, at)).collect();
            terms.compound(name, &args)
        }
    }
}
