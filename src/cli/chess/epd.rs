//! `tengen chess epd`: solves a test suite of positions with best moves or moves to avoid, with a fixed number of
//! nodes.

use super::{Line, Repetition};
use crate::cli::Outcome;
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use tengen_chess::history::Game;
use tengen_chess::rules::epd::Epd;
use tengen_chess::rules::notation;
use tengen_chess::search::{Limits, Options, search};

/// The arguments of `tengen chess epd`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The suite
    file: PathBuf,
    /// Nodes a position
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Positions at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Table size in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    #[command(flatten)]
    repetition: Repetition,
    /// Name the positions failed
    #[arg(long)]
    verbose: bool,
}

/// Runs the suite.
///
/// # Errors
/// If the file can't be read.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let lines = super::lines(&args.file)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.max(1)).build()?;
    let verdicts: Vec<anyhow::Result<Option<String>>> =
        pool.install(|| lines.par_iter().with_max_len(1).map(|line| judge(args, line)).collect());
    let (mut failed, mut stdout) = (0, std::io::stdout().lock());
    for verdict in verdicts {
        if let Some(text) = verdict? {
            failed += 1;
            if args.verbose {
                writeln!(stdout, "{}", tengen_core::escaped_line(&text))?;
            }
        }
    }
    writeln!(stdout, "{} passed, {failed} failed", lines.len() - failed)?;
    Ok(Outcome::Success)
}

/// `None` if passed, else what went wrong.
fn judge(args: &Args, line: &Line) -> anyhow::Result<Option<String>> {
    let Epd { setup, operations } = line.parse()?;
    let game = Game::new(setup);
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let Repetition { scheme, policy } = args.repetition;
    let options = Options { scheme, policy, ..Options::default() };
    let report = search(&game, limits, options, args.hash);
    let best = report.best.as_deref().and_then(|t| notation::parse_uci(game.board(), t).ok());
    let named = |code: &str| -> Vec<_> {
        let moves = operations.get(code).map(String::as_str).unwrap_or_default();
        moves.split_whitespace().filter_map(|m| notation::parse_san(game.board(), m).ok()).collect()
    };
    let (wanted, avoided) = (named("bm"), named("am"));
    let good = best.is_some_and(|b| (wanted.is_empty() || wanted.contains(&b)) && !avoided.contains(&b));
    let played = best.map(|b| notation::san(game.board(), b)).unwrap_or_default();
    let id = operations.get("id").cloned().unwrap_or_default();
    Ok((!good).then(|| format!("{id}: {played} ({}, depth {}), {}", report.score, report.depth, line.text)))
}
