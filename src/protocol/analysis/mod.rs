//! KataGo's analysis protocol for `tengen analyse`. Queries and answers are lines of JSON, and the answers may come in
//! any order.
//!
//! # Source
//! KataGo, "Analysis Engine" (the public documentation), and the messages that `KaTrain` sends. `docs/analysis.md`
//! explains each field that Tengen sends.
//!
//! # Steps
//! 1. One thread reads lines. It answers actions at once, and turns a query into one job for each of its turns.
//! 2. Another thread answers the jobs: the highest priority first, then the oldest. It stores findings by position and
//!    settings, and reuses them. If a query asks for reports during the search, the thread sends the findings so far.
//! 3. At the end of the input the program finishes all jobs before it exits.

mod query;
#[cfg(test)]
mod tests;
mod work;

pub use query::{Fault, Query};

use super::lines::LineReader;
use serde_json::{Map, Value, json};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use work::Worker;

/// The longest line that is read as one, in bytes.
const MAX_LINE: usize = 64 << 20;

/// One turn of a query.
struct Job {
    query: Arc<Query>,
    turn: usize,
    priority: i64,
    number: u64,
    stopped: Arc<AtomicBool>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Job>,
    /// The job that is worked on: its query's id, its turn, its flag.
    running: Option<(String, usize, Arc<AtomicBool>)>,
    count: u64,
    is_over: bool,
    forget: bool,
}

struct Shared<W> {
    queue: Mutex<Queue>,
    more: Condvar,
    output: Mutex<W>,
}

impl<W: Write> Shared<W> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, answer: &Value) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(output, "{answer}")?;
        output.flush()
    }
}

/// Answers the lines of `input` on `output`; ends when all is answered.
///
/// # Errors
/// If reading or writing fails.
pub fn serve(input: impl BufRead, output: impl Write + Send, worker: Worker) -> io::Result<()> {
    let shared = Shared { queue: Mutex::default(), more: Condvar::new(), output: Mutex::new(output) };
    std::thread::scope(|scope| {
        let working = scope.spawn(|| work_off(&shared, worker));
        let read = take_in(&shared, input);
        shared.queue().is_over = true;
        shared.more.notify_all();
        let worked = working.join().unwrap_or_else(|_| Err(io::Error::other("an analysis failed")));
        read.and(worked)
    })
}

/// Reads one line as a query, without an answer.
///
/// # Errors
/// The fault of the query; `None` if it is not a JSON object.
#[must_use]
pub fn parse(line: &str) -> Option<Result<Query, Fault>> {
    let line = line.trim_start_matches('\u{feff}');
    let Ok(Value::Object(fields)) = serde_json::from_str(line) else { return None };
    Some(query::read("", &fields).map(|(query, _)| query))
}

/// Step 1.
fn take_in<W: Write>(shared: &Shared<W>, input: impl BufRead) -> io::Result<()> {
    let mut reader = LineReader::new(input);
    while let Some(line) = reader.next(MAX_LINE)? {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            continue;
        }
        let fields = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => {
                shared.tell(&json!({ "error": "the line is no JSON object" }))?;
                continue;
            }
            Err(error) => {
                shared.tell(&json!({ "error": format!("the line is no JSON: {error}") }))?;
                continue;
            }
        };
        let Some(id) = fields.get("id").and_then(Value::as_str) else {
            shared.tell(&json!({ "error": "a query needs an id, a string" }))?;
            continue;
        };
        match fields.get("action") {
            Some(action) => act(shared, action, &fields)?,
            None => enqueue(shared, id, &fields)?,
        }
    }
    Ok(())
}

fn enqueue<W: Write>(shared: &Shared<W>, id: &str, fields: &Map<String, Value>) -> io::Result<()> {
    let (query, warnings) = match query::read(id, fields) {
        Ok(read) => read,
        Err(fault) => return shared.tell(&query::error(&fault, Some(id))),
    };
    for query::Warning { field, text } in warnings {
        shared.tell(&json!({ "warning": text, "field": field, "id": id }))?;
    }
    let query = Arc::new(query);
    let mut queue = shared.queue();
    for &(turn, priority) in &query.turns {
        queue.count += 1;
        let job = Job { query: query.clone(), turn, priority, number: queue.count, stopped: Arc::default() };
        queue.waiting.push(job);
    }
    shared.more.notify_one();
    Ok(())
}

fn act<W: Write>(shared: &Shared<W>, action: &Value, fields: &Map<String, Value>) -> io::Result<()> {
    let mut answer = fields.clone();
    let mut put = |name: &str, value: Value| answer.insert(name.into(), value);
    match action.as_str().unwrap_or_default() {
        "query_version" => {
            put("version", json!(env!("CARGO_PKG_VERSION")));
            put("git_hash", json!(""));
        }
        "query_models" => {
            put("models", json!([]));
        }
        "clear_cache" => shared.queue().forget = true,
        "terminate" => {
            let Some(of) = fields.get("terminateId").and_then(Value::as_str) else {
                let fault =
                    Fault { text: "terminate needs terminateId, a string".into(), field: "terminateId" };
                return shared.tell(&query::error(&fault, fields.get("id").and_then(Value::as_str)));
            };
            terminate(shared, Some(of), fields);
        }
        "terminate_all" => terminate(shared, None, fields),
        other => return shared.tell(&json!({ "error": format!("unknown action {other}") })),
    }
    shared.tell(&Value::Object(answer))
}

/// Stops jobs; each still gets its last answer.
fn terminate<W: Write>(shared: &Shared<W>, id: Option<&str>, fields: &Map<String, Value>) {
    let turns: Option<Vec<u64>> = fields
        .get("turnNumbers")
        .and_then(Value::as_array)
        .map(|list| list.iter().filter_map(Value::as_u64).collect());
    let is_meant = |of: &str, turn: usize| {
        id.is_none_or(|id| id == of) && turns.as_ref().is_none_or(|t| t.contains(&(turn as u64)))
    };
    let queue = shared.queue();
    for job in queue.waiting.iter().filter(|j| is_meant(&j.query.id, j.turn)) {
        job.stopped.store(true, Ordering::Relaxed);
    }
    if let Some((_, _, stopped)) = queue.running.as_ref().filter(|(of, turn, _)| is_meant(of, *turn)) {
        stopped.store(true, Ordering::Relaxed);
    }
}

/// Step 2.
fn work_off<W: Write>(shared: &Shared<W>, mut worker: Worker) -> io::Result<()> {
    loop {
        let mut queue = shared.queue();
        let job = loop {
            if std::mem::take(&mut queue.forget) {
                worker.forget();
            }
            // Stopped jobs first: they cost nothing.
            let key = |j: &Job| (j.stopped.load(Ordering::Relaxed), j.priority, std::cmp::Reverse(j.number));
            let best = (0..queue.waiting.len()).max_by_key(|&i| key(&queue.waiting[i]));
            if let Some(best) = best {
                break queue.waiting.swap_remove(best);
            }
            if queue.is_over {
                return Ok(());
            }
            queue = shared.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        queue.running = Some((job.query.id.clone(), job.turn, job.stopped.clone()));
        drop(queue);
        let mut told = Ok(());
        let mut tell = |report: &Value| {
            if told.is_ok() {
                told = shared.tell(report);
            }
        };
        let answer = worker.answer(&job.query, job.turn, &job.stopped, &mut tell);
        told?;
        shared.tell(&answer)?;
        shared.queue().running = None;
    }
}

pub use work::Worker as Analyst;
