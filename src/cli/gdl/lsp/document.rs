//! A rulesheet that is open in an editor: its text, its lines, and its errors and warnings.

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};
use tengen_propnet::gdl::Span;
use tengen_propnet::gdl::words::Word;
use tengen_propnet::review::{self, Review};

/// A text as an editor holds it.
pub(super) struct Document {
    /// The editor's number of the text.
    pub(super) version: i32,
    text: String,
    /// The byte at which each line begins.
    lines: Vec<usize>,
    review: Option<Review>,
}

impl Document {
    pub(super) fn new(text: String, version: i32) -> Self {
        Self { version, lines: line_starts(&text), text, review: None }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Takes changes over; one without a range is the whole text.
    pub(super) fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, version: i32) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let (start, end) = (self.offset(range.start), self.offset(range.end));
                    self.text.replace_range(start.min(end)..end.max(start), &change.text);
                }
            }
            self.lines = line_starts(&self.text);
        }
        self.version = version;
        self.review = None;
    }

    /// The rules, with their errors and warnings.
    pub(super) fn review(&mut self) -> &Review {
        self.review.get_or_insert_with(|| review::rules(&self.text))
    }

    /// The words, with the text.
    pub(super) fn words(&mut self) -> (&[Word], &str) {
        let review = self.review.get_or_insert_with(|| review::rules(&self.text));
        (&review.words, &self.text)
    }

    /// The word under a position.
    pub(super) fn word(&mut self, at: Position) -> Option<Word> {
        let offset = self.offset(at);
        let touches = |word: &&Word| word.span.start <= offset && offset <= word.span.end;
        self.review().words.iter().find(touches).cloned()
    }

    /// A byte, on the boundary of a character. Places behind a line or the text are at its end.
    pub(super) fn offset(&self, at: Position) -> usize {
        let Some(&start) = self.lines.get(at.line as usize) else { return self.text.len() };
        let next = self.lines.get(at.line as usize + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..next].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (byte, letter) in line.char_indices() {
            if units >= at.character as usize {
                return start + byte;
            }
            units += letter.len_utf16();
        }
        start + line.len()
    }

    /// The line, and the column in units of UTF-16.
    pub(super) fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let units = self.text[self.lines[line]..offset].encode_utf16().count();
        Position::new(number(line), number(units))
    }

    pub(super) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    /// The comment lines right above a place, without their semicolons.
    pub(super) fn comment_above(&self, offset: usize) -> String {
        let mut line = self.position(offset).line as usize;
        let mut found = Vec::new();
        while line > 0 && found.len() < 20 {
            line -= 1;
            let text = self.text[self.lines[line]..self.lines[line + 1]].trim();
            let Some(comment) = text.strip_prefix(';') else { break };
            found.push(comment.trim_start_matches(';').trim());
        }
        found.reverse();
        found.join("\n")
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Lines end by LF, CR LF or CR.
fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = |&(at, &b): &(usize, &u8)| b == b'\n' || b == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    std::iter::once(0).chain(bytes.iter().enumerate().filter(ends).map(|(at, _)| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_units_of_utf_16() {
        let document = Document::new("(p \u{1f600}a)\r\nä b\rc".into(), 1);
        for (offset, line, column) in
            [(0, 0, 0), (3, 0, 3), (7, 0, 5), (8, 0, 6), (11, 1, 0), (13, 1, 1), (16, 2, 0)]
        {
            assert_eq!(document.position(offset), Position::new(line, column), "{offset}");
            assert_eq!(document.offset(Position::new(line, column)), offset, "{line} {column}");
        }
        assert_eq!(document.offset(Position::new(0, 99)), 9);
        assert_eq!(document.offset(Position::new(99, 0)), 17);
    }

    #[test]
    fn changes_go_to_their_places_and_backward_ranges_do_no_harm() {
        let mut document = Document::new("(role a)\n".into(), 1);
        let range = |a: u32, b: u32| Some(Range::new(Position::new(0, a), Position::new(0, b)));
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.into(),
        };
        document.change(vec![change(range(6, 7), "bob"), change(range(3, 1), "x")], 2);
        assert_eq!((document.text(), document.version), ("(xle bob)\n", 2));
        document.change(vec![change(None, "")], 3);
        assert_eq!(document.text(), "");
    }
}
