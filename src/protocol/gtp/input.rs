//! The source of a controller's lines. It reports whether a line is waiting, because a waiting line ends an analysis.

use crate::protocol::lines::LineReader;
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

/// Lines that are all present at the start. A line always waits, so an analysis reports once.
pub struct Script<R>(LineReader<R>);

impl<R: BufRead> Script<R> {
    /// The lines of this input.
    pub const fn new(input: R) -> Self {
        Self(LineReader::new(input))
    }
}

impl<R: BufRead> Lines for Script<R> {
    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        self.0.next(usize::MAX).transpose()
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
            let mut reader = LineReader::new(io::stdin().lock());
            while let Some(line) = reader.next(usize::MAX).transpose() {
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
