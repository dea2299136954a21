//! `tengen chess repetition`: the schemes told apart by experiment; prints the table of docs/chess-repetition.md.

use crate::cli::Outcome;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tengen_chess::exact::{ExactOptions, ExactReport, solve};
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::epd;
use tengen_chess::search::{Limits, Options, search};

/// The arguments of `tengen chess repetition`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Exact cases: a JSON list, or an object with such a list under `exact`
    #[arg(long)]
    exact: Option<PathBuf>,
    /// EPD files for the cost at equal depth in the playing search
    #[arg(long)]
    epd: Vec<PathBuf>,
    /// EPD files for the time to the depth with one and two threads
    #[arg(long)]
    threads: Vec<PathBuf>,
    /// Positions of each EPD file
    #[arg(long, default_value_t = 40)]
    first: usize,
    /// Depth of the playing search
    #[arg(long, default_value_t = 9)]
    depth: u32,
    /// Without selective pruning and reductions
    #[arg(long)]
    plain: bool,
}

/// Runs the experiment.
///
/// # Errors
/// If a file can't be read.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.exact {
        exact_table(&serde_json::from_str(&std::fs::read_to_string(path)?)?)?;
    }
    for path in &args.epd {
        cost_table(args, &std::fs::read_to_string(path)?, &path.display().to_string())?;
    }
    for path in &args.threads {
        threads_table(args, &std::fs::read_to_string(path)?, &path.display().to_string())?;
    }
    Ok(Outcome::Success)
}

/// The first positions of an EPD file.
fn games(args: &Args, text: &str) -> anyhow::Result<Vec<Game>> {
    text.lines()
        .filter(|l| !l.trim().is_empty())
        .take(args.first)
        .map(|l| Ok(Game::new(epd::parse(l)?.setup)))
        .collect()
}

/// Sums of one scheme.
#[derive(Default)]
struct Sums {
    wrong: [u32; 4],
    cases: [u32; 4],
    report: ExactReport,
}

/// Wrong values at equal depth, and what they cost.
fn exact_table(suite: &Value) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "| scheme | wrong A | B | R | T | nodes | ms | table hits | refused | path-dependent |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
    let cases = suite.get("exact").unwrap_or(suite).as_array().map_or(&[][..], Vec::as_slice);
    let mut naive_nodes = 0;
    for scheme in Scheme::ALL {
        let begun = Instant::now();
        let mut sums = Sums::default();
        for case in cases {
            add_case(&mut sums, case, scheme)?;
        }
        let millis = begun.elapsed().as_millis();
        naive_nodes = if scheme == Scheme::Walk { sums.report.nodes } else { naive_nodes };
        write!(out, "| {} |", scheme.name())?;
        for (wrong, all) in sums.wrong.into_iter().zip(sums.cases) {
            write!(out, " {wrong} of {all} |")?;
        }
        let share = |n: u64| 100.0 * n as f64 / sums.report.closed.max(1) as f64;
        let ratio = sums.report.nodes as f64 / naive_nodes.max(1) as f64;
        writeln!(
            out,
            " x{ratio:.3} | {millis} | {} | {} | {:.1} % |",
            sums.report.hits,
            sums.report.refused,
            share(sums.report.dependent)
        )?;
    }
    Ok(())
}

fn add_case(sums: &mut Sums, case: &Value, scheme: Scheme) -> anyhow::Result<()> {
    let moves = case["moves"].as_array().map_or(&[][..], Vec::as_slice);
    let game =
        Game::from_text(case["fen"].as_str().unwrap_or_default(), moves.iter().filter_map(Value::as_str))?;
    let depth = u32::try_from(case["depth"].as_u64().unwrap_or(1))?;
    for (index, policy) in Policy::ALL.into_iter().enumerate() {
        let Some(exact) = case["exact"][policy.name()].as_i64() else { continue };
        let report = solve(&game, ExactOptions { depth, policy, scheme, ..ExactOptions::default() });
        sums.cases[index] += 1;
        sums.wrong[index] += u32::from(i64::from(report.value) != exact);
        sums.report.nodes += report.nodes;
        sums.report.hits += report.hits;
        sums.report.refused += report.refused;
        sums.report.dependent += report.dependent;
        sums.report.closed += report.closed;
    }
    Ok(())
}

/// Nodes and time of the playing search at equal depth, against the naive table.
fn cost_table(args: &Args, text: &str, name: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mode = if args.plain { "no selectivity" } else { "playing search" };
    writeln!(out, "\n{name}, first {}, depth {}, {mode}:\n", args.first, args.depth)?;
    writeln!(out, "| scheme | nodes | nodes/s | table hits | refused | path-dependent |")?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- |")?;
    let games = games(args, text)?;
    let mut rows: Vec<(u64, f64, u64, u64, u64, u64)> = vec![Default::default(); Scheme::ALL.len()];
    // Position by position, so that a busy machine slows all schemes alike.
    for game in &games {
        for (row, scheme) in rows.iter_mut().zip(Scheme::ALL) {
            let options = Options { scheme, selective: !args.plain, ..Options::default() };
            let begun = Instant::now();
            let report = search(game, Limits { depth: Some(args.depth), ..Limits::default() }, options, 16);
            row.0 += report.nodes;
            row.1 += begun.elapsed().as_secs_f64();
            row.2 += report.table_hits;
            row.3 += report.refused;
            row.4 += report.dependent;
            row.5 += report.closed;
        }
    }
    let base = rows[0];
    for (row, scheme) in rows.iter().zip(Scheme::ALL) {
        let speed = (row.0 as f64 / row.1) / (base.0 as f64 / base.1);
        writeln!(
            out,
            "| {} | x{:.3} | x{speed:.3} | {} | {} | {:.2} % |",
            scheme.name(),
            row.0 as f64 / base.0 as f64,
            row.2,
            row.3,
            100.0 * row.4 as f64 / row.5.max(1) as f64
        )?;
    }
    Ok(())
}

/// Nodes and time to the depth with two threads, against one: geometric means over the positions.
fn threads_table(args: &Args, text: &str, name: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let games = games(args, text)?;
    let (mut faster, mut more) = (0.0, 0.0);
    // One after the other on each position, so that a busy machine slows both alike.
    for game in &games {
        let [one, two] = [1, 2].map(|threads| {
            let options = Options { threads, ..Options::default() };
            let begun = Instant::now();
            let limits = Limits { depth: Some(args.depth), ..Limits::default() };
            let nodes = search(game, limits, options, 32).nodes;
            (nodes.max(1) as f64, begun.elapsed().as_secs_f64())
        });
        faster += (one.1 / two.1).ln();
        more += (two.0 / one.0).ln();
    }
    let mean = |sum: f64| (sum / games.len().max(1) as f64).exp();
    writeln!(out, "\n{name}, first {}, depth {}, two threads against one:\n", games.len(), args.depth)?;
    writeln!(out, "| time to depth | nodes |")?;
    writeln!(out, "| --- | --- |")?;
    writeln!(out, "| {:.2} times faster | x{:.2} |", mean(faster), mean(more))?;
    Ok(())
}
