//! The controller's side of GTP, with an engine as a child process.

use crate::client::process::{Engine, EngineError, PATIENCE};
use std::time::{Duration, Instant};
use tengen_core::Stop;

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 4 << 20;

/// The time that an engine may take to get ready.
const READY: Duration = Duration::from_secs(30);

/// A running engine.
pub struct Client(Engine);

impl Client {
    /// Starts an engine by its command line, words parted by blanks; `stop` ends every wait for it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        Engine::start(command, stop).map(Self)
    }

    /// The same, and waits until it speaks GTP.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not get ready in time.
    pub fn start_ready(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        let mut client = Self::start(command, stop)?;
        client.ask_until("protocol_version", Instant::now() + READY)?;
        Ok(client)
    }

    /// Sends one command and returns the text of its answer.
    ///
    /// # Errors
    /// If the engine ended, did not answer within [`PATIENCE`], or answered with `?`.
    pub fn ask(&mut self, request: &str) -> Result<String, EngineError> {
        self.ask_until(request, Instant::now() + PATIENCE)
    }

    /// The same, with a deadline.
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub fn ask_until(&mut self, request: &str, until: Instant) -> Result<String, EngineError> {
        self.0.send(request)?;
        let mut text = String::new();
        let mut good = None;
        let mut read = 0;
        loop {
            let line = self.0.line(request, until)?;
            read += line.len() + 1;
            if read > MAX_ANSWER {
                return Err(self.refusal(request, "more than it should"));
            }
            match good {
                None if line.starts_with(['=', '?']) => {
                    good = Some(line.starts_with('='));
                    text.push_str(line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim());
                }
                None => {}
                Some(_) if line.is_empty() => break,
                Some(_) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
        if good == Some(true) { Ok(text) } else { Err(self.refusal(request, &text)) }
    }

    /// Its command line.
    #[must_use]
    pub fn command(&self) -> &str {
        self.0.command()
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, request: &str, answer: &str) -> EngineError {
        self.0.refusal(request, answer)
    }
}
