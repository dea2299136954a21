//! Reads the text of a rulesheet file. Every command uses this module.

use super::case::{Case, Input};
use crate::files;
use std::io::Read as _;
use std::path::Path;
use tengen_core::Diagnostic;
use tengen_propnet::gdl::{Fault, GdlError, Span, fault};
use tengen_propnet::review::{self, Review};

/// The text of a file; `-` is stdin.
///
/// # Errors
/// Why it can't be read, `gdl-encoding` or `gdl-too-long`.
pub fn read(path: &Path) -> Result<String, Diagnostic> {
    let name = files::display(path);
    let most = fault::MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let failed = |reason: String| Diagnostic::error(format!("can't read {name}: {reason}"));
    if path.as_os_str() == "-" {
        let taken = std::io::stdin().lock().take(most).read_to_end(&mut bytes);
        taken.map_err(|error| failed(files::reason(&error)))?;
    } else {
        let opened = files::opened(path).map_err(failed)?;
        opened.take(most).read_to_end(&mut bytes).map_err(|error| failed(files::reason(&error)))?;
    }
    text(bytes).map_err(|fault| fault.in_file(name))
}

/// The text of the bytes of a rulesheet: UTF-8, or UTF-16 by its mark.
///
/// # Errors
/// `gdl-encoding` or `gdl-too-long`.
pub fn text(bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if bytes.len() > fault::MAX_BYTES {
        let fault = GdlError { fault: Fault::TooLong, span: Span::default() };
        return Err(fault.diagnostic(""));
    }
    if let Some(text) = files::utf16(&bytes) {
        return Ok(files::plain(text));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(files::plain(text)),
        Err(error) => Err(fault::encoding(error.as_bytes())
            .unwrap_or_else(|| Diagnostic::error("the rulesheet is not text in UTF-8"))),
    }
}

/// All faults of a review, the errors first, in this file.
#[must_use]
pub fn diagnostics(review: &Review, text: &str, name: &str) -> Vec<Diagnostic> {
    let (errors, warnings): (Vec<_>, Vec<_>) = review.faults.iter().partition(|e| e.is_error());
    errors.into_iter().chain(warnings).map(|e| e.diagnostic(text).in_file(name)).collect()
}

/// The warnings of the rules of a case's rulesheet. Its errors are those of the case.
#[must_use]
pub(super) fn warnings(case: &Case) -> Vec<Diagnostic> {
    let Input::Rules(path) = &case.input else { return Vec::new() };
    let Ok(text) = read(path) else { return Vec::new() };
    let review = review::rules(&text);
    if !review.is_good() {
        return Vec::new();
    }
    diagnostics(&review, &text, &files::display(path))
}
