//! Finds all faults of a RON text, not only the first.
//!
//! The reader of RON stops at the first fault. This module blanks out the field with its value, or the list element,
//! that contains the fault. Then it reads the text again, until there is no fault. Some faults only follow from a
//! blank, such as a missing field whose value was wrong. The module does not report such a fault, and also blanks out
//! the element around the blank.
//!
//! # Cost
//! The text is read once more for each fault. At most [`MOST`] faults are reported. Every blank removes a part of the
//! text, so the process ends.

use ron::error::{Error, SpannedError};

/// The most faults reported for one file.
const MOST: usize = 20;

/// One element of a bracket: a field with its value, or a value of a list. Offsets are bytes of the text.
#[derive(Clone, Debug)]
struct Element {
    /// The bracket it stands in.
    bracket: usize,
    start: usize,
    /// The place of its comma, or of the closing bracket.
    end: usize,
}

/// A pair of brackets.
#[derive(Clone, Debug)]
struct Bracket {
    /// The bracket around it.
    parent: Option<usize>,
    open: usize,
    close: usize,
    /// Something in it is blanked out.
    mended: bool,
}

/// The brackets of a text and their contents.
struct Outline {
    brackets: Vec<Bracket>,
    elements: Vec<Element>,
}

/// Reads `text` with `read`; every fault, in the order of the text, if there is one.
///
/// # Errors
/// The faults: at least one.
pub(super) fn all<T>(
    text: &str,
    read: impl Fn(&str) -> Result<T, SpannedError>,
) -> Result<T, Vec<SpannedError>> {
    let first = match read(text) {
        Ok(value) => return Ok(value),
        Err(fault) => placed(text, fault),
    };
    let Some(mut outline) = Outline::of(text) else { return Err(vec![first]) };
    let (mut text, mut faults, mut next) = (text.to_owned(), Vec::new(), Some(first));
    while let Some(fault) = next.take() {
        let offset = offset(&text, &fault);
        let (told, blank) = outline.mend(&text, offset, &fault.code);
        let syntax = matches!(fault.code, Error::ExpectedComma | Error::Eof);
        if told {
            faults.push(fault);
        }
        let Some(blank) = blank.filter(|_| !syntax && faults.len() < MOST) else { break };
        let less = blanked(&text, blank);
        // What is blank already does not get better: the fault is one of what stands around it.
        if less == text {
            break;
        }
        text = less;
        next = read(&text).err().map(|fault| placed(&text, fault));
    }
    faults.sort_by_key(|fault| (fault.span.start.line, fault.span.start.col));
    Err(faults)
}

impl Outline {
    /// The outline; `None` where the brackets don't match.
    fn of(text: &str) -> Option<Self> {
        let mut outline = Self { brackets: Vec::new(), elements: Vec::new() };
        let (mut open, mut start) = (Vec::<(usize, usize)>::new(), 0);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => at = end_of_string(bytes, at)?,
                b'\'' => at = end_of_char(bytes, at),
                b'r' if raw_hashes(&bytes[at..]).is_some() => at = end_of_raw(text, at)?,
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    at = text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => at = end_of_comment(bytes, at)?,
                b'(' | b'[' | b'{' => {
                    let parent = open.last().map(|&(bracket, _)| bracket);
                    open.push((outline.brackets.len(), start));
                    outline.brackets.push(Bracket { parent, open: at, close: at, mended: false });
                    start = at + 1;
                }
                b',' => {
                    let bracket = open.last()?.0;
                    outline.elements.push(Element { bracket, start, end: at });
                    start = at + 1;
                }
                b')' | b']' | b'}' => {
                    let (bracket, before) = open.pop()?;
                    outline.elements.push(Element { bracket, start, end: at });
                    outline.brackets[bracket].close = at;
                    start = before;
                }
                _ => {}
            }
            at += 1;
        }
        open.is_empty().then_some(outline)
    }

    /// Whether to report a fault at this place, and which element to blank out before the next reading. `None` if no
    /// element is left.
    fn mend(&mut self, text: &str, offset: usize, code: &Error) -> (bool, Option<Element>) {
        let missing = matches!(code, Error::MissingStructField { .. });
        let inner = |b: &Bracket| b.open < offset && offset <= b.close;
        let Some(bracket) = self.brackets.iter().rposition(inner) else { return (true, None) };
        let here = |e: &&Element| {
            e.bracket == bracket
                && e.start <= offset
                && offset <= e.end
                && !text[e.start..e.end].trim().is_empty()
        };
        let (told, blank) = match self.elements.iter().find(here) {
            Some(element) if !missing => (true, Some(element.clone())),
            _ => (!self.brackets[bracket].mended, self.around(bracket)),
        };
        if let Some(element) = &blank {
            self.brackets[element.bracket].mended = true;
        }
        (told, blank)
    }

    /// The element that a bracket is part of.
    fn around(&self, bracket: usize) -> Option<Element> {
        let Bracket { parent, open, .. } = self.brackets[bracket];
        self.elements.iter().find(|e| Some(e.bracket) == parent && e.start <= open && open <= e.end).cloned()
    }
}

/// The text with an element and its comma blanked out; lines and columns stay.
fn blanked(text: &str, element: Element) -> String {
    let end = if text.as_bytes().get(element.end) == Some(&b',') { element.end + 1 } else { element.end };
    let blank = text[element.start..end].chars().map(|c| if c == '\n' { c } else { ' ' });
    // A character is one column, however many bytes it has: the spaces keep the columns, and the bytes by padding.
    let mut spaces: String = blank.collect();
    let missing = (end - element.start) - spaces.len();
    spaces.extend(std::iter::repeat_n(' ', missing));
    format!("{}{spaces}{}", &text[..element.start], &text[end..])
}

/// A fault at its value: the reader places some at the blanks before it.
fn placed(text: &str, mut fault: SpannedError) -> SpannedError {
    fault.span.start.col += text[offset(text, &fault)..].chars().take_while(|&c| c == ' ').count();
    fault
}

/// The byte at which a fault begins.
fn offset(text: &str, fault: &SpannedError) -> usize {
    let (line, column) = (fault.span.start.line, fault.span.start.col);
    let start =
        if line <= 1 { 0 } else { text.match_indices('\n').nth(line - 2).map_or(text.len(), |(n, _)| n + 1) };
    text[start..].char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(n, _)| start + n)
}

/// The place of the closing quote of a string that begins at `at`.
fn end_of_string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut n = at + 1;
    while *bytes.get(n)? != b'"' {
        n += if bytes[n] == b'\\' { 2 } else { 1 };
    }
    Some(n)
}

/// The place of the closing quote of a character. Without one (a lifetime or an apostrophe) it is the place itself.
fn end_of_char(bytes: &[u8], at: usize) -> usize {
    let escaped = bytes.get(at + 1) == Some(&b'\\');
    let close = (at + if escaped { 3 } else { 2 }..at + 12).find(|&n| bytes.get(n) == Some(&b'\''));
    close.unwrap_or(at)
}

/// The number of `#` of a raw string that begins here; `None` if no raw string begins here.
fn raw_hashes(bytes: &[u8]) -> Option<usize> {
    let hashes = bytes[1..].iter().take_while(|&&b| b == b'#').count();
    (bytes.get(1 + hashes) == Some(&b'"')).then_some(hashes)
}

/// The place of the last character of a raw string.
fn end_of_raw(text: &str, at: usize) -> Option<usize> {
    let hashes = raw_hashes(&text.as_bytes()[at..])?;
    let close = format!("\"{}", "#".repeat(hashes));
    let begin = at + hashes + 2;
    Some(begin + text.get(begin..)?.find(&close)? + hashes)
}

/// The place of the last character of a comment between `/*` and `*/`, which may hold others.
fn end_of_comment(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut depth, mut n) = (0, at);
    loop {
        match bytes.get(n..n + 2)? {
            b"/*" => {
                depth += 1;
                n += 2;
            }
            b"*/" => {
                depth -= 1;
                n += 2;
            }
            _ => n += 1,
        }
        if depth == 0 {
            return Some(n - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read, never looked at")]
    struct Sheet {
        name: String,
        task: Task,
        #[serde(default)]
        tasks: Vec<Task>,
        #[serde(default)]
        count: u32,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read, never looked at")]
    enum Task {
        Count { to: u32 },
        Wait(u64),
        Rest,
    }

    /// The columns of reported faults.
    fn columns(text: &str) -> Vec<usize> {
        let faults =
            all::<Sheet>(text, |text| ron::Options::default().from_str(text)).err().unwrap_or_default();
        faults.iter().map(|fault| fault.span.start.col).collect()
    }

    #[test]
    fn every_fault_is_told_once_and_none_that_only_follows_from_another() {
        let table: &[(&str, &[usize])] = &[
            (r#"(name: "a", task: Rest)"#, &[]),
            (r#"(name: "a", task: Rust, count: -1)"#, &[19, 33]),
            (r#"(name: 5, task: Rust, size: 3)"#, &[8, 17, 23]),
            // The field is missing since its value was wrong: that is one fault.
            (r#"(name: "a", task: Count(to: "x"), count: true)"#, &[29, 42]),
            (r#"(name: "a", task: Wait("x"), count: true)"#, &[24, 37]),
            (r#"(name: "a", task: Count(), count: 'x')"#, &[25, 35]),
            (
                r#"(name: "ü", task: Rest, tasks: [Wait(1), Walk, Wait("ü"), Rest, Count(too: 1)])"#,
                &[42, 53, 78],
            ),
            // Brackets, commas and quotes within strings and comments are none.
            (r##"(name: r#"a","),("#, /* ),( /* " */ */ task: Rust, count: 'x')"##, &[46, 59]),
            (r#"(name: "a\"),", task: Rust, count: ')')"#, &[23, 36]),
            // What is open or not parted is told as it is found.
            (r#"(name: "a" task: Rust, count: true)"#, &[12]),
            (r#"(name: 5, task: Rust"#, &[8]),
        ];
        for (text, expected) in table {
            assert_eq!(columns(text), *expected, "{text}");
        }
    }

    #[test]
    fn a_fault_that_stays_when_what_it_stands_in_is_blank_ends_the_look() {
        // Found by fuzzing: the reader faults at a place whose element is blank already.
        let text = "(v\u{fffd}rsion: 1, scenes: [9na\ne: \"a\", : Sgf(gl\u{fffd}b: \"*.sgf\", every: 10), task: y: 10), task: Analyse]";
        let fault = crate::scene::load::parse(std::path::Path::new("a.ron"), text.into());
        assert!(fault.is_err());
    }

    #[test]
    fn a_file_of_nothing_but_faults_ends() {
        let text = format!("(name: \"a\", task: Rest, tasks: [{}])", "Walk, ".repeat(1000));
        assert_eq!(columns(&text).len(), MOST);
        for torn in 0..text.len().min(200) {
            assert!(!columns(&text[..torn]).is_empty(), "{torn} bytes");
        }
    }
}
