//! `tengen selfplay`: whole games.

use super::Outcome;

/// The arguments of `tengen selfplay`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen selfplay`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen selfplay` is not in this build yet")
}
