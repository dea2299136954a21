//! Writes and reads spans in the format of Chrome traces, for `chrome://tracing`, Perfetto and `tengen view`.

use super::{Kind, Span};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Writes spans: one line of the viewer per thread, times in us from `origin`.
///
/// # Errors
/// If writing fails.
pub fn write(out: &mut impl Write, origin: Instant, names: &[String], spans: &[Span]) -> io::Result<()> {
    out.write_all(b"[")?;
    let mut separator = "\n";
    for span in spans {
        let name = names.get(span.row as usize).map_or("", String::as_str);
        let start = span.start.saturating_duration_since(origin).as_secs_f64() * 1e6;
        let mut event = serde_json::json!({
            "name": name, "cat": category(span.kind), "ph": "X", "pid": 1,
            "tid": span.thread, "ts": start, "dur": span.took.as_secs_f64() * 1e6,
            "args": { "items": span.items, "allocations": span.allocations },
        });
        if let Some(link) = span.link {
            event["args"]["search"] = link.search.into();
            event["args"]["job"] = link.first.into();
            event["args"]["jobs"] = link.jobs.into();
        }
        write!(out, "{separator}{event}")?;
        separator = ",\n";
    }
    out.write_all(b"\n]\n")
}

/// A trace read from a file.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The origin of its times; any moment serves.
    pub origin: Instant,
    /// The names of its rows.
    pub names: Vec<String>,
    /// Its spans, without their places in searches.
    pub spans: Vec<Span>,
}

/// Reads the output of [`write()`], or another Chrome trace. Only whole spans are read.
///
/// # Errors
/// A message, if the text is not a trace.
pub fn read(text: &[u8]) -> Result<Trace, String> {
    let value: Value = serde_json::from_slice(text).map_err(|e| format!("not JSON ({e})"))?;
    let events =
        value.as_array().or_else(|| value["traceEvents"].as_array()).ok_or("it has no list of events")?;
    let mut trace = Trace { origin: Instant::now(), names: Vec::new(), spans: Vec::new() };
    let mut rows: HashMap<String, u32> = HashMap::new();
    for (number, event) in events.iter().enumerate().filter(|(_, e)| e["ph"] == "X") {
        let time = |name: &str| {
            let micros = event[name].as_f64().filter(|&t| (0.0..LATEST).contains(&t));
            let micros = micros.ok_or_else(|| format!("event {} has no usable `{name}`", number + 1))?;
            Ok::<_, String>(Duration::from_secs_f64(micros / 1e6))
        };
        let name = event["name"].as_str().unwrap_or_default();
        let next = u32::try_from(trace.names.len()).unwrap_or(u32::MAX);
        let row = *rows.entry(name.into()).or_insert_with(|| {
            trace.names.push(name.into());
            next
        });
        let kind = Kind::ALL.into_iter().find(|kind| Some(category(*kind).as_str()) == event["cat"].as_str());
        let count = |name: &str| event["args"][name].as_u64().unwrap_or(0);
        trace.spans.push(Span {
            row,
            kind: kind.unwrap_or(Kind::Step),
            thread: event["tid"].as_u64().and_then(|t| u32::try_from(t).ok()).unwrap_or(0),
            items: count("items"),
            allocations: count("allocations"),
            start: trace.origin + time("ts")?,
            took: time("dur")?,
            link: None,
        });
    }
    Ok(trace)
}

/// The latest end of a span that is read, in us: eleven days.
const LATEST: f64 = 1e12;

/// The name of a kind of span in a trace.
fn category(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}
