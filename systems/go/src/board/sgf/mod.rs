//! Game records in SGF. The module parses a record into a tree, plays the tree to a position, and writes records.
//!
//! # Source
//! Hollosi, "SGF File Format FF\[4\]" (red-bean.com/sgf, 1999), the part that concerns Go. A loader's treatment of
//! handicap, komi and the colour to move follows the habits of the public GTP suites (see [`load`]).

mod encoding;
pub mod kinds;
mod load;
mod parse;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_files;
mod write;

pub use load::{Game, Until, load};
pub use parse::{games, parse};
pub use write::{record, write};

use super::{Color, Vertex};
use tengen_core::{Diagnostic, Position};

/// The number of a node in its [`Tree`].
pub type NodeId = usize;

/// A property with its values: `AB[aa][bb]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name in capitals; small letters of old files are left out.
    pub name: String,
    /// The values, escapes undone.
    pub values: Vec<String>,
    /// The offset of its beginning in the text, in bytes.
    pub offset: usize,
}

/// A node: its properties and its place in the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// In the order of the file.
    pub properties: Vec<Property>,
    /// The node before; `None` for the root.
    pub parent: Option<NodeId>,
    /// The nodes after, the main line first.
    pub children: Vec<NodeId>,
}

impl Node {
    /// The first value of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|p| p.name == name)?.values.first().map(String::as_str)
    }

    /// Adds a value to a property, new or there already.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        match self.properties.iter_mut().find(|p| p.name == name) {
            Some(property) => property.values.push(value.into()),
            None => {
                let property = Property { name: name.into(), values: vec![value.into()], offset: 0 };
                self.properties.push(property);
            }
        }
    }
}

/// A game tree; node 0 is its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All nodes, parents before children.
    pub nodes: Vec<Node>,
    /// Closing brackets that the text left out at its end: worth a warning.
    pub unclosed: usize,
    /// The warnings of reading it.
    pub warnings: Vec<SgfWarning>,
}

/// Something of a record that is read otherwise than it stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfWarning {
    /// One of [`kinds`].
    pub kind: &'static str,
    /// What, in one sentence without a full stop.
    pub message: String,
    /// Where, in bytes.
    pub offset: usize,
}

impl SgfWarning {
    fn new(kind: &'static str, message: impl Into<String>, offset: usize) -> Self {
        Self { kind, message: message.into(), offset }
    }

    /// As a diagnostic; `text` is the record, to find the line of the offset.
    #[must_use]
    pub fn diagnostic(&self, text: &[u8]) -> Diagnostic {
        let warning = Diagnostic::warning(&self.message).of_kind(self.kind).at(place(text, self.offset));
        match kinds::help(self.kind) {
            Some(help) => warning.help(help),
            None => warning,
        }
    }
}

impl Tree {
    /// A tree with an empty root.
    #[must_use]
    pub fn new() -> Self {
        Self { nodes: vec![Node::default()], ..Self::default() }
    }

    /// Adds an empty node after another, as its last variation.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(Node { parent: Some(parent), ..Node::default() });
        self.nodes[parent].children.push(id);
        id
    }

    /// The line that takes variation `path[i]` at the i-th branching. It takes the first variation after the end of
    /// the path, or if `path[i]` does not exist.
    #[must_use]
    pub fn line(&self, path: &[usize]) -> Vec<NodeId> {
        let mut choices = path.iter();
        let mut line = Vec::new();
        let mut at = (!self.nodes.is_empty()).then_some(0);
        while let Some(id) = at {
            line.push(id);
            let children = &self.nodes[id].children;
            let choice = if children.len() > 1 { choices.next().copied().unwrap_or(0) } else { 0 };
            at = children.get(choice).or(children.first()).copied();
        }
        line
    }
}

/// A fault of a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// There is no game tree in the text.
    #[error("there is no game tree: no `(;`")]
    NoTree,
    /// The text is in UTF-16, and no mark at its beginning says which.
    #[error("the record seems to be in UTF-16, without the mark that says so")]
    Utf16,
    /// More of something than a record of a game ever has.
    #[error("the record has more than {most} {what}")]
    TooLarge {
        /// The limited thing.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// The text ends in the middle of something.
    #[error("the record ends in the middle of {inside}")]
    Truncated {
        /// The part that was being read.
        inside: &'static str,
        /// The place, in bytes and as line and column.
        offset: usize,
        /// The same.
        at: Position,
    },
    /// A character that is not allowed there.
    #[error("`{found}` can't stand here, {expected} can")]
    Unexpected {
        /// The character.
        found: char,
        /// The expected text.
        expected: &'static str,
        /// In bytes.
        offset: usize,
        /// The same as line and column.
        at: Position,
    },
    /// A property value that means nothing.
    #[error("`{name}[{value}]` means nothing: {reason}")]
    Value {
        /// The property.
        name: String,
        /// Its value.
        value: String,
        /// The fault.
        reason: &'static str,
        /// In bytes.
        offset: usize,
    },
}

impl SgfError {
    /// As a diagnostic; `text` is the record, to find the line of an offset.
    #[must_use]
    pub fn diagnostic(&self, text: &[u8]) -> Diagnostic {
        let base = Diagnostic::error(self.to_string());
        match self {
            Self::NoTree | Self::TooLarge { .. } => base.help("a record begins with `(;`"),
            Self::Utf16 => base.help("save it in UTF-8"),
            Self::Truncated { at, .. } => base.at(*at).help("the file seems cut off: fetch it again"),
            Self::Unexpected { at, .. } => {
                base.at(*at).help("look for a `]` that is missing before this place")
            }
            Self::Value { offset, .. } => base.at(place(text, *offset)).help("see the FF[4] specification"),
        }
    }
}

/// Line and column of a byte offset in a text of any encoding.
fn place(text: &[u8], offset: usize) -> Position {
    let (text, _) = encoding::unmarked(text);
    let before = String::from_utf8_lossy(&text[..offset.min(text.len())]);
    Position::of_offset(&before, before.len())
}

/// A point of SGF, `aa` the top left; a pass if empty, or `tt` on boards up to 19.
#[must_use]
pub fn vertex_from_sgf(text: &str, size: usize) -> Option<Vertex> {
    let text = text.trim();
    if text.is_empty() || (text == "tt" && size <= 19) {
        return Some(Vertex::PASS);
    }
    let &[col, row] = text.as_bytes() else { return None };
    let index = |c: u8| c.is_ascii_lowercase().then(|| usize::from(c - b'a')).filter(|&i| i < size);
    Some(Vertex::new(index(row)?, index(col)?, size))
}

/// A vertex as SGF writes it; empty for a pass.
#[must_use]
pub fn vertex_to_sgf(v: Vertex, size: usize) -> String {
    if v == Vertex::PASS {
        return String::new();
    }
    let letter = |i: usize| (b'a' + i as u8) as char;
    [letter(v.col(size)), letter(v.row(size))].iter().collect()
}

/// The property name of a move of this colour.
#[must_use]
pub const fn move_name(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}
