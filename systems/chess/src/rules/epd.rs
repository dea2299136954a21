//! EPD: a position of four fields and named operations.
//!
//! # Source
//! PGN Standard, section 16.2; perft suites add `;D1 20 ;D2 400` operations.

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

/// Reads one line: four FEN fields (or six), then operations that end in `;` or start with one.
///
/// # Errors
/// If the position is wrong; unusual operations are kept as text.
pub fn parse(line: &str) -> Result<Epd, FenError> {
    let line = line.trim();
    let words: Vec<&str> = line.split_whitespace().collect();
    let counters = words.iter().skip(4).take(2).take_while(|w| w.parse::<u32>().is_ok()).count();
    let taken = words.len().min(4 + counters);
    let setup = fen::parse(&words[..taken].join(" "))?;
    let mut rest = line;
    for _ in 0..taken {
        rest = rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, tail)| tail);
    }
    let mut operations = BTreeMap::new();
    for operation in split_outside_quotes(rest) {
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        if !code.is_empty() {
            operations.insert(code.to_owned(), operand.trim().trim_matches('"').to_owned());
        }
    }
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
