//! Turns the nested lists of a rulesheet into rules.

use super::ast::{Atom, Formula, Rule, Rulesheet, Symbols, Term};
use super::sexp::{self, Sexp};
use super::{Fault, GdlError, Span};

/// Words of KIF that are not GDL. Their use as a relation is a mistake, and an error.
const FOREIGN: [&str; 4] = ["=>", "<=>", "exists", "forall"];

/// The keywords with a fixed number of arguments.
pub const ARITIES: [(&str, usize, &str); 12] = [
    ("role", 1, "one argument"),
    ("init", 1, "one argument"),
    ("true", 1, "one argument"),
    ("next", 1, "one argument"),
    ("base", 1, "one argument"),
    ("does", 2, "two arguments"),
    ("legal", 2, "two arguments"),
    ("goal", 2, "two arguments"),
    ("input", 2, "two arguments"),
    ("sees", 2, "two arguments"),
    ("distinct", 2, "two arguments"),
    ("terminal", 0, "no argument"),
];

/// Reads all rules of a text; faulty ones are reported and left out.
#[must_use]
pub fn parse(text: &str) -> (Rulesheet, Vec<GdlError>) {
    let (items, errors) = sexp::read(text);
    parse_items(&items, errors)
}

/// Reads rules from lists already read, as a START message holds them.
#[must_use]
pub fn parse_items(items: &[Sexp], errors: Vec<GdlError>) -> (Rulesheet, Vec<GdlError>) {
    let mut parser = Parser { symbols: Symbols::default(), variables: Vec::new(), errors };
    let rules = items.iter().filter_map(|item| parser.rule(item)).collect();
    (Rulesheet { symbols: parser.symbols, rules }, parser.errors)
}

struct Parser {
    symbols: Symbols,
    /// The variables of the rule at hand.
    variables: Vec<String>,
    errors: Vec<GdlError>,
}

impl Parser {
    fn fail<T>(&mut self, fault: Fault, span: Span) -> Option<T> {
        self.errors.push(GdlError { fault, span });
        None
    }

    fn rule(&mut self, item: &Sexp) -> Option<Rule> {
        self.variables.clear();
        let span = item.span();
        let (head, body) = match item {
            Sexp::List(items, _) if matches!(items.first(), Some(Sexp::Word(w, _)) if w == "<=") => {
                let Some(head) = items.get(1) else {
                    return self.fail(Fault::NotARule("`<=` without a head"), span);
                };
                let head = self.atom(head);
                // All literals are read even after a fault, so that each fault is reported.
                let body: Vec<_> = items[2..].iter().map(|f| self.formula(f)).collect();
                (head?, body.into_iter().collect::<Option<Vec<_>>>()?)
            }
            _ => (self.atom(item)?, Vec::new()),
        };
        let name = self.symbols.name(head.name).to_owned();
        if matches!(name.as_str(), "true" | "does" | "distinct" | "not" | "or" | "and") {
            return self.fail(Fault::BadHead(name), head.span);
        }
        Some(Rule { head, body, variables: std::mem::take(&mut self.variables), span })
    }

    fn formula(&mut self, item: &Sexp) -> Option<Formula> {
        let span = item.span();
        let Sexp::List(items, _) = item else { return self.atom(item).map(Formula::Atom) };
        let Some(Sexp::Word(word, _)) = items.first() else { return self.atom(item).map(Formula::Atom) };
        let args = &items[1..];
        match word.as_str() {
            "not" => {
                if args.len() != 1 {
                    return self.arguments(word, "one argument", args.len(), span);
                }
                Some(Formula::Not(Box::new(self.formula(&args[0])?), span))
            }
            "or" | "and" => {
                let parts: Vec<_> = args.iter().map(|a| self.formula(a)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                Some(if word == "or" { Formula::Or(parts, span) } else { Formula::And(parts, span) })
            }
            "distinct" => {
                if args.len() != 2 {
                    return self.arguments(word, "two arguments", args.len(), span);
                }
                let (a, b) = (self.term(&args[0]), self.term(&args[1]));
                Some(Formula::Distinct(a?, b?, span))
            }
            "init" | "next" | "sees" => self.fail(Fault::BadBody(word.clone()), span),
            _ => self.atom(item).map(Formula::Atom),
        }
    }

    fn arguments<T>(&mut self, word: &str, wants: &'static str, got: usize, span: Span) -> Option<T> {
        self.fail(Fault::Arguments { word: word.to_owned(), wants, got }, span)
    }

    fn atom(&mut self, item: &Sexp) -> Option<Atom> {
        let span = item.span();
        let (word, args) = match item {
            Sexp::Word(word, _) => (word, &[][..]),
            Sexp::List(items, _) => match items.split_first() {
                Some((Sexp::Word(word, _), args)) => (word, args),
                Some((Sexp::List(..), _)) => {
                    return self
                        .fail(Fault::NotARule("a list stands where the name of a relation must"), span);
                }
                None => return self.fail(Fault::NotARule("the list is empty"), span),
            },
        };
        if word.starts_with('?') {
            return self.fail(Fault::NotARule("a variable stands where the name of a relation must"), span);
        }
        if word == "<=" {
            return self.fail(Fault::NotARule("`<=` stands where it begins no rule"), span);
        }
        if FOREIGN.contains(&word.as_str()) {
            return self.fail(Fault::UnknownKeyword(word.clone()), span);
        }
        if let Some(&(_, arity, wants)) = ARITIES.iter().find(|(name, ..)| name == word)
            && arity != args.len()
        {
            return self.arguments(word, wants, args.len(), span);
        }
        let name = self.symbols.intern(word);
        let args: Vec<_> = args.iter().map(|a| self.term(a)).collect();
        Some(Atom { name, args: args.into_iter().collect::<Option<Vec<_>>>()?, span })
    }

    fn term(&mut self, item: &Sexp) -> Option<Term> {
        match item {
            Sexp::Word(word, _) if word.starts_with('?') => {
                let known = self.variables.iter().position(|v| v == word).unwrap_or_else(|| {
                    self.variables.push(word.clone());
                    self.variables.len() - 1
                });
                Some(Term::Variable(
                    u32::try_from(known).expect("a rule has fewer variables than its text bytes"),
                ))
            }
            Sexp::Word(word, _) => Some(Term::Constant(self.symbols.intern(word))),
            Sexp::List(items, span) => match items.split_first() {
                Some((Sexp::Word(word, _), args)) if !word.starts_with('?') => {
                    let name = self.symbols.intern(word);
                    let args: Vec<_> = args.iter().map(|a| self.term(a)).collect();
                    Some(Term::Compound(name, args.into_iter().collect::<Option<Vec<_>>>()?))
                }
                _ => self.fail(Fault::NotARule("a term in parentheses begins with a word"), *span),
            },
        }
    }
}
