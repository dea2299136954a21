//! The syntax tree of a rulesheet: rules of atoms and terms.

use super::Span;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// An interned word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// Words and their numbers, in the order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, Symbol, BuildHasherDefault<rustc_hash::FxHasher>>,
}

impl Symbols {
    /// The number of a word, new or known.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let symbol =
            Symbol(u32::try_from(self.names.len()).expect("a text of 8 MiB has fewer words than 2^32"));
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), symbol);
        symbol
    }

    /// The number of a word, if it occurs.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// How many words there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The word.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}

/// A term of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable, by its number in the rule.
    Variable(u32),
    /// A constant.
    Constant(Symbol),
    /// A compound term; `(f)` is one without arguments, and not the constant `f`.
    Compound(Symbol, Vec<Self>),
}

impl Term {
    /// Adds the variables of the term to `out`, left to right, repeats included.
    pub fn variables(&self, out: &mut Vec<u32>) {
        match self {
            Self::Variable(v) => out.push(*v),
            Self::Constant(_) => {}
            Self::Compound(_, args) => args.iter().for_each(|a| a.variables(out)),
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub name: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it stands.
    pub span: Span,
}

impl Atom {
    /// The variables of the arguments, left to right, repeats included.
    #[must_use]
    pub fn variables(&self) -> Vec<u32> {
        let mut out = Vec::new();
        self.args.iter().for_each(|a| a.variables(&mut out));
        out
    }
}

/// A body literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The atom holds.
    Atom(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
    /// The formula does not hold.
    Not(Box<Self>, Span),
    /// All hold.
    And(Vec<Self>, Span),
    /// One of them holds.
    Or(Vec<Self>, Span),
}

impl Formula {
    /// Where it stands.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Distinct(.., span) | Self::Not(_, span) | Self::And(_, span) | Self::Or(_, span) => *span,
        }
    }

    /// Calls `visit` for every atom, with whether it stands under an odd number of `not`s.
    pub fn atoms<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match self {
            Self::Atom(atom) => visit(atom, negated),
            Self::Distinct(..) => {}
            Self::Not(inner, _) => inner.atoms(!negated, visit),
            Self::And(parts, _) | Self::Or(parts, _) => parts.iter().for_each(|p| p.atoms(negated, visit)),
        }
    }
}

/// A rule; a fact is a rule without body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The atom it derives.
    pub head: Atom,
    /// The body: the rule derives its head if all of these hold.
    pub body: Vec<Formula>,
    /// The names of its variables, with `?`; index: the number in [`Term::Variable`].
    pub variables: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// All rules of a game, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Rulesheet {
    /// The words.
    pub symbols: Symbols,
    /// The rules.
    pub rules: Vec<Rule>,
}
