//! Starts the viewer and a browser, clicks and reads in the pages, and asks the program itself for the expected
//! numbers.

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::fs;
use std::future::Future;
use std::io::{BufRead as _, BufReader, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program of the newest build; `None` if there is none.
pub(super) fn program() -> Option<PathBuf> {
    let of = |profile: &str| repository().join("target").join(profile).join("tengen");
    let built = |path: &PathBuf| fs::metadata(path).and_then(|m| m.modified()).ok();
    [of("release"), of("debug")].into_iter().filter(|p| built(p).is_some()).max_by_key(built)
}

/// A process that ends with the test.
pub(super) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the viewer; its address is the first line.
pub(super) fn view(program: &Path, arguments: &[&str]) -> (Running, String) {
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
pub(super) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A browser, or a message why there is none.
pub(super) async fn browser() -> Option<(Running, Client)> {
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
pub(super) async fn keep(client: &Client, name: &str) {
    let folder = repository().join("target/browser");
    fs::create_dir_all(&folder).expect("a folder");
    let picture = client.screenshot().await.expect("a picture");
    fs::write(folder.join(format!("{name}.png")), picture).expect("a file");
}

/// Opens what is folded around elements: a browser tells no text of what it does not show.
async fn unfold(client: &Client, css: &str) {
    let script = "for (const e of document.querySelectorAll(arguments[0])) \
                  for (let d = e; d; d = d.parentElement) if (d.tagName === 'DETAILS') d.open = true; \
                  for (const d of document.querySelectorAll(arguments[0] + ' details')) d.open = true";
    client.execute(script, vec![json!(css)]).await.expect(css);
}

/// The text of an element, as soon as there is one. An element that a script replaces during the reading is searched
/// again.
pub(super) async fn text(client: &Client, css: &str) -> String {
    for _ in 0..100 {
        let element = client.wait().for_element(Locator::Css(css)).await.expect(css);
        unfold(client, css).await;
        match element.text().await {
            Err(e) if e.is_stale_element_reference() => {}
            read => return read.expect("text"),
        }
    }
    panic!("{css} is replaced whenever it is read");
}

/// The present text of an element. A page that grows may replace the element at any time.
pub(super) async fn text_now(client: &Client, css: &str) -> String {
    let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
    let text = client.execute(script, vec![json!(css)]).await.expect(css);
    text.as_str().unwrap_or_default().to_owned()
}

/// A click of the mouse on a vertex of the board, until the panel beside the board holds the facts of this vertex. What the
/// panel held before is gone then: the script replaces it when the program has answered.
pub(super) async fn click_vertex(client: &Client, vertex: &str) {
    let script = "document.querySelector('#facts').removeAttribute('data-at');\
                  document.querySelector(`svg.board .v[data-v='${arguments[0]}']`)\
                  .dispatchEvent(new MouseEvent('click', {bubbles: true}))";
    client.execute(script, vec![json!(vertex)]).await.expect("a click");
    let answered = format!("#facts[data-at='{vertex}']");
    client.wait().for_element(Locator::Css(&answered)).await.expect(&answered);
}

/// Does something that leads to another page, and waits until that is there.
pub(super) async fn leads_on(client: &Client, script: &str, argument: Value) {
    let script = format!(
        "window.isOld = true; document.addEventListener('shown', () => {{ window.isOld = false; }}, {{once: true}}); {script}"
    );
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

pub(super) async fn press(client: &Client, key: &str) {
    let script =
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))";
    leads_on(client, script, json!(key)).await;
}

pub(super) async fn click(client: &Client, css: &str) {
    leads_on(client, "document.querySelector(arguments[0]).click()", json!(css)).await;
}

/// Moves the slider.
pub(super) async fn slide(client: &Client, moves: usize) {
    let script = "const s = document.querySelector('#slider'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))";
    leads_on(client, script, json!(moves)).await;
}

/// Runs a test with a browser and the program, or says why not.
pub(super) fn with_browser<F: Future<Output = ()>>(test: impl FnOnce(PathBuf, Client) -> F) {
    let Some(program) = program() else {
        println!("skipped: build the program first (cargo build --release)");
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let Some((driver, client)) = runtime.block_on(browser()) else { return };
    let mine = client.clone();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(program, mine))));
    // A browser outlives the driver that is killed, so it is asked to end also where the test failed.
    let closed = runtime.block_on(client.close());
    drop(driver);
    match outcome {
        Ok(()) => closed.expect("the browser closes"),
        Err(failure) => panic::resume_unwind(failure),
    }
}

/// The record that `run --format json` writes for a position of a game.
pub(super) fn record(program: &Path, game: &str, moves: usize) -> Value {
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

/// Runs the program; what it writes to stdout.
pub(super) fn output(program: &Path, arguments: &[&str], stdin: &str) -> String {
    let mut child = Command::new(program)
        .current_dir(repository())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// All texts of the elements.
pub(super) async fn texts(client: &Client, css: &str) -> Vec<String> {
    let mut texts = Vec::new();
    unfold(client, css).await;
    for element in client.find_all(Locator::Css(css)).await.expect(css) {
        texts.push(element.text().await.expect("text"));
    }
    texts
}

/// What the browser's console holds and no test asked for: scripts that failed, pages that were not there.
pub(super) async fn console_errors(client: &Client) -> Vec<String> {
    let entries = client.issue_cmd(Log).await.expect("chromedriver hands its log out");
    let entries = entries.as_array().cloned().unwrap_or_default();
    entries.iter().filter(|e| e["level"] == "SEVERE").map(|e| e["message"].to_string()).collect()
}

/// A command of the browser's own protocol: the size of the screen, colours, scripts.
pub(super) async fn devtools(client: &Client, cmd: &str, params: Value) -> Value {
    client.issue_cmd(DevTools(json!({ "cmd": cmd, "params": params }))).await.expect(cmd)
}

/// Sets the screen's size and the colours that the system asks for.
pub(super) async fn screen(client: &Client, width: u32, height: u32, scheme: &str) {
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    devtools(client, "Emulation.setDeviceMetricsOverride", size).await;
    let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
    devtools(client, "Emulation.setEmulatedMedia", features).await;
}

/// A number that a script returns.
pub(super) async fn number(client: &Client, script: &str) -> f64 {
    client.execute(script, Vec::new()).await.expect(script).as_f64().unwrap_or(f64::NAN)
}

/// Waits until a script returns true.
pub(super) async fn until(client: &Client, script: &str) {
    for _ in 0..1200 {
        if client.execute(script, Vec::new()).await.is_ok_and(|value| value == json!(true)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {script}");
}

#[derive(Debug)]
struct DevTools(Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.0.to_string()))
    }
}

/// Chromedriver's own command for the log of the console.
#[derive(Debug)]
struct Log;

impl WebDriverCompatibleCommand for Log {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}
