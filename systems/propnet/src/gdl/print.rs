//! Writes a rulesheet in one style: the formatter.
//!
//! # Style
//! 1. Each rule or fact has its own line. Words are in lower case, with one blank between them.
//! 2. A rule of two literals or more has its head on the first line, then each literal on a line of its own.
//! 3. A list that is too long for a line is broken after its first word. Each further part has a line of its own.
//! 4. A comment stays where it is: at the end of its line, or on a line of its own.
//! 5. Several blank lines between rules become one.
//!
//! Only white space and the case of letters change, so the rules mean the same. Formatting a formatted text changes
//! nothing.

use super::lexer::{TokenKind, tokens};
use super::{GdlError, sexp};

/// The widest line that the formatter writes, where it can break a line.
const WIDTH: usize = 90;
/// The blanks before a part of a broken list.
const INDENT: usize = 4;

/// A part of the text.
enum Node {
    Word(String),
    List(Vec<Self>),
    /// A comment, and whether it stands behind something on its line.
    Comment(String, bool),
}

/// A part between rules, and whether a blank line stands before it.
struct Top {
    node: Node,
    blank: bool,
}

/// The text in one style.
///
/// # Errors
/// Faults of parentheses and words: then nobody knows what belongs together.
pub fn format(text: &str) -> Result<String, Vec<GdlError>> {
    let (_, errors) = sexp::read(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut out = String::with_capacity(text.len());
    for Top { node, blank } in nodes(text) {
        let behind = matches!(node, Node::Comment(_, true));
        if behind && out.ends_with('\n') {
            out.pop();
            out.push(' ');
        } else if blank && !out.is_empty() {
            out.push('\n');
        }
        write(&mut out, &node, 0, true);
        out.push('\n');
    }
    Ok(out)
}

/// The parts of a text whose parentheses match.
fn nodes(text: &str) -> Vec<Top> {
    let mut top: Vec<Top> = Vec::new();
    let mut open: Vec<(Vec<Node>, bool)> = Vec::new();
    let mut last = 0;
    for token in tokens(text).0 {
        let gap = &text[last..token.span.start];
        let new_lines = gap.replace("\r\n", "\n").matches(['\n', '\r']).count();
        let blank = new_lines > 1;
        last = token.span.end;
        let word = &text[token.span.start..token.span.end];
        let (node, blank) = match token.kind {
            TokenKind::Open => {
                open.push((Vec::new(), blank));
                continue;
            }
            TokenKind::Close => match open.pop() {
                Some((parts, blank)) => (Node::List(parts), blank),
                None => continue,
            },
            TokenKind::Comment => {
                (Node::Comment(word.trim_end().to_owned(), new_lines == 0 && token.span.start > 0), blank)
            }
            TokenKind::Word | TokenKind::Variable => (Node::Word(word.to_ascii_lowercase()), blank),
        };
        match open.last_mut() {
            Some((parts, _)) => parts.push(node),
            None => top.push(Top { node, blank }),
        }
    }
    top
}

/// The part on one line; `None` if it has a comment.
fn flat(node: &Node) -> Option<String> {
    match node {
        Node::Word(word) => Some(word.clone()),
        Node::Comment(..) => None,
        Node::List(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(flat).collect();
            Some(format!("({})", parts?.join(" ")))
        }
    }
}

fn write(out: &mut String, node: &Node, indent: usize, top: bool) {
    let parts = match node {
        Node::Word(text) | Node::Comment(text, _) => return out.push_str(text),
        Node::List(parts) => parts,
    };
    let is_rule = top && matches!(parts.first(), Some(Node::Word(word)) if word == "<=");
    let literals = parts.iter().filter(|part| !matches!(part, Node::Comment(..))).count().saturating_sub(2);
    if let Some(line) = flat(node).filter(|_| !(is_rule && literals > 1))
        && indent + line.chars().count() <= WIDTH
    {
        return out.push_str(&line);
    }
    let new_line = |out: &mut String, indent: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    };
    // The parts that stay on the first line.
    let mut first: usize = if is_rule { 2 } else { 1 };
    let mut after_comment = false;
    out.push('(');
    for (n, part) in parts.iter().enumerate() {
        let comment = matches!(part, Node::Comment(..));
        let same_line =
            if let Node::Comment(_, behind) = part { *behind && !after_comment } else { first > 0 };
        if !same_line {
            new_line(out, indent + INDENT);
        } else if n > 0 {
            out.push(' ');
        }
        write(out, part, indent + INDENT, false);
        after_comment = comment;
        first = if comment { 0 } else { first.saturating_sub(1) };
    }
    if after_comment {
        new_line(out, indent);
    }
    out.push(')');
}
