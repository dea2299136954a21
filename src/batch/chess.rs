//! Runs the chess cases of a batch: searches, exact values and perft.

use super::first_step::FirstStep;
use super::settings::Settings;
use super::supported::too_deep;
use crate::limits::{Reached, Watch};
use crate::number_text::counted;
use crate::record::Finding;
use crate::record::expectation::chess as expectation;
use crate::scene::{Case, Game as SceneGame, Task};
use serde_json::{Value, json};
use tengen_chess::exact::{ExactOptions, ExactReport, solve, solve_until};
use tengen_chess::history::{Game, Policy};
use tengen_chess::repetition::Scheme;
use tengen_chess::rules::perft::{MAX_DEPTH, Perft, perft_spending};
use tengen_chess::search::{Limits, MOST_PERPETUAL, Options, Think, search};
use tengen_core::Diagnostic;
use tengen_core::profiler::{count, step};

/// More threads than this a search is not made for.
const MOST_THREADS: usize = 256;

/// Table of a search in MiB if the scene names none: small, since a batch runs many at once.
const DEFAULT_HASH: usize = 4;

/// The findings of a task: its result, and the facts for expectations.
#[derive(Default)]
struct Found {
    result: Value,
    summary: String,
    facts: expectation::Found,
}

/// Begins one case: exact values are found at once, searches and counts go on in the batch's World.
///
/// # Errors
/// The fault of its input.
pub(super) fn begin(case: &Case, settings: &Settings) -> Result<FirstStep, Diagnostic> {
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let game = step("chess: read position", || game(case))?;
    let case = case.clone();
    match &scene.task {
        Task::Perft { depth } => {
            if *depth > MAX_DEPTH {
                return Err(too_deep(&case, *depth));
            }
            let (depth, search) = (*depth, Perft::new(game.board(), *depth));
            Ok(FirstStep::search(search, move |done| perft(&case, &game, depth, &done)))
        }
        Task::Search { depth: Some(depth), exact: true, repetition, policy, .. } => {
            let report = solve(&game, exact_options(*depth, *repetition, *policy));
            count("chess exact nodes", report.nodes);
            finding(&case, &game, exact(&report)).map(FirstStep::Found)
        }
        Task::Search { depth, nodes, hash, threads, exact: false, .. } => {
            let nodes = [*nodes, settings.limit_nodes].into_iter().flatten().min();
            if depth.is_none() && nodes.is_none() {
                return Err(case
                    .fault("task:", "the search has no limit")
                    .help("give it `depth` or `nodes`"));
            }
            let threads = threads.unwrap_or(1).clamp(1, MOST_THREADS);
            let options = Options { threads, ..options(&case, &scene.task)? };
            let limits = Limits { depth: *depth, nodes, ..Limits::default() };
            let think = Think::of_table_size(&game, limits, options, hash.unwrap_or(DEFAULT_HASH));
            Ok(FirstStep::search(think, move |done| searched(&case, &game, &done, threads)))
        }
        Task::Search { .. } => {
            Err(case.fault("task:", "an exact search needs `depth`").help("write `depth: 8`"))
        }
        _ => Err(Diagnostic::error("this task means nothing for chess")),
    }
}

fn perft(case: &Case, game: &Game, depth: u32, done: &Perft) -> Result<Finding, Diagnostic> {
    let nodes = done.nodes();
    count("chess perft nodes", nodes);
    let result = json!({ "depth": depth, "nodes": nodes });
    let summary = counted("position", nodes as usize);
    finding(
        case,
        game,
        Found { result, summary, facts: expectation::Found { nodes: Some(nodes), ..Default::default() } },
    )
}

fn searched(case: &Case, game: &Game, done: &Think, threads: usize) -> Result<Finding, Diagnostic> {
    let report = done.report();
    count("chess search nodes", report.nodes);
    count("chess table hits", report.table_hits);
    let best = report.best.clone();
    let shown = expectation::in_san(game, best.as_deref().unwrap_or("no move"));
    let summary = format!("{shown} {}", report.score);
    let mut result = json!(report);
    if threads > 1 {
        // Workers that share a table find what the moment gives.
        result["threads"] = threads.into();
        result["repeatable"] = false.into();
    }
    let facts = expectation::Found { best, score: Some(report.score), nodes: None };
    let found = Found { result, summary, facts };
    finding(case, game, found)
}

fn exact_options(depth: u32, scheme: Option<Scheme>, policy: Option<Policy>) -> ExactOptions {
    ExactOptions {
        depth,
        scheme: scheme.unwrap_or_default(),
        policy: policy.unwrap_or_default(),
        ..ExactOptions::default()
    }
}

fn exact(report: &ExactReport) -> Found {
    let summary = format!("value {}, {}", report.value, counted("node", report.nodes as usize));
    let facts = expectation::Found { score: Some(report.value), ..Default::default() };
    Found { result: json!(report), summary, facts }
}

/// The options of a task's search, on one thread.
fn options(case: &Case, task: &Task) -> Result<Options, Diagnostic> {
    let Task::Search { repetition, policy, perpetual, .. } = task else { return Ok(Options::default()) };
    let perpetual = perpetual.unwrap_or(0);
    if !(0..=MOST_PERPETUAL).contains(&perpetual) {
        return Err(case
            .fault("perpetual:", format!("a perpetual check of {perpetual} centipawns is not known"))
            .help(format!("write `perpetual: 20`, from 0 to {MOST_PERPETUAL}")));
    }
    let (scheme, policy) = (repetition.unwrap_or_default(), policy.unwrap_or_default());
    Ok(Options { scheme, policy, perpetual, ..Options::default() })
}

/// The findings, with the expectations.
fn finding(case: &Case, game: &Game, found: Found) -> Result<Finding, Diagnostic> {
    let expect = case.scene.iter().flat_map(|scene| &scene.expect);
    let expect = expect.map(|e| expectation::check(case, game, &found.facts, e)).collect::<Result<_, _>>()?;
    Ok(Finding { result: found.result, expect, summary: found.summary, warnings: Vec::new() })
}

/// Runs one case on this thread, as long as its watch lets it.
///
/// # Errors
/// The fault of its input.
pub fn run(case: &Case, settings: &Settings, watch: &Watch) -> Result<Finding, Diagnostic> {
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let game = game(case)?;
    let found = match &scene.task {
        Task::Perft { depth } => {
            let mut entered = |count| watch.spend(count);
            let nodes = perft_spending(game.board(), *depth, &mut entered);
            let result = json!({ "depth": depth, "nodes": nodes });
            Found {
                result,
                summary: counted("position", nodes.unwrap_or_default() as usize),
                facts: expectation::Found { nodes, ..Default::default() },
            }
        }
        Task::Search { depth: Some(depth), exact: true, repetition, policy, .. } => {
            match solve_until(&game, exact_options(*depth, *repetition, *policy), &watch.stop()) {
                Some(report) => exact(&report),
                None => Found {
                    result: json!({ "value": null }),
                    summary: "stopped before its value was known".into(),
                    ..Found::default()
                },
            }
        }
        Task::Search { depth, nodes, hash, exact: false, .. } => {
            let most = settings.limits.nodes;
            let own = [*nodes, settings.limit_nodes].into_iter().flatten().min();
            let nodes = [own, most].into_iter().flatten().min();
            if depth.is_none() && nodes.is_none() {
                return Err(no_limit(case));
            }
            let options = options(case, &scene.task)?;
            let limits = Limits { depth: *depth, nodes, stop: watch.stop(), ..Limits::default() };
            let report = search(&game, limits, options, hash.unwrap_or(DEFAULT_HASH));
            if most.is_some()
                && most == nodes
                && own.is_none_or(|own| most < Some(own))
                && report.ended_by == "nodes"
            {
                watch.reach(Reached::Nodes);
            }
            let best = report.best.clone();
            let shown = expectation::in_san(&game, best.as_deref().unwrap_or("no move"));
            let summary = format!("{shown} {}", report.score);
            let facts = expectation::Found { best, score: Some(report.score), nodes: None };
            Found { result: json!(report), summary, facts }
        }
        Task::Search { .. } => {
            return Err(no_depth(case));
        }
        _ => return Err(Diagnostic::error("this task means nothing for chess")),
    };
    finding(case, &game, found)
}

/// Checks a case without running it.
///
/// # Errors
/// The fault of its input.
pub fn check(case: &Case) -> Result<(), Diagnostic> {
    let game = game(case)?;
    let Some(scene) = &case.scene else { return Ok(()) };
    match &scene.task {
        Task::Search { depth: None, exact: true, .. } => return Err(no_depth(case)),
        Task::Search { depth: None, nodes: None, .. } => return Err(no_limit(case)),
        task => {
            options(case, task)?;
        }
    }
    // As if the task had found something: what the expectations mean, not what they say.
    let found = expectation::Found::default();
    scene.expect.iter().try_for_each(|e| expectation::check(case, &game, &found, e).map(|_| ()))
}

fn no_depth(case: &Case) -> Diagnostic {
    case.fault("task:", "an exact search needs `depth`").help("write `depth: 8`")
}

fn no_limit(case: &Case) -> Diagnostic {
    case.fault("task:", "the search has no limit").help("give it `depth` or `nodes`")
}

/// The game a scene names.
pub(crate) fn game(case: &Case) -> Result<Game, Diagnostic> {
    let scene = case.scene.as_ref().and_then(|s| s.game.as_ref());
    let Some(SceneGame::Chess { fen, moves }) = scene else {
        return Err(case.fault("game:", "the scene has no chess position"));
    };
    let fen = fen.as_deref().unwrap_or("startpos");
    Game::from_text(fen, moves.iter().map(String::as_str)).map_err(|error| {
        let fault = Diagnostic::from(error);
        case.fault("game:", fault.message).help(fault.help.unwrap_or_default())
    })
}
