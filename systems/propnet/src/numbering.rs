//! The meaning of the numbers of facts and moves, and the states that carry them.
//!
//! A [`State`] is a set of numbers, and its numbering gives the fact behind each number. Every net has a numbering. A
//! game that the prover answers has one too ([`Numbering`]), which all its machines share. A state keeps a reference to
//! its numbering. [`State::facts_in`] shows the numbers only to a caller that names the same numbering.
//!
//! # Invariants
//! The prover numbers a fact or a move when a machine first meets it, so the number depends on the timing of threads.
//! No output and no choice of a move may depend on the number. [`Numbering::sort`] orders lists of moves by structure.

use crate::gdl::ast::Symbol;
use crate::term::{TermId, TermStore};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The identity of a numbering; no two numberings of a process are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberingId(u64);

impl NumberingId {
    /// A new identity.
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

/// Why a numbering could not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberingError {
    /// The state is numbered by another game, or the prover's was given to the net.
    #[error("the state belongs to another machine's numbering")]
    ForeignState,
    /// More different facts or moves than [`MAX_WORDS`] hold.
    #[error("the game has more different facts than are kept in mind")]
    TooManyFacts,
}

/// A state of a game: the facts that are true, by their numbers in one numbering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    of: NumberingId,
    facts: FixedBitSet,
}

impl State {
    /// The state in which exactly the facts with these numbers are true.
    #[must_use]
    pub const fn new(of: NumberingId, facts: FixedBitSet) -> Self {
        Self { of, facts }
    }

    /// The numbers of the true facts, for a caller that names the numbering.
    ///
    /// # Errors
    /// [`NumberingError::ForeignState`] if the state has another numbering.
    pub fn facts_in(&self, numbering: NumberingId) -> Result<&FixedBitSet, NumberingError> {
        if self.of == numbering { Ok(&self.facts) } else { Err(NumberingError::ForeignState) }
    }

    /// The approximate memory of the state.
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

/// The most numbers of 4 bytes for the terms of one numbering. This bounds the memory of a game without a net.
pub const MAX_WORDS: usize = 16_000_000;

/// A ground term outside any store, in preorder: the word, then the number of arguments plus one, 0 for a constant.
pub type Shape = Arc<[u32]>;

#[derive(Debug, Default)]
struct Shapes {
    shapes: Vec<Shape>,
    numbers: FxHashMap<Shape, u32>,
    words: usize,
}

impl Shapes {
    fn number(&mut self, shape: &[u32]) -> Result<u32, NumberingError> {
        if let Some(&known) = self.numbers.get(shape) {
            return Ok(known);
        }
        self.words += shape.len() + 8;
        if self.words > MAX_WORDS {
            return Err(NumberingError::TooManyFacts);
        }
        let number = u32::try_from(self.shapes.len()).expect("MAX_WORDS is below 2^32");
        let shape: Shape = shape.into();
        self.shapes.push(Arc::clone(&shape));
        self.numbers.insert(shape, number);
        Ok(number)
    }
}

/// The facts and moves of one game that the prover answers, for all its machines together. A machine numbers them when
/// it first meets them.
#[derive(Debug, Default)]
pub struct Numbering {
    id: NumberingId,
    facts: Mutex<Shapes>,
    moves: Mutex<Shapes>,
}

/// The kind of thing behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A fact of a state.
    Fact,
    /// A move.
    Move,
}

impl Numbering {
    /// The identity of the numbering.
    #[must_use]
    pub const fn id(&self) -> NumberingId {
        self.id
    }

    /// The number of a term; a new term gets the next number.
    ///
    /// # Errors
    /// [`NumberingError::TooManyFacts`].
    pub fn number(&self, kind: Kind, shape: &[u32]) -> Result<u32, NumberingError> {
        self.shapes(kind).number(shape)
    }

    /// The term of a number; `None` if no term has it.
    #[must_use]
    pub fn shape(&self, kind: Kind, number: u32) -> Option<Shape> {
        self.shapes(kind).shapes.get(number as usize).cloned()
    }

    /// Orders moves by structure, not by the order of their numbers.
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

/// The map between a store's own numbers and those of a numbering, for the terms that one machine has met.
#[derive(Debug)]
pub struct Translation {
    kind: Kind,
    numbers: FxHashMap<TermId, u32>,
    terms: FxHashMap<u32, TermId>,
    scratch: Vec<u32>,
}

impl Translation {
    /// An empty map.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self { kind, numbers: FxHashMap::default(), terms: FxHashMap::default(), scratch: Vec::new() }
    }

    /// The number of a store's term.
    ///
    /// # Errors
    /// [`NumberingError::TooManyFacts`].
    pub fn number(&mut self, of: &Numbering, terms: &TermStore, id: TermId) -> Result<u32, NumberingError> {
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

    /// The store's term of a number; the store makes it if it does not have it.
    ///
    /// # Errors
    /// [`NumberingError::ForeignState`] for a number that the numbering has not given out.
    pub fn term(
        &mut self,
        of: &Numbering,
        terms: &mut TermStore,
        number: u32,
    ) -> Result<TermId, NumberingError> {
        if let Some(&known) = self.terms.get(&number) {
            return Ok(known);
        }
        let shape = of.shape(self.kind, number).ok_or(NumberingError::ForeignState)?;
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
