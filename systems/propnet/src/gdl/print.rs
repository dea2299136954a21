//! Prints rules as text in one style: the formatter.

use super::ast::{Atom, Formula, Rule, Rulesheet, Symbols, Term};
use super::lexer::{TokenKind, tokens};
use std::fmt::Write as _;

/// The widest line that the formatter writes, where it can break a line.
const WIDTH: usize = 90;

/// The whole rulesheet, one rule per paragraph line: facts on one line, each literal of a rule on its own. Comments
/// that stand between rules are kept in their places; comments inside a rule move above it.
#[must_use]
pub fn format(text: &str, sheet: &Rulesheet) -> String {
    let comments: Vec<_> = tokens(text).0.into_iter().filter(|t| t.kind == TokenKind::Comment).collect();
    let mut comments = comments.into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    let mut last_end = 0;
    for rule in &sheet.rules {
        while let Some(comment) = comments.next_if(|c| c.span.start < rule.span.end) {
            blank_line(&mut out, text, last_end, comment.span.start);
            last_end = comment.span.end;
            out.push_str(text[comment.span.start..comment.span.end].trim_end());
            out.push('\n');
        }
        blank_line(&mut out, text, last_end, rule.span.start);
        last_end = rule.span.end.max(last_end);
        write_rule(&mut out, &sheet.symbols, rule);
    }
    for comment in comments {
        blank_line(&mut out, text, last_end, comment.span.start);
        last_end = comment.span.end;
        out.push_str(text[comment.span.start..comment.span.end].trim_end());
        out.push('\n');
    }
    out
}

/// Keeps one blank line where the text had some.
fn blank_line(out: &mut String, text: &str, from: usize, to: usize) {
    let newlines = text.get(from..to).map_or(0, |gap| gap.matches('\n').count());
    if newlines > 1 && !out.is_empty() {
        out.push('\n');
    }
}

fn write_rule(out: &mut String, symbols: &Symbols, rule: &Rule) {
    let head = atom(symbols, rule, &rule.head);
    if rule.body.is_empty() {
        let _ = writeln!(out, "{head}");
        return;
    }
    let body: Vec<String> = rule.body.iter().map(|f| formula(symbols, rule, f)).collect();
    let one_line = format!("(<= {head} {})", body.join(" "));
    if body.len() == 1 && one_line.len() <= WIDTH {
        let _ = writeln!(out, "{one_line}");
    } else {
        let _ = writeln!(out, "(<= {head}\n    {})", body.join("\n    "));
    }
}

fn formula(symbols: &Symbols, rule: &Rule, f: &Formula) -> String {
    let list = |word: &str, parts: &[Formula]| {
        let parts: Vec<_> = parts.iter().map(|p| format!(" {}", formula(symbols, rule, p))).collect();
        format!("({word}{})", parts.concat())
    };
    match f {
        Formula::Atom(a) => atom(symbols, rule, a),
        Formula::Distinct(a, b, _) => {
            format!("(distinct {} {})", term(symbols, rule, a), term(symbols, rule, b))
        }
        Formula::Not(inner, _) => list("not", std::slice::from_ref(inner)),
        Formula::And(parts, _) => list("and", parts),
        Formula::Or(parts, _) => list("or", parts),
    }
}

fn atom(symbols: &Symbols, rule: &Rule, a: &Atom) -> String {
    if a.args.is_empty() { symbols.name(a.name).to_owned() } else { compound(symbols, rule, a.name, &a.args) }
}

fn compound(symbols: &Symbols, rule: &Rule, name: super::Symbol, args: &[Term]) -> String {
    let args: Vec<_> = args.iter().map(|a| format!(" {}", term(symbols, rule, a))).collect();
    format!("({}{})", symbols.name(name), args.concat())
}

fn term(symbols: &Symbols, rule: &Rule, t: &Term) -> String {
    match t {
        Term::Variable(v) => rule.variables[*v as usize].clone(),
        Term::Constant(c) => symbols.name(*c).to_owned(),
        Term::Compound(name, args) => compound(symbols, rule, *name, args),
    }
}
