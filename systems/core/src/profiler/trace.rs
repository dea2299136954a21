//! Spans as a Chrome trace, for `chrome://tracing` and Perfetto.

use super::Span;
use std::io::{self, Write};
use std::time::Instant;

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
            "name": name, "cat": format!("{:?}", span.kind).to_lowercase(), "ph": "X", "pid": 1,
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
