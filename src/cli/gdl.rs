//! `tengen gdl`: rulesheet tools.

use super::Outcome;

/// The arguments of `tengen gdl`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Carries out `tengen gdl`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(_args: Args) -> anyhow::Result<Outcome> {
    anyhow::bail!("`tengen gdl` is not in this build yet")
}
