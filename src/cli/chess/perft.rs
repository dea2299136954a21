//! `tengen chess perft`: checks every count of perft suites.

use super::Line;
use crate::cli::Outcome;
use crate::number_text::counted;
use anyhow::Context as _;
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use tengen_chess::rules::perft::{LOOK, perft_until};
use tengen_core::escaped_line;

/// The boards of a count before it may be given up.
const LEAST: u64 = 1_000_000;

/// The arguments of `tengen chess perft`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Suites: a position a line, its counts as `;D1 20 ;D2 400`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out counts above this
    #[arg(long, default_value_t = u64::MAX)]
    max_nodes: u64,
    /// Positions at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// Sums of a suite.
#[derive(Default)]
struct Sums {
    counts: u64,
    left_out: u64,
    nodes: u64,
    wrong: Vec<String>,
}

/// Checks every count.
///
/// # Errors
/// If a file can't be read or holds no position where one should be.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.max(1)).build()?;
    let mut all_good = true;
    for path in &args.files {
        let suite = pool.install(|| check(path, args.max_nodes))?;
        let mut out = std::io::stdout().lock();
        for text in &suite.wrong {
            writeln!(out, "{}", escaped_line(text))?;
        }
        let right = suite.counts - suite.wrong.len() as u64;
        write!(out, "{}", escaped_line(&path.display().to_string()))?;
        write!(
            out,
            ": {right} of {} right, {}",
            counted("count", suite.counts as usize),
            counted("node", suite.nodes as usize)
        )?;
        if suite.left_out > 0 {
            write!(out, ", {} above --max-nodes left out", counted("count", suite.left_out as usize))?;
        }
        writeln!(out)?;
        all_good &= suite.wrong.is_empty();
    }
    Ok(Outcome::from(all_good))
}

fn check(path: &Path, max_nodes: u64) -> anyhow::Result<Sums> {
    let lines = super::lines(path)?;
    let parts: Vec<Sums> =
        lines.par_iter().map(|line| check_line(line, max_nodes)).collect::<anyhow::Result<_>>()?;
    Ok(parts.into_iter().fold(Sums::default(), |mut all, part| {
        all.counts += part.counts;
        all.left_out += part.left_out;
        all.nodes += part.nodes;
        all.wrong.extend(part.wrong);
        all
    }))
}

fn check_line(line: &Line, max_nodes: u64) -> anyhow::Result<Sums> {
    let epd = line.parse()?;
    let mut sums = Sums::default();
    for (code, operand) in &epd.operations {
        let (Some(depth), Ok(wanted)) = (code.strip_prefix('D'), operand.parse::<u64>()) else { continue };
        let depth: u32 = depth.parse().with_context(|| format!("{}: no depth: {code}", line.place))?;
        if wanted > max_nodes {
            sums.left_out += 1;
            continue;
        }
        sums.counts += 1;
        // A right count has no more boards above its leaves, but for lines that end before.
        let most = wanted.saturating_mul(u64::from(depth)).saturating_mul(4).max(LEAST);
        let mut boards = 0;
        let mut stop = || {
            boards += u64::from(LOOK);
            boards > most
        };
        let Some(found) = perft_until(&epd.setup.board, depth, &mut stop) else {
            let place = &line.place;
            sums.wrong
                .push(format!("{place}: {code} goes on after {most} boards, not {wanted}: {}", line.text));
            continue;
        };
        sums.nodes += found;
        if found != wanted {
            sums.wrong.push(format!("{}: {code} is {found}, not {wanted}: {}", line.place, line.text));
        }
    }
    Ok(sums)
}
