//! Reads EPD. An EPD line is a position of four fields, followed by named operations.
//!
//! # Source
//! PGN Standard, section 16.2. Perft suites add operations such as `;D1 20 ;D2 400`.

use super::fen::{self, FenError, Setup};
use std::collections::BTreeMap;

/// One EPD line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub setup: Setup,
    /// Opcode to operand text, quotes removed: `bm` to `Qg6`, `D3` to `8902`.
    pub operations: BTreeMap<String, String>,
}

/// Reads one line: four FEN fields (or six), then operations that end in `;` or start with one. A semicolon may touch the
/// field before it. `hmvc` and `fmvn` are the counters where none stand behind the fields.
///
/// # Errors
/// If the position is wrong; unusual operations are kept as text.
pub fn parse(line: &str) -> Result<Epd, FenError> {
    let mut rest = line.trim_start_matches('\u{feff}').trim();
    let mut fields: Vec<&str> = Vec::new();
    while fields.len() < 6 {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() || (fields.len() >= 4 && word.parse::<u32>().is_err()) {
            break;
        }
        fields.push(word);
        rest = rest[end..].trim_start();
    }
    let mut operations = BTreeMap::new();
    for operation in split_outside_quotes(rest) {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        if !code.is_empty() {
            operations.insert(code.to_owned(), operand.trim().trim_matches('"').to_owned());
        }
    }
    let number = |code: &str| operations.get(code).filter(|text| text.parse::<u16>().is_ok());
    if fields.len() == 4
        && let Some(clock) = number("hmvc").map(String::as_str).or(number("fmvn").map(|_| "0"))
    {
        fields.push(clock);
        fields.extend(number("fmvn").map(String::as_str));
    }
    let setup = fen::parse(&fields.join(" "))?;
    Ok(Epd { setup, operations })
}

/// Splits at semicolons outside double quotes.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .map(str::trim)
    .collect()
}
