//! A rulesheet as clauses over numbered predicates: the input of the prover and the grounder.
//!
//! # Steps
//! 1. Negations are pushed inwards, and `or`s are multiplied out. Branches that only compare terms stay one [`Test`].
//! 2. Ground terms are interned, and variables are numbered for each clause.
//! 3. Predicates get a class: static (the same in every state), of the state (they depend on `true`), or of the move
//!    (they depend on `does`).
//! 4. Clauses that no question depends on are dropped, such as `base`, `input` and unused relations.

mod normalise;

use crate::gdl::GdlError;
use crate::gdl::ast::{Rulesheet, Symbol, Symbols};
use crate::term::{TermId, TermStore};

/// The number of a predicate in [`Program::predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub u32);

impl PredId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The predicates every game has, in the order of their numbers.
pub mod known {
    use super::PredId;
    /// `role/1`
    pub const ROLE: PredId = PredId(0);
    /// `init/1`
    pub const INIT: PredId = PredId(1);
    /// `true/1`
    pub const TRUE: PredId = PredId(2);
    /// `does/2`
    pub const DOES: PredId = PredId(3);
    /// `next/1`
    pub const NEXT: PredId = PredId(4);
    /// `legal/2`
    pub const LEGAL: PredId = PredId(5);
    /// `goal/2`
    pub const GOAL: PredId = PredId(6);
    /// `terminal/0`
    pub const TERMINAL: PredId = PredId(7);
    /// Their names and numbers of arguments.
    pub const NAMES: [(&str, usize); 8] = [
        ("role", 1),
        ("init", 1),
        ("true", 1),
        ("does", 2),
        ("next", 1),
        ("legal", 2),
        ("goal", 2),
        ("terminal", 0),
    ];
}

/// The inputs that a predicate's truth depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depends {
    /// Nothing: the same in every state.
    Static,
    /// The state.
    State,
    /// The state and the joint move.
    Move,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Symbol,
    /// Its number of arguments.
    pub arity: usize,
    /// Its dependence: static, on the state, or on the move.
    pub depends: Depends,
}

/// A term of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// A variable of the clause.
    Variable(u32),
    /// A ground term.
    Ground(TermId),
    /// A compound term with variables.
    Compound(Symbol, Box<[Self]>),
}

impl Pattern {
    /// The term, if it is ground.
    #[must_use]
    pub const fn as_ground(&self) -> Option<TermId> {
        if let Self::Ground(id) = self { Some(*id) } else { None }
    }

    /// The ground term if the variables are bound to `bound`.
    pub(crate) fn ground(&self, terms: &mut TermStore, bound: &[TermId]) -> TermId {
        match self {
            Self::Variable(v) => bound[*v as usize],
            Self::Ground(id) => *id,
            Self::Compound(name, args) => {
                let args: Vec<TermId> = args.iter().map(|a| a.ground(terms, bound)).collect();
                terms.compound(*name, &args)
            }
        }
    }

    /// Adds the variables to `out`, left to right, repeats included.
    pub fn variables(&self, out: &mut Vec<u32>) {
        match self {
            Self::Variable(v) => out.push(*v),
            Self::Ground(_) => {}
            Self::Compound(_, args) => args.iter().for_each(|a| a.variables(out)),
        }
    }
}

/// A predicate applied to patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// The predicate.
    pub predicate: PredId,
    /// Its arguments.
    pub args: Box<[Pattern]>,
}

impl Literal {
    /// The variables, left to right, repeats included.
    #[must_use]
    pub fn variables(&self) -> Vec<u32> {
        let mut out = Vec::new();
        self.args.iter().for_each(|a| a.variables(&mut out));
        out
    }
}

/// A condition on bound terms alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// The two differ.
    Distinct(Pattern, Pattern),
    /// The two are equal.
    Equal(Pattern, Pattern),
    /// One of the branches holds; a branch holds if all its tests do.
    Any(Vec<Vec<Self>>),
}

impl Test {
    /// The variables, repeats included.
    pub fn variables(&self, out: &mut Vec<u32>) {
        match self {
            Self::Distinct(a, b) | Self::Equal(a, b) => {
                a.variables(out);
                b.variables(out);
            }
            Self::Any(branches) => branches.iter().flatten().for_each(|t| t.variables(out)),
        }
    }

    /// Whether the test holds; every variable in it must be bound.
    pub fn holds(&self, terms: &mut TermStore, bound: &[TermId]) -> bool {
        match self {
            Self::Distinct(a, b) => a.ground(terms, bound) != b.ground(terms, bound),
            Self::Equal(a, b) => a.ground(terms, bound) == b.ground(terms, bound),
            Self::Any(branches) => branches.iter().any(|all| all.iter().all(|t| t.holds(terms, bound))),
        }
    }
}

/// `head` holds when all positive literals hold, no negative one does and all tests hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// The derived atom.
    pub head: Literal,
    /// Positive literals.
    pub positive: Vec<Literal>,
    /// Negated literals.
    pub negative: Vec<Literal>,
    /// Conditions on terms.
    pub tests: Vec<Test>,
    /// How many variables it has.
    pub variables: usize,
}

/// A game as clauses.
#[derive(Clone, Debug)]
pub struct Program {
    /// The words.
    pub symbols: Symbols,
    /// The ground terms.
    pub terms: TermStore,
    /// The predicates; those of [`known`] first.
    pub predicates: Vec<Predicate>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// For each predicate the clauses that derive it, in the order of the text.
    pub by_head: Vec<Vec<u32>>,
    /// The roles, in the order of the text.
    pub roles: Vec<TermId>,
}

/// Why a rulesheet did not become a program: all its faults. The first error is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().find(|e| e.is_error()).map_or_else(String::new, ToString::to_string))]
pub struct ProgramError(pub Vec<GdlError>);

impl ProgramError {
    /// All faults, with code, line and column in `text`, the errors first.
    #[must_use]
    pub fn diagnostics(&self, text: &str) -> Vec<tengen_core::Diagnostic> {
        let (errors, warnings): (Vec<_>, Vec<_>) = self.0.iter().partition(|e| e.is_error());
        errors.into_iter().chain(warnings).map(|e| e.diagnostic(text)).collect()
    }
}

impl Program {
    /// Normalises a checked rulesheet. Its roles are those that facts give; [`crate::review`] evaluates rules.
    ///
    /// # Errors
    /// [`crate::gdl::Fault::TooManyBranches`].
    pub fn new(sheet: Rulesheet) -> Result<Self, GdlError> {
        let mut program = normalise::normalise(sheet)?;
        program.drop_unused();
        program.index();
        program.classify();
        program.roles = program.roles_by_facts();
        Ok(program)
    }

    /// Rebuilds [`Self::by_head`] after clauses were added or removed.
    pub fn index(&mut self) {
        self.by_head = vec![Vec::new(); self.predicates.len()];
        for (n, clause) in self.clauses.iter().enumerate() {
            self.by_head[clause.head.predicate.index()].push(u32::try_from(n).expect("clauses fit 32 bits"));
        }
    }

    /// Step 4.
    fn drop_unused(&mut self) {
        self.index();
        let mut needed = vec![false; self.predicates.len()];
        let mut stack: Vec<PredId> = (0..8).map(PredId).collect();
        while let Some(p) = stack.pop() {
            if std::mem::replace(&mut needed[p.index()], true) {
                continue;
            }
            for &c in &self.by_head[p.index()] {
                let clause = &self.clauses[c as usize];
                stack.extend(clause.positive.iter().chain(&clause.negative).map(|l| l.predicate));
            }
        }
        self.clauses.retain(|c| needed[c.head.predicate.index()]);
    }

    /// Step 3: the least classes closed under the clauses.
    pub fn classify(&mut self) {
        for p in &mut self.predicates {
            p.depends = Depends::Static;
        }
        // What a state is asked for is never taken as static, even where facts alone define it.
        for p in [known::TRUE, known::NEXT, known::LEGAL, known::GOAL, known::TERMINAL] {
            self.predicates[p.index()].depends = Depends::State;
        }
        self.predicates[known::DOES.index()].depends = Depends::Move;
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let body = clause.positive.iter().chain(&clause.negative);
                let most = body.map(|l| self.predicates[l.predicate.index()].depends).max();
                let head = &mut self.predicates[clause.head.predicate.index()].depends;
                if most.is_some_and(|m| m > *head) {
                    *head = most.expect("just seen");
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Adds a predicate (an auxiliary one of the grounder).
    pub fn add_predicate(&mut self, name: &str, arity: usize) -> PredId {
        let id = PredId(u32::try_from(self.predicates.len()).expect("predicates fit 32 bits"));
        let name = self.symbols.intern(name);
        self.predicates.push(Predicate { name, arity, depends: Depends::Static });
        self.by_head.push(Vec::new());
        id
    }

    /// The roles, in the order of the text; those of one rule in the order in which the prover derives them.
    #[must_use]
    pub fn roles(&self) -> Vec<TermId> {
        self.roles.clone()
    }

    /// The role `random` of GDL-II, which chooses each of its legal moves with the same probability.
    #[must_use]
    pub fn chance(&self) -> Option<usize> {
        let random = self.symbols.get("random")?;
        self.roles.iter().position(|&r| self.terms.args(r).is_none() && self.terms.name(r) == random)
    }

    /// Whether a rule derives a role.
    #[must_use]
    pub fn has_roles_by_rule(&self) -> bool {
        let mut clauses = self.by_head[known::ROLE.index()].iter().map(|&c| &self.clauses[c as usize]);
        clauses.any(|c| c.head.args[0].as_ground().is_none() || !is_fact(c))
    }

    fn roles_by_facts(&self) -> Vec<TermId> {
        let mut roles = Vec::new();
        for clause in self.by_head[known::ROLE.index()].iter().map(|&c| &self.clauses[c as usize]) {
            if let (Pattern::Ground(id), true) = (&clause.head.args[0], is_fact(clause))
                && !roles.contains(id)
            {
                roles.push(*id);
            }
        }
        roles
    }

    /// A term in canonical spelling.
    #[must_use]
    pub fn text(&self, id: TermId) -> String {
        self.terms.text(&self.symbols, id)
    }

    /// A term of a [`crate::numbering`] in canonical spelling.
    #[must_use]
    pub fn shape_text(&self, shape: &[u32]) -> String {
        let mut out = String::new();
        self.write_shape(shape, &mut 0, &mut out);
        out
    }

    /// Whether these numbers are one ground term in words of this program.
    pub(crate) fn is_shape(&self, shape: &[u32]) -> bool {
        self.shape_end(shape, 0, 0) == Some(shape.len())
    }

    /// The place after the term that begins at a place.
    fn shape_end(&self, shape: &[u32], at: usize, depth: usize) -> Option<usize> {
        const DEEPEST: usize = 1000;
        let (&name, &arity) = (shape.get(at)?, shape.get(at + 1)?);
        if name as usize >= self.symbols.len() || depth > DEEPEST {
            return None;
        }
        (1..arity).try_fold(at + 2, |at, _| self.shape_end(shape, at, depth + 1))
    }

    fn write_shape(&self, shape: &[u32], at: &mut usize, out: &mut String) {
        let (name, arity) = (Symbol(shape[*at]), shape[*at + 1]);
        *at += 2;
        let Some(arity) = arity.checked_sub(1) else { return out.push_str(self.symbols.name(name)) };
        out.push('(');
        out.push_str(self.symbols.name(name));
        for _ in 0..arity {
            out.push(' ');
            self.write_shape(shape, at, out);
        }
        out.push(')');
    }

    /// The ground term of a text such as `(mark 1 1)`; `None` if the text is not one term.
    pub fn parse_term(&mut self, text: &str) -> Option<TermId> {
        let (items, errors) = crate::gdl::sexp::read(text);
        match (&items[..], errors.is_empty()) {
            ([item], true) => self.intern_sexp(item),
            _ => None,
        }
    }

    /// The ground term of a list already read.
    pub fn intern_sexp(&mut self, item: &crate::gdl::sexp::Sexp) -> Option<TermId> {
        use crate::gdl::sexp::Sexp;
        match item {
            Sexp::Word(word, _) if word.starts_with('?') => None,
            Sexp::Word(word, _) => {
                let name = self.symbols.intern(word);
                Some(self.terms.constant(name))
            }
            Sexp::List(items, _) => {
                let (Sexp::Word(word, _), args) = items.split_first()? else { return None };
                let args: Option<Vec<_>> = args.iter().map(|a| self.intern_sexp(a)).collect();
                let name = self.symbols.intern(word);
                Some(self.terms.compound(name, &args?))
            }
        }
    }
}

/// Whether the clause has no body.
fn is_fact(clause: &Clause) -> bool {
    clause.positive.is_empty() && clause.negative.is_empty() && clause.tests.is_empty()
}
