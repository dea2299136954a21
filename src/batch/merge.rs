//! Merges the shards of a run of scenes into one folder. The merged files are byte for byte the files of a single
//! process.
//!
//! # Steps
//! 1. Check that each shard has one line for each of its cases, and that each line has its recorded checksum.
//! 2. Take as record *k* the next record of the shard that has case *k*. Write both files under temporary names, and
//!    rename them.

use super::run_folder::{Existing, RunFolder};
use super::shard::Shards;
use super::store::{RECORDS, TIMINGS, checksum, owned};
use crate::number_text::counted;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;

/// Merges the shards of a run of scenes, and returns the number of records.
///
/// # Errors
/// If a shard is not finished or was altered; if the folder is refused (see [`RunFolder::open`]) or can't be written.
pub fn run(shards: &Shards, out: &Path, existing: Existing) -> anyhow::Result<usize> {
    let cases = shards.manifest.settings["cases"].as_u64().context("the manifests say of no cases")? as usize;
    for (index, folder) in shards.folders.iter().enumerate() {
        check(folder, shards.shard(index).share(cases)).with_context(|| {
            let (shard, shown) = (shards.shard(index), folder.display());
            format!("shard {shard} in {shown} is not whole: run it again with --resume")
        })?;
    }
    let folder = RunFolder::open(out, existing, &shards.manifest, &owned)?.folder;
    for name in [RECORDS, TIMINGS] {
        let mut parts = shards.folders.iter().map(|f| lines(f, name)).collect::<anyhow::Result<Vec<_>>>()?;
        let count = parts.len();
        folder.write_by(name, |file| {
            (0..cases).try_for_each(|case| {
                let line = parts[case % count].next().ok_or(io::ErrorKind::UnexpectedEof)??;
                file.write_all(&line)?;
                file.write_all(b"\n")
            })
        })?;
    }
    Ok(cases)
}

/// Step 1, for one shard.
fn check(folder: &Path, wanted: usize) -> anyhow::Result<()> {
    let (mut records, mut timings) = (lines(folder, RECORDS)?, lines(folder, TIMINGS)?);
    for number in 1..=wanted {
        let (record, timing) = (records.next().transpose()?, timings.next().transpose()?);
        let (Some(record), Some(timing)) = (record, timing) else {
            anyhow::bail!("it has {} of {}", number - 1, counted("record", wanted));
        };
        let timing: Value = serde_json::from_slice(&timing).unwrap_or_default();
        ensure!(timing["checksum"] == checksum(&record), "line {number} of {RECORDS} was altered");
    }
    ensure!(
        records.next().is_none() && timings.next().is_none(),
        "it has more than {}",
        counted("record", wanted)
    );
    Ok(())
}

/// The lines of a shard's file.
fn lines(folder: &Path, name: &str) -> anyhow::Result<io::Split<BufReader<File>>> {
    let path = folder.join(name);
    let file = File::open(&path).with_context(|| format!("can't read {}", path.display()))?;
    Ok(BufReader::new(file).split(b'\n'))
}
