//! Helpers of the tests of the whole program: running the program, and a separate folder for each test.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The `tengen` program, run in this folder.
pub(crate) fn tengen(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// What the `tengen` program answers to this input, run in this folder. It reads all of the input.
pub(crate) fn answers(folder: &Path, arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref().to_owned();
    // The program answers before it has read everything, so its input needs a thread.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("a thread").expect("the program reads everything");
    stdout(&output)
}

/// Its stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The repository.
pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names have this ending, sorted; build folders are left out.
pub(crate) fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A folder of this test's own, empty at first, under the build folder.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Writes a file below a folder.
pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// A game record of `moves` moves down the diagonals of a 9x9 board.
pub(crate) fn game(moves: usize) -> String {
    let letters: Vec<char> = ('a'..='i').collect();
    let mut text = String::from("(;GM[1]SZ[9]KM[6.5]");
    for i in 0..moves.min(81) {
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        // 2 is prime to 9: every vertex once.
        let (col, row) = (i % 9, (i / 9 + 2 * (i % 9)) % 9);
        text.push_str(&format!(";{color}[{}{}]", letters[col], letters[row]));
    }
    text.push(')');
    text
}

/// A player of Tengen that listens for GGP's messages; it ends with the test.
pub(crate) struct Listener {
    process: Child,
    /// Where it listens.
    pub(crate) address: String,
}

impl Listener {
    pub(crate) fn new() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["ggp", "--port", "0", "--player", "uct"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stderr.take().expect("it is a pipe")).lines();
        let first = lines.next().expect("it says where it listens").expect("text");
        let address = first.strip_prefix("ggp: listening on ").expect("the address").to_owned();
        // What else it says is read and dropped, so that it never waits for a reader.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Self { process, address }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A Python interpreter that has a module: `TENGEN_PYTHON`, that of `target/venv`, or `python3`. Without one the caller's
/// test is skipped, and stderr tells.
pub(crate) fn python_with(module: &str) -> Option<PathBuf> {
    let named = std::env::var_os("TENGEN_PYTHON").map(PathBuf::from);
    let known = [repository().join("target/venv/bin/python"), PathBuf::from("python3")];
    let has = |python: &PathBuf| {
        let import = format!("import {module}");
        let output = Command::new(python).args(["-c", &import]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = named.into_iter().chain(known).find(has);
    if found.is_none() {
        skipped(&format!("no Python has {module}; TENGEN_PYTHON may name one"));
    }
    found
}

/// Tells on stderr that a test is skipped.
pub(crate) fn skipped(why: &str) {
    use std::io::Write as _;
    // A reader of stderr that goes away is no fault of the test.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// Writes a script below a folder that starts the program with these arguments, or with its own.
#[cfg(unix)]
pub(crate) fn starter(folder: &Path, name: &str, arguments: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let own = env!("CARGO_BIN_EXE_tengen");
    write(folder, name, &format!("#!/bin/sh\nexec \"{own}\" {arguments}\n"));
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).expect("it may run");
}

/// The cells of a line of CSV; quotes are undone.
pub(crate) fn cells(line: &str) -> Vec<String> {
    let (mut found, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => found.push(String::new()),
            c => found.last_mut().expect("one").push(c),
        }
    }
    found
}

/// A rulesheet whose net grows with the fourth power of `most`: the last four numbers that were moved. No rule has more
/// instances than the limit allows, so that grounding ends by memory or time.
pub(crate) fn wide_rules(most: usize) -> String {
    let of_rule = (1_000_000 / most.pow(3)).max(1);
    let numbers: String = (0..most).map(|n| format!("(num {n}) (part {} {n})", n / of_rule)).collect();
    let rule = |part: usize| {
        format!("(<= (next (q ?b ?c ?d ?x)) (does a (m ?x)) (part {part} ?x) (true (q ?a ?b ?c ?d)))\n")
    };
    let rules: String = (0..most.div_ceil(of_rule)).map(rule).collect();
    format!(
        "(role a) (init (q 0 0 0 0)) {numbers} (<= (legal a (m ?x)) (num ?x))
         {rules} (<= terminal (true (q 1 1 1 1))) (goal a 100)"
    )
}
