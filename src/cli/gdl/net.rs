//! `tengen gdl net`: prints the sizes of the net of a rulesheet, writes the net to a file, or explains one proposition.

use super::{Outcome, load, perf};
use crate::files::write_file;
use anyhow::Context as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tengen_core::escaped_line;
use tengen_propnet::inspect::facts::Facts;
use tengen_propnet::inspect::{self, Inspection, export};

/// What a person asks for beside the sizes.
pub(super) struct Wanted {
    pub(super) dot: Option<PathBuf>,
    pub(super) json: Option<PathBuf>,
    pub(super) explain: Option<String>,
}

pub(super) fn net(file: &Path, wanted: &Wanted, setup: f64, tables: usize) -> anyhow::Result<Outcome> {
    let watch = perf::Watch::new();
    let Some((program, sheet, text)) = load(file)? else { return Ok(Outcome::Failure) };
    let game = super::ground(file, program, setup, tables)?;
    let seconds = watch.seconds();
    let peak = peak_megabytes().map_or_else(String::new, |mb| format!(", {mb} MB at most"));
    let figures = format!("{}: {seconds:.3} s{peak}", escaped_line(&crate::files::display(file)));
    let Ok(topology) = &game.topology else {
        writeln!(io::stderr(), "{figures}")?;
        return Ok(Outcome::Failure);
    };
    let mut out = io::stdout().lock();
    if wanted.explain.is_none() {
        writeln!(
            out,
            "{:<16}{:>8}{:>8}{:>9}{:>9}{:>9}{:>10}{:>7}{:>8}",
            "pass", "bases", "inputs", "and", "or", "not", "edges", "depth", "fan-in"
        )?;
        for (name, s) in &game.sizes {
            writeln!(
                out,
                "{name:<16}{:>8}{:>8}{:>9}{:>9}{:>9}{:>10}{:>7}{:>8}",
                s.bases, s.inputs, s.ands, s.ors, s.nots, s.edges, s.depth, s.fan_in
            )?;
        }
    }
    let inspection = Inspection::new(topology);
    let facts = wanted.explain.is_none().then(|| Facts::new(topology, &inspection));
    if let Some(facts) = &facts {
        let sentences = facts.sentences(&topology.net.names);
        if !sentences.is_empty() {
            writeln!(out, "in every state")?;
        }
        for sentence in sentences {
            writeln!(out, "  {sentence}")?;
        }
        writeln!(io::stderr(), "{figures}")?;
    }
    if wanted.dot.is_none() && wanted.json.is_none() && wanted.explain.is_none() {
        return Ok(Outcome::Success);
    }
    let rules = export::named(inspect::rules(&sheet, &inspection), &text);
    if let Some(path) = &wanted.dot {
        let graph = export::dot(&inspection, &rules);
        write_file(path, |file| file.write_all(graph.as_bytes()))?;
    }
    if let Some(path) = &wanted.json {
        let facts = facts.unwrap_or_else(|| Facts::new(topology, &inspection));
        let value = export::json(&topology.net, &inspection, &rules, &facts);
        write_file(path, |file| writeln!(file, "{value}"))?;
    }
    if let Some(proposition) = &wanted.explain {
        let words = proposition.replace('(', " ( ").replace(')', " ) ");
        let label =
            words.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")");
        let part = inspection.named(&label).with_context(|| {
            format!(
                "the net has no proposition `{}`\n  help: write it as in a rule, such as \
                 `(legal role (move a b))`, `(next (cell 1 1 x))` or `terminal`; what never holds is left out",
                escaped_line(proposition)
            )
        })?;
        out.write_all(export::explain(&inspection, &rules, part).as_bytes())?;
    }
    Ok(Outcome::Success)
}

/// The most memory of this process until now, if the system tells.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()?.div_ceil(1024))
}
