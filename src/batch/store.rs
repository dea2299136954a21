//! The folder of a run: records, timings, and how a killed run goes on.
//!
//! Whole lines are appended in the order of the cases, so that at any moment `records.jsonl` is the beginning of
//! what it will be. A kill can tear the last line: on resuming it is dropped and its case done again.

use super::record::{Record, Status};
use super::{Case, Timing};
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The folder of a run, open for more records.
#[derive(Debug)]
pub struct Store {
    records: BufWriter<File>,
    timings: BufWriter<File>,
}

/// What a resumed run finds done: how the first cases ended, one each.
pub type Done = Vec<Status>;

impl Store {
    /// Opens the folder for a run of these cases. With `resume` it goes on where an earlier run of the same cases
    /// stopped; without, it begins anew.
    ///
    /// # Errors
    /// If the folder can't be written, or holds another run.
    pub fn open(
        folder: &Path,
        cases: &[Case],
        settings: &Value,
        resume: bool,
    ) -> anyhow::Result<(Self, Done)> {
        fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
        let manifest = manifest(cases, settings).to_string();
        let manifest_path = folder.join("run.json");
        let records_path = folder.join("records.jsonl");
        let mut done = Done::default();
        if resume && manifest_path.exists() {
            let old = fs::read_to_string(&manifest_path)
                .with_context(|| format!("can't read {}", manifest_path.display()))?;
            if old.trim() != manifest {
                bail!(
                    "{} holds a run of other scenes or settings: give the same ones, or leave --resume out",
                    folder.display()
                );
            }
            done = keep_whole_lines(&records_path, cases)?;
        } else {
            truncate(&records_path, 0)?;
            truncate(&folder.join("timings.jsonl"), 0)?;
            let part = folder.join("run.json.part");
            fs::write(&part, format!("{manifest}\n"))
                .and_then(|()| fs::rename(&part, &manifest_path))
                .with_context(|| format!("can't write {}", manifest_path.display()))?;
        }
        let open = |path: PathBuf| -> anyhow::Result<_> {
            let file = OpenOptions::new().create(true).append(true).open(&path);
            Ok(BufWriter::new(file.with_context(|| format!("can't write {}", path.display()))?))
        };
        let store = Self { records: open(records_path)?, timings: open(folder.join("timings.jsonl"))? };
        Ok((store, done))
    }

    /// Appends one record and its time.
    ///
    /// # Errors
    /// If writing fails.
    pub fn append(&mut self, record: &Record, timing: &Timing) -> anyhow::Result<()> {
        let mut line = record.line();
        line.push('\n');
        self.records.write_all(line.as_bytes()).context("can't write records.jsonl")?;
        let time = json!({
            "id": record.id, "seconds": timing.took.as_secs_f64(), "batch": timing.batch,
        });
        writeln!(self.timings, "{time}").context("can't write timings.jsonl")
    }

    /// Hands what was appended to the system: a kill of this process can't lose it any more.
    ///
    /// # Errors
    /// If writing fails.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        self.records.flush().context("can't write records.jsonl")?;
        self.timings.flush().context("can't write timings.jsonl")
    }
}

/// What makes two runs the same run: version, settings, and every case with what it names.
fn manifest(cases: &[Case], settings: &Value) -> Value {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut feed = |bytes: &[u8]| {
        for &b in bytes.iter().chain(&[0]) {
            hash = (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for case in cases {
        feed(case.id.as_bytes());
        if let Some(scene) = &case.scene {
            // The scene's own words: a changed expectation is another run.
            feed(format!("{scene:?}").as_bytes());
        }
    }
    json!({
        "schema": "tengen.run/1",
        "version": env!("CARGO_PKG_VERSION"),
        "settings": settings,
        "cases": cases.len(),
        "fingerprint": format!("{hash:016x}"),
    })
}

/// Cuts a torn or foreign tail off the records and says how the cases that are left ended.
fn keep_whole_lines(path: &Path, cases: &[Case]) -> anyhow::Result<Done> {
    let mut done = Done::default();
    let mut whole = 0;
    if path.exists() {
        let mut reader =
            BufReader::new(File::open(path).with_context(|| format!("can't read {}", path.display()))?);
        let mut line = Vec::new();
        for case in cases {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            let Some(status) = status_of(&line, &case.id) else { break };
            done.push(status);
            whole += length as u64;
        }
    }
    truncate(path, whole)?;
    Ok(done)
}

/// The status a line says for this case; `None` if it isn't a whole record of it.
fn status_of(line: &[u8], id: &str) -> Option<Status> {
    let text = line.strip_suffix(b"\n")?;
    let record: Value = serde_json::from_slice(text).ok()?;
    if record["id"].as_str()? != id {
        return None;
    }
    match record["status"].as_str()? {
        "ok" => Some(Status::Ok),
        "failed" => Some(Status::Failed),
        "error" => Some(Status::Error),
        _ => None,
    }
}

fn truncate(path: &Path, length: u64) -> anyhow::Result<()> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    file.and_then(|f| f.set_len(length)).with_context(|| format!("can't write {}", path.display()))
}
