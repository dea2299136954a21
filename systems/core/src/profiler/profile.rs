//! Adds recorded spans up: the time of each row without the spans inside it, and the work of each search.

use super::{Kind, Span};
use std::collections::BTreeMap;
use std::time::Duration;

/// The cost of one system, tree operation, kind of job or step over all its calls.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCost {
    /// A system's path, a search's name and its operation, or a step.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Calls.
    pub calls: u64,
    /// Items of those calls together.
    pub items: u64,
    /// Its own time: without the time of calls that have a row themselves.
    pub total: Duration,
    /// The median call (the lower of two).
    pub median: Duration,
    /// The 99th percentile of the calls.
    pub p99: Duration,
    /// Its own allocations.
    pub allocations: u64,
}

/// The work of one search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchCost {
    /// Its World and its order in it.
    pub search: (u32, u64),
    /// Its name (`propnet/uct`); with several phases that of the last.
    pub name: String,
    /// The number of its selections, and so of its ticks.
    pub ticks: u64,
    /// The number of its jobs.
    pub jobs: u64,
    /// Time in jobs, including the calls they make.
    pub working: Duration,
    /// Time picking nodes and merging results.
    pub tree: Duration,
    /// Time between the arming of its jobs and their start on a thread.
    pub waiting: Duration,
}

/// A profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The rows with calls, most expensive first.
    pub rows: Vec<RowCost>,
    /// The searches, in order.
    pub searches: Vec<SearchCost>,
    /// Runs of schedules.
    pub runs: u64,
}

impl Profile {
    /// Adds up spans; `names` are those of their recorder.
    #[must_use]
    pub fn of(names: &[String], spans: &[Span]) -> Self {
        let mut own = own_costs(spans);
        let mut of_rows: BTreeMap<(u32, Kind), Vec<usize>> = BTreeMap::new();
        for (at, span) in spans.iter().enumerate() {
            of_rows.entry((span.row, span.kind)).or_default().push(at);
        }
        let mut rows: Vec<RowCost> = of_rows
            .into_iter()
            .map(|((row, kind), calls)| {
                let mut took: Vec<Duration> = calls.iter().map(|&at| own[at].0).collect();
                took.sort_unstable();
                let at = |percent: usize| took[(took.len() * percent).div_ceil(100).saturating_sub(1)];
                RowCost {
                    name: names.get(row as usize).cloned().unwrap_or_default(),
                    kind,
                    calls: calls.len() as u64,
                    items: calls.iter().map(|&at| spans[at].items).sum(),
                    total: took.iter().sum(),
                    median: at(50),
                    p99: at(99),
                    allocations: calls.iter().map(|&at| std::mem::take(&mut own[at].1)).sum(),
                }
            })
            .collect();
        rows.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
        let runs = spans.iter().filter(|s| s.kind == Kind::Run).count() as u64;
        Self { rows, searches: searches(names, spans), runs }
    }

    /// The sum of all rows: the recorded time of all threads.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.rows.iter().map(|r| r.total).sum()
    }

    /// Time outside all systems, tree operations, jobs and steps, and in the scheduler's own systems. These are the
    /// executor, run conditions, sync points, arming and distributing jobs, and the stopwatch.
    #[must_use]
    pub fn scheduling(&self) -> Duration {
        self.rows.iter().filter(|r| r.is_scheduling()).map(|r| r.total).sum()
    }
}

impl RowCost {
    /// Whether this is time of the scheduler itself.
    #[must_use]
    pub fn is_scheduling(&self) -> bool {
        self.kind == Kind::Run || (self.kind == Kind::System && self.name.contains("tengen_search::"))
    }

    /// Whether this system only moves results into entities and columns. With scheduling, this is the ECS's own cost.
    #[must_use]
    pub fn is_publishing(&self) -> bool {
        self.kind == Kind::System && self.name.contains("::publish::")
    }
}

/// The time and allocations of each span, less those of the spans inside it on its thread.
fn own_costs(spans: &[Span]) -> Vec<(Duration, u64)> {
    let mut own: Vec<(Duration, u64)> = spans.iter().map(|s| (s.took, s.allocations)).collect();
    let mut order: Vec<usize> = (0..spans.len()).collect();
    // Of two that begin in the same moment the longer is the outer; of two alike, the one recorded last.
    order.sort_by(|&a, &b| {
        let key = |at: usize| (spans[at].thread, spans[at].start, std::cmp::Reverse(spans[at].took));
        key(a).cmp(&key(b)).then(b.cmp(&a))
    });
    let mut open: Vec<usize> = Vec::new();
    for at in order {
        let span = &spans[at];
        while let Some(&outer) = open.last() {
            let outer = &spans[outer];
            if outer.thread == span.thread && span.start < outer.start + outer.took {
                break;
            }
            open.pop();
        }
        if let Some(&outer) = open.last() {
            own[outer].0 = own[outer].0.saturating_sub(span.took);
            own[outer].1 = own[outer].1.saturating_sub(span.allocations);
        }
        open.push(at);
    }
    own
}

/// Visits the spans of searches one by one.
fn searches(names: &[String], spans: &[Span]) -> Vec<SearchCost> {
    let mut order: Vec<&Span> = spans.iter().filter(|s| s.link.is_some()).collect();
    order.sort_by_key(|s| s.start);
    let mut found: BTreeMap<(u32, u64), SearchCost> = BTreeMap::new();
    let mut armed: BTreeMap<(u32, u64, u32), std::time::Instant> = BTreeMap::new();
    for span in order {
        let Some(link) = span.link else { continue };
        let search = (link.world, link.search);
        let cost = found.entry(search).or_insert_with(|| SearchCost { search, ..SearchCost::default() });
        match span.kind {
            Kind::Select => {
                cost.ticks += 1;
                cost.tree += span.took;
                for job in link.first..link.first + link.jobs {
                    armed.insert((link.world, link.search, job), span.start + span.took);
                }
            }
            Kind::Backup => cost.tree += span.took,
            Kind::Job => {
                cost.jobs += 1;
                cost.working += span.took;
                let since = armed.remove(&(link.world, link.search, link.first));
                cost.waiting += since.map_or(Duration::ZERO, |at| span.start.saturating_duration_since(at));
                let name = names.get(span.row as usize).map_or("", String::as_str);
                cost.name = name.strip_suffix(" job").unwrap_or(name).into();
            }
            _ => {}
        }
    }
    found.into_values().collect()
}
