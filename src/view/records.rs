//! The page that shows the `--out` folder of a batch as a table, failures first. The page grows while the batch runs.

use super::html::{link, page as whole, table};
use super::request::{Reply, Request};
use super::site::{Root, Site};
use crate::batch::run_folder::MANIFEST;
use crate::batch::store::{RECORDS, TIMINGS};
use crate::number_text::{counted, plural};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use tengen_render::escape;

/// Rows shown at once; the filter narrows the rest.
const SHOWN: usize = 300;
/// Milliseconds between two looks at a running batch.
const WAIT: u32 = 1000;

/// The page: a filter, and the table that grows.
pub(super) fn page(site: &Site, request: &Request) -> Reply {
    let Root::Out(folder) = &site.root else { return Reply::fault("no folder of a batch was opened") };
    let wanted = Wanted::of(request);
    let states: String = ["", "failed", "error", "limit", "ok"]
        .map(|s| {
            let to = format!("records?{}", Wanted { status: s, ..wanted }.query());
            link(&to, if s.is_empty() { "all" } else { s }, if s == wanted.status { "on" } else { "" })
        })
        .concat();
    let body = format!(
        "<form action=\"records\" class=\"pick\" role=\"search\"><label>Filter by name <input name=\"filter\" value=\"{}\"></label>\
         <input type=\"hidden\" name=\"sort\" value=\"{}\"><button>Filter</button></form><nav aria-label=\"Status\">{states}</nav>\
         <div id=\"growing\" class=\"growing\" data-href=\"rows?{}\" data-wait=\"{WAIT}\">{}</div>",
        escape(wanted.filter),
        escape(wanted.sort),
        escape(&wanted.query()),
        rows_html(folder, wanted),
    );
    Reply::html(whole(&format!("Records of {}", folder.display()), &body))
}

/// The table alone.
pub(super) fn rows(site: &Site, request: &Request) -> Reply {
    let Root::Out(folder) = &site.root else { return Reply::text(400, "no folder of a batch was opened") };
    Reply::html(rows_html(folder, Wanted::of(request)))
}

/// The reader's selection of records.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// A part of their names.
    filter: &'a str,
    /// Their status; empty for all.
    status: &'a str,
    /// The column they are sorted by; empty for failures first.
    sort: &'a str,
}

impl<'a> Wanted<'a> {
    fn of(request: &'a Request) -> Self {
        Self { filter: request.get("filter"), status: request.get("status"), sort: request.get("sort") }
    }

    fn query(self) -> String {
        let encode = super::html::encode;
        format!("filter={}&status={}&sort={}", encode(self.filter), encode(self.status), encode(self.sort))
    }

    /// The head of a column, which sorts by it.
    fn head(self, sort: &'static str, words: &str) -> String {
        let order = match (self.sort == sort, sort) {
            (false, _) => "none",
            (true, "time") => "descending",
            (true, _) => "ascending",
        };
        let to = format!("records?{}", Wanted { sort, ..self }.query());
        format!("<th scope=\"col\" aria-sort=\"{order}\">{}</th>", link(&to, words, ""))
    }
}

/// The scene of a record: its id up to the game and the move.
fn scene_of(id: &str) -> &str {
    let after = id.find('#').map_or(0, |hash| hash + 1);
    let end = id[after..].find(['/', '@']).map_or(id.len(), |at| after + at);
    &id[..end]
}

/// The share of failures of each scene that has several records; the worst first.
fn shares(rows: &[Row], wanted: Wanted<'_>) -> String {
    let mut scenes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for row in rows {
        let counts = scenes.entry(scene_of(&row.id)).or_default();
        counts[0] += 1;
        counts[1] += usize::from(matches!(row.status.as_str(), "failed" | "error"));
    }
    let mut scenes: Vec<_> = scenes.into_iter().filter(|(_, counts)| counts[0] > 1).collect();
    if scenes.is_empty() {
        return String::new();
    }
    let share = |counts: [usize; 2]| counts[1] as f64 / counts[0] as f64;
    scenes.sort_by(|a, b| share(b.1).total_cmp(&share(a.1)).then(a.0.cmp(b.0)));
    let mut out = String::from(
        "<div><table id=\"shares\"><tr><th>scene</th><th>records</th><th>failed</th><th>share that failed</th></tr>",
    );
    for (scene, counts) in scenes.iter().take(SHOWN) {
        let to = format!("records?{}", Wanted { filter: scene, ..wanted }.query());
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td><meter max=\"1\" value=\"{:.3}\"></meter> {:.0} %</td></tr>",
            link(&to, scene, "scene"),
            counts[0],
            counts[1],
            share(*counts),
            100.0 * share(*counts)
        );
    }
    out + "</table></div>"
}

/// One record, as far as the table shows it.
struct Row {
    id: String,
    status: String,
    record: Value,
}

fn rows_html(folder: &Path, asked: Wanted<'_>) -> String {
    let Wanted { filter, status, sort } = asked;
    let (rows, torn) = read(folder);
    let count = |s: &str| rows.iter().filter(|r| r.status == s).count();
    let wanted = cases(folder);
    let of = wanted.map_or_else(String::new, |n| format!(" of {n}"));
    let mut out = format!(
        "<p id=\"counts\"{}>{}{of} {}: {} ok, {} failed, {}, {} ended by a limit{}</p>",
        if wanted == Some(rows.len()) { " data-done=\"1\"" } else { "" },
        rows.len(),
        plural("record", wanted.unwrap_or(rows.len())),
        count("ok"),
        count("failed"),
        counted("error", count("error")),
        count("limit"),
        if torn > 0 {
            format!("; {} could not be read (one may still be being written)", counted("line", torn))
        } else {
            String::new()
        },
    );
    let place = |s: &str| match s {
        "error" => 0,
        "failed" => 1,
        "limit" => 2,
        _ => 3,
    };
    let mut shown: Vec<&Row> = rows
        .iter()
        .filter(|r| (status.is_empty() || r.status == status) && (filter.is_empty() || r.id.contains(filter)))
        .collect();
    let times = times(folder);
    let time = |row: &Row| times.get(&row.id).copied().unwrap_or(-1.0);
    match sort {
        "name" => shown.sort_by(|a, b| a.id.cmp(&b.id)),
        "time" => shown.sort_by(|a, b| time(b).total_cmp(&time(a))),
        _ => shown.sort_by_key(|r| place(&r.status)),
    }
    out += &shares(&rows, asked);
    let heads = [("", "status"), ("name", "record"), ("time", "time, the longest first")];
    let heads: String = heads.map(|(name, words)| asked.head(name, words)).concat();
    let _ = write!(
        out,
        "<table id=\"all\"><thead><tr>{heads}<th scope=\"col\">what was found</th></tr></thead><tbody>"
    );
    let longest = times.values().copied().fold(0.0, f64::max);
    for row in shown.iter().take(SHOWN) {
        let result = row.record.get("result").map_or_else(String::new, |_| {
            let to = format!("result?id={}", super::html::encode(&row.id));
            format!(
                "<details><summary>result</summary><div class=\"growing\" data-href=\"{to}\">{}</div></details>",
                link(&to, "all fields", "")
            )
        });
        let faults: Vec<String> = row
            .record
            .get("expect")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter(|e| e.get("ok") == Some(&Value::Bool(false)))
            .map(|e| escape(&e.to_string()))
            .collect();
        let warned = warnings(&row.record);
        let _ = write!(
            out,
            "<tr class=\"{0}\" data-id=\"{1}\"><td>{0}</td><td>{1}</td><td>{3}</td><td>{2}{warned}{result}</td></tr>",
            escape(&row.status),
            escape(&row.id),
            faults.join("<br>"),
            times.get(&row.id).map_or_else(String::new, |seconds| format!(
                "<meter max=\"{longest}\" value=\"{seconds}\"></meter> {}",
                super::profile::time(*seconds)
            )),
        );
    }
    out.push_str("</tbody></table>");
    if shown.len() > SHOWN {
        let _ = write!(out, "<p>{} more; narrow the filter.</p>", shown.len() - SHOWN);
    }
    out
}

/// The result of one record, all fields.
pub(super) fn result(site: &Site, request: &Request) -> Reply {
    let Root::Out(folder) = &site.root else { return Reply::text(400, "no folder of a batch was opened") };
    let id = request.get("id");
    let (rows, _) = read(folder);
    match rows.iter().find(|row| row.id == id).and_then(|row| row.record.get("result")) {
        Some(result) => Reply::html(format!("<div data-done=\"1\">{}</div>", table(result))),
        None => Reply::text(400, "the batch has no record of this name, or it has no result"),
    }
}

/// The warnings of a record.
fn warnings(record: &Value) -> String {
    let told = |warning: &Value| {
        let text = |name: &str| warning[name].as_str().unwrap_or_default();
        let place = match (warning["at"]["line"].as_u64(), warning["at"]["column"].as_u64()) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}: ", text("file")),
            _ => String::new(),
        };
        let words = format!("{place}warning: {}\n  help: {}", text("message"), text("help"));
        format!("<pre class=\"warning\">{}</pre>", escape(&words))
    };
    record["warnings"].as_array().into_iter().flatten().map(told).collect()
}

/// The seconds that each case took, as far as they are written.
fn times(folder: &Path) -> BTreeMap<String, f64> {
    let Ok(file) = File::open(folder.join(TIMINGS)) else { return BTreeMap::new() };
    let time = |line: Vec<u8>| {
        let time: Value = serde_json::from_slice(&line).ok()?;
        Some((time["id"].as_str()?.to_owned(), time["seconds"].as_f64()?))
    };
    BufReader::new(file).split(b'\n').map_while(Result::ok).filter_map(time).collect()
}

/// The final number of the batch's records, by its manifest.
fn cases(folder: &Path) -> Option<usize> {
    let manifest: Value = serde_json::from_slice(&std::fs::read(folder.join(MANIFEST)).ok()?).ok()?;
    usize::try_from(manifest["settings"]["cases"].as_u64()?).ok()
}

/// The records in the file, and the number of lines that are not records.
fn read(folder: &Path) -> (Vec<Row>, usize) {
    let Ok(file) = File::open(folder.join(RECORDS)) else { return (Vec::new(), 0) };
    let (mut rows, mut torn) = (Vec::new(), 0);
    for line in BufReader::new(file).split(b'\n').map_while(Result::ok) {
        let Ok(record) = serde_json::from_slice::<Value>(&line) else {
            torn += 1;
            continue;
        };
        let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or("?").to_owned();
        rows.push(Row { id: text("id"), status: text("status"), record });
    }
    (rows, torn)
}
