//! The source of a controller's lines. It tells whether a line is waiting, which ends an analysis.

use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// A source of lines without their ends.
pub trait Lines {
    /// The next line; `None` at the end.
    fn next(&mut self) -> Option<io::Result<Vec<u8>>>;

    /// Whether a line or the end has come.
    fn is_waiting(&mut self) -> bool;

    /// Waits for a line for at most this time.
    fn wait(&mut self, most: Duration);
}

/// Lines that are all there already: one always waits, so an analysis tells once.
pub struct Script<R>(pub R);

impl<R: BufRead> Lines for Script<R> {
    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let mut line = Vec::new();
        match self.0.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => {
                line.pop_if(|c| *c == b'\n');
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }

    fn is_waiting(&mut self) -> bool {
        true
    }

    fn wait(&mut self, _: Duration) {}
}

/// Lines that a thread reads from stdin as they come.
pub struct Live {
    lines: Receiver<io::Result<Vec<u8>>>,
    /// The line that waits; `Some(None)` when the end has come.
    first: Option<Option<io::Result<Vec<u8>>>>,
}

impl Live {
    /// Begins to read stdin.
    #[must_use]
    pub fn stdin() -> Self {
        let (sender, lines) = mpsc::sync_channel(64);
        std::thread::spawn(move || {
            for line in io::stdin().lock().split(b'\n') {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { lines, first: None }
    }
}

impl Lines for Live {
    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        match self.first.take() {
            Some(first) => first,
            None => self.lines.recv().ok(),
        }
    }

    fn is_waiting(&mut self) -> bool {
        self.wait(Duration::ZERO);
        self.first.is_some()
    }

    fn wait(&mut self, most: Duration) {
        if self.first.is_some() {
            return;
        }
        self.first = match self.lines.recv_timeout(most) {
            Ok(line) => Some(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Some(None),
            Err(RecvTimeoutError::Timeout) => None,
        };
    }
}
