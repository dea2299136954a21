//! The chess part of a batch.

use super::{Case, Finding, Settings};
use tengen_core::Diagnostic;

/// Runs one case.
///
/// # Errors
/// What is wrong with its input.
pub fn run(_case: &Case, _settings: &Settings) -> Result<Finding, Diagnostic> {
    Err(Diagnostic::error("this domain is not in this build yet"))
}

/// Checks a case without running it.
///
/// # Errors
/// What is wrong with its input.
pub fn check(_case: &Case) -> Result<(), Diagnostic> {
    Ok(())
}
