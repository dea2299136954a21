//! `tengen go`: the Go tools. Each tool is a subcommand.

mod learn;

use super::Outcome;

/// The arguments of `tengen go`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, clap::Subcommand)]
enum Tool {
    /// Learn from game records which moves are likely
    Learn(learn::Args),
}

/// Carries out `tengen go`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    match args.tool {
        Tool::Learn(args) => learn::main(&args),
    }
}
