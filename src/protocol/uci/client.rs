//! The other side of UCI: an engine as a child process, asked for moves.
//!
//! # Invariants
//! Every wait has an end: an engine that says nothing in time, or goes away, is an error and never a hang.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};
use thiserror::Error;

/// An engine that can't be used.
#[derive(Debug, Error)]
pub enum ClientError {
    /// It does not start.
    #[error("can't start `{command}`: {source}")]
    Start {
        /// As given.
        command: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// It went away.
    #[error("`{0}` has gone away")]
    Gone(String),
    /// It said nothing of the kind in time.
    #[error("`{command}` did not say `{wanted}` within {seconds} s")]
    Silent {
        /// As given.
        command: String,
        /// The word waited for.
        wanted: &'static str,
        /// How long.
        seconds: u64,
    },
}

/// What an engine answered to a `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The move in UCI form; `None` for `(none)` or `0000`.
    pub best: Option<String>,
    /// The last score, as the words after `score`.
    pub score: Option<String>,
}

/// A running engine.
pub struct Client {
    command: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
    /// What it calls itself.
    pub name: String,
}

impl Client {
    /// Starts an engine, its program and arguments separated by spaces, and greets it.
    ///
    /// # Errors
    /// If it does not start or does not answer.
    pub fn start(command: &str, patience: Duration) -> Result<Self, ClientError> {
        let fault = |source| ClientError::Start { command: command.to_owned(), source };
        let mut words = command.split_whitespace();
        let program = words.next().unwrap_or_default();
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(fault)?;
        let gone = || ClientError::Gone(command.to_owned());
        let (input, output) = child.stdin.take().zip(child.stdout.take()).ok_or_else(gone)?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    return;
                }
            }
        });
        let mut client =
            Self { command: command.to_owned(), child, input, lines, patience, name: command.to_owned() };
        client.say("uci")?;
        for line in client.wait_for("uciok")? {
            if let Some(name) = line.strip_prefix("id name ") {
                name.clone_into(&mut client.name);
            }
        }
        Ok(client)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine has gone away.
    pub fn say(&mut self, line: &str) -> Result<(), ClientError> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| ClientError::Gone(self.command.clone()))
    }

    /// The lines up to one that begins with a word, that one last.
    fn wait_for(&mut self, wanted: &'static str) -> Result<Vec<String>, ClientError> {
        let until = Instant::now() + self.patience;
        let mut out = Vec::new();
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let found = line.split_whitespace().next() == Some(wanted);
                    out.push(line);
                    if found {
                        return Ok(out);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let seconds = self.patience.as_secs();
                    return Err(ClientError::Silent { command: self.command.clone(), wanted, seconds });
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(ClientError::Gone(self.command.clone()));
                }
            }
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the engine has gone away.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        self.say(&format!("setoption name {name} value {value}"))
    }

    /// Asks for a move in a game, as a new game. `limit` is what follows `go`.
    ///
    /// # Errors
    /// If the engine has gone away or does not answer.
    pub fn ask(&mut self, fen: &str, moves: &str, limit: &str) -> Result<Answer, ClientError> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.wait_for("readyok")?;
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        self.say(&format!("position fen {fen}{tail}"))?;
        self.say(&format!("go {limit}"))?;
        let mut answer = Answer::default();
        for line in self.wait_for("bestmove")? {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"bestmove") => {
                    answer.best =
                        words.get(1).filter(|w| !matches!(**w, "(none)" | "0000")).map(|w| (*w).to_owned());
                }
                Some(&"info") => {
                    if let Some(at) = words.iter().position(|w| *w == "score")
                        && let [kind, number, ..] = words[at + 1..]
                    {
                        answer.score = Some(format!("{kind} {number}"));
                    }
                }
                _ => {}
            }
        }
        Ok(answer)
    }
}

impl Drop for Client {
    /// Asks it to go, waits a little, then ends it.
    fn drop(&mut self) {
        let _ = self.say("quit");
        for _ in 0..20 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
