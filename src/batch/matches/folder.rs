//! The folder of a run of matches: the files `matches.jsonl` and `summary.json`. `matches.jsonl` has one line for each
//! match, in the order in which the matches end.
//!
//! The summary is computed from the records alone. [`crate::batch::run_folder`] guards the folder. On resume, a line
//! counts if it is complete and belongs to this run. An incomplete or altered line is dropped, and its match is played
//! again.

use super::{Plan, Record, SCHEMA};
use crate::batch::run_folder::{Existing, Manifest, Opened, RunFolder, input_hashes};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The file of the records.
pub const MATCHES: &str = "matches.jsonl";
/// The file of the table.
const SUMMARY: &str = "summary.json";

/// A match of a run: the rulesheet's name and the number.
pub type Key = (String, u64);

/// The folder of a run.
#[derive(Debug)]
pub struct Folder {
    folder: RunFolder,
    file: File,
    records: BTreeMap<Key, Record>,
    dropped: usize,
}

impl Folder {
    /// Opens the folder for a run.
    ///
    /// # Errors
    /// If it is refused (see [`RunFolder::open`]), or can't be read or written.
    pub fn open(path: &Path, manifest: &Manifest, plan: &Plan, existing: Existing) -> anyhow::Result<Self> {
        let own = |name: &str| [MATCHES, SUMMARY].contains(&name);
        let Opened { folder, resumed } = RunFolder::open(path, existing, manifest, &own)?;
        let (mut records, mut dropped) = (BTreeMap::new(), 0);
        if resumed {
            let text = match fs::read(path.join(MATCHES)) {
                Ok(text) => String::from_utf8_lossy(&text).into_owned(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
                Err(error) => return Err(error).with_context(|| format!("can't read {MATCHES}")),
            };
            let mut whole = String::new();
            for line in text.lines().filter(|line| !line.trim().is_empty()) {
                match read(line, plan).filter(|record| !records.contains_key(&key(record))) {
                    Some(record) => {
                        whole += line;
                        whole.push('\n');
                        records.insert(key(&record), record);
                    }
                    None => dropped += 1,
                }
            }
            folder.write_whole(MATCHES, whole.as_bytes())?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path.join(MATCHES));
        let file = file.with_context(|| folder.cannot_write(MATCHES))?;
        Ok(Self { folder, file, records, dropped })
    }

    /// The lines that a resume found torn or altered.
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    /// The record of a match, if it is played.
    #[must_use]
    pub fn record(&self, rules: &str, number: u64) -> Option<&Record> {
        self.records.get(&(rules.to_owned(), number))
    }

    /// Keeps a record.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let line = serde_json::to_string(record).context("a record")?;
        writeln!(self.file, "{line}")
            .and_then(|()| self.file.sync_data())
            .with_context(|| self.folder.cannot_write(MATCHES))?;
        self.records.insert(key(record), record.clone());
        Ok(())
    }

    /// Writes the table.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn finish(&self, table: &Value) -> anyhow::Result<()> {
        self.folder.write_whole(SUMMARY, format!("{table:#}\n").as_bytes())
    }
}

fn key(record: &Record) -> Key {
    (record.rules.clone(), record.number)
}

/// The record of a line, if it is one of this run.
fn read(line: &str, plan: &Plan) -> Option<Record> {
    let record: Record = serde_json::from_str(line).ok()?;
    let roles = record.roles.len();
    let lists = [record.seats.len(), record.players.len(), record.goals.len(), record.slowest_ms.len()];
    let is_whole = record.schema == SCHEMA
        && record.seed == plan.seed_of(record.number)
        && lists.iter().all(|&length| length == roles)
        && record.seats.iter().flatten().all(|&player| player < plan.players.len());
    is_whole.then_some(record)
}

/// The identity of a run; the number of its matches is no part of it.
#[must_use]
pub fn manifest(plan: &Plan, files: &[PathBuf]) -> Manifest {
    let players: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
    let settings = json!({
        "players": players,
        "seed": plan.seed,
        "swap": plan.swap,
        "scramble": plan.scramble,
        "start": plan.clocks.start.as_secs_f64(),
        "seconds": plan.clocks.play.as_secs_f64(),
        "margin": plan.clocks.margin.as_secs_f64(),
    });
    let names: Vec<String> = files.iter().map(|file| crate::files::display(file)).collect();
    let inputs = input_hashes(files.iter().map(PathBuf::as_path));
    Manifest::new(SCHEMA, settings, names.join("\n").as_bytes(), inputs)
}
