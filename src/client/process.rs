//! An external program at the other end of two pipes: started, addressed by lines, and never trusted.
//!
//! # Guarantees
//! - An answer comes by a deadline, or the wait ends in an error. Sending never waits.
//! - The output of the program is bounded: lines to [`MAX_LINE`], unread output to [`MAX_WAITING`] lines. A program
//!   that writes more has to wait.
//! - The program, with all that it started, ends with Tengen in every case. It runs below `tengen keep`, which holds the
//!   other end of our pipe and kills the program's group when the pipe closes.
//!
//! # States
//!
//! | state | what happens | next |
//! | --- | --- | --- |
//! | running | a line by its deadline | running |
//! | running | no line by its deadline, or lines without end past it | late |
//! | running | [`MAX_WAITING`] lines sent that it did not read | late |
//! | running | its output ends, its input is closed, or a line is endless | broken |
//! | running | the run is stopped | stopped |
//! | late, broken, stopped, or no longer needed | [`Engine`] is dropped | ended: its group is killed and reaped |

use super::child_guard;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};
use tengen_core::similar::instead;
use tengen_core::{Stop, escaped_line};

/// The longest line that is read, in bytes.
pub const MAX_LINE: u64 = 1 << 20;

/// The most unread lines.
pub const MAX_WAITING: usize = 1024;

/// The longest that anything is waited for if no clock says less.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// The time between two checks whether the run goes on.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// How long after a deadline lines are still read that came in time.
const READING: Duration = Duration::from_secs(1);

#[cfg(test)]
thread_local! {
    /// Divides the deadlines of the programs that this thread asks: a test counts minutes in seconds.
    pub(super) static PACE: std::cell::Cell<u32> = const { std::cell::Cell::new(1) };
}

/// The moment that lies this long ahead.
pub(super) fn deadline(patience: Duration) -> Instant {
    #[cfg(test)]
    let patience = patience / PACE.get();
    Instant::now() + patience
}

/// Why a program did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The program could not be started, or ended.
    #[error("the engine `{command}` broke off: {reason}")]
    Broken {
        /// Its command line.
        command: String,
        /// The message of the system.
        reason: io::Error,
    },
    /// The program did not answer in time.
    #[error("the engine `{command}` did not answer `{request}` in time")]
    Late {
        /// Its command line.
        command: String,
        /// The question.
        request: String,
    },
    /// The run was stopped while it was waited for.
    #[error("the run was stopped while `{command}` was to answer `{request}`")]
    Stopped {
        /// Its command line.
        command: String,
        /// The question.
        request: String,
    },
    /// Its answer violates its protocol.
    #[error("the engine `{command}` answered `{request}` with `{answer}`")]
    Refused {
        /// Its command line.
        command: String,
        /// The question.
        request: String,
        /// The answer, cut.
        answer: String,
    },
    /// An option that it does not offer.
    #[error("the engine `{command}` has no option `{name}`: {instead}")]
    NoOption {
        /// Its command line.
        command: String,
        /// The option.
        name: String,
        /// The nearest option, or all, cut.
        instead: String,
    },
}

/// The words of a command line, split at blanks. Blanks in single or double quotes or after a backslash do not split.
/// A backslash escapes a blank, a quote and itself, and is itself before anything else, as in paths of Windows.
/// `None` if a quote is left open.
///
/// ```
/// use tengen::client::process::words;
/// assert_eq!(words(r#"'my engines/run.sh' --name "a b""#).unwrap(), ["my engines/run.sh", "--name", "a b"]);
/// ```
#[must_use]
pub fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars().peekable();
    while let Some(c) = letters.next() {
        let escapes = |next: &char| {
            matches!(next, '"' | '\\') || (quote.is_none() && (*next == '\'' || next.is_whitespace()))
        };
        match (c, quote) {
            ('\\', None | Some('"')) if letters.peek().is_some_and(escapes) => {
                word.get_or_insert_default().extend(letters.next());
            }
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A running program.
pub struct Engine {
    command: String,
    child: Child,
    input: Option<SyncSender<String>>,
    lines: Receiver<io::Result<String>>,
    stop: Stop,
}

impl Engine {
    /// Starts a program by its command line, words parted as [`words`] does. Waiting ends when `stop` says so.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        let broken = |reason| EngineError::Broken { command: command.into(), reason };
        let words = words(command).ok_or_else(|| broken(io::Error::other("a quote is left open")))?;
        let (program, arguments) =
            words.split_first().ok_or_else(|| broken(io::Error::other("an empty command line")))?;
        if !is_there(program) {
            return Err(broken(io::Error::new(io::ErrorKind::NotFound, "there is no such program")));
        }
        let mut child = child_guard::command(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(broken)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut pipe, mut output) = pipes
            .map(|(input, output)| (input, BufReader::new(output)))
            .ok_or_else(|| broken(io::Error::other("no pipes to it")))?;
        let (send, lines) = sync_channel(MAX_WAITING);
        let read = move || {
            loop {
                let mut bytes = Vec::new();
                let line = match (&mut output).take(MAX_LINE).read_until(b'\n', &mut bytes) {
                    Ok(0) => return,
                    Ok(_) if bytes.len() as u64 >= MAX_LINE => Err(io::Error::other("an endless line")),
                    Ok(_) => Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
                    Err(error) => Err(error),
                };
                let failed = line.is_err();
                if send.send(line).is_err() || failed {
                    return;
                }
            }
        };
        let (input, written) = sync_channel::<String>(MAX_WAITING);
        // The pipe closes when nobody sends any more, or when the program reads nothing and its group is killed.
        let write = move || {
            for line in written {
                if writeln!(pipe, "{line}").and_then(|()| pipe.flush()).is_err() {
                    return;
                }
            }
        };
        // From here on the program is ended in every way out.
        let engine = Self { command: command.into(), child, input: Some(input), lines, stop: stop.clone() };
        for work in [Box::new(read) as Box<dyn FnOnce() + Send>, Box::new(write)] {
            std::thread::Builder::new().name("engine".into()).spawn(work).map_err(broken)?;
        }
        Ok(engine)
    }

    /// Its command line.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Sends a line, and does not wait until the program reads it.
    ///
    /// # Errors
    /// If the program has ended, or reads nothing.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        match self.input.as_ref().map(|input| input.try_send(line.to_owned())) {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => {
                Err(EngineError::Late { command: self.command.clone(), request: cut(line) })
            }
            Some(Err(TrySendError::Disconnected(_))) | None => {
                Err(self.broken(io::ErrorKind::BrokenPipe.into()))
            }
        }
    }

    /// The next line, by this time at the latest. `request` is the request that it answers.
    ///
    /// # Errors
    /// If no line comes in time, the program has ended, or the run is stopped.
    pub fn line(&self, request: &str, until: Instant) -> Result<String, EngineError> {
        let late = || EngineError::Late { command: self.command.clone(), request: cut(request) };
        loop {
            // A program that never stops writing is stopped too.
            if self.stop.now() {
                return Err(EngineError::Stopped { command: self.command.clone(), request: cut(request) });
            }
            let now = Instant::now();
            if now > until + READING {
                return Err(late());
            }
            let left = until.saturating_duration_since(now);
            match self.lines.recv_timeout(left.min(ASK_EVERY)) {
                Ok(line) => return line.map_err(|reason| self.broken(reason)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.broken(io::Error::other("end of its output")));
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(late()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The error of an answer that is of no use.
    #[must_use]
    pub fn refusal(&self, request: &str, answer: &str) -> EngineError {
        EngineError::Refused { command: self.command.clone(), request: cut(request), answer: cut(answer) }
    }

    /// The error of an option that is not among those offered.
    #[must_use]
    pub fn no_option(&self, name: &str, offered: &[&str]) -> EngineError {
        let instead = cut(&instead(name, "options", offered));
        EngineError::NoOption { command: self.command.clone(), name: cut(name), instead }
    }

    fn broken(&self, reason: io::Error) -> EngineError {
        EngineError::Broken { command: self.command.clone(), reason }
    }
}

/// The beginning of a text, without control characters.
fn cut(text: &str) -> String {
    escaped_line(&text.chars().take(200).collect::<String>()).into_owned()
}

impl Drop for Engine {
    /// Asks it to quit, and ends it with all that it started.
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.input = None;
        child_guard::end(&mut self.child);
    }
}

/// Whether a program can be found as the system looks for it.
fn is_there(program: &str) -> bool {
    let path = Path::new(program);
    let named = |folder: &Path| {
        let file = folder.join(program);
        file.is_file() || file.with_extension(std::env::consts::EXE_EXTENSION).is_file()
    };
    if path.components().count() > 1 {
        return named(Path::new(""));
    }
    std::env::var_os("PATH").is_some_and(|folders| std::env::split_paths(&folders).any(|f| named(&f)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Player;

    #[test]
    fn a_list_of_words_is_the_command_line_of_these_words() {
        let table: [&[&str]; 5] = [
            &["gnugo", "--mode", "gtp"],
            &["My Engine/engine", "--arg", ""],
            &["it's here", "a \"b\" c"],
            &["C:\\Go\\engine.exe", "\\"],
            &["both ' and \" and \\\\", "'"],
        ];
        for list in table {
            let player = format!("Uci({list:?})");
            let Ok(Player::Uci(command, _)) = ron::from_str(&player) else { panic!("{player}") };
            assert_eq!(
                words(&command).as_deref(),
                Some(&list.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
                "{command}"
            );
        }
    }
}
