//! Chess searches from Python, with the limits and the options of UCI.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use tengen::protocol::uci::clock::{Clock, allowance};
use tengen::protocol::uci::command::Go;
use tengen_chess::history::Game;
use tengen_chess::search::{Limits, Options, search};
use tengen_core::{Diagnostic, Stop};

/// Searches a position; the result as the field `result` of a record has it. `time` is in milliseconds.
#[pyfunction]
#[pyo3(signature = (fen, moves, *, nodes, depth, time, multi_pv, scheme, policy, hash, threads))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of Python's")]
pub(crate) fn search_chess(
    py: Python<'_>,
    fen: &str,
    moves: Vec<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<i64>,
    multi_pv: usize,
    scheme: Option<String>,
    policy: Option<String>,
    hash: usize,
    threads: usize,
) -> PyResult<String> {
    let game = Game::from_text(fen, moves.iter().map(String::as_str)).map_err(|error| {
        let fault = Diagnostic::from(error);
        let help = fault.help.map(|help| format!(" ({help})")).unwrap_or_default();
        PyValueError::new_err(format!("{}{help}", fault.message))
    })?;
    let options = Options {
        threads,
        multi_pv,
        scheme: named("scheme", scheme)?,
        policy: named("policy", policy)?,
        ..Options::default()
    };
    let go = Go { move_time: time, ..Go::default() };
    let clock = Clock::start(allowance(&go, 0, 0), false, false);
    let report = crate::interruptible(py, move |halted| {
        let halted = halted.clone();
        let stop = Stop::when(move || clock.is_over() || halted.load(Ordering::Relaxed));
        search(&game, Limits { depth, nodes, stop, ..Limits::default() }, options, hash)
    })?;
    let mut result = json!(report);
    if threads > 1 {
        result["threads"] = threads.into();
    }
    if threads > 1 || time.is_some() {
        result["repeatable"] = false.into();
    }
    Ok(result.to_string())
}

/// A choice by its name; its default without one.
fn named<T: Default + serde::de::DeserializeOwned>(parameter: &str, name: Option<String>) -> PyResult<T> {
    let Some(name) = name else { return Ok(T::default()) };
    let read = serde_json::from_value(Value::String(name));
    read.map_err(|error| PyValueError::new_err(format!("{parameter}: {error}")))
}
