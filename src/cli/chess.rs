//! `tengen chess`: chess tools.

use super::Outcome;

/// The arguments of `tengen chess`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen chess`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen chess` is not in this build yet")
}
