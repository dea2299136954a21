//! Turns the tokens of a rulesheet into nested lists.

use super::fault::{Fault, GdlError, MAX_DEPTH, Span};
use super::lexer::{TokenKind, tokens};

/// A word, a variable or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A word or a variable (which keeps its `?`), in lower case.
    Word(String, Span),
    /// A list.
    List(Vec<Self>, Span),
}

impl Sexp {
    /// Its place.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Word(_, span) | Self::List(_, span) => *span,
        }
    }
}

/// Reads all top-level expressions of `text`; after a fault it goes on with the text that follows.
#[must_use]
pub fn read(text: &str) -> (Vec<Sexp>, Vec<GdlError>) {
    let (found, mut errors) = tokens(text);
    let mut top = Vec::new();
    let mut open: Vec<(Vec<Sexp>, usize)> = Vec::new();
    let mut too_deep = 0_usize;
    for token in found {
        let span = token.span;
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Open if open.len() >= MAX_DEPTH => {
                if too_deep == 0 && !errors.iter().any(|e| e.fault == Fault::TooDeep) {
                    errors.push(GdlError { fault: Fault::TooDeep, span });
                }
                too_deep += 1;
            }
            TokenKind::Open => {
                // A `(` in the first column inside a list is the next rule: its predecessor lacks a `)`.
                if !open.is_empty() && is_new_rule(text, span.start) {
                    let (_, start) = open[0];
                    errors.push(GdlError { fault: Fault::Unclosed, span: Span { start, end: start + 1 } });
                    open.clear();
                }
                open.push((Vec::new(), span.start));
            }
            TokenKind::Close if too_deep > 0 => too_deep -= 1,
            TokenKind::Close => match open.pop() {
                None => errors.push(GdlError { fault: Fault::Unopened, span }),
                Some((items, start)) => {
                    let list = Sexp::List(items, Span { start, end: span.end });
                    open.last_mut().map_or(&mut top, |(items, _)| items).push(list);
                }
            },
            TokenKind::Word | TokenKind::Variable => {
                let word = Sexp::Word(text[span.start..span.end].to_ascii_lowercase(), span);
                open.last_mut().map_or(&mut top, |(items, _)| items).push(word);
            }
        }
    }
    if let Some(&(_, start)) = open.first() {
        errors.push(GdlError { fault: Fault::Unclosed, span: Span { start, end: start + 1 } });
    }
    (top, errors)
}

/// Whether `(<=` stands in the first column here: that never happens inside a rule.
fn is_new_rule(text: &str, at: usize) -> bool {
    let first_column = at == 0 || text.as_bytes()[at - 1] == b'\n';
    first_column && text[at..].starts_with("(<=")
}
