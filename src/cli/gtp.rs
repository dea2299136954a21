//! `tengen gtp`: GTP version 2 on stdin and stdout.

use super::Outcome;

/// The arguments of `tengen gtp`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen gtp`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen gtp` is not in this build yet")
}
