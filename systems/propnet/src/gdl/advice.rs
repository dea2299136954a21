//! Warnings about a valid rulesheet: parts that probably do not do what the author wants.
//!
//! # Steps
//! 1. Each function has one number of arguments, and is no sign of arithmetic.
//! 2. Every relation is used somewhere.
//! 3. `init` or `next` makes every fact that a body uses, and `legal` makes every move that a body uses.
//! 4. Every role that a rule names exists, and each role has moves and a goal.
//! 5. The name of a variable that occurs once is not similar to another name of the rule.
//!
//! # Departures
//! Each step compares patterns whose variables are renamed so that they differ. So it warns only where nothing can
//! match.

use super::ast::{Atom, Rule, Rulesheet, Symbol, Term};
use super::sexp::Sexp;
use super::similar::one_letter_inside;
use super::words::{Kind, Word};
use super::{Fault, GdlError, Span, check};
use rustc_hash::{FxHashMap, FxHashSet};
use tengen_core::similar::nearest;

/// The shortest name that step 5 reports, without its `?`.
const LONG_NAME: usize = 5;

/// The most patterns that one literal is compared with.
const MOST_PATTERNS: usize = 20_000;

/// All warnings of a sheet without errors; `roles` are its roles as terms of the sheet.
#[must_use]
pub fn advise(sheet: &Rulesheet, words: &[Word], roles: &[Term]) -> Vec<GdlError> {
    let mut found = Vec::new();
    functions(words, &mut found);
    unused(sheet, &mut found);
    never(sheet, roles, &mut found);
    no_such_role(sheet, roles, &mut found);
    roles_without(sheet, roles, &mut found);
    once(words, &mut found);
    found
}

/// A term as text.
#[must_use]
pub fn shown(sheet: &Rulesheet, rule: &Rule, term: &Term) -> String {
    match term {
        Term::Variable(v) => rule.variables[*v as usize].clone(),
        Term::Constant(name) => sheet.symbols.name(*name).to_owned(),
        Term::Compound(name, args) => {
            let args: Vec<String> = args.iter().map(|a| format!(" {}", shown(sheet, rule, a))).collect();
            format!("({}{})", sheet.symbols.name(*name), args.concat())
        }
    }
}

/// A ground text as a term of the sheet; `None` if the sheet lacks one of its words.
#[must_use]
pub fn term_of(sheet: &Rulesheet, item: &Sexp) -> Option<Term> {
    match item {
        Sexp::Word(word, _) => sheet.symbols.get(word).map(Term::Constant),
        Sexp::List(parts, _) => {
            let (Sexp::Word(word, _), args) = parts.split_first()? else { return None };
            let args: Option<Vec<Term>> = args.iter().map(|a| term_of(sheet, a)).collect();
            Some(Term::Compound(sheet.symbols.get(word)?, args?))
        }
    }
}

/// Step 1.
fn functions(words: &[Word], found: &mut Vec<GdlError>) {
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut told = FxHashSet::default();
    for word in words.iter().filter(|w| w.kind == Kind::Function) {
        if word.arity == 2 && matches!(word.name.as_str(), "+" | "-" | "*" | "/") {
            found.push(GdlError { fault: Fault::Arithmetic(word.name.clone()), span: word.list });
        }
        let before = *seen.entry(&word.name).or_insert(word.arity);
        if before != word.arity && told.insert((&word.name, word.arity)) {
            let fault = Fault::FunctionArity { word: word.name.clone(), got: word.arity, before };
            found.push(GdlError { fault, span: word.list });
        }
    }
}

/// Step 2.
fn unused(sheet: &Rulesheet, found: &mut Vec<GdlError>) {
    let mut asked: FxHashSet<Symbol> = FxHashSet::default();
    for rule in &sheet.rules {
        for f in &rule.body {
            f.atoms(false, &mut |atom, _| {
                asked.insert(atom.name);
            });
        }
    }
    for rule in &sheet.rules {
        let name = sheet.symbols.name(rule.head.name);
        if super::words::meaning(name).is_none() && asked.insert(rule.head.name) {
            found.push(GdlError { fault: Fault::Unused(name.to_owned()), span: rule.head.span });
        }
    }
}

/// The heads of some relations, found by the word of one of their arguments.
struct Made<'a> {
    by_word: FxHashMap<Symbol, Vec<&'a Atom>>,
    any: Vec<&'a Atom>,
    /// The argument.
    at: usize,
    words: Vec<(&'a Rule, &'a Term)>,
}

impl<'a> Made<'a> {
    fn of(sheet: &'a Rulesheet, names: &[&str], at: usize) -> Self {
        let mut made = Self { by_word: FxHashMap::default(), any: Vec::new(), at, words: Vec::new() };
        for rule in &sheet.rules {
            if !names.contains(&sheet.symbols.name(rule.head.name)) {
                continue;
            }
            let Some(term) = rule.head.args.get(at) else { continue };
            match term {
                Term::Variable(_) => made.any.push(&rule.head),
                Term::Constant(word) | Term::Compound(word, _) => {
                    let list = made.by_word.entry(*word).or_default();
                    if list.is_empty() {
                        made.words.push((rule, term));
                    }
                    list.push(&rule.head);
                }
            }
        }
        made
    }

    /// Whether one of the heads may be this atom.
    fn may_make(&self, atom: &Atom) -> bool {
        let like = |head: &&Atom| head.args.iter().zip(&atom.args).all(|(a, b)| check::may_match(a, b));
        match &atom.args[self.at] {
            Term::Variable(_) => {
                self.any.iter().chain(self.by_word.values().flatten()).take(MOST_PATTERNS).any(like)
                    || self.any.len() + self.by_word.values().map(Vec::len).sum::<usize>() > MOST_PATTERNS
            }
            Term::Constant(word) | Term::Compound(word, _) => {
                let list = self.by_word.get(word).map_or(&[][..], Vec::as_slice);
                self.any.iter().any(like) || list.len() > MOST_PATTERNS || list.iter().any(like)
            }
        }
    }

    /// The nearest pattern by its first word; one of the same word comes first.
    fn near(&self, sheet: &Rulesheet, term: &Term) -> Option<String> {
        let word = |t: &Term| match t {
            Term::Constant(word) | Term::Compound(word, _) => Some(sheet.symbols.name(*word)),
            Term::Variable(_) => None,
        };
        let wanted = word(term)?;
        let names: Vec<&str> = self.words.iter().filter_map(|(_, t)| word(t)).collect();
        let near = names.iter().copied().find(|n| *n == wanted).or_else(|| nearest(wanted, names))?;
        let (rule, term) = self.words.iter().find(|(_, t)| word(t) == Some(near))?;
        Some(shown(sheet, rule, term))
    }
}

/// Step 3.
fn never(sheet: &Rulesheet, roles: &[Term], found: &mut Vec<GdlError>) {
    let facts = Made::of(sheet, &["init", "next"], 0);
    let moves = Made::of(sheet, &["legal"], 1);
    let mut told: FxHashSet<String> = FxHashSet::default();
    for rule in &sheet.rules {
        for f in &rule.body {
            f.atoms(false, &mut |atom, _| {
                let (made, at) = match sheet.symbols.name(atom.name) {
                    "true" => (&facts, 0),
                    // A role that is none is told of by step 4.
                    "does" => (&moves, 1),
                    _ => return,
                };
                let role = |arg: &Term| roles.iter().any(|role| check::may_match(role, arg));
                if made.may_make(atom) || at == 1 && !atom.args.first().is_some_and(role) {
                    return;
                }
                let text = shown(sheet, rule, &atom.args[at]);
                if !told.insert(format!("{at}{text}")) {
                    return;
                }
                let near = made.near(sheet, &atom.args[at]).filter(|near| *near != text);
                let fault = if at == 0 {
                    Fault::NeverTrue { fact: text, near }
                } else {
                    Fault::NeverDone { action: text, near }
                };
                found.push(GdlError { fault, span: atom.span });
            });
        }
    }
}

/// Step 4, the names.
fn no_such_role(sheet: &Rulesheet, roles: &[Term], found: &mut Vec<GdlError>) {
    let mut told = FxHashSet::default();
    for rule in &sheet.rules {
        let mut look = |atom: &Atom| {
            let of_role =
                matches!(sheet.symbols.name(atom.name), "legal" | "does" | "goal" | "input" | "sees");
            let Some(term) = atom.args.first().filter(|_| of_role) else { return };
            if roles.iter().any(|role| check::may_match(role, term)) {
                return;
            }
            let name = shown(sheet, rule, term);
            if !told.insert(name.clone()) {
                return;
            }
            let texts: Vec<String> = roles.iter().map(|r| shown(sheet, rule, r)).collect();
            let near = nearest(&name, texts.iter().map(String::as_str)).map(str::to_owned);
            found.push(GdlError { fault: Fault::NoSuchRole { name, near }, span: atom.span });
        };
        look(&rule.head);
        rule.body.iter().for_each(|f| f.atoms(false, &mut |atom, _| look(atom)));
    }
}

/// The place that makes a role: the head of its rule.
#[must_use]
pub fn place_of_role(sheet: &Rulesheet, role: &Term) -> Span {
    let of_role = |rule: &&Rule| sheet.symbols.name(rule.head.name) == "role";
    let makes = |rule: &&Rule| rule.head.args.first().is_some_and(|arg| check::may_match(arg, role));
    let place = sheet.rules.iter().filter(of_role).find(makes);
    place.map_or_else(Span::default, |rule| rule.head.span)
}

/// The last rule of `goal` that can give the role one of these values.
#[must_use]
pub fn place_of_goal(sheet: &Rulesheet, role: &Term, goals: &[String]) -> Option<Span> {
    let gives = |value: &Term| match value {
        Term::Constant(word) => goals.iter().any(|g| g == sheet.symbols.name(*word)),
        _ => true,
    };
    let heads = sheet.rules.iter().map(|rule| &rule.head).rev();
    let mut heads = heads.filter(|h| sheet.symbols.name(h.name) == "goal" && h.args.len() == 2);
    heads.find(|h| check::may_match(&h.args[0], role) && gives(&h.args[1])).map(|h| h.span)
}

/// Step 4, the roles.
fn roles_without(sheet: &Rulesheet, roles: &[Term], found: &mut Vec<GdlError>) {
    let some = |relation: &str, role: &Term| {
        sheet.rules.iter().any(|rule| {
            sheet.symbols.name(rule.head.name) == relation
                && rule.head.args.first().is_some_and(|arg| check::may_match(arg, role))
        })
    };
    let random = sheet.symbols.get("random").map(Term::Constant);
    for role in roles {
        let span = place_of_role(sheet, role);
        let Some(rule) = sheet.rules.first() else { return };
        let name = shown(sheet, rule, role);
        if !some("legal", role) {
            found.push(GdlError { fault: Fault::RoleWithoutMoves(name.clone()), span });
        }
        if !some("goal", role) && Some(role) != random.as_ref() {
            found.push(GdlError { fault: Fault::RoleWithoutGoal(name), span });
        }
    }
}

/// Step 5.
fn once(words: &[Word], found: &mut Vec<GdlError>) {
    let variables: Vec<&Word> = words.iter().filter(|w| w.kind == Kind::Variable).collect();
    for rule in variables.chunk_by(|a, b| a.rule == b.rule) {
        let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
        rule.iter().for_each(|word| *counts.entry(&word.name).or_default() += 1);
        for word in rule.iter().filter(|w| counts[w.name.as_str()] == 1) {
            let name = word.name.trim_start_matches('?');
            let near = |other: &&&Word| {
                let other = other.name.trim_start_matches('?');
                name.chars().count().max(other.chars().count()) > LONG_NAME
                    && name.chars().count() >= LONG_NAME
                    && one_letter_inside(name, other)
            };
            if let Some(other) = rule.iter().find(near) {
                // Of two that stand once each, the later one is told of.
                if counts[other.name.as_str()] == 1 && other.span > word.span {
                    continue;
                }
                let fault = Fault::VariableOnce { name: word.name.clone(), other: other.name.clone() };
                found.push(GdlError { fault, span: word.span });
            }
        }
    }
}
