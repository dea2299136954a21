//! The controller's side: an external GTP engine as a child process.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Why an engine did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// It could not be started, or broke off.
    #[error("the engine `{command}` broke off: {source}")]
    Broken {
        /// Its command line.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It answered with `?`.
    #[error("the engine `{command}` refused `{request}`: {answer}")]
    Refused {
        /// Its command line.
        command: String,
        /// What it was asked.
        request: String,
        /// The text after `?`.
        answer: String,
    },
}

/// A running engine.
pub struct Client {
    command: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    /// Starts an engine by its command line, words parted by blanks.
    ///
    /// # Errors
    /// If it can't be started.
    pub fn start(command: &str) -> Result<Self, ClientError> {
        let broken = |source| ClientError::Broken { command: command.into(), source };
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| broken(io::Error::other("an empty command line")))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(broken)?;
        let (input, output) = child
            .stdin
            .take()
            .zip(child.stdout.take())
            .ok_or_else(|| broken(io::Error::other("no pipes to it")))?;
        Ok(Self { command: command.into(), child, input, output: BufReader::new(output) })
    }

    /// Sends one command and returns the text of its answer.
    ///
    /// # Errors
    /// If the engine broke off, or answered with `?`.
    pub fn ask(&mut self, request: &str) -> Result<String, ClientError> {
        let broken = |source| ClientError::Broken { command: self.command.clone(), source };
        writeln!(self.input, "{request}").and_then(|()| self.input.flush()).map_err(broken)?;
        let mut text = String::new();
        let mut good = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(broken)? == 0 {
                return Err(broken(io::Error::other("end of its output")));
            }
            let line = line.trim_end();
            match good {
                None if line.starts_with(['=', '?']) => {
                    good = Some(line.starts_with('='));
                    text.push_str(line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim());
                }
                None => {}
                Some(_) if line.is_empty() => break,
                Some(_) => {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
        if good == Some(true) { Ok(text) } else { Err(self.refusal(request, &text)) }
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, request: &str, answer: &str) -> ClientError {
        let (request, answer) = (request.into(), answer.into());
        ClientError::Refused { command: self.command.clone(), request, answer }
    }

    /// CPU seconds it has used, where the system tells.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        Some(ticks / 100.0)
    }
}

impl Drop for Client {
    /// Asks it to quit, and ends it if it won't.
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.input.flush();
        for _ in 0..20 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
