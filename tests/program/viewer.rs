//! Tests the viewer's server: long and broken records, two people at once, browsers that go away, a thousand requests
//! at once, foreign pages. The following command prints the figures of `benches/viewer-figures.md`:
//! `cargo test --release --test program viewer::figures -- --ignored --nocapture`.
#![cfg(feature = "viewer")]

use crate::common::{repository, scratch, write};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The viewer's process; ended when dropped.
struct Viewer {
    process: Child,
    place: Place,
}

/// Where a server is asked.
#[derive(Clone)]
struct Place {
    port: String,
    token: String,
}

impl std::ops::Deref for Viewer {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer: the status and the body.
struct Answer {
    status: u16,
    location: Option<String>,
    body: String,
}

impl Viewer {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(folder)
            .args(["view", "--no-open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("http://127.0.0.1:").expect("the loopback address");
        let (port, path) = address.split_once('/').expect("a path");
        let (port, token) = (port.to_owned(), path.trim_end_matches('/').to_owned());
        Self { process, place: Place { port, token } }
    }
}

impl Place {
    /// Sends a request and hands the open connection back.
    fn send(&self, method: &str, page: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        let head = format!(
            "{method} /{}/{page} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    fn get(&self, page: &str) -> Answer {
        read(self.send("GET", page, ""))
    }
}

fn read(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("an answer");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let location = head.lines().find_map(|l| l.strip_prefix("location: ").map(str::to_owned));
    Answer { status, location, body: body.to_owned() }
}

/// A record with a number of moves, all of them passes.
fn passes(moves: usize) -> String {
    let mut text = String::from("(;GM[1]SZ[9]KM[6.5]");
    for n in 0..moves {
        let _ = write!(text, ";{}[]", if n % 2 == 0 { 'B' } else { 'W' });
    }
    text + ")"
}

/// The address goes to the launcher of the desktop; where there is none, the server runs all the same and is silent.
#[cfg(target_os = "linux")]
#[test]
fn the_viewer_asks_the_desktop_to_open_its_address() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = scratch("viewer_opens");
    write(&folder, "bin/xdg-open", "#!/bin/sh\necho \"$1\" >opened\n");
    std::fs::set_permissions(folder.join("bin/xdg-open"), std::fs::Permissions::from_mode(0o755))
        .expect("it may run");
    for (path, opens) in [("bin", true), ("none", false)] {
        let _ = std::fs::remove_file(folder.join("opened"));
        let mut process = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(&folder)
            .env("PATH", folder.join(path))
            .args(["view", "--size", "9"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut address = String::new();
        BufReader::new(process.stdout.take().expect("stdout is piped"))
            .read_line(&mut address)
            .expect("a line");
        let read = || std::fs::read_to_string(folder.join("opened")).unwrap_or_default();
        let begun = Instant::now();
        while opens && !read().ends_with('\n') && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(20));
        }
        if !opens {
            // Time to fail in.
            std::thread::sleep(Duration::from_millis(300));
        }
        assert!(process.try_wait().expect("it is asked").is_none(), "{path}: the server runs");
        process.kill().expect("it ends");
        let mut told = String::new();
        process.stderr.take().expect("stderr is piped").read_to_string(&mut told).expect("text");
        process.wait().expect("it ended");
        assert_eq!(read(), if opens { address.as_str() } else { "" }, "{path}");
        assert_eq!(told, "", "{path}");
    }
}

#[test]
fn records_too_long_broken_or_of_unknown_size_are_told_and_the_others_open() {
    let folder = scratch("viewer-records");
    write(&folder, "long.sgf", &passes(10_000));
    write(&folder, "good.sgf", &crate::common::game(20));
    for (name, text) in [
        ("broken.sgf", "(;GM[1]SZ[9];B[aa"),
        ("size99.sgf", "(;GM[1]SZ[99];B[aa])"),
        ("size0.sgf", "(;GM[1]SZ[0];B[aa])"),
        ("sizex.sgf", "(;GM[1]SZ[<b>x];B[aa])"),
        ("nothing.sgf", ""),
        ("bytes.sgf", "\u{0}\u{1}\u{fffd}"),
    ] {
        write(&folder, name, text);
    }
    let viewer = Viewer::start(&folder, &["."]);
    let index = viewer.get("");
    assert_eq!(index.status, 200);
    for name in ["broken", "size99", "size0", "sizex", "nothing", "bytes"] {
        let answer = viewer.get(&format!("game?file={name}.sgf"));
        assert_eq!(answer.status, 400, "{name}");
        assert!(answer.body.contains(&format!("{name}.sgf")) && !answer.body.contains("<b>x"), "{name}");
        assert!(!answer.body.contains("panicked"), "{name}");
    }
    let long = viewer.get("game?file=long.sgf");
    assert!(long.status == 200 && long.body.contains("move 0,"), "it begins at the start: {}", long.status);
    let last = viewer.get("game?file=long.sgf&node=10000");
    assert!(last.status == 200 && last.body.contains("move 10000"), "{}", last.status);
    for page in [long, last] {
        assert!(page.body.len() < 100_000, "{} bytes", page.body.len());
    }
    assert_eq!(viewer.get("game?file=good.sgf").status, 200);
}

#[test]
fn files_outside_the_folder_and_links_are_not_opened() {
    let outside = scratch("viewer-outside");
    write(&outside, "secret.sgf", "(;GM[1]SZ[9]C[very secret])");
    let folder = outside.join("inside");
    write(&folder, "good.sgf", &crate::common::game(5));
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.join("secret.sgf"), folder.join("link.sgf")).expect("a link");
    let viewer = Viewer::start(&folder, &["."]);
    for name in
        ["../secret.sgf", "..%2Fsecret.sgf", "link.sgf", "%2Fetc%2Fpasswd", "good.sgf%00", "./good.sgf"]
    {
        let answer = viewer.get(&format!("game?file={name}"));
        assert_eq!(answer.status, 400, "{name}");
        assert!(!answer.body.contains("very secret") && !answer.body.contains("root:"), "{name}");
    }
    assert!(!viewer.get("").body.contains("link.sgf"));
    assert_eq!(viewer.get("game?file=good.sgf").status, 200);
}

#[test]
fn two_people_at_one_server_see_each_their_own_moves_and_patterns() {
    let folder = scratch("viewer-two");
    write(&folder, "good.sgf", &crate::common::game(10));
    let viewer = Viewer::start(&folder, &["good.sgf"]);
    let person = |first: &'static str, second: &'static str| {
        let viewer = &viewer;
        move || {
            for _ in 0..5 {
                let page = viewer.get(&format!("game?node=0&try=B{first},W{second}&layer=stones"));
                assert!(page.status == 200 && page.body.contains(&format!("try=B{first}%2CW{second}")));
                let text = "nothing+here+is+a+pattern";
                let tried = read(viewer.send("POST", "tune?node=0&db=barriers.db", &format!("text={text}")));
                assert_eq!(tried.status, 200);
                let plain = viewer.get("game?node=0&layer=stones");
                assert!(plain.body.contains("move 0") && !plain.body.contains("with moves tried"));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(person("A1", "C3"));
        scope.spawn(person("J9", "G7"));
    });
    let rules = repository().join("resources/gdl/noughts.kif");
    let viewer = Viewer::start(&folder, &[rules.to_str().expect("UTF-8")]);
    let (one, other) = (viewer.get("play?pick=0."), viewer.get("play?pick=8."));
    assert_eq!(one.location.as_deref(), Some("play?moves=0.0"));
    assert_eq!(other.location.as_deref(), Some("play?moves=8.0"));
    assert!(viewer.get("").body.contains("0 of 0 moves"));
}

#[test]
fn browsers_that_go_away_in_the_middle_cost_the_server_nothing() {
    let viewer = Viewer::start(&repository(), &["scenes/go/games/9x9-1.sgf"]);
    for node in 0..40 {
        let mut stream = viewer.send("GET", &format!("game?node={node}"), "");
        if node % 2 == 0 {
            // Some read a little first.
            let _ = stream.read(&mut [0; 16]);
        }
        drop(stream);
    }
    // A head that never ends, and one that is none.
    let mut half = TcpStream::connect(format!("127.0.0.1:{}", viewer.port)).expect("a connection");
    half.write_all(b"GET /").expect("sent");
    let mut none = TcpStream::connect(format!("127.0.0.1:{}", viewer.port)).expect("a connection");
    none.write_all(b"\x16\x03\x01\x00\xff\r\n\r\n").expect("sent");
    assert_eq!(viewer.get("game?node=3").status, 200);
}

#[test]
fn a_thousand_requests_at_once_are_all_answered() {
    let viewer = Viewer::start(&repository(), &["scenes/go/games/9x9-1.sgf"]);
    assert_eq!(viewer.get("game?node=12").status, 200);
    let streams: Vec<TcpStream> = (0..1000)
        .map(|n| match n % 4 {
            0 => viewer.send("GET", "game?node=12&layer=dragons", ""),
            1 => viewer.send("GET", "style.css", ""),
            2 => viewer.send("GET", "facts?node=12&at=E5", ""),
            _ => viewer.send("GET", "game?node=nonsense", ""),
        })
        .collect();
    for (n, stream) in streams.into_iter().enumerate() {
        let answer = read(stream);
        assert_eq!(answer.status, if n % 4 == 3 { 400 } else { 200 }, "{n}");
        assert!(answer.body.len() > 100, "{n}");
    }
    assert_eq!(viewer.get("").status, 200);
}

#[test]
fn a_guessed_token_learns_nothing() {
    let viewer = Viewer::start(&repository(), &["--size", "9"]);
    let first = &viewer.token[..1];
    let other = if first == "0" { "1" } else { "0" };
    let almost = format!("{other}{}", &viewer.token[1..]);
    for token in ["", "0", &"0".repeat(32), &almost, &format!("{}0", viewer.token), "%00", "../"] {
        let stranger = Place { port: viewer.port.clone(), token: token.to_owned() };
        let answer = stranger.get("game");
        assert_eq!(answer.status, 404, "{token}");
        assert!(!answer.body.contains(&viewer.token) && answer.body.len() < 200, "{token}");
    }
    assert_eq!(viewer.get("").status, 200);
}

/// A signal stops a game while a page shows it.
#[cfg(unix)]
mod watched {
    use super::*;

    /// A run of self-play; ended when dropped.
    struct Playing(Child);

    impl Playing {
        fn signal(&self, name: &str) {
            let status = Command::new("kill").args([&format!("-{name}"), &self.0.id().to_string()]).status();
            assert!(status.expect("a program `kill`").success(), "{name}");
        }
    }

    impl Drop for Playing {
        fn drop(&mut self) {
            // It may have ended by itself.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Whether a game is shown in the folder of the games being played.
    fn picture_in(playing: &Path) -> bool {
        let entries = std::fs::read_dir(playing).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).any(|name| {
            let name = name.to_string_lossy();
            name.starts_with("game-") && !name.ends_with(".part")
        })
    }

    /// Asks for a page until it says this.
    fn until(viewer: &Viewer, page: &str, says: &str) -> String {
        let mut body = String::new();
        for _ in 0..1200 {
            body = viewer.get(page).body;
            if body.contains(says) {
                return body;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{page} never said `{says}`: {body}");
    }

    #[test]
    fn games_are_watched_while_they_are_played_and_listed_when_they_are_over() {
        let go = "game: Go(size: 19, komi: 7.5), task: SelfPlay(players: [Level(10)], max_moves: 7, random_moves: 2)";
        let chess =
            "game: Chess(), task: SelfPlay(players: [Search(nodes: 300000)], max_moves: 7, random_moves: 2)";
        let rules = "game: Gdl(rules: \"noughts.kif\"), task: SelfPlay(players: [MonteCarlo(20000)])";
        for (name, scene, study) in [
            ("go", go, "href=\"game?file=game-00001.sgf\""),
            ("chess", chess, "href=\"chess?game=1\""),
            ("rules", rules, "href=\"play?case=1\""),
        ] {
            let folder = scratch(&format!("watched-{name}"));
            write(&folder, "a.ron", &format!("(version: 1, name: \"{name}\", {scene})"));
            let sheet = repository().join("resources/gdl/noughts.kif");
            std::fs::copy(sheet, folder.join("noughts.kif")).expect("a rulesheet");
            let arguments =
                ["selfplay", "a.ron", "--games", "1", "--jobs", "1", "--no-progress", "--out", "out"];
            let mut run = Command::new(env!("CARGO_BIN_EXE_tengen"));
            let run = run.current_dir(&folder).args(arguments).stdout(Stdio::null());
            let mut run = Playing(run.spawn().expect("it starts"));
            while !picture_in(&folder.join("out/playing")) {
                assert!(run.0.try_wait().expect("a state").is_none(), "{name}: over before it was shown");
                std::thread::sleep(Duration::from_millis(10));
            }
            // It stands still while it is looked at, however slow the machine.
            run.signal("STOP");
            let viewer = Viewer::start(&folder, &["out"]);
            let body = until(&viewer, "games", "href=\"watch?game=1\"");
            assert!(body.contains("0 games over, 1 being played") && body.contains("<svg"), "{body}");
            let board = viewer.get("watch?game=1");
            assert!(
                board.status == 200 && board.body.contains("data-href=\"standing?game=1\""),
                "{}",
                board.body
            );
            assert!(board.body.contains("<svg") && board.body.contains(study), "{}", board.body);
            run.signal("CONT");
            assert!(run.0.wait().expect("it ends").success());
            let body = until(&viewer, "games", "1 game over, 0 being played");
            assert!(body.contains("data-done") && body.contains(study), "{body}");
            let games = std::fs::read_to_string(folder.join("out/games.jsonl")).expect("games");
            let game: serde_json::Value = serde_json::from_str(games.trim()).expect("one line");
            let moves = format!("<td>{}</td>", game["moves"]);
            assert!(body.contains(&moves), "{moves}: {body}");
            assert!(viewer.get("standing?game=1").body.contains("It is over"));
            let link = study.trim_start_matches("href=\"").trim_end_matches('"');
            let studied = viewer.get(link);
            let is_there = studied.status == 200 || studied.location.is_some();
            assert!(is_there, "{link}: {} {}", studied.status, studied.body);
            assert!(!folder.join("out/playing").exists());
            for (page, says) in [("watch?game=9", "not played yet"), ("watch?game=x", "no number of a game")]
            {
                let reply = viewer.get(page);
                assert!(reply.status == 400 && reply.body.contains(says), "{page}: {}", reply.body);
            }
        }
    }
}

/// The middle of some times, in milliseconds.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn timed(viewer: &Viewer, page: &str) -> (f64, usize) {
    let begun = Instant::now();
    let answer = viewer.get(page);
    assert_eq!(answer.status, 200, "{page}: {}", answer.body);
    (begun.elapsed().as_secs_f64() * 1e3, answer.body.len())
}

fn say(line: &str) {
    writeln!(std::io::stdout(), "{line}").expect("stdout");
}

/// Prints a line: the median time of pages that are each asked for once, and the most bytes.
fn told(what: &str, viewer: &Viewer, pages: &[String]) {
    let answers: Vec<(f64, usize)> = pages.iter().map(|page| timed(viewer, page)).collect();
    let most = answers.iter().map(|a| a.1).max().unwrap_or(0);
    let times: Vec<f64> = answers.iter().map(|a| a.0).collect();
    say(&format!("{what:<58}{:>10.1}{:>12.1}", median(times), most as f64 / 1024.0));
}

#[test]
#[ignore = "prints the figures of benches/viewer-figures.md; run it on a quiet machine, in release"]
fn figures() {
    say(&format!("{:<58}{:>10}{:>12}", "page", "ms", "KiB at most"));
    let shared = repository().join("../shared/suites/go/games/kgs/yagr-gab9.sgf");
    let game = if shared.exists() { shared } else { repository().join("scenes/go/games/13x13-1.sgf") };
    let viewer = Viewer::start(&repository(), &[game.to_str().expect("UTF-8")]);
    let nodes = [40, 80, 120, 160, 200];
    let pages = |of: &str| nodes.map(|n| of.replace("NODE", &n.to_string())).to_vec();
    told("Go: a position not yet analysed", &viewer, &pages("game?node=NODE"));
    told("Go: another layer of it", &viewer, &pages("game?node=NODE&layer=influence"));
    told("Go: a click on a vertex", &viewer, &pages("facts?node=NODE&at=E5"));
    let steps: Vec<String> = (100..130).map(|node| format!("game?node={node}")).collect();
    for (what, memory) in [("Go: a step along a game", "48M"), ("Go: the same, readings not kept", "0")] {
        let viewer =
            Viewer::start(&repository(), &["--reading-memory", memory, game.to_str().expect("UTF-8")]);
        told(what, &viewer, &steps);
    }
    let viewer =
        Viewer::start(&repository(), &["rnbqkb1r/pp3ppp/4pn2/2pp4/3P4/2N1PN2/PPP2PPP/R1BQKB1R w KQkq - 0 6"]);
    told("chess: a position", &viewer, &["chess".to_owned(), "chess?try=f1d3".to_owned()]);
    told("chess: lines by depth, 100,000 nodes", &viewer, &["chess-lines".to_owned()]);
    told("chess: twelve schemes, depth 4", &viewer, &["schemes".to_owned()]);
    told("chess: an exact tree, depth 4", &viewer, &["tree".to_owned()]);
    let viewer = Viewer::start(&repository(), &["resources/gdl/noughts.kif"]);
    told("rules: a state", &viewer, &["play".to_owned(), "play?moves=4.0".to_owned()]);
    told("rules: the net, whole", &viewer, &["net".to_owned()]);
    told("rules: a move through the net, six schemes", &viewer, &["net?pick=4.".to_owned()]);
}

#[test]
fn pages_show_the_warnings_of_what_was_opened() {
    let folder = scratch("viewer-warnings");
    write(&folder, "a.sgf", "(;GM[1]SZ[9]KM[375];B[ee])");
    write(&folder, "a.pgn", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1\"]\n\n1. -- Kd7 *\n");
    write(&folder, "a.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/4P3/4K3 w KQ -\n");
    write(
        &folder,
        "a.ron",
        "(version: 1, name: \"a\", game: Go(diagram: \"XO.\\nO..\\n...\"), task: Playouts(count: 1))",
    );
    let run = crate::common::tengen(&folder, &["run", "a.sgf", "a.pgn", "--out", "out", "--no-progress"]);
    assert!(run.status.success(), "{run:?}");
    let table: [(&str, &str, &[&str]); 6] = [
        ("a.sgf", "game", &["sgf-komi-hundredths", "a.sgf:1:"]),
        ("a.pgn", "chess?game=0", &["chess-null-move", "chess-castling-surplus", "a.pgn:1:1"]),
        ("a.epd", "chess?game=1", &["chess-castling-surplus", "a.epd:2:"]),
        ("a.ron", "", &["go-stone-without-liberty", "a.ron:1:"]),
        ("out", "", &["a.sgf:1:", "is read as 7.5", "null move"]),
        ("a.epd", "chess?game=0", &[]),
    ];
    for (path, page, words) in table {
        let viewer = Viewer::start(&folder, &[path]);
        let answer = viewer.get(page);
        assert_eq!(answer.status, 200, "{path} {page}");
        assert_eq!(answer.body.contains("class=\"warning\""), !words.is_empty(), "{path} {page}");
        for word in words {
            assert!(answer.body.contains(word), "{path} {page} {word}: {}", answer.body);
        }
    }
}
