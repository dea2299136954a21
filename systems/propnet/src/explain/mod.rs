//! Explains why an atom holds in a state or does not hold, down to the rules and the facts.
//!
//! # Steps
//! 1. If the atom holds, some rule for it has only literals that hold. Each of these is explained in turn.
//! 2. If the atom does not hold, each rule of its relation has a first literal that cannot be satisfied. The attempt
//!    that satisfies the most literals gives this literal, which is explained in turn.
//! 3. A fact of the state, and a fact of the rulesheet, need no reason.
//!
//! # Notation
//! Literals are tried in the order of the text. `not` and `distinct` are tried as soon as their variables are bound.
//!
//! # Cost
//! The prover answers the literals. The number of attempts, the depth and the number of reasons are limited.
//! [`By::More`] marks an omitted part.

mod attempt;
#[cfg(test)]
mod tests;

use crate::gdl::Span;
use crate::gdl::ast::{Atom, Formula, Rule, Rulesheet, Symbol, Term};
use crate::machine::canonical;
use crate::program::{PredId, Program, known};
use crate::prover::{Prover, ProverError};
use crate::term::TermId;
use attempt::{Attempt, Bindings};
use std::collections::BTreeSet;

/// The deepest reason.
const DEEPEST: usize = 8;
/// The most reasons of an explanation.
const MOST: usize = 200;

/// Something that holds in a state or does not, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The explained literal, in GDL; a variable stands for any term.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// The reason.
    pub by: By,
}

/// A reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// It stands in the state, or does not.
    State,
    /// It is a fact of the rulesheet, here.
    Fact(Span),
    /// Two terms are equal or differ.
    Terms,
    /// It is the negation of this.
    Not(Box<Reason>),
    /// This rule gives it, because its literals hold.
    Rule(Span, Vec<Reason>),
    /// No rule of its relation has a head that fits.
    NoRule,
    /// Each of these rules fails, at one literal.
    Fails(Vec<(Span, Reason)>),
    /// The reason was left out: it is above, or there would be too many.
    More,
}

/// Explains one state of a game.
pub struct Explainer<'a> {
    sheet: &'a Rulesheet,
    prover: Prover,
    left: usize,
    /// The literals above the present one in the explanation.
    above: BTreeSet<String>,
}

impl<'a> Explainer<'a> {
    /// For the state in which exactly these facts are true, in canonical spelling. The program must be that of the sheet.
    #[must_use]
    pub fn new(sheet: &'a Rulesheet, program: Program, facts: &[String]) -> Self {
        let mut prover = Prover::new(program);
        let facts: Vec<TermId> = facts.iter().filter_map(|fact| prover.program.parse_term(fact)).collect();
        prover.set_state(&facts);
        Self { sheet, prover, left: MOST, above: BTreeSet::new() }
    }

    /// Why a move is legal for a role or is not. `None` if the move is no term.
    ///
    /// # Errors
    /// The limits of the prover.
    pub fn legal(&mut self, role: &str, text: &str) -> Result<Option<Reason>, ProverError> {
        let (role, text) = (canonical(role), canonical(text));
        let terms = (self.prover.program.parse_term(&role), self.prover.program.parse_term(&text));
        let (Some(role), Some(term)) = terms else { return Ok(None) };
        self.left = MOST;
        self.above.clear();
        self.ground(known::LEGAL, &[role, term], 0).map(Some)
    }

    /// The predicate of an atom; `None` if no clause that matters has it.
    fn predicate(&self, name: Symbol, arity: usize) -> Option<PredId> {
        let predicates = &self.prover.program.predicates;
        let at = predicates.iter().position(|p| p.name == name && p.arity == arity)?;
        u32::try_from(at).ok().map(PredId)
    }

    /// The rules of a relation.
    fn rules(&self, name: Symbol, arity: usize) -> impl Iterator<Item = &'a Rule> + use<'a> {
        self.sheet.rules.iter().filter(move |r| r.head.name == name && r.head.args.len() == arity)
    }

    fn text_of(&self, predicate: PredId, args: &[TermId]) -> String {
        let program = &self.prover.program;
        let name = program.symbols.name(program.predicates[predicate.index()].name).to_owned();
        let args: Vec<String> = args.iter().map(|&arg| program.text(arg)).collect();
        if args.is_empty() { name } else { format!("({name} {})", args.join(" ")) }
    }

    /// The reason for an atom without variables.
    fn ground(&mut self, predicate: PredId, args: &[TermId], depth: usize) -> Result<Reason, ProverError> {
        let asked: Vec<Option<TermId>> = args.iter().copied().map(Some).collect();
        let holds = !self.prover.ask(predicate, &asked)?.is_empty();
        let text = self.text_of(predicate, args);
        let name = self.prover.program.predicates[predicate.index()].name;
        if predicate == known::TRUE {
            return Ok(Reason { text, holds, by: By::State });
        }
        if !self.enter(&text, depth) {
            return Ok(Reason { text, holds, by: By::More });
        }
        let by = if holds { self.why(name, args, depth)? } else { self.why_not(name, &asked, depth)? };
        self.above.remove(&text);
        Ok(Reason { text, holds, by })
    }

    /// Whether there is room for one more reason.
    fn enter(&mut self, text: &str, depth: usize) -> bool {
        if depth >= DEEPEST || self.left == 0 || self.above.contains(text) {
            return false;
        }
        self.left -= 1;
        self.above.insert(text.to_owned())
    }

    /// Step 1.
    fn why(&mut self, name: Symbol, args: &[TermId], depth: usize) -> Result<By, ProverError> {
        for rule in self.rules(name, args.len()) {
            let asked: Vec<Option<TermId>> = args.iter().copied().map(Some).collect();
            let Some(bindings) = self.head(rule, &asked) else { continue };
            if rule.body.is_empty() {
                return Ok(By::Fact(rule.span));
            }
            let attempt = Attempt::of(self, rule, bindings)?;
            if let Some(bindings) = attempt.found {
                let mut parts = Vec::new();
                for literal in &rule.body {
                    parts.extend(self.literal(rule, literal, &bindings, depth + 1)?);
                }
                return Ok(By::Rule(rule.span, parts));
            }
        }
        Ok(By::More)
    }

    /// Step 2.
    fn why_not(&mut self, name: Symbol, asked: &[Option<TermId>], depth: usize) -> Result<By, ProverError> {
        let mut fails = Vec::new();
        for rule in self.rules(name, asked.len()) {
            let Some(bindings) = self.head(rule, asked) else { continue };
            let attempt = Attempt::of(self, rule, bindings)?;
            let Some((literal, bindings)) = attempt.furthest.filter(|_| attempt.found.is_none()) else {
                continue;
            };
            let part = self.literal(rule, literal, &bindings, depth + 1)?;
            fails.extend(part.into_iter().next().map(|part| (rule.span, part)));
        }
        Ok(if fails.is_empty() { By::NoRule } else { By::Fails(fails) })
    }

    /// The bindings under which a rule's head is this; `None` if it never is.
    fn head(&mut self, rule: &Rule, asked: &[Option<TermId>]) -> Option<Bindings> {
        let mut bindings = Bindings::new(rule.variables.len());
        let fits = rule.head.args.iter().zip(asked).all(|(pattern, wanted)| {
            wanted.is_none_or(|term| bindings.unify(&mut self.prover.program, pattern, term))
        });
        fits.then_some(bindings)
    }

    /// The reasons for a literal under bindings; those of an `and` or a true `or` are those of its parts.
    fn literal(
        &mut self,
        rule: &Rule,
        literal: &Formula,
        bindings: &Bindings,
        depth: usize,
    ) -> Result<Vec<Reason>, ProverError> {
        let text = self.shown(rule, literal, bindings);
        match literal {
            Formula::Atom(atom) => self.atom(rule, atom, bindings, depth).map(|reason| vec![reason]),
            Formula::Distinct(a, b, _) => {
                let program = &mut self.prover.program;
                let holds = bindings.ground(program, a) != bindings.ground(program, b);
                Ok(vec![Reason { text, holds, by: By::Terms }])
            }
            Formula::Not(inner, _) => {
                let holds = !self.holds(rule, inner, bindings)?;
                let mut parts = self.literal(rule, inner, bindings, depth)?.into_iter();
                let by = match (parts.next(), parts.next()) {
                    (Some(part), None) if part.holds != holds => By::Not(Box::new(part)),
                    _ => By::More,
                };
                Ok(vec![Reason { text, holds, by }])
            }
            Formula::And(parts, _) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.literal(rule, part, bindings, depth)?);
                }
                let whole = all.iter().all(|reason| reason.holds);
                all.retain(|reason| reason.holds == whole);
                Ok(all)
            }
            Formula::Or(parts, _) => {
                let mut fails = Vec::new();
                for part in parts {
                    if self.holds(rule, part, bindings)? {
                        return self.literal(rule, part, bindings, depth);
                    }
                    fails.extend(self.literal(rule, part, bindings, depth)?);
                }
                let span = literal.span();
                let by = By::Fails(fails.into_iter().map(|part| (span, part)).collect());
                Ok(vec![Reason { text, holds: false, by }])
            }
        }
    }

    /// Whether a literal holds under bindings.
    fn holds(&mut self, rule: &Rule, literal: &Formula, bindings: &Bindings) -> Result<bool, ProverError> {
        Attempt::of_body(self, &[literal], rule, bindings.clone()).map(|attempt| attempt.found.is_some())
    }

    /// The reason for an atom, of which variables may be free.
    fn atom(
        &mut self,
        rule: &Rule,
        atom: &Atom,
        bindings: &Bindings,
        depth: usize,
    ) -> Result<Reason, ProverError> {
        let text = self.shown_atom(rule, atom, bindings);
        let program = &mut self.prover.program;
        let asked: Vec<Option<TermId>> = atom.args.iter().map(|arg| bindings.ground(program, arg)).collect();
        let Some(predicate) = self.predicate(atom.name, atom.args.len()) else {
            return Ok(Reason { text, holds: false, by: By::NoRule });
        };
        if let Some(args) = asked.iter().copied().collect::<Option<Vec<_>>>() {
            return self.ground(predicate, &args, depth);
        }
        if predicate == known::TRUE {
            let holds = !self.rows(atom, bindings)?.is_empty();
            return Ok(Reason { text, holds, by: By::State });
        }
        if let Some(row) = self.rows(atom, bindings)?.into_iter().next() {
            return self.ground(predicate, &row, depth);
        }
        if !self.enter(&text, depth) {
            return Ok(Reason { text, holds: false, by: By::More });
        }
        let by = self.why_not(atom.name, &asked, depth)?;
        self.above.remove(&text);
        Ok(Reason { text, holds: false, by })
    }

    /// The true atoms that fit, in the order of their spelling.
    fn rows(&mut self, atom: &Atom, bindings: &Bindings) -> Result<Vec<Box<[TermId]>>, ProverError> {
        let program = &mut self.prover.program;
        let asked: Vec<Option<TermId>> = atom.args.iter().map(|arg| bindings.ground(program, arg)).collect();
        let Some(predicate) = self.predicate(atom.name, atom.args.len()) else { return Ok(Vec::new()) };
        let mut rows = self.prover.ask(predicate, &asked)?;
        rows.retain(|row| {
            let mut bindings = bindings.clone();
            let mut pairs = atom.args.iter().zip(row.iter());
            pairs.all(|(pattern, &term)| bindings.unify(&mut self.prover.program, pattern, term))
        });
        let program = &self.prover.program;
        rows.sort_by_cached_key(|row| row.iter().map(|&id| program.text(id)).collect::<Vec<_>>());
        Ok(rows)
    }

    fn shown(&self, rule: &Rule, literal: &Formula, bindings: &Bindings) -> String {
        let list = |word: &str, parts: Vec<String>| format!("({word} {})", parts.join(" "));
        let all = |parts: &[Formula]| parts.iter().map(|p| self.shown(rule, p, bindings)).collect();
        match literal {
            Formula::Atom(atom) => self.shown_atom(rule, atom, bindings),
            Formula::Distinct(a, b, _) => {
                list("distinct", vec![self.shown_term(rule, a, bindings), self.shown_term(rule, b, bindings)])
            }
            Formula::Not(inner, _) => list("not", vec![self.shown(rule, inner, bindings)]),
            Formula::And(parts, _) => list("and", all(parts)),
            Formula::Or(parts, _) => list("or", all(parts)),
        }
    }

    fn shown_atom(&self, rule: &Rule, atom: &Atom, bindings: &Bindings) -> String {
        let name = self.sheet.symbols.name(atom.name);
        if atom.args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = atom.args.iter().map(|arg| self.shown_term(rule, arg, bindings)).collect();
        format!("({name} {})", args.join(" "))
    }

    fn shown_term(&self, rule: &Rule, term: &Term, bindings: &Bindings) -> String {
        match term {
            Term::Variable(v) => match bindings.get(*v) {
                Some(id) => self.prover.program.text(id),
                None => rule.variables.get(*v as usize).cloned().unwrap_or_default(),
            },
            Term::Constant(name) => self.sheet.symbols.name(*name).to_owned(),
            Term::Compound(name, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.shown_term(rule, arg, bindings)).collect();
                format!("({} {})", self.sheet.symbols.name(*name), args.join(" "))
            }
        }
    }
}
