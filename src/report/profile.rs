//! The report of `tengen profile`: the times of rows, domains and searches, the counts, and the simulation with more
//! workers.

use crate::number_text::counted;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;
use tengen_core::profiler::simulate::{Graph, Replay};
use tengen_core::profiler::{Kind, Profile, SearchCost, Span};

/// The schema of a profile as JSON.
pub const SCHEMA: &str = "tengen.profile/1";

/// The number of searches that the table names.
const MOST_SEARCHES: usize = 10;

/// A run, measured.
pub struct Measured {
    profile: Profile,
    counts: BTreeMap<&'static str, u64>,
    wall: Duration,
    threads: usize,
    work: Duration,
    critical_path: Duration,
    scheduling: Duration,
    replays: Vec<Replay>,
}

impl Measured {
    /// From the spans of a run, with a replay on each of these numbers of workers.
    #[must_use]
    pub fn new(
        names: &[String],
        spans: &[Span],
        counts: BTreeMap<&'static str, u64>,
        wall: Duration,
        threads: usize,
        workers: &[usize],
    ) -> Self {
        let graph = if workers.is_empty() { Graph::default() } else { Graph::of(names, spans) };
        Self {
            profile: Profile::of(names, spans),
            counts,
            wall,
            threads,
            work: graph.work,
            critical_path: graph.critical_path(),
            scheduling: graph.scheduling,
            replays: workers.iter().map(|&n| graph.replay(n)).collect(),
        }
    }
}

fn millis(d: Duration) -> f64 {
    (d.as_secs_f64() * 1e6).round() / 1e3
}

fn micros(d: Duration) -> f64 {
    (d.as_secs_f64() * 1e7).round() / 10.0
}

/// A part in percent, with two digits.
fn percent(part: Duration, of: Duration) -> f64 {
    (1e4 * part.as_secs_f64() / of.as_secs_f64().max(f64::MIN_POSITIVE)).round() / 100.0
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Run => "schedule",
        Kind::System => "system",
        Kind::Select => "select",
        Kind::Backup => "backup",
        Kind::Job => "job",
        Kind::Step => "step",
    }
}

/// Searches of one name together, by name.
fn domains(profile: &Profile) -> BTreeMap<&str, (u64, SearchCost)> {
    let mut domains: BTreeMap<&str, (u64, SearchCost)> = BTreeMap::new();
    for search in &profile.searches {
        let (searches, sum) = domains.entry(&search.name).or_default();
        *searches += 1;
        sum.ticks += search.ticks;
        sum.jobs += search.jobs;
        sum.working += search.working;
        sum.tree += search.tree;
        sum.waiting += search.waiting;
    }
    domains
}

/// The profile as one JSON object.
#[must_use]
pub fn json(measured: &Measured) -> Value {
    let profile = &measured.profile;
    let total = profile.total();
    let rows: Vec<Value> = profile
        .rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name, "kind": kind(row.kind), "calls": row.calls, "items": row.items,
                "total_ms": millis(row.total), "median_us": micros(row.median), "p99_us": micros(row.p99),
                "share": percent(row.total, total), "allocations": row.allocations,
            })
        })
        .collect();
    let cost = |cost: &SearchCost| {
        json!({
            "ticks": cost.ticks, "jobs": cost.jobs, "working_ms": millis(cost.working),
            "tree_ms": millis(cost.tree), "waiting_ms": millis(cost.waiting),
        })
    };
    let of_domains = domains(profile).into_iter().map(|(name, (searches, sum))| {
        let mut value = cost(&sum);
        value["name"] = name.into();
        value["searches"] = searches.into();
        value
    });
    let searches = profile.searches.iter().map(|search| {
        let mut value = cost(search);
        value["name"] = search.name.clone().into();
        value["world"] = search.search.0.into();
        value["order"] = search.search.1.into();
        value
    });
    let replays = measured.replays.iter().map(|r| {
        let digits = |x: f64| (x * 1e4).round() / 1e4;
        json!({
            "workers": r.workers, "speed_up": digits(r.speed_up), "utilisation": digits(r.utilisation),
            "world_busy": digits(r.world_busy), "time_ms": millis(r.time),
        })
    });
    json!({
        "schema": SCHEMA,
        "threads": measured.threads,
        "wall_ms": millis(measured.wall),
        "rows_ms": millis(total),
        "scheduling_ms": millis(profile.scheduling()),
        "schedule_runs": profile.runs,
        "rows": rows,
        "domains": of_domains.collect::<Vec<_>>(),
        "searches": searches.collect::<Vec<_>>(),
        "counts": measured.counts,
        "replay": {
            "work_ms": millis(measured.work), "critical_path_ms": millis(measured.critical_path),
            "scheduling_ms": millis(measured.scheduling), "workers": replays.collect::<Vec<_>>(),
        },
    })
}

/// Writes the tables.
///
/// # Errors
/// If writing fails.
pub fn write(measured: &Measured, out: &mut impl Write) -> io::Result<()> {
    rows(measured, out)?;
    searches(&measured.profile, out)?;
    if !measured.counts.is_empty() {
        writeln!(out, "\ncounts")?;
        for (name, count) in &measured.counts {
            writeln!(out, "  {name:30} {count:>14}")?;
        }
    }
    if !measured.replays.is_empty() {
        replay(measured, out)?;
    }
    Ok(())
}

fn rows(measured: &Measured, out: &mut impl Write) -> io::Result<()> {
    let profile = &measured.profile;
    let total = profile.total();
    let short = |name: &str| name.strip_prefix("tengen_").unwrap_or(name).replace("tengen_", "");
    let width = profile.rows.iter().map(|r| short(&r.name).len()).max().unwrap_or(0).max(10);
    writeln!(
        out,
        "{:width$} {:8} {:>8} {:>9} {:>11} {:>11} {:>11} {:>7} {:>11}",
        "row", "kind", "calls", "items", "own ms", "median us", "p99 us", "share", "allocations"
    )?;
    for row in &profile.rows {
        writeln!(
            out,
            "{:width$} {:8} {:>8} {:>9} {:>11.2} {:>11.1} {:>11.1} {:>6.2}% {:>11}",
            short(&row.name),
            kind(row.kind),
            row.calls,
            row.items,
            millis(row.total),
            micros(row.median),
            micros(row.p99),
            percent(row.total, total),
            row.allocations
        )?;
    }
    let publishing: Duration = profile.rows.iter().filter(|r| r.is_publishing()).map(|r| r.total).sum();
    writeln!(
        out,
        "\nrows {:.2} ms, wall time {:.2} ms on {}: {:.2}% of it",
        millis(total),
        millis(measured.wall),
        counted("thread", measured.threads),
        percent(total, measured.wall)
    )?;
    writeln!(
        out,
        "{} runs of schedules; scheduling {:.2}%, publishing {:.2}% of the rows",
        profile.runs,
        percent(profile.scheduling(), total),
        percent(publishing, total)
    )
}

fn searches(profile: &Profile, out: &mut impl Write) -> io::Result<()> {
    if profile.searches.is_empty() {
        return Ok(());
    }
    let head = |out: &mut dyn Write, what: &str| {
        writeln!(
            out,
            "\n{what:32} {:>8} {:>8} {:>8} {:>9} {:>11} {:>10} {:>11}",
            "searches", "ticks", "jobs", "jobs/tick", "working ms", "tree ms", "waiting ms"
        )
    };
    let line = |out: &mut dyn Write, what: &str, searches: u64, cost: &SearchCost| {
        writeln!(
            out,
            "{what:32} {searches:>8} {:>8} {:>8} {:>9.2} {:>11.2} {:>10.2} {:>11.2}",
            cost.ticks,
            cost.jobs,
            cost.jobs as f64 / cost.ticks.max(1) as f64,
            millis(cost.working),
            millis(cost.tree),
            millis(cost.waiting)
        )
    };
    head(out, "searches of a kind")?;
    for (name, (searches, sum)) in domains(profile) {
        line(out, name, searches, &sum)?;
    }
    let mut longest: Vec<&SearchCost> = profile.searches.iter().collect();
    longest.sort_by_key(|s| (std::cmp::Reverse(s.working), s.search));
    head(out, "the longest (world.order)")?;
    for search in longest.into_iter().take(MOST_SEARCHES) {
        let name = format!("{} {}.{}", search.name, search.search.0, search.search.1);
        line(out, &name, 1, search)?;
    }
    Ok(())
}

fn replay(measured: &Measured, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "\nreplay: work {:.2} ms, critical path {:.2} ms, scheduling {:.2}%",
        millis(measured.work),
        millis(measured.critical_path),
        percent(measured.scheduling, measured.work)
    )?;
    writeln!(
        out,
        "{:>8} {:>9} {:>12} {:>11} {:>11}",
        "workers", "speed-up", "utilisation", "World busy", "ms"
    )?;
    for r in &measured.replays {
        writeln!(
            out,
            "{:>8} {:>9.2} {:>11.1}% {:>10.1}% {:>11.2}",
            r.workers,
            r.speed_up,
            100.0 * r.utilisation,
            100.0 * r.world_busy,
            millis(r.time)
        )?;
    }
    Ok(())
}

/// Writes what changed from one profile to another, both as JSON: per row its time and calls, and the counts.
///
/// # Errors
/// If writing fails.
pub fn compare(before: &Value, after: &Value, out: &mut impl Write) -> io::Result<()> {
    let rows = |of: &Value| -> BTreeMap<String, (f64, u64, u64)> {
        let row = |row: &Value| {
            let name = format!("{} ({})", row["name"].as_str()?, row["kind"].as_str()?);
            let figures = (row["total_ms"].as_f64()?, row["calls"].as_u64()?, row["allocations"].as_u64()?);
            Some((name, figures))
        };
        of["rows"].as_array().into_iter().flatten().filter_map(row).collect()
    };
    let (old, new) = (rows(before), rows(after));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let at =
        |of: &BTreeMap<String, (f64, u64, u64)>, name: &String| of.get(name).copied().unwrap_or_default();
    let change = |name: &&String| at(&new, name).0 - at(&old, name).0;
    names.sort_by(|a, b| change(b).abs().total_cmp(&change(a).abs()));
    writeln!(
        out,
        "\n{:>11} {:>11} {:>8} {:>9} {:>11}  changed row",
        "before ms", "now ms", "ratio", "calls", "allocations"
    )?;
    for name in names {
        let ((old_ms, old_calls, old_allocations), (ms, calls, allocations)) =
            (at(&old, name), at(&new, name));
        writeln!(
            out,
            "{old_ms:>11.2} {ms:>11.2} {:>8.3} {:>+9} {:>+11}  {}",
            ms / old_ms.max(0.001),
            calls as i64 - old_calls as i64,
            allocations as i64 - old_allocations as i64,
            name.replace("tengen_", "")
        )?;
    }
    let counts = |of: &Value| -> BTreeMap<String, u64> {
        let counts = of["counts"].as_object().into_iter().flatten();
        counts.filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect()
    };
    let (old, new) = (counts(before), counts(after));
    for (name, count) in &new {
        let earlier = old.get(name).copied().unwrap_or(0);
        let same = if earlier == *count { "the same" } else { "CHANGED" };
        writeln!(out, "{earlier:>14} {count:>14}  {name}: {same}")?;
    }
    Ok(())
}
