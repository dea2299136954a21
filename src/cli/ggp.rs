//! `tengen ggp`: general games over HTTP.

use super::Outcome;

/// The arguments of `tengen ggp`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen ggp`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen ggp` is not in this build yet")
}
