//! The table of a run: one row for each scene, and every failure in full.
//!
//! On a terminal, the table fits the width and has colours. In all other outputs nothing is cut or coloured.

use crate::number_text::plural;
use crate::record::{Record, Status};
use console::style;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tengen_core::{escaped, escaped_line};

/// The destination of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal, if it is one.
    pub width: Option<usize>,
    /// Whether it shows colours.
    pub colours: bool,
}

impl Look {
    /// That of stdout. `NO_COLOR` is obeyed.
    #[must_use]
    pub fn of_stdout() -> Self {
        let width = console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
        Self { width: width.filter(|_| console::user_attended()), colours: console::colors_enabled() }
    }
}

/// Rows and faults of a run, gathered as records come.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    by_id: BTreeMap<String, usize>,
    faults: Vec<Fault>,
    faults_left_out: usize,
    warnings: Vec<(String, String)>,
    warned: usize,
}

/// The fault of a case, and the number of later cases with the same fault.
#[derive(Debug)]
struct Fault {
    id: String,
    lines: Vec<String>,
    more: usize,
}

/// All cases of one scene.
#[derive(Debug, Default)]
struct Row {
    id: String,
    counts: BTreeMap<Status, usize>,
    summary: String,
}

/// Faults shown in full, and warnings; more are counted.
const MAX_FAULTS: usize = 30;
/// Columns of a summary that must be left before ids are cut.
const MIN_SUMMARY: usize = 24;

/// The scene of a case: those of a `for_each` have ids `file#name/game@move`, those of a file without a scene
/// `file@move`, `file:line` or `file:number@move`.
fn group(id: &str) -> &str {
    if let Some(hash) = id.find('#') {
        return id[hash..].find('/').map_or(id, |slash| &id[..hash + slash]);
    }
    let without = |id: &'_ str, mark: char| {
        let number = |tail: &str| !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
        id.rsplit_once(mark).filter(|(_, tail)| number(tail)).map_or(id.len(), |(head, _)| head.len())
    };
    let id = &id[..without(id, '@')];
    &id[..without(id, ':')]
}

/// A status as the table writes it.
const fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Failed => "FAILED",
        Status::Error => "ERROR",
        Status::Limit => "LIMIT",
    }
}

impl Table {
    /// Adds a record.
    pub fn add(&mut self, record: &Record) {
        self.count(&record.id, record.status, record.summary.lines().next().unwrap_or(""));
        for warning in &record.warnings {
            self.warned += 1;
            if self.warnings.len() < MAX_FAULTS {
                self.warnings.push((record.id.clone(), warning.message.clone()));
            }
        }
        if matches!(record.status, Status::Ok | Status::Limit) {
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
        // One fault of a scene may be that of each of its positions.
        let is_full = self.faults.len() == MAX_FAULTS;
        match self.faults.last_mut() {
            Some(last) if last.lines == lines => last.more += 1,
            _ if is_full => self.faults_left_out += 1,
            _ => self.faults.push(Fault { id: record.id.clone(), lines, more: 0 }),
        }
    }

    /// Takes in a case that an earlier run had done.
    pub fn add_done(&mut self, id: &str, status: Status) {
        self.count(id, status, "(done before)");
    }

    fn count(&mut self, id: &str, status: Status, summary: &str) {
        let scene = group(id);
        let index = *self.by_id.entry(scene.to_owned()).or_insert_with(|| {
            self.rows.push(Row { id: scene.to_owned(), ..Row::default() });
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        *row.counts.entry(status).or_default() += 1;
        row.summary = summary.to_owned();
    }

    /// The number of cases with this status.
    #[must_use]
    pub fn total(&self, status: Status) -> usize {
        self.rows.iter().filter_map(|r| r.counts.get(&status)).sum()
    }

    /// Whether every case was ok.
    #[must_use]
    pub fn all_ok(&self) -> bool {
        self.rows.iter().all(|row| row.counts.keys().all(|&status| status == Status::Ok))
    }

    /// Writes the table, what went wrong, and the sum. `records` names the place of the records, for omitted details.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: &mut impl Write, look: Look, records: Option<&str>) -> io::Result<()> {
        let longest = self.rows.iter().map(|r| escaped_line(&r.id).chars().count()).max().unwrap_or(0);
        let width =
            look.width.map_or(longest, |all| longest.min(all.saturating_sub(MIN_SUMMARY + 10).max(16)));
        self.rows.iter().try_for_each(|row| row.write(out, look, width))?;
        for Fault { id, lines, more } in &self.faults {
            writeln!(out, "\n{}", escaped_line(id))?;
            lines.iter().try_for_each(|line| writeln!(out, "  {}", escaped(line)))?;
            if *more > 0 {
                writeln!(out, "  and {more} more with the same")?;
            }
        }
        let at = records.map_or_else(
            || "`--format json` or `--out DIR` gives them all".to_owned(),
            |folder| format!("see {folder}"),
        );
        if self.faults_left_out > 0 {
            writeln!(out, "\nand {} more that are not ok: {at}", self.faults_left_out)?;
        }
        self.warnings.iter().try_for_each(|(id, warning)| {
            writeln!(
                out,
                "\n{}\n  {} {}",
                escaped_line(id),
                coloured("warning:", 'y', look),
                escaped(warning)
            )
        })?;
        if self.warned > self.warnings.len() {
            writeln!(out, "\nand {} more warnings: {at}", self.warned - self.warnings.len())?;
        }
        self.write_sum(out, look)
    }

    fn write_sum(&self, out: &mut impl Write, look: Look) -> io::Result<()> {
        let [ok, failed, errors, limit] =
            [Status::Ok, Status::Failed, Status::Error, Status::Limit].map(|s| self.total(s));
        let mut sum = vec![format!("{ok} ok")];
        sum.push(coloured(&format!("{failed} failed"), if failed > 0 { 'r' } else { ' ' }, look));
        let errors_text = format!("{errors} {}", plural("error", errors));
        sum.push(coloured(&errors_text, if errors > 0 { 'r' } else { ' ' }, look));
        if limit > 0 {
            sum.push(coloured(&format!("{limit} ended by a limit"), 'y', look));
        }
        if self.warned > 0 {
            let text = format!("{} {}", self.warned, plural("warning", self.warned));
            sum.push(coloured(&text, 'y', look));
        }
        writeln!(out, "\n{}", sum.join(", "))
    }
}

impl Row {
    fn write(&self, out: &mut impl Write, look: Look, width: usize) -> io::Result<()> {
        let count = |status| self.counts.get(&status).copied().unwrap_or(0);
        let all: usize = self.counts.values().sum();
        let worst = [Status::Error, Status::Failed, Status::Limit].into_iter().find(|&s| count(s) > 0);
        let status = worst.unwrap_or(Status::Ok);
        let found = match (all, status) {
            (1, Status::Error) => String::new(),
            (1, _) => self.summary.clone(),
            _ => {
                let mut parts = vec![format!("{all} positions")];
                let mut part = |n: usize, words: &str| parts.extend((n > 0).then(|| format!("{n} {words}")));
                part(count(Status::Failed), "failed");
                part(count(Status::Error), &plural("error", count(Status::Error)));
                part(count(Status::Limit), "ended by a limit");
                parts.join(", ")
            }
        };
        let (id, found) = (escaped_line(&self.id), escaped_line(&found));
        let id = if look.width.is_some() { without_middle(&id, width) } else { id.into_owned() };
        let rest = look.width.map_or(usize::MAX, |all| all.saturating_sub(width + 10));
        let found = if found.chars().count() > rest { cut(&found, rest) } else { found.into_owned() };
        let colour = match status {
            Status::Ok => 'g',
            Status::Failed | Status::Error => 'r',
            Status::Limit => 'y',
        };
        let status = coloured(&format!("{:6}", word(status)), colour, look);
        writeln!(out, "{}", format!("{id:width$}  {status}  {found}").trim_end())
    }
}

/// A text in a colour, where there are colours.
fn coloured(text: &str, colour: char, look: Look) -> String {
    let styled = style(text).force_styling(look.colours);
    match colour {
        'r' => styled.red().bold().to_string(),
        'y' => styled.yellow().to_string(),
        'g' => styled.green().to_string(),
        _ => text.to_owned(),
    }
}

/// Stands for what is left out; any terminal shows it.
const MORE: &str = "...";

/// The first characters of a text, with a mark that more follow.
fn cut(text: &str, most: usize) -> String {
    text.chars().take(most.saturating_sub(MORE.len())).chain(MORE.chars()).collect()
}

/// A text without its middle: of an id the beginning and, more telling, the end.
fn without_middle(text: &str, most: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= most {
        return text.to_owned();
    }
    let head = most / 3;
    let tail = most.saturating_sub(head + MORE.len());
    all[..head].iter().copied().chain(MORE.chars()).chain(all[all.len() - tail..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Domain;
    use serde_json::json;
    use tengen_core::Diagnostic;

    fn table() -> Table {
        let mut table = Table::default();
        let found =
            |summary: String| crate::record::Finding { result: json!({}), summary, ..Default::default() };
        let long = "long ".repeat(40);
        table.add(&Record::found(
            "a/very/long/folder/of/scenes/file.ron#one",
            Domain::Go,
            "analyse",
            found(long),
        ));
        table.add(&Record::error("b.ron#\u{1b}[31mred", None, None, &Diagnostic::error("bad \u{7}bell")));
        table
    }

    fn text(look: Look) -> String {
        let mut out = Vec::new();
        table().write(&mut out, look, None).expect("a vector takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_pipe_gets_all_of_it_and_a_terminal_what_fits() {
        let plain = text(Look::default());
        assert!(plain.contains("long ".repeat(40).trim_end()) && plain.contains("file.ron#one"), "{plain}");
        let narrow = text(Look { width: Some(60), colours: false });
        let rows: Vec<&str> = narrow.lines().take_while(|line| !line.is_empty()).collect();
        assert!(rows.iter().all(|row| row.chars().count() <= 60), "{narrow}");
        assert!(rows[0].contains("#one") && rows[0].contains(MORE), "{narrow}");
        assert!(narrow.is_ascii(), "a terminal without UTF-8: {narrow}");
    }

    #[test]
    fn control_characters_of_names_and_messages_are_escaped_and_colours_only_where_wanted() {
        let plain = text(Look::default());
        assert!(!plain.contains('\u{1b}') && !plain.contains('\u{7}'), "{plain}");
        assert!(plain.contains("1 ok, 0 failed, 1 error\n"), "{plain}");
        assert!(text(Look { width: None, colours: true }).contains("\u{1b}[31m"));
    }
}
