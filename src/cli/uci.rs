//! `tengen uci`: UCI on stdin and stdout.

use super::Outcome;

/// The arguments of `tengen uci`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen uci`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen uci` is not in this build yet")
}
