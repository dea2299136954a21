//! `tengen run`: runs scenes and files. A table or records go to stdout, and progress goes to stderr.

use super::Outcome;
use super::common::{
    EffortArgs, ExistingArgs, JudgeArgs, LimitArgs, PatternArgs, Resources, SceneArgs, stop_on_interruption,
};
use crate::batch::progress::Progress;
use crate::batch::run_folder::Existing;
use crate::batch::shard::Shard;
use crate::batch::store::{CaseList, Done, Store};
use crate::batch::{self, Event, Settings};
use crate::extension::Extensions;
use crate::number_text::plural;
use crate::record::Status;
use crate::report::table::{Look, Table};
use crate::report::tables;
use crate::scene::Case;
use crate::scene::cases::ask_for_columns;
use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::json;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tengen_core::{Stop, escaped_line};

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

/// The output formats of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One row a scene, faults in full
    Table,
    /// One record a line (JSON Lines)
    Json,
}

/// The output formats of `tengen run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One row a scene, faults in full
    Table,
    /// One record a line (JSON Lines)
    Json,
    /// As `table`, and analyses of Go have all columns, and `tables` in the folder of --out holds them as Parquet
    Parquet,
}

/// The treatment of an illegal move.
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
    if args.format == Output::Parquet {
        tables::Format::Parquet.available()?;
        anyhow::ensure!(args.out.is_some(), "--format parquet needs a folder: --out DIR");
    }
    let settings = Settings {
        limit_nodes: args.limit_nodes,
        effort: args.effort.in_force(),
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
    let mut batches = batches(&args);
    let first: Vec<Vec<Case>> = batches.by_ref().take(2).collect();
    let (store, done, total) = open_store(&args, &first)?;
    let interrupted = stop_on_interruption()?;
    let mut running = Run {
        progress: Progress::new(total, done.status.len(), !args.no_progress),
        stdout: Stdout::new(args.out.is_some()),
        table: Table::default(),
        store,
        flushed: Instant::now(),
        is_json: args.format == Output::Json,
        count: done.status.len(),
    };
    let (mut taken, mut numbered, mut result) = (0, 0, Ok(()));
    for batch in first.into_iter().chain(batches) {
        let before = taken;
        taken += batch.len();
        let shard = args.shard.unwrap_or(Shard::WHOLE);
        let mut numbers = before..;
        let cases: Vec<Case> =
            batch.into_iter().filter(|_| numbers.next().is_some_and(|number| shard.has(number))).collect();
        result = running.batch(&pool, &cases, numbered, &done, &settings, &interrupted);
        numbered += cases.len();
        if result.is_err() || interrupted.now() {
            break;
        }
    }
    let Run { mut progress, mut stdout, table, mut store, count, .. } = running;
    progress.finish();
    // What is finished is kept, however the run ended.
    let kept = store.as_mut().map_or(Ok(()), Store::flush);
    let of = total.unwrap_or(numbered);
    let cut_off = || match total {
        Some(of) => format!("{count} of {of} {}", plural("case", of)),
        None => format!("{count} {}", plural("case", count)),
    };
    result.and(kept).with_context(|| format!("stopped after {}", cut_off()))?;
    if args.format != Output::Json {
        let records = args.out.as_ref().map(|folder| folder.join("records.jsonl").display().to_string());
        stdout.write(|out| table.write(out, Look::of_stdout(), records.as_deref()))?;
    }
    stdout.write(|out| out.flush())?;
    if interrupted.now() && count < of {
        let hint = if args.out.is_some() { "; --resume goes on from there" } else { "" };
        anyhow::bail!("interrupted after {}{hint}", cut_off());
    }
    if let (Output::Parquet, Some(out)) = (args.format, &args.out) {
        let records = out.join("records.jsonl");
        let (format, cells) = (tables::Format::Parquet, tables::Cells::default());
        tables::export(&records, &out.join("tables"), format, cells, true)?;
    }
    Ok(table.all_ok().into())
}

/// The cases, batch by batch, as the format wants them.
fn batches(args: &Args) -> impl Iterator<Item = Vec<Case>> + use<> {
    let all_columns = args.format == Output::Parquet;
    args.scenes.batches(args.resources.seed).map(move |mut cases| {
        if all_columns {
            ask_for_columns(&mut cases);
        }
        cases
    })
}

/// A run as it goes on.
struct Run {
    progress: Progress,
    stdout: Stdout,
    table: Table,
    store: Option<Store>,
    flushed: Instant,
    is_json: bool,
    /// Cases that are done.
    count: usize,
}

impl Run {
    /// Runs the next cases, the first of which has the number `from`.
    fn batch(
        &mut self,
        pool: &rayon::ThreadPool,
        cases: &[Case],
        from: usize,
        done: &Done,
        settings: &Settings,
        interrupted: &Stop,
    ) -> anyhow::Result<()> {
        let mut todo = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            match done.status.get(&(from + number)) {
                Some(&status) => self.table.add_done(&case.id, status),
                None => todo.push(number),
            }
        }
        batch::run(pool, cases, &todo, settings, interrupted, |event| {
            let (case, record, timing) = match event {
                Event::Done { case, record, timing } => (case, record, timing),
                Event::Running(slowest) => {
                    self.progress.running(&slowest);
                    // What is finished is on the disk soon, however long the next case takes.
                    return flush(&mut self.store, &mut self.flushed);
                }
            };
            self.count += 1;
            self.progress.step(record.status == Status::Ok);
            if let Some(store) = &mut self.store {
                store.append(from + case, &record, &timing)?;
            }
            flush(&mut self.store, &mut self.flushed)?;
            if self.is_json {
                self.stdout.write(|out| writeln!(out, "{}", record.line()))?;
                for warning in &record.warnings {
                    writeln!(io::stderr(), "{warning}")?;
                }
            }
            self.table.add(&record);
            Ok(())
        })
    }
}

/// Synchronises the records to the disk at intervals.
fn flush(store: &mut Option<Store>, flushed: &mut Instant) -> anyhow::Result<()> {
    if let Some(store) = store
        && flushed.elapsed() >= FLUSH_EVERY
    {
        store.flush()?;
        *flushed = Instant::now();
    }
    Ok(())
}

/// Opens the folder of `--out`, if given, and reports the repeated cases of an earlier run. The last value is the
/// number of this run's cases, if known. With more than one batch the cases are only counted for a folder.
fn open_store(args: &Args, first: &[Vec<Case>]) -> anyhow::Result<(Option<Store>, Done, Option<usize>)> {
    let existing = args.existing.existing();
    let mut case_list = CaseList::new(args.shard, existing);
    let are_all = first.len() < 2;
    if are_all {
        first.iter().for_each(|batch| case_list.add(batch));
    } else if args.out.is_some() {
        batches(args).for_each(|batch| case_list.add(&batch));
    }
    let total = (are_all || args.out.is_some()).then(|| case_list.count());
    let total = total.map(|total| args.shard.unwrap_or(Shard::WHOLE).share(total));
    let Some(folder) = &args.out else { return Ok((None, Done::default(), total)) };
    if existing == Existing::Replace
        && let Some(fault) = case_list.unreadable()
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
    if let Some(effort) = args.effort.in_force() {
        settings["effort"] = json!(effort.name());
    }
    if let Some(judge) = args.judge.in_force() {
        settings["judge"] = json!(judge.0.name());
    }
    let (store, done) = Store::open(folder, case_list, settings, existing)?;
    if !done.dropped.is_empty() {
        let told = &done.dropped[..done.dropped.len().min(DROPPED_TOLD)];
        let more = done.dropped.len() - told.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let told = format!("{}: {}{more}: done again", folder.display(), told.join("; "));
        writeln!(io::stderr(), "{}", escaped_line(&told))?;
    }
    Ok((Some(store), done, total))
}

/// The number of faults of a resumed run's records that are reported one by one.
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
