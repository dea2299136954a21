//! Runs GNU Go as one process for comparisons, and sends it GTP commands.

use crate::oracle::{Recording, shared};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A running GNU Go; it ends with the value.
#[derive(Debug)]
pub struct GnuGo {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    /// Starts it; `None` where it is not installed.
    #[must_use]
    pub fn start() -> Option<Self> {
        let mut child = Command::new("gnugo")
            .args(["--quiet", "--mode", "gtp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Self { child, input, output })
    }

    /// The answer without its sign; `None` where it went away.
    pub fn ask(&mut self, command: &str) -> Option<String> {
        writeln!(self.input, "{command}").ok()?;
        let mut answer = String::new();
        while self.output.read_line(&mut answer).ok()? > 1 {}
        Some(answer.trim_start_matches(['=', ' ']).trim().to_owned())
    }

    /// Sets a recorded position up; the colour to move.
    pub fn load(&mut self, position: &Recording) -> Option<String> {
        let sgf = shared().join("suites/go").join(&position.sgf);
        self.ask(&format!("loadsgf {} {}", sgf.display(), position.until))
    }

    /// Processor time that `work` took it.
    pub fn timed(&mut self, work: impl FnOnce(&mut Self) -> Option<()>) -> Option<Duration> {
        let before = self.spent()?;
        work(self)?;
        Some(self.spent()?.saturating_sub(before))
    }

    /// Processor time it has had: as the system tells, else as it tells itself, in hundredths of a second.
    fn spent(&mut self) -> Option<Duration> {
        let told = std::fs::read_to_string(format!("/proc/{}/schedstat", self.child.id())).ok();
        let on_cpu = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
        let own = |gnugo: &mut Self| Some(Duration::from_secs_f64(gnugo.ask("cputime")?.parse().ok()?));
        on_cpu.map(Duration::from_nanos).or_else(|| own(self))
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        self.ask("quit");
        // A peer that has gone already needs no farewell.
        let _ = self.child.wait();
    }
}
