//! The chess part of a batch: searches, exact values and perft.

use super::expand::Begun;
use super::{Case, Checked, Finding, Settings, Watch};
use crate::limits::Reached;
use crate::scene::{Expect, Game as SceneGame, Task};
use serde_json::{Value, json};
use tengen_chess::exact::{ExactOptions, ExactReport, solve, solve_until};
use tengen_chess::history::Game;
use tengen_chess::rules::notation;
use tengen_chess::rules::perft::{MAX_DEPTH, Perft, perft_spending};
use tengen_chess::search::report::mate_in;
use tengen_chess::search::{Limits, Options, Think, search};
use tengen_core::Diagnostic;
use tengen_core::profiler::{count, step};

/// More threads than this a search is not made for.
const MOST_THREADS: usize = 256;

/// Table of a search in MiB if the scene names none: small, since a batch runs many at once.
const DEFAULT_HASH: usize = 4;

/// What a task found, in the terms of expectations.
#[derive(Default)]
struct Found {
    result: Value,
    summary: String,
    best: Option<String>,
    score: Option<i32>,
    nodes: Option<u64>,
}

/// The fault of a perft that no machine finishes, in any game.
pub(super) fn too_deep(case: &Case, depth: u32) -> Diagnostic {
    case.fault("depth:", format!("a perft of depth {depth} is deeper than {MAX_DEPTH}"))
        .help("counts grow with every ply: depths up to about 6 are usual")
}

/// Begins one case: exact values are found at once, searches and counts go on in the batch's World.
///
/// # Errors
/// What is wrong with its input.
pub(super) fn begin(case: &Case, settings: &Settings) -> Result<Begun, Diagnostic> {
    let Some(scene) = &case.scene else { return Err(Diagnostic::error("the case has no scene")) };
    let game = step("chess: read position", || game(case))?;
    let case = case.clone();
    match &scene.task {
        Task::Perft { depth } => {
            if *depth > MAX_DEPTH {
                return Err(too_deep(&case, *depth));
            }
            let (depth, search) = (*depth, Perft::new(game.board(), *depth));
            Ok(Begun::search(search, move |done| perft(&case, &game, depth, &done)))
        }
        Task::Search { depth: Some(depth), exact: true, repetition, policy, .. } => {
            let options = ExactOptions {
                depth: *depth,
                scheme: repetition.unwrap_or_default(),
                policy: policy.unwrap_or_default(),
                ..ExactOptions::default()
            };
            let report = solve(&game, options);
            count("chess exact nodes", report.nodes);
            finding(&case, &game, exact(&report)).map(Begun::Found)
        }
        Task::Search { depth, nodes, hash, repetition, policy, threads, exact: false, .. } => {
            let nodes = [*nodes, settings.limit_nodes].into_iter().flatten().min();
            if depth.is_none() && nodes.is_none() {
                return Err(case
                    .fault("task:", "the search has no limit")
                    .help("give it `depth` or `nodes`"));
            }
            let options = Options {
                scheme: repetition.unwrap_or_default(),
                policy: policy.unwrap_or_default(),
                threads: threads.unwrap_or(1).clamp(1, MOST_THREADS),
                ..Options::default()
            };
            let threads = options.threads;
            let limits = Limits { depth: *depth, nodes, ..Limits::default() };
            let think = Think::of_table_size(&game, limits, options, hash.unwrap_or(DEFAULT_HASH));
            Ok(Begun::search(think, move |done| searched(&case, &game, &done, threads)))
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
    let summary = format!("{nodes} positions");
    finding(case, game, Found { result, summary, nodes: Some(nodes), ..Found::default() })
}

fn searched(case: &Case, game: &Game, done: &Think, threads: usize) -> Result<Finding, Diagnostic> {
    let report = done.report();
    count("chess search nodes", report.nodes);
    count("chess table hits", report.table_hits);
    let best = report.best.clone();
    let summary = format!("{} {}", best.as_deref().unwrap_or("no move"), report.score);
    let mut result = json!(report);
    if threads > 1 {
        // Workers that share a table find what the moment gives.
        result["threads"] = threads.into();
        result["repeatable"] = false.into();
    }
    let found = Found { result, summary, best, score: Some(report.score), nodes: None };
    finding(case, game, found)
}

fn exact(report: &ExactReport) -> Found {
    let summary = format!("value {}, {} nodes", report.value, report.nodes);
    Found { result: json!(report), summary, score: Some(report.value), ..Found::default() }
}

/// What was found, with the expectations.
fn finding(case: &Case, game: &Game, found: Found) -> Result<Finding, Diagnostic> {
    let expect = case.scene.iter().flat_map(|scene| &scene.expect);
    let expect = expect.map(|e| check_one(case, game, &found, e)).collect::<Result<_, _>>()?;
    Ok(Finding { result: found.result, expect, summary: found.summary, warnings: Vec::new() })
}

/// Runs one case on this thread, as long as its watch lets it.
///
/// # Errors
/// What is wrong with its input.
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
                summary: format!("{} positions", nodes.unwrap_or_default()),
                nodes,
                ..Found::default()
            }
        }
        Task::Search { depth: Some(depth), exact: true, repetition, policy, .. } => {
            let options = ExactOptions {
                depth: *depth,
                scheme: repetition.unwrap_or_default(),
                policy: policy.unwrap_or_default(),
                ..ExactOptions::default()
            };
            match solve_until(&game, options, &watch.stop()) {
                Some(report) => exact(&report),
                None => Found {
                    result: json!({ "value": null }),
                    summary: "stopped before its value was known".into(),
                    ..Found::default()
                },
            }
        }
        Task::Search { depth, nodes, hash, repetition, policy, exact: false, .. } => {
            let most = settings.limits.nodes;
            let own = [*nodes, settings.limit_nodes].into_iter().flatten().min();
            let nodes = [own, most].into_iter().flatten().min();
            if depth.is_none() && nodes.is_none() {
                return Err(no_limit(case));
            }
            let options = Options {
                scheme: repetition.unwrap_or_default(),
                policy: policy.unwrap_or_default(),
                ..Options::default()
            };
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
            let summary = format!("{} {}", best.as_deref().unwrap_or("no move"), report.score);
            Found { result: json!(report), summary, best, score: Some(report.score), nodes: None }
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
/// What is wrong with its input.
pub fn check(case: &Case) -> Result<(), Diagnostic> {
    let game = game(case)?;
    let Some(scene) = &case.scene else { return Ok(()) };
    match &scene.task {
        Task::Search { depth: None, exact: true, .. } => return Err(no_depth(case)),
        Task::Search { depth: None, nodes: None, .. } => return Err(no_limit(case)),
        _ => {}
    }
    // As if the task had found something: what the expectations mean, not what they say.
    let found = Found::default();
    scene.expect.iter().try_for_each(|e| check_one(case, &game, &found, e).map(|_| ()))
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

/// One expectation against what was found.
fn check_one(case: &Case, game: &Game, found: &Found, expect: &Expect) -> Result<Checked, Diagnostic> {
    let mut differences = Vec::new();
    match expect {
        Expect::BestMove(moves) => {
            let legal = |text: &String| {
                let board = game.board();
                notation::parse_uci(board, text)
                    .or_else(|_| notation::parse_san(board, text))
                    .map(|mv| notation::uci(board, mv, game.chess960()))
                    .map_err(|e| case.fault("BestMove", e.to_string()).help("write moves as e2e4 or in SAN"))
            };
            let wanted = moves.iter().map(legal).collect::<Result<Vec<_>, _>>()?;
            if !found.best.as_ref().is_some_and(|best| wanted.contains(best)) {
                differences.push(format!("the best move is {}", found.best.as_deref().unwrap_or("none")));
            }
        }
        Expect::Score { at_least, at_most, mate } => {
            let score = found.score.unwrap_or(0);
            let value = score as f32;
            if at_least.is_some_and(|least| value < least) || at_most.is_some_and(|most| value > most) {
                differences.push(format!("the score is {score}"));
            }
            if mate.is_some() && *mate != mate_in(score) {
                differences.push(format!("the score {score} is not that mate"));
            }
        }
        Expect::Nodes(nodes) => {
            if found.nodes != Some(*nodes) {
                differences
                    .push(format!("there are {}", found.nodes.map_or("none".into(), |n| n.to_string())));
            }
        }
        other => {
            let text = ron::to_string(other).unwrap_or_default();
            return Err(case
                .fault("expect:", format!("`{text}` means nothing for chess"))
                .help("chess scenes expect `BestMove`, `Score` and `Nodes`"));
        }
    }
    let text = ron::to_string(expect).unwrap_or_else(|_| format!("{expect:?}"));
    Ok(Checked { expect: text, ok: differences.is_empty(), found: differences })
}
