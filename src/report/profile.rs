//! The table of `tengen profile`: systems, what they cost, and what the ECS costs beside them.

use std::io::{self, Write};
use std::time::Duration;
use tengen_core::profiler::Profile;

/// Whether a system only moves results into entities and columns: the ECS's own cost, with scheduling.
fn is_bookkeeping(name: &str) -> bool {
    name.contains("::publish::")
}

/// Time spent on the ECS itself: scheduling, and the systems that publish.
#[must_use]
pub fn ecs_overhead(profile: &Profile) -> Duration {
    let publishing: Duration =
        profile.systems.iter().filter(|s| is_bookkeeping(&s.name)).map(|s| s.total).sum();
    profile.scheduling() + publishing
}

/// Writes the table.
///
/// # Errors
/// If writing fails.
pub fn write(profile: &Profile, out: &mut impl Write) -> io::Result<()> {
    let total = profile.total.as_secs_f64().max(f64::MIN_POSITIVE);
    let share = |d: Duration| 100.0 * d.as_secs_f64() / total;
    let micros = |d: Duration| d.as_secs_f64() * 1e6;
    let short = |name: &str| name.strip_prefix("tengen_").unwrap_or(name).to_owned();
    let width = profile.systems.iter().map(|s| short(&s.name).len()).max().unwrap_or(0).max(10);
    writeln!(
        out,
        "{:width$} {:>8} {:>9} {:>11} {:>11} {:>11} {:>7}",
        "system", "calls", "items", "total ms", "median us", "p99 us", "share"
    )?;
    for s in &profile.systems {
        writeln!(
            out,
            "{:width$} {:>8} {:>9} {:>11.2} {:>11.1} {:>11.1} {:>6.2}%",
            short(&s.name),
            s.calls,
            s.items,
            micros(s.total) / 1e3,
            micros(s.median),
            micros(s.p99),
            share(s.total)
        )?;
    }
    let scheduling = profile.scheduling();
    let overhead = ecs_overhead(profile);
    writeln!(
        out,
        "{:width$} {:>8} {:>9} {:>11.2} {:>11} {:>11} {:>6.2}%",
        "(scheduling)",
        profile.runs,
        "",
        micros(scheduling) / 1e3,
        "",
        "",
        share(scheduling)
    )?;
    writeln!(
        out,
        "\n{} runs, {:.2} ms in all; scheduling and publishing (ECS overhead): {:.2}%",
        profile.runs,
        micros(profile.total) / 1e3,
        share(overhead)
    )
}
