//! Reads rulesheets. Text becomes tokens, then nested lists, then rules. Every fault has its place in the text.
//!
//! [`read`] never fails and never panics. It returns the part that it could read, and all faults.

pub mod advice;
pub mod ast;
pub mod check;
pub mod fault;
pub mod lexer;
pub mod parse;
pub mod print;
pub mod sexp;
pub mod similar;
#[cfg(test)]
mod tests;
pub mod words;

pub use ast::{Atom, Formula, Rule, Rulesheet, Symbol, Term};
pub use fault::{Fault, GdlError, Span};

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
