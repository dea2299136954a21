//! The plan by which a literal finds its tuples when some of its variables are bound: comparisons, bindings and
//! look-ups.

use crate::gdl::Symbol;
use crate::program::Pattern;
use crate::relation::{IndexSpec, Path};
use crate::term::{TermId, TermStore, mix};

/// A pattern compiled for a set of bound variables.
#[derive(Clone, Debug)]
pub(crate) enum Match {
    /// Binds a variable.
    Bind(u32),
    /// Compares with a bound variable.
    Check(u32),
    /// Compares with a ground term.
    Ground(TermId),
    /// Descends into a compound term.
    Compound(Symbol, Box<[Self]>),
}

impl Match {
    /// Whether the term matches; binds variables of `bound` on the way.
    pub(crate) fn matches(&self, terms: &TermStore, term: TermId, bound: &mut [TermId]) -> bool {
        match self {
            Self::Bind(v) => {
                bound[*v as usize] = term;
                true
            }
            Self::Check(v) => bound[*v as usize] == term,
            Self::Ground(id) => *id == term,
            Self::Compound(name, args) => terms
                .matching(term, *name, args.len())
                .is_some_and(|parts| args.iter().zip(parts).all(|(a, &p)| a.matches(terms, p, bound))),
        }
    }
}

/// Part of a key: a constant or a bound variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyPart {
    Ground(TermId),
    Variable(u32),
}

/// The arguments of a literal compiled for a set of bound variables.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The index that holds just the tuples with the literal's shape and bound parts.
    pub(crate) spec: IndexSpec,
    /// The parts of its key.
    pub(crate) key: Box<[KeyPart]>,
    /// The pattern for each argument of a tuple.
    pub(crate) args: Box<[Match]>,
}

impl Lookup {
    /// Compiles arguments; their variables are bound afterwards.
    pub(crate) fn new(args: &[Pattern], bound: &mut [bool]) -> Self {
        let (mut spec, mut key) = (IndexSpec::default(), Vec::new());
        for (n, arg) in args.iter().enumerate() {
            let n = u16::try_from(n).expect("arguments of one atom are below 2^16");
            add_to_spec(arg, bound, &mut vec![n], &mut spec, &mut key);
        }
        let args = args.iter().map(|a| compile(a, bound)).collect();
        Self { spec, key: key.into(), args }
    }
}

fn add_to_spec(
    pattern: &Pattern,
    bound: &[bool],
    path: &mut Vec<u16>,
    spec: &mut IndexSpec,
    key: &mut Vec<KeyPart>,
) {
    match pattern {
        Pattern::Variable(v) if bound[*v as usize] => {
            spec.keys.push(Path::from(&path[..]));
            key.push(KeyPart::Variable(*v));
        }
        Pattern::Variable(_) => {}
        Pattern::Ground(id) => {
            spec.keys.push(Path::from(&path[..]));
            key.push(KeyPart::Ground(*id));
        }
        Pattern::Compound(name, args) => {
            spec.skeleton.push((Path::from(&path[..]), *name, args.len()));
            for (n, arg) in args.iter().enumerate() {
                path.push(u16::try_from(n).expect("arguments of one term are below 2^16"));
                add_to_spec(arg, bound, path, spec, key);
                path.pop();
            }
        }
    }
}

fn compile(pattern: &Pattern, bound: &mut [bool]) -> Match {
    match pattern {
        Pattern::Variable(v) if bound[*v as usize] => Match::Check(*v),
        Pattern::Variable(v) => {
            bound[*v as usize] = true;
            Match::Bind(*v)
        }
        Pattern::Ground(id) => Match::Ground(*id),
        Pattern::Compound(name, args) => {
            Match::Compound(*name, args.iter().map(|a| compile(a, bound)).collect())
        }
    }
}

/// The hash of a key.
pub(crate) fn hash_of(key: &[KeyPart], bound: &[TermId]) -> u64 {
    key.iter().fold(0, |hash, part| {
        let value = match part {
            KeyPart::Ground(id) => *id,
            KeyPart::Variable(v) => bound[*v as usize],
        };
        mix(hash, value)
    })
}
