//! `tengen check`: reads scenes and all files they name, and sets the positions up, without analysis.

use super::Outcome;
use super::common::{SceneArgs, print};
use crate::batch;
use crate::number_text::plural;
use crate::scene::{Case, Domain, Input, Task, warnings};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use tengen_core::Diagnostic;

/// The arguments of `tengen check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scenes: SceneArgs,
    /// Take every warning for a fault
    #[arg(long)]
    strict: bool,
}

/// Carries out `tengen check`.
///
/// # Errors
/// If stdout can't be written.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let cases = args.scenes.cases(1);
    let mut text = String::new();
    let mut faults = 0;
    for case in &cases {
        if let Err(fault) = check(case) {
            faults += 1;
            writeln!(text, "{fault}")?;
            continue;
        }
        let found = warnings::of(case);
        if args.strict
            && let Some(warning) = found.first()
        {
            faults += 1;
            writeln!(text, "{}", warnings::as_error(warning))?;
            continue;
        }
        for warning in found {
            writeln!(io::stderr(), "{warning}")?;
        }
    }
    writeln!(text, "{} {}, {faults} {}", cases.len(), plural("case", cases.len()), plural("fault", faults))?;
    print(&text)?;
    Ok((faults == 0).into())
}

/// Whether a case can be run.
///
/// # Errors
/// What is wrong with it.
fn check(case: &Case) -> Result<(), Diagnostic> {
    batch::supported(case)?;
    match (case.domain(), &case.input) {
        (_, Input::Fault(fault)) => Err(fault.clone()),
        _ if matches!(case.scene.as_ref().map(|s| &s.task), Some(Task::SelfPlay { .. })) => {
            batch::selfplay::check_case(case)
        }
        (Some(Domain::Go), _) => batch::go::check(case),
        (Some(Domain::Chess), _) => batch::chess::check(case),
        (Some(Domain::Gdl), _) => batch::gdl::check(case),
        (None, _) => Ok(()),
    }
}
