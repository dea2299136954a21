//! `tengen check`: reads scenes and all files that they name, and sets the positions up, but analyses nothing.

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
    let (mut count, mut faults) = (0, 0);
    for cases in args.scenes.batches(1) {
        count += cases.len();
        let mut text = String::new();
        for case in &cases {
            let found = check(case).map(|()| warnings::of(case));
            let found = found.and_then(|found| match found.first() {
                Some(warning) if args.strict => Err(warnings::as_error(warning)),
                _ => Ok(found),
            });
            match found {
                Ok(found) => found.iter().try_for_each(|warning| writeln!(io::stderr(), "{warning}"))?,
                Err(fault) => {
                    faults += 1;
                    writeln!(text, "{fault}")?;
                }
            }
        }
        print(&text)?;
    }
    print(&format!("{count} {}, {faults} {}\n", plural("case", count), plural("fault", faults)))?;
    Ok((faults == 0).into())
}

/// Whether a case can be run.
///
/// # Errors
/// The faults of the file.
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
