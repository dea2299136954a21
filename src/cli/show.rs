//! `tengen show`: a board and a layer.

use super::Outcome;

/// The arguments of `tengen show`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen show`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen show` is not in this build yet")
}
