//! Replays the dialogues of `tests/dialogues`. A dialogue has the lines of another program, each with the expected
//! answer.

use crate::common::repository;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The longest wait for a line. A move takes a second at most.
const PATIENCE: Duration = Duration::from_secs(30);

/// A line of a dialogue, with its number.
enum Line {
    Sent(String),
    Wanted(String),
    Unwanted(String),
}

/// A dialogue as its file has it.
struct Dialogue {
    arguments: Vec<String>,
    lines: Vec<(usize, Line)>,
    is_gtp: bool,
}

fn read(path: &Path) -> Dialogue {
    let text = fs::read_to_string(path).expect("a dialogue");
    let (mut arguments, mut lines) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate().map(|(n, line)| (n + 1, line)) {
        let (sign, rest) = line.split_at(line.len().min(1));
        let rest = rest.strip_prefix(' ').unwrap_or(rest).to_owned();
        match sign {
            "$" => arguments = rest.split_whitespace().map(str::to_owned).collect(),
            ">" => lines.push((number, Line::Sent(rest))),
            "<" => lines.push((number, Line::Wanted(rest))),
            "!" => lines.push((number, Line::Unwanted(rest))),
            "#" | "" => {}
            _ => panic!("{}:{number}: `{line}` is no line of a dialogue", path.display()),
        }
    }
    assert!(!arguments.is_empty(), "{} has no line `$`", path.display());
    Dialogue { arguments, lines, is_gtp: path.extension().is_some_and(|ending| ending == "gtp") }
}

/// Whether a line is what a pattern says; `*` stands for any characters, blanks at the end for none.
fn fits(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (pattern.trim_end(), line.trim_end());
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == line };
    let Some(mut left) = line.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

/// The program at the other end; it ends with the dialogue.
struct Program {
    child: Child,
    lines: Receiver<String>,
    /// Lines since the last one that was sent.
    heard: Vec<String>,
    /// Of a protocol whose answers come in any order: lines that came before they were wanted. Else `None`.
    early: Option<Vec<String>>,
}

impl Program {
    fn start(arguments: &[String]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let early = (arguments.first().map(String::as_str) == Some("analyse")).then(Vec::new);
        Self { child, lines, heard: Vec::new(), early }
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        self.heard.clear();
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).map_err(|_| "the program has ended".to_owned())
    }

    /// Waits for a line that fits. On the way a failure that nobody wants is a fault.
    fn wait(&mut self, pattern: &str, is_gtp: bool) -> Result<(), String> {
        if let Some(early) = &mut self.early
            && let Some(at) = early.iter().position(|line| fits(pattern, line))
        {
            early.remove(at);
            return Ok(());
        }
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(format!("nothing that fits `{pattern}` came")),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the program ended before `{pattern}` came, after {:?}", self.heard));
                }
            };
            self.heard.push(line.clone());
            if fits(pattern, &line) {
                return Ok(());
            }
            if let Some(early) = &mut self.early {
                early.push(line.clone());
            }
            let is_failure = is_gtp && line.starts_with('?');
            if is_failure || line.contains("unknown command") || line.contains("no option") {
                return Err(format!("`{line}` came, and `{pattern}` was wanted"));
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn replay(path: &Path) -> Result<(), String> {
    let dialogue = read(path);
    let mut program = Program::start(&dialogue.arguments);
    for (number, line) in &dialogue.lines {
        let done = match line {
            Line::Sent(line) => program.send(line),
            Line::Wanted(pattern) => program.wait(pattern, dialogue.is_gtp),
            Line::Unwanted(pattern) => match program.heard.iter().find(|line| fits(pattern, line)) {
                Some(line) => Err(format!("`{line}` came")),
                None => Ok(()),
            },
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        done.map_err(|fault| format!("{name}:{number}: {fault}"))?;
    }
    // The end of its input, or `quit`, ends the program.
    drop(program.child.stdin.take());
    for _ in 0..1200 {
        if program.child.try_wait().expect("a process").is_some() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("{}: the program does not end", path.display()))
}

fn dialogues() -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join("tests/dialogues")).expect("the folder of dialogues");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending != "md"));
    paths.sort();
    paths
}

#[test]
fn every_program_gets_the_answers_it_expects() {
    let paths = dialogues();
    let faults: Vec<String> = paths.iter().filter_map(|path| replay(path).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let named: Vec<String> =
        paths.iter().filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    for program in [
        "arena",
        "banksia",
        "cgoban",
        "cutechess",
        "en-croissant",
        "gogui",
        "gtp2ogs",
        "katrain",
        "lizzie",
        "q5go",
        "sabaki",
    ] {
        assert!(named.iter().any(|name| name == program), "no dialogue of {program}");
    }
}

#[test]
fn a_dialogue_that_goes_wrong_is_a_fault_with_its_line() {
    let folder = crate::common::scratch("dialogues_wrong");
    for (name, text, wanted) in [
        ("a.gtp", "$ gtp\n> nonsense\n< = *\n", "a.gtp:3: `? unknown command` came"),
        ("b.gtp", "$ gtp\n> name\n< = Tengen\n! = Ten*\n", "b.gtp:4: `= Tengen` came"),
        ("c.uci", "$ uci\n> nonsense\n> isready\n< readyok\n", "c.uci:4: `info string unknown command"),
        ("d.gtp", "$ gtp\n> quit\n< =\n< = more\n", "d.gtp:4: the program ended before"),
    ] {
        crate::common::write(&folder, name, text);
        let fault = replay(&folder.join(name)).expect_err("it goes wrong");
        assert!(fault.starts_with(wanted), "{fault}");
    }
}

#[test]
fn stars_of_patterns_stand_for_any_characters() {
    for (pattern, line, is_fit) in [
        ("= *", "= Tengen", true),
        ("=", "= ", true),
        ("=*", "=", true),
        ("info * pv *", "info move E5 pv E5 C3", true),
        ("info * pv *", "info move E5", false),
        ("bestmove (none)", "bestmove (none)", true),
        ("a*b*c", "a1b2b3c", true),
        ("a*b*c", "a1c2b3", false),
        ("= 2", "= 22", false),
    ] {
        assert_eq!(fits(pattern, line), is_fit, "{pattern} {line}");
    }
}
