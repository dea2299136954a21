//! The controller's side of GTP. The engine is a child process.
//!
//! # Deadlines
//!
//! | command | answer within |
//! | --- | --- |
//! | the first command, which waits until the engine is ready | [`READY`] |
//! | `genmove` | the engine's clock ([`Client::ask_until`]); [`PATIENCE`] without one |
//! | `final_score` | [`COUNTING`] |
//! | any other command, which needs no search | [`PROMPT`] |

use crate::client::process::{Engine, EngineError, PATIENCE, deadline};
use std::time::{Duration, Instant};
use tengen_core::Stop;

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 4 << 20;

/// The time that an engine may take to get ready.
pub const READY: Duration = Duration::from_secs(30);

/// The time that an engine may take to count a finished game.
pub const COUNTING: Duration = Duration::from_secs(60);

/// The time that an engine may take for a command without thought, as `play`.
pub const PROMPT: Duration = Duration::from_secs(10);

/// A running engine.
pub struct Client {
    engine: Engine,
    /// Whether it has answered.
    is_ready: bool,
}

/// The time of an engine for a command, by the table above.
fn patience(request: &str, is_ready: bool) -> Duration {
    match request.split_ascii_whitespace().next() {
        Some("genmove") => PATIENCE,
        Some("final_score") => COUNTING,
        _ if !is_ready => READY,
        _ => PROMPT,
    }
}

impl Client {
    /// Starts an engine by its command line, words parted by blanks; `stop` ends every wait for it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        Ok(Self { engine: Engine::start(command, stop)?, is_ready: false })
    }

    /// The same, and waits until it speaks GTP.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not get ready in time.
    pub fn start_ready(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        let mut client = Self::start(command, stop)?;
        client.ask("protocol_version")?;
        Ok(client)
    }

    /// Sends one command and returns the text of its answer.
    ///
    /// # Errors
    /// If the engine ended, did not answer in its time, or answered with `?`.
    pub fn ask(&mut self, request: &str) -> Result<String, EngineError> {
        self.ask_until(request, deadline(patience(request, self.is_ready)))
    }

    /// The same, with a deadline.
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub fn ask_until(&mut self, request: &str, until: Instant) -> Result<String, EngineError> {
        self.engine.send(request)?;
        let mut text = String::new();
        let mut good = None;
        let mut read = 0;
        loop {
            let line = self.engine.line(request, until)?;
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
        self.is_ready = true;
        if good == Some(true) { Ok(text) } else { Err(self.refusal(request, &text)) }
    }

    /// Its command line.
    #[must_use]
    pub fn command(&self) -> &str {
        self.engine.command()
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, request: &str, answer: &str) -> EngineError {
        self.engine.refusal(request, answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_its_deadline_and_only_thought_takes_minutes() {
        for (request, is_ready, time) in [
            ("boardsize 9", false, READY),
            ("boardsize 9", true, PROMPT),
            ("play black D4", true, PROMPT),
            ("time_left black 5 0", true, PROMPT),
            ("final_score", true, COUNTING),
            ("genmove black", true, PATIENCE),
        ] {
            assert_eq!(patience(request, is_ready), time, "{request}");
        }
    }
}
