//! Compares the expectations of self-play scenes with the results of the games.

use super::Differences;
use crate::record::Checked;
use crate::scene::{Case, Expect};
use tengen_core::Diagnostic;

/// The fault of an expectation that means nothing for self-play.
#[must_use]
pub fn meaningless(case: &Case) -> Diagnostic {
    case.fault("expect:", "this expectation means nothing for self-play")
        .help("`Goals`: the mean of each side, 100 a win, 50 a draw")
}

/// Checks one expectation against the sides and their mean points, 1 for a win.
///
/// # Errors
/// If it means nothing for self-play.
pub fn check<'a>(
    case: &Case,
    expect: &Expect,
    sides: impl ExactSizeIterator<Item = (&'a str, f64)>,
) -> Result<Checked, Diagnostic> {
    let Expect::Goals { are, within } = expect else {
        return Err(meaningless(case));
    };
    let mut differences = Differences::default();
    differences.field("sides", Some(are.len()), sides.len());
    for (wanted, (name, mean)) in are.iter().zip(sides) {
        differences.near(&format!("the mean of {name}"), Some(*wanted), 100.0 * mean as f32, *within);
    }
    Ok(differences.of(expect))
}
