//! Makes untrusted texts safe for terminals, JSON and spreadsheets.

use std::borrow::Cow;

/// Whether a character could make a reader see a different text: it moves a terminal's cursor, or changes the order
/// of the shown letters.
#[must_use]
pub fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text that is safe for a terminal. Characters that deceive are written as escapes (`\u{1b}`). Ends of lines and
/// tabs stay.
///
/// ```
/// use tengen_core::escaped;
/// assert_eq!(escaped("a\u{1b}[2J\u{202e}b\n"), "a\\u{1b}[2J\\u{202e}b\n");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_unless(text, |c| c == '\n' || c == '\t')
}

/// A part of a line, such as a name or a cell, that is safe for a terminal. Ends of lines and tabs are also written as
/// escapes.
///
/// ```
/// use tengen_core::escaped_line;
/// assert_eq!(escaped_line("two\nlines"), "two\\u{a}lines");
/// ```
#[must_use]
pub fn escaped_line(text: &str) -> Cow<'_, str> {
    escaped_unless(text, |_| false)
}

/// A text of JSON that is safe for a terminal. Characters that deceive are written as escapes of JSON, so the value
/// stays the same.
///
/// ```
/// use tengen_core::escaped_json;
/// assert_eq!(escaped_json("{\"a\":\"\u{202e}b\"}"), "{\"a\":\"\\u202eb\"}");
/// ```
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let harmless = |c: char| c.is_ascii() && c != '\u{7f}' || !deceives(c);
    if json.chars().all(harmless) {
        return Cow::Borrowed(json);
    }
    let one = |c: char| if harmless(c) { c.to_string() } else { format!("\\u{:04x}", u32::from(c)) };
    Cow::Owned(json.chars().map(one).collect())
}

fn escaped_unless(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let harmless = |c: char| !deceives(c) || stays(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let one = |c: char| if harmless(c) { c.to_string() } else { c.escape_unicode().to_string() };
    Cow::Owned(text.chars().map(one).collect())
}

/// A text as a cell that no spreadsheet reads as a formula and that does not deceive a reader. An apostrophe goes
/// before `=`, `+`, `-`, `@` and a tab, and deceiving characters are escaped.
///
/// ```
/// use tengen_core::safe_cell;
/// assert_eq!(safe_cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
/// assert_eq!(safe_cell("Lee, 9p"), "Lee, 9p");
/// ```
#[must_use]
pub fn safe_cell(text: &str) -> Cow<'_, str> {
    let shown = escaped(text);
    if shown.starts_with(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠']) {
        Cow::Owned(format!("'{shown}"))
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_deceives() {
        for (text, cell) in [
            ("", ""),
            ("a=b", "a=b"),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\\u{d}=1"),
            ("\0=1", "\\u{0}=1"),
            ("a\u{1b}[2J", "a\\u{1b}[2J"),
            ("a\u{9b}2J", "a\\u{9b}2J"),
            ("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}"),
        ] {
            assert_eq!(safe_cell(text), cell, "{text:?}");
        }
    }
}
