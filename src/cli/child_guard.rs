//! `tengen keep`: runs a program that must not outlive Tengen. See [`crate::client::child_guard`].

use super::Outcome;
use crate::client::child_guard::guard;
use anyhow::Context as _;

/// The arguments of `tengen keep`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The program
    program: String,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Carries out `tengen keep`: the process ends here, with the program's exit code.
///
/// # Errors
/// If the program can't be started.
pub fn main(args: &Args) -> anyhow::Result<Outcome> {
    let code =
        guard(&args.program, &args.arguments).with_context(|| format!("can't start {}", args.program))?;
    std::process::exit(code)
}
