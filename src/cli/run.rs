//! `tengen run`: scenes, folders or globs; a table or records to stdout, progress to stderr.

use super::Outcome;
use super::common::{
    EffortArgs, ExistingArgs, JudgeArgs, LimitArgs, PatternArgs, Resources, SceneArgs, stop_on_interruption,
};
use crate::batch::progress::Progress;
use crate::batch::run_folder::Existing;
use crate::batch::shard::Shard;
use crate::batch::store::{Done, Store};
use crate::batch::{self, Event, Settings};
use crate::extension::Extensions;
use crate::number_text::plural;
use crate::record::Status;
use crate::report::table::{Look, Table};
use crate::report::tables;
use crate::scene::cases::ask_for_columns;
use crate::scene::{Case, Input};
use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::json;
use std::io::{self, Write as _};
use std::path::PathBuf;
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
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// What to write to stdout
    #[arg(long, value_enum, default_value_t = Output::Table)]
    format: Output,
    /// Keep records.jsonl and timings.jsonl in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    existing: ExistingArgs,
    /// Run only the i-th of N shards, every N-th case, into a folder of its own; `tengen merge` puts them together
    #[arg(long, value_name = "i/N", requires = "out")]
    shard: Option<Shard>,
    /// Nodes of each reading or search at most; a record says when the limit cut something off
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// What a move of a game of Go is that can't be played
    #[arg(long, value_enum, default_value_t = Illegal::Error)]
    illegal_moves: Illegal,
    /// Go positions that share one World; results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1024))]
    boards_per_world: u16,
    /// Let scenes start the programs that they name as judges
    #[arg(long)]
    allow_commands: bool,
    /// Take every warning for an error
    #[arg(long)]
    strict: bool,
    /// No progress on stderr
    #[arg(long)]
    no_progress: bool,
}

/// What a command writes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One row a scene, faults in full
    Table,
    /// One record a line (JSON Lines)
    Json,
}

/// What `tengen run` makes of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One row a scene, faults in full
    Table,
    /// One record a line (JSON Lines)
    Json,
    /// As `table`, and analyses of Go have all columns, and `tables` in the folder of --out holds them as Parquet
    Parquet,
}

/// What is made of a move that can't be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Illegal {
    /// Positions behind it are error records
    Error,
    /// The position before it is taken, with a warning
    Warning,
}

/// How often records are handed to the system, so that a kill loses little.
const FLUSH_EVERY: Duration = Duration::from_millis(200);

/// Carries out `tengen run`.
///
/// # Errors
/// If the command can't be carried out; a scene that can't be run is a record with status `error` instead.
pub fn main(args: Args, extensions: &Extensions) -> anyhow::Result<Outcome> {
    let pool = args.resources.pool()?;
    let mut cases = args.scenes.cases(args.resources.seed);
    if args.format == Output::Parquet {
        tables::Format::Parquet.available()?;
        anyhow::ensure!(args.out.is_some(), "--format parquet needs a folder: --out DIR");
        ask_for_columns(&mut cases);
    }
    let settings = Settings {
        limit_nodes: args.limit_nodes,
        effort: args.effort.effort,
        judge: args.judge.in_force(),
        allow_commands: args.allow_commands,
        limits: args.limits.limits(),
        boards_per_world: args.boards_per_world.into(),
        illegal_moves_pass: args.illegal_moves == Illegal::Warning,
        strict: args.strict,
        extensions: extensions.clone(),
        patterns: args.patterns.load()?,
        ..Settings::default()
    };
    let mut table = Table::default();
    let (mut store, done) = open_store(&args, &cases)?;
    let cases = args.shard.unwrap_or(Shard::WHOLE).select(cases);
    done.status.iter().for_each(|(&case, &status)| table.add_done(&cases[case].id, status));
    let todo: Vec<usize> = (0..cases.len()).filter(|case| !done.status.contains_key(case)).collect();
    let interrupted = stop_on_interruption()?;
    let mut progress = Progress::new(cases.len(), done.status.len(), !args.no_progress);
    let mut stdout = Stdout::new(args.out.is_some());
    let mut flushed = Instant::now();
    let mut count = done.status.len();
    let result = batch::run(&pool, &cases, &todo, &settings, &interrupted, |event| {
        let (case, record, timing) = match event {
            Event::Done { case, record, timing } => (case, record, timing),
            Event::Running(slowest) => {
                progress.running(&slowest);
                // What is finished is on the disk soon, however long the next case takes.
                return flush(&mut store, &mut flushed);
            }
        };
        count += 1;
        progress.step(record.status == Status::Ok);
        if let Some(store) = &mut store {
            store.append(case, &record, &timing)?;
        }
        flush(&mut store, &mut flushed)?;
        if args.format == Output::Json {
            stdout.write(|out| writeln!(out, "{}", record.line()))?;
            for warning in &record.warnings {
                writeln!(io::stderr(), "{warning}")?;
            }
        }
        table.add(&record);
        Ok(())
    });
    progress.finish();
    // What is finished is kept, however the run ended.
    let kept = store.as_mut().map_or(Ok(()), Store::flush);
    let of = cases.len();
    result.and(kept).with_context(|| format!("stopped after {count} of {of} {}", plural("case", of)))?;
    if args.format != Output::Json {
        let records = args.out.as_ref().map(|folder| folder.join("records.jsonl").display().to_string());
        stdout.write(|out| table.write(out, Look::of_stdout(), records.as_deref()))?;
    }
    stdout.write(|out| out.flush())?;
    if interrupted.now() && count < of {
        let hint = if args.out.is_some() { "; --resume goes on from there" } else { "" };
        anyhow::bail!("interrupted after {count} of {of} {}{hint}", plural("case", of));
    }
    if let (Output::Parquet, Some(out)) = (args.format, &args.out) {
        let records = out.join("records.jsonl");
        tables::export(&records, &out.join("tables"), tables::Format::Parquet, true)?;
    }
    Ok(table.all_ok().into())
}

/// Hands the records to the disk, now and then.
fn flush(store: &mut Option<Store>, flushed: &mut Instant) -> anyhow::Result<()> {
    if let Some(store) = store
        && flushed.elapsed() >= FLUSH_EVERY
    {
        store.flush()?;
        *flushed = Instant::now();
    }
    Ok(())
}

/// Opens the folder of `--out`, if there is one, and says what of an earlier run is done again.
fn open_store(args: &Args, cases: &[Case]) -> anyhow::Result<(Option<Store>, Done)> {
    let Some(folder) = &args.out else { return Ok(Default::default()) };
    let existing = args.existing.existing();
    if existing == Existing::Replace
        && let Some(Input::Fault(fault)) = cases.iter().find(|c| c.scene.is_none()).map(|c| &c.input)
    {
        anyhow::bail!(
            "{fault}\n{} is left as it is: --force takes scenes that can be read",
            folder.display()
        );
    }
    let mut settings = json!({ "seed": args.resources.seed, "limit_nodes": args.limit_nodes });
    for (name, limit) in [
        ("case_seconds", json!(args.limits.case_seconds)),
        ("case_memory", json!(args.limits.case_memory)),
        ("case_nodes", json!(args.limits.case_nodes)),
    ] {
        if !limit.is_null() {
            settings[name] = limit;
        }
    }
    if args.illegal_moves == Illegal::Warning {
        settings["illegal_moves"] = json!("warning");
    }
    if args.strict {
        settings["strict"] = json!(true);
    }
    if let Some(patterns) = &args.patterns.patterns {
        settings["patterns"] = json!(patterns);
    }
    if let Some(effort) = args.effort.effort {
        settings["effort"] = json!(effort.name());
    }
    if let Some(judge) = args.judge.in_force() {
        settings["judge"] = json!(judge.0.name());
    }
    let (store, done) = Store::open(folder, cases, args.shard, settings, existing)?;
    if !done.dropped.is_empty() {
        let told = &done.dropped[..done.dropped.len().min(DROPPED_TOLD)];
        let more = done.dropped.len() - told.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        writeln!(io::stderr(), "{}: {}{more}: done again", folder.display(), told.join("; "))?;
    }
    Ok((Some(store), done))
}

/// Faults of a resumed run's records told one by one.
const DROPPED_TOLD: usize = 5;

/// Stdout of a run. Where the records are kept in a folder, a reader that goes away does not end the run.
struct Stdout {
    out: io::StdoutLock<'static>,
    optional: bool,
    closed: bool,
}

impl Stdout {
    fn new(optional: bool) -> Self {
        Self { out: io::stdout().lock(), optional, closed: false }
    }

    /// # Errors
    /// If stdout can't be written, unless its reader went away and it is optional.
    fn write(
        &mut self,
        write: impl FnOnce(&mut io::StdoutLock<'static>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self.closed {
            return Ok(());
        }
        match write(&mut self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                // Not as the cause: to whom the output is cut off, the run is no success.
                anyhow::ensure!(self.optional, "nobody reads stdout any more");
                writeln!(io::stderr(), "nobody reads stdout any more; the records go on into the folder")?;
                Ok(())
            }
            result => result.context("can't write to stdout"),
        }
    }
}
