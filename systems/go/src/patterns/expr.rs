//! Constraints and actions: expression trees, and their parser.
//!
//! The precedence is that of C, lowest first: `||`, `&&`, comparisons, `+` and `-`, `!`.

use super::functions::{self, Function};
use super::status::{ALIVE, CRITICAL, DEAD, UNKNOWN};
use tengen_core::{Diagnostic, Position};

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A label of the constraint diagram, or `*`.
    Label(char),
    /// `?`: a move elsewhere.
    Tenuki,
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
}

impl Op {
    const BY_LEVEL: [&'static [(&'static str, Self)]; 4] = [
        &[("||", Self::Or)],
        &[("&&", Self::And)],
        &[
            ("==", Self::Eq),
            ("!=", Self::Ne),
            ("<=", Self::Le),
            (">=", Self::Ge),
            ("<", Self::Lt),
            (">", Self::Gt),
        ],
        &[("+", Self::Add), ("-", Self::Sub)],
    ];
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number, or a named constant.
    Number(i32),
    /// A call.
    Call(&'static Function, Vec<Arg>),
    /// `!`
    Not(Box<Self>),
    /// Two values with an operator between.
    Binary(Op, Box<Self>, Box<Self>),
}

impl Expr {
    /// Calls `f` for every call in the tree.
    pub fn each_call(&self, f: &mut impl FnMut(&'static Function, &[Arg])) {
        match self {
            Self::Number(_) => {}
            Self::Call(function, args) => f(function, args),
            Self::Not(inner) => inner.each_call(f),
            Self::Binary(_, a, b) => {
                a.each_call(f);
                b.each_call(f);
            }
        }
    }
}

/// A statement of an action line.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A call for its effect.
    Do(Expr),
    /// `if (condition) statement`, and what `else` does.
    If(Expr, Box<Self>, Option<Box<Self>>),
    /// `return value`: whether an intrusion counts in follow-up influence.
    Return(Expr),
}

impl Statement {
    /// Calls `f` for every call in the statement.
    pub fn each_call(&self, f: &mut impl FnMut(&'static Function, &[Arg])) {
        match self {
            Self::Do(expr) | Self::Return(expr) => expr.each_call(f),
            Self::If(condition, then, otherwise) => {
                condition.each_call(f);
                then.each_call(f);
                if let Some(otherwise) = otherwise {
                    otherwise.each_call(f);
                }
            }
        }
    }
}

/// The named constants: the values of `status(x)`.
const CONSTANTS: [(&str, i32); 5] =
    [("DEAD", DEAD), ("ALIVE", ALIVE), ("CRITICAL", CRITICAL), ("UNKNOWN", UNKNOWN), ("WIN", 5)];

/// Text of several lines, each character with its place.
#[derive(Clone, Debug, Default)]
pub struct Source {
    chars: Vec<(char, Position)>,
}

impl Source {
    /// Adds a line's text that starts at this line and column.
    pub fn push(&mut self, text: &str, line: u32, column: u32) {
        for (i, c) in text.chars().chain([' ']).enumerate() {
            self.chars.push((c, Position { line, column: column + i as u32 }));
        }
    }

    /// Whether the rest is blank.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chars.iter().all(|(c, _)| c.is_whitespace())
    }
}

/// Parses a constraint.
///
/// # Errors
/// A diagnostic with the place of the first fault.
pub fn parse_constraint(source: &Source) -> Result<Expr, Diagnostic> {
    let mut parser = Parser::new(source);
    let expr = parser.binary(0)?;
    parser.skip(';');
    parser.end()?;
    Ok(expr)
}

/// Parses an action: statements with `;` between.
///
/// # Errors
/// A diagnostic with the place of the first fault.
pub fn parse_actions(source: &Source) -> Result<Vec<Statement>, Diagnostic> {
    let mut parser = Parser::new(source);
    let mut statements = Vec::new();
    while parser.peek().is_some() {
        statements.push(parser.statement()?);
        while parser.skip(';') {}
    }
    Ok(statements)
}

/// The deepest nesting of parentheses, `!` and `if`. People write fewer than ten.
const MAX_DEPTH: usize = 100;

/// The most operators of one constraint or action. A tree of them is as deep as they are many.
const MAX_OPERATORS: usize = 1000;

struct Parser<'a> {
    source: &'a Source,
    at: usize,
    depth: usize,
    operators: usize,
}

impl<'a> Parser<'a> {
    const fn new(source: &'a Source) -> Self {
        Self { source, at: 0, depth: 0, operators: 0 }
    }

    /// Parses something nested, unless it is nested too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(format!("nested deeper than {MAX_DEPTH}")));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.source.chars.get(self.at).is_some_and(|(c, _)| c.is_whitespace()) {
            self.at += 1;
        }
        self.source.chars.get(self.at).map(|&(c, _)| c)
    }

    fn skip(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += usize::from(there);
        there
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        let place = self.source.chars.get(self.at).or(self.source.chars.last());
        let error = Diagnostic::error(message);
        place.map_or(error.clone(), |&(_, at)| error.at(at))
    }

    fn expect(&mut self, wanted: char) -> Result<(), Diagnostic> {
        if self.skip(wanted) { Ok(()) } else { Err(self.error(format!("expected `{wanted}`"))) }
    }

    fn end(&mut self) -> Result<(), Diagnostic> {
        match self.peek() {
            None => Ok(()),
            Some(c) => Err(self
                .error(format!("`{c}` is left over"))
                .help("a constraint is one expression of `||`, `&&`, `!`, comparisons and calls")),
        }
    }

    fn operator(&mut self, level: usize) -> Option<Op> {
        self.peek()?;
        let rest = &self.source.chars[self.at..];
        Op::BY_LEVEL[level].iter().find_map(|&(text, op)| {
            let matches = text.chars().enumerate().all(|(i, c)| rest.get(i).is_some_and(|r| r.0 == c));
            matches.then(|| {
                self.at += text.len();
                op
            })
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expr, Diagnostic> {
        if level == Op::BY_LEVEL.len() {
            return self.unary();
        }
        let mut left = self.binary(level + 1)?;
        while let Some(op) = self.operator(level) {
            self.operators += 1;
            if self.operators > MAX_OPERATORS {
                return Err(self.error(format!("more than {MAX_OPERATORS} operators")));
            }
            let right = self.binary(level + 1)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Diagnostic> {
        match self.peek() {
            Some('!') => {
                self.at += 1;
                Ok(Expr::Not(Box::new(self.nested(Self::unary)?)))
            }
            Some('(') => {
                self.at += 1;
                let inner = self.nested(|parser| parser.binary(0))?;
                self.expect(')')?;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.word();
                digits.parse().map(Expr::Number).map_err(|_| self.error(format!("`{digits}` is no number")))
            }
            Some(c) if c.is_ascii_alphabetic() => self.name(),
            Some(c) => Err(self.error(format!("`{c}` begins no value"))),
            None => Err(self.error("the expression ends too early")),
        }
    }

    fn word(&mut self) -> String {
        let rest = &self.source.chars[self.at..];
        let word: String =
            rest.iter().map(|r| r.0).take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        self.at += word.len();
        word
    }

    fn name(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.at;
        let name = self.word();
        if let Some(&(_, value)) = CONSTANTS.iter().find(|(n, _)| *n == name) {
            return Ok(Expr::Number(value));
        }
        let Some(function) = functions::find(&name) else {
            self.at = start;
            let (message, help) = functions::missing(&name);
            return Err(self.error(message).help(help));
        };
        let args = self.args()?;
        if args.len() < function.least || args.len() > function.most {
            self.at = start;
            return Err(self.error(format!("`{name}` doesn't take {} arguments", args.len())));
        }
        Ok(Expr::Call(function, args))
    }

    fn args(&mut self) -> Result<Vec<Arg>, Diagnostic> {
        self.expect('(')?;
        let mut args = Vec::new();
        loop {
            match self.peek() {
                Some('?') => args.push(Arg::Tenuki),
                Some(c) if c.is_ascii_alphabetic() || c == '*' => args.push(Arg::Label(c)),
                _ => return Err(self.error("expected a label, `*` or `?`")),
            }
            self.at += 1;
            if !self.skip(',') {
                self.expect(')')?;
                return Ok(args);
            }
        }
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        self.peek();
        let start = self.at;
        if self.word() == keyword {
            return true;
        }
        self.at = start;
        false
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        if self.keyword("if") {
            self.expect('(')?;
            let condition = self.binary(0)?;
            self.expect(')')?;
            let then = Box::new(self.nested(Self::statement)?);
            let before = self.at;
            self.skip(';');
            if self.keyword("else") {
                return Ok(Statement::If(condition, then, Some(Box::new(self.nested(Self::statement)?))));
            }
            self.at = before;
            return Ok(Statement::If(condition, then, None));
        }
        if self.keyword("return") {
            return Ok(Statement::Return(self.binary(0)?));
        }
        Ok(Statement::Do(self.binary(0)?))
    }
}
