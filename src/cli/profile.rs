//! `tengen profile`: which system of the schedule took how long.

use super::Outcome;
use super::common::{Resources, SceneArgs, interruption, print};
use crate::batch::{self, Settings, Status};
use crate::report;
use anyhow::Context as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::time::Instant;
use tengen_core::profiler::{Profile, Span, write_chrome_trace};

/// The arguments of `tengen profile`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    scenes: SceneArgs,
    #[command(flatten)]
    resources: Resources,
    /// Write a Chrome trace there (for chrome://tracing or Perfetto)
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Nodes of each reading at most
    #[arg(long, value_name = "N")]
    limit_nodes: Option<u64>,
}

/// Carries out `tengen profile`.
///
/// # Errors
/// If the command can't be carried out, or nothing in the scenes runs systems.
pub fn main(args: Args) -> anyhow::Result<Outcome> {
    let origin = Instant::now();
    let pool = args.resources.pool()?;
    let cases = args.scenes.cases(args.resources.seed);
    let settings = Settings { limit_nodes: args.limit_nodes, profile: true, ..Settings::default() };
    let mut errors = 0;
    let all: Vec<usize> = (0..cases.len()).collect();
    let worlds = batch::run(&pool, &cases, &all, &settings, interruption()?, |_, record, _| {
        errors += usize::from(record.status == Status::Error);
        Ok(())
    })?;
    let names = worlds.first().map(|(names, _)| names.clone()).context("no scene there runs an analysis")?;
    let worlds: Vec<Vec<Span>> = worlds.into_iter().map(|(_, spans)| spans).collect();
    let mut text = Vec::new();
    report::profile::write(&Profile::of(&names, &worlds.concat()), &mut text)?;
    if errors > 0 {
        writeln!(text, "{errors} cases could not be run: `tengen check` says why")?;
    }
    print(&String::from_utf8_lossy(&text))?;
    if let Some(path) = args.trace {
        let context = || format!("can't write {}", path.display());
        let mut file = BufWriter::new(File::create(&path).with_context(context)?);
        write_chrome_trace(&mut file, origin, &names, &worlds).with_context(context)?;
        file.flush().with_context(context)?;
    }
    Ok((errors == 0).into())
}
