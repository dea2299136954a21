//! Shows the progress of a run on stderr: a bar on a terminal, otherwise a line every ten seconds. Both name the
//! slowest running cases.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};
use tengen_core::escaped_line;

/// The time between two lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// A case that runs for so long is named.
const SLOW: Duration = Duration::from_secs(2);
/// The time between two drawings of a line of work, whose seconds go on.
const TICK: Duration = Duration::from_millis(250);
/// The number of slow cases that are named.
const NAMED: usize = 3;

/// Names the work at hand in a line on stderr, if that is a terminal.
#[derive(Debug)]
pub struct WorkLine(ProgressBar);

impl WorkLine {
    /// A line that shows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{elapsed}  {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(TICK);
        }
        Self(bar)
    }

    /// Names the work.
    pub fn show(&self, work: &str) {
        self.0.set_message(escaped_line(work).into_owned());
    }
}

impl Default for WorkLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for WorkLine {
    /// Removes the line.
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Shows the progress of a run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Not on a terminal: when the last line was written.
    lines: Option<Instant>,
    /// Whether a line was written.
    wrote: bool,
    faults: usize,
    slow: String,
}

impl Progress {
    /// A progress of `total` cases, if their number is known, of which `done` are done; silent if not wanted.
    #[must_use]
    pub fn new(total: Option<usize>, done: usize, wanted: bool) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        let bar =
            ProgressBar::with_draw_target(total.map(|total| total as u64), ProgressDrawTarget::hidden());
        if wanted && on_terminal {
            let style = ProgressStyle::with_template(match total {
                Some(_) => "{bar:30} {pos}/{len}  {per_sec}  left {eta}  {wide_msg}",
                None => "{pos} done  {per_sec}  {wide_msg}",
            });
            bar.set_draw_target(ProgressDrawTarget::stderr());
            // ASCII, for terminals without UTF-8.
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        }
        bar.set_position(done as u64);
        bar.reset_eta();
        let lines = (wanted && !on_terminal).then(Instant::now);
        Self { bar, lines, wrote: false, faults: 0, slow: String::new() }
    }

    /// One case more is done.
    pub fn step(&mut self, fine: bool) {
        self.bar.inc(1);
        self.faults += usize::from(!fine);
        self.tell();
    }

    /// Adds cases to the total.
    pub fn more(&mut self, count: usize) {
        self.bar.inc_length(count as u64);
    }

    /// Writes a line on stderr, above the bar. A stderr that nobody reads is no fault.
    pub fn print(&self, line: &str) {
        self.bar.suspend(|| drop(writeln!(std::io::stderr(), "{line}")));
    }

    /// These are running, slowest first.
    pub fn running(&mut self, slowest: &[(String, Duration)]) {
        let slow = slowest.iter().filter(|(_, took)| *took >= SLOW).take(NAMED);
        let told = |(id, took): &(String, Duration)| format!("{} ({} s)", escaped_line(id), took.as_secs());
        let named: Vec<String> = slow.map(told).collect();
        self.slow = if named.is_empty() { String::new() } else { format!("running: {}", named.join(", ")) };
        self.tell();
    }

    fn tell(&mut self) {
        let faults = if self.faults > 0 { format!("{} not ok  ", self.faults) } else { String::new() };
        self.bar.set_message(format!("{faults}{}", self.slow));
        if self.lines.is_some_and(|last| last.elapsed() >= LINE_EVERY) {
            self.lines = Some(Instant::now());
            self.line();
        }
    }

    fn line(&mut self) {
        self.wrote = true;
        let of = self.bar.length().map_or_else(String::new, |of| format!("/{of}"));
        let at = self.bar.position();
        let slow = if self.slow.is_empty() { String::new() } else { format!("; {}", self.slow) };
        let _ = writeln!(std::io::stderr(), "{at}{of} done, {} not ok{slow}", self.faults);
    }

    /// Removes the bar. Without a terminal the last line reports the progress.
    pub fn finish(&mut self) {
        self.bar.finish_and_clear();
        if self.wrote {
            self.slow.clear();
            self.line();
        }
    }
}
