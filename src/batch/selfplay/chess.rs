//! Games of chess: openings, players, PGN.

use super::entry::{End, Entry};
use super::plan::{From, Settings, Start};
use super::{Finished, Plan};
use crate::batch::record::signature;
use crate::scene::{Case, Player as Named, Scene, load, paths};
use std::fs;
use tengen_chess::history::Game;
use tengen_chess::rules::epd;
use tengen_chess::rules::pgn::{self, PgnGame};
use tengen_chess::search::{Limits, Options};
use tengen_chess::selfplay::{Ending, MatchRules, Player, play_game};
use tengen_core::Diagnostic;

/// The starts of a case: its own position, or those of its openings.
///
/// # Errors
/// What is wrong with the position or the openings.
pub(super) fn starts(case: &Case, scene: &Scene, settings: &Settings<'_>) -> Result<Vec<Start>, Diagnostic> {
    let games = match settings.openings {
        None => vec![crate::batch::chess::game(case)?],
        Some(path) => openings(case, path)?,
    };
    let random_moves = settings.random_moves.unwrap_or(if settings.openings.is_some() { 0 } else { 8 });
    let start = |game: Game| Start {
        id: case.id.clone(),
        seed: scene.seed,
        max_moves: settings.max_moves.unwrap_or(400),
        random_moves,
        from: From::Chess(Box::new(game)),
    };
    Ok(games.into_iter().map(start).collect())
}

/// The positions of an EPD file.
fn openings(case: &Case, path: &str) -> Result<Vec<Game>, Diagnostic> {
    let Some(source) = &case.source else { return Err(Diagnostic::error("the case has no source")) };
    let path = source.resolve(path);
    let name = load::display(&path);
    let text = fs::read_to_string(&path).map_err(|e| {
        case.fault("openings:", format!("can't read {name}: {}", paths::reason(&e)))
            .help("paths in a scene are relative to the scene's file")
    })?;
    let mut games = Vec::new();
    for (line, text) in text.lines().enumerate().filter(|(_, t)| !t.trim().is_empty()) {
        let epd = epd::parse(text).map_err(|error| {
            let position = tengen_core::Position { line: line as u32 + 1, column: 1 };
            Diagnostic::from(error).in_file(name.clone()).at(position)
        })?;
        games.push(Game::new(epd.setup));
    }
    if games.is_empty() {
        return Err(case.fault("openings:", format!("{name} holds no position")).help("one EPD line each"));
    }
    Ok(games)
}

fn player(named: &Named) -> Player {
    let mut player = Player::of_nodes(&named.name(), 0);
    if let Named::Search { nodes, depth, repetition, policy } = named {
        player.limits = Limits { nodes: *nodes, depth: *depth, ..Limits::default() };
        player.options = Options { scheme: *repetition, policy: *policy, ..Options::default() };
    }
    player
}

/// Plays the game of this number.
pub(super) fn play(plan: &Plan, number: u32) -> Finished {
    let start = plan.start(number);
    let opening = if let From::Chess(game) = &start.from { (**game).clone() } else { Game::default() };
    let limit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let rules = MatchRules {
        random_plies: limit(start.random_moves),
        max_plies: limit(start.max_moves.saturating_add(opening.moves().len())),
        ..MatchRules::default()
    };
    let sides = [0, 1].map(|side| player(plan.player(side, number)));
    let record = play_game(&opening, [&sides[0], &sides[1]], &rules, plan.seed(number), |_, _| {});
    let end = match record.ending {
        Ending::Mate => End::Mate,
        Ending::Stalemate => End::Stalemate,
        Ending::Repetition => End::Repetition,
        Ending::FiftyMoves => End::FiftyMoves,
        Ending::Material => End::Material,
        Ending::Adjudication => End::Adjudication,
        Ending::Length => End::Limit,
    };
    let moves = record.game.moves();
    let tags: Vec<(String, String)> = [
        ("Event", start.id.clone()),
        ("Site", "Tengen".into()),
        ("Date", "????.??.??".into()),
        ("Round", number.to_string()),
        ("White", sides[0].name.clone()),
        ("Black", sides[1].name.clone()),
        ("PlyCount", (moves.len() - opening.moves().len()).to_string()),
        ("Termination", end.name().into()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let comments = record.comments();
    let game = PgnGame {
        start: record.game.start(),
        moves,
        tags: &tags,
        comments: &comments,
        result: record.result,
    };
    let text = pgn::write(&game);
    Finished { number, record: text }
}

/// What a record says; `None` if it is no whole record of this game.
pub(super) fn entry(plan: &Plan, number: u32, text: &str) -> Option<Entry> {
    let tag = |name: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \""))?;
        line.strip_suffix("\"]")
    };
    let result = tag("Result")?;
    let whole = text.ends_with("\n\n") && text.trim_end().ends_with(result);
    let ours = tag("Round") == Some(number.to_string().as_str())
        && tag("Event").map(unescaped).as_deref() == Some(plan.start(number).id.as_str());
    let white = match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    (whole && ours).then_some(())?;
    Some(Entry {
        moves: tag("PlyCount")?.parse().ok()?,
        result: result.into(),
        points: vec![white, 1.0 - white],
        white_lead: None,
        end: End::from_name(tag("Termination")?)?,
        disputed: false,
        signature: signature(text.as_bytes()),
    })
}

fn unescaped(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}
