//! `tengen merge`: merges the shards of a run.

use super::Outcome;
use crate::batch::run_folder::Existing;
use crate::batch::shard::Shards;
use crate::batch::{merge, selfplay, store};
use crate::number_text::plural;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use tengen_core::{escaped, escaped_line};

/// The arguments of `tengen merge`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folders of all shards of one run, in any order
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The folder for the whole run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Begin anew in the folder of --out, in place of the run it holds
    #[arg(long)]
    force: bool,
}

/// Carries out `tengen merge`.
///
/// # Errors
/// If the folders are not all shards of one run, finished and whole; if the folder of `--out` is refused.
pub fn main(args: &Args) -> anyhow::Result<Outcome> {
    let shards = Shards::read(&args.folders)?;
    let existing = if args.force { Existing::Replace } else { Existing::RefuseMerge };
    let mut stdout = io::stdout().lock();
    match shards.manifest.schema.as_str() {
        store::SCHEMA => {
            let count = merge::run(&shards, &args.out, existing)?;
            let told = format!("{count} {} in {}", plural("record", count), args.out.display());
            writeln!(stdout, "{}", escaped_line(&told))?;
        }
        selfplay::folder::SCHEMA => {
            let mut text = Vec::new();
            selfplay::merge::run(shards, &args.out, existing)?.write(&mut text)?;
            write!(stdout, "{}", escaped(&String::from_utf8_lossy(&text)))?;
        }
        other => anyhow::bail!("these folders hold runs of another kind or version, `{other}`"),
    }
    stdout.flush().context("can't write to stdout")?;
    Ok(Outcome::Success)
}
