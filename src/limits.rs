//! The limits of a case (seconds, memory, nodes), and the watch that each running unit of work carries.
//!
//! # Steps
//! 1. The runner gives a unit a [`Watch`]. Long work regularly asks [`Watch::stop`], or reports its nodes to the watch.
//! 2. When a limit is reached or the run is interrupted, the runner sets the watch to stop.
//! 3. The work ends early with its current results, and the record has the status `limit`.
//!
//! A limit of nodes is a count, so a record limited by nodes is the same in every run. Seconds and memory depend on a
//! clock and on the system. A record limited by them may differ from run to run, and says so.

use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;
use tengen_core::Stop;

/// The limits of a case; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaseLimits {
    /// Wall time, the set-up of nets included.
    pub time: Option<Duration>,
    /// Growth of the process's memory in bytes.
    pub memory: Option<u64>,
    /// Positions, states or playout moves.
    pub nodes: Option<u64>,
}

/// The limit that ended a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reached {
    /// The time was over.
    Seconds,
    /// The memory was used.
    Memory,
    /// The nodes were spent.
    Nodes,
}

/// The states of a watch.
const GOING_ON: u8 = 0;
const SECONDS: u8 = 1;
const MEMORY: u8 = 2;
const NODES: u8 = 3;
const INTERRUPTED: u8 = 4;

/// Watches over one unit of work. Clones are the same watch.
#[derive(Clone, Debug)]
pub struct Watch(Arc<State>);

#[derive(Debug)]
struct State {
    /// One of the constants above; set once.
    halted: AtomicU8,
    nodes: AtomicU64,
    most_nodes: u64,
}

impl Default for Watch {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Watch {
    /// A watch over work with a limit of this many nodes.
    #[must_use]
    pub fn new(nodes: Option<u64>) -> Self {
        let most_nodes = nodes.unwrap_or(u64::MAX);
        Self(Arc::new(State { halted: AtomicU8::new(GOING_ON), nodes: AtomicU64::new(0), most_nodes }))
    }

    /// The question that libraries ask.
    #[must_use]
    pub fn stop(&self) -> Stop {
        let watch = self.clone();
        Stop::when(move || watch.halted())
    }

    /// Whether the work should end.
    #[must_use]
    pub fn halted(&self) -> bool {
        self.0.halted.load(Ordering::Relaxed) != GOING_ON
    }

    /// Spends nodes; whether the work should end.
    #[must_use]
    pub fn spend(&self, nodes: u64) -> bool {
        let spent = self.0.nodes.fetch_add(nodes, Ordering::Relaxed).saturating_add(nodes);
        if spent > self.0.most_nodes {
            self.reach(Reached::Nodes);
        }
        self.halted()
    }

    /// Notes that a limit was reached. The first one counts.
    pub fn reach(&self, limit: Reached) {
        self.set(match limit {
            Reached::Seconds => SECONDS,
            Reached::Memory => MEMORY,
            Reached::Nodes => NODES,
        });
    }

    /// Notes that the run was interrupted.
    pub fn interrupt(&self) {
        self.set(INTERRUPTED);
    }

    fn set(&self, state: u8) {
        // A state that was set before stays.
        let _ = self.0.halted.compare_exchange(GOING_ON, state, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The limit that was reached, if one was.
    #[must_use]
    pub fn reached(&self) -> Option<Reached> {
        match self.0.halted.load(Ordering::Relaxed) {
            SECONDS => Some(Reached::Seconds),
            MEMORY => Some(Reached::Memory),
            NODES => Some(Reached::Nodes),
            _ => None,
        }
    }

    /// Whether the run was interrupted.
    #[must_use]
    pub fn interrupted(&self) -> bool {
        self.0.halted.load(Ordering::Relaxed) == INTERRUPTED
    }
}

/// Bytes of memory the process holds, where the system says so (Linux).
#[must_use]
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Bytes of a page in `/proc/self/statm`.
const PAGE: u64 = 4096;
