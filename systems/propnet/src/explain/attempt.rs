//! The attempt to satisfy the body of a rule, literal by literal.

use super::Explainer;
use crate::gdl::ast::{Formula, Rule, Term};
use crate::program::Program;
use crate::prover::ProverError;
use crate::term::TermId;

/// The most literals that one attempt tries.
const TRIES: usize = 2000;

/// The terms of a rule's variables.
#[derive(Clone, Debug)]
pub(super) struct Bindings(Vec<Option<TermId>>);

impl Bindings {
    pub(super) fn new(variables: usize) -> Self {
        Self(vec![None; variables])
    }

    pub(super) fn get(&self, variable: u32) -> Option<TermId> {
        self.0.get(variable as usize).copied().flatten()
    }

    /// The term of a pattern, if its variables are bound.
    pub(super) fn ground(&self, program: &mut Program, pattern: &Term) -> Option<TermId> {
        match pattern {
            Term::Variable(v) => self.get(*v),
            Term::Constant(name) => Some(program.terms.constant(*name)),
            Term::Compound(name, args) => {
                let args: Option<Vec<TermId>> = args.iter().map(|arg| self.ground(program, arg)).collect();
                args.map(|args| program.terms.compound(*name, &args))
            }
        }
    }

    /// Binds what makes the pattern this term; `false` if nothing does.
    pub(super) fn unify(&mut self, program: &mut Program, pattern: &Term, term: TermId) -> bool {
        match pattern {
            Term::Variable(v) => match self.0.get_mut(*v as usize) {
                Some(place) => *place.get_or_insert(term) == term,
                None => false,
            },
            Term::Constant(name) => program.terms.constant(*name) == term,
            Term::Compound(name, args) => {
                let Some(parts) = program.terms.matching(term, *name, args.len()).map(<[TermId]>::to_vec)
                else {
                    return false;
                };
                args.iter().zip(parts).all(|(pattern, part)| self.unify(program, pattern, part))
            }
        }
    }
}

/// The satisfied part of a body.
pub(super) struct Attempt<'r> {
    /// The bindings under which all literals hold.
    pub(super) found: Option<Bindings>,
    /// The literal that failed after most others held, and the bindings there.
    pub(super) furthest: Option<(&'r Formula, Bindings)>,
    /// The literals that held before it.
    reached: usize,
    tries: usize,
}

impl<'r> Attempt<'r> {
    pub(super) fn of(
        explainer: &mut Explainer<'_>,
        rule: &'r Rule,
        bindings: Bindings,
    ) -> Result<Self, ProverError> {
        let body: Vec<&Formula> = rule.body.iter().collect();
        Self::of_body(explainer, &body, rule, bindings)
    }

    pub(super) fn of_body(
        explainer: &mut Explainer<'_>,
        body: &[&'r Formula],
        rule: &Rule,
        bindings: Bindings,
    ) -> Result<Self, ProverError> {
        let mut attempt = Self { found: None, furthest: None, reached: 0, tries: TRIES };
        attempt.satisfy(explainer, body.to_vec(), rule, bindings, 0)?;
        Ok(attempt)
    }

    /// Whether the rest of a body can be satisfied; `held` literals were before it.
    fn satisfy(
        &mut self,
        explainer: &mut Explainer<'_>,
        mut left: Vec<&'r Formula>,
        rule: &Rule,
        bindings: Bindings,
        held: usize,
    ) -> Result<bool, ProverError> {
        let ready = |literal: &&Formula| is_ready(literal, &bindings);
        let Some(at) = left.iter().position(ready).or_else(|| (!left.is_empty()).then_some(0)) else {
            self.found = Some(bindings);
            return Ok(true);
        };
        let literal = left.remove(at);
        if self.tries == 0 {
            return Ok(false);
        }
        self.tries -= 1;
        let (mut ways, mut branches): (Vec<Bindings>, &'r [Formula]) = (Vec::new(), &[]);
        match literal {
            Formula::Atom(atom) => {
                for row in explainer.rows(atom, &bindings)? {
                    let mut more = bindings.clone();
                    for (pattern, &term) in atom.args.iter().zip(row.iter()) {
                        more.unify(&mut explainer.prover.program, pattern, term);
                    }
                    ways.push(more);
                }
            }
            Formula::Distinct(a, b, _) => {
                let program = &mut explainer.prover.program;
                if bindings.ground(program, a) != bindings.ground(program, b) {
                    ways.push(bindings.clone());
                }
            }
            Formula::Not(inner, _) => {
                let inner = Attempt::of_body(explainer, &[inner], rule, bindings.clone())?;
                if inner.found.is_none() {
                    ways.push(bindings.clone());
                }
            }
            Formula::And(parts, _) => {
                let rest = parts.iter().chain(left).collect();
                return self.satisfy(explainer, rest, rule, bindings, held);
            }
            Formula::Or(parts, _) => branches = parts,
        }
        let mut held_once = !ways.is_empty();
        for way in ways {
            if self.satisfy(explainer, left.clone(), rule, way, held + 1)? {
                return Ok(true);
            }
        }
        for branch in branches {
            let alone = Attempt::of_body(explainer, &[branch], rule, bindings.clone())?;
            held_once |= alone.found.is_some();
            let rest = std::iter::once(branch).chain(left.iter().copied()).collect();
            if alone.found.is_some() && self.satisfy(explainer, rest, rule, bindings.clone(), held)? {
                return Ok(true);
            }
        }
        if !held_once && (self.furthest.is_none() || held > self.reached) {
            self.furthest = Some((literal, bindings));
            self.reached = held;
        }
        Ok(false)
    }
}

/// Whether a literal can be tried: those that bind nothing wait for their variables.
fn is_ready(literal: &Formula, bindings: &Bindings) -> bool {
    let bound = |term: &Term| {
        let mut variables = Vec::new();
        term.variables(&mut variables);
        variables.into_iter().all(|v| bindings.get(v).is_some())
    };
    match literal {
        Formula::Atom(_) => true,
        Formula::Distinct(a, b, _) => bound(a) && bound(b),
        Formula::Not(inner, _) => {
            let mut all = true;
            inner.atoms(false, &mut |atom, _| all &= atom.args.iter().all(bound));
            all && is_ready_inside(inner, bindings)
        }
        Formula::And(parts, _) => parts.iter().any(|part| is_ready(part, bindings)),
        Formula::Or(parts, _) => parts.iter().all(|part| is_ready(part, bindings)),
    }
}

/// Whether the `distinct` of a negated formula can be tried.
fn is_ready_inside(literal: &Formula, bindings: &Bindings) -> bool {
    match literal {
        Formula::Distinct(..) => is_ready(literal, bindings),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts.iter().all(|part| is_ready_inside(part, bindings))
        }
        Formula::Not(inner, _) => is_ready_inside(inner, bindings),
        Formula::Atom(_) => true,
    }
}
