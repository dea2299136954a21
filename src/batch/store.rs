//! Stores the records of a run in its folder, and resumes a killed run.
//!
//! Lines are appended in the order of the cases. So at any moment `records.jsonl` is a prefix of the final file. A line
//! counts as finished when `timings.jsonl` holds its checksum and both lines are on the disk.
//!
//! # Resuming
//! 1. Every line is compared with its checksum and its case. A kill can leave the last line incomplete. Such a line is
//!    dropped.
//! 2. Only a case whose line was altered, or is missing between other lines, is computed again. The files stay
//!    unchanged until this is done. Then both files are written under temporary names and renamed.
//! 3. The run continues after the last line.

use super::run_folder::{Existing, Manifest, Opened, RunFolder, hex, input_hashes};
use super::settings::Timing;
use super::shard::{Shard, marked};
use crate::record::{Record, Status};
use crate::scene::{Case, Input, Task};
use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use tengen_core::Diagnostic;

/// The version of the run's files.
pub const SCHEMA: &str = "tengen.run/2";
pub(crate) const RECORDS: &str = "records.jsonl";
pub(crate) const TIMINGS: &str = "timings.jsonl";

/// The folder of a run, open for more records.
#[derive(Debug)]
pub struct Store {
    folder: RunFolder,
    records: BufWriter<File>,
    timings: BufWriter<File>,
    repair: Repair,
}

/// The finished part of a resumed run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The ends of the finished cases, by their numbers.
    pub status: BTreeMap<usize, Status>,
    /// The faults found, whose cases are run again, one sentence each.
    pub dropped: Vec<String>,
}

/// A record that is whole in the file or was done again, and the line of its time.
#[derive(Debug)]
struct Kept {
    record: Place,
    time: String,
}

/// The place of a record's line.
#[derive(Debug)]
enum Place {
    /// The number of bytes from there in the file, the line's end included.
    File { from: u64, length: u64 },
    /// Done again.
    Anew(String),
}

/// Lines that were found damaged: done again first, then put into their places.
#[derive(Debug, Default)]
struct Repair {
    /// The good ones by the numbers of their cases, up to the last one.
    good: BTreeMap<usize, Kept>,
    /// The number of missing ones among them.
    missing: usize,
}

impl Store {
    /// Opens the folder for a run of the cases of this list, or for a shard of it: its cases are numbered among themselves.
    ///
    /// # Errors
    /// If the folder is refused (see [`RunFolder::open`]) or cannot be read or written.
    pub fn open(
        path: &Path,
        case_list: CaseList,
        settings: Value,
        existing: Existing,
    ) -> anyhow::Result<(Self, Done)> {
        let (shard, ids) = (case_list.shard, case_list.ids.clone());
        let manifest = marked(case_list.manifest(settings), shard);
        let Opened { folder, resumed } = RunFolder::open(path, existing, &manifest, &owned)?;
        let (repair, done) = if resumed { kept(&folder, &ids)? } else { Default::default() };
        let (records, timings) = (open(&folder, RECORDS)?, open(&folder, TIMINGS)?);
        Ok((Self { folder, records, timings, repair }, done))
    }

    /// Appends the record of a case and its time.
    ///
    /// # Errors
    /// If writing fails.
    pub fn append(&mut self, case: usize, record: &Record, timing: &Timing) -> anyhow::Result<()> {
        let line = record.line();
        let time = json!({
            "id": record.id, "seconds": timing.took.as_secs_f64(), "batch": timing.batch,
            "checksum": checksum(line.as_bytes()),
        });
        if self.repair.missing > 0 {
            return self.put_back(case, Kept { record: Place::Anew(line), time: time.to_string() });
        }
        writeln!(self.records, "{line}").with_context(|| self.folder.cannot_write(RECORDS))?;
        writeln!(self.timings, "{time}").with_context(|| self.folder.cannot_write(TIMINGS))
    }

    /// Step 2: takes a repeated record. With the last one both files are rewritten.
    fn put_back(&mut self, case: usize, kept: Kept) -> anyhow::Result<()> {
        self.repair.good.insert(case, kept);
        self.repair.missing -= 1;
        if self.repair.missing > 0 {
            return Ok(());
        }
        rewrite(&self.folder, std::mem::take(&mut self.repair.good).into_values())?;
        (self.records, self.timings) = (open(&self.folder, RECORDS)?, open(&self.folder, TIMINGS)?);
        Ok(())
    }

    /// Synchronises the appended lines to the disk. After this neither a killed process nor a power failure loses
    /// them.
    ///
    /// # Errors
    /// If writing fails.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        for (name, file) in [(RECORDS, &mut self.records), (TIMINGS, &mut self.timings)] {
            let flushed = file.flush().and_then(|()| file.get_ref().sync_data());
            flushed.with_context(|| self.folder.cannot_write(name))?;
        }
        Ok(())
    }
}

/// Whether a run writes a file of this name.
pub(super) fn owned(name: &str) -> bool {
    let name = name.strip_suffix(".part").unwrap_or(name);
    name == RECORDS || name == TIMINGS
}

/// A checksum of a record's line: 64-bit FNV-1a (Fowler, Noll, Vo), in hexadecimal digits.
pub(super) fn checksum(line: &[u8]) -> String {
    let hash = line
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The cases of a run as its folder identifies it, taken in batch by batch: their order, and the content of every file
/// they name.
#[derive(Default)]
pub struct CaseList {
    words: Sha256,
    count: usize,
    files: BTreeSet<PathBuf>,
    shard: Option<Shard>,
    /// The ids of the shard's cases, for a run that may go on.
    ids: Vec<String>,
    keeps_ids: bool,
    unreadable: Option<Diagnostic>,
}

impl CaseList {
    /// An empty list of cases, for a shard or for the whole run, that continues or begins again.
    #[must_use]
    pub fn new(shard: Option<Shard>, existing: Existing) -> Self {
        Self { shard, keeps_ids: existing == Existing::Resume, ..Self::default() }
    }

    /// Takes in the next cases.
    pub fn add(&mut self, cases: &[Case]) {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        for (number, case) in (self.count..).zip(cases) {
            self.words.update(format!("{} {}\n", case.id, case.seed));
            if let Some(scene) = &case.scene {
                self.words.update(format!("{:?} {:?}\n", scene.task, scene.expect));
            }
            if self.keeps_ids && shard.has(number) {
                self.ids.push(case.id.clone());
            }
            if let (None, None, Input::Fault(fault)) = (&self.unreadable, &case.scene, &case.input) {
                self.unreadable = Some(fault.clone());
            }
        }
        self.count += cases.len();
        self.files.extend(input_files(cases));
    }

    /// The number of cases, those of other shards too.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The fault of the first unreadable scene.
    #[must_use]
    pub const fn unreadable(&self) -> Option<&Diagnostic> {
        self.unreadable.as_ref()
    }

    /// The identity of a run with these settings.
    fn manifest(self, mut settings: Value) -> Manifest {
        let mut files = self.files;
        if let Some(patterns) = settings["patterns"].as_str() {
            files.extend(
                tengen_go::patterns::PatternDatabases::FILES
                    .map(|name| PathBuf::from(patterns).join(name))
                    .into_iter()
                    .filter(|path| path.exists()),
            );
        }
        if let Some(fields) = settings.as_object_mut() {
            fields.insert("cases".into(), json!(self.count));
        }
        let inputs = input_hashes(files.iter().map(PathBuf::as_path));
        Manifest::of_hash(SCHEMA, settings, hex(&self.words.finalize()), inputs)
    }
}

/// The files that cases are read from and name.
pub(super) fn input_files(cases: &[Case]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for case in cases {
        files.extend(case.source.iter().map(|source| source.path.clone()));
        match &case.input {
            Input::Record { record, .. } => files.push(record.path.clone()),
            Input::Rules(path) => files.push(path.clone()),
            Input::Game | Input::Fault(_) => {}
        }
        let Some(scene) = &case.scene else { continue };
        if let (Task::SelfPlay { openings: Some(openings), .. }, Some(source)) = (&scene.task, &case.source) {
            files.push(source.resolve(openings));
        }
    }
    files.sort();
    files.dedup();
    files
}

fn open(folder: &RunFolder, name: &str) -> anyhow::Result<BufWriter<File>> {
    let file = OpenOptions::new().create(true).append(true).open(folder.path().join(name));
    Ok(BufWriter::new(file.with_context(|| folder.cannot_write(name))?))
}

/// The fields of a record that [`kept`] needs.
#[derive(Deserialize)]
struct Head {
    id: String,
    status: Status,
}

/// The fields of a time that [`kept`] needs.
#[derive(Deserialize)]
struct TimeHead {
    id: String,
    checksum: String,
}

/// Step 1: which lines are whole records of these cases. Everything after the last one is cut off.
fn kept(folder: &RunFolder, ids: &[String]) -> anyhow::Result<(Repair, Done)> {
    let numbers: HashMap<&str, usize> = ids.iter().enumerate().map(|(i, id)| (id.as_str(), i)).collect();
    let mut times = HashMap::new();
    each_line(folder, TIMINGS, |_, line| {
        if let (Ok(time), Ok(text)) = (serde_json::from_slice::<TimeHead>(line), str::from_utf8(line)) {
            times.insert(time.id, (time.checksum, text.to_owned()));
        }
    })?;
    let (mut good, mut done) = (BTreeMap::new(), Done::default());
    let (mut number_of_line, mut in_order, mut unfinished) = (0, true, Vec::new());
    let torn = each_line(folder, RECORDS, |from, line| {
        number_of_line += 1;
        let head = serde_json::from_slice::<Head>(line).ok();
        let found = head.and_then(|h| Some((*numbers.get(h.id.as_str())?, h.status, times.remove(&h.id))));
        match found {
            Some((number, status, Some((sum, time)))) if sum == checksum(line) => {
                in_order &= number + 1 == number_of_line;
                let record = Place::File { from, length: line.len() as u64 + 1 };
                good.insert(number, Kept { record, time });
                done.status.insert(number, status);
            }
            // At the end: the process ended between the two files.
            Some((number, _, None)) => unfinished.push((number, number_of_line)),
            _ => done.dropped.push(altered(number_of_line)),
        }
    })?;
    let end = good.keys().next_back().map_or(0, |last| last + 1);
    let between = unfinished.iter().filter(|(number, _)| *number < end);
    done.dropped.extend(between.map(|&(_, line)| altered(line)));
    if torn {
        done.dropped.push(format!("the last line of {RECORDS} was torn"));
    }
    let missing = end - good.len();
    if missing > 0 && done.dropped.is_empty() {
        done.dropped.push(format!("{RECORDS} lacked {missing} of its lines"));
    }
    if missing > 0 {
        return Ok((Repair { good, missing }, done));
    }
    if in_order && !times_differ(folder, good.values())? {
        cut(folder, RECORDS, good.values().map(Kept::length).sum())?;
        cut(folder, TIMINGS, good.values().map(|k| k.time.len() as u64 + 1).sum())?;
    } else {
        rewrite(folder, good.into_values())?;
    }
    Ok((Repair::default(), done))
}

fn altered(line: usize) -> String {
    format!("line {line} of {RECORDS} was altered")
}

impl Kept {
    const fn length(&self) -> u64 {
        match &self.record {
            Place::File { length, .. } => *length,
            Place::Anew(line) => line.len() as u64 + 1,
        }
    }
}

/// Whether the file of times does not begin with exactly these.
fn times_differ<'a>(folder: &RunFolder, kept: impl Iterator<Item = &'a Kept>) -> anyhow::Result<bool> {
    let mut lines = Vec::new();
    each_line(folder, TIMINGS, |_, line| lines.push(line.to_vec()))?;
    let mut lines = lines.into_iter();
    Ok(kept.into_iter().any(|k| lines.next().as_deref() != Some(k.time.as_bytes())))
}

fn cut(folder: &RunFolder, name: &str, length: u64) -> anyhow::Result<()> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(folder.path().join(name));
    file.and_then(|f| f.set_len(length)).with_context(|| folder.cannot_write(name))
}

/// Rewrites both files: the records and times of these cases, in this order.
fn rewrite(folder: &RunFolder, kept: impl Iterator<Item = Kept>) -> anyhow::Result<()> {
    let mut old = File::open(folder.path().join(RECORDS)).ok();
    let mut times = String::new();
    folder.write_by(RECORDS, |file| {
        for Kept { record, time } in kept {
            times.extend([time.as_str(), "\n"]);
            match record {
                Place::Anew(line) => writeln!(file, "{line}")?,
                Place::File { from, length } => {
                    let old = old.as_mut().ok_or(io::ErrorKind::NotFound)?;
                    old.seek(SeekFrom::Start(from))?;
                    io::copy(&mut old.take(length), file)?;
                }
            }
        }
        Ok(())
    })?;
    folder.write_whole(TIMINGS, times.as_bytes())
}

/// Hands each whole line of a file on, with where it begins; whether the last one is torn. A file that is not there
/// has none.
fn each_line(folder: &RunFolder, name: &str, mut take: impl FnMut(u64, &[u8])) -> anyhow::Result<bool> {
    let path = folder.path().join(name);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("can't read {}", path.display())),
    };
    let (mut reader, mut line, mut from) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let length = read.with_context(|| format!("can't read {}", path.display()))?;
        match line.strip_suffix(b"\n") {
            Some(whole) => take(from, whole),
            None => return Ok(length > 0),
        }
        from += length as u64;
    }
}
