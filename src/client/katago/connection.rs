//! The connection to KataGo, which all threads of a run share. A separate thread sends queries and returns answers.
//!
//! # States
//! | state | what ends it |
//! | --- | --- |
//! | not started | the first query |
//! | starting | the program reports its version, or the first patience runs out |
//! | answering | a fault, the end of the program's output, or an answer that comes later than the patience |
//! | ended | the next query, unless the program failed [`FAILURES`] times without an answer in between |
//!
//! A fault of the program fails all open queries. A fault of one answer fails only its query.

use super::Settings;
use crate::client::process::{Engine, EngineError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tengen_core::Stop;
use tengen_go::judge::JudgeFault;

/// Queries under way at once.
const IN_FLIGHT: usize = 64;
/// Starts without an answer, after which no more are tried.
const FAILURES: u32 = 2;
/// The most lines between two answers that are not answers.
const NOISE: u32 = 1000;
/// The time between two looks for new queries while answers are awaited.
const TICK: Duration = Duration::from_millis(5);
/// The oldest version that has `query_version` and the fields that are asked for.
const OLDEST: (u32, u32) = (1, 8);

/// A query on its way: its place among those asked with it, and who waits.
struct PendingQuery {
    query: Value,
    place: usize,
    reply: Sender<(usize, Result<Value, JudgeFault>)>,
}

/// The sending end.
pub(super) struct Connection {
    send: Sender<PendingQuery>,
}

/// Answers that are awaited.
pub(super) struct Asking {
    answers: Receiver<(usize, Result<Value, JudgeFault>)>,
    count: usize,
    lost: JudgeFault,
}

impl Connection {
    /// A connection whose program has not started.
    pub(super) fn new(command: &str, settings: &Settings) -> Self {
        let (send, receive) = channel();
        let program = Program {
            command: command.to_owned(),
            first_patience: settings.first_patience,
            patience: settings.patience,
            failures: 0,
        };
        // Without the thread nobody receives, and every query fails.
        let _ = std::thread::Builder::new().name("judge".into()).spawn(move || program.serve(&receive));
        Self { send }
    }

    /// Sends queries.
    pub(super) fn ask(&self, queries: Vec<Value>) -> Asking {
        let (reply, answers) = channel();
        let count = queries.len();
        for (place, query) in queries.into_iter().enumerate() {
            // If nobody receives, the wait ends at once.
            let _ = self.send.send(PendingQuery { query, place, reply: reply.clone() });
        }
        let lost = JudgeFault {
            message: "the judge's thread has ended".into(),
            help: "there may be too many threads on this machine".into(),
        };
        Asking { answers, count, lost }
    }
}

impl Asking {
    /// Waits for all answers, in the order of the queries.
    pub(super) fn wait(self) -> Vec<Result<Value, JudgeFault>> {
        let mut found: Vec<Option<Result<Value, JudgeFault>>> = vec![None; self.count];
        for _ in 0..self.count {
            // The thread answers every query; if it has ended, nothing comes.
            let Ok((place, answer)) = self.answers.recv() else { break };
            found[place] = Some(answer);
        }
        found.into_iter().map(|answer| answer.unwrap_or_else(|| Err(self.lost.clone()))).collect()
    }
}

/// The program and its thread's settings.
struct Program {
    command: String,
    first_patience: Duration,
    patience: Duration,
    failures: u32,
}

impl Program {
    fn fault(&self, what: impl std::fmt::Display) -> JudgeFault {
        JudgeFault {
            message: format!("the judge `{}` {what}", self.command),
            help: "try the command by itself: it must answer queries of KataGo's analysis protocol".into(),
        }
    }

    fn broken(&self, error: &EngineError) -> JudgeFault {
        let mut source = match error {
            EngineError::Broken { reason, .. } => format!("broke off: {reason}"),
            EngineError::Late { .. } => "did not answer in time".into(),
            EngineError::Stopped { .. } => "was stopped".into(),
            EngineError::Refused { answer, .. } => format!("answered `{answer}`"),
            EngineError::NoOption { name, .. } => format!("has no option `{name}`"),
        };
        source.truncate(source.floor_char_boundary(300));
        self.fault(source)
    }

    /// Serves queries until nobody can send more.
    fn serve(mut self, receive: &Receiver<PendingQuery>) {
        while let Ok(first) = receive.recv() {
            let mut waiting = VecDeque::from([first]);
            let mut under_way = BTreeMap::new();
            if let Err(fault) = self.run(receive, &mut waiting, &mut under_way) {
                waiting.extend(receive.try_iter());
                for asked in under_way.into_values().chain(waiting) {
                    let _ = asked.reply.send((asked.place, Err(fault.clone())));
                }
            }
        }
    }

    /// Runs the program until it has a fault; returns when nobody can send more and all is answered.
    fn run(
        &mut self,
        receive: &Receiver<PendingQuery>,
        waiting: &mut VecDeque<PendingQuery>,
        under_way: &mut BTreeMap<u64, PendingQuery>,
    ) -> Result<(), JudgeFault> {
        if self.failures >= FAILURES {
            return Err(self.fault(format!("failed {FAILURES} times and is not started again")));
        }
        self.failures += 1;
        let mut engine = Engine::start(&self.command, &Stop::NEVER).map_err(|e| self.broken(&e))?;
        self.check_version(&mut engine)?;
        let (mut next, mut noise, mut since, mut patience) = (0, 0, Instant::now(), self.first_patience);
        loop {
            if under_way.is_empty() && waiting.is_empty() {
                let Ok(asked) = receive.recv() else { return Ok(()) };
                waiting.push_back(asked);
                since = Instant::now();
            }
            waiting.extend(receive.try_iter());
            while under_way.len() < IN_FLIGHT {
                let Some(asked) = waiting.pop_front() else { break };
                let mut query = asked.query.clone();
                query["id"] = json!(next.to_string());
                under_way.insert(next, asked);
                next += 1;
                engine.send(&query.to_string()).map_err(|e| self.broken(&e))?;
            }
            let line = match engine.line("a query", Instant::now() + TICK) {
                Ok(line) => line,
                Err(EngineError::Late { .. }) if since.elapsed() < patience => continue,
                Err(error) => return Err(self.broken(&error)),
            };
            if self.take(&line, under_way)? {
                (noise, since, patience, self.failures) = (0, Instant::now(), self.patience, 0);
            } else {
                noise += 1;
                if noise > NOISE {
                    return Err(self.fault(format!("wrote {NOISE} lines that answer nothing")));
                }
            }
        }
    }

    /// Reads a line; whether it answers a query.
    fn take(&self, line: &str, under_way: &mut BTreeMap<u64, PendingQuery>) -> Result<bool, JudgeFault> {
        let Ok(value) = serde_json::from_str::<Value>(line) else { return Ok(false) };
        let id = value["id"].as_str().and_then(|id| id.parse::<u64>().ok());
        let text = |value: &Value| value.as_str().unwrap_or("an error").chars().take(200).collect::<String>();
        if let Some(error) = value.get("error") {
            let fault = self.fault(format!(
                "refused the query: {}{}",
                text(error),
                value["field"].as_str().map_or_else(String::new, |field| format!(" (field `{field}`)"))
            ));
            let Some(asked) = id.and_then(|id| under_way.remove(&id)) else { return Err(fault) };
            let _ = asked.reply.send((asked.place, Err(fault)));
            return Ok(true);
        }
        if let Some(warning) = value.get("warning") {
            // Other rules would be another game.
            if value["field"].as_str().is_some_and(|field| field.starts_with("rules")) {
                let fault = self.fault(format!("does not take the rules: {}", text(warning)));
                if let Some(asked) = id.and_then(|id| under_way.remove(&id)) {
                    let _ = asked.reply.send((asked.place, Err(fault)));
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if value["isDuringSearch"].as_bool() == Some(true) {
            return Ok(false);
        }
        let Some(asked) = id.and_then(|id| under_way.remove(&id)) else { return Ok(false) };
        let _ = asked.reply.send((asked.place, Ok(value)));
        Ok(true)
    }

    /// Asks for the version, which comes when the program is ready.
    fn check_version(&self, engine: &mut Engine) -> Result<(), JudgeFault> {
        let query = json!({ "id": "version", "action": "query_version" });
        engine.send(&query.to_string()).map_err(|e| self.broken(&e))?;
        let until = Instant::now() + self.first_patience;
        for _ in 0..NOISE {
            let line = engine.line("query_version", until).map_err(|e| self.broken(&e))?;
            let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(version) = value["version"].as_str() {
                let mut numbers = version.split('.').map(|n| n.trim().parse::<u32>().unwrap_or(0));
                let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
                if found < OLDEST {
                    let (major, minor) = OLDEST;
                    let version: String = version.chars().take(40).collect();
                    return Err(
                        self.fault(format!("is version {version}; {major}.{minor} or later is needed"))
                    );
                }
                return Ok(());
            }
            if value.get("error").is_some() {
                return Err(self.fault("does not tell its version"));
            }
        }
        Err(self.fault(format!("wrote {NOISE} lines without telling its version")))
    }
}
