//! Times every system of a schedule without touching the systems.
//!
//! [`instrument`] wraps each system of a schedule; run conditions, commands and the order stay as they are. A
//! [`Recorder`] collects what the wrappers and [`Recorder::time_run`] saw; [`Profile`] adds it up. This module is
//! the only place below `src` that reads a clock, and nothing it measures reaches a result.
//!
//! # Cost
//! 50 ns a system a run, nearly all of it the two clock reads.

#![expect(unsafe_code, reason = "`System` has an unsafe method, and a wrapper must pass its contract on")]

use bevy_ecs::change_detection::{CheckChangeTicks, Tick};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedSystemSet, SystemKey, SystemWithAccess};
use bevy_ecs::system::{RunSystemError, System, SystemAccess, SystemIn, SystemStateFlags};
use bevy_ecs::utils::prelude::DebugName;
use bevy_ecs::world::{DeferredWorld, unsafe_world_cell::UnsafeWorldCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// One call of one system, or one run of a whole schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which system: an index into the names [`instrument`] returned; [`Span::RUN`] for a whole run.
    pub system: u32,
    /// Items the run was about (boards, jobs), as [`Recorder::time_run`] was told.
    pub items: u64,
    /// When it began.
    pub start: Instant,
    /// How long it took.
    pub took: Duration,
}

impl Span {
    /// The `system` of a whole run of the schedule.
    pub const RUN: u32 = u32::MAX;
}

/// Collects the spans of one World. Cheap to clone; clones share.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    spans: Mutex<Vec<Span>>,
    items: AtomicU64,
}

impl Recorder {
    /// Runs `run` as one run of the schedule about this many items.
    pub fn time_run<R>(&self, items: u64, run: impl FnOnce() -> R) -> R {
        self.0.items.store(items, Ordering::Relaxed);
        let start = Instant::now();
        let result = run();
        self.push(Span::RUN, start);
        result
    }

    /// Takes all spans recorded so far.
    #[must_use]
    pub fn take(&self) -> Vec<Span> {
        std::mem::take(&mut *self.spans())
    }

    fn push(&self, system: u32, start: Instant) {
        let took = start.elapsed();
        let items = self.0.items.load(Ordering::Relaxed);
        self.spans().push(Span { system, items, start, took });
    }

    fn spans(&self) -> MutexGuard<'_, Vec<Span>> {
        // A panic elsewhere leaves whole spans behind: they're as good as before.
        self.0.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wraps every system of `schedule` so that `recorder` sees its calls; returns the systems' names by index. Call it
/// after the last `add_systems` and before the first run.
pub fn instrument(schedule: &mut Schedule, recorder: &Recorder) -> Vec<String> {
    let keys: Vec<SystemKey> = schedule.graph().systems.iter().map(|(key, ..)| key).collect();
    let mut names = Vec::with_capacity(keys.len());
    for key in keys {
        let Some(slot) = schedule.graph_mut().systems.get_mut(key) else { continue };
        let hole = SystemWithAccess::new(Box::new(IntoSystem::<(), (), _>::into_system(|| {})));
        let inner = std::mem::replace(slot, hole);
        let index = u32::try_from(names.len()).unwrap_or(Span::RUN);
        names.push(inner.name().to_string());
        *slot = SystemWithAccess::new(Box::new(Timed { inner, index, recorder: recorder.clone() }));
    }
    names
}

/// A system and a stopwatch.
struct Timed {
    inner: SystemWithAccess,
    index: u32,
    recorder: Recorder,
}

impl System for Timed {
    type In = ();
    type Out = ();

    unsafe fn run_unsafe(
        &mut self,
        input: SystemIn<'_, Self>,
        world: UnsafeWorldCell,
    ) -> Result<(), RunSystemError> {
        let start = Instant::now();
        // SAFETY: the caller keeps the contract of `run_unsafe` for this system, whose access, initialisation and
        // state are those of `inner`: every method here hands on to it.
        let result = unsafe { self.inner.run_unsafe(input, world) };
        self.recorder.push(self.index, start);
        result
    }

    fn name(&self) -> DebugName {
        self.inner.name()
    }
    fn flags(&self) -> SystemStateFlags {
        self.inner.flags()
    }
    fn system_type(&self) -> std::any::TypeId {
        self.inner.system_type()
    }
    fn apply_deferred(&mut self, world: &mut World) {
        self.inner.apply_deferred(world);
    }
    fn queue_deferred(&mut self, world: DeferredWorld) {
        self.inner.queue_deferred(world);
    }
    fn initialize(&mut self, world: &mut World) -> SystemAccess {
        self.inner.initialize(world)
    }
    fn check_change_tick(&mut self, check: CheckChangeTicks) {
        self.inner.check_change_tick(check);
    }
    fn default_system_sets(&self) -> Vec<InternedSystemSet> {
        self.inner.default_system_sets()
    }
    fn get_last_run(&self) -> Tick {
        self.inner.get_last_run()
    }
    fn set_last_run(&mut self, last_run: Tick) {
        self.inner.set_last_run(last_run);
    }
}

/// What one system cost over all runs of all Worlds.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemCost {
    /// The system's path.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Items of those calls together.
    pub items: u64,
    /// Time together.
    pub total: Duration,
    /// The middle call (the lower of two).
    pub median: Duration,
    /// The call that 99 of 100 calls don't exceed.
    pub p99: Duration,
}

/// A profile: every system's cost, and what all runs took together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// The systems that ran, most expensive first.
    pub systems: Vec<SystemCost>,
    /// Runs of the schedule.
    pub runs: u64,
    /// What the runs took together, scheduling included.
    pub total: Duration,
}

impl Profile {
    /// Adds up the spans of all Worlds (same plugins, so same names).
    #[must_use]
    pub fn of(names: &[String], spans: &[Span]) -> Self {
        let mut profile = Self::default();
        let mut calls: Vec<Vec<&Span>> = vec![Vec::new(); names.len()];
        for span in spans {
            if span.system == Span::RUN {
                profile.runs += 1;
                profile.total += span.took;
            } else if let Some(of_system) = calls.get_mut(span.system as usize) {
                of_system.push(span);
            }
        }
        profile.systems = names.iter().zip(calls).filter_map(|(name, spans)| cost(name, &spans)).collect();
        profile.systems.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
        profile
    }

    /// Time of the runs that was in no system: executor, run conditions, sync points, the stopwatch itself.
    #[must_use]
    pub fn scheduling(&self) -> Duration {
        self.total.saturating_sub(self.systems.iter().map(|s| s.total).sum())
    }
}

/// The cost of one system; `None` if it never ran.
fn cost(name: &str, spans: &[&Span]) -> Option<SystemCost> {
    let mut took: Vec<Duration> = spans.iter().map(|s| s.took).collect();
    took.sort_unstable();
    let at = |percent: usize| took.get((took.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(SystemCost {
        name: name.into(),
        calls: took.len() as u64,
        items: spans.iter().map(|s| s.items).sum(),
        total: took.iter().sum(),
        median: at(50)?,
        p99: at(99)?,
    })
}

/// Writes spans as a Chrome trace (`chrome://tracing`, Perfetto): one thread line per World, times in us from
/// `origin`.
///
/// # Errors
/// If writing fails.
pub fn write_chrome_trace(
    out: &mut impl std::io::Write,
    origin: Instant,
    names: &[String],
    worlds: &[Vec<Span>],
) -> std::io::Result<()> {
    out.write_all(b"[")?;
    let mut separator = "\n";
    for (thread, spans) in worlds.iter().enumerate() {
        for span in spans {
            let name = names.get(span.system as usize).map_or("run", String::as_str);
            let start = span.start.saturating_duration_since(origin).as_secs_f64() * 1e6;
            let event = serde_json::json!({
                "name": name, "ph": "X", "pid": 1, "tid": thread,
                "ts": start, "dur": span.took.as_secs_f64() * 1e6, "args": { "items": span.items },
            });
            write!(out, "{separator}{event}")?;
            separator = ",\n";
        }
    }
    out.write_all(b"\n]\n")
}
