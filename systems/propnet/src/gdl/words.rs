//! Finds every word of a rulesheet with its meaning and its place, for editors and for checks.
//!
//! The text may have faults. The result includes the readable words of a broken rule.

use super::Span;
use super::sexp::Sexp;

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A word of the language.
    Keyword,
    /// A relation.
    Relation,
    /// The first word of a compound term.
    Function,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
}

/// The words of the language, with what each means.
pub const KEYWORDS: [(&str, &str); 17] = [
    ("<=", "`(<= head literal ...)`: the head holds if all literals do"),
    ("and", "`(and literal ...)`: all of them hold"),
    ("base", "`(base fact)`: the fact may become true"),
    ("distinct", "`(distinct term term)`: the two terms differ"),
    ("does", "`(does role move)`: the role makes the move now"),
    ("goal", "`(goal role value)`: the role's goal in this state, from 0 to 100"),
    ("init", "`(init fact)`: the fact is true in the first state"),
    ("input", "`(input role move)`: the move may become legal"),
    ("legal", "`(legal role move)`: the role may make the move in this state"),
    ("next", "`(next fact)`: the fact is true in the next state; what no `next` keeps is gone"),
    ("not", "`(not literal)`: it does not hold"),
    ("or", "`(or literal ...)`: one of them holds"),
    ("random", "the role that chooses each of its legal moves with the same probability (GDL-II)"),
    ("role", "`(role name)`: there is this role"),
    ("sees", "`(sees role percept)`: the role perceives it when the joint move is made (GDL-II)"),
    ("terminal", "`terminal`: the game is over in this state"),
    ("true", "`(true fact)`: the fact is true in this state"),
];

/// A word at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word in lower case; a variable keeps its `?`.
    pub name: String,
    /// Its meaning.
    pub kind: Kind,
    /// The place of the word.
    pub span: Span,
    /// The place of its list, or of the word itself.
    pub list: Span,
    /// The number of arguments.
    pub arity: usize,
    /// The number of its rule among the expressions of the text.
    pub rule: usize,
    /// Whether it is the relation of a head, or the fact or move that the head makes.
    pub defines: bool,
    /// Whether its rule is a fact.
    pub fact: bool,
}

/// All words, in the order of the text.
#[must_use]
pub fn words(items: &[Sexp]) -> Vec<Word> {
    let mut found = Found { words: Vec::new(), rule: 0, fact: true };
    for (rule, item) in items.iter().enumerate() {
        found.rule = rule;
        let parts = match item {
            Sexp::List(parts, _) if first(parts) == Some("<=") => parts,
            _ => {
                found.fact = true;
                found.literal(item, true);
                continue;
            }
        };
        found.fact = false;
        found.keyword(&parts[0]);
        for (n, part) in parts[1..].iter().enumerate() {
            found.literal(part, n == 0);
        }
    }
    found.words
}

/// The first word of a list.
fn first(parts: &[Sexp]) -> Option<&str> {
    if let Some(Sexp::Word(word, _)) = parts.first() { Some(word) } else { None }
}

/// The meaning of a keyword.
#[must_use]
pub fn meaning(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning)
}

struct Found {
    words: Vec<Word>,
    rule: usize,
    fact: bool,
}

impl Found {
    fn push(&mut self, name: &str, kind: Kind, span: Span, list: Span, arity: usize, defines: bool) {
        let (rule, fact) = (self.rule, self.fact);
        self.words.push(Word { name: name.to_owned(), kind, span, list, arity, rule, defines, fact });
    }

    fn keyword(&mut self, item: &Sexp) {
        if let Sexp::Word(word, span) = item {
            self.push(word, Kind::Keyword, *span, *span, 0, false);
        }
    }

    fn literal(&mut self, item: &Sexp, head: bool) {
        let (word, span, args) = match item {
            Sexp::Word(word, span) => (word, *span, &[][..]),
            Sexp::List(parts, _) => match parts.split_first() {
                Some((Sexp::Word(word, span), args)) => (word, *span, args),
                _ => return parts.iter().for_each(|part| self.literal(part, false)),
            },
        };
        if word.starts_with('?') {
            return self.term(item, false);
        }
        let kind = if word != "random" && meaning(word).is_some() { Kind::Keyword } else { Kind::Relation };
        self.push(word, kind, span, item.span(), args.len(), head);
        if matches!(word.as_str(), "not" | "or" | "and") {
            return args.iter().for_each(|a| self.literal(a, false));
        }
        // `init` and `next` make facts, `legal` makes moves, `role` makes roles.
        let makes = match word.as_str() {
            "init" | "next" | "role" => Some(0),
            "legal" => Some(1),
            _ => None,
        };
        for (n, arg) in args.iter().enumerate() {
            self.term(arg, head && makes == Some(n));
        }
    }

    fn term(&mut self, item: &Sexp, defines: bool) {
        match item {
            Sexp::Word(word, span) => {
                let kind = if word.starts_with('?') { Kind::Variable } else { Kind::Constant };
                self.push(word, kind, *span, *span, 0, defines);
            }
            Sexp::List(parts, list) => {
                let mut args = &parts[..];
                if let Some((Sexp::Word(word, span), rest)) = parts.split_first() {
                    args = rest;
                    self.push(word, Kind::Function, *span, *list, rest.len(), defines);
                }
                args.iter().for_each(|a| self.term(a, false));
            }
        }
    }
}
