//! Tests the language server with a client that types a rulesheet from an empty text on.

use crate::common::repository;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const URI: &str = "file:///game.kif";
const GAME: &str = "; A pile of two.
(role ann)
(init (left 2))
(<= (legal ann take) (true (left ?n)))
(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
(<= terminal (true (left 0)))
(<= (goal ann 100) (true (left 0)))
; What follows what.
(succ 0 1)
(succ 1 2)
";

/// The other end of the conversation.
struct Client {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    asked: i64,
    version: i64,
}

impl Client {
    fn new() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["gdl", "lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = server.stdin.take().expect("it is a pipe");
        let mut output = BufReader::new(server.stdout.take().expect("it is a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                let mut line = String::new();
                while output.read_line(&mut line).is_ok_and(|n| n > 0) && line.trim() != "" {
                    if let Some(value) = line.strip_prefix("Content-Length: ") {
                        length = value.trim().parse().expect("a length");
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if length == 0 || output.read_exact(&mut body).is_err() {
                    return;
                }
                let _ = sender.send(serde_json::from_slice(&body).expect("JSON"));
            }
        });
        Self { server, input, messages, asked: 0, version: 0 }
    }

    fn raw(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn hear(&self, what: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(Duration::from_secs(60)).expect("the server answers");
            if what(&message) {
                return message;
            }
        }
    }

    /// The answer to a question: the result, or the error.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.hear(|m| m["id"] == id);
        if answer["error"].is_null() { answer["result"].clone() } else { answer["error"].clone() }
    }

    fn ask_at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let mut params = json!({
            "textDocument": {"uri": URI}, "position": {"line": line, "character": character},
        });
        if method.ends_with("references") {
            params["context"] = json!({"includeDeclaration": true});
        }
        self.ask(method, &params)
    }

    fn open(&mut self, text: &str) -> Vec<String> {
        self.version += 1;
        let document = json!({"uri": URI, "languageId": "gdl", "version": self.version, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": document}));
        self.told()
    }

    /// Replaces a stretch, and waits for what is said of the new text.
    fn edit(&mut self, from: (u32, u32), to: (u32, u32), text: &str) -> Vec<String> {
        self.version += 1;
        let place = |(line, character): (u32, u32)| json!({"line": line, "character": character});
        let change = json!({"range": {"start": place(from), "end": place(to)}, "text": text});
        let document = json!({"uri": URI, "version": self.version});
        self.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [change]}));
        self.told()
    }

    /// Codes and lines of the errors and warnings of this version.
    fn told(&self) -> Vec<String> {
        let version = self.version;
        let published = |m: &Value| m["method"] == "textDocument/publishDiagnostics";
        let message = self.hear(|m| published(m) && m["params"]["version"] == version);
        told(&message)
    }
}

fn told(message: &Value) -> Vec<String> {
    let all = message["params"]["diagnostics"].as_array().expect("a list").iter();
    let serious = all.filter(|d| d["severity"].as_i64().is_some_and(|s| s < 3));
    serious
        .map(|d| format!("{} {}", d["code"].as_str().expect("a code"), d["range"]["start"]["line"]))
        .collect()
}

fn lines(answer: &Value) -> Vec<i64> {
    let ranges = answer.as_array().expect("a list").iter();
    ranges.map(|l| l["range"]["start"]["line"].as_i64().expect("a line")).collect()
}

#[test]
fn a_rulesheet_typed_from_nothing_gets_errors_that_appear_move_and_go() {
    let mut client = Client::new();
    assert_eq!(client.ask("textDocument/hover", &json!({}))["code"], -32002, "too early");
    client.raw("nonsense\r\n\r\nContent-Length: 4\r\n\r\n{{{{");
    assert_eq!(client.ask("initialize", &json!({"capabilities": {}}))["capabilities"]["hoverProvider"], true);
    client.notify("initialized", &json!({}));
    assert_eq!(client.open(""), ["gdl-missing 0"; 4]);

    // Every letter is a change, as an editor sends it.
    let (mut line, mut column) = (0, 0);
    let mut after_line = Vec::new();
    for letter in GAME.chars() {
        let found = client.edit((line, column), (line, column), &letter.to_string());
        column += 1;
        if letter == '\n' {
            (line, column) = (line + 1, 0);
            after_line.push(found);
        } else if (line, column) == (3, 10) {
            assert_eq!(found, ["gdl-unclosed 3"], "a rule is half-written");
        }
    }
    assert_eq!(after_line[1], ["gdl-missing 0"; 3], "the role is there");
    assert_eq!(after_line[5], ["gdl-missing 0", "gdl-undefined 4"]);
    assert_eq!(after_line[9], [""; 0], "the rulesheet is whole");

    // A misspelt word, a line above it, the word mended.
    assert_eq!(client.edit((4, 42), (4, 43), ""), ["gdl-undefined 4", "gdl-unused 8"]);
    assert_eq!(client.edit((0, 0), (0, 0), "\n"), ["gdl-undefined 5", "gdl-unused 9"]);
    assert_eq!(client.edit((5, 42), (5, 42), "c"), [""; 0]);
    assert_eq!(client.edit((0, 0), (1, 0), ""), [""; 0]);

    let hover = client.ask_at("textDocument/hover", 4, 41)["contents"]["value"].to_string();
    for part in [
        "a relation of 2 arguments",
        "2 facts and 0 rules",
        "line 9",
        "grounds to 2 facts",
        "What follows what.",
    ] {
        assert!(hover.contains(part), "{part}: {hover}");
    }
    let hover = client.ask_at("textDocument/hover", 3, 6)["contents"]["value"].to_string();
    assert!(hover.contains("the role may make the move in this state"), "{hover}");
    assert_eq!(lines(&client.ask_at("textDocument/definition", 4, 41)), [8, 9]);
    assert_eq!(lines(&client.ask_at("textDocument/references", 4, 41)), [4, 8, 9]);
    assert_eq!(lines(&client.ask_at("textDocument/definition", 5, 21)), [2, 4], "what makes a fact");
    assert_eq!(lines(&client.ask_at("textDocument/references", 4, 17)), [4, 4], "a variable in its rule");

    let rename = |name: &str| json!({"textDocument": {"uri": URI}, "position": {"line": 4, "character": 41}, "newName": name});
    let edits = client.ask("textDocument/rename", &rename("follows"));
    assert_eq!(edits["changes"][URI].as_array().map(Vec::len), Some(3));
    for name in ["next", "?x", "a b", ""] {
        assert_eq!(client.ask("textDocument/rename", &rename(name))["code"], -32602, "{name}");
    }

    let symbols = client.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": URI}}));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["role", "init", "legal", "next", "terminal", "goal", "succ"]);

    assert_eq!(client.edit((10, 0), (10, 0), "(<= (next  (su"), ["gdl-unclosed 10"]);
    let labels = |answer: &Value| -> Vec<String> {
        answer.as_array().unwrap().iter().filter_map(|i| i["label"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(labels(&client.ask_at("textDocument/completion", 10, 14)), ["succ"]);
    assert!(labels(&client.ask_at("textDocument/completion", 10, 6)).contains(&"not".to_owned()));
    client.edit((10, 0), (10, 14), "");
    client.edit((4, 36), (4, 36), "   ");
    let options = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
    let formatted = client.ask("textDocument/formatting", &options);
    let wanted = GAME.replace(
        "(<= (next (left ?m)) (true (left ?n)) (succ",
        "(<= (next (left ?m))\n    (true (left ?n))\n    (succ",
    );
    assert_eq!(formatted[0]["newText"], wanted);

    assert_eq!(client.ask("shutdown", &Value::Null), Value::Null);
    client.notify("exit", &Value::Null);
    assert!(client.server.wait().unwrap().success());
}

#[test]
fn a_pause_brings_the_warnings_of_play() {
    let text = fs::read_to_string(repository().join("scenes/gdl/faults/gdl-no-move.kif")).unwrap();
    let mut client = Client::new();
    client.ask("initialize", &json!({"capabilities": {}}));
    assert_eq!(client.open(&text), [""; 0]);
    let found = client.hear(|m| m["method"] == "textDocument/publishDiagnostics");
    assert_eq!(told(&found), ["gdl-no-move 2"]);
    drop(client.input);
    assert!(!client.server.wait().unwrap().success(), "the client left without a word");
}

#[test]
fn every_answer_on_the_largest_open_rulesheet_comes() {
    let shared = std::env::var_os("TENGEN_SHARED").map_or_else(|| repository().join("../shared"), Into::into);
    let sheets = fs::read_dir(shared.join("suites/gdl")).into_iter().flatten().flatten();
    let Some(largest) = sheets.max_by_key(|e| e.metadata().map_or(0, |m| m.len())) else {
        say("skipped: the open rulesheets are not here");
        return;
    };
    let text = fs::read_to_string(largest.path()).unwrap();
    let mut client = Client::new();
    client.ask("initialize", &json!({"capabilities": {}}));
    client.open(&text);
    let middle = u32::try_from(text.lines().count() / 2).unwrap();
    for method in ["hover", "definition", "references", "completion", "documentSymbol"] {
        let began = std::time::Instant::now();
        let answer = client.ask_at(&format!("textDocument/{method}"), middle, 3);
        assert!(answer["code"].is_null(), "{method}: {answer}");
        say(&format!("{method}: {:.0} ms", began.elapsed().as_secs_f64() * 1000.0));
    }
    let began = std::time::Instant::now();
    client.edit((middle, 0), (middle, 0), "\n");
    say(&format!("errors after a change: {:.0} ms", began.elapsed().as_secs_f64() * 1000.0));
}

/// A line to stderr.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
