//! `tengen bench`: signatures.

use super::Outcome;

/// The arguments of `tengen bench`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen bench`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen bench` is not in this build yet")
}
