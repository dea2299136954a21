//! `tengen profile`: time per system.

use super::Outcome;

/// The arguments of `tengen profile`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen profile`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen profile` is not in this build yet")
}
