//! The table of a run: one row a scene, and what went wrong in full.

use crate::batch::{Record, Status};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Rows and faults of a run, gathered as records come.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    by_id: BTreeMap<String, usize>,
    faults: Vec<(String, Vec<String>)>,
    faults_left_out: usize,
}

/// All cases of one scene.
#[derive(Debug, Default)]
struct Row {
    id: String,
    counts: [usize; 3],
    summary: String,
}

/// Faults shown in full; more are counted.
const MAX_FAULTS: usize = 30;
/// Characters of a summary shown.
const MAX_SUMMARY: usize = 60;

/// The word for so many of a thing: `case` for one, `cases` for any other number.
#[must_use]
pub fn plural(word: &str, count: usize) -> String {
    if count == 1 { word.into() } else { format!("{word}s") }
}

impl Table {
    /// Takes in a record.
    pub fn add(&mut self, record: &Record) {
        self.count(&record.id, record.status, record.summary.lines().next().unwrap_or(""));
        if record.status == Status::Ok {
            return;
        }
        if self.faults.len() == MAX_FAULTS {
            self.faults_left_out += 1;
            return;
        }
        let mut lines: Vec<String> = Vec::new();
        if record.status == Status::Error {
            lines.extend(record.summary.lines().map(str::to_owned));
        }
        for expect in record.expect.iter().filter(|e| !e.ok) {
            lines.push(format!("expected {}", expect.expect));
            lines.extend(expect.found.iter().map(|found| format!("  {found}")));
        }
        self.faults.push((record.id.clone(), lines));
    }

    /// Takes in a case that an earlier run had done.
    pub fn add_done(&mut self, id: &str, status: Status) {
        self.count(id, status, "(done before)");
    }

    fn count(&mut self, id: &str, status: Status, summary: &str) {
        // The cases of a `for_each` have ids `file#name/game@move`.
        let scene =
            id.find('#').map_or(id, |hash| id[hash..].find('/').map_or(id, |slash| &id[..hash + slash]));
        let index = *self.by_id.entry(scene.to_owned()).or_insert_with(|| {
            self.rows.push(Row { id: scene.to_owned(), ..Row::default() });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        row.counts[status as usize] += 1;
        row.summary = summary.to_owned();
    }

    /// How many cases ended so.
    #[must_use]
    pub fn total(&self, status: Status) -> usize {
        self.rows.iter().map(|r| r.counts[status as usize]).sum()
    }

    /// Whether every case was ok.
    #[must_use]
    pub fn all_ok(&self) -> bool {
        self.total(Status::Failed) + self.total(Status::Error) == 0
    }

    /// Writes the table, what went wrong, and the sum.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let width = self.rows.iter().map(|r| r.id.chars().count()).max().unwrap_or(0);
        for row in &self.rows {
            let [ok, failed, error] = row.counts;
            let (status, found) = match (ok + failed + error, failed, error) {
                (1, 0, 0) => ("ok", row.summary.clone()),
                (1, 1, _) => ("FAILED", row.summary.clone()),
                (1, ..) => ("ERROR", String::new()),
                (n, 0, 0) => ("ok", format!("{n} positions")),
                (n, f, e) => {
                    (if e > 0 { "ERROR" } else { "FAILED" }, format!("{n} positions, {f} failed, {e} errors"))
                }
            };
            let mut found: String = found.chars().take(MAX_SUMMARY + 1).collect();
            if found.chars().count() > MAX_SUMMARY {
                found = found.chars().take(MAX_SUMMARY - 3).chain("...".chars()).collect();
            }
            writeln!(out, "{}", format!("{:width$}  {status:6}  {found}", row.id).trim_end())?;
        }
        for (id, lines) in &self.faults {
            writeln!(out, "\n{id}")?;
            for line in lines {
                writeln!(out, "  {line}")?;
            }
        }
        if self.faults_left_out > 0 {
            writeln!(out, "\nand {} more that are not ok: see the records", self.faults_left_out)?;
        }
        let [ok, failed, error] = [Status::Ok, Status::Failed, Status::Error].map(|s| self.total(s));
        writeln!(out, "\n{ok} ok, {failed} failed, {error} errors")
    }
}
