//! Splits PGN text into tokens with their places: tag lines, words, brackets. It skips comments, and lines that begin
//! with `%`.

use super::loose;

/// The token at a place of a text, without comments and skipped lines.
pub(super) enum Token<'a> {
    /// A line that begins with `[`.
    TagLine(&'a str),
    /// `(`, with its line.
    Open,
    /// `)`.
    Close,
    /// Anything else up to the next blank, comment or bracket.
    Word(&'a str),
}

/// Reads tokens of a text, with their places.
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) line: usize,
    /// Whether the text begins a line.
    pub(super) begins_line: bool,
    /// A comment that began at this offset and line has no end.
    pub(super) open_comment: Option<(usize, usize)>,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str, line: usize) -> Self {
        Self { text, at: 0, line, begins_line: true, open_comment: None }
    }

    /// The rest of the current line, without its end.
    fn rest_of_line(&self) -> &'a str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())]
    }

    /// The next token, and where it begins: its offset and line.
    pub(super) fn next(&mut self) -> Option<(Token<'a>, usize, usize)> {
        let bytes = self.text.as_bytes();
        let mut first_of_line = match self.at.checked_sub(1) {
            Some(before) => matches!(bytes[before], b'\n' | b'\r'),
            None => self.begins_line,
        };
        while let Some(&byte) = bytes.get(self.at) {
            let begun = (self.at, self.line);
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                    first_of_line = true;
                    continue;
                }
                // A line that ends by CR alone; CR LF ends with its LF.
                b'\r' => {
                    self.at += 1;
                    if bytes.get(self.at) != Some(&b'\n') {
                        self.line += 1;
                        first_of_line = true;
                    }
                    continue;
                }
                byte if byte.is_ascii_whitespace() || byte == 0x1a => {
                    self.at += 1;
                    continue;
                }
                // The mark of a file that was joined to others.
                0xef if self.text[self.at..].starts_with('\u{feff}') => {
                    self.at += '\u{feff}'.len_utf8();
                    continue;
                }
                b'{' => match self.text[self.at..].find('}') {
                    Some(length) => {
                        self.line += loose::line_ends(&bytes[self.at..self.at + length]);
                        self.at += length + 1;
                    }
                    None => {
                        self.open_comment = Some(begun);
                        self.at = bytes.len();
                    }
                },
                b';' => self.at += self.rest_of_line().len(),
                b'%' if first_of_line => self.at += self.rest_of_line().len(),
                b'[' if first_of_line => {
                    let line = self.rest_of_line();
                    self.at += line.len();
                    return Some((Token::TagLine(line.trim_end()), begun.0, begun.1));
                }
                b'(' | b')' => {
                    self.at += 1;
                    let token = if byte == b'(' { Token::Open } else { Token::Close };
                    return Some((token, begun.0, begun.1));
                }
                _ => {
                    let rest = &self.text[self.at..];
                    let length = loose::word(rest);
                    self.at += length;
                    return Some((Token::Word(&rest[..length]), begun.0, begun.1));
                }
            }
            first_of_line = false;
        }
        None
    }
}

/// The column of an offset, from 1; the first line begins at `first`.
pub(super) fn column(text: &str, offset: usize, first: usize) -> usize {
    let before = &text[..offset];
    // The mark of a file that was joined to others is no letter.
    let letters = |text: &str| text.chars().filter(|c| *c != '\u{feff}').count();
    match before.rfind(['\n', '\r']) {
        Some(end) => letters(&before[end + 1..]) + 1,
        None => letters(before) + first,
    }
}

/// Name and value of a tag line.
pub(super) fn tag(line: &str) -> Option<(&str, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let value = rest.trim().strip_prefix('"')?.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((name, if value.contains('\\') { unescaped(value) } else { value.to_owned() }))
}

fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}
