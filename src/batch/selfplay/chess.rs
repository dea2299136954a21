//! Plays the chess games of self-play: openings, players, records as PGN.

use super::clock::ChessClock;
use super::entry::{self, End, Entry};
use super::start::{From, Settings, Start};
use super::{Finished, Plan};
use crate::client::process::EngineError;
use crate::client::uci::Client;
use crate::files;
use crate::record::signature;
use crate::scene::{Case, Player as Named, Scene};
use std::time::Instant;
use tengen_chess::history::Game;
use tengen_chess::rules::pgn::{self, PgnGame};
use tengen_chess::rules::{epd, notation, pgn_read};
use tengen_chess::search::{Limits, Options};
use tengen_chess::selfplay::{Ending, MatchRules, Player, Seat, Turn, referee};
use tengen_core::{Diagnostic, Stop};

/// The starts of a case: its own position, or those of its openings.
///
/// # Errors
/// The fault of the position or of the openings.
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

/// The positions of an EPD file, or the games of a PGN file, whose moves stay in the history.
fn openings(case: &Case, path: &str) -> Result<Vec<Game>, Diagnostic> {
    let Some(source) = &case.source else { return Err(Diagnostic::error("the case has no source")) };
    let path = source.resolve(path);
    let name = files::display(&path);
    let text = files::whole_text(&path).map_err(|reason| {
        case.fault("openings:", format!("can't read {name}: {reason}"))
            .help("paths in a scene are relative to the scene's file")
    })?;
    let games = if files::ending(&path).as_deref() == Some("pgn") {
        openings_of_pgn(&text, &name)?
    } else {
        openings_of_epd(&text, &name)?
    };
    if games.is_empty() {
        return Err(case
            .fault("openings:", format!("{name} holds no position"))
            .help("one EPD line each, or games in a file whose name ends in .pgn"));
    }
    Ok(games)
}

/// The fault of a line of a file.
fn at_line(fault: Diagnostic, name: &str, line: usize) -> Diagnostic {
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    fault.in_file(name).at(tengen_core::Position { line, column: 1 })
}

fn openings_of_pgn(text: &str, name: &str) -> Result<Vec<Game>, Diagnostic> {
    let one = |record: pgn_read::PgnRecord| {
        if let Some(fault) = record.fault {
            return Err(crate::scene::pgn_fault(&fault).in_file(name));
        }
        let (stretch, played) = record.after(record.plies());
        let mut game = Game::new(stretch.start.clone());
        stretch.moves[..played].iter().for_each(|&mv| game.play(mv));
        Ok(game)
    };
    pgn_read::games(text).into_iter().map(pgn_read::read).map(one).collect()
}

fn openings_of_epd(text: &str, name: &str) -> Result<Vec<Game>, Diagnostic> {
    let mut games = Vec::new();
    for (line, text) in text.lines().enumerate().filter(|(_, t)| !t.trim().is_empty()) {
        let epd = epd::parse(text).map_err(|error| at_line(error.into(), name, line + 1))?;
        games.push(Game::new(epd.setup));
    }
    Ok(games)
}

fn player(named: &Named, stop: &Stop) -> Player {
    let mut player = Player::of_nodes(&named.name(), 0);
    if let Named::Search { nodes, depth, repetition, policy } = named {
        player.limits = Limits { nodes: *nodes, depth: *depth, stop: stop.clone(), ..Limits::default() };
        player.options = Options { scheme: *repetition, policy: *policy, ..Options::default() };
    }
    player
}

/// A side's player, set up for one game.
enum SidePlayer<'a> {
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

impl<'a> SidePlayer<'a> {
    fn new(named: &Named, ours: &'a Player, stop: &Stop) -> Result<Self, EngineError> {
        match named {
            Named::Uci(command, limits) => {
                let client = Client::start(command, &limits.options, stop)?;
                Ok(Self::Program(Box::new(client), ChessClock::new(limits)))
            }
            _ => Ok(Self::Ours(Seat::new(ours))),
        }
    }

    fn clock(&self) -> Option<(u64, u64)> {
        if let Self::Program(_, clock) = self { clock.told() } else { None }
    }

    /// Its move; an illegal move is a loss.
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

/// Plays the game of this number; it breaks off once `stop` says so.
///
/// # Errors
/// If a program cannot be started.
pub(super) fn play(plan: &Plan, number: u32, stop: &Stop) -> anyhow::Result<Finished> {
    let start = plan.start(number);
    let opening = if let From::Chess(game) = &start.from { (**game).clone() } else { Game::default() };
    let limit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let rules = MatchRules {
        random_plies: limit(start.random_moves),
        max_plies: limit(start.max_moves.saturating_add(opening.moves().len())),
        ..rules(plan)
    };
    let named = [0, 1].map(|side| plan.player(side, number));
    let sides = named.map(|named| player(named, stop));
    let mut players =
        [SidePlayer::new(named[0], &sides[0], stop)?, SidePlayer::new(named[1], &sides[1], stop)?];
    let mut watched = plan.watched(number);
    let text = |game: &Game, comments: &[Option<String>], result: &str, ends: &[(&str, String)]| {
        let moves = game.moves();
        let mut tags = tags(plan, number, moves.len() - opening.moves().len());
        tags.extend(ends.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        pgn::write(&PgnGame { start: game.start(), moves, tags: &tags, comments, result })
    };
    let (record, lost) = referee(&opening, &rules, plan.opening_seed(number), |game| {
        if let Some(watched) = &mut watched {
            watched.show(|| text(game, &[], "*", &[]));
        }
        if stop.now() {
            return Err(Lost { end: End::BrokenOff, why: "the run was stopped".into() });
        }
        let clocks = [players[0].clock(), players[1].clock()];
        players[game.board().side_to_move() as usize].turn(game, clocks)
    });
    let end = match record.ending {
        Ending::Mate => End::Mate,
        Ending::Stalemate => End::Stalemate,
        Ending::Repetition => End::Repetition,
        Ending::FiftyMoves => End::FiftyMoves,
        Ending::Material => End::Material,
        Ending::Adjudication => End::Adjudication,
        Ending::Length => End::Limit,
        Ending::Fault => lost.as_ref().map_or(End::ProtocolError, |lost| lost.end),
    };
    let adjudication = plan.adjudication.map_or_else(|| "off".into(), |a| a.words());
    let mut ends = vec![("Termination", end.name().into()), ("Adjudication", adjudication)];
    ends.extend(lost.map(|lost| ("Fault", lost.why)));
    Ok(Finished { number, record: text(&record.game, &record.comments(), record.result, &ends) })
}

/// The tags that a record has from the beginning.
fn tags(plan: &Plan, number: u32, plies: usize) -> Vec<(String, String)> {
    [
        ("Event", plan.start(number).event().to_owned()),
        ("Site", "Tengen".into()),
        ("Date", plan.date.clone().unwrap_or_else(|| "????.??.??".into())),
        ("Round", number.to_string()),
        ("White", plan.player(0, number).name()),
        ("Black", plan.player(1, number).name()),
        ("PlyCount", plies.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
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

/// The data of a record; `None` if it is not a complete record of this game.
pub(super) fn entry(plan: &Plan, number: u32, text: &str) -> Option<Entry> {
    let tag = |name: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \""))?;
        line.strip_suffix("\"]")
    };
    let result = tag("Result")?;
    let whole = text.ends_with("\n\n") && text.trim_end().ends_with(result);
    let ours = tag("Round") == Some(number.to_string().as_str())
        && tag("Event").map(unescaped).as_deref() == Some(plan.start(number).event());
    let white = match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    (whole && ours).then_some(())?;
    // Two games are the same if their moves are; what the players said of them does not count.
    let game = pgn_read::read(*pgn_read::games(text).first()?);
    let moves = game.stretches.iter().flat_map(|stretch| &stretch.moves);
    let moves: Vec<String> = moves.map(ToString::to_string).collect();
    Some(Entry {
        moves: tag("PlyCount")?.parse().ok()?,
        result: result.into(),
        points: vec![white, 1.0 - white],
        white_lead: None,
        end: End::from_name(tag("Termination")?)?,
        disputed: false,
        signature: signature(text.as_bytes()),
        game: entry::hash(&format!("{:?} {}", game.tag("FEN"), moves.join(" "))),
    })
}

fn unescaped(text: &str) -> String {
    text.replace("\\\"", "\"").replace("\\\\", "\\")
}
