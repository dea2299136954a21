//! `tengen run`: scenes, folders or globs.

use super::Outcome;

/// The arguments of `tengen run`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen run`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen run` is not in this build yet")
}
