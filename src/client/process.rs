//! An external program at the other end of two pipes. Tengen starts the program, exchanges lines with it, and never
//! trusts it.
//!
//! # Guarantees
//! - An answer comes by a deadline, or the wait ends with an error. Sending never blocks, except to wait for the end of
//!   a program that has closed its input.
//! - The output of the program is limited: lines to [`MAX_LINE`], unread output to [`MAX_WAITING`] lines. A program
//!   that writes more has to wait. Its stderr is read to the end, and the last three lines of stderr are stored.
//! - The program, with all processes that it started, ends with Tengen in every case. It runs below `tengen keep`,
//!   which holds the other end of Tengen's pipe. `tengen keep` kills the program's group when the pipe closes.
//!
//! # States
//!
//! | state | what happens | next |
//! | --- | --- | --- |
//! | running | a line comes by its deadline | running |
//! | running | no line comes by its deadline, or lines keep coming past it | late |
//! | running | the program has not read the last [`MAX_WAITING`] lines that were sent | late |
//! | running | the program's output ends, its input is closed, or a line is too long | broken |
//! | running | the run is stopped | stopped |
//! | late, broken, stopped, or no longer needed | [`Engine`] is dropped | ended: its group is killed and reaped |

use super::child_guard;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
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

/// The lines of stderr that are kept, each of at most [`MAX_LAST_LINE`] bytes: the error of a program that ended has them.
const LAST_LINES: usize = 3;
const MAX_LAST_LINE: u64 = 4096;

/// How long the end of a program is waited for when its output has ended.
const END_WAIT: Duration = Duration::from_millis(500);

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

/// A word of a command line, in quotes where it needs them: [`words`] reads it back.
#[must_use]
pub fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "'\"\\".contains(c)) {
        return word.to_owned();
    }
    if !word.contains('\'') {
        return format!("'{word}'");
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The last lines of a program's stderr.
pub(super) type LastLines = Arc<Mutex<VecDeque<String>>>;

/// A running program.
pub struct Engine {
    command: String,
    child: Child,
    input: Option<SyncSender<String>>,
    lines: Receiver<io::Result<String>>,
    /// The last lines of its stderr.
    last_lines: LastLines,
    /// Closed when its stderr has ended.
    stderr_end: Receiver<()>,
    stop: Stop,
}

/// Starts a program by its command line, words parted as [`words`] does, with pipes to its input and from its stderr.
/// Its owner ends it by [`child_guard::end`].
///
/// # Errors
/// If it cannot be started.
pub(super) fn spawn(command: &str, output: Stdio) -> Result<Child, EngineError> {
    let broken = |reason| EngineError::Broken { command: command.into(), reason };
    let words = words(command).ok_or_else(|| broken(io::Error::other("a quote is left open")))?;
    let (program, arguments) =
        words.split_first().ok_or_else(|| broken(io::Error::other("an empty command line")))?;
    if !is_there(program) {
        return Err(broken(io::Error::new(io::ErrorKind::NotFound, "there is no such program")));
    }
    let mut child = child_guard::command(program);
    child.args(arguments).stdin(Stdio::piped()).stdout(output).stderr(Stdio::piped()).spawn().map_err(broken)
}

impl Engine {
    /// Starts a program by its command line, words parted as [`words`] does. Waiting ends when `stop` says so.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: &str, stop: &Stop) -> Result<Self, EngineError> {
        let broken = |reason| EngineError::Broken { command: command.into(), reason };
        let mut child = spawn(command, Stdio::piped())?;
        let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let ((mut pipe, output), errors) = pipes.ok_or_else(|| broken(io::Error::other("no pipes to it")))?;
        let mut output = BufReader::new(output);
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
        let last_lines = LastLines::default();
        let (stderr_open, stderr_end) = sync_channel::<()>(0);
        let lines_read = Arc::clone(&last_lines);
        let listen = move || {
            keep_last_lines(BufReader::new(errors), &lines_read);
            drop(stderr_open);
        };
        // From here on the program is ended in every way out.
        let (command, input, stop) = (command.into(), Some(input), stop.clone());
        let engine = Self { command, child, input, lines, last_lines, stderr_end, stop };
        let works = [Box::new(read) as Box<dyn FnOnce() + Send>, Box::new(write), Box::new(listen)];
        for work in works {
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
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.ended("end of its input")),
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
                    return Err(self.ended("end of its output"));
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

    /// The error of a program that ended: how it was noticed, its exit code, and the last lines of its stderr.
    fn ended(&self, how: &str) -> EngineError {
        let reason = reason_of_end(&self.child, how, &self.last_lines, &self.stderr_end);
        self.broken(io::Error::other(reason))
    }
}

/// How a program ended: how it was noticed, its exit code, and the last lines of its stderr.
pub(super) fn reason_of_end(
    child: &Child,
    how: &str,
    last_lines: &LastLines,
    stderr_end: &Receiver<()>,
) -> String {
    let mut reason = how.to_owned();
    if let Some(code) = child_guard::exit_code(child, END_WAIT) {
        reason += &format!(", exit code {code}");
        // Its last lines may still be on their way.
        let _ = stderr_end.recv_timeout(END_WAIT);
    }
    let lines = last_lines.lock().unwrap_or_else(PoisonError::into_inner);
    let lines: Vec<String> = lines.iter().map(|line| format!("`{}`", cut(line))).collect();
    if !lines.is_empty() {
        reason += &format!("; its last words on stderr: {}", lines.join(", "));
    }
    reason
}

/// Reads a stream to its end and keeps its last lines that are not blank.
pub(super) fn keep_last_lines(mut stream: impl BufRead, lines: &Mutex<VecDeque<String>>) {
    loop {
        let mut bytes = Vec::new();
        match (&mut stream).take(MAX_LAST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes);
        if !line.trim().is_empty() {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push_back(line.trim().to_owned());
            if lines.len() > LAST_LINES {
                lines.pop_front();
            }
        }
    }
}

/// The beginning of a text, without control characters.
fn cut(text: &str) -> String {
    escaped_line(&text.chars().take(200).collect::<String>()).into_owned()
}

impl Drop for Engine {
    /// Asks it to quit, and ends it with all that it started.
    fn drop(&mut self) {
        if let Some(input) = self.input.take() {
            // The channel closes behind it.
            let _ = input.try_send("quit".to_owned());
        }
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

    #[cfg(unix)]
    #[test]
    fn the_error_of_a_program_that_ended_has_its_exit_code_and_its_last_words() {
        let table = [
            ("exit 3", ", exit code 3"),
            ("echo ready >&2; echo >&2; exit 1", ", exit code 1; its last words on stderr: `ready`"),
            (
                "for n in 1 2 3 4 5; do echo line $n >&2; done; exit 0",
                ", exit code 0; its last words on stderr: `line 3`, `line 4`, `line 5`",
            ),
            ("kill -9 $$", ", exit code 137"),
            ("exec >&-; sleep 60", ""),
        ];
        for (script, wanted) in table {
            let engine = Engine::start(&format!("sh -c '{script}'"), &Stop::NEVER).expect("it starts");
            let error =
                engine.line("a question", Instant::now() + Duration::from_secs(20)).expect_err("its end");
            match error {
                EngineError::Broken { reason, .. } => {
                    assert_eq!(reason.to_string(), format!("end of its output{wanted}"), "{script}");
                }
                other => panic!("{script}: {other}"),
            }
        }
        let hostile = "printf \"\\033[2Jbad\\n\" >&2; exit 1";
        let engine = Engine::start(&format!("sh -c '{hostile}'"), &Stop::NEVER).expect("it starts");
        let error = engine.line("a question", Instant::now() + Duration::from_secs(20)).expect_err("its end");
        let text = error.to_string();
        assert!(text.contains("bad") && !text.contains('\u{1b}'), "{text:?}");
        let endless = format!("{}\n", "x".repeat(1 << 20));
        let lines = Mutex::new(VecDeque::new());
        keep_last_lines(endless.as_bytes(), &lines);
        let kept = lines.into_inner().expect("nobody holds it");
        assert!(kept.len() == LAST_LINES && kept.iter().all(|line| line.len() as u64 <= MAX_LAST_LINE));
    }

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
