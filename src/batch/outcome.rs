//! Turns the outcome of a case into its record.

use super::settings::Settings;
use crate::limits::{CaseLimits, Reached, Watch};
use crate::record::{Finding, Record};
use crate::scene::{Case, warnings};
use tengen_core::Diagnostic;

/// The record of a case from what its domain found.
pub(super) fn finish(case: &Case, found: Result<Finding, Diagnostic>, strict: bool) -> Record {
    match (found, &case.scene) {
        (Ok(mut finding), Some(scene)) => {
            finding.warnings.splice(0..0, warnings::of(case));
            if strict && let Some(warning) = finding.warnings.first() {
                return error(case, &warnings::as_error(warning));
            }
            Record {
                game: case.about(),
                ..Record::found(&case.id, scene.domain(), scene.task.name(), finding)
            }
        }
        (Ok(_), None) => error(case, &Diagnostic::error("the case has no scene")),
        (Err(fault), _) => error(case, &fault),
    }
}

/// The same, where a limit may have ended it.
pub(super) fn finish_within(
    case: &Case,
    found: Result<Finding, Diagnostic>,
    watch: &Watch,
    settings: &Settings,
) -> Record {
    if let Some(limit) = watch.reached() {
        return limited(case, limit, &settings.limits, found.ok());
    }
    finish(case, found, settings.strict)
}

/// The record of a case that a limit ended.
pub(super) fn limited(case: &Case, limit: Reached, limits: &CaseLimits, found: Option<Finding>) -> Record {
    let task = case.scene.as_ref().map(|s| s.task.name());
    let found = found.unwrap_or_default();
    Record { game: case.about(), ..Record::limited(&case.id, case.domain(), task, limit, limits, found) }
}

/// The record of a case that could not be run.
pub(super) fn error(case: &Case, fault: &Diagnostic) -> Record {
    let task = case.scene.as_ref().map(|s| s.task.name());
    Record { game: case.about(), ..Record::error(&case.id, case.domain(), task, fault) }
}

/// The fault of a case that made the program panic.
pub(super) fn panic_fault(message: &str) -> Diagnostic {
    Diagnostic::error(format!("this case made the program panic: {message}"))
        .help("this is a fault of the program: please report it with the scene")
}
