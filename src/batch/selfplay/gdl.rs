//! Plays the games of a rulesheet in self-play: players, match records.

use super::entry::{self, End, Entry};
use super::start::{From, Rules, Settings, Start};
use super::{Finished, Plan};
use crate::record::signature;
use crate::scene::{Case, Game as SceneGame, Player, Scene};
use serde_json::{Value, json};
use std::sync::Arc;
use tengen_core::{Budget, Diagnostic, Parallelism, Stop};
use tengen_propnet::players::{Kind, selfplay};

/// The start of a case.
///
/// # Errors
/// The fault of the rulesheet, or of the task.
pub(super) fn start(case: &Case, scene: &Scene, settings: &Settings<'_>) -> Result<Start, Diagnostic> {
    if matches!(&scene.game, Some(SceneGame::Gdl { moves, .. }) if !moves.is_empty()) {
        return Err(case
            .fault("moves:", "self-play of a rulesheet begins in its initial state")
            .help("leave `moves` out"));
    }
    if settings.random_moves.is_some_and(|n| n > 0) {
        return Err(case
            .fault("random_moves:", "self-play of a rulesheet draws no moves")
            .help("leave `random_moves` out: games differ by their seeds"));
    }
    let (game, text) = crate::batch::gdl::load_with_percepts(case)?;
    Ok(Start {
        id: case.id.clone(),
        seed: scene.seed,
        max_moves: settings.max_moves.unwrap_or(1000),
        random_moves: 0,
        from: From::Gdl(Rules {
            game: Arc::new(game),
            signature: signature(text.as_bytes()),
            text: text.into(),
        }),
    })
}

/// A player's kind, and its limits for a move.
pub(super) fn kind(player: &Player) -> (Kind, Budget) {
    let visits = |visits: u64| Budget { visits: Some(visits), ..Budget::default() };
    match player {
        Player::Uct(n) => (Kind::Uct, visits(*n)),
        Player::Auto(n) => (Kind::Auto, visits(*n)),
        Player::MonteCarlo(n) => (Kind::MonteCarlo, visits(*n)),
        Player::AlphaBeta(n) => (Kind::AlphaBeta, Budget { nodes: Some(*n), ..visits(*n) }),
        Player::Legal => (Kind::Legal, Budget::default()),
        _ => (Kind::Random, Budget::default()),
    }
}

/// Plays the game of this number; once `stop` says so, without thought.
///
/// # Errors
/// The machine's limits.
pub(super) fn play(plan: &Plan, number: u32, stop: &Stop) -> anyhow::Result<Finished> {
    let start = plan.start(number);
    let From::Gdl(rules) = &start.from else { anyhow::bail!("the start is no rulesheet") };
    let budgets: Vec<Budget> = (0..plan.sides.len()).map(|side| kind(plan.player(side, number)).1).collect();
    let kinds: Vec<Kind> = plan.seats().map(|side| kind(plan.player(side, number)).0).collect();
    let mut watched = plan.watched(number);
    let mut budget = |role: usize, moves: &[Vec<String>]| {
        if let Some(watched) = &mut watched {
            watched.show(|| text(plan, number, &Course { moves, percepts: &[] }, &[], "none yet", None));
        }
        Budget { stop: stop.clone(), ..budgets[role].clone() }
    };
    let (most, shards) = (start.max_moves, Parallelism::Shards);
    let seed = plan.seed(number);
    let game = selfplay::play(&rules.game, &kinds, &mut budget, seed, most, shards, stop)?;
    let end = match (game.finished, game.moves.len()) {
        (true, _) => End::Terminal,
        (false, n) if n >= start.max_moves => End::Limit,
        (false, _) => End::Stuck,
    };
    Ok(record(plan, number, &Course { moves: &game.moves, percepts: &game.percepts }, &game.goals, end, None))
}

/// The joint moves of a game, and what each role perceived of each; no percepts in a game without them.
#[derive(Clone, Copy)]
pub(super) struct Course<'a> {
    pub(super) moves: &'a [Vec<String>],
    pub(super) percepts: &'a [Vec<Vec<String>>],
}

/// The record of a game; `fault` names the role and the fault that ended it.
pub(super) fn record(
    plan: &Plan,
    number: u32,
    course: &Course<'_>,
    goals: &[Vec<String>],
    end: End,
    fault: Option<String>,
) -> Finished {
    Finished { number, record: text(plan, number, course, goals, end.name(), fault) }
}

/// A record, finished or not.
pub(super) fn text(
    plan: &Plan,
    number: u32,
    course: &Course<'_>,
    goals: &[Vec<String>],
    end: &str,
    fault: Option<String>,
) -> String {
    let players: Vec<String> = (0..plan.sides.len()).map(|s| plan.player(s, number).name()).collect();
    let mut record = json!({
        "schema": "tengen.match/1",
        "game": plan.game_name(number),
        "roles": plan.sides,
        "players": players,
        "moves": course.moves,
        "goals": goals,
        "end": end,
    });
    if !course.percepts.is_empty() {
        record["sees"] = json!(course.percepts);
    }
    if let Some(fault) = fault {
        record["fault"] = fault.into();
    }
    format!("{record}\n")
}

/// The data of a record; `None` if it is not a complete record of this game.
pub(super) fn entry(plan: &Plan, number: u32, text: &str) -> Option<Entry> {
    let record: Value = serde_json::from_str(text).ok()?;
    (record["game"].as_str()? == plan.game_name(number)).then_some(())?;
    let goals: Vec<f64> = record["goals"]
        .as_array()?
        .iter()
        .map(|goals| goals.get(0).and_then(Value::as_str).and_then(|g| g.parse().ok()).unwrap_or(0.0))
        .collect();
    let texts: Vec<String> = goals.iter().map(f64::to_string).collect();
    Some(Entry {
        moves: record["moves"].as_array()?.len(),
        result: texts.join(" "),
        points: goals.iter().map(|g| g / 100.0).collect(),
        white_lead: None,
        end: End::from_name(record["end"].as_str()?)?,
        disputed: false,
        signature: signature(text.as_bytes()),
        game: entry::hash(&format!("{} {}", plan.start(number).id, record["moves"])),
    })
}
