//! Turns the text of a rulesheet into tokens.

use super::fault::{Fault, GdlError, MAX_BYTES, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A word: anything without blanks, parentheses and `;`.
    Word,
    /// A word that begins with `?`.
    Variable,
    /// A comment from `;` to the end of the line (kept for the formatter).
    Comment,
}

/// One token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Its place.
    pub span: Span,
}

/// Splits a text into tokens. Blanks are dropped, comments kept.
#[must_use]
pub fn tokens(text: &str) -> (Vec<Token>, Vec<GdlError>) {
    if text.len() > MAX_BYTES {
        let span = Span { start: 0, end: 0 };
        return (Vec::new(), vec![GdlError { fault: Fault::TooLong, span }]);
    }
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len() / 4);
    let mut errors = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'(' | b')' => {
                at += 1;
                if bytes[start] == b'(' { TokenKind::Open } else { TokenKind::Close }
            }
            b';' => {
                at = end_of(bytes, at, |b| b == b'\n' || b == b'\r');
                TokenKind::Comment
            }
            b if is_blank(b) => {
                at += 1;
                continue;
            }
            first => {
                at = end_of(bytes, at, |b| is_blank(b) || matches!(b, b'(' | b')' | b';'));
                let word = &text[start..at];
                if word == "?" || word.bytes().any(|b| b.is_ascii_control() || matches!(b, b'"' | b'|')) {
                    let shown = word.chars().take(40).map(|c| if c.is_control() { '.' } else { c }).collect();
                    errors.push(GdlError { fault: Fault::BadToken(shown), span: Span { start, end: at } });
                    continue;
                }
                if first == b'?' { TokenKind::Variable } else { TokenKind::Word }
            }
        };
        found.push(Token { kind, span: Span { start, end: at } });
    }
    (found, errors)
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn end_of(bytes: &[u8], from: usize, stop: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|&b| stop(b)).map_or(bytes.len(), |n| from + n)
}
