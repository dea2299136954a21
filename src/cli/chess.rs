//! `tengen chess`: the chess tools. Each tool is a subcommand.

mod epd;
mod exact;
mod explain;
mod paths;
mod perft;
mod referee;
mod repetition;
mod suite;
mod tune;

use super::Outcome;
use anyhow::Context as _;
use std::path::Path;
use tengen_chess::history::Policy;
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::epd::{self as format, Epd};

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
    /// The tree of one exact search: scores, what they rest on, what the table kept or refused
    Explain(explain::Args),
    /// Run a test suite of best moves at fixed nodes
    Epd(epd::Args),
    /// Random endgames with histories: check that no score reported free of the game differs without the game
    Paths(paths::Args),
    /// Check every count of perft suites
    Perft(perft::Args),
    /// Of each game of PGN files: which draw rules stood where, who could claim, whether the result agrees
    Referee(referee::Args),
    /// Tell the repetition schemes apart: wrong values and cost, as tables
    Repetition(repetition::Args),
    /// The published suite of repetition cases: ask an engine, compare the schemes, prove or make the cases
    Suite(suite::Args),
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
        Tool::Explain(args) => explain::main(&args),
        Tool::Epd(args) => epd::main(&args),
        Tool::Paths(args) => paths::main(&args),
        Tool::Perft(args) => perft::main(&args),
        Tool::Referee(args) => referee::main(&args),
        Tool::Repetition(args) => repetition::main(&args),
        Tool::Suite(args) => suite::main(&args),
        Tool::Tune(args) => tune::main(&args),
    }
}

/// How repetitions are judged: the same names and defaults everywhere.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Repetition {
    /// What the transposition table keeps: walk (naive), chains, open-literal, open, side, no-zero, cautious,
    /// shadow-literal, shadow, shadow-early, twin, exact
    #[arg(long, default_value = "exact")]
    scheme: Scheme,
    /// Which recurrences are draws: A, B, R, T
    #[arg(long, default_value = "B")]
    policy: Policy,
}

/// The text of a file; an error names it.
fn read(path: &Path) -> anyhow::Result<String> {
    crate::files::whole_text(path).map_err(|reason| anyhow::anyhow!("{}: {reason}", path.display()))
}

/// A line of an EPD file that holds a position.
struct Line {
    /// `FILE:LINE`.
    place: String,
    text: String,
}

impl Line {
    /// The position; an error names its place.
    fn parse(&self) -> anyhow::Result<Epd> {
        format::parse(&self.text).with_context(|| self.place.clone())
    }
}

/// The lines of an EPD file that are not blank.
fn lines(path: &Path) -> anyhow::Result<Vec<Line>> {
    let place = |n: usize| format!("{}:{}", path.display(), n + 1);
    let text = read(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    Ok(lines.map(|(n, line)| Line { place: place(n), text: line.to_owned() }).collect())
}
