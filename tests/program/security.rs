//! Tests that every promise of SECURITY.md names existing tests. It also tests some of the promises itself.

use crate::common::{files_below, repository, scratch, tengen, write};
use std::fs;
use std::path::Path;

/// The name of a file of the repository, and its text.
fn named(path: &Path) -> (String, String) {
    let name = path.strip_prefix(repository()).expect("below it").display().to_string();
    (name.replace('\\', "/"), fs::read_to_string(path).expect("text"))
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = fs::read_to_string(repository().join("SECURITY.md")).expect("it is there");
    let mut all = String::new();
    for folder in ["src", "systems", "tests"] {
        let files = files_below(&repository().join(folder), "rs");
        all.extend(files.iter().map(|path| named(path).1));
    }
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| promise") && !line.contains("---"))
        .collect();
    assert!(rows.len() >= 12, "the table of promises is there");
    for row in rows {
        let tests = row.trim_end_matches('|').rsplit('|').next().expect("a column");
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "a promise without a test: {row}");
        for name in names.iter().filter(|name| !name.contains('=')) {
            let at = all.find(&format!("fn {name}(")).unwrap_or_else(|| panic!("no test is called {name}"));
            // The attributes stand between the item before and the name.
            let before = all[..at].rsplit_once("\n}").map_or(&all[..at], |(_, attributes)| attributes);
            assert!(before.contains("#[test]"), "{name} is no test");
        }
    }
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).expect("it is there");
    assert!(manifest.contains("unsafe_code = \"deny\""));
}

#[test]
fn a_run_writes_in_its_folder_and_nowhere_else() {
    let folder = scratch("security_folder");
    write(
        &folder,
        "a.ron",
        r#"(version: 1, name: "escape", game: Chess(),
            task: SelfPlay(games: 1, players: [Search(nodes: 20)], max_moves: 4))"#,
    );
    let names = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let around = names(folder.parent().expect("a parent"));
    let play = ["selfplay", "a.ron", "--games", "1", "--no-progress", "--out", "played"];
    assert_eq!(tengen(&folder, &play).status.code(), Some(0));
    assert_eq!(tengen(&folder, &["run", "a.ron", "--no-progress", "--out", "ran"]).status.code(), Some(0));
    assert_eq!(names(&folder), ["a.ron", "played", "ran"]);
    let beside: Vec<String> =
        names(folder.parent().expect("a parent")).into_iter().filter(|name| !around.contains(name)).collect();
    assert!(!beside.iter().any(|name| name.contains("escape")), "{beside:?}");
}

/// The viewer's process; ended when dropped.
struct Viewer(std::process::Child);

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A viewer that runs, its port and its token.
#[cfg(feature = "viewer")]
fn viewer() -> (Viewer, String, String) {
    use std::io::BufRead as _;
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["view", "--no-open", "--size", "5"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut viewer = Viewer(child);
    let mut line = String::new();
    std::io::BufReader::new(viewer.0.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://127.0.0.1:").expect("the loopback address");
    let (port, path) = address.split_once('/').expect("a path");
    let token = path.trim_end_matches('/');
    assert_eq!(token.len(), 32);
    (viewer, port.to_owned(), token.to_owned())
}

/// The status of one request to a port of this machine.
fn status(port: &str, head: &str, body: &[u8]) -> u16 {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).expect("a connection");
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    stream.write_all(format!("{head}\r\nConnection: close\r\n{length}\r\n").as_bytes()).expect("sent");
    // A server that refuses a body may not read it to the end.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[test]
#[cfg(feature = "viewer")]
fn pages_are_for_who_knows_the_token_and_comes_from_here() {
    let (_viewer, port, token) = viewer();
    let port = port.as_str();
    let host = format!("Host: 127.0.0.1:{port}");
    let guessed = "0".repeat(32);
    for (head, says) in [
        (format!("GET /{token}/ HTTP/1.1\r\n{host}"), 200),
        (format!("GET /{guessed}/ HTTP/1.1\r\n{host}"), 404),
        (format!("GET / HTTP/1.1\r\n{host}"), 404),
        (format!("GET /{token}/ HTTP/1.1\r\nHost: stranger.example:{port}"), 403),
        (format!("GET /{token}/ HTTP/1.1\r\n{host}\r\nOrigin: http://stranger.example"), 403),
        (format!("GET /{token}/../../Cargo.toml HTTP/1.1\r\n{host}"), 404),
        (format!("DELETE /{token}/ HTTP/1.1\r\n{host}"), 405),
    ] {
        assert_eq!(status(port, &head, b""), says, "{head}");
    }
    for (method, site, mode, says) in [
        ("GET", "same-origin", "cors", 200),
        ("GET", "none", "navigate", 200),
        ("GET", "cross-site", "navigate", 200),
        ("GET", "cross-site", "no-cors", 403),
        ("GET", "same-site", "cors", 403),
        ("POST", "cross-site", "navigate", 403),
        ("POST", "same-site", "cors", 403),
    ] {
        let head = format!(
            "{method} /{token}/ HTTP/1.1\r\n{host}\r\nSec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}"
        );
        assert_eq!(status(port, &head, b""), says, "{head}");
    }
    let post = format!("POST /{token}/tune HTTP/1.1\r\n{host}");
    assert_eq!(status(port, &post, b"text=\xff"), 400, "no text");
    assert_eq!(status(port, &post, &vec![b'a'; 600 << 10]), 413, "too much");
    assert_eq!(status(port, &format!("GET /{token}/ HTTP/1.1\r\n{host}"), b""), 200, "it goes on");
}

#[test]
#[cfg(feature = "viewer")]
fn a_body_that_comes_slowly_or_promises_too_much_does_not_hold_its_connection() {
    use std::io::{Read as _, Write as _};
    use std::time::{Duration, Instant};
    let (_viewer, port, token) = viewer();
    for (length, says) in [(10_000_000_000_u64, "413"), (1000, "408")] {
        let mut stream = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).expect("a connection");
        let head = format!(
            "POST /{token}/tune HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream.set_read_timeout(Some(Duration::from_millis(500))).expect("a limit");
        let (begun, mut answer) = (Instant::now(), Vec::new());
        let is_closed = loop {
            let _ = stream.write_all(b"a");
            let mut part = [0; 4096];
            match stream.read(&mut part) {
                Ok(0) => break true,
                Ok(n) => answer.extend_from_slice(&part[..n]),
                Err(e)
                    if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
                {
                    if begun.elapsed() > Duration::from_secs(30) {
                        break false;
                    }
                }
                Err(_) => break true,
            }
        };
        let answer = String::from_utf8_lossy(&answer);
        assert!(is_closed, "{length} bytes: open after {:?}", begun.elapsed());
        assert_eq!(answer.split(' ').nth(1), Some(says), "{answer}");
    }
}

#[test]
fn unsafe_code_stands_in_the_files_named_and_nowhere_else() {
    const ALLOWED: [&str; 3] =
        ["systems/chess/src/search/pages.rs", "systems/core/src/profiler.rs", "web/src/lib.rs"];
    let mut found = Vec::new();
    for folder in ["src", "systems", "web", "python"] {
        let files = files_below(&repository().join(folder), "rs");
        let allows = |line: &str| line.contains("unsafe_code") && !line.trim_start().starts_with("//");
        let files = files.iter().map(|path| named(path));
        found.extend(files.filter(|(_, text)| text.lines().any(allows)).map(|(name, _)| name));
    }
    found.sort();
    assert_eq!(found, ALLOWED);
}

#[test]
fn text_is_made_safe_in_one_place_for_each_reader() {
    // What no function for this reader can do without.
    for (reader, sign, home) in [
        ("a terminal", "escape_unicode", Some("systems/core/src/safe_text.rs")),
        ("a terminal, in another way", "escape_debug", None),
        ("a terminal, in a third way", "escape_default", None),
        ("a spreadsheet", "'\u{ff1d}'", Some("systems/core/src/safe_text.rs")),
        ("a browser", "\"&lt;\"", Some("systems/render/src/escape.rs")),
    ] {
        let files = ["src", "systems"].map(|folder| files_below(&repository().join(folder), "rs"));
        let files = files.iter().flatten().map(|path| named(path));
        let found: Vec<String> =
            files.filter(|(_, text)| text.contains(sign)).map(|(name, _)| name).collect();
        assert_eq!(found, Vec::from_iter(home), "{reader}");
    }
}

#[test]
#[cfg(unix)]
fn names_of_strangers_are_told_without_what_deceives() {
    let folder = scratch("security_names");
    let name = "a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\ne.sgf";
    write(&folder, name, "(;GM[1]SZ[5];B[cc])");
    let pgn = "[Event \"a\u{9b}2J\u{202e}\"]\n\n1. e4 e5 *\n";
    write(&folder, "a\u{9b}\u{202e}.pgn", pgn);
    for arguments in [
        &["show", name, "--color", "never"][..],
        &["show", "missing\u{202e}\u{1b}.sgf"],
        &["run", name, "--no-progress"],
        &["check", name],
        &["report", name, "--out", "out"],
        &["chess", "referee", "a\u{9b}\u{202e}.pgn"],
    ] {
        let output = tengen(&folder, arguments);
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            let found =
                text.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}'));
            assert_eq!(found, None, "{arguments:?}: {text:?}");
            assert!(!text.lines().any(|line| line.starts_with("e.sgf")), "{arguments:?}: {text}");
        }
    }
}
