//! Diagnostics: one type for every fault in an input that a person wrote.
//!
//! Parsers of every domain return a value and a list of [`Diagnostic`]s, or a `thiserror` enum that converts into one.
//! This crate prints nothing. The program prints diagnostics, and the records of a batch contain them.

use crate::safe_text::escaped;
use serde::Serialize;
use std::fmt;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is used, but a person should check it.
    Warning,
}

/// A place in a text. Lines and columns are counted from 1, and columns are counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The place of the byte at `offset` in `text`. An offset past the end gives the place after the last character.
    #[must_use]
    pub fn of_offset(text: &str, offset: usize) -> Self {
        let mut end = offset.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
        let column = u32::try_from(before[line_start..].chars().count() + 1).unwrap_or(u32::MAX);
        Self { line, column }
    }
}

/// One fault or warning: its message, its place, and one line of help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of a warning, if it has one. `docs/warnings.md` lists all kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The fault, in one sentence without a full stop.
    pub message: String,
    /// The file as the user named it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The place in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// One line of help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error with this message.
    #[must_use]
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            kind: None,
            message: message.into(),
            file: None,
            at: None,
            help: None,
        }
    }

    /// A warning with this message.
    #[must_use]
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// This diagnostic with a kind.
    #[must_use]
    pub const fn of_kind(mut self, kind: &'static str) -> Self {
        self.kind = Some(kind);
        self
    }

    /// This diagnostic with a file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// This diagnostic with a place.
    #[must_use]
    pub fn at(mut self, at: Position) -> Self {
        self.at = Some(at);
        self
    }

    /// This diagnostic with one line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:column: error: message [kind]` and, on a second line, `  help: ...`, control characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", escaped(file))?;
        }
        if let Some(at) = self.at {
            write!(f, "{}:{}:", at.line, at.column)?;
        }
        if self.file.is_some() || self.at.is_some() {
            write!(f, " ")?;
        }
        match self.severity {
            Severity::Error => write!(f, "error: {}", escaped(&self.message))?,
            Severity::Warning => write!(f, "warning: {}", escaped(&self.message))?,
        }
        if let Some(kind) = self.kind {
            write!(f, " [{kind}]")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", escaped(help))?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_becomes_line_and_column_in_characters() {
        let text = "ab\ncäd\n";
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (6, 2, 3), (99, 3, 1)] {
            assert_eq!(Position::of_offset(text, offset), Position { line, column }, "offset {offset}");
        }
    }

    #[test]
    fn a_diagnostic_never_prints_control_characters() {
        let d = Diagnostic::error("a \u{1b}[2J b").in_file("c\r.ron").help("d\u{9b}");
        assert_eq!(d.to_string(), "c\\u{d}.ron: error: a \\u{1b}[2J b\n  help: d\\u{9b}");
    }

    #[test]
    fn a_diagnostic_prints_place_message_and_help() {
        let d = Diagnostic::error("unknown field `x`")
            .in_file("a.ron")
            .at(Position { line: 2, column: 7 })
            .help("the fields are `name`, `game`");
        assert_eq!(
            d.to_string(),
            "a.ron:2:7: error: unknown field `x`\n  help: the fields are `name`, `game`"
        );
    }
}
