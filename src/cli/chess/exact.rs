//! `tengen chess exact`: answers questions about exact values, one JSON object on each line.
//!
//! A question is `{"id":..,"fen":..,"moves":[..],"depth":N,"policy":"A"}`. An answer is
//! `{"id":..,"policy":..,"value":N,"path":..,...}` or `{"id":..,"error":..}`. The answers come in the order of the
//! questions.

use super::Repetition;
use crate::cli::Outcome;
use crate::protocol::lines::LineReader;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use tengen_chess::exact::{ExactOptions, solve};
use tengen_chess::history::{Game, Policy};

/// The arguments of `tengen chess exact`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// `--policy` is that of questions that name none
    #[command(flatten)]
    repetition: Repetition,
    /// Workers on one question
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Questions answered at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Table of 2 to this many entries per question
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(u32).range(4..=26))]
    table_bits: u32,
    /// Raise alpha where the side to move can repeat
    #[arg(long)]
    upcoming: bool,
    /// Deepest question taken
    #[arg(long, default_value_t = 40)]
    max_depth: u32,
}

/// The longest question, in bytes.
const MAX_LINE: usize = 16 << 20;

#[derive(Debug, Deserialize)]
struct Question {
    id: Value,
    fen: String,
    #[serde(default)]
    moves: Vec<String>,
    depth: u32,
    #[serde(default)]
    policy: Option<String>,
}

/// Answers every question of stdin.
///
/// # Errors
/// If stdin or stdout fail.
pub(super) fn main(args: &Args) -> anyhow::Result<Outcome> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.max(1)).build()?;
    let (stdin, mut stdout) = (io::stdin().lock(), io::stdout().lock());
    let mut lines = LineReader::new(stdin);
    let mut all_good = true;
    loop {
        // One at a time when alone, so that a dialogue works; else what a pool can chew on.
        let take = if args.jobs <= 1 { 1 } else { args.jobs * 64 };
        let mut batch = Vec::new();
        while batch.len() < take
            && let Some(line) = lines.next(MAX_LINE)?
        {
            batch.push(String::from_utf8_lossy(&line).into_owned());
        }
        if batch.is_empty() {
            return Ok(Outcome::from(all_good));
        }
        let answers: Vec<Option<Value>> =
            pool.install(|| batch.par_iter().map(|line| answer(args, line)).collect());
        for value in answers.into_iter().flatten() {
            all_good &= value.get("error").is_none();
            writeln!(stdout, "{value}")?;
        }
        stdout.flush()?;
    }
}

/// The answer to one line; nothing for an empty one.
fn answer(args: &Args, line: &str) -> Option<Value> {
    if line.trim().is_empty() {
        return None;
    }
    let question: Question = match serde_json::from_str(line) {
        Ok(question) => question,
        Err(error) => return Some(json!({"error": error.to_string()})),
    };
    let id = question.id.clone();
    Some(judge(args, question).unwrap_or_else(|error| json!({"id": id, "error": error.to_string()})))
}

fn judge(args: &Args, question: Question) -> anyhow::Result<Value> {
    let policy: Option<Policy> =
        question.policy.as_deref().map(str::parse).transpose().map_err(anyhow::Error::msg)?;
    let policy = policy.unwrap_or(args.repetition.policy);
    anyhow::ensure!(
        question.depth <= args.max_depth,
        "depth {} is above --max-depth {}",
        question.depth,
        args.max_depth
    );
    let game = Game::from_text(&question.fen, question.moves.iter().map(String::as_str))?;
    let options = ExactOptions {
        depth: question.depth,
        policy,
        scheme: args.repetition.scheme,
        table_bits: args.table_bits,
        upcoming: args.upcoming,
        threads: args.threads,
    };
    let report = solve(&game, options);
    Ok(json!({
        "id": question.id, "policy": policy.name(), "value": report.value, "path": report.path,
        "nodes": report.nodes,
        "hits": report.hits, "refused": report.refused, "dependent": report.dependent, "closed": report.closed,
        "replayed": report.replayed, "misjudged": report.misjudged,
    }))
}
