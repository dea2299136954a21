//! `tengen run`: scenes, folders or globs; a table or records to stdout, progress to stderr.

use super::Outcome;
use super::common::{PatternArgs, Resources, SceneArgs, interruption};
use crate::batch::progress::Progress;
use crate::batch::store::Store;
use crate::batch::{self, Settings, Status};
use crate::report::table::Table;
use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::json;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The arguments of `tengen run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scenes: SceneArgs,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    patterns: PatternArgs,
    /// What to write to stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Keep records.jsonl and timings.jsonl in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on where a killed run with the same --out stopped
    #[arg(long, requires = "out")]
    resume: bool,
    /// Nodes of each reading or search at most; a record says when the limit cut something off
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,
    /// Go positions that share one World; results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    boards_per_world: u16,
    /// No progress on stderr
    #[arg(long)]
    no_progress: bool,
}

/// What `tengen run` writes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One row a scene, faults in full
    Table,
    /// One record a line (JSON Lines)
    Json,
}

/// How often records are handed to the system, so that a kill loses little.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// Carries out `tengen run`.
///
/// # Errors
/// If the command can't be carried out; a scene that can't be run is a record with status `error` instead.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let pool = args.resources.pool()?;
    let cases = args.scenes.cases(args.resources.seed);
    let settings = Settings {
        limit_nodes: args.limit_nodes,
        boards_per_world: args.boards_per_world.into(),
        profile: false,
        patterns: args.patterns.load()?,
    };
    let mut table = Table::default();
    let mut store = None;
    let mut first = 0;
    if let Some(folder) = &args.out {
        let mut identity = json!({ "seed": args.resources.seed, "limit_nodes": args.limit_nodes });
        if let Some(patterns) = &args.patterns.patterns {
            identity["patterns"] = json!(patterns);
        }
        let (opened, done) = Store::open(folder, &cases, &identity, args.resume)?;
        first = done.len();
        cases.iter().zip(done).for_each(|(case, status)| table.add_done(&case.id, status));
        store = Some(opened);
    }
    let interrupted = interruption()?;
    let mut progress = Progress::new(cases.len(), first, !args.no_progress);
    let mut stdout = io::stdout().lock();
    let mut flushed = Instant::now();
    let mut count = first;
    let result = batch::run(&pool, &cases, first, &settings, interrupted, |record, timing| {
        count += 1;
        progress.step(record.status == Status::Ok);
        if let Some(store) = &mut store {
            store.append(&record, &timing)?;
            if flushed.elapsed() >= FLUSH_EVERY {
                store.flush()?;
                flushed = Instant::now();
            }
        }
        if args.format == Format::Json {
            writeln!(stdout, "{}", record.line())?;
        }
        table.add(&record);
        Ok(())
    });
    progress.finish();
    if let Some(store) = &mut store {
        store.flush()?;
    }
    result?;
    if args.format == Format::Table {
        table.write(&mut stdout)?;
    }
    stdout.flush().context("can't write to stdout")?;
    if interrupted.load(Ordering::Relaxed) && count < cases.len() {
        let hint = if args.out.is_some() { "; --resume goes on from there" } else { "" };
        anyhow::bail!("interrupted after {count} of {} cases{hint}", cases.len());
    }
    Ok(table.all_ok().into())
}
