//! Reads rulesheets: text to tokens to nested lists to rules. Every fault has its place.
//!
//! [`read`] never fails and never panics. It returns the part that it could read, and all faults.

pub mod ast;
pub mod check;
pub mod lexer;
pub mod parse;
pub mod print;
pub mod sexp;
#[cfg(test)]
mod tests;

pub use ast::{Atom, Formula, Rule, Rulesheet, Symbol, Term};
pub use lexer::Span;

use tengen_core::{Diagnostic, Position, Severity};

/// One fault of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct GdlError {
    /// The kind of fault.
    pub fault: Fault,
    /// Its place.
    pub span: Span,
}

/// The kinds of faults of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is longer than [`lexer::MAX_BYTES`].
    #[error("the rulesheet has {0} bytes; at most {max} are read", max = lexer::MAX_BYTES)]
    TooLong(usize),
    /// Lists inside lists deeper than [`sexp::MAX_DEPTH`].
    #[error("parentheses are nested deeper than {max}", max = sexp::MAX_DEPTH)]
    TooDeep,
    /// `(` without `)`.
    #[error("this parenthesis is never closed")]
    Unclosed,
    /// `)` without `(`.
    #[error("this closing parenthesis opens nowhere")]
    Unopened,
    /// A token that is no word and no variable.
    #[error("`{0}` is not a word, a variable or a parenthesis")]
    BadToken(String),
    /// A list or word where a rule or fact must stand.
    #[error("this is not a rule or a fact: {0}")]
    NotARule(&'static str),
    /// A keyword with the wrong number of arguments.
    #[error("`{word}` takes {wants}, not {got}")]
    Arguments {
        /// The keyword.
        word: String,
        /// The arguments it takes, in words.
        wants: &'static str,
        /// The number of arguments given.
        got: usize,
    },
    /// A keyword of GDL-II, or of KIF, that this engine does not know.
    #[error("`{0}` is not a keyword of GDL")]
    UnknownKeyword(String),
    /// A keyword that must not be defined by a rule.
    #[error("`{0}` must not be the head of a rule")]
    BadHead(String),
    /// A keyword that must not stand in a body.
    #[error("`{0}` must not stand in the body of a rule")]
    BadBody(String),
    /// A variable in a fact.
    #[error("the fact has the variable `{0}`")]
    VariableInFact(String),
    /// Safety: a variable of the head, a negation or `distinct` that no positive literal binds.
    #[error("the variable `{0}` is not bound by a positive literal of the body")]
    Unsafe(String),
    /// One relation used with two numbers of arguments.
    #[error("`{word}` has {got} arguments here and {before} before")]
    Arity {
        /// The relation.
        word: String,
        /// Arguments here.
        got: usize,
        /// Arguments at its first use.
        before: usize,
    },
    /// A relation that depends on its own negation.
    #[error("`{0}` depends on its own negation")]
    Unstratified(String),
    /// A recursive rule that may build ever larger terms.
    #[error("the recursive rule may build terms without end through `{0}`")]
    Recursion(String),
    /// A relation of the game that no rule defines.
    #[error("no rule defines `{0}`")]
    Missing(&'static str),
    /// A role, or a dependency of roles, that changes with the state.
    #[error("`{0}` must not depend on the state or on moves")]
    Dependency(String),
    /// A goal value that is not a number.
    #[error("the goal value `{0}` is not a number from 0 to 100")]
    GoalValue(String),
    /// A relation in a body that nothing defines, so that it is never true.
    #[error("`{0}` stands in a body and nothing defines it")]
    Undefined(String),
}

impl GdlError {
    /// Whether the rulesheet can be used in spite of the fault.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.fault {
            Fault::Undefined(_) | Fault::Recursion(_) | Fault::GoalValue(_) => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The fault with line and column in `text`, and help.
    #[must_use]
    pub fn diagnostic(&self, text: &str) -> Diagnostic {
        let made = match self.severity() {
            Severity::Error => Diagnostic::error(self.fault.to_string()),
            Severity::Warning => Diagnostic::warning(self.fault.to_string()),
        };
        made.at(Position::of_offset(text, self.span.start)).help(self.fault.help())
    }
}

impl Fault {
    /// One line of help.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::TooLong(_) => "a rulesheet is text of some kilobytes; is this the right file?",
            Self::TooDeep => "GDL terms are rarely nested deeper than four; a `)` may be missing",
            Self::Unclosed => "add `)`; the next rule usually begins with `(` in the first column",
            Self::Unopened => "remove `)`, or look for one too many further up",
            Self::BadToken(_) => {
                "words have letters, digits and + - _ . < > = and the like; variables begin with `?`"
            }
            Self::NotARule(_) => "a fact is `(name term ...)`, a rule `(<= head literal ...)`",
            Self::Arguments { .. } => {
                "role, init, true, next, not, base: 1; does, legal, goal, distinct, input: 2; terminal: 0; or: any"
            }
            Self::UnknownKeyword(_) => "of the KIF connectives only <=, not, or, and, distinct belong to GDL",
            Self::BadHead(_) => "true, does, distinct, not and or are given, never derived",
            Self::BadBody(_) => "init and next say what will be true; ask for it with `(true ...)`",
            Self::VariableInFact(_) => {
                "a fact is ground; write a rule `(<= head literal ...)` that binds the variable"
            }
            Self::Unsafe(_) => "add a literal such as `(index ?x)` that says which values the variable takes",
            Self::Arity { .. } => "a relation has the same number of arguments everywhere",
            Self::Unstratified(_) => "break the cycle: no relation may be defined by way of its own `not`",
            Self::Recursion(_) => {
                "in a recursive rule every term should occur in a body literal outside the recursion"
            }
            Self::Missing(_) => "a game needs role, init, legal, next, goal and terminal",
            Self::Dependency(_) => "role and init may only use relations that do not use true or does",
            Self::GoalValue(_) => "goals are whole numbers from 0 (worst) to 100 (best)",
            Self::Undefined(_) => "is the name misspelt? the literal is taken as false",
        }
    }
}

/// Reads and checks a rulesheet.
#[must_use]
pub fn read(text: &str) -> (Rulesheet, Vec<GdlError>) {
    let (sheet, mut errors) = parse::parse(text);
    // A sheet with holes would be blamed for what the holes hide.
    if errors.is_empty() {
        errors.extend(check::check(&sheet));
    }
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    (sheet, errors)
}
