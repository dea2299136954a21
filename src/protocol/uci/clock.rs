//! Computes the thinking time of a chess search from the clock and the options.
//!
//! # Steps
//! 1. Compute two limits from the clock: a soft limit, checked after each iteration, and a hard limit, checked during
//!    the search.
//! 2. The soft limit shrinks while the best move stays. It grows when the move changes or the score falls.

use super::command::Go;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The limits of one move, in milliseconds from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// No new iteration after this.
    pub soft: u64,
    /// Stop at this.
    pub hard: u64,
    /// The soft limit follows the search (off for `movetime`).
    pub flexible: bool,
}

/// Step 1; `None` without a time limit. `side` is 0 for White.
#[must_use]
pub fn allowance(go: &Go, side: usize, overhead: u64) -> Option<Allowance> {
    if let Some(time) = go.move_time {
        let time = u64::try_from(time).unwrap_or(0);
        let hard = time.saturating_sub(overhead.min(time / 20)).max(1);
        return Some(Allowance { soft: hard, hard, flexible: false });
    }
    let time = u64::try_from(go.time[side]?).unwrap_or(0);
    let left = time.saturating_sub(overhead).max(1);
    let increment = u64::try_from(go.increment[side]).unwrap_or(0);
    let (soft, hard) = match go.moves_to_go {
        Some(moves) if moves > 0 => {
            let moves = moves.min(50) as u64;
            let share = left / (moves + 1) + increment;
            (share * 3 / 4, if moves == 1 { left * 9 / 10 } else { (share * 3).min(left / 2) })
        }
        _ => (left / 28 + increment * 3 / 4, left / 5 + increment),
    };
    let most = left * 8 / 10;
    Some(Allowance { soft: soft.clamp(1, most.max(1)), hard: hard.clamp(1, most.max(1)), flexible: true })
}

/// A running clock, shared by the session and the search.
#[derive(Debug)]
pub struct Clock {
    begun: Instant,
    /// Milliseconds after `begun` at which the own time began to run; `u64::MAX` while pondering.
    own_since: AtomicU64,
    stop: AtomicBool,
    allowance: Option<Allowance>,
    infinite: bool,
}

impl Clock {
    /// A clock that starts now.
    #[must_use]
    pub fn start(allowance: Option<Allowance>, ponder: bool, infinite: bool) -> Self {
        let own_since = AtomicU64::new(if ponder { u64::MAX } else { 0 });
        Self { begun: Instant::now(), own_since, stop: AtomicBool::new(false), allowance, infinite }
    }

    /// Time since `go`.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn own_millis(&self) -> Option<u64> {
        let since = self.own_since.load(Relaxed);
        (since != u64::MAX).then(|| (self.begun.elapsed().as_millis() as u64).saturating_sub(since))
    }

    /// The expected move was played.
    pub fn ponder_hit(&self) {
        self.own_since.store(self.begun.elapsed().as_millis() as u64, Relaxed);
    }

    /// Stop now.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether `bestmove` must wait for `stop` or `ponderhit`.
    #[must_use]
    pub fn must_wait(&self) -> bool {
        !self.stop.load(Relaxed) && (self.infinite || self.own_since.load(Relaxed) == u64::MAX)
    }

    /// Whether the search must stop.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
            || self.allowance.zip(self.own_millis()).is_some_and(|(allowed, spent)| spent >= allowed.hard)
    }

    /// Whether another iteration is worth beginning; `percent` scales the soft limit.
    #[must_use]
    pub fn goes_on(&self, percent: u64) -> bool {
        match self.allowance.zip(self.own_millis()) {
            Some((allowed, spent)) => {
                let soft = if allowed.flexible {
                    (allowed.soft * percent / 100).min(allowed.hard)
                } else {
                    allowed.hard
                };
                spent < soft
            }
            None => true,
        }
    }
}
