//! Turns rules into clauses. It pushes negations inwards, multiplies `or`s out and interns ground terms.

use super::{Clause, Depends, Literal, Pattern, PredId, Predicate, Program, Test, known};
use crate::gdl::ast::{Atom, Formula, Rule, Rulesheet, Symbols, Term};
use crate::gdl::fault::MAX_BRANCHES;
use crate::gdl::{Fault, GdlError};
use crate::term::TermStore;
use rustc_hash::FxHashMap;

/// A conjunction under construction.
#[derive(Clone, Default)]
struct Body {
    positive: Vec<Literal>,
    negative: Vec<Literal>,
    tests: Vec<Test>,
}

struct Normaliser {
    symbols: Symbols,
    terms: TermStore,
    predicates: Vec<Predicate>,
    numbers: FxHashMap<(crate::gdl::Symbol, usize), PredId>,
}

/// All clauses of a checked rulesheet.
pub(super) fn normalise(sheet: Rulesheet) -> Result<Program, GdlError> {
    let mut n = Normaliser {
        symbols: sheet.symbols,
        terms: TermStore::default(),
        predicates: Vec::new(),
        numbers: FxHashMap::default(),
    };
    for (name, arity) in known::NAMES {
        let name = n.symbols.intern(name);
        n.predicate(name, arity);
    }
    let mut clauses = Vec::new();
    for rule in &sheet.rules {
        n.rule(rule, &mut clauses)?;
    }
    let Normaliser { symbols, terms, predicates, .. } = n;
    Ok(Program { symbols, terms, predicates, clauses, by_head: Vec::new(), roles: Vec::new() })
}

impl Normaliser {
    fn predicate(&mut self, name: crate::gdl::Symbol, arity: usize) -> PredId {
        let next = PredId(u32::try_from(self.predicates.len()).expect("predicates fit 32 bits"));
        let id = *self.numbers.entry((name, arity)).or_insert(next);
        if id == next {
            self.predicates.push(Predicate { name, arity, depends: Depends::Static });
        }
        id
    }

    fn rule(&mut self, rule: &Rule, clauses: &mut Vec<Clause>) -> Result<(), GdlError> {
        let head = self.literal(&rule.head);
        let too_many = || GdlError { fault: Fault::TooManyBranches, span: rule.span };
        let mut bodies = vec![Body::default()];
        for f in &rule.body {
            bodies = self.conjoin(bodies, f, false).ok_or_else(too_many)?;
        }
        for mut body in bodies {
            dedupe(&mut body.positive);
            dedupe(&mut body.negative);
            clauses.push(Clause {
                head: head.clone(),
                positive: body.positive,
                negative: body.negative,
                tests: body.tests,
                variables: rule.variables.len(),
            });
        }
        Ok(())
    }

    /// Each of `bodies` and the formula (or its negation); `None` if that is too many.
    fn conjoin(&mut self, mut bodies: Vec<Body>, f: &Formula, negated: bool) -> Option<Vec<Body>> {
        if let Some(test) = self.test(f, negated) {
            bodies.iter_mut().for_each(|b| b.tests.push(test.clone()));
            return Some(bodies);
        }
        match (f, negated) {
            (Formula::Not(inner, _), _) => self.conjoin(bodies, inner, !negated),
            (Formula::And(parts, _), false) | (Formula::Or(parts, _), true) => {
                parts.iter().try_fold(bodies, |bodies, p| self.conjoin(bodies, p, negated))
            }
            (Formula::Or(parts, _), false) | (Formula::And(parts, _), true) => {
                let mut all = Vec::new();
                for p in parts {
                    all.extend(self.conjoin(bodies.clone(), p, negated)?);
                    if all.len() > MAX_BRANCHES {
                        return None;
                    }
                }
                Some(all)
            }
            (Formula::Atom(atom), _) => {
                let literal = self.literal(atom);
                for b in &mut bodies {
                    if negated { &mut b.negative } else { &mut b.positive }.push(literal.clone());
                }
                Some(bodies)
            }
            (Formula::Distinct(..), _) => unreachable!("a comparison is a test"),
        }
    }

    /// The formula as a test, if it only compares terms.
    fn test(&mut self, f: &Formula, negated: bool) -> Option<Test> {
        match (f, negated) {
            (Formula::Atom(_), _) => None,
            (Formula::Distinct(a, b, _), false) => Some(Test::Distinct(self.pattern(a), self.pattern(b))),
            (Formula::Distinct(a, b, _), true) => Some(Test::Equal(self.pattern(a), self.pattern(b))),
            (Formula::Not(inner, _), _) => self.test(inner, !negated),
            (Formula::Or(parts, _), false) | (Formula::And(parts, _), true) => {
                let branches: Option<Vec<_>> =
                    parts.iter().map(|p| self.test(p, negated).map(|t| vec![t])).collect();
                Some(Test::Any(branches?))
            }
            (Formula::And(parts, _), false) | (Formula::Or(parts, _), true) => {
                let all: Option<Vec<_>> = parts.iter().map(|p| self.test(p, negated)).collect();
                Some(Test::Any(vec![all?]))
            }
        }
    }

    fn literal(&mut self, atom: &Atom) -> Literal {
        let predicate = self.predicate(atom.name, atom.args.len());
        Literal { predicate, args: atom.args.iter().map(|a| self.pattern(a)).collect() }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match term {
            Term::Variable(v) => Pattern::Variable(*v),
            Term::Constant(name) => Pattern::Ground(self.terms.constant(*name)),
            Term::Compound(name, args) => {
                let args: Box<[Pattern]> = args.iter().map(|a| self.pattern(a)).collect();
                let ground: Option<Vec<_>> =
                    args.iter().map(|a| if let Pattern::Ground(id) = a { Some(*id) } else { None }).collect();
                match ground {
                    Some(ids) => Pattern::Ground(self.terms.compound(*name, &ids)),
                    None => Pattern::Compound(*name, args),
                }
            }
        }
    }
}

fn dedupe(literals: &mut Vec<Literal>) {
    let mut kept: Vec<Literal> = Vec::with_capacity(literals.len());
    for l in literals.drain(..) {
        if !kept.contains(&l) {
            kept.push(l);
        }
    }
    *literals = kept;
}
