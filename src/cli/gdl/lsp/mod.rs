//! `tengen gdl lsp`: a language server for rulesheets, over stdio.
//!
//! # Crates
//! `lsp-server` and `lsp-types` provide the messages and their types. Both are small, synchronous crates with
//! permissive licences, and come from rust-analyzer. A rulesheet is read in milliseconds, so no asynchronous server is
//! needed.
//!
//! # Steps
//! 1. A thread reads messages into a channel. The loop takes all waiting messages, and drops cancelled questions.
//! 2. A change of a document only stores the new text. Errors are published once no further message waits.
//! 3. After a pause, a thread plays random games and publishes their warnings, unless the text has changed since.
//!
//! # Bad input
//! An invalid question gets an error, and the loop goes on.

mod answers;
mod document;
#[cfg(test)]
mod tests;
mod wire;

use super::Outcome;
use document::Document;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use tengen_propnet::game::LoadLimits;
use tengen_propnet::gdl::GdlError;
use tengen_propnet::ground::Limits;
use tengen_propnet::review;
use wire::Incoming;

/// The pause after which games are played.
const PAUSE: Duration = Duration::from_millis(400);
/// The memory of a net that is made while one writes, in numbers of 4 bytes.
const WORDS: usize = 20_000_000;

/// The events of the loop.
enum Event {
    Incoming(Incoming),
    /// The warnings of play of a document's version.
    Played {
        uri: String,
        version: i32,
        found: Vec<GdlError>,
    },
    End,
}

/// Serves until the client ends.
pub(super) fn main() -> anyhow::Result<Outcome> {
    let (sender, events) = channel();
    let of_client = sender.clone();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(incoming)) = wire::read(&mut input) {
            if of_client.send(Event::Incoming(incoming)).is_err() {
                return;
            }
        }
        let _ = of_client.send(Event::End);
    });
    let mut out = io::stdout().lock();
    let mut server = Server::new(sender);
    server.serve(&events, &mut |message| message.write(&mut out))?;
    Ok(server.ended_well().into())
}

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Early,
    Open,
    ShutDown,
    Over,
}

/// The server with its documents.
struct Server {
    stage: Stage,
    /// Whether the client said goodbye in the right order.
    well: bool,
    documents: BTreeMap<String, Document>,
    /// The documents whose errors are to be published, and those to be played.
    unpublished: Vec<String>,
    unplayed: Vec<String>,
    /// The warnings of play, while the text is unchanged.
    of_play: BTreeMap<String, Vec<GdlError>>,
    playing: Option<Arc<AtomicBool>>,
    sender: Sender<Event>,
    queue: VecDeque<Incoming>,
}

type Send<'a> = &'a mut dyn FnMut(Message) -> io::Result<()>;

/// An answer, or the code and the words of an error.
type Answer = Result<Value, (ErrorCode, String)>;

impl Server {
    fn new(sender: Sender<Event>) -> Self {
        Self {
            stage: Stage::Early,
            well: false,
            documents: BTreeMap::new(),
            unpublished: Vec::new(),
            unplayed: Vec::new(),
            of_play: BTreeMap::new(),
            playing: None,
            sender,
            queue: VecDeque::new(),
        }
    }

    const fn ended_well(&self) -> bool {
        self.well
    }

    /// Steps 1 to 3.
    fn serve(&mut self, events: &Receiver<Event>, send: Send<'_>) -> io::Result<()> {
        let mut at_end = false;
        while self.stage != Stage::Over {
            let waits = !self.queue.is_empty();
            let event = if waits || at_end {
                events.try_recv().ok()
            } else if self.unpublished.is_empty() && (self.unplayed.is_empty() || self.playing.is_some()) {
                events.recv().ok()
            } else if self.unpublished.is_empty() {
                match events.recv_timeout(PAUSE) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => {
                        self.play();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => None,
                }
            } else {
                events.try_recv().ok()
            };
            match event {
                Some(Event::Incoming(incoming)) => self.queue.push_back(incoming),
                Some(Event::Played { uri, version, found }) => self.played(&uri, version, found),
                Some(Event::End) => at_end = true,
                None if waits => self.next(send)?,
                None if at_end && self.unpublished.is_empty() => return Ok(()),
                None => self.publish(send)?,
            }
        }
        Ok(())
    }

    /// The next message that was not cancelled.
    fn next(&mut self, send: Send<'_>) -> io::Result<()> {
        match self.queue.pop_front() {
            None => Ok(()),
            Some(Incoming::Broken(reason)) => {
                // Nobody knows which question it was; the protocol wants an error without a number.
                let error = json!({"code": ErrorCode::ParseError as i32, "message": reason});
                let params = json!({"type": 1, "message": format!("tengen: {}", error["message"])});
                send(Notification { method: "window/logMessage".into(), params }.into())
            }
            Some(Incoming::Message(Message::Request(request))) => {
                let id = request.id.clone();
                let answer = if self.is_cancelled(&id) {
                    Err((ErrorCode::RequestCanceled, "the request is cancelled".to_owned()))
                } else {
                    self.request(request)
                };
                let response = match answer {
                    Ok(value) => Response::new_ok(id, value),
                    Err((code, message)) => Response::new_err(id, code as i32, message),
                };
                send(response.into())
            }
            Some(Incoming::Message(Message::Notification(notification))) => {
                self.notification(notification, send)
            }
            Some(Incoming::Message(Message::Response(_))) => Ok(()),
        }
    }

    /// Whether a message that waits cancels this request.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        self.queue.iter().any(|incoming| match incoming {
            Incoming::Message(Message::Notification(n)) if n.method == "$/cancelRequest" => {
                n.params.get("id").and_then(|v| serde_json::from_value(v.clone()).ok()).as_ref() == Some(id)
            }
            _ => false,
        })
    }

    fn request(&mut self, request: Request) -> Answer {
        match (self.stage, request.method.as_str()) {
            (Stage::Early, "initialize") => {
                self.stage = Stage::Open;
                return Ok(capabilities());
            }
            (Stage::Early, _) => {
                return Err((ErrorCode::ServerNotInitialized, "`initialize` comes first".into()));
            }
            (Stage::Open, "shutdown") => {
                self.stage = Stage::ShutDown;
                return Ok(Value::Null);
            }
            (Stage::Open, "initialize") | (Stage::ShutDown | Stage::Over, _) => {
                return Err((ErrorCode::InvalidRequest, format!("`{}` comes too late", request.method)));
            }
            (Stage::Open, _) => {}
        }
        self.question(&request.method, request.params)
    }

    fn question(&mut self, method: &str, params: Value) -> Answer {
        use lsp_types::{
            CompletionParams, DocumentFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
            GotoDefinitionParams, HoverParams, ReferenceParams, RenameParams, TextDocumentPositionParams,
        };
        match method {
            "textDocument/hover" => {
                let p: HoverParams = read(params)?;
                let place = p.text_document_position_params;
                let document = self.document(place.text_document.uri.as_str())?;
                Ok(json!(answers::hover(document, place.position)))
            }
            "textDocument/definition" => {
                let p: GotoDefinitionParams = read(params)?;
                let place = p.text_document_position_params;
                let uri = place.text_document.uri.as_str().to_owned();
                let found = answers::definitions(self.document(&uri)?, place.position);
                Ok(locations(&uri, &found))
            }
            "textDocument/references" => {
                let p: ReferenceParams = read(params)?;
                let place = p.text_document_position;
                let uri = place.text_document.uri.as_str().to_owned();
                let with = p.context.include_declaration;
                let found = answers::references(self.document(&uri)?, place.position, with);
                Ok(locations(&uri, &found))
            }
            "textDocument/documentHighlight" => {
                let place: TextDocumentPositionParams = read(params)?;
                let document = self.document(place.text_document.uri.as_str())?;
                let found = answers::references(document, place.position, true);
                Ok(found.iter().map(|range| json!({"range": range})).collect())
            }
            "textDocument/prepareRename" => {
                let place: TextDocumentPositionParams = read(params)?;
                let document = self.document(place.text_document.uri.as_str())?;
                let found = answers::renamed(document, place.position);
                Ok(found.map_or(Value::Null, |(range, name)| json!({"range": range, "placeholder": name})))
            }
            "textDocument/rename" => {
                let p: RenameParams = read(params)?;
                let place = p.text_document_position;
                let uri = place.text_document.uri.as_str().to_owned();
                let edits = answers::rename(self.document(&uri)?, place.position, &p.new_name);
                let edits = edits.map_err(|reason| (ErrorCode::InvalidParams, reason))?;
                Ok(json!({"changes": {uri: edits}}))
            }
            "textDocument/documentSymbol" => {
                let p: DocumentSymbolParams = read(params)?;
                Ok(json!(answers::symbols(self.document(p.text_document.uri.as_str())?)))
            }
            "textDocument/completion" => {
                let p: CompletionParams = read(params)?;
                let place = p.text_document_position;
                let document = self.document(place.text_document.uri.as_str())?;
                Ok(json!(answers::completions(document, place.position)))
            }
            "textDocument/formatting" => {
                let p: DocumentFormattingParams = read(params)?;
                Ok(json!(answers::format(self.document(p.text_document.uri.as_str())?, None)))
            }
            "textDocument/rangeFormatting" => {
                let p: DocumentRangeFormattingParams = read(params)?;
                let document = self.document(p.text_document.uri.as_str())?;
                Ok(json!(answers::format(document, Some(p.range))))
            }
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
        }
    }

    fn document(&mut self, uri: &str) -> Result<&mut Document, (ErrorCode, String)> {
        let unknown = || (ErrorCode::InvalidParams, format!("`{uri}` is not open"));
        self.documents.get_mut(uri).ok_or_else(unknown)
    }

    fn notification(&mut self, notification: Notification, send: Send<'_>) -> io::Result<()> {
        use lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams};
        let Notification { method, params } = notification;
        if method == "exit" {
            self.well = self.stage == Stage::ShutDown;
            self.stage = Stage::Over;
            return Ok(());
        }
        if self.stage != Stage::Open {
            return Ok(());
        }
        // What can't be understood is no question, so nobody waits for an answer.
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(p) = read::<DidOpenTextDocumentParams>(params) {
                    let uri = p.text_document.uri.as_str().to_owned();
                    let document = Document::new(p.text_document.text, p.text_document.version);
                    self.documents.insert(uri.clone(), document);
                    self.changed(&uri);
                }
            }
            "textDocument/didChange" => {
                if let Ok(p) = read::<DidChangeTextDocumentParams>(params) {
                    let uri = p.text_document.uri.as_str().to_owned();
                    if let Some(document) = self.documents.get_mut(&uri) {
                        document.change(p.content_changes, p.text_document.version);
                        self.changed(&uri);
                    }
                }
            }
            "textDocument/didClose" => {
                if let Ok(p) = read::<DidCloseTextDocumentParams>(params) {
                    let uri = p.text_document.uri.as_str().to_owned();
                    self.documents.remove(&uri);
                    self.changed(&uri);
                    self.unpublished.retain(|u| *u != uri);
                    self.unplayed.retain(|u| *u != uri);
                    return send(published(&uri, None, &json!([])));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A text has changed, so its findings no longer hold.
    fn changed(&mut self, uri: &str) {
        self.of_play.remove(uri);
        if let Some(stop) = &self.playing {
            stop.store(true, Ordering::Relaxed);
        }
        for list in [&mut self.unpublished, &mut self.unplayed] {
            if !list.iter().any(|known| known == uri) {
                list.push(uri.to_owned());
            }
        }
    }

    /// Step 2.
    fn publish(&mut self, send: Send<'_>) -> io::Result<()> {
        for uri in std::mem::take(&mut self.unpublished) {
            let Some(document) = self.documents.get_mut(&uri) else { continue };
            let of_play = self.of_play.get(&uri).map_or(&[][..], Vec::as_slice);
            let found = answers::diagnostics(document, of_play);
            send(published(&uri, Some(document.version), &json!(found)))?;
        }
        Ok(())
    }

    /// Step 3.
    fn play(&mut self) {
        let Some(uri) = self.unplayed.pop() else { return };
        let Some(document) = self.documents.get_mut(&uri) else { return };
        if !document.review().is_good() {
            return;
        }
        let (text, version) = (document.text().to_owned(), document.version);
        let stop = Arc::new(AtomicBool::new(false));
        self.playing = Some(Arc::clone(&stop));
        let sender = self.sender.clone();
        thread::spawn(move || {
            let limits = LoadLimits { ground: Limits { words: WORDS, ..Limits::default() } };
            let found = std::panic::catch_unwind(|| {
                let rules = review::rules(&text).faults;
                let whole = review::whole(&text, limits, &mut || stop.load(Ordering::Relaxed)).faults;
                // A net within these limits says nothing about the net of a run.
                let of_play = whole.into_iter().filter(|e| !rules.contains(e));
                of_play.filter(|e| e.fault.code() != "gdl-no-net").collect()
            });
            let _ = sender.send(Event::Played { uri, version, found: found.unwrap_or_default() });
        });
    }

    fn played(&mut self, uri: &str, version: i32, found: Vec<GdlError>) {
        self.playing = None;
        let current = self.documents.get(uri).is_some_and(|document| document.version == version);
        if current && !self.unplayed.iter().any(|u| u == uri) && !found.is_empty() {
            self.of_play.insert(uri.to_owned(), found);
            if !self.unpublished.iter().any(|known| known == uri) {
                self.unpublished.push(uri.to_owned());
            }
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn locations(uri: &str, ranges: &[lsp_types::Range]) -> Value {
    ranges.iter().map(|range| json!({"uri": uri, "range": range})).collect()
}

fn published(uri: &str, version: Option<i32>, found: &Value) -> Message {
    let params = json!({"uri": uri, "version": version, "diagnostics": found});
    Notification { method: "textDocument/publishDiagnostics".into(), params }.into()
}

fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 2},
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": {"prepareProvider": true},
            "documentSymbolProvider": true,
            "completionProvider": {"triggerCharacters": ["(", "?"]},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
        },
        "serverInfo": {"name": "tengen gdl lsp", "version": env!("CARGO_PKG_VERSION")},
    })
}
