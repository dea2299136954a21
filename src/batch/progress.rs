//! Progress on stderr: a bar on a terminal, a line every ten seconds elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Says how far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Not on a terminal: when the last line was written.
    lines: Option<Instant>,
    faults: usize,
}

impl Progress {
    /// A progress of `total` cases, of which `done` are done; silent if not wanted.
    #[must_use]
    pub fn new(total: usize, done: usize, wanted: bool) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
        if wanted && on_terminal {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {per_sec}  left {eta}  {msg}");
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        }
        bar.set_position(done as u64);
        bar.reset_eta();
        let lines = (wanted && !on_terminal).then(Instant::now);
        Self { bar, lines, faults: 0 }
    }

    /// One case more is done.
    pub fn step(&mut self, fine: bool) {
        self.bar.inc(1);
        if !fine {
            self.faults += 1;
            self.bar.set_message(format!("{} not ok", self.faults));
        }
        if let Some(last) = self.lines.as_mut().filter(|l| l.elapsed() >= Duration::from_secs(10)) {
            *last = Instant::now();
            let (at, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let _ = writeln!(std::io::stderr(), "{at}/{of} done, {} not ok", self.faults);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
