//! Each page opened, clicked through, and its numbers held against `run --format json`.

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::fs;
use std::future::Future;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program of the newest build; `None` if there is none.
fn program() -> Option<PathBuf> {
    let of = |profile: &str| repository().join("target").join(profile).join("tengen");
    let built = |path: &PathBuf| fs::metadata(path).and_then(|m| m.modified()).ok();
    [of("release"), of("debug")].into_iter().filter(|p| built(p).is_some()).max_by_key(built)
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the viewer; its address is the first line.
fn view(program: &Path, arguments: &[&str]) -> (Running, String) {
    let mut child = Command::new(program)
        .current_dir(repository())
        .args(["view", "--no-open", "--port", "0"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut address = String::new();
    BufReader::new(child.stdout.take().expect("stdout is piped")).read_line(&mut address).expect("a line");
    (Running(child), address.trim().to_owned())
}

/// A free port for chromedriver: it is asked for and given back, so it may be taken again, but rarely is.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A browser, or a message why there is none.
async fn browser() -> Option<(Running, Client)> {
    let port = free_port();
    let Ok(driver) = Command::new("chromedriver")
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
    else {
        println!("skipped: there is no chromedriver (Debian: chromium-driver)");
        return None;
    };
    let driver = Running(driver);
    let arguments =
        ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000"];
    let wanted =
        json!({ "goog:chromeOptions": { "args": arguments }, "goog:loggingPrefs": { "browser": "ALL" } });
    let Value::Object(wanted) = wanted else { return None };
    for _ in 0..60 {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted.clone());
        if let Ok(client) = builder.connect(&format!("http://127.0.0.1:{port}")).await {
            return Some((driver, client));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    println!("skipped: chromedriver starts no browser");
    None
}

/// Leaves a picture of what the browser shows.
async fn keep(client: &Client, name: &str) {
    let folder = repository().join("target/browser");
    fs::create_dir_all(&folder).expect("a folder");
    let picture = client.screenshot().await.expect("a picture");
    fs::write(folder.join(format!("{name}.png")), picture).expect("a file");
}

async fn text(client: &Client, css: &str) -> String {
    let element = client.wait().for_element(Locator::Css(css)).await.expect(css);
    element.text().await.expect("text")
}

/// A click of the mouse on a vertex of the board.
async fn click_vertex(client: &Client, vertex: &str) {
    let script = "document.querySelector(`svg.board .v[data-v='${arguments[0]}']`)\
                  .dispatchEvent(new MouseEvent('click', {bubbles: true}))";
    client.execute(script, vec![json!(vertex)]).await.expect("a click");
}

/// Does something that leads to another page, and waits until that is there.
async fn leads_on(client: &Client, script: &str, argument: Value) {
    let script = format!("window.isOld = true; {script}");
    client.execute(&script, vec![argument]).await.expect("a script");
    let is_new = "return !window.isOld && document.readyState === 'complete'";
    for _ in 0..600 {
        // Between two pages there is none to ask.
        if client.execute(is_new, Vec::new()).await.is_ok_and(|new| new == json!(true)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no page came");
}

async fn press(client: &Client, key: &str) {
    let script =
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))";
    leads_on(client, script, json!(key)).await;
}

async fn click(client: &Client, css: &str) {
    leads_on(client, "document.querySelector(arguments[0]).click()", json!(css)).await;
}

/// Moves the slider.
async fn slide(client: &Client, moves: usize) {
    let script = "const s = document.querySelector('#slider'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))";
    leads_on(client, script, json!(moves)).await;
}

/// Runs a test with a browser and the program, or says why not.
fn with_browser<F: Future<Output = ()>>(test: impl FnOnce(PathBuf, Client) -> F) {
    let Some(program) = program() else {
        println!("skipped: build the program first (cargo build --release)");
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let Some((driver, client)) = browser().await else { return };
        test(program, client.clone()).await;
        client.close().await.expect("the browser closes");
        drop(driver);
    });
}

/// The record that `run --format json` writes for a position of a game.
fn record(program: &Path, game: &str, moves: usize) -> Value {
    let folder = std::env::temp_dir().join(format!("tengen-browser-{}-{moves}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let scene = folder.join("scene.ron");
    let game = repository().join(game).canonicalize().expect("the game is there");
    let text = format!(
        "(version: 1, name: \"x\", game: Go(sgf: {:?}, move: {moves}), task: Analyse(last: MoveEvaluation))",
        game.to_str().expect("UTF-8")
    );
    fs::write(&scene, text).expect("a file");
    let output =
        Command::new(program).args(["run", "--format", "json", "--no-progress"]).arg(&scene).output();
    let output = output.expect("it runs");
    fs::remove_dir_all(&folder).expect("it was there");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!("{e}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

const GAME: &str = "scenes/go/games/13x13-1.sgf";

#[test]
fn a_game_is_stepped_through_its_layers_switched_and_its_numbers_are_those_of_run() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &[GAME]);
        let begun = Instant::now();
        client.goto(&address).await.expect("the page opens");
        text(&client, "#layers .on").await;
        println!("first picture after {} ms", begun.elapsed().as_millis());
        slide(&client, 42).await;
        press(&client, "ArrowLeft").await;
        press(&client, "ArrowLeft").await;
        press(&client, "d").await;
        assert_eq!(text(&client, "#layers .on").await.split(' ').next(), Some("dragons"));
        keep(&client, "dragons").await;
        press(&client, "m").await;
        let title = text(&client, "header b").await;
        assert!(title.contains("move 40,"), "{title}");
        let record = record(&program, GAME, 40);
        let best = &record["result"]["moves"][0];
        let name = best["move"].as_str().expect("a best move");
        let lines = text(&client, "#lines").await;
        let first: Vec<&str> = lines.lines().next().unwrap_or("").split_whitespace().collect();
        assert_eq!(first[1], name);
        let shown: f64 = first[2].parse().expect("a number");
        assert!((shown - best["value"].as_f64().expect("a number")).abs() < 0.006, "{lines}");
        click_vertex(&client, name).await;
        let facts = text(&client, "#facts [data-title^='Move at']").await;
        for number in [&best["value"], &best["terms"]["territory"], &best["terms"]["strategic"]] {
            assert!(facts.contains(&number.to_string()), "{number} in {facts}");
        }
        for reason in best["reasons"].as_array().expect("reasons") {
            assert!(facts.contains(reason["text"].as_str().expect("text")), "{reason} in {facts}");
        }
        let ms = client
            .find(Locator::Css("#facts"))
            .await
            .expect("a panel")
            .attr("data-ms")
            .await
            .expect("it is there");
        println!("a click was answered after {} ms", ms.expect("the script measures"));
        keep(&client, "move").await;
        let lead = record["result"]["territory"]["white_lead"].to_string();
        client.refresh().await.expect("the page is read anew");
        let summary = text(&client, "#facts").await;
        assert!(summary.contains(&lead), "{lead} in {summary}");
        let errors = console_errors(&client).await;
        assert!(errors.is_empty(), "{errors:?}");
    });
}

/// What a page could not fetch or run, as far as it can tell itself.
async fn console_errors(client: &Client) -> Vec<String> {
    let script = "return performance.getEntriesByType('resource').filter(r => r.responseStatus >= 400).map(r => r.name)";
    let found = client.execute(script, Vec::new()).await.expect("a list");
    found.as_array().into_iter().flatten().map(ToString::to_string).collect()
}

#[test]
fn moves_are_tried_and_taken_back_and_a_click_asks_why_not_here() {
    with_browser(|program, client| async move {
        let (_viewer, address) = view(&program, &["--size", "9"]);
        client.goto(&address).await.expect("the page opens");
        click_vertex(&client, "A1").await;
        let facts = text(&client, "#facts [data-title^='Move at']").await;
        assert!(facts.contains("Why not here?") || facts.contains("value"), "{facts}");
        click(&client, "#tries .best").await;
        let title = text(&client, "header b").await;
        assert!(title.contains("move 1, with moves tried, white"), "{title}");
        keep(&client, "tried").await;
        click(&client, "#tries .undo").await;
        assert!(text(&client, "header b").await.contains("move 0"));
    });
}

#[test]
fn a_pattern_is_edited_in_the_page_and_what_it_changes_is_shown() {
    let game = "../shared/suites/go/games/kgs/yagr-gab9.sgf";
    if !repository().join(game).exists() {
        println!("skipped: there is no {game}");
        return;
    }
    with_browser(|program, client| async move {
        // The seed's story: endgame:920. A pattern that says White gets no territory at B5 if Black moves first there.
        let patterns = std::env::temp_dir().join(format!("tengen-patterns-{}", std::process::id()));
        fs::create_dir_all(&patterns).expect("a folder");
        let own = fs::read_to_string(repository().join("resources/go/patterns/barriers.db"))
            .expect("it comes along");
        fs::write(patterns.join("barriers.db"), &own).expect("a file");
        let (_viewer, address) = view(&program, &[game, "--patterns", patterns.to_str().expect("UTF-8")]);
        client.goto(&format!("{address}game?layer=moves")).await.expect("the page opens");
        slide(&client, 204).await;
        assert!(text(&client, "header b").await.contains("white to move"));
        keep(&client, "tuning-before").await;
        click(&client, "#tries .tune").await;
        let added = "\nPattern NonterritoryTried\n\n...\nX.O\n?O.\n\n:8,t\n\neac\nXbO\n?Od\n\n;oplay_attack(a,b,c,d,d)\n\n>non_xterritory(e);\n";
        let script = "const t = document.querySelector('#text'); t.value += arguments[0]";
        client.execute(script, vec![json!(added)]).await.expect("the text is longer");
        click(&client, "#save").await;
        let changes = text(&client, "#changes, #faults").await;
        println!("{changes}");
        keep(&client, "tuning-after").await;
        assert!(changes.contains("before"), "{changes}");
        let saved = fs::read_to_string(patterns.join("barriers.db")).expect("it was saved");
        fs::remove_dir_all(&patterns).expect("it was there");
        assert!(saved.contains("NonterritoryTried"));
    });
}
