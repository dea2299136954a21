//! The faults of a rulesheet, each with its message, code, severity and line of help.
//!
//! `docs/gdl-diagnostics.md` has the table of all faults for users. A test compares that table with [`CODES`].

use std::borrow::Cow;
use tengen_core::{Diagnostic, Position, Severity};

/// A stretch of the text, in bytes; `end` is the byte after the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

/// One fault of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct GdlError {
    /// The kind of fault.
    pub fault: Fault,
    /// Its place.
    pub span: Span,
}

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 8 << 20;

/// The deepest nesting of lists that is read.
pub const MAX_DEPTH: usize = 200;

/// The most clauses that one rule may become.
pub const MAX_BRANCHES: usize = 4096;

/// The kinds of faults of a rulesheet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is longer than [`MAX_BYTES`].
    #[error("the rulesheet has more than {} MiB", MAX_BYTES >> 20)]
    TooLong,
    /// A byte that is not UTF-8.
    #[error("the rulesheet is not text in UTF-8")]
    Encoding,
    /// Lists inside lists deeper than [`MAX_DEPTH`].
    #[error("parentheses are nested deeper than {MAX_DEPTH}")]
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
    /// A word of KIF that is not in GDL.
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
    #[error("the variable `{name}` is not bound by a positive literal of the body")]
    Unsafe {
        /// The variable.
        name: String,
        /// The place that needs it.
        needs: Needs,
    },
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
    /// A relation that holds before the first state, but depends on a state or a move.
    #[error("`{0}` must not depend on the state or on moves")]
    DependsOnState(String),
    /// A relation that holds before a move, but depends on a move.
    #[error("`{0}` must not depend on a move (`does`)")]
    DependsOnMove(String),
    /// The rules of `role` give none.
    #[error("the rules of `role` give no role")]
    NoRole,
    /// The `or`s of one rule multiply to too many clauses.
    #[error("the `or`s of this rule multiply to more than {MAX_BRANCHES} clauses")]
    TooManyBranches,
    /// A state whose derived facts pass the limits.
    #[error("{why}; last at work: `{relation}`")]
    TooLarge {
        /// The limit, in words.
        why: String,
        /// The relation that was being derived.
        relation: String,
    },
    /// A goal value that is not a number.
    #[error("the goal value `{0}` is not a number from 0 to 100")]
    GoalValue(String),
    /// A relation in a body that nothing defines, so that it is never true.
    #[error("`{name}` stands in a body and nothing defines it")]
    Undefined {
        /// The relation.
        name: String,
        /// The probable meaning of the author.
        meant: Meant,
    },
    /// A sign of arithmetic with two arguments.
    #[error("`({0} ...)` is a term: nothing is calculated")]
    Arithmetic(String),
    /// A relation that no rule asks.
    #[error("no rule asks `{0}`")]
    Unused(String),
    /// One function with two numbers of arguments.
    #[error("the function `{word}` has {got} arguments here and {before} before")]
    FunctionArity {
        /// The function.
        word: String,
        /// Arguments here.
        got: usize,
        /// Arguments at its first use.
        before: usize,
    },
    /// A fact in a body that is never made.
    #[error("no `init` and no `next` makes the fact `{fact}`")]
    NeverTrue {
        /// The fact.
        fact: String,
        /// The nearest one that is made.
        near: Option<String>,
    },
    /// A move in a body that is never legal.
    #[error("no `legal` makes the move `{action}`")]
    NeverDone {
        /// The move.
        action: String,
        /// The nearest one that is made.
        near: Option<String>,
    },
    /// A role that does not exist.
    #[error("`{name}` is no role")]
    NoSuchRole {
        /// The written word.
        name: String,
        /// The nearest role.
        near: Option<String>,
    },
    /// A role that no rule of `legal` can name.
    #[error("no rule of `legal` gives `{0}` a move")]
    RoleWithoutMoves(String),
    /// A role that no rule of `goal` can name.
    #[error("no rule of `goal` gives `{0}` a goal")]
    RoleWithoutGoal(String),
    /// A variable that stands once, and is nearly another one.
    #[error("`{name}` stands once, one letter from `{other}`")]
    VariableOnce {
        /// The variable.
        name: String,
        /// The other one.
        other: String,
    },
    /// A role without a legal move in a state of play.
    #[error("`{role}` has no legal move in a state that is not terminal: {state}")]
    NoMove {
        /// The role.
        role: String,
        /// The state, and how play came there.
        state: String,
        /// The facts that the last move lost.
        lost: String,
    },
    /// A role without a goal in a last state of play.
    #[error("`{role}` has no goal in a terminal state: {state}")]
    GoalMissing {
        /// The role.
        role: String,
        /// The state, and how play came there.
        state: String,
    },
    /// A role with several goals in a last state of play.
    #[error("`{role}` has the goals {goals} in a terminal state: {state}")]
    GoalDouble {
        /// The role.
        role: String,
        /// The values.
        goals: String,
        /// The state, and how play came there.
        state: String,
    },
    /// Play that does not end.
    #[error("play does not end: {0}")]
    Endless(String),
    /// No net within the limits.
    #[error("the rulesheet makes no net, so the prover plays it: {0}")]
    NoNet(String),
}

/// The place that needs a variable to be bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The first argument of `legal`, `goal`, `input` or `sees`.
    Role,
    /// Another place of a head, or `distinct`.
    Value,
    /// A negation.
    Negation,
}

/// The probable meaning of the author of an undefined relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// Nothing is near.
    Nothing,
    /// A relation of this name.
    Relation(String),
    /// A fact of the state.
    Fact,
    /// Arithmetic.
    Number,
    /// Equality.
    Equal,
}

/// Every code with its severity, in the order of `docs/gdl-diagnostics.md`.
pub const CODES: [(&str, Severity); 38] = {
    use Severity::{Error, Warning};
    [
        ("gdl-too-long", Error),
        ("gdl-encoding", Error),
        ("gdl-token", Error),
        ("gdl-too-deep", Error),
        ("gdl-unclosed", Error),
        ("gdl-unopened", Error),
        ("gdl-not-a-rule", Error),
        ("gdl-arguments", Error),
        ("gdl-foreign-keyword", Error),
        ("gdl-bad-head", Error),
        ("gdl-bad-body", Error),
        ("gdl-arity", Error),
        ("gdl-variable-in-fact", Error),
        ("gdl-unsafe", Error),
        ("gdl-unstratified", Error),
        ("gdl-depends-on-state", Error),
        ("gdl-depends-on-move", Error),
        ("gdl-missing", Error),
        ("gdl-no-role", Error),
        ("gdl-too-many-branches", Error),
        ("gdl-too-large", Error),
        ("gdl-recursion", Warning),
        ("gdl-goal-value", Warning),
        ("gdl-undefined", Warning),
        ("gdl-arithmetic", Warning),
        ("gdl-unused", Warning),
        ("gdl-function-arity", Warning),
        ("gdl-never-true", Warning),
        ("gdl-never-done", Warning),
        ("gdl-no-such-role", Warning),
        ("gdl-role-without-moves", Warning),
        ("gdl-role-without-goal", Warning),
        ("gdl-variable-once", Warning),
        ("gdl-no-move", Warning),
        ("gdl-goal-missing", Warning),
        ("gdl-goal-double", Warning),
        ("gdl-endless", Warning),
        ("gdl-no-net", Warning),
    ]
};

impl GdlError {
    /// Whether the rulesheet can be used in spite of the fault.
    #[must_use]
    pub fn severity(&self) -> Severity {
        let code = self.fault.code();
        CODES.iter().find(|(known, _)| *known == code).map_or(Severity::Error, |(_, severity)| *severity)
    }

    /// Whether the rulesheet can't be used.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// The fault with code, line and column in `text`, and help.
    #[must_use]
    pub fn diagnostic(&self, text: &str) -> Diagnostic {
        let made = match self.severity() {
            Severity::Error => Diagnostic::error(self.fault.to_string()),
            Severity::Warning => Diagnostic::warning(self.fault.to_string()),
        };
        let at = Position::of_offset(text, self.span.start);
        made.of_kind(self.fault.code()).at(at).help(self.fault.help())
    }
}

/// The fault of bytes that are not UTF-8, at the first such byte.
#[must_use]
pub fn encoding(bytes: &[u8]) -> Option<Diagnostic> {
    let good = std::str::from_utf8(bytes).err()?.valid_up_to();
    let text = String::from_utf8_lossy(&bytes[..good]);
    let span = Span { start: good, end: good };
    Some(GdlError { fault: Fault::Encoding, span }.diagnostic(&text))
}

impl Fault {
    /// Whether this warning of the rules covers a warning of play.
    #[must_use]
    pub fn stands_for(&self, of_play: &Self) -> bool {
        match (self, of_play) {
            (Self::RoleWithoutMoves(known), Self::NoMove { role, .. })
            | (Self::RoleWithoutGoal(known), Self::GoalMissing { role, .. }) => known == role,
            _ => false,
        }
    }

    /// The code, as `docs/gdl-diagnostics.md` lists it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLong => "gdl-too-long",
            Self::Encoding => "gdl-encoding",
            Self::BadToken(_) => "gdl-token",
            Self::TooDeep => "gdl-too-deep",
            Self::Unclosed => "gdl-unclosed",
            Self::Unopened => "gdl-unopened",
            Self::NotARule(_) => "gdl-not-a-rule",
            Self::Arguments { .. } => "gdl-arguments",
            Self::UnknownKeyword(_) => "gdl-foreign-keyword",
            Self::BadHead(_) => "gdl-bad-head",
            Self::BadBody(_) => "gdl-bad-body",
            Self::Arity { .. } => "gdl-arity",
            Self::VariableInFact(_) => "gdl-variable-in-fact",
            Self::Unsafe { .. } => "gdl-unsafe",
            Self::Unstratified(_) => "gdl-unstratified",
            Self::DependsOnState(_) => "gdl-depends-on-state",
            Self::DependsOnMove(_) => "gdl-depends-on-move",
            Self::Missing(_) => "gdl-missing",
            Self::NoRole => "gdl-no-role",
            Self::TooManyBranches => "gdl-too-many-branches",
            Self::TooLarge { .. } => "gdl-too-large",
            Self::Recursion(_) => "gdl-recursion",
            Self::GoalValue(_) => "gdl-goal-value",
            Self::Undefined { .. } => "gdl-undefined",
            Self::Arithmetic(_) => "gdl-arithmetic",
            Self::Unused(_) => "gdl-unused",
            Self::FunctionArity { .. } => "gdl-function-arity",
            Self::NeverTrue { .. } => "gdl-never-true",
            Self::NeverDone { .. } => "gdl-never-done",
            Self::NoSuchRole { .. } => "gdl-no-such-role",
            Self::RoleWithoutMoves(_) => "gdl-role-without-moves",
            Self::RoleWithoutGoal(_) => "gdl-role-without-goal",
            Self::VariableOnce { .. } => "gdl-variable-once",
            Self::NoMove { .. } => "gdl-no-move",
            Self::GoalMissing { .. } => "gdl-goal-missing",
            Self::GoalDouble { .. } => "gdl-goal-double",
            Self::Endless(_) => "gdl-endless",
            Self::NoNet(_) => "gdl-no-net",
        }
    }

    /// One line of help.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        let near = |near: &Option<String>, without: &'static str, rest: &str| match near {
            Some(near) => Cow::Owned(format!("the nearest is `{near}`{rest}")),
            None => Cow::Borrowed(without),
        };
        Cow::Borrowed(match self {
            Self::Arguments { word, wants, got: 0 } if *wants != "no argument" => {
                return Cow::Owned(format!("write `({word} ...)`: the parenthesis stands before the word"));
            }
            Self::Arguments { word, wants, .. } => {
                return Cow::Owned(format!(
                    "`{word}` is a keyword and takes {wants}; a relation of your own needs another name"
                ));
            }
            Self::Undefined { meant: Meant::Relation(name), .. } => {
                return Cow::Owned(format!("the nearest is `{name}`; the literal is taken as false"));
            }
            Self::Undefined { name, meant: Meant::Fact } => {
                return Cow::Owned(format!("`{name}` is a fact of the state: ask `(true ({name} ...))`"));
            }
            Self::NeverTrue { near: found, .. } => {
                return near(found, "the literal is taken as false", "; the literal is taken as false");
            }
            Self::NeverDone { near: found, .. } => {
                return near(found, "the literal is taken as false", "; the literal is taken as false");
            }
            Self::NoSuchRole { near: found, .. } => {
                return near(found, "`role` says which roles there are", "");
            }
            Self::VariableOnce { other, .. } => {
                return Cow::Owned(format!("is `{other}` meant?"));
            }
            Self::NoMove { lost, .. } if !lost.is_empty() => {
                return Cow::Owned(format!(
                    "what no `next` keeps is gone; gone since the move before: {lost}"
                ));
            }
            _ => self.plain_help(),
        })
    }

    const fn plain_help(&self) -> &'static str {
        match self {
            Self::TooLong => "a rulesheet is text of some kilobytes; is this the right file?",
            Self::Encoding => "save the file as UTF-8",
            Self::TooDeep => "GDL terms are rarely nested deeper than four; a `)` may be missing",
            Self::Unclosed => "add `)`; the next rule usually begins with `(` in the first column",
            Self::Unopened => "remove `)`, or look for one too many further up",
            Self::BadToken(_) => {
                "words have letters, digits and + - _ . < > = and the like; variables begin with `?`"
            }
            Self::NotARule(_) => "a fact is `(name term ...)`, a rule `(<= head literal ...)`",
            Self::UnknownKeyword(_) => "of the KIF connectives only <=, not, or, and, distinct belong to GDL",
            Self::BadHead(_) => {
                "true, does, distinct, not, or and and are given; next says what will be true"
            }
            Self::BadBody(_) => "init, next and sees are for heads; ask for a fact with `(true ...)`",
            Self::VariableInFact(_) => {
                "a fact is ground; write a rule `(<= head literal ...)` that binds the variable"
            }
            Self::Unsafe { needs: Needs::Role, .. } => {
                "add `(role ?p)`, with the variable for `?p`, to the body"
            }
            Self::Unsafe { needs: Needs::Value, .. } => {
                "add a literal such as `(index ?x)` that says which values the variable takes"
            }
            Self::Unsafe { needs: Needs::Negation, .. } => {
                "bind the variable before `not`, as `(cell ?x)` does; to ask for none at all, give the question a relation of its own: `(<= (goes ?p) (does ?p (go ?y)))`, then `(not (goes ?p))`"
            }
            Self::Arity { .. } => "a relation has the same number of arguments everywhere",
            Self::Unstratified(_) => "break the cycle: no relation may be defined by way of its own `not`",
            Self::Recursion(_) => {
                "in a recursive rule every term should occur in a body literal outside the recursion"
            }
            Self::Missing(_) => "a game needs role, legal, goal and terminal",
            Self::DependsOnState(_) => {
                "role, init, base and input hold before the first state: no true, no does"
            }
            Self::DependsOnMove(_) => "legal, goal and terminal hold before a move is made; ask `true`",
            Self::NoRole => "a role may be derived, from relations of no state",
            Self::TooManyBranches => "give each `or` a relation of its own",
            Self::TooLarge { .. } => "the relation seems to grow without end",
            Self::GoalValue(_) => "goals are whole numbers from 0 (worst) to 100 (best)",
            Self::Undefined { meant: Meant::Number, .. } => {
                "GDL has no arithmetic: write facts such as `(succ 1 2)`"
            }
            Self::Undefined { meant: Meant::Equal, .. } => {
                "for equal terms use one variable twice, or `(not (distinct ?x ?y))`"
            }
            Self::Arithmetic(_) => {
                "GDL has no arithmetic: write facts such as `(succ 1 2)`, ask `(succ ?m ?n)` in the body, and use `?m`"
            }
            Self::Undefined { .. } => "is the name misspelt? the literal is taken as false",
            Self::Unused(_) => "remove it, or is the name of the question misspelt?",
            Self::FunctionArity { .. } => "terms of different length are never equal",
            Self::RoleWithoutMoves(_) => "a role always needs a move, such as `noop`",
            Self::RoleWithoutGoal(_) | Self::GoalMissing { .. } => {
                "each role but `random` needs one goal at the end"
            }
            Self::NoMove { .. } => "a role always needs a move, such as `noop`",
            Self::GoalDouble { .. } => "a role has one goal; make the bodies of the rules exclude each other",
            Self::Endless(_) => {
                "does `next` make again each fact that stays? else count the moves with a fact, and end the game at a number"
            }
            Self::NoNet(_) => "it plays slower; docs/propnet-remarks.md says what makes a net small",
            Self::Arguments { .. }
            | Self::NeverTrue { .. }
            | Self::NeverDone { .. }
            | Self::NoSuchRole { .. }
            | Self::VariableOnce { .. } => "",
        }
    }
}
