//! `tengen profile`: measures the time of each system, tree operation and job, and simulates more workers.

use super::Outcome;
use super::common::{EffortArgs, JudgeArgs, Resources, SceneArgs, print, stop_on_interruption};
use crate::batch::{self, Event, Settings};
use crate::extension::Extensions;
use crate::files::write_file;
use crate::record::Status;
use crate::report::profile::{self, Measured};
use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tengen_core::profiler::{Recorder, step, trace};

/// The arguments of `tengen profile`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scenes: SceneArgs,
    #[command(flatten)]
    resources: Resources,
    #[command(flatten)]
    effort: EffortArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Write a Chrome trace there, for `tengen view FILE`, chrome://tracing or Perfetto
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Nodes of each reading or search at most
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,
    /// Run the cases N times, all together in one batch
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    repeat: u16,
    /// What to write to stdout
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Compare with an earlier profile, written by --format json
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Replay the jobs on these numbers of workers, e.g. 4,16,64; measure with --jobs 1
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=4096))]
    workers: Vec<u16>,
}

/// The output formats of `tengen profile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables
    Table,
    /// One JSON object
    Json,
}

/// Carries out `tengen profile`.
///
/// # Errors
/// If the command can't be carried out.
pub fn main(args: Args, extensions: &Extensions) -> anyhow::Result<Outcome> {
    let before = args.against.as_deref().map(read).transpose()?;
    let pool = args.resources.pool()?;
    let recorder = Recorder::default();
    let origin = Instant::now();
    let once = recorder.scope(|| step("read scenes", || args.scenes.cases(args.resources.seed)));
    let cases = vec![once; args.repeat.into()].concat();
    let settings = Settings {
        limit_nodes: args.limit_nodes,
        effort: args.effort.in_force(),
        judge: args.judge.in_force(),
        profile: Some(recorder.clone()),
        extensions: extensions.clone(),
        // Cut as it would be for the workers of the replay.
        cut_for: args.workers.iter().max().map_or(1, |&most| most.into()),
        ..Settings::default()
    };
    let mut errors = 0;
    let all: Vec<usize> = (0..cases.len()).collect();
    let interrupted = stop_on_interruption()?;
    batch::run(&pool, &cases, &all, &settings, &interrupted, |event| {
        if let Event::Done { record, .. } = event {
            errors += usize::from(record.status == Status::Error);
        }
        Ok(())
    })?;
    let wall = origin.elapsed();
    let (names, spans) = (recorder.names(), recorder.take());
    let workers: Vec<usize> = args.workers.iter().map(|&n| n.into()).collect();
    let measured =
        Measured::new(&names, &spans, recorder.counts(), wall, pool.current_num_threads(), &workers);
    let mut text = Vec::new();
    match args.format {
        Format::Json => writeln!(text, "{}", profile::json(&measured))?,
        Format::Table => profile::write(&measured, &mut text)?,
    }
    if let Some(before) = &before
        && args.format == Format::Table
    {
        profile::compare(before, &profile::json(&measured), &mut text)?;
    }
    if errors > 0 {
        let cases = crate::number_text::plural("case", errors);
        writeln!(std::io::stderr(), "{errors} {cases} could not be run: `tengen check` says why")?;
    }
    print(&String::from_utf8_lossy(&text))?;
    if let Some(path) = args.trace {
        write_file(&path, |file| trace::write(file, origin, &names, &spans))?;
    }
    anyhow::ensure!(!interrupted.now(), "interrupted: the profile is of what ran until then");
    Ok((errors == 0).into())
}

/// A profile written earlier.
fn read(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let value: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    anyhow::ensure!(
        value["schema"] == profile::SCHEMA,
        "{} is no profile: write one by `tengen profile PATH --format json > {}`",
        path.display(),
        path.display()
    );
    Ok(value)
}
