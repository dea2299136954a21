//! SECURITY.md promises nothing that no test holds.

mod common;

use common::{repository, scratch, tengen, write};
use std::fs;
use std::path::Path;

/// All Rust text below a folder, build folders left out.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                sources(&path, all);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push_str(&fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = fs::read_to_string(repository().join("SECURITY.md")).expect("it is there");
    let mut all = String::new();
    for folder in ["src", "systems", "tests"] {
        sources(&repository().join(folder), &mut all);
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
            assert!(all.contains(&format!("fn {name}(")), "no test is called {name}");
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
    let post = format!("POST /{token}/tune HTTP/1.1\r\n{host}");
    assert_eq!(status(port, &post, b"text=\xff"), 400, "no text");
    assert_eq!(status(port, &post, &vec![b'a'; 600 << 10]), 413, "too much");
    assert_eq!(status(port, &format!("GET /{token}/ HTTP/1.1\r\n{host}"), b""), 200, "it goes on");
}
