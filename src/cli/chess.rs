//! `tengen chess`: chess tools.

mod epd;
mod exact;
mod perft;
mod repetition;
mod tune;

use super::Outcome;

/// The arguments of `tengen chess`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Debug, clap::Subcommand)]
enum Tool {
    /// Exact values of fixed depth: a JSON question a line in, an answer a line out
    Exact(exact::Args),
    /// Run a test suite of best moves at fixed nodes
    Epd(epd::Args),
    /// Check every count of perft suites
    Perft(perft::Args),
    /// Tell the repetition schemes apart: wrong values and cost, as tables
    Repetition(repetition::Args),
    /// Tune the evaluation's weights on games of the engine against itself
    Tune(tune::Args),
}

/// Carries out `tengen chess`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    match args.tool {
        Tool::Exact(args) => exact::main(&args),
        Tool::Epd(args) => epd::main(&args),
        Tool::Perft(args) => perft::main(&args),
        Tool::Repetition(args) => repetition::main(&args),
        Tool::Tune(args) => tune::main(&args),
    }
}
