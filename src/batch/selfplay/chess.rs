//! Games of chess: openings, players, PGN.

use super::clock::ChessClock;
use super::entry::{self, End, Entry};
use super::plan::{From, Settings, Start};
use super::{Finished, Plan};
use crate::batch::record::signature;
use crate::protocol::engine::EngineError;
use crate::protocol::uci::player::Client;
use crate::scene::{Case, Player as Named, Scene, load, paths};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tengen_chess::history::Game;
use tengen_chess::rules::pgn::{self, PgnGame};
use tengen_chess::rules::{epd, notation};
use tengen_chess::search::{Limits, Options};
use tengen_chess::selfplay::{Ending, MatchRules, Player, Seat, Turn, referee};
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

/// A side's player, set up for one game.
enum Chair<'a> {
    Ours(Seat<'a>),
    Program(Box<Client>, ChessClock),
}

/// Why a side lost without its opponent's doing.
struct Lost {
    end: End,
    why: String,
}

impl std::convert::From<EngineError> for Lost {
    fn from(error: EngineError) -> Self {
        Self { end: error.end(), why: error.to_string() }
    }
}

impl<'a> Chair<'a> {
    fn new(named: &Named, ours: &'a Player) -> Result<Self, EngineError> {
        match named {
            Named::Uci(command, limits) => {
                let client = Client::start(command, &limits.options)?;
                Ok(Self::Program(Box::new(client), ChessClock::new(limits)))
            }
            _ => Ok(Self::Ours(Seat::new(ours))),
        }
    }

    fn clock(&self) -> Option<(u64, u64)> {
        if let Self::Program(_, clock) = self { clock.told() } else { None }
    }

    /// What it plays; a move that is not legal is a loss.
    fn turn(&mut self, game: &Game, clocks: [Option<(u64, u64)>; 2]) -> Result<Turn, Lost> {
        let (client, clock) = match self {
            Self::Ours(seat) => return Ok(seat.search(game).into()),
            Self::Program(client, clock) => (client, clock),
        };
        let limits = clock.go(clocks);
        let begun = Instant::now();
        let best = client.go(&position(game), &limits, clock.patience())?;
        if !clock.spend(begun.elapsed()) {
            return Err(EngineError::Late { command: client.command().into(), request: limits }.into());
        }
        if notation::parse_uci(game.board(), &best.text).is_err() {
            let why = client.refusal(&format!("go {limits}"), &format!("bestmove {}", best.text));
            return Err(Lost { end: End::IllegalMove, why: why.to_string() });
        }
        Ok(Turn { text: Some(best.text), score: best.score, path: None, nodes: 0 })
    }
}

/// A game as the command `position` has it.
fn position(game: &Game) -> String {
    let start = Game::new(game.start().clone());
    let mut text = format!("fen {}", start.fen());
    let mut board = start.board().clone();
    for (n, &mv) in game.moves().iter().enumerate() {
        text += if n == 0 { " moves " } else { " " };
        text += &notation::uci(&board, mv, game.chess960());
        board.play_unchecked(mv);
    }
    text
}

/// Plays the game of this number; `None` if it was interrupted.
///
/// # Errors
/// If a program can't be started.
pub(super) fn play(plan: &Plan, number: u32, interrupted: &AtomicBool) -> anyhow::Result<Option<Finished>> {
    let start = plan.start(number);
    let opening = if let From::Chess(game) = &start.from { (**game).clone() } else { Game::default() };
    let limit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let rules = MatchRules {
        random_plies: limit(start.random_moves),
        max_plies: limit(start.max_moves.saturating_add(opening.moves().len())),
        ..rules(plan)
    };
    let named = [0, 1].map(|side| plan.player(side, number));
    let sides = named.map(player);
    let mut chairs = [Chair::new(named[0], &sides[0])?, Chair::new(named[1], &sides[1])?];
    let (record, lost) = referee(&opening, &rules, plan.opening_seed(number), |game| {
        if interrupted.load(Ordering::Relaxed) {
            return Err(None);
        }
        let clocks = [chairs[0].clock(), chairs[1].clock()];
        chairs[game.board().side_to_move() as usize].turn(game, clocks).map_err(Some)
    });
    let fault = match lost {
        Some(None) => return Ok(None),
        Some(Some(lost)) => Some(lost),
        None => None,
    };
    let end = match record.ending {
        Ending::Mate => End::Mate,
        Ending::Stalemate => End::Stalemate,
        Ending::Repetition => End::Repetition,
        Ending::FiftyMoves => End::FiftyMoves,
        Ending::Material => End::Material,
        Ending::Adjudication => End::Adjudication,
        Ending::Length => End::Limit,
        Ending::Fault => fault.as_ref().map_or(End::ProtocolError, |lost| lost.end),
    };
    let moves = record.game.moves();
    let mut tags: Vec<(String, String)> = [
        ("Event", start.id.clone()),
        ("Site", "Tengen".into()),
        ("Date", "????.??.??".into()),
        ("Round", number.to_string()),
        ("White", named[0].name()),
        ("Black", named[1].name()),
        ("PlyCount", (moves.len() - opening.moves().len()).to_string()),
        ("Termination", end.name().into()),
        ("Adjudication", plan.adjudication.map_or_else(|| "off".into(), |a| a.words())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    tags.extend(fault.map(|lost| ("Fault".to_owned(), lost.why)));
    let comments = record.comments();
    let game = PgnGame {
        start: record.game.start(),
        moves,
        tags: &tags,
        comments: &comments,
        result: record.result,
    };
    let text = pgn::write(&game);
    Ok(Some(Finished { number, record: text }))
}

/// When games of this plan end before the rules end them.
fn rules(plan: &Plan) -> MatchRules {
    plan.adjudication.map_or(MatchRules::PLAYED_OUT, |a| MatchRules {
        resign_score: a.resign.score.max(1),
        resign_plies: a.resign.plies.max(1),
        draw_score: a.draw.score,
        draw_plies: a.draw.plies.max(1),
        draw_after: a.draw.after,
        ..MatchRules::PLAYED_OUT
    })
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
        game: entry::hash(&format!("{:?} {:?}", tag("FEN"), text.split_once("\n\n")?.1)),
    })
}

fn unescaped(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}
