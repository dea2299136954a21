//! `tengen chess repetition`: compares the repetition schemes by experiment, and prints the tables of
//! docs/chess-repetition-figures.md.

use crate::cli::Outcome;
use crate::number_text::counted;
use anyhow::Context as _;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tengen_chess::exact::{ExactOptions, ExactReport, solve};
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::Scheme;
use tengen_chess::search::{Limits, Options, search};
use tengen_core::escaped_line;

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
    /// Positions of each EPD file; without it all, since single searches swing
    #[arg(long)]
    first: Option<usize>,
    /// Depth of the playing search
    #[arg(long, default_value_t = 8)]
    depth: u32,
    /// Without selective pruning and reductions
    #[arg(long)]
    plain: bool,
    /// Only these schemes, besides the naive one all others are measured against
    #[arg(long, value_delimiter = ',')]
    scheme: Vec<Scheme>,
    /// Which recurrences are draws in the playing search: A, B, R, T
    #[arg(long, default_value = "B")]
    policy: Policy,
    /// Workers on one exact case
    #[arg(long, default_value_t = 1)]
    workers: usize,
}

/// Runs the experiment.
///
/// # Errors
/// If a file can't be read.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.exact {
        exact_table(
            args,
            &serde_json::from_str(&super::read(path)?).with_context(|| path.display().to_string())?,
        )?;
    }
    for path in &args.epd {
        cost_table(args, path)?;
    }
    for path in &args.threads {
        threads_table(args, path)?;
    }
    Ok(Outcome::Success)
}

impl Args {
    /// The schemes asked for, the naive one first.
    fn schemes(&self) -> Vec<Scheme> {
        let wanted = |scheme: &Scheme| {
            *scheme == Scheme::Walk || self.scheme.is_empty() || self.scheme.contains(scheme)
        };
        Scheme::offered().into_iter().filter(wanted).collect()
    }
}

/// The first positions of an EPD file.
fn games(args: &Args, path: &Path) -> anyhow::Result<Vec<Game>> {
    let lines = super::lines(path)?;
    lines.iter().take(args.first.unwrap_or(usize::MAX)).map(|l| Ok(Game::new(l.parse()?.setup))).collect()
}

/// Sums of one scheme.
#[derive(Default)]
struct Sums {
    wrong: [u32; 4],
    cases: [u32; 4],
    /// Values called free of the game.
    free: u32,
    report: ExactReport,
}

/// Wrong values at equal depth, and the cost.
fn exact_table(args: &Args, suite: &Value) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| scheme | wrong A | B | R | T | nodes | ms | table hits | refused | replayed | path-dependent | reported free | not seen | false draws |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")?;
    let cases = suite.get("exact").unwrap_or(suite).as_array().map_or(&[][..], Vec::as_slice);
    let mut naive_nodes = 0;
    for scheme in args.schemes() {
        let begun = Instant::now();
        let mut sums = Sums::default();
        for case in cases {
            add_case(&mut sums, case, scheme, args.workers)?;
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
            " x{ratio:.3} | {millis} | {} | {} | {} | {:.1} % | {} of {} | {} | {} |",
            sums.report.hits,
            sums.report.refused,
            sums.report.replayed,
            share(sums.report.dependent),
            sums.free,
            sums.cases.iter().sum::<u32>(),
            sums.report.misjudged.missed,
            sums.report.misjudged.false_hits
        )?;
    }
    Ok(())
}

fn add_case(sums: &mut Sums, case: &Value, scheme: Scheme, threads: usize) -> anyhow::Result<()> {
    let moves = case["moves"].as_array().map_or(&[][..], Vec::as_slice);
    let game =
        Game::from_text(case["fen"].as_str().unwrap_or_default(), moves.iter().filter_map(Value::as_str))?;
    let depth = u32::try_from(case["depth"].as_u64().unwrap_or(1))?;
    for (index, policy) in Policy::ALL.into_iter().enumerate() {
        let Some(exact) = case["exact"][policy.name()].as_i64() else { continue };
        let options = ExactOptions { depth, policy, scheme, threads, ..ExactOptions::default() };
        let report = solve(&game, options);
        sums.free += u32::from(report.path.is_free());
        sums.cases[index] += 1;
        sums.wrong[index] += u32::from(i64::from(report.value) != exact);
        sums.report.nodes += report.nodes;
        sums.report.hits += report.hits;
        sums.report.refused += report.refused;
        sums.report.dependent += report.dependent;
        sums.report.closed += report.closed;
        sums.report.replayed += report.replayed;
        sums.report.misjudged = sums.report.misjudged.and(report.misjudged);
    }
    Ok(())
}

/// The cost of one scheme's searches of a file.
#[derive(Default)]
struct Cost {
    /// Nodes and seconds of each position.
    searches: Vec<(f64, f64)>,
    table_hits: u64,
    refused: u64,
    dependent: u64,
    closed: u64,
}

/// Nodes and time of the playing search at equal depth, against the naive table.
fn cost_table(args: &Args, path: &Path) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let mode = if args.plain { "no selectivity" } else { "playing search" };
    let games = games(args, path)?;
    let name = path.display().to_string();
    writeln!(
        out,
        "\n{}, {}, depth {}, {mode}:\n",
        escaped_line(&name),
        counted("position", games.len()),
        args.depth
    )?;
    writeln!(
        out,
        "| scheme | nodes, sum | nodes, geometric mean | nodes/s | table hits | refused | path-dependent |"
    )?;
    writeln!(out, "| --- | --- | --- | --- | --- | --- | --- |")?;
    let schemes = args.schemes();
    let mut rows: Vec<Cost> = schemes.iter().map(|_| Cost::default()).collect();
    // Position by position, so that a busy machine slows all schemes alike.
    for game in &games {
        for (row, &scheme) in rows.iter_mut().zip(&schemes) {
            let options =
                Options { scheme, policy: args.policy, selective: !args.plain, ..Options::default() };
            let begun = Instant::now();
            let report = search(game, Limits { depth: Some(args.depth), ..Limits::default() }, options, 16);
            row.searches.push((report.nodes.max(1) as f64, begun.elapsed().as_secs_f64()));
            row.table_hits += report.table_hits;
            row.refused += report.refused;
            row.dependent += report.dependent;
            row.closed += report.closed;
        }
    }
    let sum = |row: &Cost| row.searches.iter().map(|s| s.0).sum::<f64>().max(1.0);
    for (row, scheme) in rows.iter().zip(&schemes) {
        let pairs = || row.searches.iter().zip(&rows[0].searches);
        let (mean, error) = geometric(&pairs().map(|(a, b)| a.0 / b.0).collect::<Vec<_>>());
        let speed = median(pairs().map(|(a, b)| (a.0 / a.1) / (b.0 / b.1)).collect());
        writeln!(
            out,
            "| {} | x{:.3} | x{mean:.3} ± {error:.3} | x{speed:.3} | {} | {} | {:.2} % |",
            scheme.name(),
            sum(row) / sum(&rows[0]),
            row.table_hits,
            row.refused,
            100.0 * row.dependent as f64 / row.closed.max(1) as f64
        )?;
    }
    Ok(())
}

/// The geometric mean and twice its standard error.
fn geometric(ratios: &[f64]) -> (f64, f64) {
    let n = ratios.len().max(1) as f64;
    let mean = ratios.iter().map(|r| r.ln()).sum::<f64>() / n;
    let variance = ratios.iter().map(|r| (r.ln() - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean.exp(), mean.exp() * 2.0 * (variance / n).sqrt())
}

/// The median: a search the machine was taken from does not count more than another.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}

/// Nodes and time to the depth with two threads, against one: geometric means over the positions.
fn threads_table(args: &Args, path: &Path) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let games = games(args, path)?;
    let (mut faster, mut more) = (Vec::new(), Vec::new());
    // One after the other on each position, so that a busy machine slows both alike.
    for game in &games {
        let [one, two] = [1, 2].map(|threads| {
            let options = Options { threads, ..Options::default() };
            let begun = Instant::now();
            let limits = Limits { depth: Some(args.depth), ..Limits::default() };
            let nodes = search(game, limits, options, 32).nodes;
            (nodes.max(1) as f64, begun.elapsed().as_secs_f64())
        });
        faster.push(one.1 / two.1);
        more.push(two.0 / one.0);
    }
    let (faster, more) = (geometric(&faster), geometric(&more));
    writeln!(
        out,
        "\n{}, {}, depth {}, two threads against one:\n",
        escaped_line(&path.display().to_string()),
        counted("position", games.len()),
        args.depth
    )?;
    writeln!(out, "| time to depth | nodes |")?;
    writeln!(out, "| --- | --- |")?;
    writeln!(out, "| {:.2} ± {:.2} times faster | x{:.2} ± {:.2} |", faster.0, faster.1, more.0, more.1)?;
    Ok(())
}
