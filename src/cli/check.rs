//! `tengen check`: validates scenes.

use super::Outcome;

/// The arguments of `tengen check`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen check`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen check` is not in this build yet")
}
